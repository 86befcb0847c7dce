// Why a program is refused, in words (explain.h).
#include "translate/streamability/explain.h"

#include <algorithm>

#include "semantics/svcode/instruction.h"

namespace lockstep::streaming {
namespace {

using svcode::Instr;
using svcode::Opcode;

constexpr std::string_view different_paces =
    "meet element by element, but go through what they share at different paces";

const Instr& instr(const svcode::Program& p, InstrIndex i) { return p.instructions[i.number()]; }

// Which instruction defines a stream.
InstrIndex definition(const svcode::Program& p, svcode::StreamId s) {
  const auto found =
      std::find_if(p.instructions.begin(), p.instructions.end(), [&](const Instr& i) { return i.id == s; });
  return InstrIndex(static_cast<std::size_t>(found - p.instructions.begin()));
}

std::string parameter_of(const svcode::Program& p, std::int64_t leaf) {
  std::int64_t leaves = 0;
  for (std::size_t k = 0; k < p.parameters.size(); ++k) {
    leaves += static_cast<std::int64_t>(svcode::input_leaves(p.parameters[k]).size());
    if (leaf < leaves) return p.parameter_names.at(k);
  }
  return p.parameter_names.back();
}

// The text of a region on one line, cut where it is long.
std::string line_of(const Region& r) {
  std::string text;
  for (const char c : r.source->text.substr(r.begin, r.end - r.begin))
    if (c != '\n' && c != '\r' && c != '\t')
      text += c;
    else if (!text.ends_with(' '))
      text += ' ';
  constexpr std::size_t longest = 48;
  if (text.size() > longest) {
    text.resize(longest - 3);
    text += "...";
  }
  return text;
}

// An expression and where it stands.
std::string shown(const svcode::Program& p, InstrIndex index) {
  const Instr& i = instr(p, index);
  const Region& r = i.region;
  if (i.opcode == Opcode::Input) return "the parameter `" + parameter_of(p, i.number()) + "`";
  if (!r.source || r.end > r.source->text.size() || r.begin >= r.end)
    return "s" + std::to_string(i.id) + " := " + std::string(svcode::name_of(i.opcode));
  const Position at = position_of(*r.source, r.begin);
  return "`" + line_of(r) + "` (" + std::to_string(at.line) + ":" + std::to_string(at.column) + ")";
}

Diagnostic refusal(const svcode::Program& p, InstrIndex meeting, InstrIndex late, InstrIndex other,
                   std::string_view why) {
  Diagnostic d;
  d.region = instr(p, meeting).region;
  d.message = "not streamable: " + shown(p, late) + " and " + shown(p, other) + " " + std::string(why);
  d.expected = "traversals that keep pace, with no more than a constant number of elements between them";
  d.mend = "keep the sequence in memory, `let v = tab(...)`, and go through `seq(v)` once for each traversal";
  return d;
}

// The left and the right side of `++`, as far as the instruction shows them.
std::pair<InstrIndex, InstrIndex> operands(const svcode::Program& p, InstrIndex meeting) {
  const Region& r = instr(p, meeting).region;
  for (const Instr& i : p.instructions) {
    const bool here = i.region.source == r.source && i.region.begin == r.begin && i.region.end == r.end;
    if (here && i.opcode == Opcode::Segmerge && i.arguments.size() >= 4)
      return {definition(p, i.arguments[1]), definition(p, i.arguments[3])};
  }
  const Instr& i = instr(p, meeting);
  return {definition(p, i.arguments.front()), definition(p, i.arguments.back())};
}

bool appends(Opcode o) {
  return o == Opcode::Uappend || o == Opcode::Segmerge || o == Opcode::Usegmerge || o == Opcode::Umerge;
}

// Of a circle: what waits for the end of a traversal, and what that is needed by.
Diagnostic explain_circle(const svcode::Program& p, const Traversals& traversals, const Circle& c) {
  const Instr& closing = instr(p, c.closed_by);
  if (appends(closing.opcode)) {
    const auto [left, right] = operands(p, c.closed_by);
    return refusal(p, c.closed_by, left, right,
                   "lie one after the other, but go through the same elements at the same time");
  }
  const auto any = [&](auto is) { return std::any_of(traversals.all().begin(), traversals.all().end(), is); };
  const auto an_end = [&](Event v) { return any([&](const Traversal& t) { return t.end == v; }); };
  const auto a_start = [&](Event v) { return any([&](const Traversal& t) { return t.start == v || t.ready == v; }); };
  const auto late = std::find_if(c.edges.begin(), c.edges.end(),
                                 [&](const Edge& e) { return an_end(e.from) && !an_end(e.to) && !a_start(e.to); });
  if (late == c.edges.end() && closing.opcode == Opcode::Map)
    return refusal(p, c.closed_by, definition(p, closing.arguments[0]), definition(p, closing.arguments[1]),
                   different_paces);
  const auto early =
      std::find_if(c.edges.begin(), c.edges.end(), [&](const Edge& e) { return a_start(e.to) && !a_start(e.from); });
  const InstrIndex known = late == c.edges.end() ? c.edges.front().instr : late->instr;
  const InstrIndex needed = early == c.edges.end() ? c.edges.back().instr : early->instr;
  return refusal(p, c.closed_by, known, needed,
                 "go through one sequence, and the second needs what the first has only at its end");
}

}  // namespace

Diagnostic explain(const svcode::Program& p, const Traversals& traversals, const Conflict& c) {
  return match(
      c, [&](const DifferentPaces& d) { return refusal(p, d.meeting, d.one, d.other, different_paces); },
      [&](const Circle& circle) { return explain_circle(p, traversals, circle); },
      [&](const PartsWait& w) {
        const auto [left, right] = operands(p, w.meeting);
        return refusal(p, w.meeting, left, right,
                       "are each made of several parts, of which one waits for a part of the other");
      },
      [&](const TooLate& t) {
        return refusal(p, t.meeting, t.late, t.meeting,
                       "go through one sequence, and the second needs what the first has only later");
      });
}

}  // namespace lockstep::streaming

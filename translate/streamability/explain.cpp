// Why a program is refused, in words (explain.h).
#include "translate/streamability/explain.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "semantics/svcode/instruction.h"

namespace lockstep::streaming {
namespace {

using svcode::Instr;
using svcode::Opcode;

const Instr& instr(const svcode::Program& p, InstrIndex i) { return p.instructions[i.number()]; }

// Which instruction defines a stream; their ids ascend.
InstrIndex definition(const svcode::Program& p, svcode::StreamId s) {
  const auto found =
      std::partition_point(p.instructions.begin(), p.instructions.end(), [&](const Instr& i) { return i.id < s; });
  return InstrIndex(static_cast<std::size_t>(found - p.instructions.begin()));
}

struct Parameter {
  const std::string& name;
  const snesl::Type& type;
};
Parameter parameter(const svcode::Program& p, std::int64_t leaf) {
  std::size_t k = 0;
  std::int64_t leaves = 0;
  for (; k + 1 < p.parameters.size(); ++k) {
    leaves += static_cast<std::int64_t>(svcode::input_leaves(p.parameters[k]).size());
    if (leaf < leaves) break;
  }
  return {p.parameter_names.at(k), p.parameters.at(k)};
}
// Which `tab` can keep.
bool is_plain_sequence(const snesl::Type& t) {
  const auto* sequence = snesl::as<snesl::SequenceType>(t);
  return sequence && snesl::is_concrete(*sequence->element);
}

// The text of a region on one line, cut where it is long; "" where there is none.
std::string line_of(const Region& r) {
  if (!r.source || r.end > r.source->text.size() || r.begin >= r.end) return "";
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

bool contains(const Region& outer, const Region& inner) {
  return outer.source == inner.source && outer.begin <= inner.begin && inner.end <= outer.end;
}
bool same_place(const Region& a, const Region& b) {
  return a.source == b.source && a.begin == b.begin && a.end == b.end;
}
// Of the expressions inside `whole`, the largest that this one is part of, and the other is not.
Region operand_of(const svcode::Program& p, const Region& whole, const Region& part, const Region& other) {
  Region out = part;
  for (const Instr& i : p.instructions) {
    const Region& r = i.region;
    const bool inside = contains(whole, r) && r.end - r.begin < whole.end - whole.begin;
    if (inside && contains(r, out) && !contains(r, other)) out = r;
  }
  return out;
}

// Of an expression that is the whole itself: the largest operand that has nothing to do with the other.
Region operand_beside(const svcode::Program& p, const Region& whole, const Region& other) {
  Region out = whole;
  for (const Instr& i : p.instructions) {
    const Region& r = i.region;
    const std::uint32_t size = r.end - r.begin;
    if (line_of(r).empty() || !contains(whole, r) || size >= whole.end - whole.begin) continue;
    if (contains(r, other) || contains(other, r)) continue;
    if (same_place(out, whole) || size > out.end - out.begin) out = r;
  }
  return out;
}

// An expression that meets another, and where it stands.
std::string shown(const svcode::Program& p, InstrIndex index, const Region& whole, InstrIndex other, bool is_a_side) {
  const Instr& i = instr(p, index);
  if (i.opcode == Opcode::Input) return "the parameter `" + parameter(p, i.number()).name + "`";
  if (line_of(i.region).empty()) return "s" + std::to_string(i.id) + " := " + std::string(svcode::name_of(i.opcode));
  const Region& beside = instr(p, other).region;
  const Region r = is_a_side && same_place(whole, i.region) ? operand_beside(p, whole, beside)
                   : contains(whole, i.region)              ? operand_of(p, whole, i.region, beside)
                                                            : i.region;
  const Position at = position_of(*r.source, r.begin);
  return "`" + line_of(r) + "` (" + std::to_string(at.line) + ":" + std::to_string(at.column) + ")";
}

// All that a stream is made of, the one left out apart.
std::set<InstrIndex> ancestors(const svcode::Program& p, InstrIndex of, InstrIndex left_out) {
  std::set<InstrIndex> out;
  std::vector<InstrIndex> next{of};
  while (!next.empty()) {
    const Instr& i = instr(p, next.back());
    next.pop_back();
    for (const svcode::StreamId s : i.arguments)
      if (const InstrIndex from = definition(p, s); from != left_out && out.insert(from).second) next.push_back(from);
  }
  return out;
}

// What both go through, as the source calls it: a parameter, a file that is read, &n. "" where it has no such name.
std::string shared_sequence(const svcode::Program& p, InstrIndex late, InstrIndex other) {
  const std::set<InstrIndex> left = ancestors(p, late, other), right = ancestors(p, other, late);
  // Of a parameter the one may go through the elements, and the other through the descriptor.
  std::set<std::string_view> parameters;
  for (const InstrIndex o : right)
    if (const Instr& j = instr(p, o); j.opcode == Opcode::Input) parameters.insert(parameter(p, j.number()).name);
  for (auto at = left.rbegin(); at != left.rend(); ++at) {
    const Instr& i = instr(p, *at);
    const bool shared =
        right.contains(*at) || (i.opcode == Opcode::Input && parameters.contains(parameter(p, i.number()).name));
    if (!shared || i.type == snesl::Prim::Unit || i.opcode == Opcode::Terminated) continue;
    switch (svcode::row_of(i.opcode).called) {
      case svcode::Called::Nothing:
        return "";
      case svcode::Called::Parameter:
        return is_plain_sequence(parameter(p, i.number()).type) ? parameter(p, i.number()).name : "";
      case svcode::Called::Expression:
        return line_of(i.region);
    }
  }
  return "";
}

// Where the one is what the other goes through: a file that is read, &n.
std::string sequence_itself(const svcode::Program& p, InstrIndex one, InstrIndex other) {
  const auto read_by = [&](InstrIndex what, InstrIndex by) {
    const Opcode o = instr(p, what).opcode;
    const bool source = o == Opcode::ReadFile || o == Opcode::ReadWhole || o == Opcode::Range || o == Opcode::Iotas;
    return source && ancestors(p, by, by).contains(what);
  };
  return read_by(one, other)   ? line_of(instr(p, one).region)
         : read_by(other, one) ? line_of(instr(p, other).region)
                               : "";
}

// A parameter of sequences in sequences that both go through, which `tab` cannot keep whole.
std::string shared_pieces(const svcode::Program& p, InstrIndex late, InstrIndex other) {
  std::set<InstrIndex> left = ancestors(p, late, other), right = ancestors(p, other, late);
  left.insert(late), right.insert(other);
  const auto inputs_of = [&](const std::set<InstrIndex>& of) {
    std::set<std::string> names;
    for (const InstrIndex o : of)
      if (const Instr& i = instr(p, o); i.opcode == Opcode::Input) {
        const Parameter from = parameter(p, i.number());
        const auto* sequence = snesl::as<snesl::SequenceType>(from.type);
        if (sequence && is_plain_sequence(*sequence->element)) names.insert(from.name);
      }
    return names;
  };
  const std::set<std::string> names = inputs_of(left), others = inputs_of(right);
  for (const std::string& n : names)
    if (others.contains(n)) return n;
  return "";
}

// What two traversals do, what would stream, and a mend where `tab` of the sequence is not the only one, or none.
struct Why {
  std::string_view what, expected, mend;
  bool kept_whole = true;
  bool sides = false;  // of one operation, in which they meet
};
constexpr std::string_view keep_pace =
    "traversals that keep pace, with no more than a constant number of elements between them";
constexpr Why different_paces{"meet element by element, but go through what they share at different paces",
                              "sides whose elements come at the same steps of one traversal", "", true, true};
constexpr Why shifted{"meet element by element, but go through what they share at different paces",
                      "sides whose elements come at the same steps of one traversal: an element is not put before or "
                      "after the one side only",
                      "go through places, {... v ! (i - 1) ... : i in &#v}, where an element meets the one before it",
                      true, true};
constexpr Why one_after_the_other{"lie one after the other, but go through the same elements at the same time",
                                  keep_pace, ""};
constexpr Why only_at_its_end{"go through one sequence, and the second needs what the first has only at its end",
                              keep_pace, ""};
constexpr Why chosen_at_its_end{
    "go through one sequence, and whether the second does is known only at the end of the first", keep_pace,
    "compute both before the condition, as in `let a = #s; b = sum(s) in if a > 0 then b else 0`"};
constexpr Why only_later{"go through one sequence, and the second needs what the first has only later", keep_pace,
                         "keep each piece in memory, `{tab(p) : p in pieces}`, and go through `seq(v)` of each `v`",
                         false};
constexpr Why parts_wait{"are each made of several parts, of which one waits for a part of the other", keep_pace, ""};

Diagnostic refusal(const svcode::Program& p, InstrIndex meeting, InstrIndex late, InstrIndex other, const Why& why) {
  std::string sequence = shared_sequence(p, late, other);
  if (sequence.empty()) sequence = sequence_itself(p, late, other);
  Diagnostic d;
  d.region = instr(p, meeting).region;
  d.message = "not streamable: " + shown(p, late, d.region, other, why.sides) + " and " +
              shown(p, other, d.region, late, why.sides) + " " + std::string(why.what);
  d.expected = why.expected;
  d.mend = std::string(why.mend);
  if (!why.kept_whole) return d;
  if (!d.mend.empty()) d.mend += "; or ";
  const std::string pieces = sequence.empty() ? shared_pieces(p, late, other) : "";
  d.mend += pieces.empty()
                ? "keep " + (sequence.empty() ? "the sequence" : "`" + sequence + "`") + " in memory, `let v = tab(" +
                      (sequence.empty() ? "..." : sequence) + ")`, and go through `seq(v)` once for each traversal"
                : "keep each piece of `" + pieces +
                      "` in memory, and make one comprehension of both: `let v = tab(p) in " +
                      "{... : x in seq(v)}` for each `p` in `" + pieces + "`";
  return d;
}

// The left and the right side of `++`, as far as the instruction shows them.
std::pair<InstrIndex, InstrIndex> operands(const svcode::Program& p, InstrIndex meeting) {
  const Region& r = instr(p, meeting).region;
  for (const Instr& i : p.instructions) {
    if (same_place(i.region, r) && i.opcode == Opcode::Segmerge && i.arguments.size() >= 4)
      return {definition(p, i.arguments[1]), definition(p, i.arguments[3])};
  }
  const Instr& i = instr(p, meeting);
  return {definition(p, i.arguments.front()), definition(p, i.arguments.back())};
}

bool appends(Opcode o) {
  return o == Opcode::Uappend || o == Opcode::Segmerge || o == Opcode::Usegmerge || o == Opcode::Umerge;
}

Diagnostic paces(const svcode::Program& p, InstrIndex meeting, InstrIndex one, InstrIndex other) {
  const bool longer = appends(instr(p, one).opcode) || appends(instr(p, other).opcode);
  return refusal(p, meeting, one, other, longer ? shifted : different_paces);
}

// Whether its elements are flags, by which others are packed.
bool chooses(const svcode::Program& p, InstrIndex index) {
  const svcode::StreamId flags = instr(p, index).id;
  return std::any_of(p.instructions.begin(), p.instructions.end(),
                     [&](const Instr& i) { return i.opcode == Opcode::Pack && i.arguments.at(1) == flags; });
}

// Of a circle: what waits for the end of a traversal, and what that is needed by.
Diagnostic explain_circle(const svcode::Program& p, const Traversals& traversals, const Circle& c) {
  const Instr& closing = instr(p, c.closed_by);
  if (appends(closing.opcode)) {
    const auto [left, right] = operands(p, c.closed_by);
    return refusal(p, c.closed_by, left, right, one_after_the_other);
  }
  const auto any = [&](auto is) { return std::any_of(traversals.all().begin(), traversals.all().end(), is); };
  const auto an_end = [&](Event v) { return any([&](const Traversal& t) { return t.end == v; }); };
  const auto a_start = [&](Event v) { return any([&](const Traversal& t) { return t.start == v || t.ready == v; }); };
  const auto late = std::find_if(c.edges.begin(), c.edges.end(),
                                 [&](const Edge& e) { return an_end(e.from) && !an_end(e.to) && !a_start(e.to); });
  if (late == c.edges.end() && closing.opcode == Opcode::Map)
    return paces(p, c.closed_by, definition(p, closing.arguments[0]), definition(p, closing.arguments[1]));
  const auto early =
      std::find_if(c.edges.begin(), c.edges.end(), [&](const Edge& e) { return a_start(e.to) && !a_start(e.from); });
  const InstrIndex known = late == c.edges.end() ? c.edges.front().instr : late->instr;
  const InstrIndex needed = early == c.edges.end() ? c.edges.back().instr : early->instr;
  const Region &one = instr(p, known).region, &other = instr(p, needed).region;
  const auto appends_there = [&](const Instr& i) { return appends(i.opcode) && same_place(i.region, one); };
  const auto appended = std::find_if(p.instructions.begin(), p.instructions.end(), appends_there);
  if (same_place(one, other) && appended != p.instructions.end()) {
    const auto [left, right] = operands(p, definition(p, appended->id));
    return refusal(p, known, left, right, one_after_the_other);
  }
  return refusal(p, c.closed_by, known, needed, chooses(p, needed) ? chosen_at_its_end : only_at_its_end);
}

}  // namespace

Diagnostic explain(const svcode::Program& p, const Traversals& traversals, const Conflict& c) {
  return match(
      c, [&](const DifferentPaces& d) { return paces(p, d.meeting, d.one, d.other); },
      [&](const Circle& circle) { return explain_circle(p, traversals, circle); },
      [&](const PartsWait& w) {
        const auto [left, right] = operands(p, w.meeting);
        return refusal(p, w.meeting, left, right, parts_wait);
      },
      [&](const TooLate& t) { return refusal(p, t.meeting, t.late, t.meeting, only_later); });
}

}  // namespace lockstep::streaming

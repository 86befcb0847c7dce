// Why a program is refused, in words: what meets where, and the `tab` and `seq` that mend it.
#include <algorithm>

#include "translate/streamability/analysis.h"

namespace lockstep::streaming {
namespace {

const std::string different_paces = "meet element by element, but go through what they share at different paces";

}  // namespace

// An expression and where it stands.
std::string Analysis::shown(int instr) const {
  const Instr& i = p_.instructions[static_cast<std::size_t>(instr)];
  const Region& r = i.region;
  if (i.opcode == Opcode::Input)
    return "the parameter `" + p_.parameter_names.at(leaves_.at(static_cast<std::size_t>(i.number)).parameter) + "`";
  if (!r.source || r.end > r.source->text.size() || r.begin >= r.end)
    return "s" + std::to_string(i.id) + " := " + std::string(svcode::name_of(i.opcode));
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
  const Position p = position_of(*r.source, r.begin);
  return "`" + text + "` (" + std::to_string(p.line) + ":" + std::to_string(p.column) + ")";
}

void Analysis::refuse(int meeting, int late, int other, const std::string& why) {
  Diagnostic d;
  d.region = p_.instructions[static_cast<std::size_t>(meeting)].region;
  d.message = "not streamable: " + shown(late) + " and " + shown(other) + " " + why;
  d.expected = "traversals that keep pace, with no more than a constant number of elements between them";
  d.mend = "keep the sequence in memory, `let v = tab(...)`, and go through `seq(v)` once for each traversal";
  throw Refused{std::move(d)};
}

// The instruction where the traversal of a clock begins.
int Analysis::origin(int clock) const {
  const Clock* c = &clocks_[static_cast<std::size_t>(clock_classes_.find(clock))];
  while (c->kind == Clock::Kind::Flags) c = &clocks_[static_cast<std::size_t>(clock_classes_.find(c->base))];
  return c->instr;
}

// The left and the right side of `++`, as far as the instruction shows them.
std::pair<int, int> Analysis::operands(int meeting) const {
  const Region& r = p_.instructions[static_cast<std::size_t>(meeting)].region;
  for (std::size_t k = 0; k < p_.instructions.size(); ++k) {
    const Instr& i = p_.instructions[k];
    const bool here = i.region.source == r.source && i.region.begin == r.begin && i.region.end == r.end;
    if (here && i.opcode == Opcode::Segmerge && i.arguments.size() >= 4)
      return {static_cast<int>(index_.at(i.arguments[1])), static_cast<int>(index_.at(i.arguments[3]))};
  }
  const Instr& i = p_.instructions[static_cast<std::size_t>(meeting)];
  return {static_cast<int>(index_.at(i.arguments.front())), static_cast<int>(index_.at(i.arguments.back()))};
}

void Analysis::refuse_meeting(int a, int b) { refuse(now_, origin(a), origin(b), different_paces); }

void Analysis::refuse_circle(const Order::Circle& c) {
  const Opcode o = p_.instructions[static_cast<std::size_t>(c.closed_by)].opcode;
  const bool appends = o == Opcode::Uappend || o == Opcode::Segmerge || o == Opcode::Usegmerge || o == Opcode::Umerge;
  if (appends) {
    const auto [left, right] = operands(c.closed_by);
    refuse(c.closed_by, left, right, "lie one after the other, but go through the same elements at the same time");
  }
  // What waits for the end of a traversal, and what that is needed by.
  const auto an_end = [&](Node v) {
    return std::any_of(spans_.begin(), spans_.end(), [&](const Span& s) { return s.end == v; });
  };
  const auto a_start = [&](Node v) {
    return std::any_of(spans_.begin(), spans_.end(), [&](const Span& s) { return s.start == v || s.ready == v; });
  };
  const auto late = std::find_if(c.edges.begin(), c.edges.end(),
                                 [&](const Edge& e) { return an_end(e.from) && !an_end(e.to) && !a_start(e.to); });
  const Instr& closing = p_.instructions[static_cast<std::size_t>(c.closed_by)];
  if (late == c.edges.end() && closing.opcode == Opcode::Map)
    refuse(c.closed_by, static_cast<int>(index_.at(closing.arguments[0])),
           static_cast<int>(index_.at(closing.arguments[1])), different_paces);
  const auto early =
      std::find_if(c.edges.begin(), c.edges.end(), [&](const Edge& e) { return a_start(e.to) && !a_start(e.from); });
  const int known = late == c.edges.end() ? c.edges.front().instr : late->instr;
  const int needed = early == c.edges.end() ? c.edges.back().instr : early->instr;
  refuse(c.closed_by, known, needed,
         "go through one sequence, and the second needs what the first has only at its end");
}

void Analysis::refuse_parts(int instr) {
  const auto [left, right] = operands(instr);
  refuse(instr, left, right, "are each made of several parts, of which one waits for a part of the other");
}

void Analysis::refuse_lag(int late, int meeting) {
  refuse(meeting, late, meeting, "go through one sequence, and the second needs what the first has only later");
}

}  // namespace lockstep::streaming

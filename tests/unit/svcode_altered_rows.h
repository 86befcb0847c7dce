// Rows of opcodes with one thing said otherwise, and what that is.
#pragma once
#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::svcode::test {

struct Altered {
  std::string what;
  OpcodeRow row;
};
template <class Change>
void alter(std::vector<Altered>& out, const OpcodeRow& row, const std::string& what, Change change) {
  Altered a{what, row};
  change(a.row);
  out.push_back(std::move(a));
}

constexpr auto counts_shown = table<Count>(
    {{Count::Length, "#"}, {Count::Trues, "T"}, {Count::Children, "F"}, {Count::Sum, "sum"}, {Count::Only, "only"}});
inline std::string shown(const OperandSet& s) {
  if (s.none()) return "none";
  return std::to_string(s.first) + (s.step == 0 ? "" : "+" + std::to_string(s.step));
}
// Of so many operands, every set that there may be; each of some.
inline std::vector<OperandSet> sets_of(const svcode::Operands& o) {
  std::vector<OperandSet> r;
  for (int k = 0; k < o.count; ++k) {
    r.emplace_back(k);
    for (int step = 1; step <= 2; ++step)
      if (o.repeating > 0 || k + step < o.count) r.emplace_back(k, step);
  }
  return r;
}
inline bool same(const OperandSet& a, const OperandSet& b) { return a.first == b.first && a.step == b.step; }

inline bool counts(Count c, const OperandRow& o) {
  if (c == Count::Length) return true;
  if (c == Count::Trues || c == Count::Children) return o.type == ElementType::Bool;
  return o.type == ElementType::Int;
}
inline void alter_law(std::vector<Altered>& out, const OpcodeRow& row, const std::string& name, Law OpcodeRow::*law) {
  const Law& l = row.*law;
  if (!l.known()) return;
  alter(out, row, name + ", one more", [&](OpcodeRow& r) { ++(r.*law).more; });
  for (std::size_t k = 0; k < l.count; ++k) {
    const std::string term = name + ", term " + std::to_string(k);
    if (l.count > 1 || l.more > 0)
      alter(out, row, term + " left out", [&](OpcodeRow& r) {
        (r.*law).terms[k] = (r.*law).terms[l.count - 1U];
        --(r.*law).count;
      });
    for (const OperandSet& s : sets_of(row.operands))
      for (const Count c : {Count::Length, Count::Trues, Count::Children, Count::Sum}) {
        const Count said = l.terms[k].count == Count::Only ? Count::Sum : l.terms[k].count;  // of one Int
        if (same(s, l.terms[k].of) && c == said) continue;
        if (!counts(c, row.operands[static_cast<std::size_t>(s.first)])) continue;
        alter(out, row, term + " is " + std::string(counts_shown[c]) + " of " + shown(s), [&](OpcodeRow& r) {
          (r.*law).terms[k] = {c, s};
        });
      }
  }
}

// Whether the first set, of so many operands, is in the second.
inline bool is_within(const OperandSet& a, const OperandSet& b, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    if (a.contains(k) && !b.contains(k)) return false;
  return true;
}

}  // namespace lockstep::svcode::test

// The table of instructions in SVCODE's README, as the rows of opcodes have it.
#pragma once
#include <iterator>
#include <sstream>

#include "semantics/core/table.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::svcode::test {

inline std::string shown(const OperandRow& o) {
  static constexpr auto types = table<ElementType>({{ElementType::Unit, "Unit"},
                                                    {ElementType::Bool, "Bool"},
                                                    {ElementType::Int, "Int"},
                                                    {ElementType::Char, "Char"},
                                                    {ElementType::Own, "τ"},
                                                    {ElementType::Any, "any"}});
  if (o.role == Role::Descriptor) return "descriptor";
  return std::string(types[o.type]) + (o.role == Role::Base ? " in memory" : "");
}

// The names of operands in the form: of a group that repeats the first and the last.
struct Names {
  std::vector<std::string> first, last;
};
inline Names names_of(const OpcodeRow& row) {
  Names r;
  std::istringstream form{std::string(row.form)};
  std::vector<std::string> words{std::istream_iterator<std::string>(form), {}};
  const std::size_t count = row.operands.count, groups = row.operands.repeating;
  const std::size_t extras = words.size() - 1 - count - (groups > 0 ? groups + 1 : 0);
  const auto at = words.begin() + 1 + (row.extra == Extra::Failure ? 0 : static_cast<std::ptrdiff_t>(extras));
  r.first.assign(at, at + row.operands.count);
  if (groups > 0) r.last.assign(at + row.operands.count + 1, at + row.operands.count + 1 + row.operands.repeating);
  return r;
}

inline std::string operands_of(const OpcodeRow& row) {
  std::string r;
  const svcode::Operands& o = row.operands;
  for (std::size_t k = 0; k < o.count; ++k) r += (k == 0 ? "" : ", ") + shown(o[k]);
  return o.repeating > 0 ? r + ", ..." : r;
}
inline std::string counted(const Term& t, const OpcodeRow& row) {
  static constexpr auto signs = table<Count>(
      {{Count::Length, "#"}, {Count::Trues, "T "}, {Count::Children, "F "}, {Count::Sum, "Σ "}, {Count::Only, ""}});
  const std::string sign(signs[t.count]), of_only = t.count == Count::Only ? "_0" : "";
  const Names names = names_of(row);
  const auto first = static_cast<std::size_t>(t.of.first);
  if (t.of.step == 0) return sign + names.first[first] + of_only;
  return sign + names.first[first] + " + ... + " + sign + names.last[first - (names.first.size() - names.last.size())];
}
inline std::string length_of(const OpcodeRow& row) {
  std::string r;
  const auto add = [&](const std::string& term) { r += (r.empty() ? "" : " + ") + term; };
  for (std::size_t k = 0; k < row.length.count; ++k) add(counted(row.length.terms[k], row));
  if (row.length.more > 0) add(std::to_string(row.length.more));
  if (row.length.given) add("n");
  return r;
}

// The line of the README's table.
inline std::string line_of(const OpcodeRow& row) {
  static constexpr auto effects = table<Effect>(
      {{Effect::None, ""}, {Effect::ByOperator, "may trap"}, {Effect::Fails, "may trap"}, {Effect::Files, "files"}});
  return "| `" + std::string(row.form) + "` | " + operands_of(row) + " | " + shown(OperandRow{row.gives}) + " | " +
         length_of(row) + " | " + std::string(row.meaning) + " | " + std::string(effects[row.effect]) + " |\n";
}

}  // namespace lockstep::svcode::test

#include "semantics/fcl/builtins.h"

#include <algorithm>
#include <array>

#include "semantics/fcl/operators.h"

namespace lockstep::fcl {

std::span<const BuiltInRow> built_ins() {
  static constexpr std::array<BuiltInRow, 15> all = {{
      {BuiltIn::Generate, "generate", "int -> (int -> a) -> [a]", 2,
       "the array of so many elements, each the function of its index; elements are computed where they are used"},
      {BuiltIn::Index, "index", "[a] -> int -> a", 2, "an element, computed at each use; a trap outside the array"},
      {BuiltIn::LengthPull, "lengthPull", "[a] -> int", 1, "the length of a pull array"},
      {BuiltIn::LengthPush, "lengthPush", "[a]<l> -> int", 1, "the length of a push array"},
      {BuiltIn::Length, "length", "[a] -> int", 1, "the length of a pull or push array"},
      {BuiltIn::MapPull, "mapPull", "(a -> b) -> [a] -> [b]", 2, "the function of each element; always fused"},
      {BuiltIn::MapPush, "mapPush", "(a -> b) -> [a]<l> -> [b]<l>", 2,
       "the function of each element as it is written; always fused"},
      {BuiltIn::Map, "map", "(a -> b) -> [a] -> [b]", 2,
       "mapPull or mapPush, whichever the array is; mapPull where nothing says which"},
      {BuiltIn::Push, "push", "<l> -> [a] -> [a]<l>", 1,
       "with an iteration scheme: by the threads of that level; moves nothing"},
      {BuiltIn::Force, "force", "[a]<l> -> [a]", 1,
       "written to memory now, where it stands: global at host, shared in a block and a warp, private in a thread"},
      {BuiltIn::Interleave, "interleave", "int -> ((int, int) -> int) -> [[a]<l>] -> [a]<1 + l>", 3,
       "chunks of that length, by the units of the level below: element j of chunk i goes to f (i, j)"},
      {BuiltIn::While, "while", "([a] -> bool) -> ([a] -> [a]<l>) -> [a]<l> -> [a]", 3,
       "materialises the array, and its step again and again as long as the condition holds of it"},
      {BuiltIn::Fst, "fst", "(a, b) -> a", 1, "the first of a pair"},
      {BuiltIn::Snd, "snd", "(a, b) -> b", 1, "the second of a pair"},
      {BuiltIn::Assert, "assert", "bool -> a -> a", 2, "the second argument; a trap where the first is false"},
  }};
  return all;
}
const BuiltInRow* built_in_named(std::string_view name) {
  for (const BuiltInRow& r : built_ins())
    if (r.name == name) return &r;
  return nullptr;
}
const BuiltInRow& row_of(BuiltIn op) { return built_ins()[static_cast<std::size_t>(op)]; }

std::span<const ScalarFunctionRow> scalar_functions() {
  static constexpr std::array<ScalarFunctionRow, 26> all = {
      {{"int", "i32"},     {"double", "f64"},  {"min", "min"},   {"max", "max"},   {"abs", "abs"},   {"sqrt", "sqrt"},
       {"exp", "exp"},     {"log", "log"},     {"sin", "sin"},   {"cos", "cos"},   {"tanh", "tanh"}, {"pow", "pow"},
       {"floor", "floor"}, {"ceil", "ceil"},   {"fma", "fma"},   {"tan", "tan"},   {"asin", "asin"}, {"acos", "acos"},
       {"atan", "atan"},   {"atan2", "atan2"}, {"sinh", "sinh"}, {"cosh", "cosh"}, {"log2", "log2"}, {"round", "round"},
       {"trunc", "trunc"}, {"isnan", "isnan"}}};
  return all;
}
const ScalarOp* scalar_function_named(std::string_view name) {
  for (const ScalarFunctionRow& f : scalar_functions())
    if (f.name == name) return &scalars::operator_named(f.row);
  return nullptr;
}

const ScalarOp& operator_of(Infix op) {
  static const auto rows = [] {
    std::array<const ScalarOp*, static_cast<std::size_t>(Infix::Mod) + 1> found{};
    for (std::size_t k = 0; k < found.size(); ++k)
      found[k] = &scalars::operator_named(row_of(static_cast<Infix>(k)).symbol);
    return found;
  }();
  return *rows[static_cast<std::size_t>(op)];
}
const ScalarOp& operator_of(Prefix op) {
  static const ScalarOp &negate = scalars::operator_named("neg"), &inverse = scalars::operator_named("not");
  return op == Prefix::Negate ? negate : inverse;
}

std::vector<std::string> names_of_built_ins() {
  std::vector<std::string> out;
  for (const BuiltInRow& r : built_ins()) out.emplace_back(r.name);
  for (const ScalarFunctionRow& f : scalar_functions()) out.emplace_back(f.name);
  return out;
}

Scalar apply(const ScalarOp& op, std::string_view name, std::span<const Scalar> arguments, const Region& region,
             const Domain& domain) {
  try {
    return op.meaning(domain, arguments[0].type, arguments);
  } catch (const TrapSignal& s) {
    throw TrapSignal{{std::string(name), s.trap.message, region}};
  }
}

}  // namespace lockstep::fcl

// What FCL has without a definition: array operations (Fig. 3; fcl.md §1) and functions on scalars, which are rows of
// semantics/scalars. A definition of the same name replaces one.
#pragma once
#include <optional>
#include <string_view>

#include "semantics/fcl/syntax.h"
#include "semantics/scalars/operator.h"

namespace lockstep::fcl {

enum class BuiltIn : unsigned char {
  Generate,
  Index,
  LengthPull,
  LengthPush,
  Length,
  MapPull,
  MapPush,
  Map,
  Push,
  Force,
  Interleave,
  While,
  Fst,
  Snd,
  Assert
};
struct BuiltInRow {
  BuiltIn op;
  std::string_view name;
  std::string_view type;  // what it leaves open is any; of `length` and `map` as they are of pull arrays
  std::size_t arity;      // arguments after which it does something
  std::string_view summary;
};
std::span<const BuiltInRow> built_ins();
const BuiltInRow* built_in_named(std::string_view name);  // null where there is none
const BuiltInRow& row_of(BuiltIn op);

struct ScalarFunctionRow {
  std::string_view name;
  std::string_view row;  // of semantics/scalars
};
std::span<const ScalarFunctionRow> scalar_functions();
const ScalarOp* scalar_function_named(std::string_view name);  // null where there is none
const ScalarOp& operator_of(Infix op);
const ScalarOp& operator_of(Prefix op);

std::vector<std::string> names_of_built_ins();

// Throws TrapSignal under the name that FCL has for the operation, with the region.
Scalar apply(const ScalarOp& op, std::string_view name, std::span<const Scalar> arguments, const Region& region,
             const Domain& domain);

}  // namespace lockstep::fcl

// What must hold of a definition's types and sizes: types are unified, and what that leaves open of sizes, with what
// else is asked of them, becomes obligations.
#pragma once
#include "semantics/functional/inference/bindings.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/functional/inference/unify.h"

namespace lockstep::inference {

struct Failure {};  // thrown after a diagnostic was recorded, caught at the next place that can go on

// Two types that must be equal and have sizes of their own.
struct Mismatch {
  Type expected, found;
  std::string local_function;  // whose argument it is, from its second use on
};

class Constraints {
 public:
  explicit Constraints(Diagnostics& errors) : errors_(errors) {}

  void report(const Region& region, std::string message, std::string expected = {}, std::string mend = {});
  [[noreturn]] void fail(const Region& region, std::string message, std::string expected = {}, std::string mend = {});
  void unify(const Type& expected, const Type& found, const Region& region, const std::string& what);
  void require(SizeFact fact, const Region& region, std::string origin);
  // What stands here is an argument of a local function that was used before.
  void at_local_argument(const Region& region, std::string function);

  void refuse_unknowns(const std::vector<Binding>& unused_functions);
  void collect();  // every obligation, without unknowns

  Unifier types;
  std::vector<SizeObligation> obligations;
  // Of the k-th, where it is part of an equality of types: which one (one error is enough of each), and its sides.
  std::optional<std::size_t> equality_of(std::size_t k) const;
  Mismatch mismatch_of(std::size_t k) const;

 private:
  SizeFact needed_of_negative(const std::string& name, const Size& value) const;
  void natural_solutions();

  Diagnostics& errors_;
  struct Equality {
    Type expected, found;
    Region region;
  };
  std::vector<Equality> equalities_;                // of types, that leave sizes to compare
  std::map<std::size_t, std::size_t> equality_of_;  // by obligation
  struct LocalArgument {
    Region region;
    std::string function;
  };
  std::vector<LocalArgument> local_arguments_;
};

std::string readable(const Type& t);                                              // unknowns as _
inline constexpr std::string_view element_of_array = "this element of an array";  // where its type comes from

}  // namespace lockstep::inference

// What expressions of FCL evaluate to, and where. Private to evaluate*.cpp.
#pragma once
#include <functional>
#include <map>

#include "semantics/fcl/builtins.h"
#include "semantics/fcl/evaluate.h"

namespace lockstep::fcl::evaluation {

struct Val;
// An element of an array of which the length alone is known (endless rounds of a while).
struct Opaque {};
struct PullArray {
  std::int64_t length;
  std::function<Val(std::int64_t)> at;  // computed at each use
};
using Each = std::function<Val(Val)>;
struct PushArray {
  std::int64_t length;
  // What comes of each of its elements, one after the other (37).
  std::function<std::vector<Val>(const Each&)> mapped;
  std::vector<Val> elements() const;
};
using Function = std::function<Val(const Val&)>;
struct Val {
  std::variant<Scalar, std::shared_ptr<const std::pair<Val, Val>>, std::shared_ptr<const PullArray>,
               std::shared_ptr<const PushArray>, std::shared_ptr<const Function>, Opaque>
      node;
};
// Something that is no element was asked of one that is opaque.
struct OpaqueSignal {};

inline Val val(Scalar s) { return {std::move(s)}; }
inline Val val(std::int64_t n) { return {make_integer(ScalarType::I32, static_cast<std::uint64_t>(n))}; }
inline Val pair_val(Val a, Val b) { return {std::make_shared<const std::pair<Val, Val>>(std::move(a), std::move(b))}; }
inline Val pull_val(std::int64_t n, std::function<Val(std::int64_t)> at) {
  return {std::make_shared<const PullArray>(PullArray{n, std::move(at)})};
}
inline std::vector<Val> PushArray::elements() const {
  return mapped([](Val v) { return v; });
}
inline Val push_val(std::int64_t n, std::function<std::vector<Val>(const Each&)> mapped) {
  return {std::make_shared<const PushArray>(PushArray{n, std::move(mapped)})};
}
inline Val function_val(Function f) { return {std::make_shared<const Function>(std::move(f))}; }
Val stored_val(std::vector<Val> elements);  // a pull array of these

bool is_opaque(const Val& v);
const Scalar& scalar_of(const Val& v);
std::int64_t int_of(const Val& v);
bool truth_of(const Val& v);
const PullArray& pull_of(const Val& v);
const PushArray& push_of(const Val& v);
Val apply(const Val& f, const Val& argument);
Val first_of(const Val& v);
Val second_of(const Val& v);

// Of what was called in the program and defined in the prelude: there its traps are told.
struct Origin {
  std::string name;
  Region at;
  std::shared_ptr<const Origin> outside{};  // of an operation that is told so itself: of what stands in it
};
struct Node {
  Val value;
  std::shared_ptr<const Node> next;
};
struct Env {
  std::shared_ptr<const Node> top;
  std::shared_ptr<const Origin> origin;

  Env with(Val v) const { return {std::make_shared<const Node>(Node{std::move(v), top}), origin}; }
};
using Code = std::function<Val(const Env&)>;

[[noreturn]] void trap(const Env& env, std::string_view primitive, std::string message, const Region& at);

struct Context {
  const Evaluation& how;
  std::uint64_t rounds = 0;
  std::map<std::pair<const Inferred*, std::size_t>, Code> definitions{};  // that were met
};
// The array operations, of as many arguments as they take.
Val operate(Context& context, BuiltIn op, std::span<const Val> x, const Env& env, const Region& at);

}  // namespace lockstep::fcl::evaluation

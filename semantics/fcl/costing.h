// What expressions evaluate to where costs are counted, and the evaluator. Private to cost*.cpp.
#pragma once
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "semantics/fcl/builtins.h"
#include "semantics/fcl/cost_machine.h"

namespace lockstep::fcl::costing {

struct Val;
using Function = std::function<Val(const Val&)>;
// Elements that were computed, of one pull array; of those that are arrays, theirs.
struct Seen {
  std::unordered_set<std::int64_t> elements{};
  std::unordered_map<std::int64_t, std::shared_ptr<Seen>> inside{};
};
struct Pull {
  std::int64_t length;
  std::function<Val(std::int64_t)> at;
  std::shared_ptr<Seen> seen{};  // nothing: in memory
};
struct Push {
  std::int64_t length;
  int level;                          // of the machine, that deals elements or chunks
  std::shared_ptr<const Pull> parts;  // its elements, or chunks
  std::optional<Function> place{};    // of interleave: of (chunk, element)
  std::int64_t chunk_length = 0;
  Region region{};                 // of interleave
  std::vector<Function> mapped{};  // of each element, one after the other (37)
};
// A part of a pair in memory, loaded where it is asked for, once.
struct Part {
  Scalar value;
  std::function<void()> load;
  bool is_loaded = false;
};
struct Val {
  std::variant<Scalar, std::shared_ptr<Part>, std::shared_ptr<const std::pair<Val, Val>>, std::shared_ptr<const Pull>,
               std::shared_ptr<const Push>, std::shared_ptr<const Function>, Level>
      node;
};
struct Bound {
  std::string_view name;
  Val value;
  std::shared_ptr<const Bound> next;
};
using Env = std::shared_ptr<const Bound>;
struct Scope {  // of an expression: what its names are
  Env locals;
  std::size_t before;  // definitions that it sees
};

class Evaluator {
 public:
  Evaluator(const Inferred& program, const CostedRun& how, Costs& costs)
      : program_(program), how_(how), costs_(costs), machine_(how, costs) {}

  void run(std::string_view definition, std::vector<Value> arguments);

 private:
  // cost_evaluate.cpp
  Val eval(const Expr& e, const Scope& at);
  Val let(const LetExpr& l, const Scope& at);
  Val variable(const Variable& v, const Scope& at, const Region& region);
  Val application(const Expr& e, const Scope& at);
  Val infix(const InfixExpr& i, const Scope& at, const Region& region);
  Val function(const std::vector<Parameter>& parameters, std::size_t from, const ExprRef& body, const Scope& at);
  Val array(const ArrayExpr& a, const Scope& at);
  Val item(const std::vector<ExprRef>& items, std::size_t from, std::int64_t i, const Scope& at);
  Val scalar(const ScalarOp& op, std::string_view name, std::span<const Val> x, const Region& region);
  Val curried(std::size_t arity, std::function<Val(std::span<const Val>)> f, std::vector<Val> before = {});
  const BuiltInRow* built_in(const Expr& e, const Scope& at) const;
  std::optional<std::size_t> definition(std::string_view name, std::size_t before) const;
  Level level(const Level& l, const Scope& at) const;
  std::int64_t int_of(const Val& v) { return scalar_of(v).integer(); }
  bool truth_of(const Val& v) { return scalar_of(v).bits != 0; }
  const Scalar& scalar_of(const Val& v);

  // cost_arrays.cpp
  Val operate(BuiltIn op, std::span<const Val> x, const Region& region);
  Val generated(std::int64_t n, Function f);
  Val element(const Pull& a, std::int64_t i);
  Val mapped(const Val& f, const Val& array);
  Val interleaved(std::span<const Val> x, const Region& region);
  Val looped(std::span<const Val> x, const Region& region);
  // What is in memory of a push array, at the place where the machine is.
  struct Stored {
    Place place;
    std::int64_t length;
    std::vector<Val> elements{};  // nothing before the first is stored
    std::int64_t bytes = 0;       // of an element
    Val& at(std::int64_t index) {
      if (elements.empty()) elements.resize(static_cast<std::size_t>(length));
      return elements.at(static_cast<std::size_t>(index));
    }
  };
  std::shared_ptr<const Stored> written(const Push& p, const Place& place);
  void write(const Push& p, const std::function<std::int64_t(std::int64_t)>& to, Stored& out);
  void store(const Val& v, std::int64_t index, std::size_t& leaf, Stored& out, Val& into);
  Val in_memory(std::shared_ptr<const Stored> stored);
  Val loaded(const std::shared_ptr<const Stored>& stored, std::int64_t index);
  // A part of an argument: what is at one place of a pair is in one array, by its name.
  using Given = std::map<std::string, std::shared_ptr<Stored>>;
  Val given(const std::string& name, const Value& part, Given& arrays);
  Place place_of(const std::string& array, const Region& region);

  const Inferred& program_;
  const CostedRun& how_;
  Costs& costs_;
  Machine machine_;
  std::uint64_t rounds_ = 0;
  bool is_again_ = false;  // inside an element that had been computed
};

inline Val val(Scalar s) { return {std::move(s)}; }
inline Val val(std::int64_t n) { return {make_integer(ScalarType::I32, static_cast<std::uint64_t>(n))}; }
inline Val pair_val(Val a, Val b) { return {std::make_shared<const std::pair<Val, Val>>(std::move(a), std::move(b))}; }
inline Val function_val(Function f) { return {std::make_shared<const Function>(std::move(f))}; }
template <class T>
const T& known(const Val& v) {
  if (const auto* found = std::get_if<std::shared_ptr<const T>>(&v.node)) return **found;
  throw Bug("a value of FCL of another type is asked for");
}
inline Val apply(const Val& f, const Val& x) { return known<Function>(f)(x); }
[[noreturn]] void trap(std::string_view primitive, std::string message, const Region& at);

}  // namespace lockstep::fcl::costing

// An imperative constant of a loop's own, in the loop's file: for what writes outside the element that a parfor hands
// out, as scatter does. It stays one command up to the kernel language. Its name and type are in
// core/imperative.h; here what interpreters, costs and the stage to the kernel ask of it. Printing and parsing follow
// from name and type.
#pragma once
#include "semantics/primitives/primitive.h"

namespace lockstep {

// What a run of imperative phrases offers to the meaning of a constant; arguments by their places.
class ConstantRun {
 public:
  virtual ~ConstantRun() = default;
  virtual std::int64_t size(std::size_t k) = 0;   // the phrase's
  virtual Value value(std::size_t argument) = 0;  // of exp[d]; of var[d] what it holds when it is forced
  virtual Value call(std::size_t argument, const std::vector<Value>& with) = 0;  // what a function's acceptor is given
  virtual void write(std::size_t argument, std::int64_t i, const Value& v) = 0;  // element i of acc[n.d] or var[n.d]
  // A function's acceptor is element i of the acceptor: it may leave parts of it as they are.
  virtual void call_on(std::size_t function, std::size_t acceptor, std::int64_t i) = 0;
  virtual std::vector<std::int64_t> in_order(std::int64_t n) = 0;  // of n that may come in any order
  virtual Region where() const = 0;                                // for a trap
};

class ConstantCosts {
 public:
  virtual ~ConstantCosts() = default;
  virtual Cost expression(std::size_t argument) = 0;            // reading an element
  virtual Cost acceptor(std::size_t argument) = 0;              // finding the place
  virtual Cost moved(const Type& d, std::size_t argument) = 0;  // a value of type d read and written
  virtual Cost step(const Type& d, std::size_t function, const std::vector<std::size_t>& with) = 0;  // a call, copied
  virtual Cost call(std::size_t function, const std::vector<std::size_t>& with = {}) = 0;  // of these, to an acceptor
};
Cost then(const Cost& a, const Cost& b);  // one after the other: scopes give their space back
Cost repeated(const Size& n, const Cost& c);
Cost side_by_side(const Size& n, const Cost& c);

// What the stage to the kernel language offers to a constant's expansion.
class Expansion {
 public:
  virtual ~Expansion() = default;
  virtual std::string fresh(const std::string& base) = 0;
  virtual kernel::Expr extent(const Size& n) = 0;
  virtual kernel::Expr value(const PhraseRef& e, const Path& path) = 0;  // Fig. 6c
  // The variable `name` is an index below the bound from here on.
  virtual PhraseRef index(const std::string& name, const Size& bound) = 0;
  virtual void emit(kernel::Block& out, decltype(kernel::Stmt::node) node) = 0;
  virtual void command(const PhraseRef& c, kernel::Block& out) = 0;
  virtual PhraseRef declare(const std::string& name, const Type& d, kernel::Block& out) = 0;         // var[d]
  virtual void copy(const PhraseRef& a, const PhraseRef& e, const Type& d, kernel::Block& out) = 0;  // a :=_d e
  virtual void store(const PhraseRef& a, kernel::Expr e, kernel::Block& out) = 0;  // a := e, of a scalar
  // a := op e a in one step, a scalar of an array.
  virtual void update(const PhraseRef& a, const std::shared_ptr<const Primitive>& op, kernel::Expr e,
                      kernel::Block& out) = 0;
  virtual Level around() const = 0;  // the level of the parallel loop directly around
  virtual const std::shared_ptr<const Primitive>& primitive(std::string_view name) = 0;
};

struct ConstantFacets {
  Required<std::function<void(ConstantRun&)>> meaning;
  Required<std::function<Cost(ConstantCosts&, const ImpPhrase&)>> cost;
  Required<std::function<void(Expansion&, const ImpPhrase&, const Region&, kernel::Block& out)>> expand;
  bool any_order = false;     // what it combines may come in any order
  Level level = Level::Auto;  // of the parallel loop that it expands to
};
// Arguments of the constant at its sizes and types; each is apart from the others (Fig. 3, App).
ConstantRef constant(std::string name, imp::Takes takes, decltype(Constant::arguments) arguments,
                     ConstantFacets facets);
PhraseRef command(const ConstantRef& c, std::vector<Size> sizes, std::vector<Type> types,
                  std::vector<PhraseRef> arguments, Region region = {});
// The same constant by the levels that threads have.
struct OfLevels {
  ConstantRef sequential, global, local;
  const ConstantRef& at(Level level) const {
    return level == Level::Global ? global : level == Level::Local ? local : sequential;
  }
};

// What expansions are written with. 0 <= i && i < n
kernel::Expr is_inside(const kernel::Expr& i, const kernel::Expr& n);
// One iteration after the other, or in parallel where the level is.
decltype(kernel::Stmt::node) loop_at(Level level, const std::string& i, kernel::Expr extent, kernel::Block body);
// Outside blocks those of a block are all threads.
Level threads_of(const Expansion& t, Level level);

// Of the loop that a constant is, or expands to; Auto where it is none.
Level loop_level(const ImpPhrase& x);
bool has_parallel_loop(const Phrase& p);  // over threads, warps or blocks, such an expansion too

}  // namespace lockstep

// What a primitive is: one file that fills the facets of one of three kinds (design.md, "A primitive is one file").
// A facet without a default has to be given: Required<F> does not compile without one.
// The *specification* of a primitive (trusted) is its type and meaning; everything else is *lowering* (checked), or
// says what interpreters, stages, costs and provers may rely on. They ask for a facet, never for a name.
#pragma once
#include <functional>
#include <string>

#include "semantics/core/phrase.h"
#include "semantics/core/value.h"
#include "semantics/kernel/syntax.h"
#include "semantics/language/language.h"
#include "semantics/scalars/operator.h"

namespace lockstep {

struct Acceptor;  // semantics/core/acceptor.h

// An instance's sizes and types, for facets that need them. sizes[k] as in PrimPhrase.
struct Instance {
  const PrimPhrase& phrase;
  const Size& size(std::size_t k) const { return phrase.sizes.at(k); }
  const Type& type(std::size_t k) const { return phrase.types.at(k); }
};

// What costs are made of that a facet says: what the clauses of Fig. 5, as amended, run
// (semantics/functional/cost.cpp).
class SourceCosts {
 public:
  virtual ~SourceCosts() = default;
  virtual Cost before(const PhraseRef& e) = 0;                // by C[e](C), before C
  virtual Cost named(const PhraseRef& e) = 0;                 // the same where C is given a name
  virtual Cost into(const PhraseRef& e) = 0;                  // by A[e](A)
  virtual Cost read(const PhraseRef& e) = 0;                  // a scalar or short vector of it
  virtual Cost assigned(const PhraseRef& e) = 0;              // by A :=_d e
  virtual Cost moved(const Type& d, const PhraseRef& e) = 0;  // a value of type d, read and written scalar by scalar
  // One call of a function argument; its first parameters stand for these, or for elements of them.
  virtual Cost call(const PhraseRef& f, const std::vector<PhraseRef>& with = {}) = 0;
  virtual void bind(const PhraseRef& f, const PhraseRef& e) = 0;  // f's parameter is e wherever it is called
  virtual Size iterations() = 0;  // of the next loop whose rounds data counts, in the order of the program
};

// ---------------------------------------------------------------------------------------------- views
// A path (Fig. 6): what is still to be applied to reach a scalar or short vector, outermost first.
struct PathIndex {
  Size index;
};
struct PathProjection {
  int component;  // 1, 2
};
struct PathLane {  // one lane of a short vector
  Size lane;
};
using PathStep = std::variant<PathIndex, PathProjection, PathLane>;
using Path = std::vector<PathStep>;

// What translate/paths offers to a view's read path.
class PathReader {
 public:
  virtual ~PathReader() = default;
  virtual kernel::Expr read(std::size_t argument, Path path) = 0;  // Fig. 6c on an argument
  virtual kernel::Expr number(const Size& s) = 0;                  // as i64
  virtual Size opaque(kernel::Expr i) = 0;                         // a number of the program as an index
  virtual std::optional<bool> decide(const SizeFact& f) = 0;       // by what is known of sizes and loop variables
  virtual kernel::Expr test(const SizeFact& f) = 0;
  virtual kernel::Expr choose(kernel::Expr condition, const std::function<kernel::Expr()>& then,
                              const std::function<kernel::Expr()>& otherwise) = 0;
  // A short vector whose lane l is at(l); contiguous scalars become one vector load.
  virtual kernel::Expr lanes(int width, const std::function<kernel::Expr(Size lane)>& at) = 0;
};

struct AcceptorFacet {   // A[view E1 .. Ek](A) is A[Ei](acceptor A), one after the other
  std::string name;      // zipAcc1
  std::size_t argument;  // which argument it accepts
  // Fig. 6b: a path into the new acceptor to a path into A. Size "$lane" stands for the lane of a short vector.
  std::function<Path(const Instance&, Path)> path;
  // The specification, which shares nothing with the path: the acceptor of the argument from that of the result.
  // Nothing: made from the view's meaning, element by element.
  std::function<Acceptor(const std::vector<std::int64_t>& sizes, const Acceptor&)> meaning{};
  bool nontemporal = false;  // what is written through it goes past the caches where the target can
};
enum class MadeOf { Other, Components, ComponentsOfElements };  // arguments 0 and 1 of a pair, of an array of pairs
enum class ShortVectors { None, Made, Taken };
// What the elements of a view are of those of argument 0, of which each is in one place at most: the same; some of
// them; rows of them; the elements of its rows; the elements of its rows, in rows.
enum class Elements { Other, Same, Some, Rows, OfRows, OfRowsInRows };
// Argument `argument` is, or holds, indices into an array of sizes[length] elements that only a run can find outside.
struct Indexed {
  std::size_t argument, length;
};
struct View {
  Required<std::string> type;  // .dpia type syntax, explicit sizes first; " where k" asks for k >= 1
  // Which element of which argument an element of the result is: "split k xs ! i ! j = xs ! (i*k + j)", in .dpia's
  // expressions over the sizes, the arguments and i, j, ..., a lane of a short vector being an element of it. A pair
  // may be two equations, of its fst and its snd, with ';' between. What `lockstep prove` holds the paths against.
  Required<std::string> equation;
  Elements elements = Elements::Other;
  // Arguments delayed; sizes already numbers. Must not compute elements before they are asked for.
  Required<std::function<Value(const std::vector<std::int64_t>& sizes, std::span<const Value>)>> meaning;
  Required<std::function<kernel::Expr(PathReader&, const Instance&, Path)>> read;
  std::vector<AcceptorFacet> acceptors{};  // empty: written by generalised assignment
  Size read_cost = 0;                      // scalar operations for each element read through it
  // Where it can trap: loops over commands `check`, over arguments that are names. Nothing: never.
  std::function<PhraseRef(class Translation&, const Instance&, const std::vector<PhraseRef>&)> check{};
  // What the check costs, where there is one.
  std::function<Cost(SourceCosts&, const PrimPhrase&)> check_cost{};
  // The same for the meaning: throws TrapSignal. Run when the view is evaluated, before any element is read.
  std::function<void(const std::vector<std::int64_t>& sizes, std::span<const Value>)> check_meaning{};
  std::optional<Indexed> indexed{};
  // What it is, for whoever looks through it.
  int component = 0;  // 1, 2: that component of its argument
  MadeOf made_of = MadeOf::Other;
  bool element = false;                       // element of argument 0 at argument 1
  bool chooses = false;                       // by argument 0 one of the other two, and both are evaluated
  ShortVectors vectors = ShortVectors::None;  // their lanes are checked: in the result, or in argument 0
};

// ---------------------------------------------------------------------------------------------- loops
// The translation of Fig. 5, as a loop's facet sees it.
class Translation {
 public:
  virtual ~Translation() = default;
  virtual PhraseRef acceptor(const PhraseRef& e, const PhraseRef& a) = 0;                                // A[e](a)
  virtual PhraseRef continuation(const PhraseRef& e, const std::function<PhraseRef(PhraseRef)>& c) = 0;  // C[e](c)
  // C[e](c), with a scalar that is neither a name nor a literal put into a temporary first.
  virtual PhraseRef named(const PhraseRef& e, const std::function<PhraseRef(PhraseRef)>& c) = 0;
  // f e for an e that C was given: f's parameter stands for it, and what e has run is not run again.
  virtual PhraseRef call(const PhraseRef& f, const PhraseRef& e) { return apply(f, e); }
  virtual PhraseRef assign(const PhraseRef& a, const PhraseRef& e) = 0;  // A :=_d E, generalised (§4.1)
  virtual std::string fresh(const std::string& base) = 0;
  virtual const std::shared_ptr<const Primitive>& primitive(std::string_view name) = 0;
  // The source of the primitive whose facet is called; to be asked before anything else is translated.
  virtual Region where() const = 0;
};
// What Fig. 5, as amended, writes for an expression, as its clauses declare it: scalars (props/dpia/cost_declared.cpp).
class DeclaredWrites {
 public:
  virtual ~DeclaredWrites() = default;
  virtual Size into(const PhraseRef& e) = 0;                      // by A[e](A)
  virtual Size before(const PhraseRef& e) = 0;                    // by C[e](C), before C
  virtual Size named(const PhraseRef& e) = 0;                     // the same where C is given a name
  virtual Size body(const PhraseRef& f) = 0;                      // by one call of a function argument
  virtual void bind(const PhraseRef& f, const PhraseRef& e) = 0;  // f's parameter stands for e
};
struct Loop {
  Required<std::string> type;  // .dpia type syntax, explicit sizes first; " where k" asks for k >= 1
  Required<std::function<Value(const std::vector<std::int64_t>& sizes, std::span<const Value>)>> meaning;
  // Of one evaluation, to an acceptor or to what its continuation reads; a temporary for it not counted.
  Required<std::function<Cost(SourceCosts&, const PrimPhrase&, bool to_acceptor)>> cost;
  Required<std::function<PhraseRef(Translation&, const PrimPhrase&, const PhraseRef& a)>> acceptor;
  // Instead of (new, acceptor, continue).
  std::function<PhraseRef(Translation&, const PrimPhrase&, const std::function<PhraseRef(PhraseRef)>&)> continuation{};
  ConstantRef constant{};  // its acceptor makes, where it has one of its own (constant.h)
  Level level = Level::Auto;
  // Of the block, or of the warp, whose threads do it together, each a part of it: the level that it stands directly
  // in. sizes[0] is a number.
  Level together = Level::Auto;
  std::string family{};  // of loops that differ in their level alone, the name of the one without
  // The argument of which the first takes each element once, in order, as its first parameter; of the scheme's type
  // variables the first is what an element is. Several functions may: the first of them is called for each element, the
  // others where the loop has found that it needs what they make.
  std::optional<std::size_t> takes{};
  std::size_t functions = 1;
  bool independent = false;  // its iterations are: without a level it runs over what the target chooses
  bool in_order = false;     // sizes[0] rounds, each from the result of the one before
  bool by_law = false;       // in order, or in one that the laws of its operator make as good
  bool prefixes = false;     // its result is what it has accumulated at each element
  bool any_order = false;    // combines values in an order that the schedule chooses
  // Its threads update scalars atomically: by its first argument, which is an operator, where it combines values in any
  // order. On a CPU it is its family's without a level.
  bool atomic = false;
  std::function<Size(const PrimPhrase&)> extent{};  // of its loop, where it is not sizes[0]
  bool total = false;                               // comes to an end and does not trap, where its functions do
  bool literal = false;                // [a, b, c]: as many arguments, of the type of its only one, as elements
  std::optional<std::size_t> round{};  // the argument that is called once a round, where data says how many there are
  std::optional<Space> space{};        // where its result lives
  std::optional<Indexed> indexed{};
  // What its translation allocates beside its result.
  std::function<std::vector<Type>(const PrimPhrase&)> temporaries{};
  // To an acceptor, or to a temporary. Nothing: not known before a run.
  std::function<Size(DeclaredWrites&, const PrimPhrase&, bool to_acceptor)> writes{};
};

// How it is written in a program: by its name, in a form of its own, or not at all: translations make it.
enum class Notation { Name, Form, None };
struct Primitive {
  std::string name;
  std::string summary;  // one line for the reference
  std::variant<ScalarOp, View, Loop> kind;
  Notation notation = Notation::Name;
};
using PrimitiveRef = std::shared_ptr<const Primitive>;

}  // namespace lockstep

// The one intermediate language of the paper: phrases (DPIA §3). The functional fragment and the imperative one are
// sublanguages of it, so a stage takes a phrase to a phrase. Every binder's name is unique in a program.
// P, Q: phrases, E: of type exp[d], A: of type acc[d], d: data type, n: size.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/number.h"
#include "semantics/core/ref.h"
#include "semantics/core/type.h"

namespace lockstep {

struct Primitive;  // semantics/primitives/primitive.h
struct Phrase;
using PhraseRef = Ref<Phrase>;

struct Ident {
  std::string name;
};
struct LiteralPhrase {  // exp[scalar]; the digits for floats, so that every domain reads its own
  Scalar value;         // IEEE
  std::string digits;   // empty for integers and booleans
};
struct NatPhrase {  // a size as a number: exp[i64], or exp[idx(n)] where it is an index known to be inside
  Size size;
};
struct LambdaPhrase {
  std::string name;
  PhraseType parameter;
  PhraseRef body;
};
struct ApplyPhrase {
  PhraseRef function;
  PhraseRef argument;
};
struct LetPhrase {  // functional only; exp[d] bound in exp[d2]
  std::string name;
  PhraseRef value;
  PhraseRef body;
};
struct IfPhrase {  // exp[d], by exp[bool]; the branch that is not taken is not evaluated
  PhraseRef condition;
  PhraseRef then;
  PhraseRef otherwise;
};
struct PairPhrase {  // <P, Q>, of type P x Q: two ways to use one resource
  PhraseRef first;
  PhraseRef second;
};
struct ProjPhrase {  // P.1, P.2
  int index;
  PhraseRef phrase;
};
struct PrimPhrase {  // a functional primitive, applied to all its arguments
  std::shared_ptr<const Primitive> primitive;
  int acceptor = -1;        // k >= 0: the view's k-th acceptor (zipAcc1 is acceptor 0 of zip), taking one acceptor
  std::vector<Size> sizes;  // the scheme's explicit sizes, then its implicit ones in order of first occurrence
  std::vector<Type> types;  // the scheme's type variables in order of first occurrence
  std::vector<PhraseRef> arguments;
};

// Levels of the parallel hierarchy and spaces of memory (DPIA §6.2). Auto: the target's choice, resolved by
// `strategies`.
enum class Level { Auto, Seq, Par, Global, Workgroup, Local, Unroll };
enum class Space { Auto, Global, Local, Private, Stream };
std::string_view show(Level l);
bool is_parallel(Level l);  // over threads or blocks: not Auto, Seq or Unroll
std::string_view show(Space s);

// Imperative constants (Fig. 4b, 4c, §6.2, and those of design.md). s: sizes, t: types of ImpPhrase.
enum class Imp {
  Skip,      // comm
  Seq,       // comm x comm -> comm
  New,       // t{d}: (var[d] -> comm) -> comm, at a space
  Assign,    // t{d}: acc[d] x exp[d] -> comm, d a scalar, index or short vector
  For,       // s{n}: (exp[idx(n)] -> comm) -> comm; level Seq or Unroll
  ParFor,    // s{n} t{d}: acc[n.d] -> (exp[idx(n)] -> acc[d] ->p comm) -> comm, at a level
  IdxAcc,    // s{n} t{d}: acc[n.d] -> exp[idx(n)] -> acc[d]
  Cond,      // exp[bool] -> comm x comm -> comm
  While,     // exp[bool] x comm -> comm
  Check,     // exp[bool] x exp[s]... -> comm, s scalar: traps where false; the rest are values for the message
  MapI,      // s{n} t{d1 d2}: (exp[d1] -> acc[d2] ->p comm) -> exp[n.d1] -> acc[n.d2] -> comm, at a level
  ReduceI,   // s{n} t{d1 d2}: (exp[d1] -> exp[d2] -> acc[d2] -> comm) -> exp[d2] -> exp[n.d1] -> (exp[d2] -> comm) ->
             // comm
  ScanI,     // s{n x}, x = 1: exclusive, 0: inclusive; as ReduceI but -> acc[n.d2] -> comm at the end
  IterateI,  // s{k} t{d}: (exp[d] -> acc[d] -> comm) -> exp[d] -> (exp[d] -> comm) -> comm
  WhileI,    // t{d}: (exp[d] -> acc[bool] -> comm) -> (exp[d] -> acc[d] -> comm) -> exp[d] -> (exp[d] -> comm) -> comm
  Own,       // a constant of a loop's own file: arguments as it says -> comm
  Barrier,   // comm; all threads of the block
};
// A constant of a loop's own (semantics/primitives/constant.h); the arguments' types at its sizes and types.
struct Constant {
  std::string name;
  std::function<std::vector<PhraseType>(const std::vector<Size>&, const std::vector<Type>&)> arguments;
  std::shared_ptr<const struct ConstantFacets> facets;
};
using ConstantRef = std::shared_ptr<const Constant>;
struct ImpPhrase {
  Imp op;
  Level level = Level::Auto;
  Space space = Space::Auto;
  std::vector<Size> sizes;
  std::vector<Type> types;
  std::vector<PhraseRef> arguments;
  std::string trap_primitive{};  // of Check
  std::string trap_message{};    // {0}, {1} stand for the values
  ConstantRef own{};             // of Own
};
std::string_view show(Imp op);
std::string_view name_of(const ImpPhrase& p);  // a constant's own, or show(op)

struct Phrase {
  PhraseType type;
  std::variant<Ident, LiteralPhrase, NatPhrase, LambdaPhrase, ApplyPhrase, LetPhrase, IfPhrase, PairPhrase, ProjPhrase,
               PrimPhrase, ImpPhrase>
      node;
  Region region{};
};
bool operator==(const Phrase& a, const Phrase& b);  // up to regions, binders' names compared as they stand
bool alpha_equal(const Phrase& a, const Phrase& b);
template <class T>
const T* as(const Phrase& p) {
  return std::get_if<T>(&p.node);
}
const Type& data_of(const Phrase& p);  // d of exp[d] or acc[d]; a Bug otherwise
const Type& data_of(const PhraseType& t);

// Makers compute the type from the parts; a part that does not fit is a Bug.
PhraseRef ident(std::string name, PhraseType type);
PhraseRef literal(Scalar value, std::string digits = {});
PhraseRef bool_literal(bool b);
PhraseRef nat(Size n);                   // exp[i64]
PhraseRef index_at(Size i, Size bound);  // exp[idx(bound)]
PhraseRef lambda(std::string name, PhraseType parameter, PhraseRef body, bool passive = false);
PhraseRef apply(PhraseRef function, PhraseRef argument);  // beta-reduced at once where it is a lambda
PhraseRef let(std::string name, PhraseRef value, PhraseRef body);
PhraseRef if_else(PhraseRef condition, PhraseRef then, PhraseRef otherwise, Region region = {});
PhraseRef phrase_pair(PhraseRef a, PhraseRef b);
PhraseRef proj(int index, PhraseRef p);  // of a pair reduces at once
PhraseRef with_region(PhraseRef p, Region region);
PhraseRef default_region(PhraseRef p, const Region& region);  // where p has none

PhraseRef skip();
PhraseRef seq(PhraseRef a, PhraseRef b);  // skip is its unit
PhraseRef seq(std::vector<PhraseRef> commands);
PhraseRef new_variable(Space space, const Type& d, const std::string& name,
                       const std::function<PhraseRef(PhraseRef)>& body);
PhraseRef assign(PhraseRef acceptor, PhraseRef value, Region region = {});
PhraseRef for_loop(Level level, const Size& n, const std::string& i, const std::function<PhraseRef(PhraseRef)>& body);
PhraseRef par_for(Level level, PhraseRef acceptor, const std::string& i, const std::string& o,
                  const std::function<PhraseRef(PhraseRef, PhraseRef)>& body);
PhraseRef idx_acc(PhraseRef acceptor, PhraseRef index);
PhraseRef cond(PhraseRef condition, PhraseRef then, PhraseRef otherwise);
PhraseRef while_loop(PhraseRef condition, PhraseRef body);
PhraseRef check(PhraseRef condition, std::string primitive, std::string message, std::vector<PhraseRef> values,
                Region region);
PhraseRef imp(ImpPhrase p, Region region = {});  // any constant, its type computed

// What an imperative constant's type is at its sizes and types. Arguments in one group share resources (a product in
// the paper's type); distinct groups must not interfere (Fig. 3, App).
struct ImpSignature {
  std::vector<PhraseType> arguments;
  std::vector<int> group;
  PhraseType result;
};
ImpSignature signature(const ImpPhrase& p);

class Names {  // fresh names: base, base_1, base_2, ...
 public:
  std::string fresh(const std::string& base);
  void reserve(const std::string& name);

 private:
  std::map<std::string, int> used_;
};

using PhraseSubstitution = std::map<std::string, PhraseRef>;
PhraseRef substitute(const PhraseRef& p, const PhraseSubstitution& by);
PhraseRef substitute_sizes(const PhraseRef& p, const SizeSubstitution& sizes, const TypeSubstitution& types = {});
PhraseRef refresh(const PhraseRef& p, Names& names);  // every binder renamed
void collect_free(const Phrase& p, std::set<std::string>& into);
std::size_t node_count(const Phrase& p);
// The same node over f of each child, left to right; types are kept.
PhraseRef map_children(const PhraseRef& p, const std::function<PhraseRef(const PhraseRef&)>& f);
void for_each_child(const Phrase& p, const std::function<void(const PhraseRef&)>& f);

// A whole program at some stage: an entry point with its parameters.
struct PhraseProgram {
  std::string name;
  std::vector<std::string> sizes;                        // implicit, then explicit; all of kind nat
  std::size_t explicit_sizes = 0;                        // how many of them, at the end, are parameters
  std::vector<std::pair<std::string, Type>> parameters;  // exp identifiers, data only
  Type result;
  std::vector<SizeFact> facts;
  PhraseRef body;      // exp[result] in a functional stage; comm over the identifier `output` : acc[result] after
  std::string output;  // "" in a functional stage
};
SizeContext context_of(const PhraseProgram& p);

}  // namespace lockstep

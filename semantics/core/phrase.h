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
#include "semantics/core/imperative.h"
#include "semantics/core/launch.h"
#include "semantics/core/number.h"
#include "semantics/core/ref.h"
#include "semantics/core/type.h"

namespace lockstep {

struct Primitive;  // semantics/primitives/primitive.h

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
// The imperative constant C with what it is applied to, where p is that.
template <class C>
const ImpPhrase* use_of(const Phrase& p) {
  const auto* x = as<ImpPhrase>(p);
  return x && as<C>(*x) ? x : nullptr;
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
PhraseRef phrase_of(ImpPhrase p, Region region = {});  // any constant, its type computed

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

// The order in which a `reduce` of n elements with a lawful operator is computed, on every machine: fewer than
// `columns` as it is written. Else there are n / columns rows. Of each block of elements that is whole, the sum of each
// column from a neutral element, and of these, column by column, from a neutral element; then the sum of these from the
// start, block by block; to it come the columns of the rows that are left, summed in the same way, and then what is
// left of a row, element by element. A `permute` onto m places by such an operator goes by blocks of
// `block + share * m` elements, each onto places of its own, which are combined block by block. A scan goes by as many
// blocks as make groups of `abreast`: the sums of blocks first, of these the sums before each block, from the start,
// and then each block from what stands before it; what is left of the elements goes on from there. So does a `reduce`
// that keeps the order of its elements: the blocks' results, each from the start or what is neutral, and then what is
// left.
struct ReductionOrder {
  std::int64_t columns = 32, block = 1024;  // elements, at least 1; block % columns == 0
  std::int64_t share = 128;                 // elements, at least 0
  std::int64_t abreast = 4;                 // blocks, at least 1
};

// How products and sums of columns are cut; the order of no sum hangs on it. Lanes of a tile: 2, 3, 4, 8 or 16; 0: as
// many of these as 64 bytes have.
struct TileSizes {
  std::int64_t rows = 6, lanes = 0;  // of a tile
  std::int64_t columns = 0;          // of a block of sums that is no product; 0: as many as 1024 bytes hold
};

// A whole program at some stage: an entry point with its parameters.
struct PhraseProgram {
  std::string name;
  std::vector<std::string> sizes;                        // implicit, then explicit; all of kind nat
  std::size_t explicit_sizes = 0;                        // how many of them, at the end, are parameters
  std::vector<std::pair<std::string, Type>> parameters;  // exp identifiers, data only
  Type result;
  std::vector<SizeFact> facts;
  PhraseRef body;         // exp[result] in a functional stage; comm over the identifier `output` : acc[result] after
  std::string output;     // "" in a functional stage
  Launch launch{};        // on a GPU
  bool fused = false;     // its loops are those that are wanted: the language that it comes from has fused it
  bool in_order = false;  // what it reduces stays in the order that is written, whatever laws an operator has
  ReductionOrder order{};
  TileSizes tiles{};
};
SizeContext context_of(const PhraseProgram& p);

}  // namespace lockstep

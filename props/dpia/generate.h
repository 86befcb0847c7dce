// Random well-typed .dpia programs and random inputs for them, each a function of a 64-bit seed.
// A program is made from its result type downwards: at every place a type is asked for, and one of the ways to make a
// value of it is drawn. Sizes are kept as normal forms, so that views fit by construction.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "props/engine/random.h"
#include "semantics/core/phrase.h"
#include "semantics/core/value.h"
#include "semantics/language/arrays.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::props {

// A view or loop to be made from its type, whose sizes and type variables have names that no program has.
struct TypedPrimitive {
  std::string name;
  std::size_t explicit_sizes = 0;
  std::vector<std::string> sizes;  // the explicit ones first
  std::vector<Type> arguments;
  Type result;
  std::set<std::string> positive;  // sizes of at least one
  std::set<std::string> widths;    // sizes of short vectors
  std::set<std::string> lanes;     // type variables of their lanes
  std::optional<Indexed> indexed;
  std::set<std::string> numbers{};  // sizes that are numbers
  bool is_added = false;            // to the standard calculus: what a campaign over it is for
};
using TypedPrimitives = std::vector<TypedPrimitive>;
// Those for which the generator has no way of its own.
TypedPrimitives made_by_type(const Calculus& calculus);
std::optional<TypedPrimitive> made_by_type(const Calculus& calculus, const std::string& name);

// A program of `nodes` expressions and up to as many that leaves read, helper functions included; its last definition
// is the entry point. Of odd seeds many are for the blocks and threads of a GPU, with `gpu` of all. `solver`: one in
// ten has sizes that only a solver proves to fit.
surface::Program generate_program(std::uint64_t seed, int nodes = 30, const TypedPrimitives& by_type = {},
                                  bool solver = false, bool gpu = false);

std::size_t node_count(const surface::Program& p);

using ViewOfView = std::pair<std::string, std::string>;  // the outer one first
const std::vector<std::string>& views_of_data();
const std::vector<ViewOfView>& views_of_views();  // the pairs of those that types allow

// How often each primitive, syntactic form and type former occurred.
struct Coverage {
  std::map<std::string, std::size_t> primitives, forms, types;
  std::map<ViewOfView, std::size_t> views_of_views;  // as written

  void count(const surface::Program& p);
  void count(const PhraseProgram& elaborated);
  void add(const Coverage& other);
  // What a campaign over the whole language must meet, and did not.
  std::vector<std::string> missing(const Calculus& calculus) const;
};

// Small sizes that satisfy the facts, the smallest first; empty where none was found.
std::vector<SizeValues> small_sizes(const PhraseProgram& p, std::size_t count, Random& random);
std::vector<Value> random_arguments(const PhraseProgram& p, const SizeValues& sizes, Random& random);

Scalars leaves_of_arguments(const PhraseProgram& p, const std::vector<Value>& arguments, const SizeValues& sizes);

// A value from the scalars of its leaves: `flatten` backwards.
Value unflatten(const Scalars& leaves, const Type& type, const SizeValues& sizes);

}  // namespace lockstep::props

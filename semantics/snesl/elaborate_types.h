// Types with unknowns, for inference: a graph of nodes, unified in place, and the constraints that wait until enough of
// their types is known. Private to elaboration.
//
// An unknown stands for any type σ, for a concrete one only, or for one of a set of prims (its mask).
#pragma once
#include <array>
#include <map>
#include <unordered_map>

#include "semantics/snesl/core.h"

namespace lockstep::snesl::elaboration {

using core::Builtin;
using TypeId = int;

constexpr int deepest_type = 1000;  // as deep as source text may be nested

// A set of prims.
using Mask = unsigned;
constexpr Mask mask_of(Prim p) { return 1U << static_cast<unsigned>(p); }
constexpr Mask any_number = mask_of(Prim::Int) | mask_of(Prim::Real);
constexpr Mask any_prim = any_number | mask_of(Prim::Char) | mask_of(Prim::Bool);
std::string show_mask(Mask m);  // "Int, Real or Char"

// Why a type holds no sequence, in the words of the error that there would be.
struct Why {
  Region region;
  std::string subject;  // "s, which is used inside a comprehension,"
  std::string expected;
  std::string mend;          // "" where it follows from the type:
  bool of_elements = false;  // it is an element's, and a comprehension may make vectors of the sequences in it
  bool in_called = false;    // in a function that is called here, which the subject names: "in f (3:4), s, ..."
};

// What waits: a relation between prims (operands and result of an operator), or a type whose form is not known yet.
struct Constraint {
  enum class Kind : unsigned char {
    Arithmetic,  // (π1, π2) -> π: Int or Real, a Char widens to Int
    Bits,        // the same on Int and Bool
    Comparison,  // (π1, π2)
    Choice,      // (π1, π2) -> π: c ? a : b
    Countable,   // σ1 is a vector or a sequence: #
    Component,   // σ1 is a tuple with σ2 at `index`
    Unzipped,    // {σ1} unzipped is σ2
  };
  Kind kind{};
  std::array<TypeId, 3> types{-1, -1, -1};
  int index = 0;
  Region region;
  std::string what;    // the operator as written
  std::string within;  // the function that it comes from, where it is called
};

struct Mismatch {
  enum class Kind : unsigned char { Shape, Endless, Sequence, Deep } kind{};
  int why = -1;          // of Sequence
  TypeId offender = -1;  // of Sequence
};

enum class Progress : unsigned char { Waits, Narrowed, Done, Failed };

class TypeGraph {
 public:
  TypeId unknown(const Region& region, Mask mask = 0);
  TypeId prim(Prim p);
  TypeId tuple(std::vector<TypeId> items);
  TypeId vector_of(TypeId element);  // the element is made concrete by the caller, who knows why
  TypeId sequence_of(TypeId element);
  TypeId wrong();  // of what has been reported: fits everything

  TypeId find(TypeId t) const;
  enum class Form : unsigned char { Unknown, Link, Prim, Tuple, Vector, Sequence, Wrong };
  Form form(TypeId t) const { return nodes_[at(find(t))].form; }
  Prim prim_of(TypeId t) const { return nodes_[at(find(t))].prim; }
  const std::vector<TypeId>& items(TypeId t) const { return nodes_[at(find(t))].items; }
  Mask mask(TypeId t) const;         // of a prim: itself; of an unknown: its own, all where it has none; otherwise none
  bool open_to_all(TypeId t) const;  // an unknown without a mask
  const Region& origin(TypeId t) const { return nodes_[at(find(t))].origin; }
  bool too_deep() const { return too_deep_; }  // a type of more than 1,000 levels was made, and is wrong
  int size() const { return static_cast<int>(nodes_.size()); }

  // Nothing where it succeeds. What was unified before a mismatch stays so.
  std::optional<Mismatch> unify(TypeId a, TypeId b) { return unify(a, b, 0); }
  std::optional<Mismatch> make_concrete(TypeId t, int why) { return make_concrete(t, why, 0); }
  std::optional<Mismatch> restrict(TypeId t, Mask mask);
  int because(Why why);
  const Why& why(int k) const { return whys_[at(k)]; }

  Progress step(Constraint& c);  // as far as it can be decided now
  // The unknowns in t, each once, in the order of their appearance.
  void unknowns(TypeId t, std::vector<TypeId>& out) const;

  // t of another graph, its unknowns made anew (`made` says which); reasons now stand at `region`.
  TypeId copy(const TypeGraph& from, TypeId t, std::unordered_map<TypeId, TypeId>& made, const Region& region,
              const std::string& within);

  using Names = std::map<TypeId, std::string>;
  std::string show(TypeId t, Names& names) const;  // unknowns are a, b, ...
  std::string show(TypeId t) const;

 private:
  struct Node {
    Form form = Form::Unknown;
    Prim prim{};
    std::vector<TypeId> items;
    TypeId link = -1;
    Mask mask = 0;          // of Unknown; 0: no prim need be
    int why = -1;           // of Unknown: concrete, for this reason
    bool concrete = false;  // of the others: known to hold no sequence
    int depth = 0;
    Region origin;
  };
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  TypeId add(Node n);
  TypeId compound(Form form, std::vector<TypeId> items);
  std::optional<Mismatch> unify(TypeId a, TypeId b, int depth);
  std::optional<Mismatch> assign(TypeId unknown, TypeId t);
  std::optional<Mismatch> make_concrete(TypeId t, int why, int depth);
  enum class Occurs : unsigned char { No, Yes, Deep };
  Occurs occurs(TypeId unknown, TypeId in, std::vector<char>& seen, int depth) const;
  Progress relate(Constraint& c);
  enum class Masks { Left, Shown };  // of unknowns: {Int or Real}
  void show(TypeId t, Names& names, std::string& out, Masks masks, int depth) const;

  mutable std::vector<Node> nodes_;  // find shortens links
  std::vector<Why> whys_;
  bool too_deep_ = false;
};

// The concrete type of a solved t, its unknowns taken from `by`. Throws TypeTooLarge.
struct TypeTooLarge {};
using Assignment = std::unordered_map<TypeId, Type>;
struct SolvedType {
  Type type;
  int parts, height;
};
using SolvedTypes = std::unordered_map<TypeId, SolvedType>;
// `known`: what has been solved of this graph by this assignment, which is shared.
Type solved_type(const TypeGraph& graph, TypeId t, const Assignment& by, SolvedTypes& known);

}  // namespace lockstep::snesl::elaboration

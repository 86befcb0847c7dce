// A view at symbolic sizes: its result's and its arguments' places as paths of symbolic indices, and what its read
// facet reads there. n: size, p: path.
#pragma once
#include "proofs/calculus/obligation.h"
#include "proofs/sizes/terms.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::proofs {

// The quotients in s are of naturals by numbers of at least one, as generated code needs.
Term divides_naturals(const Size& s, const std::map<std::string, Term>& numbers = {});

// Where a path leads in a data type: a leaf, which is a scalar, a short vector or an element of an unknown type.
struct Place {
  Path path;
  std::vector<int> projections;
  std::vector<Term> indices;  // outermost first; a lane of a short vector last; then the rest of a path into 'a
  std::vector<Term> ranges;   // what makes the indices inside
  Type leaf;
  int lanes = 0;  // of a whole short vector, the lane then not among the indices
};
Term inside(const Place& p);

struct SymbolicView {
  const Calculus::Entry* entry = nullptr;
  const View* view = nullptr;
  PrimPhrase instance;
  std::vector<Type> arguments;
  Type result;
  std::set<std::string> scalars;   // type variables that are lanes of short vectors
  std::vector<std::string> sizes;  // the symbolic ones
  std::vector<Term> facts;         // "where k"
};
// One for each width where there are short vectors in the type, whose widths are numbers; one otherwise.
std::vector<SymbolicView> symbolic_views(const Calculus::Entry& entry);
// The same with numbers for its sizes.
SymbolicView at_numbers(const SymbolicView& v, const SizeValues& sizes);

// Every way down the type, with indices i, j, k ... named with the suffix; short vectors whole and by the lane.
std::vector<Place> places(const SymbolicView& v, const Type& t, const std::string& suffix);
// Where the path leads; an error where it fits nothing in the type.
tl::expected<Place, std::string> locate(const SymbolicView& v, const Type& t, const Path& p,
                                        const std::map<std::string, Term>& numbers = {});
// The element of argument k there; of a whole short vector, its lane.
Term element(const SymbolicView& v, std::size_t k, const Place& p, int lane = 0);
Term same_place(const Place& a, const Place& b);

// What the read facet gives at a path of the result, in one of the ways that what is known there may lead it.
struct ArgumentRead {
  Term condition;  // under which it is evaluated
  std::size_t argument;
  Place place;
};
struct Reading {
  std::vector<Term> known;     // what the facet was told of sizes and indices
  std::vector<Term> elements;  // one, or a lane each
  std::vector<ArgumentRead> reads;
  std::vector<Term> natural;  // that every quotient is of naturals, where it is evaluated
  std::string error{};
  bool understood = true;
};
std::vector<Reading> readings(const SymbolicView& v, const Path& p);

// What the view's check establishes, from its facet: for all loop variables within their bounds, the condition.
struct CheckedFact {
  std::vector<std::pair<std::string, Term>> loops;  // variable, bound
  Term condition;
};
struct Checks {
  std::vector<CheckedFact> facts;
  std::string error{};  // the check is not understood
};
Checks checks_of(const Calculus& calculus, const SymbolicView& v);
std::vector<Term> as_hypotheses(const Checks& checks);

}  // namespace lockstep::proofs

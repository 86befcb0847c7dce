// What operators say about types that are not known yet: relations between prims, narrowed as far as they go, and the
// forms that # . unzip need.
#include <bit>

#include "semantics/snesl/elaborate_types.h"

namespace lockstep::snesl::elaboration {

namespace {

using Row = std::array<Prim, 3>;
constexpr Prim B = Prim::Bool, I = Prim::Int, R = Prim::Real, C = Prim::Char;

// Operands, result. A Char widens to Int where it meets an Int; arithmetic on two Chars is on their codes.
std::vector<Row> rows_of(Constraint::Kind kind) {
  switch (kind) {
    case Constraint::Kind::Arithmetic:
      return {{I, I, I}, {R, R, R}, {C, I, I}, {I, C, I}, {C, C, I}};
    case Constraint::Kind::Bits:
      return {{I, I, I}, {B, B, B}, {C, I, I}, {I, C, I}, {C, C, I}};
    case Constraint::Kind::Comparison:
      return {{B, B}, {I, I}, {R, R}, {C, C}, {C, I}, {I, C}};
    case Constraint::Kind::Choice:
      return {{B, B, B}, {I, I, I}, {R, R, R}, {C, C, C}, {C, I, I}, {I, C, I}};
    case Constraint::Kind::Countable:
    case Constraint::Kind::Component:
    case Constraint::Kind::Unzipped:
      break;
  }
  throw Bug("no relation between prims");
}

}  // namespace

// Rows that the masks and equalities allow; masks and equalities that all of them have.
Progress TypeGraph::relate(Constraint& c) {
  const std::size_t columns = c.types[2] < 0 ? 2 : 3;
  bool narrowed = false;
  for (bool again = true; again;) {
    again = false;
    for (std::size_t k = 0; k < columns; ++k)
      if (form(c.types[k]) == Form::Wrong) return Progress::Done;
    std::vector<Row> left;
    for (const Row& row : rows_of(c.kind)) {
      bool fits = true;
      for (std::size_t k = 0; k < columns; ++k) {
        fits = fits && (mask(c.types[k]) & mask_of(row[k])) != 0;
        for (std::size_t j = 0; j < k; ++j)
          if (find(c.types[j]) == find(c.types[k])) fits = fits && row[j] == row[k];
      }
      if (fits) left.push_back(row);
    }
    if (left.empty()) return Progress::Failed;
    std::size_t combinations = 1;
    for (std::size_t k = 0; k < columns; ++k) {
      Mask m = 0;
      for (const Row& row : left) m |= mask_of(row[k]);
      if (open_to_all(c.types[k]) || m != mask(c.types[k])) {
        const Mask before = open_to_all(c.types[k]) ? 0 : mask(c.types[k]);
        if (restrict(c.types[k], m)) return Progress::Failed;
        narrowed = narrowed || before != m;
      }
      bool first = true;
      for (std::size_t j = 0; j < k; ++j) {
        if (find(c.types[j]) == find(c.types[k])) {
          first = false;
          continue;
        }
        bool equal = form(c.types[k]) == Form::Unknown && form(c.types[j]) == Form::Unknown;
        for (const Row& row : left) equal = equal && row[j] == row[k];
        if (!equal) continue;
        if (unify(c.types[j], c.types[k])) return Progress::Failed;
        first = false;
        narrowed = again = true;
      }
      if (first) combinations *= static_cast<std::size_t>(std::popcount(m));
    }
    if (!again && combinations == left.size()) return Progress::Done;  // it says nothing that the masks do not
  }
  return narrowed ? Progress::Narrowed : Progress::Waits;
}

Progress TypeGraph::step(Constraint& c) {
  const TypeId t = c.types[0];
  const auto done = [](const std::optional<Mismatch>& m) { return m ? Progress::Failed : Progress::Done; };
  if (c.kind <= Constraint::Kind::Choice) return relate(c);
  if (form(t) == Form::Wrong) return Progress::Done;
  const bool scalar = form(t) == Form::Prim || (form(t) == Form::Unknown && !open_to_all(t));
  switch (c.kind) {
    case Constraint::Kind::Countable:
      if (form(t) == Form::Vector || form(t) == Form::Sequence) return Progress::Done;
      return form(t) == Form::Unknown && !scalar ? Progress::Waits : Progress::Failed;
    case Constraint::Kind::Component:
      if (form(t) == Form::Unknown && !scalar) return Progress::Waits;
      if (form(t) != Form::Tuple || c.index >= static_cast<int>(items(t).size())) return Progress::Failed;
      return done(unify(items(t)[static_cast<std::size_t>(c.index)], c.types[1]));
    case Constraint::Kind::Unzipped: {
      // (σ) is σ: of anything but a tuple, the sequence itself.
      if (form(t) == Form::Unknown && !scalar) {
        if (form(c.types[1]) == Form::Sequence) return done(unify(t, items(c.types[1])[0]));
        if (form(c.types[1]) != Form::Tuple) return Progress::Waits;
        std::vector<TypeId> elements;
        for (std::size_t k = 0; k < items(c.types[1]).size(); ++k) {
          elements.push_back(unknown(c.region));
          if (unify(items(c.types[1])[k], sequence_of(elements.back()))) return Progress::Failed;
        }
        return done(unify(t, tuple(std::move(elements))));
      }
      if (form(t) != Form::Tuple) return done(unify(sequence_of(t), c.types[1]));
      if (items(t).empty()) return Progress::Failed;
      std::vector<TypeId> sequences;
      for (std::size_t k = 0; k < items(t).size(); ++k) sequences.push_back(sequence_of(items(t)[k]));
      return done(unify(tuple(std::move(sequences)), c.types[1]));
    }
    case Constraint::Kind::Arithmetic:
    case Constraint::Kind::Bits:
    case Constraint::Kind::Comparison:
    case Constraint::Kind::Choice:
      break;
  }
  throw Bug("a relation");
}

}  // namespace lockstep::snesl::elaboration

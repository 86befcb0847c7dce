// Indices that are sizes, as in xs ! (n - 1): decided when the program is checked, as sizes in types are.
#include "semantics/functional/elaborate.h"

namespace lockstep::inference {
namespace {

// Of 64 bits whatever its names stand for: an array is no longer than 2^56 (solve_sizes.cpp).
bool stays_small(const Size& s) {
  if (s.terms().size() > 8) return false;
  for (const SizeTerm& t : s.terms()) {
    const std::int64_t most = t.powers.empty() ? 1 << 30 : 16;
    if (t.coefficient < -most || t.coefficient > most || t.powers.size() > 1) return false;
    for (const auto& [atom, power] : t.powers)
      if (power > 1 || (atom.division && !(stays_small(atom.division->first) && stays_small(atom.division->second))))
        return false;
  }
  return true;
}

}  // namespace

bool Elaborator::settled(const SizeFact& goal) const {
  return context_.proves(goal) || implied_(context_.facts(), goal);
}

// i64 arithmetic on numbers and sizes as the size that it gives. Sums and products agree modulo 2^64 whatever they are;
// a division needs its operands as they are, and natural: there it rounds as a size's does.
std::optional<Size> Elaborator::size_of_index(const Phrase& i) const {
  if (const auto* n = as<NatPhrase>(i)) return n->size;
  if (!(data_of(i) == scalar(ScalarType::I64))) return {};
  if (const auto* l = as<LiteralPhrase>(i)) return Size(l->value.integer());
  const auto* x = as<PrimPhrase>(i);
  if (!x || !std::holds_alternative<ScalarOp>(x->primitive->kind) || !(x->types.at(0) == scalar(ScalarType::I64)))
    return {};
  const std::string& name = x->primitive->name;
  if (name == "i64") return size_of_index(*x->arguments[0]);
  if (name.size() != 1 || std::string_view("+-*/%").find(name[0]) == std::string_view::npos) return {};
  const auto a = size_of_index(*x->arguments[0]), b = size_of_index(*x->arguments[1]);
  if (!a || !b) return {};
  if ((name == "/" || name == "%") &&
      !(stays_small(*a) && stays_small(*b) && settled({1, SizeRelation::LessEqual, *b}) &&
        settled({0, SizeRelation::LessEqual, *a})))
    return {};
  return combined(name[0], *a, *b);
}

// 0 <= k < n for all sizes. What normal forms leave open is listed with the obligations.
bool Elaborator::inside(const Size& k, const Size& n, const Region& region) {
  const SizeFact ends[] = {{0, SizeRelation::LessEqual, k}, {k, SizeRelation::Less, n}};
  for (const SizeFact& f : ends)
    if (!settled(f)) return false;
  for (const SizeFact& f : ends)
    if (!context_.proves(f)) require(f, region, "this index");
  return true;
}

}  // namespace lockstep::inference

// Types compared under facts (compare_types.h).
#include "semantics/imperative/compare_types.h"

#include "semantics/imperative/instance.h"

namespace lockstep {
namespace {

// What is in a space is data like any other.
bool gives(Space have, Space wanted) { return wanted == Space::Auto || have == wanted; }

}  // namespace

bool PhraseTypes::equal(const Size& a, const Size& b) const {
  const SizeFact goal{a, SizeRelation::Equal, b};
  return a == b || context_.proves(goal) || (implied_ && implied_(context_.facts(), goal));
}
bool PhraseTypes::equal(const Type& a, const Type& b) const {
  if (a.node.index() != b.node.index()) return false;
  return match(
      a.node, [&](ScalarType x) { return x == *as<ScalarType>(b); },
      [&](const IndexType& x) { return equal(x.bound, as<IndexType>(b)->bound); },
      [&](const ArrayType& x) {
        return equal(x.length, as<ArrayType>(b)->length) && equal(*x.element, *as<ArrayType>(b)->element);
      },
      [&](const PairType& x) {
        return equal(*x.first, *as<PairType>(b)->first) && equal(*x.second, *as<PairType>(b)->second);
      },
      [&](const VectorType& x) {
        return equal(x.width, as<VectorType>(b)->width) && equal(*x.element, *as<VectorType>(b)->element);
      },
      [&](const FunctionType& x) {
        return equal(*x.from, *as<FunctionType>(b)->from) && equal(*x.to, *as<FunctionType>(b)->to);
      },
      [&](const TypeVariable& x) { return x.name == as<TypeVariable>(b)->name; });
}
bool PhraseTypes::equal(const PhraseType& a, const PhraseType& b) const { return compare(spread(a), spread(b), false); }
bool PhraseTypes::fits(const PhraseType& have, const PhraseType& wanted) const {
  return compare(spread(have), spread(wanted), true);
}

// `give`: Dereliction (->p where -> is wanted), and an index where a number is wanted.
bool PhraseTypes::compare(const PhraseType& a, const PhraseType& b, bool give) const {
  if (a.node.index() != b.node.index()) return false;
  return match(
      a.node,
      [&](const ExpType& x) {
        const Type& d = as<ExpType>(b)->data;
        if (!gives(x.space, as<ExpType>(b)->space)) return false;
        return equal(x.data, d) || (give && as<IndexType>(x.data) && d == scalar(ScalarType::I64));
      },
      [&](const AccType& x) { return gives(x.space, as<AccType>(b)->space) && equal(x.data, as<AccType>(b)->data); },
      [](const CommType&) { return true; },
      [&](const PhraseFunction& x) {
        const auto* y = as<PhraseFunction>(b);
        const bool arrows = x.passive == y->passive || (give && x.passive);
        return arrows && compare(*y->from, *x.from, give) && compare(*x.to, *y->to, give);
      },
      [&](const PhraseProduct& x) {
        const auto* y = as<PhraseProduct>(b);
        return compare(*x.first, *y->first, give) && compare(*x.second, *y->second, give);
      });
}

}  // namespace lockstep

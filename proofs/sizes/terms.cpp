// A size as the sum of its products, each without what is 1 in it.
#include "proofs/sizes/terms.h"

#include <optional>

#include "semantics/core/diagnostic.h"

namespace lockstep::proofs {

using namespace smt;

static Term term_of_atom(const SizeAtom& a, const std::map<std::string, Term>& numbers) {
  if (a.division) return quotient(term_of(a.division->first, numbers), term_of(a.division->second, numbers));
  const auto it = numbers.find(a.name);
  return it == numbers.end() ? name(a.name) : it->second;
}

Term term_of(const Size& s, const std::map<std::string, Term>& numbers) {
  std::optional<Term> sum;
  for (const SizeTerm& t : s.terms()) {
    std::optional<Term> product;
    if (t.coefficient != 1 || t.powers.empty()) product = number(static_cast<std::int64_t>(t.coefficient));
    for (const auto& [atom, power] : t.powers)
      for (int k = 0; k < power; ++k)
        product = product ? *product * term_of_atom(atom, numbers) : term_of_atom(atom, numbers);
    sum = sum ? *sum + *product : product;
  }
  return sum ? *sum : number(0);
}

Term term_of(const SizeFact& f, const std::map<std::string, Term>& numbers) {
  const Term a = term_of(f.left, numbers), b = term_of(f.right, numbers);
  switch (f.relation) {
    case SizeRelation::Equal:
      return equal(a, b);
    case SizeRelation::NotEqual:
      return unequal(a, b);
    case SizeRelation::LessEqual:
      return at_most(a, b);
    case SizeRelation::Less:
      return less(a, b);
  }
  throw Bug("size relation");
}

Term arithmetic(kernel::ArithOp op, const Term& a, const Term& b) {
  switch (op) {
    case kernel::ArithOp::Add:
      return a + b;
    case kernel::ArithOp::Subtract:
      return a - b;
    case kernel::ArithOp::Multiply:
      return a * b;
    case kernel::ArithOp::Divide:
      return quotient(a, b);
    case kernel::ArithOp::Modulo:
      return remainder(a, b);
    case kernel::ArithOp::Less:
      return less(a, b);
    case kernel::ArithOp::LessEqual:
      return at_most(a, b);
    case kernel::ArithOp::Equal:
      return equal(a, b);
    case kernel::ArithOp::And:
      return all_of({a, b});
  }
  throw Bug("an operator of index arithmetic");
}

}  // namespace lockstep::proofs

// Composition of equations: the calls x0, x1 in a view's equation are replaced by what the argument arrays give there.
#include "proofs/calculus/strategies/view_algebra.h"

namespace lockstep::proofs {
namespace {

Term with_arguments(const Term& t, const std::vector<ArrayTerm>& arguments) {
  if (!t.arguments) return t;
  std::vector<Term> inner;
  for (const Term& a : *t.arguments) inner.push_back(with_arguments(a, arguments));
  if (t.op == TermOp::Call)
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (t.name == "x" + std::to_string(k)) return arguments[k](inner);
  Term out = t;
  out.arguments = std::make_shared<const std::vector<Term>>(std::move(inner));
  return out;
}

// Where elements are scalars there is nothing below them.
Term without_rest(const Term& t) {
  if (!t.arguments) return t;
  std::vector<Term> inner;
  for (const Term& a : *t.arguments)
    if (t.op != TermOp::Call || a.op != TermOp::Name || a.name != "rest") inner.push_back(without_rest(a));
  Term out = t;
  out.arguments = std::make_shared<const std::vector<Term>>(std::move(inner));
  return out;
}

const Calculus& standard() {
  static const Calculus calculus = standard_calculus();
  return calculus;
}

// The instance of the view whose width of short vectors is that number, if it has one.
SymbolicView instance_at(const std::string& view, const std::map<std::string, Term>& sizes) {
  const Calculus::Entry& entry = *standard().find(view);
  for (const SymbolicView& v : symbolic_views(entry)) {
    bool fits = true;
    for (std::size_t k = 0; k < entry.sizes.size(); ++k)
      if (const auto w = v.instance.sizes[k].constant()) {
        const Term& given = sizes.at(entry.sizes[k]);
        fits = fits && given.op == TermOp::Number && static_cast<std::int64_t>(given.number) == *w;
      }
    if (fits) return v;
  }
  throw Bug("no instance of " + view + " at the sizes given");
}

}  // namespace

ArrayTerm array_named(const std::string& n) {
  return [n](const std::vector<Term>& indices) { return call(n, element_sort, indices); };
}

ArrayTerm through(const std::string& view, const std::map<std::string, Term>& sizes,
                  const std::vector<ArrayTerm>& arguments) {
  return [=, v = instance_at(view, sizes)](const std::vector<Term>& indices) {
    const Place at = places(v, v.result, "").back();
    std::map<std::string, Term> by = sizes;
    for (std::size_t k = 0; k < std::min(indices.size(), at.indices.size()); ++k)
      by.insert_or_assign(at.indices[k].name, indices[k]);
    const bool to_the_end = indices.size() == at.indices.size();
    const Term element = ViewEquation::read(*v.entry).value().element({v, at, 0});
    return with_arguments(substitute(to_the_end ? element : without_rest(element), by), arguments);
  };
}

ArrayTerm mapped(const std::string& function, const ArrayTerm& xs) {
  return [=](const std::vector<Term>& indices) { return call(function, element_sort, {xs(indices)}); };
}

}  // namespace lockstep::proofs

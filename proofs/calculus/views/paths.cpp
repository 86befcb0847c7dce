// Read paths (DPIA Fig. 6c): that a view's read facet reads what its equation says, inside its arguments. In: a view;
// out: obligations.
#include "proofs/calculus/views/equations.h"
#include "proofs/calculus/views/hypotheses.h"

namespace lockstep::proofs {
namespace {

// idx(n) is inside by its type.
std::vector<Term> typed_indices(const SymbolicView& v) {
  std::vector<Term> out;
  for (std::size_t k = 0; k < v.arguments.size(); ++k)
    for (const Place& p : places(v, v.arguments[k], "$" + std::to_string(k))) {
      const auto* index = as<IndexType>(p.leaf);
      if (!index || p.lanes > 0) continue;
      const Term fact = implies(inside(p), within(element(v, k, p), term_of(index->bound)));
      out.push_back(p.indices.empty() ? fact : for_all(p.indices, fact));
    }
  return out;
}

}  // namespace

std::vector<ViewCase> view_cases(const Calculus& calculus, const std::string& name) {
  std::vector<ViewCase> out;
  const Calculus::Entry& entry = *calculus.find(name);
  for (SymbolicView& v : symbolic_views(entry)) {
    const Checks checks = checks_of(calculus, v);
    ViewCase c{v, v.facts, checks.error, ""};
    for (const auto& more : {as_hypotheses(checks), typed_indices(v)})
      c.hypotheses.insert(c.hypotheses.end(), more.begin(), more.end());
    for (std::size_t k = 0; k < entry.sizes.size(); ++k)
      if (const auto w = v.instance.sizes[k].constant()) c.about = entry.sizes[k] + " = " + std::to_string(*w);
    out.push_back(std::move(c));
  }
  return out;
}

Case case_of(const ViewCase& v, std::vector<std::vector<Term>> hypotheses, Term goal) {
  Case c{{v.hypotheses, std::move(goal), v.view.sizes}, v.about};
  for (const auto& more : hypotheses)
    c.question.hypotheses.insert(c.question.hypotheses.end(), more.begin(), more.end());
  return c;
}
Case as_told(Case c, const Reading& r) {
  c.may_be_void = !r.known.empty();
  return c;
}
Case broken(const ViewCase& v, const std::string& error, bool understood) { return {{}, v.about, error, understood}; }

namespace {

// Each reading at each place of the result, a case each.
std::vector<Case> at_every_place(const ViewCase& v, const std::function<Case(const Place&, const Reading&)>& claim) {
  std::vector<Case> out;
  if (!v.error.empty()) return {broken(v, "the check uses " + v.error, false)};
  for (const Place& p : places(v.view, v.view.result, ""))
    for (const Reading& r : readings(v.view, p.path))
      out.push_back(r.error.empty() ? as_told(claim(p, r), r) : broken(v, r.error, r.understood));
  return out;
}

Case says_its_equation(const ViewCase& v, const ViewEquation& equation, const Place& p, const Reading& r) {
  std::vector<Term> each;
  try {
    if (static_cast<int>(r.elements.size()) != std::max(1, p.lanes))
      return broken(v, "the read path gives another number of lanes");
    for (std::size_t l = 0; l < r.elements.size(); ++l)
      each.push_back(equal(r.elements[l], equation.element({v.view, p, static_cast<int>(l)})));
  } catch (const WrongEquation& e) {
    return broken(v, e.what);
  }
  return case_of(v, {p.ranges, r.known}, all_of(each));
}

Case reads_inside(const ViewCase& v, const Place& p, const Reading& r) {
  std::vector<Term> each = r.natural;
  for (const ArgumentRead& a : r.reads) each.push_back(implies(a.condition, inside(a.place)));
  return case_of(v, {p.ranges, r.known}, all_of(each));
}

Outcome decide_views(const CalculusRef& calculus, const std::string& view,
                     const std::function<Case(const ViewCase&, const Place&, const Reading&)>& claim,
                     const Solver& solver) {
  std::vector<Case> cases;
  for (const ViewCase& v : view_cases(*calculus, view))
    for (Case& c : at_every_place(v, [&](const Place&p, const Reading&r) { return claim(v, p, r); }))
      cases.push_back(std::move(c));
  return decide_all(cases, 10000, solver);
}

}  // namespace

std::vector<Obligation> read_path_obligations(const CalculusRef& calculus, const std::string& view) {
  const auto equation = ViewEquation::read(*calculus->find(view));
  const auto reads = [=](const Solver& solver) -> Outcome {
    if (!equation) return {Standing::Unknown, "", "its equation has " + equation.error()};
    return decide_views(
        calculus, view,
        [&](const ViewCase& v, const Place& p, const Reading& r) { return says_its_equation(v, *equation, p, r); },
        solver);
  };
  const auto bounds = [=](const Solver& solver) { return decide_views(calculus, view, reads_inside, solver); };
  return {{"views", view, equation ? "reads " + equation->text() : "reads what its equation says", reads},
          {"views", view, "reads inside its arguments", bounds}};
}

}  // namespace lockstep::proofs

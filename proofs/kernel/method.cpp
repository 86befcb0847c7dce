// Methods put together, and as text (method.h).
#include "proofs/kernel/method.h"

#include <algorithm>
#include <iterator>

#include "proofs/smt/solver.h"

namespace lockstep::proofs::kernels {

Method Method::of(const std::vector<std::string>& solvers, bool with_lemmas) {
  const std::set<std::string> all(solvers.begin(), solvers.end());
  return {with_lemmas ? Lemmas : Solvers, all, all};
}

std::string Method::text() const {
  switch (way) {
    case None:
      return "";
    case Structure:
      return "structure";
    case Normalisation:
      return "normalisation";
    case Solvers:
    case Lemmas:
      break;
  }
  const auto names = [](const std::set<std::string>& s, const char* between) {
    return smt::names_of({s.begin(), s.end()}, between);
  };
  return (each.empty() ? names(some, " or ") : names(each, " and ")) + (way == Lemmas ? " with lemmas" : "");
}

Method both(const Method& a, const Method& b) {
  Method out{std::max(a.way, b.way), {}, a.some};
  out.some.insert(b.some.begin(), b.some.end());
  if (a.some.empty() || b.some.empty())
    out.each = a.some.empty() ? b.each : a.each;
  else
    std::set_intersection(a.each.begin(), a.each.end(), b.each.begin(), b.each.end(),
                          std::inserter(out.each, out.each.end()));
  return out;
}

}  // namespace lockstep::proofs::kernels

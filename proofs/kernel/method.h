// How something is proved for all sizes.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace lockstep::proofs::kernels {

struct Method {
  enum Way { None, Structure, Normalisation, Solvers, Lemmas };  // from the least that is relied on to the most
  Way way = None;
  // Of the questions that were asked of solvers: who proves every one, and who one at least.
  std::set<std::string> each{}, some{};
  static Method of(const std::vector<std::string>& solvers, bool with_lemmas);
  // "structure", "normalisation", "Z3 and cvc5" where each proves all of it, "Z3 or cvc5" where one does one part and
  // another another, "Z3 with lemmas".
  std::string text() const;
};
// Of one thing that is proved in two parts.
Method both(const Method& a, const Method& b);

}  // namespace lockstep::proofs::kernels

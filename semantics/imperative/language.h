// The languages of DPIA (semantics/language): functional and imperative phrases, kernels, and host programs.
#pragma once
#include "semantics/functional/law.h"
#include "semantics/host/language.h"

namespace lockstep {

// Functional programs are those without an output.
LanguageRef functional_language(std::shared_ptr<const Calculus> calculus);
// `chosen`: the space of every variable is.
LanguageRef imperative_language(std::shared_ptr<const Calculus> calculus, bool chosen = false);

// `before_barriers`: of kernels whose threads run as if barriers stood where they are needed.
struct DpiaLanguages {
  std::shared_ptr<const Calculus> calculus;  // what programs are made of
  LanguageRef functional, imperative;        // of PhraseProgram
  LanguageRef hoisted;                       // imperative, where the space of every variable is chosen
  LanguageRef before_barriers, kernel;       // of kernel::Program
  LanguageRef host;                          // of host::Program
  rewriting::LawOracle laws{};               // of operators; nothing: what they claim
};
DpiaLanguages dpia_languages(std::shared_ptr<const Calculus> calculus);

}  // namespace lockstep

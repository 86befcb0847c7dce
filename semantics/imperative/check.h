// The interference-controlled types of Fig. 3 (syntactic control of interference with passivity), independent of the
// types that stand in the nodes: every type is computed anew from binders and constants, and compared. With the spaces
// of variables and the levels of loops (spaces.h).
#pragma once
#include <functional>
#include <set>

#include "semantics/core/phrase.h"

namespace lockstep {

struct CheckOptions {
  // Levels that the machine at hand runs one after another: the bodies of their loops need not be passive.
  std::set<Level> sequential{};
  // After hoisting (DPIA §6.4) a body writes element i of an array that stands outside the loop. Allowed where every
  // use in the body goes through the index of that loop at one and the same place. Fig. 3 alone has no such rule.
  bool own_elements = false;
  // After hoisting the space of every variable is chosen: what is private stays with its thread.
  bool chosen_spaces = false;
  // Whether the facts imply a goal that normal forms leave open, as where inference asked a solver; nothing: it is not
  // asked.
  SizeImplication implied{};
};

// Free identifiers are the parameters, exp[d], and the output, acc[result]; the body is comm, or exp[result] where the
// program is functional. Diagnostics name the rule that is broken.
Checked<void> check_program(const PhraseProgram& program, const CheckOptions& options = {});

}  // namespace lockstep

// What the loops stage (translate/loops, DPIA §4.2) makes of an intermediate combinator whose parts are unknown, as
// changes of a store: what the equations of the translation are proved of.
#pragma once
#include "proofs/calculus/terms.h"
#include "translate/dpia/stage.h"

namespace lockstep::proofs {

// Free names: s0, s: stores; k: the iteration; n: how many; places acc, next, again of the variables, A of the output.
// Unknown parts: E(store, i): element i of the array read; I: the start; T(store, .., y, o): the store after the
// translated function, i an index into E, y the place of the state, o that of the acceptor; TQ: the same of a
// condition; C(store, y).
struct LoopTerms {
  Term begun;  // the store where the loop begins, from s0
  Term after;  // after iteration k, from s
  Term ended;  // at the end of all, where the loop has left s
};
using Combinator = std::variant<imp::MapI, imp::ReduceI, imp::ScanI, imp::IterateI, imp::WhileI>;
// An error says what of the commands is not understood.
tl::expected<LoopTerms, std::string> loop_terms(const Stage& loops, const Combinator& of);

}  // namespace lockstep::proofs

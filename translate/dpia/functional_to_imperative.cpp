// The stage: A[E](output) for the whole program (DPIA §4.1).
#include "semantics/functional/names.h"
#include "translate/dpia/fig5.h"
#include "translate/dpia/stage.h"

namespace lockstep {
Stage functional_to_imperative(const DpiaLanguages& l) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "translate", "DPIA §4.1, Fig. 5", l.functional, l.imperative,
      [c = l.calculus](const PhraseProgram& p, Owed*) {
        Names names = names_of(p);
        PhraseProgram out = p;
        out.output = names.fresh("output");
        Fig5 fig5(*c, names);
        out.body = fig5.acceptor(p.body, ident(out.output, acc_type(p.result)));
        return out;
      },
      {CostRelation::Change::NotMore, CostRelation::Change::NotMore, CostRelation::Space::Declared});
}

}  // namespace lockstep

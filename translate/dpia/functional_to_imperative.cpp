// The stage: A[E](output) for the whole program (DPIA §4.1).
#include "translate/dpia/fig5.h"
#include "translate/dpia/stage.h"

namespace lockstep {
PhraseStage functional_to_imperative() {
  return {"translate", "DPIA §4.1, Fig. 5", [](const PhraseProgram& p, const Calculus& calculus, Machine) {
            Names names = names_of(p);
            PhraseProgram out = p;
            out.output = names.fresh("output");
            Fig5 fig5(calculus, names);
            out.body = fig5.acceptor(p.body, ident(out.output, acc_type(p.result)));
            return out;
          }};
}

}  // namespace lockstep

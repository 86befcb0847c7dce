// Every obligation of the calculus itself, once for all programs (`lockstep prove` without FILE), and the statements
// that are wrong and must be refuted.
#pragma once
#include "proofs/calculus/views/list.h"
#include "translate/dpia/stage.h"

namespace lockstep::proofs {

// The views' paths and meanings, the translation's equations (DPIA §5.3), the laws that strategies rely on, the laws
// that the scalar operators claim.
std::vector<Obligation> calculus_obligations(const CalculusRef& calculus);

std::vector<Obligation> translation_obligations(
    const Stage& loops = lockstep::loops(dpia_languages(std::make_shared<const Calculus>(standard_calculus())),
                                         Machine::Cpu));
// Of a loop of the calculus; of one that is no call in programs nothing.
std::vector<Obligation> loop_obligations(const CalculusRef& calculus, const std::string& loop);
std::vector<Obligation> facet_obligations();
std::vector<Obligation> scattered_obligations();
std::vector<Obligation> strategy_obligations();
std::vector<Obligation> collective_laws();   // those of them that are about what a block or a warp does together
std::vector<Obligation> interchange_laws();  // about loops that change places
std::vector<Obligation> part_laws();         // about arrays in parts, longer, turned round
std::vector<Obligation> permute_laws();      // those of them about permute by copies, and by atomic updates
std::vector<Obligation> place_laws();        // about places that are distinct
std::vector<Obligation> window_laws();       // about windows
std::vector<Obligation> fusion_laws();       // the rules of translate/fusion
std::vector<Obligation> operator_obligations(const CalculusRef& calculus);
std::vector<Obligation> wrong_statements();  // each has `wrong` set
std::vector<Obligation> wrong_facets();
std::vector<Obligation> wrong_scattered();
std::vector<Obligation> wrong_collective_laws();
std::vector<Obligation> wrong_interchange_laws();
std::vector<Obligation> wrong_part_laws();
std::vector<Obligation> wrong_permute_laws();
std::vector<Obligation> wrong_place_laws();
std::vector<Obligation> wrong_window_laws();
std::vector<Obligation> wrong_fusion_laws();

struct Decided {
  Outcome outcome;
  double seconds = 0;
};
// Each obligation's outcome, in their order; as many threads as there are processors. `step` is called on this thread,
// now and then, with how many are done.
std::vector<Decided> decide_obligations(const std::vector<Obligation>& all,
                                        const std::function<void(std::size_t)>& step = {}, const Solver& solver = z3());

// As it must be: proved, tested or assumed; of a wrong statement, refuted.
bool as_it_must_be(const Obligation& o, const Outcome& found);

}  // namespace lockstep::proofs

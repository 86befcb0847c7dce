// Networks of transducers as a language (semantics/language).
#pragma once
#include "semantics/svcode/language.h"
#include "semantics/transducer/run.h"

namespace lockstep::transducer {

struct TransducerLanguage : Language {
  std::function<tl::expected<svcode::Run, Trap>(const Program&, const std::vector<svcode::Stream>&, snesl::Files&,
                                                const RunOptions&)>
      run = transducer::run;
};
const std::shared_ptr<const TransducerLanguage>& transducer_language();

}  // namespace lockstep::transducer

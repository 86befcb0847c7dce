// Programs of SVCODE as the engine runs them.
#pragma once
#include "translate/transducers/stages.h"

namespace lockstep::transducer::test {

inline std::vector<Program> networks(const std::vector<svcode::Program>& all) {
  std::vector<Program> r;
  for (const svcode::Program& p : all) r.push_back(transducers(p));
  return r;
}

}  // namespace lockstep::transducer::test

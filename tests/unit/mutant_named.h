// A planted mistake by its name.
#pragma once
#include "props/dpia/mutants/mutants.h"

namespace lockstep::props {

inline const Mutant& mutant_named(const std::string& name) {
  static const std::vector<Mutant> all = mutants();
  for (const Mutant& m : all)
    if (m.name == name) return m;
  throw Bug("no mutant " + name);
}

}  // namespace lockstep::props

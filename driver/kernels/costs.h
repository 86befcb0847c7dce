// What a program of the calculus costs at its stages, and on a GPU, for `cost`.
#pragma once
#include "driver/frontend.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::driver {

struct CostedProgram {
  std::string language;  // that it was written in
  const PhraseProgram& program;
  const Calculus& calculus;
};
// Polynomials in its sizes; numbers where those are given.
Said costs_of(const CostedProgram& of, const SizeValues& sizes, const Options& options);

}  // namespace lockstep::driver

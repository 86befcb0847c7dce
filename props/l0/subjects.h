// What of the programs of a trace of L0 is checked, run and costed.
#pragma once
#include <limits>

#include "props/dpia/lowered.h"
#include "props/engine/verify.h"
#include "props/l0/outcomes.h"
#include "translate/pipeline/trace.h"

namespace lockstep::props::l0 {

struct Input {
  language::Values leaves;
  std::string text;
  Outcome expected;  // of the source
};
struct Tests {
  const language::Function& function;  // the source's
  Trace trace;
  std::vector<Input>& inputs;
  std::int64_t most_scalars = std::numeric_limits<std::int64_t>::max();  // of an array that iota or replicate makes
  std::vector<std::vector<std::int64_t>> work{};  // by program and input, views left out; -1: it trapped
};
// What is wrong with a program itself: types, uses, normal form where it is to have it, its text; and in a word what
// kind of wrong that is.
std::pair<std::string, std::string> wrong_with(const Trace& trace, std::size_t k);
// The k-th program of the trace; 0 is the source.
std::unique_ptr<Subject> subject(Tests& tests, std::size_t k);
// Its last program, for the rows of the calculus; the tests outlive it.
LoweredSource lowered_source(const Tests& tests);

}  // namespace lockstep::props::l0

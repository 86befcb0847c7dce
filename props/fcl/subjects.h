// What of the programs of a trace of FCL is checked and run; the located machine beside them.
#pragma once
#include "props/engine/verify.h"
#include "props/fcl/inputs.h"
#include "semantics/fcl/step.h"
#include "translate/pipeline/trace.h"

namespace lockstep::props::fcl {

struct Tests {
  Signature signature;
  Trace trace;
  const std::vector<Input>& inputs;
  std::uint64_t rounds = 0;  // of `while`, limit
};
// What is wrong with a program itself: types, normal form where it is to have it, its text; and in a word what kind of
// wrong that is.
std::pair<std::string, std::string> wrong_with(const Trace& trace, std::size_t k);
// The k-th program of the trace; 0 is the source.
std::unique_ptr<Subject> subject(const Tests& tests, std::size_t k);
// For the located machine: arguments as terms, and how large it is.
std::vector<language::Expr> terms_of(const Signature& s, const Arguments& arguments);
language::Machine drawn_machine(Random& random);
// The source in small steps (FCL §5.2) on machines and under schedules that are drawn, on inputs that are small.
struct StepOptions {
  std::uint64_t seed = 1;
  std::size_t most_elements = 24;      // of arguments
  std::size_t most_steps = 20'000;     // of a run: what takes more is not told of
  std::size_t runs = 4;                // of an input
  std::size_t least_inputs = 6;        // where fewer are small, others are drawn, for blocks of two threads
  std::size_t* steps_taken = nullptr;  // counted there
  language::PrintedRules printed{};    // in the place of the amended ones
};
std::unique_ptr<Subject> step_subject(const Tests& tests, const StepOptions& options);
// Its last program, for the rows of the calculus; the tests outlive it.
LoweredSource lowered_source(const Tests& tests);

}  // namespace lockstep::props::fcl

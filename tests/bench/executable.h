// A program of the calculus compiled for the CPU, which runs into the same results again and again.
#pragma once
#include "codegen/targets/target.h"
#include "proofs/laws/compiling.h"

namespace lockstep::bench {

class OnCpu {
 public:
  // `into`: where its results go; nowhere: into arrays of its own.
  OnCpu(const PhraseProgram& program, const Calculus& calculus, Arguments arguments, std::vector<void*> into = {})
      : arguments_(std::move(arguments)), into_(std::move(into)) {
    const DpiaTrace trace = proofs::lawful_trace(program, calculus, Machine::Cpu);
    auto loaded = load_on(*find_target("openmp"), trace.last(), program.result);
    if (!loaded) throw std::runtime_error(loaded.error().message);
    executable_ = std::move(*loaded);
    if (!into_.empty()) return;
    results_ = executable_->allocate_results(arguments_.sizes).value();
    into_ = writable(results_);
  }
  void operator()() const {
    if (!executable_->run_into(arguments_, into_)) throw std::runtime_error("a benchmark trapped");
  }
  const void* result(std::size_t leaf) const { return into_.at(leaf); }

 private:
  Arguments arguments_;
  std::optional<Executable> executable_;
  Leaves results_;
  std::vector<void*> into_;
};

}  // namespace lockstep::bench

// A run of a program of the calculus on a target, whatever language it was made from.
#pragma once
#include "codegen/targets/target.h"
#include "driver/frontend.h"
#include "semantics/kernel/cost.h"
#include "translate/dpia/stage.h"

namespace lockstep::driver {

class KernelExecution : public Execution {
 public:
  // `bench`: results are allocated once.
  KernelExecution(PhraseProgram program, const CalculusRef& calculus, Arguments arguments, const Target& target,
                  bool bench);

  std::optional<Trap> run() override;
  std::optional<double> run_measured() override;
  std::vector<NpyOutput> arrays() const override;
  std::uint64_t bytes() const override;
  std::string bytes_text() const override;
  std::optional<FloatOperations> float_operations() const override;
  std::string at() const override { return show(arguments_.sizes); }
  Json where() const override { return Json{{"sizes", sizes_json(arguments_.sizes)}}; }

 protected:
  // Functions of the target's own have other last bits: the results beside exact arithmetic.
  Comparison within_bound() const;

  const PhraseProgram program_;
  const Arguments arguments_;
  std::string own_;  // functions of the target's own that it calls
  Leaves results_;   // of the last run, where it did not trap
  std::optional<Trap> trap_;

 private:
  const bool bench_;
  kernel::FloatOperations operations_;
  std::optional<Executable> compiled_;
  std::vector<void*> into_;
};

std::optional<Execution::FloatOperations> at_sizes(const kernel::FloatOperations& operations, const SizeValues& sizes);
std::vector<NpyOutput> npy_outputs(const Leaves& leaves);  // which outlive them

}  // namespace lockstep::driver

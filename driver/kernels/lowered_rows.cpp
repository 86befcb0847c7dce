#include "driver/kernels/lowered_rows.h"

#include "driver/kernels/proofs.h"

namespace lockstep::driver {

LoweredRows::LoweredRows(props::Case& c, props::LoweredSource source, const MadeInCalculus& made,
                         const VerifyRequest& request)
    : made_(made), inputs_(source.inputs.size()) {
  if (!made) return;
  props::Effort effort;
  effort.seed = request.seed;
  effort.adversarial = props::orders_by_load(request.seed);
  lowered_.emplace(std::move(source), *made, *lowered_calculus(), std::move(effort),
                   std::vector{Machine::Cpu, Machine::Gpu}, true);
  lowered_->add(c);
  for (const std::string& name : request.targets) lowered_->add_target(c, *find_target(name));
}

void LoweredRows::conclude(props::Report& report, const props::Listener& listener, const std::string& language,
                           const std::string& file, const std::string& program) const {
  if (!lowered_) {
    report.notes.push_back(why_not_lowered(program, made_.error()));
    return;
  }
  if (lowered_->inputs() < inputs_)
    report.notes.push_back("from lower on, on the " + std::to_string(lowered_->inputs()) + " of " +
                           std::to_string(inputs_) +
                           " inputs that meet its conditions: " + conditions_of(made_->lowered));
  for (std::string& note : lowered_->notes()) report.notes.push_back(std::move(note));
  if (listener.progress) listener.progress("proving", 0, 0);
  add_claims({language, file, program, made_->program, *lowered_calculus(), made_->sizes}, lowered_->traces(), report);
}

}  // namespace lockstep::driver

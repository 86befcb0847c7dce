// What the commands do with .l0 programs (driver/frontend.h).
#pragma once
#include "driver/entry.h"
#include "driver/languages/l0/program.h"
#include "translate/l0/fuse.h"

namespace lockstep::driver {

const Frontend& l0_language();

std::unique_ptr<Execution> execution_of(const L0File& file, const l0::Function& entry, const std::string& target,
                                        const Options& options, bool bench);
std::vector<StageText> stages_of(const L0File& file, const l0::Function& entry, const Options& options);
Said cost_of(const L0File& file, const l0::Function& entry, const Options& options);
Said proofs_of(const L0File& file, const l0::Function& entry, const Options& options);
EmittedText emitted(const L0File& file, const l0::Function& entry, const Options& options);
l0::FusionMode fusion_mode(const std::string& option);  // --fusion; Full where nothing is said
Said fusions(const L0File& file, const l0::Function& entry, const Options& options);
RandomPrograms l0_programs();
Said l0_mutants(const Options& options);
props::Report verified(const L0File& file, const l0::Function& entry, const VerifyRequest& request,
                       const props::Listener& listener);
Said checked(const L0File& file, const std::string& function);

}  // namespace lockstep::driver

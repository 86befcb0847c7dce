// What the commands do with .fcl programs (driver/frontend.h).
#pragma once
#include "driver/entry.h"
#include "driver/languages/fcl/program.h"

namespace lockstep::driver {

const Frontend& fcl_language();

std::unique_ptr<Execution> execution_of(const FclFile& file, const FclEntryPoint& entry, const std::string& target,
                                        const Options& options, bool bench);
props::Report verified(const FclFile& file, const FclEntryPoint& entry, const VerifyRequest& request,
                       const props::Listener& listener);
std::vector<StageText> stages_of(const FclFile& file, const FclEntryPoint& entry, const Options& options);
Said cost_of(const FclFile& file, const FclEntryPoint& entry, const Options& options);
Said proofs_of(const FclFile& file, const FclEntryPoint& entry, const Options& options);
EmittedText emitted(const FclFile& file, const FclEntryPoint& entry, const Options& options);
RandomPrograms fcl_programs();
Said fcl_mutants(const Options& options);
Said checked(const FclFile& file, const std::string& definition);

}  // namespace lockstep::driver

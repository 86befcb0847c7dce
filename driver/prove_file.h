// What is proved of a program's kernels for all sizes: the report of `prove FILE`, and its sums for `verify`.
#pragma once
#include "driver/commands.h"
#include "proofs/program_obligations.h"

namespace lockstep::driver {

int prove_file(const Options& options);

std::string_view name_of(Machine m);  // "CPU", "GPU"
// A row for each kind, and below what is not proved, or everything with `all`.
std::string report_of(const std::vector<proofs::MachineObligations>& found, bool all, bool colour);
Json json_of(const std::vector<proofs::MachineObligations>& found);
bool any_violated(const std::vector<proofs::MachineObligations>& found);

}  // namespace lockstep::driver

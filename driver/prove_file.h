// What is proved of a program's kernels for all sizes: the report of `prove FILE`, and its sums for `verify`.
#pragma once
#include "driver/commands.h"
#include "proofs/program_obligations.h"

namespace lockstep::driver {

int prove_file(const Options& options);

std::string_view name_of(Machine m);  // "CPU", "GPU"
// A row for each kind, and below what is not proved, or everything with `all`.
std::string report_of(const std::vector<program_proofs::MachineObligations>& found, bool all, bool colour);
Json json_of(const std::vector<program_proofs::MachineObligations>& found);
// For verify: a line for each machine, "proved for all sizes of the kernel for CPU: bounds 12/12, races 3/3, ...".
std::string sums_of(const std::vector<program_proofs::MachineObligations>& found);
// For its certificate: a proved claim for each kind; what is not proved has been tested on so many inputs, or failed.
void add_claims(const std::vector<program_proofs::MachineObligations>& found, std::size_t tested, Json& claims,
                Json& failures);
bool any_by_z3(const std::vector<program_proofs::MachineObligations>& found);
// The first that is violated, with its counterexample; "" where there is none.
std::string first_violated(const std::vector<program_proofs::MachineObligations>& found);
bool any_violated(const std::vector<program_proofs::MachineObligations>& found);

}  // namespace lockstep::driver

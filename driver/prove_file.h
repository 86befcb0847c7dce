// What is proved of a program's kernels for all sizes: the report of `prove FILE`, and its sums for `verify`.
#pragma once
#include "driver/commands.h"
#include "proofs/kernel/obligations.h"

namespace lockstep::driver {

int prove_file(const Options& options);

std::string_view name_of(Machine m);  // "CPU", "GPU"
// A row for each kind, and below what is not proved, or everything with `all`.
std::string report_of(const std::vector<proofs::kernels::MachineObligations>& found, bool all, bool colour);
Json json_of(const std::vector<proofs::kernels::MachineObligations>& found);
// What a proof of the program's kernels supposes: "n%4 == 0, inputs of idx(m) below m and 64-bit indices".
std::string hypotheses_of(const PhraseProgram& program);
// For verify: a line for each machine, "proved for all sizes, given 64-bit indices, of the kernel for the CPU: bounds
// 12/12, races 3/3, ...".
std::string sums_of(const std::vector<proofs::kernels::MachineObligations>& found, const std::string& hypotheses);
// For its certificate: a proved claim for each kind; what is not proved has been tested on so many inputs, or failed.
void add_claims(const std::vector<proofs::kernels::MachineObligations>& found, const std::string& hypotheses,
                std::size_t tested, Json& claims, Json& failures);
bool any_by_z3(const std::vector<proofs::kernels::MachineObligations>& found);
// The first that is violated, with its counterexample; "" where there is none.
std::string first_violated(const std::vector<proofs::kernels::MachineObligations>& found);
bool any_violated(const std::vector<proofs::kernels::MachineObligations>& found);

}  // namespace lockstep::driver

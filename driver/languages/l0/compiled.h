// Functions of .l0 on targets: in the calculus, and from there on as .dpia programs are.
#pragma once
#include "codegen/targets/target.h"
#include "driver/frontend.h"
#include "driver/kernels/proofs.h"
#include "driver/languages/l0/program.h"
#include "semantics/l0/language.h"
#include "semantics/primitives/calculus.h"
#include "translate/l0/lower/lower.h"

namespace lockstep::driver {

const CalculusRef& l0_calculus();  // that .l0 programs are taken to
// After the last stage of L0, to be launched as was asked for.
tl::expected<l0::InCalculus, l0::NotLowered> in_calculus(const L0File& file, const l0::Entry& last);
// "main stays on the interpreter: the length of filter ... is known only when it runs (p.l0:3:5)"
std::string why_not_lowered(const l0::Function& entry, const l0::NotLowered& why);
// A Failure with what is not possible yet.
const l0::InCalculus& lowered_or_fail(const l0::Function& entry,
                                      const tl::expected<l0::InCalculus, l0::NotLowered>& program,
                                      const std::string& help = "run it with --target interpreter");
std::string conditions_of(const l0::Lowered& l);  // "x : [n][m], y : [m][n], n <= m"
ProvedProgram proved(const L0File& file, const l0::Function& entry, const l0::InCalculus& program);

// What a run gave beside what the source gives on the same arguments, traps included.
Execution::Comparison beside_source(const L0File& file, const l0::Function& entry, const l0::Values& arguments,
                                    const tl::expected<l0::Value, Trap>& found);
std::vector<NpyOutput> npy_outputs(const Leaves& leaves);  // which outlive them
// On arguments that meet the program's conditions.
std::unique_ptr<Execution> compiled_execution(const L0File& file, const l0::Function& entry, l0::InCalculus program,
                                              Arguments arguments, l0::Values source_arguments, const Target& target,
                                              bool bench);

}  // namespace lockstep::driver

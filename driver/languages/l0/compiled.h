// Functions of .l0 on targets: in the calculus, and from there on as .dpia programs are.
#pragma once
#include "driver/kernels/lowered_execution.h"
#include "driver/kernels/proofs.h"
#include "driver/languages/l0/arguments.h"
#include "driver/languages/l0/program.h"
#include "semantics/l0/language.h"
#include "semantics/primitives/calculus.h"
#include "translate/l0/lower/lower.h"

namespace lockstep::driver {

// After the last stage of L0, to be launched as was asked for.
MadeInCalculus in_calculus(const L0File& file, const l0::Entry& last);
ProvedProgram proved(const L0File& file, const l0::Function& entry, const InCalculus& program);

// Arguments as arrays stay as they are; values made of them are their own.
SourceRun source_run(const L0File& file, const l0::Function& entry);
std::vector<Leaves> leaves_of_each(const l0::Values& values);
l0::Values values_from(const l0::Function& entry, const std::vector<Leaves>& arguments);
ToDraw to_draw(const l0::Function& entry, const L0Arguments& bound);

}  // namespace lockstep::driver

// Programs of other languages in the calculus: where they are taken to, why not, their texts.
#pragma once
#include "driver/kernels/kernels.h"
#include "semantics/primitives/calculus.h"
#include "translate/lowered/in_calculus.h"

namespace lockstep::driver {

using MadeInCalculus = tl::expected<InCalculus, NotLowered>;

std::string conditions_of(const LoweredProgram& l);  // "x : [n][m], y : [m][n], n <= m"
const CalculusRef& lowered_calculus();               // that they are taken to
// "main runs on the interpreter only: the length of filter ... is known only when it runs (p.l0:3:5)"
std::string why_not_lowered(const std::string& program, const NotLowered& why);
// A Failure with what is not possible yet.
const InCalculus& lowered_or_fail(const std::string& program, const MadeInCalculus& made,
                                  const std::string& help = "run it with --target interpreter");
bool has_stage(const std::vector<StageText>& all, const std::string& stage);
// Adds it as it was lowered, its kernels and the text of the target, or why there are none, as a comment of its
// language; the text where that may be the stage that was asked for.
void add_lowered(std::vector<StageText>& out, const std::string& program, const std::string& comment,
                 const MadeInCalculus& made, const Options& options);
// The text of the target that was asked for as files.
EmittedText text_files(const Target& target, const InCalculus& lowered, const std::string& program);

}  // namespace lockstep::driver

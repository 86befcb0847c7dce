// Host programs as a language (semantics/language).
#pragma once
#include "semantics/host/program.h"
#include "semantics/kernel/language.h"

namespace lockstep::host {

LanguageRef language();
// The kernel program that a program of either language is called as.
const kernel::Program& called_as(const AnyProgram& program);
AnyProgram renamed(const AnyProgram& program, const std::string& name);

}  // namespace lockstep::host

// Planted mistakes, whatever the language.
#pragma once
#include <string>

namespace lockstep::props {

// Whether a mutant's name or family is as the pattern has it, in which * stands for anything.
bool is_like(const std::string& name, const std::string& family, const std::string& pattern);

}  // namespace lockstep::props

// What is said of a command line that is none.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lockstep::driver {

// What is wrong, what there is, and what was meant. `words`: after the program's name.
std::string misread(const CLI::ParseError& e, const CLI::App& all, const std::vector<const CLI::App*>& commands,
                    const std::vector<std::string>& words);

}  // namespace lockstep::driver

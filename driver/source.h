// A source file's name and text, whatever its language.
#pragma once
#include <string>

namespace lockstep::driver {

// FILE[:FUN]. A file's name may hold ':'; what is after the last one is FUN where it is an identifier and no file has
// the whole name.
struct ProgramName {
  std::string file;
  std::string function;  // "" for the last entry point
};
ProgramName program_name(const std::string& word);

// The text of a file; a Failure with status 2 where it cannot be read or is none.
std::string read_source(const std::string& file);

}  // namespace lockstep::driver

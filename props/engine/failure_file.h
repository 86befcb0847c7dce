// The file that a campaign writes of a failure: the program, with what is wrong and how to repeat it as a comment.
#pragma once
#include <cstdint>
#include <string>

namespace lockstep::props {

struct FailureFile {
  std::string folder, extension;  // made where it is not there; ".dpia"
  std::uint64_t seed = 0, program = 0;
  std::string property, stage, detail, input, command;
  std::string more;  // said below the command; may be empty
  std::string text;  // of the program
};
// Its path, or "" where it could not be written.
std::string write_failure(const FailureFile& f);

}  // namespace lockstep::props

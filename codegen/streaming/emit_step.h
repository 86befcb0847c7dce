// The text of single steps: the kernel's call, and the type of what it keeps from one call to the next.
#pragma once
#include <string>

#include "codegen/streaming/network.h"

namespace lockstep::engine {

// Where a step stands in a split program.
struct Place {
  bool is_given = false;  // an input that another part gives
  bool is_root = false;   // what the program is split along
  bool is_file = false;   // ... which is a file
};
std::string reader(const Step& step, std::size_t operand);                // its cursor's name
std::string state_declaration(const Network& network, const Step& step);  // "": nothing is kept
std::string file_type(const Step& step);                                  // "": no file is read or written
std::string call(const Network& network, const Step& step, const Place& place);
// The call that reads what a body gives as the first operand where it lies, where there is one.
bool has_call_in_place(const Step& step);
std::string call_in_place(const Network& network, const Step& step);

}  // namespace lockstep::engine

// name=value words to the arguments of a function of a .l0 file, and values as arrays in NumPy's files.
#pragma once
#include "codegen/runtime/npy.h"
#include "driver/languages/l0/program.h"
#include "semantics/l0/value.h"

namespace lockstep::driver {

// Of its parameters, in order. A Failure with status 2 for whatever is wrong with the words.
l0::Values bind_arguments(const l0::Function& f, const std::vector<std::string>& words);

// The same where the others are to be drawn: nothing of a parameter that no word gives.
std::vector<std::optional<l0::Value>> bind_given(const l0::Function& f, const std::vector<std::string>& words);

// A value's leaves as results are written, one array each, left to right.
struct L0Leaf {
  ScalarType type;
  std::vector<std::int64_t> shape;
  std::vector<unsigned char> bytes;
};
std::vector<L0Leaf> leaves_as_arrays(const l0::Value& value);

}  // namespace lockstep::driver

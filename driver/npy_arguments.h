// Arguments from NumPy's files, whatever the language: what is read, what fits, and how it is told that it does not.
// `word` is how the argument was written, for messages: a Failure with status 2.
#pragma once
#include "codegen/runtime/npy.h"

namespace lockstep::driver {

NpyArray read_array(const std::string& word, const std::string& path);
std::string numpy_name(ScalarType t);                               // "float64"
std::string described(const std::string& path, const NpyArray& a);  // "xs.npy holds i32 of shape (2, 3)"
// Whether a file's elements are such of a scalar: of its own type, or, as literals are, integers no longer than an i64
// of an i64, and numbers of an f64.
bool fits(ScalarType file, ScalarType wanted);
// So many of an array's elements, which fit, from the first-th on, to those of that type.
void copy_elements(const NpyArray& from, std::size_t first, std::size_t count, ScalarType wanted, unsigned char* to);
// `type` is the language's name of the scalar.
void refuse_type(const std::string& word, const std::string& path, const NpyArray& a, ScalarType wanted,
                 const std::string& type);
std::string how_to_convert(ScalarType wanted);

}  // namespace lockstep::driver

// Arguments of .snesl programs from NumPy's files. `word` is how the argument was written, for messages: a Failure with
// status 2 where a file cannot be read or does not fit.
#pragma once
#include "driver/languages/snesl/leaves.h"

namespace lockstep::driver {

snesl::Prim prim_of_file(const std::string& word, const std::string& path);
// One file: as many dimensions as the type is deep, its elements those of the type.
NpyArray array_of_file(const std::string& name, const std::string& path, const snesl::Type& type);
snesl::Value value_of_file(const std::string& name, const std::string& path, const snesl::Type& type);
// A file for each leaf; and the arrays, each of elements of its leaf's type and of one dimension at most.
std::vector<NpyArray> arrays_of_files(const std::string& name, const std::map<std::size_t, std::string>& paths,
                                      const snesl::Type& type);
snesl::Value value_of_files(const std::string& name, const std::map<std::size_t, std::string>& paths,
                            const snesl::Type& type);

}  // namespace lockstep::driver

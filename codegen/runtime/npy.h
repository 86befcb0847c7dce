// NumPy's .npy files: read in place where the bytes on disk are what a kernel wants, written whole.
// Format: numpy.lib.format, versions 1.0 to 3.0.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "codegen/runtime/files.h"
#include "semantics/core/type.h"

namespace lockstep {

// An array in C order and the machine's byte order, aligned to its elements. `data` is never null; an array of no
// elements has nothing behind it.
struct NpyArray {
  ScalarType type = ScalarType::Bool;
  std::vector<std::int64_t> shape;
  std::shared_ptr<const void> hold;  // keeps `data` alive: the mapped file, or a copy
  const void* data = nullptr;
  bool copied = false;  // converted from big-endian, Fortran order or an odd address
};

// The error names the file, what was found, what was expected and how to mend it. The file is mapped: whoever cuts it
// short while it is in use ends the process.
tl::expected<NpyArray, std::string> read_npy(const std::string& path);

// Elements in C order; bools are bytes of 0 and 1.
struct NpyOutput {
  std::string path;
  ScalarType type = ScalarType::Bool;
  std::vector<std::int64_t> shape;
  const void* data = nullptr;
};

// Format 1.0, the data at a multiple of 64 bytes. Several files appear all or none.
Written write_npys(const std::vector<NpyOutput>& outputs);

}  // namespace lockstep

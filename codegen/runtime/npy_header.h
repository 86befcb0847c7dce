// The header of a .npy file: a Python dictionary literal such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, as text and as what it says.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "semantics/core/type.h"

namespace lockstep {

struct NpyHeader {
  ScalarType type = ScalarType::Bool;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

int npy_element_bytes(ScalarType type);

// The number of elements; an error for more than 64 dimensions and for a shape whose size in bytes is no 63-bit number,
// zero lengths left out so that strides stay in range too.
tl::expected<std::int64_t, std::string> npy_element_count(ScalarType type, const std::vector<std::int64_t>& shape);

// Any key order, spacing and quotes; the error is without the file's name.
tl::expected<NpyHeader, std::string> parse_npy_header(std::string_view text);

// Magic, version, length and dictionary, padded to a multiple of 64 bytes.
std::string print_npy_header(const NpyHeader& header);

}  // namespace lockstep

// Writing .npy: header and data go out as they are, into files that appear whole.
#include <algorithm>

#include "codegen/runtime/npy.h"
#include "codegen/runtime/npy_header.h"

namespace lockstep {

Written write_npys(const std::vector<NpyOutput>& outputs) {
  std::vector<std::string> headers;
  std::vector<WholeFile> files;
  headers.reserve(outputs.size());  // the files point into it
  for (const auto& output : outputs) {
    const auto count = npy_element_count(output.type, output.shape);
    if (!count) return tl::unexpected("cannot write '" + output.path + "': " + count.error());
    const auto bytes = static_cast<std::size_t>(*count) * static_cast<std::size_t>(npy_element_bytes(output.type));
    headers.push_back(print_npy_header({output.type, false, false, output.shape}));
    files.push_back(
        {output.path,
         {std::as_bytes(std::span(headers.back())), std::span(static_cast<const std::byte*>(output.data), bytes)}});
  }
  return write_whole(files);
}

}  // namespace lockstep

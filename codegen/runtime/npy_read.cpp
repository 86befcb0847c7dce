// Reading .npy: the file is mapped and its data used in place; what is big-endian, in Fortran order or at an odd
// address is converted into a buffer.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <numeric>

#include "codegen/runtime/memory.h"
#include "codegen/runtime/npy.h"
#include "codegen/runtime/npy_header.h"

namespace lockstep {
namespace {

static_assert(std::endian::native == std::endian::little, "in-place reading takes < for the machine's order");

using Bytes = const unsigned char*;

struct MappedFile {
  std::shared_ptr<const void> hold;
  Bytes bytes = nullptr;
  std::size_t size = 0;
};

tl::expected<MappedFile, std::string> map_file(const std::string& path) {
  if (path.find('\0') != std::string::npos) return tl::unexpected(std::string("no file has such a name"));
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return tl::unexpected("cannot be read: " + system_message(errno));
  struct stat found {};
  if (::fstat(file.get(), &found) != 0) return tl::unexpected("cannot be read: " + system_message(errno));
  if (S_ISDIR(found.st_mode)) return tl::unexpected(std::string("is a folder; expected a .npy file"));
  if (!S_ISREG(found.st_mode)) return tl::unexpected(std::string("is not a regular file; expected a .npy file"));
  if (found.st_size == 0) return tl::unexpected(std::string("is empty; expected a .npy file"));
  const auto size = static_cast<std::size_t>(found.st_size);
  void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (at == MAP_FAILED) return tl::unexpected("cannot be mapped: " + system_message(errno));
  std::shared_ptr<const void> hold(at, [at, size](const void*) { ::munmap(at, size); });
  return MappedFile{std::move(hold), static_cast<Bytes>(at), size};
}

struct Layout {
  std::string_view header;
  std::size_t data = 0;  // offset
};

tl::expected<Layout, std::string> lay_out(const MappedFile& file) {
  constexpr std::string_view magic = "\x93NUMPY";
  const std::string_view text(reinterpret_cast<const char*>(file.bytes), file.size);
  if (text.substr(0, magic.size()) != magic) {
    const bool cut = magic.starts_with(text);
    return tl::unexpected(std::string(cut ? "ends within its first 6 bytes"
                                          : "is no .npy file: its first 6 bytes are "
                                            "not \\x93NUMPY") +
                          (text.starts_with("PK") ? "; it looks like .npz: unzip it and name the arrays in it"
                                                  : "; save the array with numpy.save"));
  }
  if (file.size < 8) return tl::unexpected(std::string("ends within its version; save it again"));
  const int major = file.bytes[6];
  const int minor = file.bytes[7];
  if (major < 1 || major > 3 || minor != 0)
    return tl::unexpected("has format " + std::to_string(major) + "." + std::to_string(minor) +
                          "; expected 1.0, 2.0 or 3.0");
  const std::size_t width = major == 1 ? 2 : 4;
  if (file.size < 8 + width) return tl::unexpected(std::string("ends within its header's length; save it again"));
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = length << 8 | file.bytes[8 + i];
  const std::size_t begin = 8 + width;
  if (length > file.size - begin)
    return tl::unexpected("ends within its header: " + std::to_string(length) + " bytes expected, " +
                          std::to_string(file.size - begin) + " found; save it again");
  return Layout{text.substr(begin, length), begin + length};
}

template <std::size_t width, bool swapped>
void copy_element(unsigned char* to, Bytes from) {
  if constexpr (swapped)
    std::reverse_copy(from, from + width, to);
  else
    std::memcpy(to, from, width);
}

// In Fortran order the first index is the fastest, in C order the last: for each index of the dimensions between them
// this transposes a matrix, by tiles that stay in the cache.
template <std::size_t width, bool swapped>
void to_c_order(unsigned char* to, Bytes from, const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t tile = 32;
  const auto rows = shape.front();
  const auto columns = shape.back();
  const std::vector<std::int64_t> between(shape.begin() + 1, shape.end() - 1);
  const auto inner = std::accumulate(between.begin(), between.end(), std::int64_t{1}, std::multiplies<>());
  for (std::int64_t c = 0; c < inner; ++c) {      // the position between in C order
    std::int64_t f = 0, rest = c, scale = inner;  // and f in Fortran order
    for (std::size_t k = between.size(); k-- > 0;) {
      scale /= between[k];
      f += rest % between[k] * scale;
      rest /= between[k];
    }
    for (std::int64_t i0 = 0; i0 < rows; i0 += tile)
      for (std::int64_t j0 = 0; j0 < columns; j0 += tile)
        for (std::int64_t i = i0; i < std::min(rows, i0 + tile); ++i)
          for (std::int64_t j = j0; j < std::min(columns, j0 + tile); ++j)
            copy_element<width, swapped>(to + static_cast<std::size_t>((i * inner + c) * columns + j) * width,
                                         from + static_cast<std::size_t>((j * inner + f) * rows + i) * width);
  }
}

template <std::size_t width, bool swapped>
void convert(unsigned char* to, Bytes from, const NpyHeader& header, bool reordered, std::size_t count) {
  if (reordered) return to_c_order<width, swapped>(to, from, header.shape);
  for (std::size_t i = 0; i < count; ++i) copy_element<width, swapped>(to + i * width, from + i * width);
}

void convert(unsigned char* to, Bytes from, const NpyHeader& header, bool reordered, std::size_t count) {
  const bool swapped = header.big_endian;
  switch (npy_element_bytes(header.type)) {
    case 1:
      return convert<1, false>(to, from, header, reordered, count);
    case 2:
      return swapped ? convert<2, true>(to, from, header, reordered, count)
                     : convert<2, false>(to, from, header, reordered, count);
    case 4:
      return swapped ? convert<4, true>(to, from, header, reordered, count)
                     : convert<4, false>(to, from, header, reordered, count);
    default:
      return swapped ? convert<8, true>(to, from, header, reordered, count)
                     : convert<8, false>(to, from, header, reordered, count);
  }
}

// Both orders are one where at most one length is more than 1.
bool order_matters(const std::vector<std::int64_t>& shape) {
  return std::count_if(shape.begin(), shape.end(), [](std::int64_t n) { return n > 1; }) > 1;
}

tl::expected<NpyArray, std::string> read_data(const MappedFile& file, std::size_t offset, const NpyHeader& header) {
  alignas(64) static constexpr unsigned char nothing[64] = {};
  const auto count = static_cast<std::size_t>(*npy_element_count(header.type, header.shape));
  const auto width = static_cast<std::size_t>(npy_element_bytes(header.type));
  const std::size_t found = file.size - offset;
  if (found != count * width)
    return tl::unexpected((found < count * width ? "is cut short: " : "has bytes after its data: ") +
                          std::to_string(count * width) + " bytes of data expected by its header, " +
                          std::to_string(found) + " found; save it again");
  const Bytes data = file.bytes + offset;
  if (header.type == ScalarType::Bool) {
    const auto* odd = std::find_if(data, data + count, [](unsigned char b) { return b > 1; });
    if (odd != data + count)
      return tl::unexpected("has a bool that is neither 0 nor 1: element " + std::to_string(odd - data) + " is " +
                            std::to_string(*odd) + "; save a != 0");
  }
  if (count == 0) return NpyArray{header.type, header.shape, file.hold, nothing, false};
  const bool reordered = header.fortran_order && order_matters(header.shape);
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % width == 0;
  if (!reordered && !header.big_endian && aligned) return NpyArray{header.type, header.shape, file.hold, data, false};
  auto copy = allocate(count * width, "a converted copy of the array");
  if (!copy) return tl::unexpected("cannot be converted: " + copy.error());
  convert(static_cast<unsigned char*>(copy->data()), data, header, reordered, count);
  auto hold = std::make_shared<MemoryBlock>(*std::move(copy));
  return NpyArray{header.type, header.shape, hold, hold->data(), true};
}

}  // namespace

tl::expected<NpyArray, std::string> read_npy(const std::string& path) {
  const auto named = [&](const std::string& what) { return tl::unexpected("'" + path + "' " + what); };
  const auto file = map_file(path);
  if (!file) return named(file.error());
  const auto layout = lay_out(*file);
  if (!layout) return named(layout.error());
  const auto header = parse_npy_header(layout->header);
  if (!header) return named("cannot be used: " + header.error());
  auto array = read_data(*file, layout->data, *header);
  if (!array) return named(array.error());
  return array;
}

}  // namespace lockstep

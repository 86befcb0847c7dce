// Elements of NumPy's files as scalars of programs.
#include "driver/npy_arguments.h"

#include <cstring>

#include "driver/report.h"

namespace lockstep::driver {
namespace {

using Copy = void (*)(const void* from, std::size_t first, std::size_t count, unsigned char* to);

template <class From, class To>
void converted(const void* from, std::size_t first, std::size_t count, unsigned char* to) {
  const From* const all = static_cast<const From*>(from) + first;
  for (std::size_t k = 0; k < count; ++k) {
    const To x = static_cast<To>(all[k]);
    std::memcpy(to + k * sizeof x, &x, sizeof x);
  }
}
void flags(const void* from, std::size_t first, std::size_t count, unsigned char* to) {
  for (std::size_t k = 0; k < count; ++k) to[k] = static_cast<const unsigned char*>(from)[first + k] != 0;
}

template <class To>
Copy copy_of_number(ScalarType file) {
  constexpr bool real = std::is_floating_point_v<To>;
  switch (file) {
    case ScalarType::I8:
      return converted<std::int8_t, To>;
    case ScalarType::U8:
      return converted<std::uint8_t, To>;
    case ScalarType::I16:
      return converted<std::int16_t, To>;
    case ScalarType::U16:
      return converted<std::uint16_t, To>;
    case ScalarType::I32:
      return converted<std::int32_t, To>;
    case ScalarType::U32:
      return converted<std::uint32_t, To>;
    case ScalarType::I64:
      return converted<std::int64_t, To>;
    case ScalarType::F32:
      return real ? converted<float, To> : nullptr;
    case ScalarType::F64:
      return real ? converted<double, To> : nullptr;
    case ScalarType::Bool:
    case ScalarType::U64:
      return nullptr;
  }
  throw Bug("an array of no type");
}
// Nothing where the file's elements do not fit.
Copy copy_of(ScalarType file, ScalarType wanted) {
  switch (wanted) {
    case ScalarType::Bool:
      return file == ScalarType::Bool ? flags : nullptr;
    case ScalarType::I64:
      return copy_of_number<std::int64_t>(file);
    case ScalarType::F64:
      return copy_of_number<double>(file);
    case ScalarType::U8:
      return file == ScalarType::U8 ? converted<unsigned char, unsigned char> : nullptr;
    case ScalarType::I8:
    case ScalarType::I16:
    case ScalarType::U16:
    case ScalarType::I32:
    case ScalarType::U32:
    case ScalarType::U64:
    case ScalarType::F32:
      return nullptr;  // a language that has these takes files of their own type alone
  }
  throw Bug("an array of no type");
}

}  // namespace

NpyArray read_array(const std::string& word, const std::string& path) {
  auto npy = read_npy(path);
  if (!npy) fail(invalid, word + ": " + npy.error());
  return std::move(*npy);
}

std::string numpy_name(ScalarType t) {
  if (t == ScalarType::Bool) return "bool";
  return (is_float(t) ? "float" : is_signed(t) ? "int" : "uint") + std::to_string(bits_of(t));
}

std::string described(const std::string& path, const NpyArray& a) {
  return path + " holds " + std::string(lockstep::show(a.type)) + " of shape " + shape_text(a.shape);
}

bool fits(ScalarType file, ScalarType wanted) { return copy_of(file, wanted) != nullptr; }

void copy_elements(const NpyArray& from, std::size_t first, std::size_t count, ScalarType wanted, unsigned char* to) {
  const Copy copy = copy_of(from.type, wanted);
  if (!copy) throw Bug("an array of another type");
  copy(from.data, first, count, to);
}

std::string how_to_convert(ScalarType wanted) {
  return "convert it: numpy.save(path, numpy.load(path).astype('" + numpy_name(wanted) + "'))";
}

void refuse_type(const std::string& word, const std::string& path, const NpyArray& a, ScalarType wanted,
                 const std::string& type) {
  if (!fits(a.type, wanted))
    fail(invalid, word + ": expected " + numpy_name(wanted) + " for " + type + ", but " + described(path, a),
         how_to_convert(wanted));
}

}  // namespace lockstep::driver

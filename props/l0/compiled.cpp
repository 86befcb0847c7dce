// Ints and reals are handed over as they lie in memory.
#include "props/l0/compiled.h"

#include <cstring>

#include "props/dpia/lowered_arguments.h"

namespace lockstep::props::l0 {
namespace {

LeafArray array_of(const language::Value& v) {
  if (const auto* a = std::get_if<language::Array>(&v.node)) {
    LeafArray out{a->type, a->shape.dimensions(), nullptr, nullptr};
    if (bytes_of(a->type) == 8) {
      out.hold = a->data;
      out.data = a->data->bits.data() + a->offset;
      return out;
    }
    const auto n = static_cast<std::size_t>(a->shape.count());
    auto bytes = std::make_shared<std::vector<unsigned char>>(n);
    for (std::size_t k = 0; k < n; ++k) (*bytes)[k] = static_cast<unsigned char>((*a)[k].bits);
    out.data = bytes->data();
    out.hold = std::move(bytes);
    return out;
  }
  const Scalar& s = language::as_scalar(v);
  const auto bits = std::make_shared<std::uint64_t>(s.bits);
  return {s.type, {}, bits, bits.get()};
}

language::Value value_from(const LeafArray& leaf) {
  if (leaf.shape.empty()) return {scalar_at(leaf, 0)};
  language::Array out = language::array_of_scalars(leaf.type, language::Shape(leaf.shape));
  const std::int64_t n = count_of(leaf);
  if (bytes_of(leaf.type) == 8) {
    if (n > 0) std::memcpy(out.data->bits.data(), leaf.data, static_cast<std::size_t>(n) * 8);
  } else {
    const auto* bytes = static_cast<const unsigned char*>(leaf.data);
    std::copy(bytes, bytes + n, out.data->bits.begin());
  }
  return {std::move(out)};
}

}  // namespace

tl::expected<Arguments, std::string> arguments_in_calculus(const InCalculus& program, const language::Values& leaves) {
  return props::arguments_in_calculus(program, leaves_from(leaves));
}

Leaves leaves_from(const language::Values& leaves) {
  Leaves out;
  for (const language::Value& v : leaves) out.push_back(array_of(v));
  return out;
}

language::Values values_from(const Leaves& leaves) {
  language::Values out;
  for (const LeafArray& leaf : leaves) out.push_back(value_from(leaf));
  return out;
}

}  // namespace lockstep::props::l0

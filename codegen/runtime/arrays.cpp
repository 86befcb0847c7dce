// Values to arrays of leaves and back.
#include "codegen/runtime/arrays.h"

#include <cstring>
#include <limits>

namespace lockstep {
namespace {

template <class T>
T read_as(const void* data, std::int64_t index) {
  T x;
  std::memcpy(&x, static_cast<const std::byte*>(data) + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return x;
}
template <class T>
void write_as(void* data, std::int64_t index, T x) {
  std::memcpy(static_cast<std::byte*>(data) + index * static_cast<std::int64_t>(sizeof(T)), &x, sizeof(T));
}
template <class T>
Scalar integer_at(const LeafArray& leaf, std::int64_t index) {
  return make_integer(leaf.type, static_cast<std::uint64_t>(static_cast<std::int64_t>(read_as<T>(leaf.data, index))));
}

// A type at its sizes, with the leaf that each scalar of it is found in.
struct Layout {
  enum class Kind { Scalar, Lanes, Pair, Array } kind = Kind::Scalar;
  std::int64_t length = 0;  // of an array, or lanes
  std::size_t leaf = 0;
  std::vector<Layout> parts;
};

std::int64_t natural(const Size& s, const SizeValues& sizes) {
  const auto n = evaluate(s, sizes);
  if (!n || *n < 0) throw Bug("the size " + show(s) + " of an argument is no natural number");
  return *n;
}

Layout layout_of(const Type& t, const SizeValues& sizes, std::size_t& leaf) {
  return match(
      t.node,
      [&](ScalarType) {
        return Layout{Layout::Kind::Scalar, 0, leaf++, {}};
      },
      [&](const IndexType&) {
        return Layout{Layout::Kind::Scalar, 0, leaf++, {}};
      },
      [&](const ArrayType& x) {
        return Layout{Layout::Kind::Array, natural(x.length, sizes), 0, {layout_of(*x.element, sizes, leaf)}};
      },
      [&](const PairType& x) {
        Layout first = layout_of(*x.first, sizes, leaf);
        return Layout{Layout::Kind::Pair, 0, 0, {std::move(first), layout_of(*x.second, sizes, leaf)}};
      },
      [&](const VectorType& x) {
        return Layout{Layout::Kind::Lanes, natural(x.width, sizes), leaf++, {}};
      },
      [&](const FunctionType&) -> Layout { throw Bug("a function as an argument"); },
      [&](const TypeVariable&) -> Layout { throw Bug("a type variable as an argument"); });
}

struct Reader {
  Layout layout;
  Leaves leaves;
};

// The part of the value at `at`, which element `flat` of the arrays around it holds.
Value read(const std::shared_ptr<const Reader>& reader, const Layout& at, std::int64_t flat) {
  switch (at.kind) {
    case Layout::Kind::Scalar:
      return scalar_value(scalar_at(reader->leaves[at.leaf], flat));
    case Layout::Kind::Lanes: {
      Lanes lanes;
      for (std::int64_t l = 0; l < at.length; ++l)
        lanes.push_back(scalar_at(reader->leaves[at.leaf], flat * at.length + l));
      return lanes_value(std::move(lanes));
    }
    case Layout::Kind::Pair:
      return pair_value(read(reader, at.parts[0], flat), read(reader, at.parts[1], flat));
    case Layout::Kind::Array:
      return delayed_array(
          at.length, [reader, &at, flat](std::int64_t i) { return read(reader, at.parts[0], flat * at.length + i); });
  }
  throw Bug("a layout of no kind");
}

void write(const Value& v, const Layout& at, std::int64_t flat, const std::vector<LeafArray>& leaves,
           const std::vector<void*>& data, const Domain& domain) {
  const auto put = [&](std::int64_t index, const Scalar& s) {
    const ScalarType t = leaves[at.leaf].type;
    put_scalar(data[at.leaf], t, index, is_float(t) ? make_ieee(t, domain.to_ieee(s)) : s);
  };
  switch (at.kind) {
    case Layout::Kind::Scalar:
      return put(flat, as_scalar(force(v)));
    case Layout::Kind::Lanes: {
      const Value forced = force(v);
      for (std::int64_t l = 0; l < at.length; ++l)
        put(flat * at.length + l, as_lanes(forced).at(static_cast<std::size_t>(l)));
      return;
    }
    case Layout::Kind::Pair:
      write(first_of(v), at.parts[0], flat, leaves, data, domain);
      return write(second_of(v), at.parts[1], flat, leaves, data, domain);
    case Layout::Kind::Array:
      for (std::int64_t i = 0; i < at.length; ++i)
        write(element_of(v, i), at.parts[0], flat * at.length + i, leaves, data, domain);
  }
}

}  // namespace

std::int64_t count_of(const LeafArray& leaf) {
  std::int64_t n = 1;
  for (const std::int64_t d : leaf.shape) n *= d;
  return n;
}

Scalar scalar_at(const LeafArray& leaf, std::int64_t index) {
  switch (leaf.type) {
    case ScalarType::Bool:
      return make_bool(read_as<std::uint8_t>(leaf.data, index) != 0);
    case ScalarType::I8:
      return integer_at<std::int8_t>(leaf, index);
    case ScalarType::U8:
      return integer_at<std::uint8_t>(leaf, index);
    case ScalarType::I16:
      return integer_at<std::int16_t>(leaf, index);
    case ScalarType::U16:
      return integer_at<std::uint16_t>(leaf, index);
    case ScalarType::I32:
      return integer_at<std::int32_t>(leaf, index);
    case ScalarType::I64:
      return integer_at<std::int64_t>(leaf, index);
    case ScalarType::U32:
      return integer_at<std::uint32_t>(leaf, index);
    case ScalarType::U64:
      return make_integer(leaf.type, read_as<std::uint64_t>(leaf.data, index));
    case ScalarType::F32:
      return make_ieee(leaf.type, static_cast<double>(read_as<float>(leaf.data, index)));
    case ScalarType::F64:
      return make_ieee(leaf.type, read_as<double>(leaf.data, index));
  }
  throw Bug("a scalar of no type");
}

void put_scalar(void* data, ScalarType type, std::int64_t index, const Scalar& s) {
  switch (type) {
    case ScalarType::Bool:
      return write_as(data, index, static_cast<std::uint8_t>(s.bits != 0));
    case ScalarType::I8:
    case ScalarType::U8:
      return write_as(data, index, static_cast<std::uint8_t>(s.bits));
    case ScalarType::I16:
    case ScalarType::U16:
      return write_as(data, index, static_cast<std::uint16_t>(s.bits));
    case ScalarType::I32:
    case ScalarType::U32:
      return write_as(data, index, static_cast<std::uint32_t>(s.bits));
    case ScalarType::I64:
    case ScalarType::U64:
      return write_as(data, index, s.bits);
    case ScalarType::F32:
      return write_as(data, index, static_cast<float>(s.ieee()));
    case ScalarType::F64:
      return write_as(data, index, s.ieee());
  }
}

std::vector<std::int64_t> shape_of(const Leaf& leaf, const SizeValues& sizes) {
  std::vector<std::int64_t> shape;
  for (const Size& d : leaf.dims) shape.push_back(natural(d, sizes));
  if (leaf.width > 1) shape.push_back(leaf.width);
  return shape;
}

std::uint64_t bytes_of(const Type& type, const SizeValues& sizes) {
  std::uint64_t sum = 0;
  for (const Leaf& leaf : leaves_of(type)) {
    auto bytes = static_cast<std::uint64_t>(lockstep::bytes_of(leaf.scalar));
    bool none = false;
    for (const std::int64_t d : shape_of(leaf, sizes)) {
      none = none || d == 0;
      bytes = times_bytes(bytes, static_cast<std::uint64_t>(d));
    }
    if (!none) sum = sum_of_bytes(sum, bytes);
  }
  return sum;
}

tl::expected<Leaves, std::string> allocate_leaves(const Type& type, const SizeValues& sizes, std::string_view what,
                                                  std::uint64_t also) {
  if (auto enough = check_memory(sum_of_bytes(bytes_of(type, sizes), also), what); !enough)
    return tl::unexpected(enough.error());
  Leaves out;
  for (const Leaf& leaf : leaves_of(type)) {
    LeafArray a{leaf.scalar, shape_of(leaf, sizes), nullptr, nullptr};
    auto buffer =
        allocate(static_cast<std::size_t>(count_of(a)) * static_cast<std::size_t>(lockstep::bytes_of(a.type)), what);
    if (!buffer) return tl::unexpected(buffer.error());
    auto kept = std::make_shared<MemoryBlock>(std::move(*buffer));
    a.data = kept->data();
    a.hold = std::move(kept);
    out.push_back(std::move(a));
  }
  return out;
}

std::vector<void*> writable(const Leaves& leaves) {
  std::vector<void*> out;
  for (const LeafArray& a : leaves) out.push_back(const_cast<void*>(a.data));
  return out;
}

Value value_of(const Type& type, const SizeValues& sizes, const Leaves& leaves) {
  std::size_t leaf = 0;
  auto reader = std::make_shared<const Reader>(Reader{layout_of(type, sizes, leaf), leaves});
  return read(reader, reader->layout, 0);
}

std::vector<Value> values_of(const PhraseProgram& program, const Arguments& arguments) {
  std::vector<Value> out;
  for (std::size_t k = 0; k < program.parameters.size(); ++k)
    out.push_back(value_of(program.parameters[k].second, arguments.sizes, arguments.values.at(k)));
  return out;
}

tl::expected<Leaves, std::string> leaves_from(const Value& value, const Type& type, const SizeValues& sizes,
                                              const Domain& domain) {
  auto out = allocate_leaves(type, sizes, "the result");
  if (!out) return out;
  std::size_t leaf = 0;
  write(value, layout_of(type, sizes, leaf), 0, *out, writable(*out), domain);
  return out;
}

Leaves leaves_from(const std::vector<std::vector<Scalar>>& scalars, const Type& type, const SizeValues& sizes) {
  auto out = allocate_leaves(type, sizes, "the result");
  if (!out) throw std::bad_alloc();
  const std::vector<void*> data = writable(*out);
  for (std::size_t k = 0; k < out->size(); ++k)
    for (std::size_t i = 0; i < scalars.at(k).size(); ++i)
      put_scalar(data[k], (*out)[k].type, static_cast<std::int64_t>(i), scalars[k][i]);
  return std::move(*out);
}

}  // namespace lockstep

// Operations of L0 on whole arrays, leaf by leaf.
#include <algorithm>
#include <numeric>

#include "semantics/l0/evaluator.h"

namespace lockstep::l0::evaluating {
namespace {

// f on the arrays of a value that is one, or a tuple of them.
template <class F>
Value by_leaf(const Value& v, const F& f) {
  if (const auto* a = std::get_if<Array>(&v.node)) return {f(*a)};
  Values out;
  for (const Value& item : as_tuple(v)) out.push_back(by_leaf(item, f));
  return tuple_value(std::move(out));
}
template <class F>
Value by_leaf(const Value& v, const Value& w, const F& f) {
  if (const auto* a = std::get_if<Array>(&v.node)) return {f(*a, w)};
  Values out;
  for (std::size_t k = 0; k < as_tuple(v).size(); ++k) out.push_back(by_leaf(as_tuple(v)[k], as_tuple(w)[k], f));
  return tuple_value(std::move(out));
}

// The element at these indices of what comes out is that at `from` of what goes in: order[k] is the dimension of the
// input that dimension k of the output is.
Array permuted(const Array& a, const std::vector<std::size_t>& order) {
  const std::size_t rank = a.shape.rank();
  Dimensions steps(rank, 1), dimensions;
  for (std::size_t k = rank; k-- > 1;) steps[k - 1] = steps[k] * a.shape[k];
  for (const std::size_t k : order) dimensions.push_back(a.shape[k]);
  Array out = array_of_scalars(a.type, Shape(dimensions));
  const auto n = static_cast<std::size_t>(out.shape.count());
  Dimensions at(rank, 0);
  for (std::size_t k = 0; k < n; ++k) {
    std::int64_t from = 0;
    for (std::size_t d = 0; d < rank; ++d) from += at[d] * steps[order[d]];
    set(out, k, a[static_cast<std::size_t>(from)]);
    for (std::size_t d = rank; d-- > 0;) {
      if (++at[d] < dimensions[d]) break;
      at[d] = 0;
    }
  }
  return out;
}

Array section(const Array& a, std::int64_t begin, std::int64_t end) {
  Dimensions d = a.shape.dimensions();
  d[0] = end - begin;
  return {a.type, Shape(std::move(d)), a.data, a.offset + static_cast<std::size_t>(begin * a.shape.row().count())};
}

std::string shown_indices(const std::vector<std::int64_t>& indices) {
  std::string out;
  for (const std::int64_t i : indices) out += (out.empty() ? "[" : ", ") + std::to_string(i);
  return out + "]";
}

std::size_t offset_of(const Array& a, const std::vector<std::int64_t>& indices, const char* primitive,
                      const Region& at) {
  std::int64_t place = 0;
  Shape left = a.shape;
  for (const std::int64_t i : indices) {
    if (i < 0 || i >= left[0])
      trap(primitive, "index " + shown_indices(indices) + " is outside an array of shape " + show(a.shape.dimensions()),
           at);
    left = left.row();
    place += i * left.count();
  }
  return a.offset + static_cast<std::size_t>(place);
}

Shape without(Shape shape, std::size_t outer) {
  for (; outer > 0; --outer) shape = shape.row();
  return shape;
}

constexpr std::uint64_t poison = 0x5a5a5a5a5a5a5a5a;
std::uint64_t poison_of(ScalarType t) {
  return t == ScalarType::Bool ? 1 : t == ScalarType::U8 ? poison & 0xff : poison;
}

Array updated_leaf(Array a, const std::vector<std::int64_t>& indices, const Value& v, bool poisons, const Region& at) {
  const std::size_t begin = offset_of(a, indices, "with", at) - a.offset;
  const Shape slice = without(a.shape, indices.size());
  const auto* inserted = std::get_if<Array>(&v.node);
  if (inserted && !(inserted->shape == slice))
    trap("with",
         "a value of shape " + show(inserted->shape.dimensions()) + " is put in the place of one of shape " +
             show(slice.dimensions()),
         at);
  if (poisons || a.data.use_count() > 1) {
    const Array old = a;
    a = std::get<Array>(copied({old}).node);
    for (std::int64_t k = 0; poisons && k < old.shape.count(); ++k)
      old.data->bits[old.offset + static_cast<std::size_t>(k)] = poison_of(old.type);
  }
  if (!inserted) return set(a, begin, as_scalar(v)), a;
  const Array& from = *inserted;
  const auto n = static_cast<std::size_t>(slice.count());
  for (std::size_t k = 0; k < n; ++k) set(a, begin + k, from[k]);
  return a;
}

}  // namespace

void Machine::gathered(const Value& v) {
  for (const Value* leaf : leaves_of(v))
    if (const Array& a = as_array(*leaf); a.shape.rank() == 1) counts.allocated += a.shape[0];
}

void trap(std::string primitive, std::string message, const Region& at) {
  throw TrapSignal{{std::move(primitive), std::move(message), at}};
}

Value iota(std::int64_t n, const Region& at) {
  if (n < 0) trap("iota", "the length is negative: " + std::to_string(n), at);
  Array a = array_of_scalars(ScalarType::I64, Shape({n}));
  std::iota(a.data->bits.begin(), a.data->bits.end(), std::uint64_t{0});
  return {std::move(a)};
}

Value replicate(std::int64_t n, const Value& v, const Region& at) {
  if (n < 0) trap("replicate", "the length is negative: " + std::to_string(n), at);
  if (const auto* t = std::get_if<std::shared_ptr<const Values>>(&v.node)) {
    Values out;
    for (const Value& item : **t) out.push_back(replicate(n, item, at));
    return tuple_value(std::move(out));
  }
  const auto* row = std::get_if<Array>(&v.node);
  Dimensions d{n};
  if (row)
    for (const std::int64_t k : row->shape.dimensions()) d.push_back(k);
  Array out = array_of_scalars(row ? row->type : as_scalar(v).type, Shape(std::move(d)));
  const auto all = static_cast<std::size_t>(out.shape.count());
  const std::size_t one = row ? static_cast<std::size_t>(row->shape.count()) : 1;
  for (std::size_t k = 0; k < all; ++k) set(out, k, row ? (*row)[k % one] : as_scalar(v));
  return {std::move(out)};
}

Value shifted(const Value& v, std::int64_t dimension, std::int64_t places) {
  return by_leaf(v, [&](const Array& a) {
    std::vector<std::size_t> order(a.shape.rank());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto from = order.begin() + (dimension - 1), to = order.begin() + (dimension - 1 + places);
    if (places > 0) std::rotate(from, from + 1, to + 1);
    if (places < 0) std::rotate(to, from, from + 1);
    return permuted(a, order);
  });
}
Value transposed(const Value& a) { return shifted(a, 1, 1); }

Value flattened(const Value& v, std::int64_t dimensions) {
  return by_leaf(v, [&](const Array& a) {
    Dimensions d = a.shape.dimensions();
    for (std::int64_t k = 1; k < dimensions; ++k) {
      d[1] *= d[0];
      d.erase(d.begin());
    }
    return Array{a.type, Shape(std::move(d)), a.data, a.offset};
  });
}

Value first_rows(const Value& v, std::int64_t begin, std::int64_t end) {
  return by_leaf(v, [&](const Array& a) { return section(a, begin, end); });
}

Value concatenated(const Value& v, const Value& w, const Region& at) {
  return by_leaf(v, w, [&](const Array& a, const Value& second) {
    const Array& b = as_array(second);
    if (!(a.shape.row() == b.shape.row()))
      trap("concat",
           "the rows have shapes " + show(a.shape.row().dimensions()) + " and " + show(b.shape.row().dimensions()), at);
    Dimensions d = a.shape.dimensions();
    d[0] += b.shape[0];
    Array out = array_of_scalars(a.type, Shape(std::move(d)));
    const auto n = static_cast<std::size_t>(a.shape.count()), m = static_cast<std::size_t>(b.shape.count());
    for (std::size_t k = 0; k < n; ++k) set(out, k, a[k]);
    for (std::size_t k = 0; k < m; ++k) set(out, n + k, b[k]);
    return out;
  });
}

Value indexed(const Value& v, const std::vector<std::int64_t>& indices, const std::string& name, const Region& at) {
  if (const auto* t = std::get_if<std::shared_ptr<const Values>>(&v.node)) {
    Values out;
    for (const Value& item : **t) out.push_back(indexed(item, indices, name, at));
    return tuple_value(std::move(out));
  }
  const Array& a = as_array(v);
  const std::size_t offset = offset_of(a, indices, "index", at);
  if (indices.size() == a.shape.rank()) return {a[offset - a.offset]};
  return {Array{a.type, without(a.shape, indices.size()), a.data, offset}};
}

Value updated(Value v, const std::vector<std::int64_t>& indices, const Value& inserted, bool poisons,
              const Region& at) {
  if (auto* a = std::get_if<Array>(&v.node)) return {updated_leaf(std::move(*a), indices, inserted, poisons, at)};
  Values out;
  const Values items = as_tuple(v);
  v = {};
  for (std::size_t k = 0; k < items.size(); ++k)
    out.push_back(updated(items[k], indices, as_tuple(inserted)[k], poisons, at));
  return tuple_value(std::move(out));
}

void check_lengths(const std::string& primitive, const Values& arrays, const Region& at) {
  for (const Value& a : arrays)
    if (length_of(a) != length_of(arrays[0]))
      trap(primitive,
           "the lengths differ: " + std::to_string(length_of(arrays[0])) + " and " + std::to_string(length_of(a)), at);
}

}  // namespace lockstep::l0::evaluating

// Values of L0: leaves, rows, and arrays that are made of their elements.
#include "semantics/l0/value.h"

#include <algorithm>
#include <cmath>

#include "semantics/core/diagnostic.h"
#include "semantics/core/memory_limit.h"
#include "semantics/text/literal.h"

namespace lockstep::l0 {

constexpr std::int64_t most_scalars = std::int64_t{1} << 36;

std::int64_t Shape::count() const {
  std::int64_t n = 1;
  bool some = true;
  for (std::size_t k = 0; k < rank(); ++k) some = some && (*this)[k] != 0;
  if (!some) return 0;
  for (std::size_t k = 0; k < rank(); ++k)
    if (__builtin_mul_overflow(n, (*this)[k], &n) || n > most_scalars)
      throw not_enough_memory(static_cast<std::uint64_t>(most_scalars), sizeof(std::uint64_t));
  return n;
}

std::string show(const Dimensions& d) {
  std::string out;
  for (const std::int64_t n : d) out += "[" + std::to_string(n) + "]";
  return out;
}

Scalar Array::operator[](std::size_t k) const {
  Scalar s{type, data->bits[offset + k]};
  if (!data->reals.empty()) s.real = data->reals[offset + k];
  return s;
}

Array Array::row(std::int64_t i) const {
  const Shape inner = shape.row();
  const std::size_t begin = offset + static_cast<std::size_t>(i * inner.count());
  return {type, inner, data, begin};
}

Array array_of_scalars(ScalarType type, Shape shape) {
  const auto n = static_cast<std::size_t>(shape.count());
  return {type, std::move(shape), std::make_shared<Buffer>(Buffer{std::vector<std::uint64_t>(n)})};
}

namespace {

void put(Buffer& b, std::size_t at, const Scalar& s) {
  b.bits[at] = s.bits;
  if (!s.real && b.reals.empty()) return;
  b.reals.resize(b.bits.size());
  b.reals[at] = s.real;
}

void append(Buffer& to, const Array& a) {
  const auto n = static_cast<std::size_t>(a.shape.count());
  const auto begin = static_cast<std::ptrdiff_t>(a.offset), end = static_cast<std::ptrdiff_t>(a.offset + n);
  if (!a.data->reals.empty()) {
    to.reals.resize(to.bits.size());
    to.reals.insert(to.reals.end(), a.data->reals.begin() + begin, a.data->reals.begin() + end);
  }
  to.bits.insert(to.bits.end(), a.data->bits.begin() + begin, a.data->bits.begin() + end);
  if (!to.reals.empty()) to.reals.resize(to.bits.size());
}

void append(Buffer& to, const Scalar& s) {
  to.bits.push_back(0);
  put(to, to.bits.size() - 1, s);
}

template <class F>
Value each_array(const Value& v, const F& f) {
  return match(
      v.node, [](const Scalar&) -> Value { throw Bug("a scalar in the place of an array"); },
      [&](const Array& a) -> Value { return f(a); },
      [&](const std::shared_ptr<const Values>& t) -> Value {
        Values out;
        for (const Value& item : *t) out.push_back(each_array(item, f));
        return tuple_value(std::move(out));
      });
}

void find_leaves(std::vector<const Value*>& found, const Value& v) {
  if (const auto* t = std::get_if<std::shared_ptr<const Values>>(&v.node))
    for (const Value& item : **t) find_leaves(found, item);
  else
    found.push_back(&v);
}

Dimensions shape_of_leaf(const Value& leaf) {
  const auto* a = std::get_if<Array>(&leaf.node);
  return a ? a->shape.dimensions() : Dimensions{};
}

bool same_scalar(const Scalar& a, const Scalar& b) {
  if (a.type != b.type) return false;
  if (is_float(a.type) && !a.real && !b.real && std::isnan(a.ieee()) && std::isnan(b.ieee())) return true;
  return a.bits == b.bits;
}

}  // namespace

void set(Array& a, std::size_t k, const Scalar& s) { put(*a.data, a.offset + k, s); }

const Scalar& as_scalar(const Value& v) {
  if (const auto* s = std::get_if<Scalar>(&v.node)) return *s;
  throw Bug("a scalar is asked for");
}
const Array& as_array(const Value& v) {
  if (const auto* a = std::get_if<Array>(&v.node)) return *a;
  throw Bug("an array is asked for");
}
const Values& as_tuple(const Value& v) {
  if (const auto* t = std::get_if<std::shared_ptr<const Values>>(&v.node)) return **t;
  throw Bug("a tuple is asked for");
}

std::int64_t length_of(const Value& v) {
  const Value* leaf = &v;
  while (const auto* t = std::get_if<std::shared_ptr<const Values>>(&leaf->node)) leaf = &(*t)->front();
  return as_array(*leaf).shape[0];
}

Value row_of(const Value& v, std::int64_t i) {
  return each_array(v, [&](const Array& a) -> Value {
    if (a.shape.rank() == 1) return {a[static_cast<std::size_t>(i)]};
    return {a.row(i)};
  });
}

Value copied(const Value& v) {
  return match(
      v.node, [](const Scalar& s) -> Value { return {s}; },
      [](const Array& a) -> Value {
        Array out{a.type, a.shape, std::make_shared<Buffer>()};
        append(*out.data, a);
        return {std::move(out)};
      },
      [](const std::shared_ptr<const Values>& t) -> Value {
        Values out;
        for (const Value& item : *t) out.push_back(copied(item));
        return tuple_value(std::move(out));
      });
}

std::vector<const Value*> leaves_of(const Value& v) {
  std::vector<const Value*> found;
  find_leaves(found, v);
  return found;
}

std::vector<Dimensions> dimensions_of_leaves(const Value& v) {
  std::vector<Dimensions> out;
  for (const Value* leaf : leaves_of(v)) out.push_back(shape_of_leaf(*leaf));
  return out;
}

Value value_of_leaves(const Type& type, const Values& leaves, std::size_t& next) {
  const Type* t = &type;
  while (const Type* e = element_of(*t)) t = e;
  const auto* tuple = as<TupleType>(*t);
  if (!tuple) return leaves[next++];
  Values items;
  for (const Type& item : tuple->items) items.push_back(value_of_leaves(item, leaves, next));
  return tuple_value(std::move(items));
}

std::int64_t scalar_count(const Value& v) {
  std::int64_t n = 0;
  for (const Value* leaf : leaves_of(v)) {
    const auto* a = std::get_if<Array>(&leaf->node);
    n += a ? a->shape.count() : 1;
  }
  return n;
}

bool same_value(const Value& a, const Value& b) {
  const auto x = leaves_of(a), y = leaves_of(b);
  if (x.size() != y.size()) return false;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k]->node.index() != y[k]->node.index() || shape_of_leaf(*x[k]) != shape_of_leaf(*y[k])) return false;
    const auto* p = std::get_if<Array>(&x[k]->node);
    if (!p) {
      if (!same_scalar(as_scalar(*x[k]), as_scalar(*y[k]))) return false;
      continue;
    }
    const Array& q = as_array(*y[k]);
    const auto n = static_cast<std::size_t>(p->shape.count());
    for (std::size_t i = 0; i < n; ++i)
      if (!same_scalar((*p)[i], q[i])) return false;
  }
  return true;
}

// ------------------------------------------------------------------------------------------------- gathering

Gathering::Gathering(const Type& element) : type_(array_of(element)) {
  for (const LeafType& leaf : l0::leaves_of(element)) leaves_.push_back({leaf, {}, {}});
}

std::optional<std::string> Gathering::add(const Value& element) {
  const auto found = leaves_of(element);
  for (std::size_t k = 0; k < leaves_.size(); ++k) {
    Dimensions row = shape_of_leaf(*found[k]);
    if (count_ > 0 && row != leaves_[k].row)
      return "element " + std::to_string(count_) + " has shape " + show(row) + ", and those before " +
             show(leaves_[k].row);
    leaves_[k].row = std::move(row);
    if (const auto* a = std::get_if<Array>(&found[k]->node))
      append(leaves_[k].data, *a);
    else
      append(leaves_[k].data, as_scalar(*found[k]));
  }
  ++count_;
  return std::nullopt;
}

Value Gathering::finish(const std::vector<Dimensions>& rows_of_none) {
  if (count_ == 0)
    for (std::size_t k = 0; k < leaves_.size(); ++k) leaves_[k].row = rows_of_none[k];
  return finish();
}

Value Gathering::finish() {
  Values arrays;
  for (Leaf& leaf : leaves_) {
    Dimensions all{count_};
    all.insert(all.end(), leaf.row.begin(), leaf.row.end());
    arrays.push_back({Array{leaf.type.scalar, Shape(std::move(all)), std::make_shared<Buffer>(std::move(leaf.data))}});
  }
  std::size_t next = 0;
  return value_of_leaves(type_, arrays, next);
}

// ------------------------------------------------------------------------------------------------- show

namespace {

std::string show_scalar(const Scalar& s, const Domain& domain) {
  if (s.type == ScalarType::U8) return "'" + reading::escaped(static_cast<unsigned char>(s.bits), '\'') + "'";
  return lockstep::show(s, domain);
}

void show_into(std::string& out, const Value& v, const Type& type, const Domain& domain) {
  match(
      type.node,
      [&](const TupleType& t) {
        out += '(';
        for (std::size_t k = 0; k < t.items.size(); ++k) {
          if (k > 0) out += ", ";
          show_into(out, as_tuple(v)[k], t.items[k], domain);
        }
        out += ')';
      },
      [&](ScalarType) { out += show_scalar(as_scalar(v), domain); },
      [&](const ArrayType& a) {
        const std::int64_t n = length_of(v);
        const bool text = is(*a.element, ScalarType::U8);
        out += text ? '"' : '[';
        for (std::int64_t i = 0; i < n; ++i) {
          const Value row = row_of(v, i);
          if (text) {
            out += reading::escaped(static_cast<unsigned char>(as_scalar(row).bits), '"');
            continue;
          }
          if (i > 0) out += ", ";
          show_into(out, row, *a.element, domain);
        }
        out += text ? '"' : ']';
      });
}

}  // namespace

std::string show(const Value& v, const Type& type, const Domain& domain) {
  std::string out;
  show_into(out, v, type, domain);
  return out;
}

}  // namespace lockstep::l0

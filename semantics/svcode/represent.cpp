// ◁ of SNESL §2.3.1: values as streams, and streams as a value.
//
// The leaves of a type stand left to right: π is one; a tuple is its components (() has none); [τ] is τ, then the
// starts and the lengths; {σ} is σ, then the descriptor.
#include <algorithm>
#include <limits>

#include "semantics/svcode/program.h"

namespace lockstep::svcode {

using snesl::Type;
using snesl::Value;
using snesl::Values;

namespace {

// A type with the places of its leaves. `own` is π's leaf, the starts of [τ] (its lengths follow), the descriptor of
// {σ}.
struct Shape {
  enum class Kind : unsigned char { Prim, Tuple, Vector, Sequence };
  Kind kind{};
  Prim prim{};
  std::size_t own = 0;
  std::vector<Shape> children;
};

Shape shape_of(const Type& t, std::size_t& leaves) {
  const auto around = [&](Shape::Kind kind, const Type& element, std::size_t own) {
    Shape s{kind, {}, 0, {shape_of(element, leaves)}};
    s.own = leaves;
    leaves += own;
    return s;
  };
  return match(
      t.node,
      [&](Prim p) {
        return Shape{Shape::Kind::Prim, p, leaves++, {}};
      },
      [&](const snesl::TupleType& tuple) {
        Shape s{Shape::Kind::Tuple, {}, 0, {}};
        for (const Type& item : tuple.items) s.children.push_back(shape_of(item, leaves));
        return s;
      },
      [&](const snesl::VectorType& v) { return around(Shape::Kind::Vector, *v.element, 2); },
      [&](const snesl::SequenceType& s) { return around(Shape::Kind::Sequence, *s.element, 1); });
}

using Several = std::vector<const Value*>;

Several items_of(const Several& values, Value::Kind kind) {
  std::size_t total = 0;
  for (const Value* v : values) {
    if (v->kind != kind) throw Bug("represent: a value that is not of its type");
    total += v->size();
  }
  Several items;
  items.reserve(total);
  for (const Value* v : values)
    for (std::size_t i = 0; i < v->size(); ++i) items.push_back(&(*v)[i]);
  return items;
}

void write(const Shape& shape, const Several& values, std::vector<Stream>& leaves) {
  switch (shape.kind) {
    case Shape::Kind::Prim: {
      Stream& out = leaves[shape.own];
      out.reserve(values.size());
      for (const Value* v : values) {
        if (v->kind != Value::Kind::Atom || v->atom.type != shape.prim)
          throw Bug("represent: a value that is not of its type");
        out.push_back(v->atom);
      }
      return;
    }
    case Shape::Kind::Tuple: {
      for (const Value* v : values)
        if (v->kind != Value::Kind::Tuple || v->size() != shape.children.size())
          throw Bug("represent: a value that is not of its type");
      Several column(values.size());
      for (std::size_t k = 0; k < shape.children.size(); ++k) {
        for (std::size_t i = 0; i < values.size(); ++i) column[i] = &(*values[i])[k];
        write(shape.children[k], column, leaves);
      }
      return;
    }
    case Shape::Kind::Vector: {
      write(shape.children[0], items_of(values, Value::Kind::Vector), leaves);
      std::int64_t start = 0;
      for (const Value* v : values) {
        const auto length = static_cast<std::int64_t>(v->size());
        leaves[shape.own].push_back(snesl::int_atom(start));
        leaves[shape.own + 1].push_back(snesl::int_atom(length));
        start += length;
      }
      return;
    }
    case Shape::Kind::Sequence: {
      write(shape.children[0], items_of(values, Value::Kind::Sequence), leaves);
      for (const Value* v : values) {
        leaves[shape.own].insert(leaves[shape.own].end(), v->size(), snesl::bool_atom(false));
        leaves[shape.own].push_back(snesl::bool_atom(true));
      }
      return;
    }
  }
}

[[noreturn]] void unfit(const std::string& what) { throw Bug("value_of: " + what); }

// Reads a general type from front to back, and a concrete one at any place: what no slice asks for is not made.
class Reader {
 public:
  explicit Reader(const std::vector<Stream>& leaves) : leaves_(leaves) {}

  // The `count` values of which the streams are made.
  Values all(const Shape& shape, std::size_t count) const {
    Values values;
    values.reserve(count);
    switch (shape.kind) {
      case Shape::Kind::Prim:
        if (leaves_[shape.own].size() != count) unfit(sizes(shape.own, count));
        break;
      case Shape::Kind::Vector:
        for (const std::size_t leaf : {shape.own, shape.own + 1})
          if (leaves_[leaf].size() != count) unfit(sizes(leaf, count));
        break;
      case Shape::Kind::Tuple:
        return tuples(shape, count);
      case Shape::Kind::Sequence:
        return sequences(shape, count);
    }
    for (std::size_t i = 0; i < count; ++i) values.push_back(at(shape, static_cast<std::int64_t>(i)));
    return values;
  }

 private:
  std::string sizes(std::size_t leaf, std::size_t count) const {
    return "leaf " + std::to_string(leaf) + " has " + std::to_string(leaves_[leaf].size()) + " elements, not " +
           std::to_string(count);
  }
  const Atom& atom(std::size_t leaf, std::int64_t i, Prim type) const {
    const Stream& s = leaves_[leaf];
    if (i < 0 || i >= static_cast<std::int64_t>(s.size())) unfit(sizes(leaf, static_cast<std::size_t>(i) + 1));
    const Atom& a = s[static_cast<std::size_t>(i)];
    if (a.type != type) unfit("leaf " + std::to_string(leaf) + " holds a " + std::string(snesl::show(a.type)));
    return a;
  }

  Values tuples(const Shape& shape, std::size_t count) const {
    std::vector<Values> rows(count);
    for (Values& row : rows) row.reserve(shape.children.size());
    for (const Shape& child : shape.children) {
      Values column = all(child, count);
      for (std::size_t i = 0; i < count; ++i) rows[i].push_back(std::move(column[i]));
    }
    Values values;
    values.reserve(count);
    for (Values& row : rows) values.push_back(snesl::tuple_value(std::move(row)));
    return values;
  }

  Values sequences(const Shape& shape, std::size_t count) const {
    const auto flags = static_cast<std::int64_t>(leaves_[shape.own].size());
    std::size_t ends = 0;
    for (std::int64_t i = 0; i < flags; ++i) ends += atom(shape.own, i, Prim::Bool).integer != 0;
    if (ends != count || (flags > 0 && !leaves_[shape.own].back().integer))
      unfit("leaf " + std::to_string(shape.own) + " is no descriptor of " + std::to_string(count) + " segments");
    Values elements = all(shape.children[0], static_cast<std::size_t>(flags) - ends);
    Values values;
    values.reserve(count);
    Values segment;
    std::size_t next = 0;
    for (const Atom& flag : leaves_[shape.own]) {
      if (!flag.integer) {
        segment.push_back(std::move(elements[next++]));
        continue;
      }
      values.push_back(snesl::sequence_value(std::move(segment)));
      segment = {};
    }
    return values;
  }

  // How many elements a concrete shape's streams hold; of () any number.
  std::int64_t extent(const Shape& shape) const {
    if (shape.kind != Shape::Kind::Tuple) return static_cast<std::int64_t>(leaves_[shape.own].size());
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const Shape& child : shape.children) least = std::min(least, extent(child));
    return least;
  }

  Value at(const Shape& shape, std::int64_t i) const {
    if (shape.kind == Shape::Kind::Prim) return snesl::atom_value(atom(shape.own, i, shape.prim));
    Values items;
    if (shape.kind == Shape::Kind::Tuple) {
      items.reserve(shape.children.size());
      for (const Shape& child : shape.children) items.push_back(at(child, i));
      return snesl::tuple_value(std::move(items));
    }
    if (shape.kind == Shape::Kind::Sequence) throw Bug("a sequence in a vector");
    const std::int64_t start = atom(shape.own, i, Prim::Int).integer;
    const std::int64_t length = atom(shape.own + 1, i, Prim::Int).integer;
    const std::int64_t base = extent(shape.children[0]);
    if (start < 0 || length < 0 || start > base || length > base - start)
      unfit("the slice " + std::to_string(start) + ", " + std::to_string(length) + " of a base of " +
            std::to_string(base));
    items.reserve(static_cast<std::size_t>(length));
    for (std::int64_t k = start; k < start + length; ++k) items.push_back(at(shape.children[0], k));
    return snesl::vector_value(std::move(items));
  }

  const std::vector<Stream>& leaves_;
};

void collect(const Tree& t, std::vector<StreamId>& leaves) {
  if (t.unit) return;
  if (t.children.empty()) leaves.push_back(t.leaf);
  for (const Tree& child : t.children) collect(child, leaves);
}

}  // namespace

std::vector<StreamId> leaves_of(const Tree& t) {
  std::vector<StreamId> leaves;
  collect(t, leaves);
  return leaves;
}

std::vector<Stream> represent(const Values& values, const Type& type) {
  std::size_t count = 0;
  const Shape shape = shape_of(type, count);
  Several all;
  for (const Value& v : values) all.push_back(&v);
  std::vector<Stream> leaves(count);
  write(shape, all, leaves);
  return leaves;
}

Value value_of(const std::vector<Stream>& leaves, const Type& type) {
  std::size_t count = 0;
  const Shape shape = shape_of(type, count);
  if (leaves.size() != count) unfit(std::to_string(leaves.size()) + " leaves for a type of " + std::to_string(count));
  return Reader(leaves).all(shape, 1)[0];
}

}  // namespace lockstep::svcode

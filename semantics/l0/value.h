// Values of L0. An array of tuples is a tuple of arrays (§2.3.1), so that a value is a tree of scalars and of arrays of
// scalars; a row is a view of its array.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/number.h"
#include "semantics/l0/type.h"

namespace lockstep::l0 {

using Dimensions = std::vector<std::int64_t>;

// The lengths of an array, outermost first; those of a row are what is left of its array's.
class Shape {
 public:
  Shape() : Shape(Dimensions{}) {}
  explicit Shape(Dimensions all) : all_(std::make_shared<const Dimensions>(std::move(all))) {}
  std::size_t rank() const { return all_->size() - first_; }
  std::int64_t operator[](std::size_t k) const { return (*all_)[first_ + k]; }
  Shape row() const { return Shape(all_, first_ + 1); }
  Dimensions dimensions() const { return {all_->begin() + static_cast<std::ptrdiff_t>(first_), all_->end()}; }
  std::int64_t count() const;  // of scalars
  friend bool operator==(const Shape& a, const Shape& b) { return a.dimensions() == b.dimensions(); }

 private:
  Shape(std::shared_ptr<const Dimensions> all, std::size_t first) : all_(std::move(all)), first_(first) {}
  std::shared_ptr<const Dimensions> all_;
  std::size_t first_ = 0;
};
std::string show(const Dimensions& d);  // [2][3]

// Scalars of one type, row by row; beside their bits what they are in domains other than IEEE's.
struct Buffer {
  std::vector<std::uint64_t> bits;
  std::vector<std::shared_ptr<const Real>> reals{};  // as many, or none
};
struct Array {
  ScalarType type = ScalarType::I64;
  Shape shape;
  std::shared_ptr<Buffer> data;
  std::size_t offset = 0;

  Scalar operator[](std::size_t k) const;  // the k-th scalar
  Array row(std::int64_t i) const;         // of rank 1 and more
};
Array array_of_scalars(ScalarType type, Shape shape);  // zeros
void set(Array& a, std::size_t k, const Scalar& s);    // of one that nobody else holds

struct Value;
using Values = std::vector<Value>;
struct Value {
  std::variant<Scalar, Array, std::shared_ptr<const Values>> node;
};
inline Value tuple_value(Values items) { return {std::make_shared<const Values>(std::move(items))}; }
inline Value int_value(std::int64_t n) { return {make_integer(ScalarType::I64, static_cast<std::uint64_t>(n))}; }
const Scalar& as_scalar(const Value& v);
const Array& as_array(const Value& v);
const Values& as_tuple(const Value& v);

// Of an array, of tuples too: its length, an element or row, a copy that nobody else holds.
std::int64_t length_of(const Value& v);
Value row_of(const Value& v, std::int64_t i);
Value copied(const Value& v);
// Its leaves in order, and a value of leaves and their structure.
std::vector<const Value*> leaves_of(const Value& v);
std::vector<Dimensions> dimensions_of_leaves(const Value& v);  // none of a scalar
Value value_of_leaves(const Type& type, const Values& leaves, std::size_t& next);
std::int64_t scalar_count(const Value& v);
bool same_value(const Value& a, const Value& b);  // bit for bit, shapes too; any NaN is any

// Makes an array of elements of a type, one after another.
class Gathering {
 public:
  explicit Gathering(const Type& element);
  // Elements are of one shape, leaf by leaf: where this one's differs, why.
  std::optional<std::string> add(const Value& element);
  // Of those that were added; where there were none the rows have these dimensions.
  Value finish(const std::vector<Dimensions>& rows_of_none);
  Value finish();  // there was one
  std::int64_t count() const { return count_; }

 private:
  struct Leaf {
    LeafType type;
    Dimensions row;
    Buffer data;
  };
  Type type_;
  std::vector<Leaf> leaves_;
  std::int64_t count_ = 0;
};

// The literal that is read back: 12, (1, 2.5), [1, 2], "text"; an array of tuples element by element.
std::string show(const Value& v, const Type& type, const Domain& domain);

}  // namespace lockstep::l0

// Values of SNESL as arrays in NumPy's files.
//
// A value of scalars nested regularly is one array, of as many dimensions as it is deep. Otherwise it is its leaves,
// left to right: of a tuple those of its components; of a vector or sequence whose elements are of different lengths
// the leaves of all of them, one after another, and then their lengths (int64).
#pragma once
#include "codegen/runtime/npy.h"
#include "semantics/snesl/value.h"

namespace lockstep::driver {

struct ValueLeaf {
  ScalarType type = ScalarType::Bool;
  std::vector<std::int64_t> shape;
  std::vector<unsigned char> bytes;
};
// The leaves as results are written: a level whose elements are equally long is a dimension.
std::vector<ValueLeaf> leaves_of(const snesl::Value& value, const snesl::Type& type);

ScalarType scalar_of(snesl::Prim p);  // Int int64, Real float64, Char uint8, Bool bool
std::optional<snesl::Prim> prim_of(ScalarType t);
// How deep scalars are nested in vectors and sequences; nothing where there is a tuple.
std::optional<std::size_t> rank_of(const snesl::Type& type);
snesl::Prim scalar_in(const snesl::Type& type);
// One array as a value whose rank is that of its shape.
snesl::Value value_of(const NpyArray& array, const snesl::Type& type);

// What an argument's leaves are, whatever the values: the outermost vectors' and sequences' lengths are the arrays'
// own, those further in have a leaf of lengths.
struct LeafType {
  snesl::Prim prim;
  bool lengths = false;
};
std::vector<LeafType> leaf_types(const snesl::Type& type);
// Each array of one dimension, or of none outside all vectors and sequences; an error where the lengths do not fit.
tl::expected<snesl::Value, std::string> value_of_leaves(const std::vector<NpyArray>& arrays, const snesl::Type& type);

}  // namespace lockstep::driver

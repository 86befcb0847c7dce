// What is known of a value that was never made (row_shapes.cpp), leaf by leaf. Private to row_shapes.cpp and known.cpp.
#pragma once
#include "semantics/l0/value.h"

namespace lockstep::l0::evaluating {

// Of a scalar perhaps which, of an array perhaps its lengths, or all of it.
struct Known {
  LeafType type;
  std::vector<std::optional<std::int64_t>> lengths{};
  std::optional<Value> value{};
};
using KnownValue = std::vector<Known>;
bool same_lengths(const Known& a, const Known& b);

KnownValue nothing_of(const Type& type);
KnownValue all_of(const Value& v, const Type& type);
KnownValue shapes_of(KnownValue v);                    // its shapes alone
KnownValue element_of_known(const KnownValue& array);  // of which only its shape is known
KnownValue array_of_known(std::optional<std::int64_t> n, const KnownValue& element);
// The least of those that are known: in whatever order, and how many at a time, they are gone over.
std::optional<std::int64_t> common_length(const std::vector<KnownValue>& arrays);
KnownValue as_long_as(KnownValue array, std::optional<std::int64_t> n);
KnownValue either(KnownValue a, const KnownValue& b);  // what is the same of both
std::optional<Scalar> scalar_of(const KnownValue& v);
std::optional<std::int64_t> int_of(const KnownValue& v);

}  // namespace lockstep::l0::evaluating

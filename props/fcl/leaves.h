// Values of FCL as the arrays of their leaves, and back.
#pragma once
#include <functional>

#include "codegen/runtime/arrays.h"
#include "semantics/fcl/values.h"

namespace lockstep::props::fcl {

namespace language = lockstep::fcl;

struct LeafType {
  ScalarType scalar;
  std::size_t rank;
};
std::vector<LeafType> leaf_types(const language::Type& data);  // left to right; of a push array as of a pull array
// f on two leaves of an array of pairs, by number, and each dimension around the pair: they are as long there.
void each_equal_length(const language::Type& data,
                       const std::function<void(std::size_t leaf, std::size_t other, std::size_t dimension)>& f);

Leaves leaves_of(const language::Type& type, const Value& v);
// Of leaves that are as long as each other where they are to be.
Value value_of(const language::Type& type, const Leaves& leaves);
lockstep::Type shaped(const language::Type& type, const Leaves& leaves);  // as data of the calculus' types

}  // namespace lockstep::props::fcl

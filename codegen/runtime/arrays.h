// Arguments and results as the arrays of their leaves, as C has them: a mapped file reaches a compiled program without
// a copy, and the interpreters read it element by element.
#pragma once
#include <memory>
#include <tl/expected.hpp>

#include "codegen/runtime/memory.h"
#include "semantics/core/phrase.h"
#include "semantics/core/value.h"

namespace lockstep {

// The scalars of one leaf, row-major, in the machine's byte order (a bool is a byte). The lanes of a short vector are
// one dimension more, the last.
struct LeafArray {
  ScalarType type = ScalarType::Bool;
  std::vector<std::int64_t> shape;
  std::shared_ptr<const void> hold;  // keeps `data` alive
  const void* data = nullptr;
};
std::int64_t count_of(const LeafArray& leaf);
Scalar scalar_at(const LeafArray& leaf, std::int64_t index);
void put_scalar(void* data, ScalarType type, std::int64_t index, const Scalar& ieee);
using Leaves = std::vector<LeafArray>;  // of one value, left to right

// The sizes, and the parameters' values in their order.
struct Arguments {
  SizeValues sizes;
  std::vector<Leaves> values;
};

// A leaf's dimensions as numbers, lanes included; a Bug where they are no natural numbers.
std::vector<std::int64_t> shape_of(const Leaf& leaf, const SizeValues& sizes);
// bytes of all leaves of a type; the greatest number where it overflows
std::uint64_t bytes_of(const Type& type, const SizeValues& sizes);

// Uninitialised; the memory is checked as a whole. `also` bytes are to be had beside it.
tl::expected<Leaves, std::string> allocate_leaves(const Type& type, const SizeValues& sizes, std::string_view what,
                                                  std::uint64_t also = 0);
// Memory that allocate_leaves gave and nobody else reads yet.
std::vector<void*> writable(const Leaves& leaves);

// Arrays read their leaves when they are asked for an element. IEEE numbers, which every domain takes as inputs.
Value value_of(const Type& type, const SizeValues& sizes, const Leaves& leaves);
std::vector<Value> values_of(const PhraseProgram& program, const Arguments& arguments);
// The other way; every float is given by its nearest IEEE number.
tl::expected<Leaves, std::string> leaves_from(const Value& value, const Type& type, const SizeValues& sizes,
                                              const Domain& domain);
Leaves leaves_from(const std::vector<std::vector<Scalar>>& scalars, const Type& type, const SizeValues& sizes);

}  // namespace lockstep

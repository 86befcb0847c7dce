// The languages whose programs take arrays, tuples and scalars and give one: what they run on, and what comes of it.
#pragma once
#include <cstdint>

#include "semantics/core/type.h"
#include "semantics/core/value.h"
#include "semantics/language/language.h"

namespace lockstep {

using Scalars = std::vector<std::vector<Scalar>>;  // by leaf, tuples being structures of arrays
using Outcome = tl::expected<Scalars, Trap>;
// What a program gives on an input, or why it gives nothing: a race, a scalar that nothing wrote.
using Attempt = tl::expected<Outcome, std::string>;

// The scalars of a value of that type.
Scalars flatten(const Value& v, const Type& type, const SizeValues& sizes);

struct ArrayInput {
  SizeValues sizes;
  std::function<std::vector<Value>()> values;  // of the parameters
  std::function<Scalars()> leaves;             // the scalars of each leaf
};
// What a run did, in the units of Cost: an iteration of a parallel loop counts for depth beside the others, and the
// scalars that are allocated are those of one worker.
struct Counted {
  std::int64_t work = 0, depth = 0, space = 0;
  std::int64_t writes = 0;  // of scalars, to buffers and to variables
  std::int64_t words = 0;   // scalars that are read from buffers and written to them, by kernels
};
struct ArrayRun {
  std::size_t order = 0;  // of what is parallel, below ArrayLanguage::orders
  std::uint64_t seed = 0;
  std::uint64_t rounds = 0;    // of all `while` loops together; 0: no limit
  Counted* counted = nullptr;  // filled in where the language counts
  bool watched = true;         // interference and races are looked for, where that can be done in this order
};

struct ArrayLanguage : Language {
  std::size_t orders = 1;
  std::size_t in_turns = 1;  // from this order on, iterations change places at every access
  std::function<Attempt(const AnyProgram&, const ArrayInput&, const Domain&, const ArrayRun&)> meaning{};
};
inline const ArrayLanguage& array_language(const AnyProgram& p) {
  if (const auto* l = dynamic_cast<const ArrayLanguage*>(&p.language())) return *l;
  throw Bug("programs of " + p.language().name + " do not run on arrays");
}

}  // namespace lockstep

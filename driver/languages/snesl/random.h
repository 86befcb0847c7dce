// Random values of a type, for programs that are verified or timed without being given any.
#pragma once
#include <random>

#include "semantics/snesl/value.h"

namespace lockstep::driver {

class RandomValues {
 public:
  // Sequences and vectors have at most `longest` elements.
  explicit RandomValues(std::uint64_t seed, int longest = 6) : engine_(seed), longest_(longest) {}

  // Small whole numbers, some of them negative; Reals in quarters; characters of text, and some of all.
  snesl::Value value(const snesl::Type& type);
  std::string file();

 private:
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }
  unsigned char character();
  snesl::Atom atom(snesl::Prim p);
  snesl::Values elements(const snesl::Type& type);

  std::mt19937_64 engine_;
  int longest_;
};

}  // namespace lockstep::driver

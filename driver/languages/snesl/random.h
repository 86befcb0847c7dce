// Random values of a type, for programs that are verified or timed without being given any.
#pragma once
#include <functional>
#include <random>

#include "props/engine/kinds.h"
#include "props/snesl/files.h"
#include "semantics/snesl/value.h"

namespace lockstep::driver {

class RandomValues {
 public:
  // Sequences and vectors have at most `longest` elements.
  explicit RandomValues(std::uint64_t seed, int longest = 6);
  // How many elements a sequence or vector of the type has that lies inside `depth` others.
  using LengthOf = std::function<std::int64_t(const snesl::Type& type, std::size_t depth)>;
  RandomValues(std::uint64_t seed, LengthOf length) : engine_(seed), length_(std::move(length)) {}
  RandomValues(const RandomValues&) = delete;  // length_ may be of this one
  RandomValues& operator=(const RandomValues&) = delete;

  // Small whole numbers, some of them negative; Reals in quarters; characters of text, and some of all.
  snesl::Value value(const snesl::Type& type);
  // Of a kind that the type has: Ints above 0 up to 8, Reals up to 8; else what kinds.h says, of the innermost vectors
  // or sequences, or of matrices of two of them.
  snesl::Value value(const snesl::Type& type, props::RandomKind kind);
  std::string file();
  std::string text(std::int64_t length);  // of characters of text, with an end to its last line

 private:
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }
  unsigned char character();
  snesl::Atom atom(snesl::Prim p);
  // Of a sequence or vector.
  snesl::Values elements(const snesl::Type& type, props::RandomKind kind);
  snesl::Values row(const snesl::Type& type, props::RandomKind kind);
  snesl::Value matrix(const snesl::Type& type, const snesl::Type& row);

  std::mt19937_64 engine_;
  LengthOf length_;
  std::size_t depth_ = 0;
};

// What a type would have to be for a kind; nothing where it has such values.
std::optional<std::string> refused(props::RandomKind kind, const snesl::Type& type);

// Every name is of a file made up from it and the seed: empty, text with and without an end to its last line, or bytes.
props::stream::KeptFiles made_up_files(std::uint64_t seed);

}  // namespace lockstep::driver

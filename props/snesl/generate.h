// Random well-typed programs of SNESL as surface trees, and arguments and files for them, each a function of a 64-bit
// seed. A program is made from its result type downwards. What may fail when it runs is mostly made so that it does
// not.
#pragma once
#include <map>

#include "props/engine/random.h"
#include "semantics/snesl/syntax.h"
#include "semantics/snesl/value.h"

namespace lockstep::props::stream {

// Of vectors that are seldom asked: over the entry point's parameters, how many there are, and how often one is asked.
struct Asked {
  snesl::surface::Expr groups, times;
};
struct GeneratedProgram {
  snesl::surface::Program program;           // the last function is the entry point
  std::map<std::string, snesl::Type> types;  // of its parameters
  bool altered = false;                      // elaboration may refuse it
  std::optional<Asked> seldom{};
};
// About `nodes` expressions, helper functions included.
GeneratedProgram generate_program(std::uint64_t seed, int nodes = 14);
// Whether that program has vectors that are seldom asked.
bool asks_seldom(std::uint64_t seed);

// Small: empty and one-element sequences are frequent. `longest`: of a sequence or vector that is in no other, where it
// is to be long.
snesl::Value random_value(const snesl::Type& t, Random& random, int longest = 0);
// What read_file finds in the programs made here; "missing" is not there.
const std::map<std::string, std::string>& campaign_files();
// The same names with other texts.
std::map<std::string, std::string> random_files(Random& random, int longest = 0);

// How often each built-in, operator and form occurs in surface trees.
struct SourceCoverage {
  std::map<std::string, std::size_t> counts;
  void count(const snesl::surface::Program& p);
  void add(const SourceCoverage& other);
  std::vector<std::string> missing() const;  // of the language's whole vocabulary
};

}  // namespace lockstep::props::stream

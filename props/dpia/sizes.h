// Sizes that a program is tested and timed at: they satisfy its facts, and those that belong together are drawn so.
#pragma once
#include "props/dpia/given.h"
#include "props/engine/random.h"

namespace lockstep::props {

// What a person asks for.
struct SizesAsked {
  SizeValues given{};                 // these keep their value
  std::vector<std::int64_t> among{};  // what the others are drawn from; where there is nothing, from many
  GivenInputs inputs{};               // arrays have dimensions, and kinds of random values lengths that they are of
};

// Names that follow from others. An equation among the facts, and among the dimensions of arrays that are given,
// determines a name that it is linear in. `log2n` is the logarithm of `n`, which then is a power of two or 0.
class SizeRelations {
 public:
  SizeRelations(const PhraseProgram& program, const SizesAsked& asked, bool logarithms = true);
  const std::vector<std::string>& drawn() const { return drawn_; }              // what nothing determines
  bool power(const std::string& name) const { return powers_.contains(name); }  // a power of two, or 0
  bool any_logarithm() const { return !logarithms_.empty(); }
  // The others, from the sizes that are given and drawn; false where one is no natural number.
  bool complete(SizeValues& sizes) const;

 private:
  struct Equation {
    std::string name;  // coefficient * name == rest
    std::int64_t coefficient;
    Size rest;
  };
  void solve(const SizeFact& fact, const std::set<std::string>& open);

  std::vector<Equation> equations_;                              // each mentions no name of those before it
  std::vector<std::pair<std::string, std::string>> logarithms_;  // (log2n, n)
  std::vector<std::string> drawn_;
  std::set<std::string> powers_;
  SizeValues given_;
};

// Whether the facts hold and every dimension is a natural number.
bool fits(const PhraseProgram& program, const SizeValues& sizes);
// Scalars of the inputs and the result.
double element_count(const PhraseProgram& program, const SizeValues& sizes);

// What an input costs to run.
using Weight = std::function<double(const SizeValues&)>;
struct SizeSearch {
  std::vector<SizeValues> sizes;      // the lightest first
  std::vector<SizeValues> light;      // all that were found within the limit, in the same order
  std::optional<SizeValues> heavy{};  // beyond the limit, where no lighter one is without a size 0
};
// Up to `count` assignments: 0, 1, odd and larger ones, multiples of what the program divides by and others.
SizeSearch search_sizes(const PhraseProgram& program, const SizesAsked& asked, std::size_t count, const Weight& weight,
                        double limit, std::uint64_t seed);

}  // namespace lockstep::props

// All mistakes of a file in one text, each of which is made only where a run asks for its number (R. H. Untch,
// A. J. Offutt, M. J. Harrold, "Mutation analysis using mutant schemata", ISSTA 1993): planted(K) of planted.h says
// whether it does.
#pragma once
#include <optional>

#include "tests/mutate/places.h"
#include "tests/mutate/tokens.h"

namespace lockstep::mutate {

struct Mistake {
  std::size_t number;
  Edit edit;
};
struct Region {
  std::size_t begin, end;  // bytes
  friend bool operator==(const Region&, const Region&) = default;
};
// What must be written twice for the edit to be chosen at run time: the statement that is dropped, or the expression up
// to the brackets and signs around it. None where no run decides (a label, a constant expression).
std::optional<Region> region_of(const Source& source, const Edit& edit);

// The text with all of them, with the same lines as before. Regions must be apart or one within the other.
std::string with_mistakes(const Source& source, const std::vector<Mistake>& mistakes);
// Whether they are.
bool fits(const std::vector<Region>& before, const Region& region);

}  // namespace lockstep::mutate

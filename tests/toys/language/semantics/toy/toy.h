// A language of one page: NAME = STEP | STEP ..., over integers that wrap. `scale N` and `add N` are maps, `sum` ends.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "semantics/core/diagnostic.h"

namespace lockstep::toy {

using Numbers = std::vector<std::int64_t>;
struct Step {  // x -> x * scale + add; or the sum of all
  std::int64_t scale = 1, add = 0;
  bool sum = false;
  friend bool operator==(const Step&, const Step&) = default;
};
struct Program {
  std::string name;
  std::vector<Step> steps;
  friend bool operator==(const Program&, const Program&) = default;
};
Checked<std::vector<Program>> parse(const SourceRef& source);
std::string print(const Program& p);
Numbers run(const Program& p, Numbers xs, std::size_t* work = nullptr);
Program fuse(const Program& p);  // maps beside each other become one

}  // namespace lockstep::toy

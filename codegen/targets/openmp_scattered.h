// Loops that store at a place which data choose, where data choose that there is one, as `scatter` has them in order:
//   for (j < n) { ... var i = PLACE; if (0 <= i) { checks, stores at i } }
// as C++ without that branch, where PLACE chooses a number for some elements. Where nobody can tell which, as in a
// compaction, half of the guesses of a processor are wrong, and each costs more than the element. What the branch holds
// is done for every element; one without a place goes to a variable.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codegen/c/statement.h"

namespace lockstep {

// Of a program's arrays their scalars, where a name is one array's and the number is known.
std::map<std::string, Size> array_counts(const kernel::Program& p);

// Such a loop's parts.
struct ScatteredLoop {
  const kernel::For* loop = nullptr;
  std::vector<const kernel::Stmt*> before;  // what stands before the place
  const kernel::Declare* place = nullptr;
  kernel::Expr condition;
  std::vector<const kernel::Stmt*> branch;  // checks and stores of scalars
};
// Nothing where the loop is another, or its branch reads more than arrays at the place and at what is inside in every
// iteration, or may trap by itself. `counts`: scalars of the arrays that are known.
std::optional<ScatteredLoop> scattered_loop(const kernel::For& loop, const std::map<std::string, Size>& counts);

// Prints it; `check` prints a check, given the text of the condition under which it fails.
void print_scattered(CStatements& s, const ScatteredLoop& loop, const std::map<std::string, Size>& counts,
                     const std::function<void(const kernel::Check&, const std::string& fails)>& check);
std::string scattered_text();  // what such loops call

}  // namespace lockstep

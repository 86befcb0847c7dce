// What a generated entry point asks of its arguments before it reads them: what was proved of the program, and is
// therefore not checked in its text, holds under these. Sizes are naturals, the facts hold, sums and products of sizes
// stay within 64 bits, and inputs of type idx(n) lie below n.
#pragma once
#include "codegen/c/text.h"

namespace lockstep {

struct Precondition {
  std::string message;                   // what is wrong where it does not hold; {0} to {3} stand for values
  std::string needed;                    // for the header: "n % 4 == 0"; "" for what is asked of every program
  std::vector<std::string> check;        // lines of C++ that return refused(trap, number, values...) then
  std::set<std::string> reads;           // the parameters in these lines, beside `trap`, as they are printed
  bool exact = false;                    // the lines use Exact
  std::set<kernel::ArithOp> computed{};  // where they do: by these operators of it
  std::set<SizeRelation> compared{};
};
// In the order of their checks: the k-th has the number -1 - k. `openmp`: its threads may share a check of many
// elements.
std::vector<Precondition> preconditions(const kernel::Program& p, bool openmp = false);

// Of a narrow program: "const bool narrow = ...;", whether its sizes are such that its indices are.
Precondition narrow_condition(const kernel::Program& p);

// The functions and the type that the lines use.
std::string refusal_text(const std::vector<Precondition>& all, const std::string& trap_type);

}  // namespace lockstep

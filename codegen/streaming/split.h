// A program in two parts, for several threads: the body, which can be run on one piece of the program's root stream
// after another, each from a fresh state and at the same time; and the tail, which takes what the bodies give in order.
#pragma once
#include <array>
#include <optional>
#include <set>

#include "semantics/svcode/program.h"

namespace lockstep::engine {

struct Split {
  svcode::StreamId root{};  // read_whole, or range
  bool is_file = false;
  std::array<bool, 256> cut{};       // of a file: the characters after which it may be cut
  svcode::Program head;              // whose results are the root's operands
  svcode::Program body;              // the root is an input here
  svcode::Program tail;              // and what the bodies give are inputs here
  std::set<svcode::StreamId> given;  // what they may give, by their ids
};

// None where nothing would be gained, or where it cannot be shown that pieces can be run alone.
std::optional<Split> split(const svcode::Program& p);

}  // namespace lockstep::engine

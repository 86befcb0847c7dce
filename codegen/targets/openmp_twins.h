// Outermost parallel loops of a program that differ in their arrays alone, as the rounds of an `iterate` that swaps its
// state: one function for all of them, so that a compiler has one to compile.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "semantics/kernel/syntax.h"

namespace lockstep {

struct TwinLoops {
  const kernel::ParallelFor* first;  // whose text the function has
  std::vector<std::string> sizes;    // of the program, that they read
  struct Array {
    std::string name;  // as `first` calls it
    kernel::KType type;
    bool written;
  };
  std::vector<Array> arrays;
};
struct TwinLoop {
  std::size_t twins;                // which of them
  std::vector<std::string> arrays;  // as this one calls them
};
struct Twins {
  std::vector<TwinLoops> all;
  std::map<const kernel::ParallelFor*, TwinLoop> loops;
};
// Of loops in rounds that are worth it: neither short, nor with a check or memory to be had, which end what is around
// them. They read nothing but sizes and arrays of several scalars.
Twins twin_loops(const kernel::Program& p);

}  // namespace lockstep

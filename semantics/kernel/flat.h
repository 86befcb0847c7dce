// Kernel programs as flat code: a list of small instructions over a stack of scalars, so that a thread is a program
// counter with a few numbers beside it and can be stopped anywhere. In: a program and its sizes; out: code that
// interleave.h runs. It shares nothing with the closures of run.cpp, so that each is an oracle of the other.
//
// Names are resolved to slots. A thread has its own variables (an iteration starts with copies of those around it,
// which check() keeps it from assigning); a buffer's slot says which buffer the name stands for in the thread.
#pragma once
#include "semantics/core/number.h"
#include "semantics/kernel/syntax.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::kernel::flat {

// ---- numbers: operands are on the stack, a short vector as its lanes, the first lowest
struct Push {
  Scalar value;
};
struct PushVariable {
  std::size_t slot;
  std::size_t width;
};
struct Compute {  // on two i64 or, for And, two bools
  ArithOp op;
};
struct Operate {  // lane by lane
  const Primitive* primitive;
  ScalarType type;
  std::size_t arguments, width;
};
struct Pick {  // a vector, a lane's number -> the lane
  std::size_t width;
};
struct Repeat {  // a scalar -> a vector of it
  std::size_t width;
};
struct Read {  // index, lanes read so far (as many as `lane`) -> the same and buffer[index + lane]
  std::size_t buffer;
  std::size_t lane;
};
struct DropUnder {  // removes the entry under the top `keep`
  std::size_t keep;
};
struct Drop {
  std::size_t count;
};
// ---- statements
struct Undefine {
  std::size_t slot, width;
};
struct Set {  // pops
  std::size_t slot, width;
};
struct Write {  // index, a vector of `width` -> the same; buffer[index + lane] is written
  std::size_t buffer;
  std::size_t lane, width;
};
struct Update {  // index, value -> the same; buffer[index] becomes the operator's value on `value` and itself, at once
  std::size_t buffer;
  const Primitive* primitive;
};
// What deals a loop's iterations out, each to one of them: nothing, so that every thread runs all; the threads of the
// block, its warps, or the lanes of the warp.
enum class Dealt { No, Threads, Warps, Lanes };
struct OnlyFirst {  // a store in code between local loops: other threads than the first go on at `to`
  std::size_t to;
  bool of_warp;  // than the first of each warp
};
struct Jump {
  std::size_t to;
};
struct JumpUnless {  // pops a bool
  std::size_t to;
};
struct LoopStart {  // pops the extent; the variable is 0 or, where iterations are dealt out, the thread's or warp's
                    // number
  std::size_t variable, extent;
  Dealt dealt;
};
struct LoopTest {
  std::size_t variable, extent, exit;
};
struct LoopNext {  // by 1 or by the number of those that iterations are dealt to
  std::size_t variable, back;
  Dealt dealt;
};
struct OfUnits {};  // pops the units that a loop is dealt out to, 1 or more, and its extent -> the smaller
struct CountWhile {};
struct New {                              // pops the count in scalars; uninitialised
  enum class Of { Thread, Warp, Block };  // one for each, or for the threads of a warp or of the block together
  std::size_t buffer;
  const Allocate* allocation;
  Of of;
};
struct Fork {  // pops the extent; each iteration begins at the next instruction, this thread goes on at `after`
  const ParallelFor* loop;
  std::size_t variable, after;
  std::int64_t threads;  // of a block; 0: no blocks
};
struct End {};  // of an iteration or a thread
struct Wait {   // a barrier
  bool of_warp;
};
// A lane's value, a lane's number -> the value of that lane of the segment. Waits for the segment's lanes below
// `lanes`.
struct Exchange {
  const Shuffle* shuffle;
  std::int64_t lanes;               // that have an iteration of the local loop
  std::vector<std::size_t> rounds;  // the variables of the sequential loops around, in which they must agree
  const Stmt* branch;               // the innermost condition or loop around in the local loop, or nullptr
};
struct Fail {  // pops the values: a trap
  const Check* check;
};

struct Instruction {
  std::variant<Push, PushVariable, Compute, Operate, Pick, Repeat, Read, DropUnder, Drop, Undefine, Set, Write, Update,
               OnlyFirst, Jump, JumpUnless, LoopStart, LoopTest, LoopNext, OfUnits, CountWhile, New, Fork, End, Wait,
               Exchange, Fail>
      node;
  const Stmt* from = nullptr;      // the statement that it is part of
  const Region* region = nullptr;  // where in the source it stands
};

struct Code {
  std::vector<Instruction> instructions;  // the last is End
  std::size_t variables = 0;              // slots of scalars: sizes first, in the program's order
  std::size_t buffers = 0;                // slots: inputs, outputs, then what is allocated
};

// `program` passes check(); it outlives the code. threads_per_block 0: those of the program's block, but not more than
// its largest local loop has iterations, where that follows from the sizes: the others would come to barriers only. A
// block with shuffles has whole warps, where threads are asked for.
Code flatten(const Program& program, const SizeValues& sizes, const Domain& domain, std::int64_t threads_per_block);

}  // namespace lockstep::kernel::flat

// What lies in the memory that a block's threads share, of each launch of a kernel program: the one place where its
// bytes are added up. In: a program; out: the arrays, and their bytes as a polynomial over the program's sizes.
//
// Arrays whose size is a number are the target's to place. Those of which only a launch knows the size lie in one piece
// of memory, each from the byte that `at` says on (syntax.h, Allocate), which a stage gives them (places).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "semantics/kernel/gpu_model.h"
#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

struct BlockArray {
  Allocate array;
  std::int64_t copies = 1;  // of what a warp allocates each of the block's warps has one

  bool at_launch() const { return !constant_of(array.count); }  // a launch knows its size, the program does not
  std::int64_t bytes_of_scalar() const { return copies * bytes_of(array.type.scalar); }  // in all copies
  std::optional<Size> bytes() const;  // of all copies; nothing where the count is no size
};

// Whether a thread holds the array itself: a number of scalars, few, of no space that outlives what it runs.
bool fits_thread(const Allocate& a);

// Of one outermost parallel loop: what it allocates for the threads of a block, or of a warp, together.
struct BlockMemory {
  std::vector<BlockArray> arrays;               // in the order of the text
  std::optional<Size> bytes() const;            // nothing where the count of one is no size
  std::optional<Size> bytes_at_launch() const;  // of those of which a launch knows the size
};
BlockMemory block_memory(const ParallelFor& outermost, const Launch& launch);
// Every parallel loop that stands in no other, in the order of the text.
void each_launch(const Stmt& s, const std::function<void(const ParallelFor&)>& f);
// Of each launch, of those that need none too.
std::vector<BlockMemory> block_memories(const Program& program);

// Gives each array of a launch's size its first byte: one after the other, those of larger scalars first, so that each
// begins at a multiple of its scalars' bytes and none are lost.
std::vector<BlockArray> laid_out(const BlockMemory& memory);
// The arrays of a launch's size of which it does not follow that they lie apart, at multiples of their scalars' bytes:
// why, a line each.
std::vector<std::string> wrong_layout(const BlockMemory& memory, const SizeContext& known);

// The greatest value of the size `name` for which so many bytes are within the limit, the other sizes as they are; at
// most the one that is given, where one is. Nothing where there is none, or no end. Bytes grow with sizes.
std::optional<std::int64_t> greatest_that_fits(const Size& bytes, const std::string& name, const SizeValues& sizes,
                                               std::int64_t limit);
// Why a GPU does not launch it: the bytes, the limit, and the greatest that fits. Without a value for each size, of
// what is needed whatever the sizes. Nothing where it does.
std::optional<std::string> too_large(const BlockMemory& memory, const SizeValues& sizes = {}, const GpuModel& = {});
// The first of the program's launches that is.
std::optional<std::string> too_large(const Program& program, const SizeValues& sizes = {}, const GpuModel& = {});
// "a block would need 56080 bytes of local memory, which has 49152, for 'a' (8*t), 'b' (4*t)"; `bytes` as text.
std::string beyond_memory(const std::string& bytes, std::int64_t limit, const BlockMemory& memory);

}  // namespace lockstep::kernel

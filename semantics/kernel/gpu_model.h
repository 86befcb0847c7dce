// What of a GPU a kernel's cost, and whether it is launched, hangs on: shared by the analysis (gpu_cost.h) and by the
// interpreter's count (warp_count.h), which share nothing else.
#pragma once
#include <cstdint>

namespace lockstep::kernel {

// In bytes. Global memory is moved in aligned sectors, and a buffer begins at a multiple of a sector. A block's memory
// is in banks: word w, of `bank_bytes`, lies in bank w % banks; a bank gives one word a turn, to every lane that asks
// for it.
struct GpuModel {
  std::int64_t sector_bytes = 32;
  std::int64_t banks = 32;
  std::int64_t bank_bytes = 4;
  std::int64_t block_bytes = 48 * 1024;  // that the arrays of a block have together
};

// Where a buffer lies, as the GPU's text has it (codegen/targets/hip_kernel.cpp): what the program allocates outside
// its parallel loops and its parameters in global memory; what a block or a warp allocates for its threads together in
// the block's; what a thread allocates, or each of them has a copy of, with the thread.
enum class Place { Global, Block, Thread };

}  // namespace lockstep::kernel

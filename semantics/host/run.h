// Interpreter of host programs over any number domain: the device has a memory of its own, in which an array holds
// nothing before it is written and is gone when it is released.
#pragma once
#include "semantics/host/program.h"
#include "semantics/kernel/run.h"

namespace lockstep::host {

// What a run asked of the machine.
struct Usage {
  std::int64_t launches = 0, reads = 0;                // kernels; numbers that the host waited for
  std::int64_t bytes_sent = 0, bytes_fetched = 0;      // of parameters
  std::int64_t memory = 0, taken_anew = 0, taken = 0;  // bytes that the pool has at the end; blocks, new and in all
};

// A pool keeps what is given back in classes, each at most an eighth larger than what it is taken for, of 256 bytes or
// more (Accelerate's nursery: what a program gives back is taken again by what needs as much).
std::int64_t class_of(std::int64_t bytes);

// As kernel::run; the options are of its kernels.
tl::expected<kernel::Buffers, kernel::Stop> run(const Program& program, const SizeValues& sizes,
                                                const kernel::Buffers& inputs, const Domain& domain,
                                                const kernel::RunOptions& options = {}, Usage* usage = nullptr);

}  // namespace lockstep::host

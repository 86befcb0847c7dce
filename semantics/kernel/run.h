// Interpreter of the kernel language over any number domain. What hardware leaves undefined is a Fault here, with the
// iteration it happens in: a read of what was not written, an access outside a buffer, a race, a barrier that not all
// threads meet, an index that overflows. A well-translated program has none, so a fault is a bug of a stage.
#pragma once
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/number.h"
#include "semantics/kernel/syntax.h"
#include "semantics/language/arrays.h"

namespace lockstep::kernel {

enum class FaultKind {
  OutOfBounds,
  TooLarge,  // a block's arrays, for the memory that there is
  Overlap,   // of two arrays of a block that say where they begin, or one that begins where its scalars cannot
  Uninitialised,
  Race,               // two iterations of a parallel loop, or two threads of a block between barriers, meet on a scalar
  BarrierDivergence,  // a barrier that one thread meets alone
  BadDivision,        // of an index: the operands are natural and the divisor is not 0
  Overflow,           // of an index
  Unguarded,          // a scalar operator that traps by itself: no check stands before it
  Endless,            // a while loop beyond RunOptions::while_limit
  Released,           // memory of a device that was given back, or never taken (semantics/host)
  WrongLaunch         // of a kernel that has other iterations, blocks or memory
};
std::string_view show(FaultKind k);
struct Fault {
  FaultKind kind;
  std::string message;  // with buffer, index, iterations, and where in the source the accesses stand
  // Where that is: of an access, a division, an allocation or a barrier; of a race both accesses. Nothing of an output
  // at the end of the program.
  std::vector<Region> at{};
  // Of a race: where the body stands of the parallel loop whose iterations meet, or of the workgroup loop whose block's
  // threads do.
  Region loop{};
  bool of_threads = false;
};
using Stop = std::variant<Trap, Fault, UndecidedSignal>;

using lockstep::Counted;

enum class Schedule { Forward, Reverse, Random };
struct RunOptions {
  Schedule schedule = Schedule::Forward;  // of the iterations of parallel loops
  std::uint64_t seed = 0;                 // for Random
  bool detect_races = false;
  // Iteration l of a local loop is run by thread l % threads_per_block; 0: by a thread of its own.
  std::int64_t threads_per_block = 0;
  std::uint64_t while_limit = 0;  // iterations of while loops altogether; 0: no limit
  Counted* counted = nullptr;     // filled in by a run that gives outputs
  std::int64_t block_bytes = 0;   // of a GPU's block (block_memory.h); 0: no limit
};

// A parameter's scalars by its name, row-major, as many as its count.
using Buffers = std::map<std::string, std::vector<Scalar>>;

// The outputs, each scalar of which has been written. `program` passes check(); inputs of the wrong length are a Bug.
tl::expected<Buffers, Stop> run(const Program& program, const SizeValues& sizes, const Buffers& inputs,
                                const Domain& domain, const RunOptions& options = {});

// Memory of a device between kernels: its scalars, and of each whether it has been written.
struct DeviceArray {
  std::vector<Scalar> cells;
  std::vector<std::uint32_t> written;  // 1: it has
};
struct DeviceRun {
  Counted counted;                // `space` is the kernel's own
  std::uint64_t while_steps = 0;  // of its while loops
};
// Statements of `program` over numbers, and arrays that stay as they leave them. `sizes`: of the program.
tl::expected<DeviceRun, Stop> run_on_device(const Program& program, const Stmt& kernel, const SizeValues& sizes,
                                            const std::map<std::string, std::int64_t>& numbers,
                                            const std::map<std::string, DeviceArray*>& arrays, const Domain& domain,
                                            const RunOptions& options = {});

}  // namespace lockstep::kernel

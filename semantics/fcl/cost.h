// What a program of FCL costs on a machine of grids, blocks, warps and threads, from its source: the third reading
// beside evaluate.h and step.h, which shares with them what a scalar operation is, and nothing with the calculus.
#pragma once
#include <array>
#include <map>

#include "semantics/fcl/evaluate.h"

namespace lockstep::fcl {

// In bytes: what a warp's access to global memory moves at once, aligned; the banks of shared memory.
inline constexpr std::int64_t segment_bytes = 128, banks = 32, bank_bytes = 4;

// Where an array is made: at the host, in a block or warp, in a thread.
enum class Memory : unsigned char { Global, Shared, Private };
std::string_view name_of(Memory m);
using ByMemory = std::array<std::int64_t, 3>;

// What warps ask of one array, or of all arrays that one `force` or `while` makes: an issue is what the threads of a
// warp load or store together. In global memory each takes the segments that it touches, in shared memory the words of
// the bank that is asked for most of them, but one; of private memory nothing is said.
struct ArrayAccesses {
  std::string array;     // a parameter, "result", "force" or "while"
  Region region{};       // of the last two
  std::size_t leaf = 0;  // of an array of pairs, which lies in memory as an array for each part
  Memory memory = Memory::Global;
  bool is_store = false;
  std::int64_t issues = 0, lanes = 0;           // threads, of all issues
  std::int64_t least = 0, most = 0, total = 0;  // segments, or conflicts
};

struct Costs {
  Value result;
  std::int64_t operations = 0;  // on scalars
  std::int64_t of_units = 0;  // of them those of the host, a block or a warp, such as lengths: once for all its threads
  ByMemory loads{}, stores{};  // of scalars
  // Of the three: for elements of pull arrays that had been computed before.
  std::int64_t recomputed = 0;
  // Operations, loads and stores one after another: with a unit for each element of a push array and each chunk; and
  // with those that the machine has, round by round. Rounds of elements, one after another.
  std::int64_t depth = 0, dealt_depth = 0, rounds = 0;
  ByMemory bytes{};  // at once, without parameters: of all; of a block at most; of a thread at most
  std::int64_t launches = 0, barriers = 0, warp_barriers = 0;  // barriers that blocks and warps come to
  std::int64_t branches = 0, parted = 0;  // that warps come to; of them those at which its threads go different ways
  std::vector<ArrayAccesses> accesses{};  // in the order in which they are met

  std::int64_t work() const;
  std::int64_t transactions() const;
  std::int64_t conflicts() const;
};

inline constexpr std::string_view work_limit_message = "more work than the limit";  // of a trap
struct CostedRun {
  Launch launch{};
  std::map<std::string, Level> levels{};  // of the definition's level parameters
  std::uint64_t rounds = 0;               // of all `while` together; 0: no limit
  std::int64_t work = 0;                  // that is counted at most; 0: no limit
};
// Of a definition that passes the place rule, on arguments on which it gives a value. Levels are numbers: those that a
// `sig` alone names are found by the stage `instantiate`. What traps there is told where it stands.
tl::expected<Costs, Trap> costs(const Inferred& program, std::string_view definition, std::vector<Value> arguments,
                                const CostedRun& how = {});

}  // namespace lockstep::fcl

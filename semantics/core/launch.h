// How a GPU's threads are launched: of every program, from what its front end reads to the text that is printed.
#pragma once
#include <optional>
#include <string>

namespace lockstep {

struct Launch {
  int block = 256;   // threads
  int warp = 32;     // threads that run in lock step; a block's last warp may have fewer
  int grid = 65535;  // blocks at most: what has more to do does it in turns
  int index = 32;    // bits of index arithmetic where a run's sizes allow it; 64 elsewhere
  friend bool operator==(const Launch&, const Launch&) = default;
};
inline constexpr int most_block = 1024, most_warp = 64, most_grid = 2147483647, least_index = 4, most_index = 64;

// Of a block.
inline int warps_of(const Launch& l) { return (l.block - 1) / l.warp + 1; }

// As every language of programs writes it behind the head; "" where nothing has to be said.
inline std::string show(const Launch& l) {
  const Launch usual{};
  std::string r;
  if (l.block != usual.block || l.warp != usual.warp)
    r += " block " + std::to_string(l.block) + " warp " + std::to_string(l.warp);
  if (l.grid != usual.grid) r += " grid " + std::to_string(l.grid);
  if (l.index != usual.index) r += " index " + std::to_string(l.index);
  return r;
}
// Why no GPU launches so; nothing where one does.
inline std::optional<std::string> wrong_launch(const Launch& l) {
  if (l.block < 1 || l.block > most_block)
    return "a block has 1 to " + std::to_string(most_block) + " threads, not " + std::to_string(l.block);
  if (l.warp < 1 || l.warp > most_warp || (l.warp & (l.warp - 1)) != 0)
    return "a warp has 1, 2, 4, ... or " + std::to_string(most_warp) + " threads, not " + std::to_string(l.warp);
  if (l.grid < 1) return "a grid has 1 to " + std::to_string(most_grid) + " blocks, not " + std::to_string(l.grid);
  if (l.index < least_index || l.index > most_index)
    return "an index has " + std::to_string(least_index) + " to " + std::to_string(most_index) + " bits, not " +
           std::to_string(l.index);
  return {};
}

}  // namespace lockstep

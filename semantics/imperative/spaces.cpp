// The rules of spaces.h.
#include "semantics/imperative/spaces.h"

namespace lockstep::spaces {
namespace {

bool starts_threads(Level l) { return l == Level::Global || l == Level::Workgroup; }
bool of_group(Level l) { return l == Level::Warp || l == Level::Local; }

bool in_block(const Loops& loops, std::size_t depth) {
  for (std::size_t k = 0; k < depth && k < loops.size(); ++k)
    if (loops[k].level == Level::Workgroup) return true;
  return false;
}

std::string could_stand_in(Level outer) {
  std::string out;
  for (const Level l : {Level::Par, Level::Warp, Level::Local})
    if (nests(outer, l)) out += "parfor" + std::string(show(l)) + ", ";
  return out.empty() ? "a sequential loop" : out + "or a sequential loop";
}

}  // namespace

std::optional<std::string> wrong_nesting(const Around& loop, const Loops& around) {
  if (around.empty()) {
    if (loop.level != Level::Warp) return {};
    return "Level: " + loop.name +
           " runs over the warps of a block, but stands in no block: in parforWorkgroup it could";
  }
  if (nests(around.back().level, loop.level)) return {};
  return "Level: " + loop.name + " stands in " + around.back().name + ", where " + could_stand_in(around.back().level) +
         " could stand";
}

std::optional<std::string> misplaced(Space s, const Loops& around) {
  if (s != Space::Local || in_block(around, around.size())) return {};
  return "Space: newLocal is in the memory of a block, but stands " +
         (around.empty() ? "outside every parallel loop" : "in " + around.back().name + " and in no block") +
         ": newGlobal could stand, or parforWorkgroup around it";
}

std::optional<std::string> out_of_reach(const Use& use, const Loops& loops, bool chosen) {
  for (std::size_t k = use.depth; k < loops.size(); ++k) {
    const Around& loop = loops[k];
    if (use.space == Space::Local && starts_threads(loop.level) && !in_block(loops, use.depth))
      return "Space: `" + use.variable + "` is in the memory of a block, which ends before " + loop.name +
             " begins others: newGlobal could stand";
    if (use.space != Space::Private || !chosen) continue;
    if (starts_threads(loop.level))
      return "Space: `" + use.variable + "` is private to the thread outside " + loop.name + ", whose threads " +
             (use.written ? "write" : "read") + " it: newGlobal could stand";
    if (of_group(loop.level) && use.written)
      return "Space: `" + use.variable + "` is private, each thread has its own, and " + loop.name +
             " writes it for the others: " + (in_block(loops, use.depth) ? "newLocal" : "newGlobal") + " could stand";
  }
  return {};
}

}  // namespace lockstep::spaces

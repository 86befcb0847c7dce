// A block's memory for people and for programs (block_memory_text.h).
#include "driver/languages/dpia/block_memory_text.h"

#include "semantics/kernel/block_memory.h"
#include "semantics/primitives/build.h"
#include "translate/dpia/stage.h"

namespace lockstep::driver {
namespace {

struct Need {
  std::size_t kernel;  // from 1
  Size bytes;
  std::optional<std::pair<std::string, std::int64_t>> most;  // a size, where it is the only one, and its greatest value
  std::optional<std::string> refused;
};

std::vector<Need> needs_of(const kernel::Program& program) {
  const std::int64_t limit = kernel::GpuModel{}.block_bytes;
  std::vector<Need> out;
  std::size_t number = 0;
  for (const kernel::BlockMemory& m : kernel::block_memories(program)) {
    ++number;
    const auto bytes = m.bytes();
    if (!bytes || *bytes == Size(0)) continue;
    Need need{number, *bytes, {}, kernel::too_large(m)};
    std::set<std::string> names;
    collect_names(*bytes, names);
    if (names.size() == 1)
      if (const auto most = kernel::greatest_that_fits(*bytes, *names.begin(), {}, limit))
        need.most = {*names.begin(), *most};
    out.push_back(std::move(need));
  }
  return out;
}

bool has_blocks(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  bool found = x && level_of(*x) == Level::Workgroup;
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_blocks(*c); });
  return found;
}

}  // namespace

BlockNeeds block_needs(const PhraseProgram& entry, const Calculus& calculus) {
  BlockNeeds out;
  if (!has_blocks(*entry.body)) return out;
  const std::int64_t limit = kernel::GpuModel{}.block_bytes;
  for (const Need& n : needs_of(dpia_trace(entry, calculus, Machine::Gpu).kernel())) {
    const std::string needs =
        "a block needs " + show(n.bytes) + " bytes of local memory, which has " + std::to_string(limit) +
        (n.most ? ": " + n.most->first + " is " + std::to_string(n.most->second) + " at most" : "");
    out.text += entry.name + " on a GPU, kernel " + std::to_string(n.kernel) + ": " + n.refused.value_or(needs) + "\n";
    Json j{{"entry_point", entry.name}, {"kernel", n.kernel}, {"bytes_of_block", show(n.bytes)}, {"limit", limit}};
    if (n.most) j["greatest"] = Json{{n.most->first, n.most->second}};
    if (n.refused) j["refused"] = *n.refused;
    out.json.push_back(std::move(j));
  }
  return out;
}

}  // namespace lockstep::driver

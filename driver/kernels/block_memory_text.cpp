// A block's memory for people and for programs (block_memory_text.h).
#include "driver/kernels/block_memory_text.h"

#include "driver/frontend.h"
#include "proofs/laws/compiling.h"
#include "props/dpia/live_memory.h"
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
  std::size_t arrays = 0;  // that the program has
  Size without_places;     // bytes, if each of them had a place of its own
  std::vector<Size> live;  // bytes that are live at one time: the greatest of these
};

Size all_bytes(const kernel::BlockMemory& m) { return m.bytes().value_or(Size(0)); }

std::vector<Need> needs_of(const DpiaTrace& trace) {
  const std::int64_t limit = kernel::GpuModel{}.block_bytes;
  const std::vector<kernel::BlockMemory> apart = kernel::block_memories(props::before_places(trace));
  const std::vector<props::LiveMemory> live = props::live_memories(trace);
  std::vector<Need> out;
  std::size_t number = 0;
  for (const kernel::BlockMemory& m : kernel::block_memories(trace.kernel())) {
    const std::size_t k = number++;
    const auto bytes = m.bytes();
    if (!bytes || *bytes == Size(0)) continue;
    Need need{number,
              *bytes,
              {},
              kernel::too_large(m),
              live[k].in_order.size(),
              all_bytes(apart[k]),
              props::greatest_for_all(live[k].between_barriers, trace.kernel().facts)};
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

std::string live_text(const Need& n) {
  std::vector<std::string> sizes;
  for (const Size& s : n.live) sizes.push_back(show(s));
  return joined(sizes, " or ");
}

}  // namespace

void BlockNeeds::add(BlockNeeds more) {
  text += more.text;
  for (Json& j : more.json) json.push_back(std::move(j));
}

BlockNeeds block_needs(const std::string& entry, const PhraseProgram& program, const Calculus& calculus) {
  BlockNeeds out;
  if (!has_blocks(*program.body)) return out;
  const std::int64_t limit = kernel::GpuModel{}.block_bytes;
  for (const Need& n : needs_of(proofs::lawful_trace(program, calculus, Machine::Gpu))) {
    const std::string needs =
        "a block needs " + show(n.bytes) + " bytes of local memory, which has " + std::to_string(limit) +
        (n.most ? ": " + n.most->first + " is " + std::to_string(n.most->second) + " at most" : "");
    out.text += entry + " on a GPU, kernel " + std::to_string(n.kernel) + ": " + n.refused.value_or(needs) + "\n";
    if (n.arrays > 1)
      out.text += "  " + std::to_string(n.arrays) + " arrays, " + show(n.without_places) + " bytes in all, " +
                  live_text(n) + " live at one time\n";
    Json live = Json::array();
    for (const Size& s : n.live) live.push_back(show(s));
    Json j{{"entry_point", entry},
           {"kernel", n.kernel},
           {"bytes_of_block", show(n.bytes)},
           {"limit", limit},
           {"arrays", n.arrays},
           {"bytes_of_all_arrays", show(n.without_places)},
           {"greatest_live", std::move(live)}};
    if (n.most) j["greatest"] = Json{{n.most->first, n.most->second}};
    if (n.refused) j["refused"] = *n.refused;
    out.json.push_back(std::move(j));
  }
  return out;
}

}  // namespace lockstep::driver

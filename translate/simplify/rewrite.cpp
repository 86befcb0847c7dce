// The walk that rewrites (rewrite.h). In: a program and a function of instructions; out: a program.
#include "translate/simplify/rewrite.h"

#include <algorithm>
#include <map>
#include <set>

#include "translate/simplify/simplify.h"

namespace lockstep::streaming {

using svcode::Instr;
using svcode::StreamId;

svcode::Program rewrite(const svcode::Program& p, const Rewriting& rule) {
  svcode::Program result = p;
  result.instructions.clear();
  std::map<StreamId, StreamId> to;
  for (const Instr& old : p.instructions) {
    Instr now = old;
    for (StreamId& s : now.arguments) s = to.at(s);
    Rewritten becomes = rule(now, result.instructions);
    if (auto* i = std::get_if<Instr>(&becomes)) {
      i->id = static_cast<StreamId>(result.instructions.size());
      to[old.id] = i->id;
      result.instructions.push_back(std::move(*i));
    } else {
      to[old.id] = std::get<StreamId>(becomes);
    }
  }
  result.result = renamed(p.result, [&](StreamId s) { return to.at(s); });
  return result;
}

namespace {

// Regions too: of where a program waits they say which expression it is that does.
bool same(const svcode::Program& p, const svcode::Program& q) {
  const auto same_instr = [](const Instr& i, const Instr& j) {
    return i.id == j.id && i.opcode == j.opcode && i.type == j.type && i.arguments == j.arguments &&
           i.payload == j.payload && i.region.begin == j.region.begin && i.region.end == j.region.end;
  };
  return std::equal(p.instructions.begin(), p.instructions.end(), q.instructions.begin(), q.instructions.end(),
                    same_instr) &&
         svcode::leaves_of(p.result) == svcode::leaves_of(q.result);
}

}  // namespace

svcode::Program run_keeping(const svcode::Program& given, const Streamable& streamable, const PartialStage& stage) {
  const svcode::Program p = rewrite(given, [](const Instr& i, const auto&) -> Rewritten { return i; });
  std::set<StreamId> kept;
  const auto run = [&](std::size_t limit) {
    return without_dead_code(stage(p, [&](StreamId s) { return s < limit && !kept.contains(s); }));
  };
  const std::size_t all = p.instructions.size();
  svcode::Program result = run(all);
  if (!streamable || same(result, p) || streamable(result) || !streamable(p)) return result;
  if (!streamable(run(0))) return p;  // dead code alone loses it: no change less would help
  constexpr std::size_t most_kept = 24;
  while (kept.size() < std::min(all, most_kept)) {
    std::size_t good = 0, bad = all;  // changes of the first so many instructions
    while (bad - good > 1) {
      const std::size_t middle = good + (bad - good) / 2;
      (streamable(run(middle)) ? good : bad) = middle;
    }
    if (!kept.insert(static_cast<StreamId>(good)).second) return p;
    result = run(all);
    if (streamable(result)) return result;
  }
  return p;
}

std::vector<int> uses_of(const svcode::Program& p) {
  std::map<StreamId, std::size_t> index;
  for (std::size_t k = 0; k < p.instructions.size(); ++k) index[p.instructions[k].id] = k;
  std::vector<int> uses(p.instructions.size());
  for (const Instr& i : p.instructions)
    for (const StreamId s : i.arguments) ++uses[index.at(s)];
  for (const StreamId s : svcode::leaves_of(p.result)) ++uses[index.at(s)];
  return uses;
}

}  // namespace lockstep::streaming

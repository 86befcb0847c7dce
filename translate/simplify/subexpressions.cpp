// Common subexpressions, short forms among them (SNESL §4.3, §4.3.1). The thesis excepts instructions without stream
// arguments, since two of them may run at different rates. That is not enough: to_flags and range run through a whole
// traversal for one element of their argument, so that a second traversal may begin where the first has ended, as in
//   let v = tab(s); m = sum(seq(v)) in {x - m : x in seq(v)}
// where one descriptor for both would wait for itself.
#include <bit>
#include <map>

#include "semantics/svcode/instruction.h"
#include "translate/simplify/rewrite.h"
#include "translate/simplify/simplify.h"

namespace lockstep::streaming {
using svcode::Instr;
using svcode::StreamId;

Stage common_subexpressions(const Streamable& streamable, svcode::Rows rows) {
  const auto stage = [rows](const svcode::Program& p, const MayChange& allowed) {
    using Key = std::vector<std::int64_t>;
    std::map<Key, StreamId> seen;
    return rewrite(p, [&](const Instr& i, const std::vector<Instr>& so_far) -> Rewritten {
      if (!svcode::keeps_pace(i.opcode, rows)) return i;
      Key key = svcode::key_of(i);
      key.insert(key.end(), i.arguments.begin(), i.arguments.end());
      const auto [at, fresh] = seen.try_emplace(std::move(key), static_cast<StreamId>(so_far.size()));
      if (fresh || !allowed(i.id)) return i;
      return at->second;
    });
  };
  return svcode_stage("common-subexpressions", "SNESL §4.3.1, amended; short forms §4.3",
                      [=](const svcode::Program& p) { return run_keeping(p, streamable, stage); });
}

}  // namespace lockstep::streaming

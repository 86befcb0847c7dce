// The eager interpreter (the parallel semantics of §5.3.1): one instruction after another on whole streams, each freed
// after its last use. Inputs are given and take no space, as variables cost nothing in Fig. 2.3.
#include <list>
#include <map>
#include <set>

#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"
#include "semantics/svcode/run.h"

namespace lockstep::svcode {
namespace {

class Machine {
 public:
  Machine(const Program& p, const Forms& forms, const std::vector<Stream>& inputs, snesl::Files& files, Rows rows)
      : p_(p), forms_(forms), around_{inputs, files, {}, {}, rows}, results_(leaves_of(p.result)) {
    for (std::size_t k = 0; k < p.instructions.size(); ++k)
      for (const StreamId s : p.instructions[k].arguments) last_use_[s] = k;
    for (const StreamId s : results_) last_use_[s] = p.instructions.size();
  }

  Run run() {
    for (std::size_t k = 0; k < p_.instructions.size(); ++k) step(k);
    finish(around_);
    for (const StreamId s : results_) run_.result.push_back(streams_.at(s));
    return std::move(run_);
  }

 private:
  void step(std::size_t k) {
    const Instr& i = p_.instructions[k];
    Arguments read, in;
    std::list<Stream> general;
    for (const StreamId s : i.arguments) {
      const bool is_short = forms_.is_short(i, in.size());
      read.push_back(&streams_.at(s));
      in.push_back(is_short ? &general.emplace_back(general_form(*read.back())) : read.back());
    }
    Stream out = around_.rows[i.opcode].eager({i, in, around_});
    run_.counts.work += 1 + consumed(i, read, around_.rows) + size_of(out);
    if (!out.empty()) ++run_.counts.depth;
    store(i, std::move(out));
    free(i.id, k);
    for (const StreamId s : i.arguments) free(s, k);
  }

  void store(const Instr& i, Stream s) {
    if (i.opcode != Opcode::Input)
      stored_ += size_of(s);
    else
      given_.insert(i.id);
    run_.counts.space = std::max(run_.counts.space, stored_);
    streams_[i.id] = std::move(s);
  }
  void free(StreamId s, std::size_t after) {
    const auto last = last_use_.find(s);
    const auto found = streams_.find(s);
    if (found == streams_.end() || (last != last_use_.end() && last->second > after)) return;
    if (!given_.contains(s)) stored_ -= size_of(found->second);
    streams_.erase(found);
  }

  const Program& p_;
  const Forms& forms_;
  Environment around_;
  std::vector<StreamId> results_;
  std::map<StreamId, std::size_t> last_use_;
  std::map<StreamId, Stream> streams_;
  std::set<StreamId> given_;
  std::int64_t stored_ = 0;
  Run run_;
};

}  // namespace

tl::expected<Run, Trap> run_eager(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files,
                                  const Forms& forms, Rows rows) {
  try {
    return Machine(p, forms, inputs, files, rows).run();
  } catch (const TrapSignal& signal) {
    return tl::unexpected(signal.trap);
  }
}
tl::expected<Run, Trap> run_eager(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files) {
  return run_eager(p, inputs, files, Forms{});
}

}  // namespace lockstep::svcode

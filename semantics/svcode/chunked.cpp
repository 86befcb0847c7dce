// The chunked interpreter: fires transducers in some order until all have finished or none can fire.
#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "semantics/svcode/chunked_network.h"
#include "semantics/svcode/instruction.h"
#include "semantics/svcode/run.h"

namespace lockstep::svcode {
namespace {

using Order = ChunkOptions::Order;
constexpr int longest_random_firing = 8;

class Network {
 public:
  Network(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files, const ChunkOptions& options)
      : p_(p), options_(options), around_{{}, files, {}, {}, options.rows}, random_(options.seed) {
    if (options.chunk < 1) throw Bug("chunked SVCODE: a chunk of no element");
    const std::vector<InputLeaf> leaves = input_leaves(p);
    buffers_.reserve(p.instructions.size());
    transducers_.reserve(p.instructions.size());
    for (std::size_t k = 0; k < p.instructions.size(); ++k) add(k, inputs, leaves);
    for (const StreamId s : leaves_of(p.result)) buffers_[index_of(s)].collect();
    order_.resize(transducers_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (options.order == Order::Reverse) std::reverse(order_.begin(), order_.end());
  }

  ChunkedRun run() {
    while (round() || grow()) {
    }
    ChunkedRun r;
    const auto unfinished = [](const Transducer& t) { return !t.done; };
    if (std::any_of(transducers_.begin(), transducers_.end(), unfinished))
      r.deadlock = Deadlock{report()};
    else
      succeed();
    for (const StreamId s : leaves_of(p_.result)) r.run.result.push_back(result(index_of(s)));
    r.run.counts = counts();
    return r;
  }

 private:
  void add(std::size_t k, const std::vector<Stream>& inputs, const std::vector<InputLeaf>& leaves) {
    const Instr& i = p_.instructions[k];
    const std::int64_t slack = k < options_.slack.size() ? options_.slack[k] : 0;
    Buffer& out = buffers_.emplace_back(around_.space, options_.chunk + slack);
    Transducer& t = transducers_.emplace_back(i, k, out, around_);
    for (const StreamId s : i.arguments) {
      Buffer& from = buffers_[index_of(s)];
      t.in.push_back({&from, from.add_cursor()});
      t.in.back().is_short = options_.forms.is_short(i, t.in.size() - 1);
    }
    index_[i.id] = k;
    if (i.opcode != Opcode::Input) return;
    const auto leaf = static_cast<std::size_t>(i.number());
    t.input = &inputs.at(leaf);
    if (leaf < leaves.size() && !leaves[leaf].base) return;  // as any stream
    out.hold(t.input);                                       // and the transducer has nothing to do
    t.done = true;
    t.produced = out.end();
  }
  std::size_t index_of(StreamId s) const {
    const auto found = index_.find(s);
    if (found == index_.end()) throw Bug("chunked SVCODE: s" + std::to_string(s) + " is not defined");
    return found->second;
  }

  bool round() {
    if (options_.order == Order::Random) std::shuffle(order_.begin(), order_.end(), random_);
    bool fired = false;
    for (const std::size_t k : order_) fired |= fire(transducers_[k]);
    return fired;
  }

  // As many elements as input and room allow; at random, a few.
  bool fire(Transducer& t) {
    if (t.done) return false;
    const bool all = options_.order != Order::Random;
    const auto most = all ? 0 : 1 + random_() % longest_random_firing;
    for (std::uint64_t steps = 0; all || steps < most; ++steps) {
      const Step s = t.step();
      if (s == Step::Waits) return steps > 0;
      if (s == Step::Finished) return t.finish(), true;
    }
    return true;
  }

  bool may_grow(const Transducer& t) const { return options_.forms.unbounded.count(t.instr.id) != 0; }
  // The next vector's length, and with it that the present one is no longer needed, may be known only after the next
  // vector: then it is stored beside the present one. Their buffers are unbounded; the smallest grows by a group.
  bool grow() {
    Transducer* smallest = nullptr;
    for (Transducer& t : transducers_) {
      const bool wants = !t.done && (options_.rows[t.instr.opcode].in_memory || may_grow(t)) && !t.waits_for;
      if (wants && (!smallest || t.out->size() < smallest->out->size())) smallest = &t;
    }
    if (smallest && may_grow(*smallest))
      smallest->out->grow();
    else if (smallest)
      smallest->may_begin_group = true;
    return smallest != nullptr;
  }

  void succeed() {
    for (Transducer& t : transducers_)
      for (std::size_t k = 0; k < t.in.size(); ++k)
        if (!is_base(t.instr.opcode, k, options_.rows) && t.in[k].read != t.in[k].buffer->end())
          t.fault("reads " + std::to_string(t.in[k].read) + " of " + std::to_string(t.in[k].buffer->end()) +
                  " elements of s" + std::to_string(t.instr.arguments[k]));
    around_.finish(p_);
  }

  Counts counts() const {
    Counts r;
    for (const Transducer& t : transducers_) {
      r.work += 1 + t.produced;
      for (const Port& p : t.in) r.work += p.read;
      if (t.produced > 0) ++r.depth;
    }
    r.space = around_.space.peak;
    return r;
  }

  std::string report() const {
    std::string r = "no transducer can fire:\n";
    for (const Transducer& t : transducers_) {
      if (t.done) continue;
      r += "  " + t.title();
      if (t.waits_for)
        r += " waits for s" + std::to_string(t.instr.arguments[*t.waits_for]);
      else
        r += " has no room: " + std::to_string(t.out->size()) + " of " + std::to_string(t.out->capacity()) +
             " elements are still to be read by" + readers(t);
      r += "\n";
    }
    return r;
  }
  std::string readers(const Transducer& writer) const {
    std::string r;
    for (const Transducer& t : transducers_) {
      const bool late = std::any_of(t.in.begin(), t.in.end(), [&](const Port& p) {
        return p.buffer == writer.out && p.buffer->cursor(p.cursor) == writer.out->begin();
      });
      if (late && !t.done) r += (r.empty() ? " " : ", ") + ("s" + std::to_string(t.instr.id));
    }
    return r;
  }

  const Stream& result(std::size_t k) const {
    const Transducer& t = transducers_[k];
    return t.instr.opcode == Opcode::Input ? *t.input : buffers_[k].collected();
  }

  const Program& p_;
  const ChunkOptions& options_;
  Surroundings around_;
  std::mt19937_64 random_;
  std::vector<Buffer> buffers_;  // of each instruction; their addresses stay
  std::vector<Transducer> transducers_;
  std::map<StreamId, std::size_t> index_;
  std::vector<std::size_t> order_;
};

}  // namespace

tl::expected<ChunkedRun, Trap> run_chunked(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files,
                                           const ChunkOptions& options) {
  try {
    return Network(p, inputs, files, options).run();
  } catch (const TrapSignal& signal) {
    return tl::unexpected(signal.trap);
  }
}

}  // namespace lockstep::svcode

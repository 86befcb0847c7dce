// Running networks (run.h). In: a program, streams; out: the leaves of its result.
#include "semantics/transducer/run.h"

#include <algorithm>

#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"
#include "semantics/transducer/schedule.h"
#include "semantics/transducer/steps.h"

namespace lockstep::transducer {
namespace {

using svcode::Stream;

// What a network is given beside the program's arguments, piece by piece: the root of a body, what bodies have given to
// a tail.
using Given = std::vector<std::map<StreamId, Stream>>;

std::map<StreamId, Stream> joined(const Given& pieces) {
  std::map<StreamId, Stream> r;
  for (const auto& piece : pieces)
    for (const auto& [s, part] : piece) r[s].insert(r[s].end(), part.begin(), part.end());
  return r;
}

class Runner {
 public:
  Runner(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files, const RunOptions& options)
      : p_(p), inputs_(inputs), files_(files), options_(options) {}

  svcode::Run run() {
    if (options_.piece > 0 && p_.pieces) return in_pieces(*p_.pieces);
    return network(p_.whole, {});
  }

 private:
  svcode::Run network(const Network& n, const Given& given) {
    if (options_.chunk > 0 && !n.steps.empty() && !runs_in_chunks(p_))
      throw Bug("a network that stores the groups of its vectors has no schedule");
    if (options_.chunk > 0 && !n.steps.empty())
      return run_scheduled(n, inputs_, {given}, files_, {options_.chunk, p_.slack});
    const std::map<StreamId, Stream> all = joined(given);
    if (!n.steps.empty()) return run_steps(n, inputs_, all, files_);
    svcode::Program code = *n.code;
    std::vector<Stream> inputs = inputs_;
    for (Instr& i : code.instructions)
      if (i.opcode == Opcode::Input && i.number() < 0) {
        i.payload = svcode::Number{static_cast<std::int64_t>(inputs.size())};
        inputs.push_back(all.at(i.id));
      }
    return options_.chunk > 0 ? in_chunks(code, n.forms, inputs) : valued(run_eager(code, inputs, files_, n.forms));
  }
  template <class T>
  static T valued(tl::expected<T, Trap> r) {
    if (!r) throw TrapSignal{r.error()};
    return std::move(*r);
  }
  svcode::Run in_chunks(const svcode::Program& code, const svcode::Forms& forms, const std::vector<Stream>& inputs) {
    svcode::ChunkOptions how;
    how.chunk = options_.chunk;
    how.forms = forms;
    how.slack.assign(code.instructions.size(), p_.slack);
    svcode::ChunkedRun r = valued(run_chunked(code, inputs, files_, how));
    if (r.deadlock) throw Bug("a network of transducers waits for itself: " + r.deadlock->report);
    return std::move(r.run);
  }

  svcode::Run in_pieces(const Pieces& q) {
    Given given{{}};
    for (const StreamId s : q.given) given[0][s];
    const Stream root = root_of(q, head_of(q, given));
    for (std::size_t at = 0; at < root.size();) {
      const std::size_t to = end_of_piece(q, root, at);
      const auto from = root.begin() + static_cast<std::ptrdiff_t>(at);
      const svcode::Run body = body_of(q, Stream(from, root.begin() + static_cast<std::ptrdiff_t>(to)));
      given.emplace_back();
      for (std::size_t k = 0; k < q.given.size(); ++k) given.back()[q.given[k]] = body.result[k];
      at = to;
    }
    return network(q.tail, given);
  }
  // The checks that a head stands on are the tail's: where they fail it may give nothing, or not come to its end, for
  // its lengths do not fit.
  std::vector<Stream> head_of(const Pieces& q, const Given& none) {
    try {
      return network(q.head, {}).result;
    } catch (const Bug&) {
      network(q.tail, none);  // traps
      throw;
    }
  }
  // Likewise of a body: streams that are read together may differ in length where a check of the tail finds why.
  svcode::Run body_of(const Pieces& q, Stream piece) {
    try {
      return network(q.body, {{{q.root, std::move(piece)}}});
    } catch (const Bug&) {
      network(p_.whole, {});  // traps
      throw;
    }
  }
  Stream root_of(const Pieces& q, const std::vector<Stream>& head) {
    Stream r;
    if (head.at(0).empty()) return r;
    if (!q.is_file) {
      for (std::int64_t k = 0; k < head.at(0).at(0).integer; ++k) r.push_back(snesl::int_atom(k));
      return r;
    }
    const Region region = p_.whole.at(q.root).region;
    const std::vector<std::string> names = svcode::names_of(head.at(0), head.at(1), head.at(2));
    for (const char c : files_.read(names.at(0), region)) r.push_back(snesl::char_atom(static_cast<unsigned char>(c)));
    return r;
  }
  std::size_t end_of_piece(const Pieces& q, const Stream& root, std::size_t at) const {
    std::size_t to = std::min(root.size(), at + static_cast<std::size_t>(options_.piece));
    while (q.is_file && to < root.size() && !q.cut[static_cast<std::size_t>(root[to - 1].integer)]) ++to;
    return to;
  }

  const Program& p_;
  const std::vector<Stream>& inputs_;
  snesl::Files& files_;
  const RunOptions& options_;
};

}  // namespace

bool runs_in_chunks(const Program& p) {
  return std::none_of(p.whole.steps.begin(), p.whole.steps.end(),
                      [](const Step& s) { return s.instructions[0]->opcode == Opcode::Segtab && !s.produces.empty(); });
}

tl::expected<svcode::Run, Trap> run(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files,
                                    const RunOptions& options) {
  try {
    return Runner(p, inputs, files, options).run();
  } catch (const TrapSignal& signal) {
    return tl::unexpected(signal.trap);
  }
}

}  // namespace lockstep::transducer

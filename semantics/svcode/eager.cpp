// The eager interpreter (the parallel semantics of §5.3.1): one instruction after another on whole streams, each freed
// after its last use. Inputs are given and take no space, as variables cost nothing in Fig. 2.3.
#include <map>
#include <set>

#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"
#include "semantics/svcode/run.h"

namespace lockstep::svcode {
namespace {

class Machine {
 public:
  Machine(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files)
      : p_(p), inputs_(inputs), files_(files), results_(leaves_of(p.result)) {
    for (std::size_t k = 0; k < p.instructions.size(); ++k)
      for (const StreamId s : p.instructions[k].arguments) last_use_[s] = k;
    for (const StreamId s : results_) last_use_[s] = p.instructions.size();
  }

  Run run() {
    for (std::size_t k = 0; k < p_.instructions.size(); ++k) step(k);
    if (!fault_.empty()) throw Bug("eager SVCODE: " + fault_);
    for (auto& [instr, name, content] : writes_) files_.write(name, std::move(content), instr->region);
    for (const StreamId s : results_) run_.result.push_back(streams_.at(s));
    return std::move(run_);
  }

 private:
  void step(std::size_t k) {
    const Instr& i = p_.instructions[k];
    std::vector<const Stream*> in;
    for (const StreamId s : i.arguments) in.push_back(&streams_.at(s));
    Stream out = value(i, in);
    run_.counts.work += 1 + consumed(i, in) + size_of(out);
    if (!out.empty()) ++run_.counts.depth;
    store(i, std::move(out));
    free(i.id, k);
    for (const StreamId s : i.arguments) free(s, k);
  }

  Stream value(const Instr& i, const std::vector<const Stream*>& in) {
    switch (i.opcode) {
      case Opcode::Input:
        return inputs_.at(static_cast<std::size_t>(i.number));
      case Opcode::ReadFile:
        return read(i, in, true);
      case Opcode::ReadWhole:
        return read(i, in, false);
      case Opcode::WriteFile:
        return write(i, in);
      default:
        return eager_stream(i, in, fault_);
    }
  }
  // Characters as Int with 256 at the end of each file, or the characters of the one file.
  Stream read(const Instr& i, const std::vector<const Stream*>& in, bool many) {
    const std::vector<std::string> names = names_of(*in.at(0), *in.at(1), *in.at(2));
    if (!many && names.size() != 1) throw Bug("eager SVCODE: read_whole of other than one name");
    Stream r;
    for (const std::string& name : names) {
      for (const char c : files_.read(name, i.region)) {
        const auto byte = static_cast<unsigned char>(c);
        r.push_back(many ? snesl::int_atom(byte) : snesl::char_atom(byte));
      }
      if (many) r.push_back(snesl::int_atom(256));
    }
    return r;
  }
  Stream write(const Instr& i, const std::vector<const Stream*>& in) {
    const std::vector<std::string> names = names_of(*in.at(0), *in.at(1), *in.at(2));
    const std::vector<std::int64_t> lengths = segment_lengths(*in.at(4));
    if (names.size() != lengths.size()) throw Bug("eager SVCODE: write_file has not as many names as segments");
    std::string characters;
    for (const Atom& c : *in.at(3)) characters += static_cast<char>(c.integer);
    std::size_t from = 0;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto n = static_cast<std::size_t>(lengths[k]);
      if (from + n > characters.size()) throw Bug("eager SVCODE: write_file has too few characters");
      writes_.push_back({&i, names[k], characters.substr(from, n)});
      from += n;
    }
    if (from != characters.size()) throw Bug("eager SVCODE: write_file has too many characters");
    return Stream(names.size());
  }

  // Of the base of vectors what is read, not the whole: another instruction made it.
  static std::int64_t consumed(const Instr& i, const std::vector<const Stream*>& in) {
    std::int64_t r = 0;
    for (std::size_t k = 0; k < in.size(); ++k)
      if (!is_base(i.opcode, k)) r += size_of(*in[k]);
    if (i.opcode == Opcode::Gather) return r + size_of(*in[0]);
    if (is_base(i.opcode, 2))
      for (const Atom& n : *in[1]) r += n.integer;  // of the names
    return r;
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

  struct Write {
    const Instr* instr;
    std::string name;
    std::string content;
  };
  const Program& p_;
  const std::vector<Stream>& inputs_;
  snesl::Files& files_;
  std::vector<StreamId> results_;
  std::map<StreamId, std::size_t> last_use_;
  std::map<StreamId, Stream> streams_;
  std::set<StreamId> given_;
  std::int64_t stored_ = 0;
  std::string fault_;
  std::vector<Write> writes_;  // done at the end: a trap leaves no file
  Run run_;
};

}  // namespace

tl::expected<Run, Trap> run_eager(const Program& p, const std::vector<Stream>& inputs, snesl::Files& files) {
  try {
    return Machine(p, inputs, files).run();
  } catch (const TrapSignal& signal) {
    return tl::unexpected(signal.trap);
  }
}

}  // namespace lockstep::svcode

// Each kind of step as a function of whole streams (steps.h).
#include "semantics/transducer/steps.h"

#include <algorithm>
#include <exception>
#include <list>

#include "semantics/svcode/eager_streams.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::transducer {
namespace {

using svcode::Atom;
using svcode::size_of;
using svcode::Stream;

void fits(bool condition, const std::string& what) {
  if (!condition) throw Bug("a network's steps: " + what);
}
std::string named(StreamId s) { return "s" + std::to_string(s); }

class Steps {
 public:
  Steps(const Network& n, const std::vector<Stream>& inputs, const std::map<StreamId, Stream>& given,
        snesl::Files& files)
      : n_(n), inputs_(inputs), given_(given), around_{inputs, files, {}, {}} {
    for (std::size_t k = 0; k < n.steps.size(); ++k)
      for (const Operand& o : n.steps[k].operands) last_use_[o.stream] = k;
    for (const StreamId s : n.results()) last_use_[s] = n.steps.size();
  }

  svcode::Run run() {
    for (std::size_t k = 0; k < n_.steps.size(); ++k) step(k);
    if (fault_) std::rethrow_exception(fault_);
    svcode::finish(around_);
    for (const StreamId s : n_.results()) run_.result.push_back(at(s));
    return std::move(run_);
  }

 private:
  void step(std::size_t k) {
    const Step& s = n_.steps[k];
    const std::int64_t before = run_.counts.work;
    std::map<StreamId, Stream> made = attempted(s);
    for (const StreamId p : s.produces) {
      Stream& out = made.at(p);
      run_.counts.work += size_of(out);
      if (s.instructions[0]->opcode != Opcode::Input) stored_ += size_of(out);
      streams_[p] = std::move(out);
    }
    if (run_.counts.work > before + 1) ++run_.counts.depth;
    run_.counts.space = std::max(run_.counts.space, stored_);
    for (const Operand& o : s.operands) free(o.stream, k);
    for (const StreamId p : s.produces) free(p, k);
  }
  void free(StreamId s, std::size_t after) {
    const auto last = last_use_.find(s);
    const auto found = streams_.find(s);
    if (found == streams_.end() || (last != last_use_.end() && last->second > after)) return;
    if (n_.at(s).opcode != Opcode::Input) stored_ -= size_of(found->second);
    streams_.erase(found);
  }

  // A step may come before the check that guards it: that lengths do not fit is a mistake where nothing traps.
  std::map<StreamId, Stream> attempted(const Step& s) {
    try {
      return value(s);
    } catch (const Bug&) {
      if (!fault_) fault_ = std::current_exception();
    }
    std::map<StreamId, Stream> nothing;
    for (const StreamId p : s.produces) nothing[p];
    return nothing;
  }

  std::map<StreamId, Stream> value(const Step& s) {
    ++run_.counts.work;
    switch (s.kernel) {
      case Kernel::Plain:
        return plain(s);
      case Kernel::Cluster:
        return cluster(s);
      case Kernel::Distribute:
        return distribute(s);
      case Kernel::Slices:
        return slices(s);
    }
    throw Bug("a step of no kind");
  }

  const Stream& at(StreamId s) const {
    const auto found = streams_.find(s);
    fits(found != streams_.end(), named(s) + " is not there");
    return found->second;
  }
  Stream descriptor(const Operand& o) const { return o.is_short ? svcode::general_form(at(o.stream)) : at(o.stream); }
  void read(const Operand& o) { run_.counts.work += size_of(at(o.stream)); }

  Stream value_of(const Instr& i, const svcode::Arguments& in) {
    return svcode::row_of(i.opcode).eager({i, in, around_});
  }

  std::map<StreamId, Stream> plain(const Step& s) {
    const Instr& i = *s.instructions[0];
    if (i.opcode == Opcode::Input) {
      if (i.number() < 0) return {{i.id, given_.at(i.id)}};
      return {{i.id, inputs_.at(static_cast<std::size_t>(i.number()))}};
    }
    std::vector<const Stream*> in, stored;
    std::list<Stream> general;
    for (const Operand& o : s.operands) {
      stored.push_back(&at(o.stream));
      in.push_back(o.is_short ? &general.emplace_back(svcode::general_form(*stored.back())) : stored.back());
    }
    if (s.produces.empty()) return read(s.operands[0]), std::map<StreamId, Stream>{};  // a segtab that follows
    run_.counts.work += svcode::consumed(i, stored);
    return {{i.id, value_of(i, in)}};
  }

  // One that is read as it stands in the text, where it is one value again and again.
  std::optional<Atom> literal(StreamId s) const {
    if (!n_.repeated.count(s)) return std::nullopt;
    return n_.at(s).atom();
  }

  std::map<StreamId, Stream> cluster(const Step& s) {
    std::map<StreamId, Stream> here;
    std::size_t longest = 0;
    for (const Operand& o : s.operands) {
      read(o);
      longest = std::max(longest, at(o.stream).size());
    }
    for (const Instr* i : s.instructions) {
      std::vector<const Stream*> in;
      std::optional<std::size_t> beside;  // a constant is as long as what it stands beside
      for (const StreamId a : i->arguments) {
        const StreamId from = n_.stored(a);
        const auto inner = here.find(from);
        const bool constant = inner == here.end() && literal(from);
        in.push_back(constant ? nullptr : inner != here.end() ? &inner->second : &operand(s, from));
        if (!constant) beside = std::max(beside.value_or(0), in.back()->size());
      }
      std::list<Stream> constants;
      for (std::size_t k = 0; k < in.size(); ++k)
        if (!in[k]) in[k] = &constants.emplace_back(beside.value_or(longest), *literal(n_.stored(i->arguments[k])));
      here[i->id] = value_of(*i, in);
    }
    return here;
  }
  const Stream& operand(const Step& s, StreamId from) const {
    const bool is_one =
        std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& o) { return o.stream == from; });
    fits(is_one, "step " + named(s.id()) + " does not read " + named(from));
    return at(from);
  }

  std::map<StreamId, Stream> distribute(const Step& s) {
    for (const Operand& o : s.operands) read(o);
    const Operand& f = s.operands.at(0);
    const Stream general = descriptor(f);
    std::map<StreamId, Stream> r;
    std::size_t part = 1;
    for (const Instr* i : s.instructions)
      r[i->id] = i->opcode == Opcode::Iotas ? value_of(*i, {&general})
                                            : value_of(*i, {&at(s.operands.at(part++).stream), &general});
    return r;
  }

  // Indices are lines on pieces of a segment: what the body makes of positions and of what is distributed.
  std::map<StreamId, Stream> slices(const Step& s) {
    const Slices& all = n_.slices.at(s.id());
    const Operand& f = s.operands.at(0);
    read(f);
    const std::vector<std::int64_t> lengths = svcode::segment_lengths(descriptor(f));
    for (std::size_t k = 0; k < all.parameters.size(); ++k) {
      read(s.operands.at(1 + k));
      fits(at(s.operands[1 + k].stream).size() == lengths.size(), "a parameter of slices is not one for each segment");
    }
    std::map<StreamId, Stream> r;
    for (const Instr* g : all.gathers) r[g->id];
    for (std::size_t segment = 0; segment < lengths.size(); ++segment)
      for (std::int64_t x = 0, end = 0; x < lengths[segment]; x = end) {
        end = lengths[segment];
        const std::map<StreamId, LineValue> here = on_piece(s, all, segment, x, end);
        for (std::size_t k = 0; k < all.gathers.size(); ++k) slice(s, all, k, here, end - x, r[all.gathers[k]->id]);
      }
    for (const Instr* g : all.gathers) run_.counts.work += size_of(r[g->id]);
    return r;
  }
  // From position x up to `end`, which comes down to where a Bool changes.
  std::map<StreamId, LineValue> on_piece(const Step& s, const Slices& all, std::size_t segment, std::int64_t x,
                                         std::int64_t& end) const {
    std::map<StreamId, LineValue> here;
    for (std::size_t k = 0; k < all.parameters.size(); ++k)
      here[all.parameters[k]->id] = level(at(s.operands[1 + k].stream)[segment]);
    for (const Instr* i : all.body) {
      if (i->opcode == Opcode::Iotas || i->opcode == Opcode::Rep) {
        here[i->id] = i->opcode == Opcode::Iotas ? LineValue(Line{x, 1}) : level(i->atom());
        continue;
      }
      std::vector<LineValue> in;
      for (const StreamId a : i->arguments) in.push_back(here.at(n_.stored(a)));
      if (i->opcode == Opcode::Check)
        pass(*i, in);
      else
        here[i->id] = apply(all.lines.at(i->id), in, x, end);
    }
    return here;
  }
  static void pass(const Instr& check, const std::vector<LineValue>& in) {
    if (at_position(in[0]).integer != 0) return;
    std::vector<Atom> values;
    for (std::size_t k = 1; k < in.size(); ++k) values.push_back(at_position(in[k]));
    throw TrapSignal{svcode::trap_of(check, values)};
  }
  void slice(const Step& s, const Slices& all, std::size_t k, const std::map<StreamId, LineValue>& here, std::int64_t n,
             Stream& out) const {
    const Instr& g = *all.gathers[k];
    const Stream& base = at(s.operands.at(1 + all.parameters.size() + k).stream);
    std::int64_t end = n;
    const LineValue places[] = {here.at(n_.stored(g.arguments[0])), here.at(n_.stored(g.arguments[1]))};
    const auto from = std::get<Line>(apply({LineFunction::Sum}, places, 0, end));
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t place = from.after(j);
      fits(place >= 0 && place < size_of(base), "a slice outside its base");
      out.push_back(base[static_cast<std::size_t>(place)]);
    }
  }

  const Network& n_;
  const std::vector<Stream>& inputs_;
  const std::map<StreamId, Stream>& given_;
  svcode::Environment around_;
  std::map<StreamId, std::size_t> last_use_;
  std::map<StreamId, Stream> streams_;
  std::int64_t stored_ = 0;
  std::exception_ptr fault_;
  svcode::Run run_;
};

}  // namespace

svcode::Run run_steps(const Network& n, const std::vector<Stream>& inputs, const std::map<StreamId, Stream>& given,
                      snesl::Files& files) {
  return Steps(n, inputs, given, files).run();
}

}  // namespace lockstep::transducer

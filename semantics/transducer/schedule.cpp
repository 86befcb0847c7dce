// Scheduling a network's steps (schedule.h). In: a network, its inputs; out: what it gives.
#include "semantics/transducer/schedule.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "semantics/svcode/instruction.h"
#include "semantics/svcode/text.h"

namespace lockstep::transducer {
namespace {

using svcode::Buffer;
using svcode::Port;
using svcode::Stream;

constexpr std::int64_t any_number = std::numeric_limits<std::int64_t>::max();

// What of a base one gather, or reader of files, lets go of.
struct Release {
  Machine* machine;
  std::size_t gather, base;         // the instruction, the operand
  const Machine* segtab = nullptr;  // whose groups it reads
  bool is_ahead = false, in_groups = false;
  std::vector<std::pair<const Machine*, std::size_t>> readers{};
  const Machine* scan = nullptr;
};

class Schedule {
 public:
  Schedule(const Network& n, const std::vector<Stream>& inputs, Fed fed, snesl::Files& files, const WindowSize& size)
      : n_(n), inputs_(inputs), size_(size), around_{{}, files, {}, {}}, fed_(std::move(fed)) {
    for (std::size_t k = 0; k < n.steps.size(); ++k) open(n.steps[k], k);
    for (const Step& s : n.steps) add(s);
    for (const StreamId s : n.results()) {
      const auto found = windows_.find(s);
      if (found == windows_.end()) throw Bug("no step gives the result " + svcode::name_of(s));
      found->second.collect();
    }
    for (Machine& m : machines_) releases_of(m);
  }

  svcode::Run run() {
    while (!pass())
      if (!progress_ && !next_piece() && !grow())
        throw Bug((around_.fault.empty() ? "" : around_.fault + "; then ") +
                  "a network of transducers waits for itself: no step can go on:\n" + report());
    for (Machine& m : machines_)
      for (std::size_t k = 0; k < m.t.in.size(); ++k)
        if (const Port& p = m.t.in[k]; !m.is_base(k) && p.read != p.buffer->end())
          m.t.fault("reads " + std::to_string(p.read) + " of " + std::to_string(p.buffer->end()) + " elements of " +
                    svcode::name_of(m.step.operands[k].stream));
    around_.finish(*n_.code);
    svcode::Run r;
    for (const StreamId s : n_.results()) r.result.push_back(result(s));
    r.counts.space = around_.space.peak;
    return r;
  }

 private:
  bool is_whole(const Step& s) const {  // an argument, which is in memory
    return s.instructions[0]->opcode == Opcode::Input && s.instructions[0]->number() >= 0;
  }
  const Stream& argument(const Instr& i) const { return inputs_.at(static_cast<std::size_t>(i.number())); }
  const Stream& result(StreamId s) {
    const Instr& i = n_.at(s);
    return i.opcode == Opcode::Input && i.number() >= 0 ? argument(i) : windows_.at(s).collected();
  }

  // Units and repeated constants are only counted.
  void open(const Step& step, std::size_t index) {
    for (const StreamId s : step.produces) {
      const bool counted = n_.at(s).type == Prim::Unit || n_.repeated.count(s);
      const std::int64_t chunk = n_.narrow.count(s) ? 1 : size_.chunk;
      const auto [it, fresh] =
          windows_.try_emplace(s, counted ? nothing_ : around_.space, counted ? any_number : chunk + size_.slack);
      if (!fresh) throw Bug("two steps give " + svcode::name_of(s));
      if (is_whole(step)) it->second.hold(&argument(*step.instructions[0]));
      maker_[s] = index;
    }
  }
  void add(const Step& step) {
    std::vector<Buffer*> outs;
    for (const StreamId s : step.produces) outs.push_back(&windows_.at(s));
    Buffer& first = outs.empty() ? unread_ : *outs[0];
    const auto& all = n_.code->instructions;
    const auto i = static_cast<std::size_t>(step.instructions[0] - all.data());
    Machine& m = machines_.emplace_back(n_, step, std::move(outs), first, i, around_);
    m.fed = &fed_;
    m.t.done = is_whole(step);
    by_id_[step.id()] = &m;
    for (std::size_t k = 0; k < step.operands.size(); ++k) {
      const auto from = windows_.find(step.operands[k].stream);
      if (from == windows_.end()) throw Bug("no step gives " + svcode::name_of(step.operands[k].stream));
      m.t.in.push_back({&from->second, from->second.add_cursor()});
      m.t.in.back().is_short = step.operands[k].is_short;
      m.t.in.back().is_kept = m.is_base(k);
    }
  }
  const Machine* made(StreamId s) const {
    const auto found = by_id_.find(s);
    if (found == by_id_.end()) throw Bug("there is no step " + svcode::name_of(s));
    return found->second;
  }

  void releases_of(Machine& m) {
    for (std::size_t g = 0; g < m.step.instructions.size(); ++g) {
      const StreamId id = m.step.instructions[g]->id;
      const auto groups = n_.groups.find(id);
      const auto ahead = n_.ahead.find(id);
      if (groups == n_.groups.end() && ahead == n_.ahead.end()) continue;
      Release r{&m, g, n_.base_operand(m.step, id)};
      if (groups != n_.groups.end()) r.segtab = made(groups->second);
      if (ahead != n_.ahead.end()) {
        r.is_ahead = true, r.in_groups = ahead->second.in_groups;
        for (const Ahead::Place& p : ahead->second.readers) r.readers.emplace_back(made(p.step), p.operand);
        r.scan = made(ahead->second.scan);
      }
      releases_[&m].push_back(std::move(r));
    }
  }
  static void let_go(const Release& r) {
    Port& base = r.machine->t.in.at(r.base);
    const auto before = [&](std::int64_t place) {
      base.buffer->move(base.cursor, std::min(place, base.buffer->end()));
    };
    if (const std::int64_t start = r.machine->starts[r.gather]; r.segtab && start >= 0)
      before(r.segtab->group_of(start));
    if (!r.is_ahead) return;
    std::int64_t least = r.scan->t.scan ? r.scan->t.scan->value().integer : 0;
    for (auto p = r.readers.rbegin(); p != r.readers.rend(); ++p) least = p->first->next(p->second).value_or(least);
    // An empty vector, the last of its group, begins where the group ends.
    before(r.in_groups && r.segtab ? r.segtab->group_of(least - 1) : least);
  }

  // All of them once, loops until they have no more; whether all are done.
  bool pass() {
    progress_ = false;
    for (std::size_t k = 0; k < machines_.size(); ++k) {
      progress_ |= fire(machines_[k]);
      for (const std::vector<std::size_t>& loop : n_.loops)
        if (loop.back() == k)
          while (std::count_if(loop.begin(), loop.end(), [&](std::size_t m) { return fire(machines_.at(m)); }))
            progress_ = true;
    }
    return std::all_of(machines_.begin(), machines_.end(), [](const Machine& m) { return m.t.done; });
  }
  // As much as there is, and there is room for; whether it did anything.
  bool fire(Machine& m) {
    const auto releases = releases_.find(&m);
    for (bool any = false; !m.t.done; any = true) {
      const Fired f = m.fire();
      if (releases != releases_.end())
        for (const Release& r : releases->second) let_go(r);
      if (f == Fired::Waits) return any;
      if (f == Fired::Finished) return m.finish(), true;
    }
    return false;
  }

  bool next_piece() {
    if (fed_.now >= fed_.pieces.size()) return false;
    for (const Machine& m : machines_)
      if (m.is_fed() && !m.waits_for_piece) return false;
    ++fed_.now;
    for (Machine& m : machines_)
      if (m.is_fed()) m.begin_piece();
    return true;
  }

  // A step that waits for room waits for those that still read the first element of its window.
  template <class F>
  void holders(const Buffer& window, F f) {
    for (std::size_t k = 0; k < machines_.size(); ++k)
      for (const Port& p : machines_[k].t.in)
        if (!machines_[k].t.done && p.buffer == &window && p.buffer->cursor(p.cursor) == window.begin()) f(k);
  }
  // Whether step `from` waits for step `to`, directly or not; what feeds pieces is the last.
  bool reaches(std::size_t from, std::size_t to, std::vector<bool>& seen) {
    if (from == to) return true;
    if (seen[from]) return false;
    seen[from] = true;
    bool found = false;
    const auto on = [&](std::size_t k) { found = found || reaches(k, to, seen); };
    if (from == machines_.size()) {
      for (std::size_t k = 0; k < machines_.size(); ++k)
        if (machines_[k].is_fed() && !machines_[k].waits_for_piece) on(k);
    } else if (const Machine& m = machines_[from]; !m.t.done) {
      if (m.waits_for_piece) on(machines_.size());
      if (m.t.waits_for) on(maker_.at(m.step.operands.at(*m.t.waits_for).stream));
      if (m.waits_for_room())
        for (const Buffer* b : m.outs)
          if (!b->has_room()) holders(*b, on);
    }
    return found;
  }
  // Of the windows that a group may fill, the smallest whose step waits for one that waits for it.
  bool grow() {
    Buffer* smallest = nullptr;
    for (const StreamId s : n_.forms.unbounded) {
      const auto window = windows_.find(s);
      if (window == windows_.end() || window->second.has_room()) continue;
      const std::size_t maker = maker_.at(s);
      if (!machines_[maker].waits_for_room() || (smallest && smallest->capacity() <= window->second.capacity()))
        continue;
      bool helps = false;
      holders(window->second, [&](std::size_t reader) {
        std::vector<bool> seen(machines_.size() + 1);
        helps = helps || reaches(reader, maker, seen);
      });
      if (helps) smallest = &window->second;
    }
    if (smallest) smallest->grow();
    return smallest != nullptr;
  }

  std::string report() {
    std::string r;
    for (const Machine& m : machines_) {
      if (m.t.done) continue;
      r += "  " + m.t.title();
      if (m.waits_for_piece) r += " waits for the next piece";
      if (m.t.waits_for) r += " waits for " + svcode::name_of(m.step.operands.at(*m.t.waits_for).stream);
      if (m.waits_for_room())
        for (std::size_t k = 0; k < m.outs.size(); ++k) {
          if (m.outs[k]->has_room()) continue;
          r += " has no room in " + svcode::name_of(m.step.produces[k]) + ", of which " +
               std::to_string(m.outs[k]->size()) + " elements are still to be read by";
          holders(*m.outs[k], [&](std::size_t reader) { r += " " + svcode::name_of(machines_[reader].step.id()); });
        }
      r += "\n";
    }
    return r;
  }

  const Network& n_;
  const std::vector<Stream>& inputs_;
  const WindowSize size_;
  svcode::Surroundings around_;
  Fed fed_;
  svcode::Space nothing_;  // of what is only counted
  Buffer unread_{nothing_, any_number};
  std::map<StreamId, Buffer> windows_;
  std::map<StreamId, std::size_t> maker_;
  std::deque<Machine> machines_;  // their addresses stay
  std::map<StreamId, Machine*> by_id_;
  std::map<const Machine*, std::vector<Release>> releases_;
  bool progress_ = false;
};

}  // namespace

svcode::Run run_scheduled(const Network& n, const std::vector<Stream>& inputs, Fed fed, snesl::Files& files,
                          const WindowSize& size) {
  return Schedule(n, inputs, std::move(fed), files, size).run();
}

}  // namespace lockstep::transducer

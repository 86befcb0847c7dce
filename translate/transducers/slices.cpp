// Gathers whose indices are piecewise straight lines in each segment: `{v ! (i < m ? m - 1 - i : i) : i in &n}` is two
// slices of v, one of them backwards, whatever n is. Nothing is stored for the indices, and nothing checked for each
// element: a step evaluates them once for each piece.
#include <algorithm>

#include "translate/transducers/stages.h"
#include "translate/transducers/steps.h"

namespace lockstep::transducer {
namespace {

// The gathers of a network that can be made so, with all that each needs; a check is made by one of them only.
class Finder {
 public:
  explicit Finder(const Network& n) : n_(n) {}

  std::vector<Slices> run() {
    for (const Instr& i : n_.code->instructions)
      if (i.opcode == Opcode::Gather) consider(i);
    join_by_checks();
    std::vector<Slices> r;
    for (const Found& f : found_)
      if (keeps_checks(f) && !waits_for_itself(f)) r.push_back(made(f));
    return r;
  }

 private:
  struct Found {
    std::set<StreamId> body, parameters, gathers;
    std::optional<Operand> f;
    bool any_position = false;
  };
  const Instr& at(StreamId s) const { return n_.at(s); }

  void consider(const Instr& gather) {
    if (gather.type != Prim::Int && gather.type != Prim::Real && gather.type != Prim::Char) return;
    Found f;
    if (!visit(gather.arguments[0], f) || f.any_position || !visit(gather.arguments[1], f) || !f.any_position) return;
    f.gathers.insert(gather.id);
    found_.push_back(std::move(f));
  }

  static bool over(const Operand& descriptor, Found& f) {
    if (!f.f) f.f = descriptor;
    return f.f == descriptor;
  }

  bool visit(StreamId s, Found& f) const {
    const Instr& i = at(s);
    if (i.type != Prim::Int && i.type != Prim::Bool) return false;
    if (f.body.count(i.id) || f.parameters.count(i.id)) return true;
    if (i.opcode == Opcode::Rep) {
      const Instr& of = at(i.arguments[0]);
      if (of.opcode == Opcode::Check && !visit_check(of, f)) return false;
    } else if (i.opcode == Opcode::Iotas) {
      f.any_position = true;
      if (!over(n_.operand_of(i, 0), f)) return false;
    } else if (i.opcode == Opcode::Pdist) {
      f.parameters.insert(i.id);
      return over(n_.operand_of(i, 1), f);
    } else {
      if (i.opcode != Opcode::Map || !stays_straight(i)) return false;
      for (const StreamId a : i.arguments)
        if (!visit(a, f)) return false;
    }
    f.body.insert(i.id);
    return true;
  }
  bool visit_check(const Instr& check, Found& f) const {
    if (f.body.count(check.id)) return true;
    for (const StreamId a : check.arguments)
      if (!visit(a, f)) return false;
    f.body.insert(check.id);
    return true;
  }

  bool varies(StreamId s) const {
    const Instr& i = at(s);
    if (i.opcode == Opcode::Iotas) return true;
    return i.opcode == Opcode::Map && i.type == Prim::Int &&
           std::any_of(i.arguments.begin(), i.arguments.end(), [&](StreamId a) { return varies(a); });
  }
  std::optional<OnLines> lines_of(const Instr& i) const { return on_lines(i.op(), at(i.arguments.back()).type); }
  bool stays_straight(const Instr& i) const {
    const std::optional<OnLines> how = lines_of(i);
    return how && (how->function != LineFunction::Product || !varies(i.arguments[0]) || !varies(i.arguments[1]));
  }

  void join_by_checks() {
    for (std::size_t a = 0; a < found_.size(); ++a)
      for (std::size_t b = a + 1; b < found_.size();) {
        const bool shared = std::any_of(found_[b].body.begin(), found_[b].body.end(), [&](StreamId s) {
          return at(s).opcode == Opcode::Check && found_[a].body.count(s);
        });
        if (!shared) {
          ++b;
          continue;
        }
        found_[a].body.merge(found_[b].body);
        found_[a].parameters.merge(found_[b].parameters);
        found_[a].gathers.merge(found_[b].gathers);
        found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(b));
        b = a + 1;
      }
  }

  // A check is made here and nowhere else: who waits for it stands here too.
  bool keeps_checks(const Found& f) const {
    std::set<StreamId> waiting;  // checks, and what repeats a number for these
    for (const StreamId s : f.body) {
      const Instr& i = at(s);
      if (i.opcode == Opcode::Check || (i.opcode == Opcode::Rep && at(i.arguments[0]).opcode == Opcode::Check))
        waiting.insert(s);
    }
    for (const Instr& i : n_.code->instructions)
      for (const StreamId a : i.arguments)
        if (waiting.count(a) && !f.body.count(i.id) && !f.gathers.count(i.id)) return false;
    const std::vector<StreamId> results = n_.results();
    return std::none_of(results.begin(), results.end(), [&](StreamId s) { return waiting.count(s); });
  }

  bool waits_for_itself(const Found& f) const {
    std::vector<StreamId> open = {f.f->stream};
    for (const StreamId p : f.parameters) open.push_back(at(p).arguments[0]);
    for (const StreamId g : f.gathers) open.push_back(at(g).arguments[2]);
    std::set<StreamId> seen;
    while (!open.empty()) {
      const StreamId s = open.back();
      open.pop_back();
      if (!seen.insert(s).second) continue;
      if (f.gathers.count(s) || (f.body.count(s) && at(s).opcode == Opcode::Check)) return true;
      open.insert(open.end(), at(s).arguments.begin(), at(s).arguments.end());
    }
    return false;
  }

  Slices made(const Found& f) const {
    Slices r;
    for (const auto& [from, to] :
         {std::pair{&f.body, &r.body}, {&f.parameters, &r.parameters}, {&f.gathers, &r.gathers}})
      for (const StreamId s : *from) to->push_back(&at(s));
    for (const Instr* i : r.body)
      if (i->opcode == Opcode::Map) r.lines[i->id] = *lines_of(*i);
    return r;
  }

  const Network& n_;
  std::vector<Found> found_;
};

}  // namespace

Network with_slices(const Network& n) {
  Network r = n;
  for (Slices& s : Finder(n).run()) {
    const StreamId first = s.gathers.front()->id;
    r.slices.emplace(first, std::move(s));
  }
  r.steps = single_steps(r);
  return r;
}

}  // namespace lockstep::transducer

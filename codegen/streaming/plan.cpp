// What becomes code, decided (plan.h): counts, fused kernels, forms, clusters. In: a program; out: steps.
#include "codegen/streaming/plan.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "codegen/streaming/slices.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::engine {
namespace {

// Which operands of an instruction are descriptors that a kernel reads by segments.
bool reads_segments(const Instr& i, std::size_t operand) {
  switch (i.opcode) {
    case Opcode::Usum:
    case Opcode::Upack:
    case Opcode::Lens:
    case Opcode::Short:
    case Opcode::Iotas:
    case Opcode::Uempty:
      return operand == 0;
    case Opcode::Pdist:
    case Opcode::Segreduce:
    case Opcode::Segtab:
      return operand == 1;
    case Opcode::Usegsum:
    case Opcode::Umerge:
    case Opcode::Uappend:
    case Opcode::Usegmerge:
      return true;
    case Opcode::Segmerge:
      return operand % 2 == 0;
    case Opcode::WriteFile:
      return operand == 4;
    default:
      return false;
  }
}

// Whether a stream that is only counted will do.
bool takes_repeated(const Instr& i, std::size_t operand) {
  switch (i.opcode) {
    case Opcode::Map:
    case Opcode::Pmerge:
    case Opcode::Rep:
    case Opcode::Cons:
    case Opcode::Terminated:
      return true;
    case Opcode::Pdist:
    case Opcode::Pack:
      return operand == 0;
    case Opcode::Unpack:
      return operand >= 1;
    case Opcode::Segmerge:
      return operand % 2 == 1;
    case Opcode::Check:
      return operand >= 1;
    default:
      return false;
  }
}

bool has_effect(const Instr& i, const std::map<StreamId, const Instr*>& all) {
  switch (i.opcode) {
    case Opcode::Check:
    case Opcode::WriteFile:
    case Opcode::ReadFile:
    case Opcode::ReadWhole:
      return true;
    case Opcode::Map:
      return can_trap(i.op, all.at(i.arguments.back())->type);
    default:
      return false;
  }
}

class Planner {
 public:
  explicit Planner(const svcode::Program& p) : p_(p) {
    for (const Instr& i : p.instructions) r_.instructions[i.id] = &i;
  }

  Plan run() {
    find_aliases();
    for (const StreamId id : leaves_of(p_.result)) r_.results.push_back(r_.stored(id));
    choose_slices();
    for (const StreamId id : r_.results) need(first_of_step(id));
    for (const Instr& i : p_.instructions)
      if (has_effect(i, r_.instructions) && !sliced_.count(i.id)) need(i.id);
    for (const auto& [first, slices] : r_.slices) need(first);
    for (const Instr& i : p_.instructions)
      if (svcode::is_base(i.opcode, 2)) find_groups(i);
    find_unbounded();
    find_repeated();
    find_levels();
    make_steps();
    place_readers();
    find_loops();
    return std::move(r_);
  }

 private:
  const Instr& at(StreamId id) const { return *r_.instructions.at(id); }

  void find_aliases() {
    for (const Instr& i : p_.instructions) {
      if (i.opcode == Opcode::Segtab) r_.alias[i.id] = i.arguments[0];
      const auto of = [&] { return at(r_.stored(i.arguments[0])); };
      if (i.opcode == Opcode::Short && of().opcode == Opcode::Ends) r_.alias[i.id] = of().arguments[0];
      if (i.opcode == Opcode::Lens && of().opcode == Opcode::ToFlags) r_.alias[i.id] = of().arguments[0];
      if (i.opcode == Opcode::ToFlags && of().opcode == Opcode::Lens) r_.alias[i.id] = of().arguments[0];
      if (gathers_all_in_order(i)) r_.alias[i.id] = i.arguments[2];
      if (const auto f = joins_what_sep_parted(i)) r_.alias[i.id] = *f;
    }
    for (const Instr& i : p_.instructions)
      if (keeps_ends_only(i)) kept_short_.insert(i.id);
    // The short form is of no use to who reads the flags themselves.
    for (const Instr& i : p_.instructions)
      if (i.opcode == Opcode::Uappend && is_one_each(i.arguments[1])) kept_short_.erase(r_.stored(i.arguments[0]));
    for (const Instr& i : p_.instructions)
      if (i.opcode == Opcode::Short && ends_each(at(r_.stored(i.arguments[0]))))
        r_.alias[i.id] = at(r_.stored(i.arguments[0])).arguments[0];
    for (const StreamId s : leaves_of(p_.result)) kept_short_.erase(r_.stored(s));
    for (const Instr& i : p_.instructions)
      for (std::size_t k = 0; k < i.arguments.size(); ++k)
        if (!reads_segments(i, k)) kept_short_.erase(r_.stored(i.arguments[k]));
  }

  // A stream that stands for one that comes only when a whole group is in memory, and what is made of it: it waits for
  // the others that come so late.
  void find_unbounded() {
    std::set<StreamId> late, waits;  // stands for a late one; made of such
    for (const Instr& i : p_.instructions) {
      const auto in = [&](const std::set<StreamId>& all) {
        return std::any_of(i.arguments.begin(), i.arguments.end(), [&](StreamId a) { return all.count(a); });
      };
      if (in(waits) || in(late)) waits.insert(i.id);
      if (const auto found = r_.alias.find(i.id); found != r_.alias.end()) {
        const bool whole = i.opcode == Opcode::Gather || i.opcode == Opcode::ToFlags;
        if (whole || in(late) || late.count(found->second)) late.insert(i.id);
      }
      if (late.count(i.id)) {
        const StreamId s = r_.stored(i.id);
        for (const StreamId t : {s, segments(s).stream}) r_.unbounded.insert(t);
      }
      if (waits.count(i.id)) r_.unbounded.insert(r_.stored(i.id));
      if (svcode::is_base(i.opcode, 2)) r_.unbounded.insert(r_.stored(i.arguments[2]));
    }
  }

  // Whether b is true at the end of each segment of f: b is e or (e or ...), e the short form of f.
  bool holds_at_ends(StreamId b, StreamId f) const {
    const Instr& i = at(r_.stored(b));
    const Instr& d = at(r_.stored(f));
    if (d.opcode == Opcode::Ends && r_.stored(d.arguments[0]) == i.id) return true;
    if (i.opcode == Opcode::Short && r_.stored(i.arguments[0]) == d.id) return true;
    if (i.opcode != Opcode::Map || (i.op != scalars::row<"||">() && i.op != scalars::row<"|">())) return false;
    return holds_at_ends(i.arguments[0], f) || holds_at_ends(i.arguments[1], f);
  }
  // Of usegsum f (b2u b) the Booleans b. Those that begin pieces, `cons true e`, stand for those that end them, e,
  // where e holds at the ends of f: there are as many in each segment.
  std::optional<StreamId> pieces_of(const Instr& i) const {
    if (i.opcode != Opcode::Usegsum) return std::nullopt;
    const Instr& g = at(r_.stored(i.arguments[1]));
    if (g.opcode != Opcode::B2u) return std::nullopt;
    const Instr& b = at(r_.stored(g.arguments[0]));
    if (b.opcode == Opcode::Cons && b.atom.integer && holds_at_ends(b.arguments[0], i.arguments[0]))
      return r_.stored(b.arguments[0]);
    return b.id;
  }
  bool keeps_ends_only(const Instr& i) const {
    const std::optional<StreamId> b = pieces_of(i);
    if (!b) return false;
    const Instr& f = at(r_.stored(i.arguments[0]));
    return (f.opcode == Opcode::Ends || kept_short_.count(f.id)) && holds_at_ends(*b, f.id);
  }
  // usegsum (usegsum f (b2u b)) (ends b) is f again where b holds at the ends of f.
  std::optional<StreamId> joins_what_sep_parted(const Instr& i) const {
    if (i.opcode != Opcode::Usegsum) return std::nullopt;
    const Instr& outer = at(r_.stored(i.arguments[0]));
    const Instr* inner = &at(r_.stored(i.arguments[1]));
    if (inner->opcode == Opcode::ToFlags) inner = &at(inner->arguments[0]);
    if (inner->opcode == Opcode::Lens) inner = &at(r_.stored(inner->arguments[0]));
    if (outer.opcode != Opcode::Usegsum || inner->opcode != Opcode::Ends) return std::nullopt;
    const std::optional<StreamId> b = pieces_of(outer);
    if (!b || *b != r_.stored(inner->arguments[0]) || !holds_at_ends(*b, outer.arguments[0])) return std::nullopt;
    return outer.arguments[0];
  }

  // seq(tab(x)): the slices of all of the base, one after another.
  bool gathers_all_in_order(const Instr& i) const {
    if (i.opcode != Opcode::Gather) return false;
    const Instr &starts = at(i.arguments[0]), &offsets = at(i.arguments[1]), &base = at(i.arguments[2]);
    if (starts.opcode != Opcode::Pdist || offsets.opcode != Opcode::Iotas || base.opcode != Opcode::Segtab)
      return false;
    const Instr &sums = at(starts.arguments[0]), &flags = at(offsets.arguments[0]);
    if (starts.arguments[1] != flags.id || flags.opcode != Opcode::ToFlags || sums.opcode != Opcode::Scan) return false;
    const Instr& n = at(flags.arguments[0]);
    return sums.monoid == svcode::Monoid::Plus && sums.arguments[0] == n.id && n.opcode == Opcode::Lens &&
           n.arguments[0] == base.arguments[1];
  }

  struct Chosen {
    Kernel kernel = Kernel::Plain;
    std::vector<Operand> operands;
  };
  Operand segments(StreamId f) const {
    const Instr& i = at(r_.stored(f));
    if (i.opcode == Opcode::Ends) return {r_.stored(i.arguments[0]), true};
    // Where each segment gets one element more, the flags that it had are the short form.
    if (ends_each(i)) return {r_.stored(i.arguments[0]), true};
    return {i.id, kept_short_.count(i.id) != 0};
  }
  bool is_one_each(StreamId f) const {
    const Instr& i = at(r_.stored(f));
    if (i.opcode != Opcode::ToFlags) return false;
    return is_constant(i.arguments[0]) && at(r_.stored(i.arguments[0])).atom.integer == 1;
  }
  bool is_constant(StreamId s) const {
    const Opcode o = at(r_.stored(s)).opcode;
    return o == Opcode::Rep || o == Opcode::Constant;
  }
  bool ends_each(const Instr& i) const {
    if (i.opcode != Opcode::Uappend || i.arguments.size() != 2 || !is_one_each(i.arguments[1])) return false;
    const Operand f = segments(i.arguments[0]);
    return f.stream == r_.stored(i.arguments[0]) && !f.is_short;
  }
  bool is_one_segment(StreamId f) const {
    const Instr& i = at(r_.stored(f));
    return i.opcode == Opcode::Terminated || (i.opcode == Opcode::Usegsum && is_one_segment(i.arguments[0]));
  }
  // The Booleans b where s is map_int b.
  const Instr* counted(StreamId s) const {
    const Instr& i = at(r_.stored(s));
    if (i.opcode != Opcode::Map || i.op != scalars::row<"i64">()) return nullptr;
    const Instr& b = at(r_.stored(i.arguments[0]));
    return b.type == Prim::Bool && b.opcode != Opcode::Rep && b.opcode != Opcode::Constant ? &b : nullptr;
  }
  // Counts of Booleans before each element of its segment, compared with a number for each segment.
  std::optional<Chosen> compares_counts(const Instr& i) const {
    if (i.opcode != Opcode::Map || !snesl::is_comparison(i.op)) return std::nullopt;
    for (const std::size_t k : {0, 1}) {
      const Instr &count = at(r_.stored(i.arguments[k])), &number = at(r_.stored(i.arguments[1 - k]));
      if (count.opcode != Opcode::Segscan || count.type != Prim::Int || count.monoid != svcode::Monoid::Plus) continue;
      const Instr* b = counted(count.arguments[0]);
      if (!b || number.opcode != Opcode::Pdist) continue;
      const Operand f = segments(number.arguments[1]);
      if (f.is_short && f.stream == r_.stored(count.arguments[1]))
        return Chosen{Kernel::CountCompare, {{b->id, false}, f, {r_.stored(number.arguments[0]), false}}};
    }
    return std::nullopt;
  }
  Chosen choose(const Instr& i) const {
    Chosen c;
    if (const auto found = r_.slices.find(i.id); found != r_.slices.end()) {
      const Slices& slices = found->second;
      const auto descriptor = [&] {
        for (const Instr* p : slices.body)
          if (p->opcode == Opcode::Iotas) return segments(p->arguments[0]);
        throw Bug("slices without positions");
      };
      c = {Kernel::Slices, {descriptor()}};
      for (const Instr* p : slices.parameters) c.operands.push_back({r_.stored(p->arguments[0]), false});
      for (const Instr* g : slices.gathers) c.operands.push_back({r_.stored(g->arguments[2]), false});
      return c;
    }
    if (const auto compared = compares_counts(i)) return *compared;
    if (const std::optional<StreamId> b = pieces_of(i)) {
      if (at(r_.stored(i.arguments[0])).opcode == Opcode::Terminated) return {Kernel::TerminatedCount, {{*b, false}}};
      return {kept_short_.count(i.id) ? Kernel::EndsAmong : Kernel::UsegsumB2u,
              {segments(i.arguments[0]), {*b, false}}};
    }
    if (i.opcode == Opcode::Usegsum && is_one_segment(i.arguments[0]))
      return {Kernel::AllOf, {segments(i.arguments[1])}};
    if (i.opcode == Opcode::Segmerge && i.arguments.size() == 4 && is_one_each(i.arguments[2]) &&
        i.type != Prim::Bool && is_constant(i.arguments[3])) {
      const Operand f = segments(i.arguments[0]);
      if (!f.is_short) return {Kernel::Ended, {f, {r_.stored(i.arguments[1]), false}}};
    }
    if (i.opcode == Opcode::Short) {
      const Instr& f = at(r_.stored(i.arguments[0]));
      if (f.opcode == Opcode::Terminated) return {Kernel::LastFlag, {{r_.stored(f.arguments[0]), false}}};
      if (kept_short_.count(f.id)) return {Kernel::Pass, {{f.id, true}}};
    }
    if (i.opcode == Opcode::Segreduce && i.monoid == svcode::Monoid::Plus)
      if (const Instr* b = counted(i.arguments[0]))
        return {Kernel::Segcount, {{b->id, false}, segments(i.arguments[1])}};
    if (i.opcode == Opcode::Reduce && i.monoid == svcode::Monoid::Plus)
      if (const Instr* b = counted(i.arguments[0])) return {Kernel::CountTrue, {{b->id, false}}};
    for (std::size_t k = 0; k < i.arguments.size(); ++k)
      c.operands.push_back(reads_segments(i, k) ? segments(i.arguments[k]) : Operand{r_.stored(i.arguments[k]), false});
    return c;
  }

  void choose_slices() {
    const std::vector<Slices> all = find_slices({p_, r_, [&](StreamId f) { return segments(f); }});
    for (const Slices& s : all) {
      for (const Instr* i : s.body) sliced_.insert(i->id);
      for (const Instr* g : s.gathers) first_of_[g->id] = s.gathers.front()->id;
      r_.slices[s.gathers.front()->id] = s;
    }
  }
  // Of a gather among slices the first of these, which stands for the step.
  StreamId first_of_step(StreamId s) const {
    const auto found = first_of_.find(s);
    return found == first_of_.end() ? s : found->second;
  }
  bool is_elementwise(StreamId s) const { return at(s).opcode == Opcode::Map && chosen_.at(s).kernel == Kernel::Plain; }

  void need(StreamId id) {
    std::vector<StreamId> open = {id};
    while (!open.empty()) {
      const StreamId s = open.back();
      open.pop_back();
      if (!needed_.insert(s).second) continue;
      const Instr& i = at(s);
      chosen_[s] = choose(i);
      // A segtab stores nothing: it follows the descriptor only.
      if (i.opcode == Opcode::Segtab) chosen_[s].operands.erase(chosen_[s].operands.begin());
      for (const Operand& o : chosen_[s].operands) open.push_back(first_of_step(o.stream));
    }
  }

  void find_groups(const Instr& i) {
    if (!needed_.count(first_of_step(i.id))) return;
    const StreamId base = i.arguments[2];
    if (at(base).opcode != Opcode::Segtab || i.opcode == Opcode::ReadWhole) return;
    if (const std::optional<Ahead> ahead = ahead_of(i)) {
      r_.ahead[i.id] = *ahead;
      if (!ahead->in_groups) return;
    }
    r_.groups[i.id] = base;
    need(base);
  }

  // Instructions in the place of steps, as yet.
  std::optional<Ahead> ahead_of(const Instr& reads) const {
    Ahead r;
    StreamId s = r_.stored(reads.arguments[0]);
    r.readers.push_back({reads.id, 0});
    if (r_.slices.count(first_of_step(reads.id))) {
      const Instr* source = distributed(first_of_step(reads.id), s);
      if (!source) return std::nullopt;
      s = r_.stored(source->arguments[0]);
    }
    for (;;) {
      const Instr& i = at(s);
      switch (i.opcode) {
        case Opcode::Pack:
        case Opcode::Pdist:
          r.readers.push_back({i.id, 0});
          s = r_.stored(i.arguments[0]);
          break;
        case Opcode::Gather:
          r.in_groups = true;
          r.readers.push_back({i.id, 2});
          s = r_.stored(i.arguments[2]);
          break;
        case Opcode::Scan:
          if (i.type != Prim::Int || i.monoid != svcode::Monoid::Plus) return std::nullopt;
          r.scan = i.id;
          return r;
        default:
          return std::nullopt;
      }
    }
  }
  const Instr* distributed(StreamId slices, StreamId start) const {
    for (const Instr* p : r_.slices.at(slices).parameters)
      if (p->id == start) return p;
    return nullptr;
  }
  void place_readers() {
    for (auto& [id, ahead] : r_.ahead)
      for (Ahead::Place& p : ahead.readers) p = placed(p);
  }
  Ahead::Place placed(const Ahead::Place& p) const {
    for (const Step& step : r_.steps) {
      if (step.kernel == Kernel::Cluster) continue;
      for (std::size_t k = 0; k < step.instructions.size(); ++k)
        if (const Instr& i = *step.instructions[k]; i.id == p.step) return {step.id(), operand_of(step, i, p.operand)};
    }
    throw Bug("no step reads what is ahead of a base");
  }

  // Where a step has what is operand k of one of its instructions.
  std::size_t operand_of(const Step& step, const Instr& i, std::size_t k) const {
    if (step.kernel == Kernel::Slices) {
      if (k == 2) return r_.base_operand(step, i.id);
      const std::vector<const Instr*>& all = r_.slices.at(step.id()).parameters;
      const Instr* const source = distributed(step.id(), r_.stored(i.arguments[0]));
      return 1 + static_cast<std::size_t>(std::find(all.begin(), all.end(), source) - all.begin());
    }
    if (step.kernel != Kernel::Distribute) return k;
    std::size_t part = 1;
    for (const Instr* const* other = step.instructions.data(); (*other)->id != i.id; ++other)
      part += (*other)->opcode == Opcode::Pdist;
    return part;
  }

  void find_repeated() {
    for (const StreamId s : needed_) {
      const Instr& i = at(s);
      if ((i.opcode == Opcode::Rep || i.opcode == Opcode::Constant) && i.type != Prim::Unit) r_.repeated[s] = true;
    }
    for (const StreamId s : r_.results) r_.repeated.erase(s);
    for (const StreamId s : needed_) {
      const Chosen& c = chosen_[s];
      for (std::size_t k = 0; k < c.operands.size(); ++k) {
        const StreamId o = c.operands[k].stream;
        // Bits are read as words everywhere but in a map.
        const bool fits = c.kernel == Kernel::Plain && takes_repeated(at(s), k) && at(s).opcode != Opcode::Segtab &&
                          (at(o).type != Prim::Bool || at(s).opcode == Opcode::Map);
        if (!fits) r_.repeated.erase(o);
      }
    }
  }

  bool is_repeated(StreamId s) const { return r_.repeated.count(s) != 0; }

  StreamId clock(StreamId s) {
    while (clock_.count(s) && clock_[s] != s) s = clock_[s];
    return s;
  }

  // A constant beside other operands of a map is a literal in its text, and nothing is waited for.
  bool only_a_constant(StreamId map, StreamId operand) const {
    if (!is_elementwise(map) || !is_repeated(operand)) return false;
    const std::vector<Operand>& all = chosen_.at(map).operands;
    return std::any_of(all.begin(), all.end(), [&](const Operand& o) { return !is_repeated(o.stream); });
  }

  // Maps of one clock with only maps between them have one level, so that they form one step; whatever else lies
  // between two instructions sets them apart.
  void find_levels() {
    for (const StreamId s : needed_)
      if (is_elementwise(s))
        for (const Operand& o : chosen_[s].operands)
          if (!is_repeated(o.stream)) clock_[clock(o.stream)] = clock(s);
    for (const StreamId s : needed_) {
      int level = 0;
      for (const Operand& o : chosen_[s].operands) {
        if (only_a_constant(s, o.stream)) continue;
        const StreamId from = first_of_step(o.stream);
        const bool together = is_elementwise(s) && is_elementwise(from) && clock(s) == clock(from);
        level = std::max(level, level_[from] + (together ? 0 : 1));
      }
      level_[s] = level;
    }
  }

  void make_steps() {
    std::map<std::tuple<int, StreamId>, Step> clusters;
    std::vector<std::pair<int, Step>> steps;
    for (const StreamId s : needed_) {
      const Instr& i = at(s);
      if (is_elementwise(s)) {
        Step& c = clusters[{level_[s], clock(s)}];
        c.kernel = Kernel::Cluster;
        c.instructions.push_back(&i);
      } else {
        Step step{chosen_[s].kernel, {&i}, chosen_[s].operands, {s}};
        if (i.opcode == Opcode::Segtab) step.produces.clear();
        if (const auto found = r_.slices.find(s); found != r_.slices.end()) {
          step.instructions = found->second.gathers;
          step.produces.clear();
          for (const Instr* g : step.instructions) step.produces.push_back(g->id);
        }
        steps.emplace_back(level_[s], std::move(step));
      }
    }
    std::set<StreamId> read_outside(r_.results.begin(), r_.results.end());
    for (const auto& [level, step] : steps)
      for (const Operand& o : step.operands) read_outside.insert(o.stream);
    for (const auto& [key, c] : clusters)
      for (const Instr* i : c.instructions)
        for (const Operand& o : chosen_[i->id].operands)
          if (!in(c, o.stream)) read_outside.insert(o.stream);
    for (auto& [key, c] : clusters) {
      std::set<StreamId> outside, counted;
      for (const Instr* i : c.instructions) {
        if (read_outside.count(i->id)) c.produces.push_back(i->id);
        for (const Operand& o : chosen_[i->id].operands)
          if (!in(c, o.stream) && !only_a_constant(i->id, o.stream))
            (is_repeated(o.stream) ? counted : outside).insert(o.stream);
      }
      if (outside.empty()) outside = counted;
      for (const StreamId s : outside) c.operands.push_back({s, false});
      steps.emplace_back(std::get<0>(key), std::move(c));
    }
    drop_unread(steps);
    join_distributions(steps);
    std::stable_sort(steps.begin(), steps.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.first, a.second.id()) < std::tuple(b.first, b.second.id());
    });
    for (auto& [level, step] : steps) r_.steps.push_back(std::move(step));
  }
  // Distributions over one descriptor run together where none waits for another.
  void join_distributions(std::vector<std::pair<int, Step>>& steps) const {
    for (std::size_t a = 0; a < steps.size(); ++a)
      for (std::size_t b = a + 1; b < steps.size();) {
        Step &first = steps[a].second, &second = steps[b].second;
        if (!distributes(first) || !distributes(second) || !same(segments_of(first), segments_of(second)) ||
            waits(steps, second, first) || waits(steps, first, second)) {
          ++b;
          continue;
        }
        first = joined(first, second);
        steps[a].first = std::max(steps[a].first, steps[b].first);
        steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(b));
      }
    // What reads a distribution that has moved back comes after it still.
    for (bool more = true; more;) {
      more = false;
      for (auto& [level, step] : steps)
        for (const auto& [before, other] : steps)
          if (&other != &step && level <= before && reads(step, other)) level = before + 1, more = true;
    }
  }
  static bool distributes(const Step& s) {
    if (s.kernel == Kernel::Distribute) return true;
    const Opcode o = s.instructions[0]->opcode;
    return s.kernel == Kernel::Plain && (o == Opcode::Pdist || o == Opcode::Iotas);
  }
  static const Operand& segments_of(const Step& s) {
    return s.operands[s.kernel == Kernel::Plain && s.instructions[0]->opcode == Opcode::Pdist ? 1 : 0];
  }
  static bool same(const Operand& a, const Operand& b) { return a.stream == b.stream && a.is_short == b.is_short; }
  static Step joined(const Step& a, const Step& b) {
    Step r{Kernel::Distribute, {}, {segments_of(a)}, {}};
    for (const Step* s : {&a, &b}) {
      r.instructions.insert(r.instructions.end(), s->instructions.begin(), s->instructions.end());
      r.produces.insert(r.produces.end(), s->produces.begin(), s->produces.end());
      if (s->kernel == Kernel::Distribute)
        r.operands.insert(r.operands.end(), s->operands.begin() + 1, s->operands.end());
      else if (s->instructions[0]->opcode == Opcode::Pdist)
        r.operands.push_back(s->operands[0]);
    }
    return r;
  }
  static bool reads(const Step& s, const Step& from) {
    return std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& o) {
      return std::find(from.produces.begin(), from.produces.end(), o.stream) != from.produces.end();
    });
  }
  // Whether `late` reads, directly or not, what `early` produces.
  static bool waits(const std::vector<std::pair<int, Step>>& steps, const Step& late, const Step& early) {
    std::set<const Step*> seen;
    std::vector<const Step*> open = {&late};
    while (!open.empty()) {
      const Step* s = open.back();
      open.pop_back();
      if (reads(*s, early)) return true;
      for (const auto& [level, other] : steps)
        if (&other != s && reads(*s, other) && seen.insert(&other).second) open.push_back(&other);
    }
    return false;
  }

  // Steps that only made what has become a literal.
  void drop_unread(std::vector<std::pair<int, Step>>& steps) const {
    for (bool more = true; more;) {
      std::set<StreamId> read(r_.results.begin(), r_.results.end());
      for (const auto& [level, step] : steps)
        for (const Operand& o : step.operands) read.insert(o.stream);
      const auto unread = [&](const std::pair<int, Step>& s) {
        for (const Instr* i : s.second.instructions)
          if (has_effect(*i, r_.instructions) || i->opcode == Opcode::Segtab) return false;
        return std::none_of(s.second.produces.begin(), s.second.produces.end(),
                            [&](StreamId p) { return read.count(p); });
      };
      const auto end = std::remove_if(steps.begin(), steps.end(), unread);
      more = end != steps.end();
      steps.erase(end, steps.end());
    }
  }
  // A distribution or range, and what works on its elements.
  static bool begins_loop(const Step& s) {
    return distributes(s) || s.kernel == Kernel::Slices ||
           (s.kernel == Kernel::Plain && s.instructions[0]->opcode == Opcode::Range);
  }
  static bool continues_loop(const Step& s) {
    if (s.kernel == Kernel::Cluster) return true;
    if (s.kernel != Kernel::Plain) return false;
    switch (s.instructions[0]->opcode) {
      case Opcode::Check:
      case Opcode::Gather:
      case Opcode::Reduce:
      case Opcode::Segreduce:
        return true;
      default:
        return false;
    }
  }
  void find_loops() {
    std::vector<Step>& steps = r_.steps;
    std::vector<std::size_t> loop(steps.size(), steps.size());  // the first step of its loop
    for (std::size_t k = 0; k < steps.size(); ++k) {
      if (begins_loop(steps[k])) loop[k] = k;
      for (std::size_t j = 0; j < k; ++j) {
        if (loop[j] == steps.size() || !continues_loop(steps[k]) || !reads(steps[k], steps[j])) continue;
        const std::size_t from = loop[k], to = loop[j];
        loop[k] = to;
        if (from != steps.size()) std::replace(loop.begin(), loop.end(), from, to);
      }
    }
    std::map<std::size_t, std::vector<std::size_t>> loops;
    for (std::size_t k = 0; k < steps.size(); ++k)
      if (loop[k] != steps.size()) loops[loop[k]].push_back(k);
    for (auto& [first, members] : loops) {
      std::set<StreamId> between;
      for (const std::size_t k : members)
        for (const StreamId s : steps[k].produces) {
          bool inside = std::find(r_.results.begin(), r_.results.end(), s) == r_.results.end(), read = false;
          for (std::size_t j = 0; j < steps.size(); ++j)
            for (const Operand& o : steps[j].operands)
              if (o.stream == s) inside &= loop[j] == first, read = true;
          if (inside && read) between.insert(s);
        }
      if (between.empty()) continue;
      r_.narrow.insert(between.begin(), between.end());
      r_.loops.push_back(std::move(members));
    }
  }
  static bool in(const Step& c, StreamId s) {
    return std::any_of(c.instructions.begin(), c.instructions.end(), [&](const Instr* i) { return i->id == s; });
  }

  const svcode::Program& p_;
  Plan r_;
  std::set<StreamId> kept_short_;
  std::set<StreamId> needed_;  // ascending, so every operand before its use
  std::map<StreamId, Chosen> chosen_;
  std::set<StreamId> sliced_;  // what is computed within slices
  std::map<StreamId, StreamId> first_of_;
  std::map<StreamId, StreamId> clock_;
  std::map<StreamId, int> level_;
};

}  // namespace

std::size_t Plan::base_operand(const Step& step, StreamId reads) const {
  if (step.kernel != Kernel::Slices) return 2;
  std::size_t k = 1 + slices.at(step.id()).parameters.size();
  for (const Instr* g : step.instructions) {
    if (g->id == reads) return k;
    ++k;
  }
  throw Bug("a gather that is not of these slices");
}

StreamId Plan::stored(StreamId id) const {
  for (auto it = alias.find(id); it != alias.end(); it = alias.find(id)) id = it->second;
  return id;
}

Plan plan(const svcode::Program& p, std::int64_t slack) {
  Plan r = Planner(p).run();
  r.slack = slack;
  return r;
}

}  // namespace lockstep::engine

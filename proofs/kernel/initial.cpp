// Initialisation: what is read has been written, and every scalar of an output is at the end. The writes before a read,
// each with the loops of its own around it, cover sets of places: a store at c + s1*j1 + s2*j2 with s1 = s2*extent2 and
// s2 its width covers [c, c + s1*extent1). In: the accesses; out: one obligation for each place that is read.
#include <algorithm>

#include "proofs/kernel/digits.h"
#include "proofs/kernel/parts.h"

namespace lockstep::proofs::kernels {
namespace {

struct Digit {  // a loop of the write's own
  std::string symbol;
  Size stride;  // not negative where it is known which
  Size extent;
  bool downwards = false;  // the loop's variable counts down: it is extent - 1 - digit
};
// The places that a write has covered when the read is reached.
struct Cover {
  const Access* write;
  Term start;                 // with the loops of its own at 0
  std::vector<Digit> digits;  // the largest stride first
  std::vector<Guard> guards;  // of its own
};

class Covers {
 public:
  Covers(const Accesses& a, const Access& read, Prover& prover)
      : a_(a), read_(read), prover_(prover), sizes_(known_of_sizes(a, read.where)) {}

  // Of the writes before the read, or of `only` this one.
  std::vector<Cover> all(const Access* only) {
    std::vector<Cover> out;
    for (const std::size_t k : a_.of_place[static_cast<std::size_t>(read_.place)]) {
      const Access& w = a_.accesses[k];
      if (w.write && w.where.at < read_.where.at && (!only || &w == only))
        if (auto c = cover(w)) out.push_back(std::move(*c));
    }
    join_branches(out);
    std::erase_if(out, [&](const Cover& c) {
      return std::any_of(c.guards.begin(), c.guards.end(), [&](const Guard& g) {
        return made_inside(*g.condition, c.write->where.loops, common_loops(*c.write, read_));
      });
    });
    for (Cover& c : out) merge(c);
    return out;
  }

  // There are digits, inside their extents, that lead to the place: start + the sum of stride * digit, and a lane.
  Term contains(const Cover& c, const Term& place) const {
    std::vector<Term> all;
    const auto with_divisions = [&] {
      demand_divisions(all);
      return all_of(all);
    };
    Term rest = subtract(place, c.start);
    std::map<std::string, Term> witness;
    for (const Digit& d : c.digits) {
      const Term stride = as_term(d.stride), extent = as_term(d.extent);
      if (d.stride == Size(0)) {
        all.push_back(less(number(0), extent));
        witness.emplace(d.symbol, number(0));
        continue;
      }
      const bool last = d.stride == Size(c.write->width) && &d == &c.digits.back();
      if (last && c.guards.empty()) {  // all that is below the whole
        all.push_back(less_equal(number(0), rest));
        all.push_back(less(rest, multiply(stride, extent)));
        return with_divisions();
      }
      all.push_back(less_equal(number(0), rest));
      const Term q = last && c.write->width == 1 ? rest : quotient(rest, d.stride);
      all.push_back(less_equal(number(0), q));
      all.push_back(less(q, extent));
      witness.emplace(d.symbol, d.downwards ? subtract(subtract(extent, number(1)), q) : q);
      rest = last && c.write->width == 1 ? number(0) : subtract(rest, multiply(stride, q));
    }
    all.push_back(less_equal(number(0), rest));
    all.push_back(less(rest, number(c.write->width)));
    for (const Guard& g : c.guards) all.push_back(substitute(*g.condition, witness));
    return with_divisions();
  }

  // What is known where the read stands; of sizes for a goal that mentions no data.
  const Known& known_for(const Term& goal) const { return mentions_data(goal) ? known() : sizes_; }
  const Known& known() const {
    if (!known_) known_ = known_at(a_, read_.where);
    return *known_;
  }

 private:
  Term quotient(const Term& x, const Size& by) const {
    if (const auto s = natural_size(x)) return as_term(floor_div(*s, by));
    return divide(x, as_term(by));
  }
  // What is evaluated where the read stands is defined there; a write that is not reached has evaluated nothing, and a
  // digit is divided off here only.
  void demand_divisions(std::vector<Term>& all) const {
    std::vector<std::pair<Term, Term>> needed, defined;
    for (const Term& t : all) divisions(t, needed);
    if (needed.empty()) return;
    divisions(read_.index, defined);
    for (const Term& f : known().facts) divisions(f, defined);
    for (const auto& [name, extent] : known().ranges) divisions(extent, defined);
    for (const auto& d : needed) {
      if (std::find(defined.begin(), defined.end(), d) != defined.end()) continue;
      all.push_back(less_equal(number(0), d.first));
      all.push_back(less_equal(number(1), d.second));
    }
  }

  std::optional<Cover> cover(const Access& w) const {
    const auto& lw = w.where.loops;
    const std::size_t common = common_loops(w, read_);
    Cover c{&w, w.index, {}, {}};
    SizeSubstitution lowest;
    auto index = natural_size(w.index);
    if (index && w.width == 1)
      for (std::size_t k = common; k < lw.size(); ++k) {
        const LoopFrame& f = a_.loops[static_cast<std::size_t>(lw[k])];
        const auto extent = natural_size(f.extent);
        const bool asked = w.where.guards.any_of([&](const Guard& g) {
          bool found = false;
          each_name(*g.condition, [&](const std::string& n) { found = found || n == f.symbol; });
          return found;
        });
        if (extent && !asked && f.kind != LoopFrame::Kind::While) index = turned_back(*index, f.symbol, *extent);
      }
    Extents own;
    for (std::size_t k = common; k < lw.size(); ++k) {
      const LoopFrame& f = a_.loops[static_cast<std::size_t>(lw[k])];
      const auto extent = natural_size(f.extent);
      if (f.kind == LoopFrame::Kind::While || !extent || !index) return {};
      own.emplace_back(f.symbol, *extent);
    }
    const bool parted = index && part_into_digits(*index, own);
    for (const auto& [symbol, extent] : own) {
      const auto stride = coefficient_of(*index, symbol);
      if (!stride) return {};
      for (const auto& [other, its_extent] : own)  // a box only
        if (mentions(*stride, other) || mentions(extent, other)) return {};
      const bool downwards = *stride != Size(0) && prove_here(less_equal(as_term(*stride), number(0)));
      c.digits.push_back({symbol, downwards ? Size(0) - *stride : *stride, extent, downwards});
      lowest.emplace(symbol, downwards ? extent - Size(1) : Size(0));
    }
    c.start = index ? as_term(lockstep::substitute(*index, lowest)) : w.index;
    for (const Guard* g : w.where.guards.in_order()) {
      if (g->checked) continue;  // it held
      // So did the same condition as the read's.
      const bool holds = read_.where.guards.any_of([&](const Guard& r) { return *r.condition == *g->condition; });
      if (!holds) c.guards.push_back(*g);
    }
    if (!index && made_inside(w.index, lw, common)) return {};
    if (parted && !c.guards.empty()) return {};  // they ask for the loops' own variables
    return c;
  }
  // Loops' variables that the index divides become their digits.
  bool part_into_digits(Size& index, Extents& loops) const {
    bool parted = false;
    for (std::size_t round = 0; round < 8; ++round) {
      const auto d = digits_in(index, loops);
      if (!d || !natural_here(d->above) || !natural_here(d->below)) break;
      const auto at = std::find_if(loops.begin(), loops.end(), [&](const auto& l) { return l.first == d->name; });
      *at = {d->high, d->above};
      loops.insert(at + 1, {d->low, d->below});
      SizeContext ranges;
      for (const auto& [name, extent] : loops) ranges.range(name, extent);
      index = ranges.simplify(lockstep::substitute(index, {{d->name, d->value()}}));
      parted = true;
    }
    return parted;
  }
  // Data of the write's own iteration: another iteration has another.
  bool made_inside(const Term& t, const std::vector<int>& loops, std::size_t common) const {
    bool found = false;
    each_name(t, [&](const std::string& n) {
      const auto it = a_.symbols.find(n);
      if (it == a_.symbols.end() || !is_data_name(n)) return;
      for (std::size_t k = common; k < loops.size(); ++k) found = found || has(it->second, loops[k]);
    });
    return found;
  }

  // Both sides of an if write the same: the if does not matter.
  static void join_branches(std::vector<Cover>& covers) {
    for (std::size_t x = 0; x < covers.size() && covers.size() < 64; ++x)
      for (std::size_t y = 0; y < x; ++y) {
        const auto& gx = covers[x].guards;
        const auto& gy = covers[y].guards;
        if (gx.empty() || gx.size() != gy.size() || gx.back().branch < 0 || (gx.back().branch ^ 1) != gy.back().branch)
          continue;
        if (!(covers[x].start == covers[y].start) || !same_digits(covers[x], covers[y]) ||
            covers[x].write->width != covers[y].write->width)
          continue;
        const auto same = [](const Guard& a, const Guard& b) { return *a.condition == *b.condition; };
        if (!std::equal(gx.begin(), gx.end() - 1, gy.begin(), same)) continue;
        Cover joined = covers[x];
        joined.guards.pop_back();
        covers.push_back(std::move(joined));
      }
  }
  static bool same_digits(const Cover& a, const Cover& b) {
    return std::equal(
        a.digits.begin(), a.digits.end(), b.digits.begin(), b.digits.end(), [](const Digit& x, const Digit& y) {
          return x.stride == y.stride && x.extent == y.extent && x.symbol == y.symbol && x.downwards == y.downwards;
        });
  }

  bool prove_here(const Term& goal) const { return prover_.by_normalisation(known_for(goal), goal); }
  bool equal_here(const Size& x, const Size& y) const { return x == y || prove_here(equal(as_term(x), as_term(y))); }
  bool natural_here(const Size& x) const { return prove_here(less_equal(number(0), as_term(x))); }
  // The largest stride first, where each is the one below it times its extent.
  bool in_chain(Cover& c) const {
    std::vector<Digit> rest = c.digits, ordered;
    Size below = c.write->width;
    while (!rest.empty()) {
      const auto next =
          std::find_if(rest.begin(), rest.end(), [&](const Digit& d) { return equal_here(d.stride, below); });
      if (next == rest.end()) return false;
      below = next->stride * next->extent;
      ordered.insert(ordered.begin(), *next);
      rest.erase(next);
    }
    c.digits = std::move(ordered);
    return true;
  }
  // The largest stride first; two digits whose strides fit become one, where no guard asks for them.
  void merge(Cover& c) const {
    const auto larger = [&](const Digit& x, const Digit& y) {
      if (x.stride == y.stride) return false;
      if (y.stride == Size(0)) return false;
      if (x.stride == Size(0)) return true;
      return prove_here(less_equal(as_term(y.stride), as_term(x.stride))) || equal_here(x.stride, y.stride * y.extent);
    };
    if (!in_chain(c))
      for (std::size_t k = 1; k < c.digits.size(); ++k)  // few, and the order need not be total
        for (std::size_t j = k; j > 0 && larger(c.digits[j], c.digits[j - 1]); --j)
          std::swap(c.digits[j], c.digits[j - 1]);
    if (!c.guards.empty()) return;
    for (std::size_t k = c.digits.size(); k-- > 1;) {
      Digit& high = c.digits[k - 1];
      const Digit low = c.digits[k];
      // A number below high * low has two digits where low is at least 1; the product of two negative extents, of loops
      // that do not run, is positive.
      if (low.stride == Size(0) || !equal_here(high.stride, low.stride * low.extent)) continue;
      if (!natural_here(low.extent) && !natural_here(high.extent)) continue;
      high = {high.symbol, low.stride, high.extent * low.extent, false};
      c.digits.erase(c.digits.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }

  const Accesses& a_;
  const Access& read_;
  Prover& prover_;
  const Known sizes_;
  mutable std::optional<Known> known_;  // once it is asked for
};

}  // namespace

MeetingVerdict covered(const Accesses& a, const Access& read, Prover& prover, const Access* only) {
  Covers covers(a, read, prover);
  const std::vector<Cover> all = covers.all(only);
  // Any lane of a vector read.
  const std::string lane_name = own_name("lane");
  const Term lane = named(lane_name);
  const Term place = read.width == 1 ? read.index : add(read.index, lane);
  const auto with_lane = [&](Known known) {
    if (read.width > 1) known.ranges.emplace_back(lane_name, number(read.width));
    return known;
  };
  std::vector<Term> sides;
  for (const Cover& c : all) {
    const Term inside = covers.contains(c, place);
    if (c.guards.empty() && prover.by_normalisation(with_lane(covers.known_for(inside)), inside))
      return {Standing::Proved, {Method::Normalisation}, ""};
    sides.push_back(inside);
  }
  const Answer answer = prover.prove(with_lane(covers.known()), any_of(sides));  // of none: that it is never reached
  if (answer.proved()) return {Standing::Proved, answer.method, ""};
  if (sides.empty())
    return {Standing::Unknown, {}, "no write of " + show_access(a, read) + " certainly comes before it"};
  return {Standing::Unknown,
          {},
          "not decided: " + show_access(a, read) + " is in what the " + std::to_string(sides.size()) +
              " writes before it cover"};
}

namespace {

// ------------------------------------------------------------------------------------------------- counterexamples
// A scalar that is certainly read and that no write can have written before.
std::optional<Counterexample> counterexample(const Accesses& a, const Access& r) {
  std::size_t budget = search_budget;
  const Place& p = a.places[static_cast<std::size_t>(r.place)];
  std::optional<Counterexample> found;
  for (const SizeValues& sizes : small_sizes_of(a)) {
    each_instance(a, r.where, sizes, false, budget, [&](const SizeValues& v) {
      const auto at = evaluate(r.index, v);
      if (!at) return false;
      SizeValues fixed = sizes;
      std::vector<const LoopFrame*> of_units;  // whose iterations of one unit share the place
      for (int l : p.loops) {
        const LoopFrame& f = a.loops[static_cast<std::size_t>(l)];
        if (f.units) of_units.push_back(&f);
        if (const auto it = v.find(f.symbol); it != v.end() && !f.units) fixed[it->first] = it->second;
      }
      const auto in_its_unit = [&](const SizeValues& vw) {
        return std::all_of(of_units.begin(), of_units.end(),
                           [&](const LoopFrame* f) { return unit_of(*f, vw) == unit_of(*f, v); });
      };
      for (std::int64_t lane = 0; lane < r.width; ++lane) {
        bool written = false;
        for (const std::size_t k : a.of_place[static_cast<std::size_t>(r.place)]) {
          const Access& w = a.accesses[k];
          if (!w.write) continue;
          const auto hit = each_instance(a, w.where, fixed, true, budget, [&](const SizeValues& vw) {
            if (!in_its_unit(vw) || !may_precede(a, w.where, vw, r.where, v)) return false;
            const auto to = evaluate(w.index, vw);
            return !to || (*to <= *at + lane && *at + lane < *to + w.width);
          });
          if (!hit || *hit) written = true;
        }
        if (written) continue;
        const auto inputs = inputs_that_reach(a, r.where, v, budget);
        if (!inputs) continue;
        found = Counterexample{show_values(v) + ": reads " + p.name +
                                   (p.variable ? "" : "[" + std::to_string(*at + lane) + "]") +
                                   ", which nothing has written" + *inputs,
                               program_sizes(a, v)};
        return true;
      }
      return false;
    });
    if (found) return found;
    if (budget == 0) break;
  }
  return {};
}

MeetingVerdict read_verdict(const Accesses& a, const Access& read, Prover& prover) {
  MeetingVerdict v = covered(a, read, prover, nullptr);
  if (v.standing == Standing::Proved) return v;
  if (const auto found = counterexample(a, read)) return refuted(*found);
  if (mentions_data(read.index)) v.standing = Standing::Tested;
  return v;
}

}  // namespace

Obligations initial_obligations(const Accesses& a, Prover& prover) {
  Obligations out;
  for (std::size_t k = 0; k < a.places.size(); ++k) {
    const Place& p = a.places[k];
    if (p.input) continue;
    const Clock clock;
    std::size_t reads = 0;
    ProgramObligation o{ObligationKind::Initialisation, "", "", Standing::Proved, {}, 0, ""};
    for (const std::size_t at : a.of_place[k]) {
      const Access& x = a.accesses[at];
      if (x.write) continue;
      if (reads++ == 0) o.where = show_loops(a, x.where);
      o.at.push_back(x.from);
      if (o.standing != Standing::Refuted) add_to(o, read_verdict(a, x, prover));
    }
    if (reads > 0) {
      o.name = p.name + " is written before it is read (" + std::to_string(reads) + (reads == 1 ? " read)" : " reads)");
      o.seconds = clock.seconds();
      out.push_back(o);
    }
    if (!p.output) continue;
    const Clock whole;
    const std::string place = own_name("place");
    Access end{a.end, static_cast<int>(k), false, named(place), 1};
    Accesses with_place = a;
    with_place.loops.push_back(
        {static_cast<int>(a.loops.size()), LoopFrame::Kind::Sequential, Level::Seq, place, p.count, ""});
    end.where.loops.push_back(static_cast<int>(a.loops.size()));
    ProgramObligation all{ObligationKind::Initialisation,
                          "every scalar of " + p.name + " is written",
                          "at the end",
                          Standing::Proved,
                          {},
                          0,
                          ""};
    add_to(all, read_verdict(with_place, end, prover));
    all.seconds = whole.seconds();
    out.push_back(std::move(all));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels

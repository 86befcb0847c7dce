// Running through the iterations of an access at small sizes (small.h).
#include "proofs/kernel/small.h"

#include <algorithm>

namespace lockstep::proofs::kernels {
namespace {

constexpr std::size_t most_candidates = 400;

// 0 to 5 and the numbers that the facts speak of.
std::vector<std::int64_t> candidates(const Accesses& a) {
  std::set<std::int64_t> out;
  const std::int64_t most = a.sizes.size() > 3 ? 3 : 5;
  for (std::int64_t n = 0; n <= most; ++n) out.insert(n);
  for (const SizeFact& f : a.size_facts)
    for (const Size* s : {&f.left, &f.right})
      for (const SizeTerm& t : s->terms()) {
        if (t.coefficient > 1 && t.coefficient <= 64) out.insert(t.coefficient), out.insert(2 * t.coefficient);
        for (const auto& [atom, power] : t.powers)
          if (const auto b = atom.division ? atom.division->second.constant() : std::nullopt; b && *b <= 64)
            out.insert(*b), out.insert(2 * *b);
      }
  return {out.begin(), out.end()};
}

class Instances {
 public:
  Instances(const Accesses& a, const Situation& s, bool possibly, std::size_t& budget,
            const std::function<bool(const SizeValues&)>& f, std::optional<std::int64_t> inputs)
      : accesses_(a), situation_(s), possibly_(possibly), budget_(budget), f_(f), inputs_(inputs) {}

  std::optional<bool> from(std::size_t depth, SizeValues& values) {
    if (budget_ == 0) return {};
    --budget_;
    if (depth == situation_.loops.size()) return at(values);
    const LoopFrame& f = accesses_.loops[static_cast<std::size_t>(situation_.loops[depth])];
    if (values.contains(f.symbol)) return from(depth + 1, values);
    if (f.kind == LoopFrame::Kind::While) return possibly_ ? std::nullopt : std::optional(false);
    const auto n = evaluate(f.extent, values, inputs_);
    if (!n) return possibly_ ? std::nullopt : std::optional(false);
    for (std::int64_t i = 0; i < *n; ++i) {
      values[f.symbol] = i;
      const auto found = from(depth + 1, values);
      values.erase(f.symbol);
      if (!found || *found) return found;
    }
    return false;
  }

 private:
  std::optional<bool> at(const SizeValues& values) {
    const bool fails = situation_.guards.any_of([&](const Guard& g) {
      const auto holds = evaluate(*g.condition, values, inputs_);
      return holds == 0 || (!holds && !possibly_);
    });
    return !fails && f_(values);
  }

  const Accesses& accesses_;
  const Situation& situation_;
  const bool possibly_;
  std::size_t& budget_;
  const std::function<bool(const SizeValues&)>& f_;
  const std::optional<std::int64_t> inputs_;
};

// Whether the inputs can be this throughout. Where they cannot be 0 there are none: one has elements of type idx(0).
bool inputs_may_hold(const Accesses& a, const SizeValues& values, std::int64_t inputs) {
  const SizeValues sizes = size_values(a, values);
  return std::all_of(a.places.begin(), a.places.end(), [&](const Place& p) {
    if (!p.input || !p.below) return true;
    const auto count = evaluate(p.count, sizes), below = evaluate(*p.below, sizes);
    return count == 0 || (below && inputs < *below);
  });
}

std::optional<bool> holds_from(const Universal& u, std::size_t bound, SizeValues& values, std::size_t& budget,
                               std::optional<std::int64_t> inputs) {
  if (budget == 0) return {};
  --budget;
  if (bound == 0) {
    const auto holds = evaluate(u.condition, values, inputs);
    return holds ? std::optional(*holds != 0) : std::nullopt;
  }
  const auto& [name, extent] = u.variables[bound - 1];  // the outermost is the last
  const auto n = evaluate(extent, values, inputs);
  if (!n) return {};
  std::optional<bool> all = true;
  for (std::int64_t i = 0; i < *n && all == true; ++i) {
    values[name] = i;
    all = holds_from(u, bound - 1, values, budget, inputs);
  }
  values.erase(name);
  return all;
}

}  // namespace

std::vector<SizeValues> small_sizes_of(const Accesses& a) {
  std::vector<SizeValues> all{{}};
  for (const std::string& name : a.sizes) {
    std::vector<SizeValues> next;
    for (const SizeValues& v : all)
      for (std::int64_t n : candidates(a)) {
        next.push_back(v);
        next.back()[name] = n;
      }
    if (next.size() > 20000) next.resize(20000);
    all = std::move(next);
  }
  std::erase_if(all, [&](const SizeValues& v) {
    return std::any_of(a.facts.begin(), a.facts.end(), [&](const Term& f) { return evaluate(f, v) != 1; }) ||
           !inputs_may_hold(a, v, 0);
  });
  const auto sum = [](const SizeValues& v) {
    std::int64_t s = 0;
    for (const auto& [name, n] : v) s += n;
    return s;
  };
  std::stable_sort(all.begin(), all.end(), [&](const SizeValues& x, const SizeValues& y) { return sum(x) < sum(y); });
  if (all.size() > most_candidates) all.resize(most_candidates);
  return all;
}

std::optional<bool> each_instance(const Accesses& a, const Situation& s, const SizeValues& values, bool possibly,
                                  std::size_t& budget, const std::function<bool(const SizeValues&)>& f,
                                  std::optional<std::int64_t> inputs) {
  SizeValues now = values;
  return Instances(a, s, possibly, budget, f, inputs).from(0, now);
}

std::optional<std::int64_t> unit_of(const LoopFrame& f, const SizeValues& values) {
  const std::int64_t i = values.at(f.symbol);
  if (!f.units) return i;
  const auto units = evaluate(*f.units, values);
  return units && *units > 0 ? std::optional(i % *units) : std::nullopt;
}

bool may_precede(const Accesses& a, const Situation& first, const SizeValues& at_first, const Situation& then,
                 const SizeValues& at_then) {
  for (std::size_t k = 0; k < std::min(first.loops.size(), then.loops.size()); ++k) {
    if (first.loops[k] != then.loops[k]) break;
    const LoopFrame& f = a.loops[static_cast<std::size_t>(first.loops[k])];
    const auto x = at_first.find(f.symbol), y = at_then.find(f.symbol);
    if (x == at_first.end() || y == at_then.end()) return true;
    if (x->second == y->second) continue;
    const bool side_by_side =
        f.kind == LoopFrame::Kind::Parallel && (!f.units || unit_of(f, at_first) != unit_of(f, at_then));
    return side_by_side || x->second < y->second;
  }
  return first.at < then.at;
}

std::optional<bool> reached(const Accesses& a, const Situation& s, const SizeValues& values, std::size_t& budget,
                            std::optional<std::int64_t> inputs) {
  const SizeValues sizes = size_values(a, values);
  bool on_data = false;
  for (const CheckAt& c : a.checks) {
    const bool apart = c.where.loops.empty() || s.loops.empty() || c.where.loops[0] != s.loops[0];
    if (apart && c.where.at > s.at) continue;
    bool stops = false;
    const auto found = each_instance(
        a, c.where, sizes, true, budget,
        [&](const SizeValues& v) {
          if (!may_precede(a, c.where, v, s, values)) return false;
          const auto ok = evaluate(c.ok, v, inputs);
          stops = ok == 0;
          return ok != 1;
        },
        inputs);
    if (stops) return false;
    on_data = on_data || !found || *found;
  }
  return on_data ? std::nullopt : std::optional(true);
}

std::optional<std::string> with_inputs(const Accesses& a, const SizeValues& values,
                                       const std::function<std::optional<bool>(std::optional<std::int64_t>)>& holds) {
  if (const auto always = holds({})) return *always ? std::optional(std::string()) : std::nullopt;
  for (const std::int64_t inputs : numbers_of_inputs)
    if (inputs_may_hold(a, values, inputs) && holds(inputs) == true)
      return " where inputs hold " + std::to_string(inputs);
  return {};
}

std::optional<std::string> inputs_that_reach(const Accesses& a, const Situation& s, const SizeValues& values,
                                             std::size_t& budget) {
  return with_inputs(a, values, [&](const auto& inputs) { return reached(a, s, values, budget, inputs); });
}

SizeValues size_values(const Accesses& a, const SizeValues& values) {
  SizeValues out;
  for (const std::string& name : a.sizes) {
    const auto it = values.find(name);
    out[name] = it == values.end() ? 0 : it->second;
  }
  return out;
}

SizeValues program_sizes(const Accesses& a, const SizeValues& values) {
  SizeValues out;
  for (const auto& [name, n] : size_values(a, values)) out[unspelled(name)] = n;
  return out;
}

std::optional<bool> holds_for_all(const Universal& u, const SizeValues& values, std::size_t& budget,
                                  std::optional<std::int64_t> inputs) {
  SizeValues now = values;
  return holds_from(u, u.variables.size(), now, budget, inputs);
}

std::string show_values(const SizeValues& values) {
  std::string out;
  for (const auto& [name, n] : values) out += (out.empty() ? "" : ", ") + show_name(name) + " = " + std::to_string(n);
  return out.empty() ? "always" : out;
}

}  // namespace lockstep::proofs::kernels

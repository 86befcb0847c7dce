// Running through the iterations of an access at small sizes (program_small.h).
#include "proofs/program_small.h"

#include <algorithm>

namespace lockstep::program_proofs {
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
            const std::function<bool(const SizeValues&)>& f)
      : accesses_(a), situation_(s), possibly_(possibly), budget_(budget), f_(f) {}

  std::optional<bool> from(std::size_t depth, SizeValues& values) {
    if (budget_ == 0) return {};
    --budget_;
    if (depth == situation_.loops.size()) return at(values);
    const LoopFrame& f = accesses_.loops[static_cast<std::size_t>(situation_.loops[depth])];
    if (values.contains(f.symbol)) return from(depth + 1, values);
    if (f.kind == LoopFrame::Kind::While) return possibly_ ? std::nullopt : std::optional(false);
    const auto n = evaluate(f.extent, values);
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
    for (const Guard& g : situation_.guards) {
      const auto holds = evaluate(g.condition, values);
      if (holds == 0 || (!holds && !possibly_)) return false;
    }
    return f_(values);
  }

  const Accesses& accesses_;
  const Situation& situation_;
  const bool possibly_;
  std::size_t& budget_;
  const std::function<bool(const SizeValues&)>& f_;
};

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
    return std::any_of(a.facts.begin(), a.facts.end(), [&](const Term& f) { return evaluate(f, v) != 1; });
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
                                  std::size_t& budget, const std::function<bool(const SizeValues&)>& f) {
  SizeValues now = values;
  return Instances(a, s, possibly, budget, f).from(0, now);
}

std::string show_values(const SizeValues& values) {
  std::string out;
  for (const auto& [name, n] : values) out += (out.empty() ? "" : ", ") + show_name(name) + " = " + std::to_string(n);
  return out.empty() ? "always" : out;
}

}  // namespace lockstep::program_proofs

// The search for sizes: names are drawn, what follows from them is computed, and the facts are asked.
#include "props/dpia/sizes.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <numeric>

#include "props/dpia/inputs.h"
#include "semantics/core/type.h"

namespace lockstep::props {
namespace {

// Numbers that the program's sizes are compared with, divided or multiplied by.
void collect_constants(const Size& s, std::set<std::int64_t>& into) {
  for (const SizeTerm& term : s.terms()) {
    const std::int64_t c = std::abs(term.coefficient);
    if (c > 1) into.insert(c);
    for (const auto& [atom, power] : term.powers)
      if (atom.division) {
        collect_constants(atom.division->first, into);
        collect_constants(atom.division->second, into);
      }
  }
}

void collect_constants(const Phrase& p, std::set<std::int64_t>& into) {
  if (const auto* x = as<PrimPhrase>(p))
    for (const Size& s : x->sizes) collect_constants(s, into);
  for_each_child(p, [&](const PhraseRef& c) { collect_constants(*c, into); });
}

// Also those that divide a number of elements that is given.
std::vector<std::int64_t> candidates(const PhraseProgram& program, const std::vector<SizeFact>& given) {
  std::set<std::int64_t> constants;
  for (const SizeFact& f : program.facts) {
    collect_constants(f.left, constants);
    collect_constants(f.right, constants);
  }
  collect_constants(*program.body, constants);
  std::set<std::int64_t> out{0, 1, 2, 3, 4, 5, 7, 8, 11, 16, 17, 32, 37, 64, 101};
  for (const std::int64_t c : constants)
    if (c < (std::int64_t{1} << 40))
      for (const std::int64_t n : {c - 1, c, c + 1, 2 * c, 2 * c + c / 2 + 3, 3 * c}) out.insert(n);
  for (const SizeFact& f : given)
    if (const auto all = f.right.constant(); all && *all > 0)
      for (std::int64_t n = 1; n <= *all / n; ++n)
        if (*all % n == 0) out.insert({n, *all / n});
  return {out.begin(), out.end()};
}

bool is_power(std::int64_t n) { return n == 0 || std::has_single_bit(static_cast<std::uint64_t>(n)); }

// Every assignment of candidates where they are few, random ones where they are many.
void for_each_assignment(const SizeRelations& relations, const std::vector<std::int64_t>& values, SizeValues sizes,
                         Random& random, const std::function<void(const SizeValues&)>& use) {
  constexpr std::size_t many = 3000;
  const std::vector<std::string>& names = relations.drawn();
  std::vector<std::int64_t> powers;
  for (const std::int64_t n : values)
    if (is_power(n)) powers.push_back(n);
  const auto of = [&](const std::string& name) -> const std::vector<std::int64_t>& {
    return relations.power(name) && !powers.empty() ? powers : values;
  };
  std::size_t all = 1;
  for (std::size_t k = 0; k < names.size() && all <= many; ++k) all *= of(names[k]).size();
  const bool every = all <= many;
  for (std::size_t draw = 0; draw < (every ? all : many); ++draw) {
    std::size_t rest = draw;
    for (const std::string& n : names) {
      const std::vector<std::int64_t>& from = of(n);
      // The first draws give all names one value.
      if (every)
        sizes[n] = from[rest % from.size()], rest /= from.size();
      else
        sizes[n] = draw < values.size() ? from[draw % from.size()] : random.among(from);
    }
    SizeValues whole = sizes;
    if (relations.complete(whole)) use(whole);
  }
}

// "log2n", "log2_n", "logn", "lg_n" and so on, of n.
bool is_logarithm(std::string name, std::string of) {
  for (std::string* s : {&name, &of})
    for (char& c : *s) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char* log : {"log2", "log", "lg"})
    for (const char* between : {"", "_"})
      if (name == log + std::string(between) + of) return true;
  return false;
}

std::int64_t logarithm(std::int64_t n) { return n > 0 ? std::bit_width(static_cast<std::uint64_t>(n)) - 1 : 0; }

}  // namespace

SizeRelations::SizeRelations(const PhraseProgram& program, const SizesAsked& asked, bool logarithms)
    : given_(asked.given) {
  std::set<std::string> open;
  for (const std::string& n : program.sizes)
    if (!asked.given.contains(n)) open.insert(n);
  // What a person gave comes first.
  for (const SizeFact& f : facts_of(program, asked.inputs)) solve(f, open);
  for (const SizeFact& f : program.facts) solve(f, open);
  std::set<std::string> found, used;
  for (const Equation& e : equations_) {
    found.insert(e.name);
    collect_names(e.rest, used);
  }
  for (const std::string& log : program.sizes)
    for (const std::string& n : program.sizes) {
      if (!logarithms || !is_logarithm(log, n) || used.contains(log) || found.contains(log)) continue;
      const bool backwards = !open.contains(log);  // n follows where it is open itself
      if (backwards && (!open.contains(n) || found.contains(n) || used.contains(n))) continue;
      logarithms_.emplace_back(log, n);
      found.insert(backwards ? n : log);
      powers_.insert(n);
    }
  for (const std::string& n : program.sizes)
    if (open.contains(n) && !found.contains(n)) drawn_.push_back(n);
}

void SizeRelations::solve(const SizeFact& fact, const std::set<std::string>& open) {
  if (fact.relation != SizeRelation::Equal) return;
  SizeSubstitution known;
  for (const auto& [name, n] : given_) known.emplace(name, Size(n));
  Size zero = substitute(fact.left - fact.right, known);
  for (const Equation& e : equations_) {
    if (!mentions(zero, e.name)) continue;
    if (e.coefficient != 1) return;
    zero = substitute(zero, {{e.name, e.rest}});
  }
  std::optional<Equation> best;
  for (const SizeTerm& term : zero.terms()) {
    if (term.powers.size() != 1 || term.powers[0].second != 1 || term.powers[0].first.division) continue;
    const std::string& name = term.powers[0].first.name;
    const Size rest = Size(term.coefficient) * Size::name(name) - zero;
    if (!open.contains(name) || mentions(rest, name)) continue;
    const bool whole = term.coefficient == 1 || term.coefficient == -1;
    if (best && !whole) continue;
    best = Equation{name, std::abs(term.coefficient), term.coefficient < 0 ? Size(0) - rest : rest};
    if (whole) break;
  }
  if (best) equations_.push_back(std::move(*best));
}

bool SizeRelations::complete(SizeValues& sizes) const {
  for (std::size_t k = equations_.size(); k-- > 0;) {
    const Equation& e = equations_[k];
    const auto n = evaluate(e.rest, sizes);
    if (!n || *n < 0 || *n % e.coefficient != 0) return false;
    sizes[e.name] = *n / e.coefficient;
  }
  for (const auto& [log, n] : logarithms_) {
    if (!given_.contains(log)) {
      sizes[log] = logarithm(sizes.at(n));
    } else {
      if (given_.at(log) > 40) return false;
      sizes[n] = std::int64_t{1} << given_.at(log);
    }
  }
  return true;
}

double element_count(const PhraseProgram& program, const SizeValues& sizes) {
  double sum = 0;
  const auto add = [&](const Type& t) {
    for (const Leaf& leaf : leaves_of(t)) {
      double n = leaf.width;
      for (const Size& d : leaf.dims) n *= static_cast<double>(evaluate(d, sizes).value_or(0));
      sum += n;
    }
  };
  for (const auto& [name, type] : program.parameters) add(type);
  add(program.result);
  return sum;
}

bool fits(const PhraseProgram& program, const SizeValues& sizes) {
  for (const SizeFact& f : program.facts)
    if (evaluate(f, sizes) != true) return false;
  const auto natural = [&](const Type& t) {
    for (const Leaf& leaf : leaves_of(t))
      for (const Size& d : leaf.dims)
        if (evaluate(d, sizes).value_or(-1) < 0) return false;
    for (const auto& bound : index_bounds(t))  // a value has to exist
      if (bound && evaluate(*bound, sizes).value_or(0) < 1) return false;
    return true;
  };
  return natural(program.result) && std::all_of(program.parameters.begin(), program.parameters.end(),
                                                [&](const auto& p) { return natural(p.second); });
}

namespace {

// Drawn names are raised and lowered until a fact that does not hold does, each fact in turn: what bounds that random
// numbers seldom meet ask for. False where that leads nowhere.
bool mend(const PhraseProgram& program, const SizeRelations& relations, SizeValues& sizes, Random& random) {
  constexpr int rounds = 8;
  const std::vector<std::string>& names = relations.drawn();
  const auto broken = [&](const SizeFact& f) { return evaluate(f, sizes) != true; };
  const auto mended = [&](const SizeFact& f) {
    const std::size_t first = random.next() % names.size();
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::string& name = names[(first + k) % names.size()];
      for (std::int64_t step = 1; step < (1 << 26); step += step < 64 ? 1 : step)
        for (const std::int64_t n : {sizes.at(name) + step, sizes.at(name) - step}) {
          SizeValues next = sizes;
          next[name] = n;
          if (n < 0 || (relations.power(name) && !is_power(n)) || !relations.complete(next) ||
              evaluate(f, next) != true)
            continue;
          sizes = std::move(next);
          return true;
        }
    }
    return false;
  };
  if (!relations.complete(sizes)) return false;
  for (int round = 0; round < rounds; ++round) {
    const auto f = std::find_if(program.facts.begin(), program.facts.end(), broken);
    if (f == program.facts.end()) return true;
    if (!mended(*f)) return false;
  }
  return std::none_of(program.facts.begin(), program.facts.end(), broken);
}

using Found = std::vector<std::pair<double, SizeValues>>;
Found all_sizes(const PhraseProgram& program, const SizesAsked& asked, const SizeRelations& relations,
                std::size_t count, const Weight& weight, Random& random) {
  std::set<SizeValues> seen;
  Found found;
  const std::vector<SizeFact> dimensions = facts_of(program, asked.inputs);
  const auto try_sizes = [&](const SizeValues& sizes) {
    if (!fits(program, sizes) || !seen.insert(sizes).second) return;
    for (const SizeFact& f : dimensions)
      if (evaluate(f, sizes) != true) return;
    for (std::size_t k = 0; k < program.parameters.size(); ++k)
      if (refused_at(given_of(asked.inputs, k).random.kind, program.parameters[k].second, sizes)) return;
    found.emplace_back(weight(sizes), sizes);
  };
  for_each_assignment(relations, asked.among.empty() ? candidates(program, dimensions) : asked.among, asked.given,
                      random, try_sizes);
  // Facts such as n % 4 == 3 let few of these through: every number then.
  const std::vector<std::string>& names = relations.drawn();
  if (found.size() < count && !names.empty() && asked.among.empty()) {
    std::vector<std::int64_t> all(names.size() == 1 ? 1000 : 64);
    std::iota(all.begin(), all.end(), 0);
    for_each_assignment(relations, all, asked.given, random, try_sizes);
  }
  constexpr int mended_at_most = 100;
  for (int k = 0; k < mended_at_most && found.size() < count && !names.empty() && asked.among.empty(); ++k) {
    SizeValues sizes = asked.given;
    for (const std::string& n : names) sizes[n] = relations.power(n) ? 1 << random.below(7) : random.below(64);
    if (mend(program, relations, sizes, random)) try_sizes(sizes);
  }
  return found;
}

}  // namespace

SizeSearch search_sizes(const PhraseProgram& program, const SizesAsked& asked, std::size_t count, const Weight& weight,
                        double limit, std::uint64_t seed) {
  Random random(seed_of(seed, 77));
  const SizeRelations relations(program, asked);
  Found found = all_sizes(program, asked, relations, count, weight, random);
  // Where facts rule that out, a name was no more than a name.
  if (found.empty() && relations.any_logarithm())
    found = all_sizes(program, asked, SizeRelations(program, asked, false), count, weight, random);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto light = static_cast<std::size_t>(
      std::count_if(found.begin(), found.end(), [&](const auto& f) { return f.first <= limit; }));
  const auto whole = std::find_if(found.begin(), found.end(), [](const auto& f) {
    return std::all_of(f.second.begin(), f.second.end(), [](const auto& n) { return n.second > 0; });
  });
  SizeSearch out;
  for (std::size_t k = 0; k < light; ++k) out.light.push_back(found[k].second);
  if (whole != found.end() && whole->first > limit) out.heavy = whole->second;
  // The lightest and the heaviest, and between them by rank, from a random place in each step.
  const std::size_t wanted = std::min(count, light);
  for (std::size_t k = 0; k < wanted; ++k) {
    const std::size_t from = light * k / wanted, to = light * (k + 1) / wanted;
    const std::size_t inside = from + static_cast<std::size_t>(below(random, static_cast<std::int64_t>(to - from)));
    out.sizes.push_back(found[k == 0 ? 0 : k + 1 == wanted ? light - 1 : inside].second);
  }
  return out;
}

}  // namespace lockstep::props

// Sizes chosen, values drawn, the source evaluated in the IEEE and the bounded domain (draw.h).
#include "props/dpia/draw.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/runtime/sha256.h"
#include "props/dpia/generate.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/denote.h"

namespace lockstep::props {
namespace {

constexpr int redraws_at_most = 20, draws_at_own_sizes = 4;
constexpr double work_of_element = 8;  // so much work counts as a scalar
constexpr double endless_work = 4e6;   // of a draw that does not end, where there are sizes at which it takes no more
constexpr double redraw_work = 2.5e7;  // of all draws that gave nothing, after which none is drawn again
constexpr std::int64_t expected_rounds = 10;

// Every bit, NaNs being one.
std::string digest(const Outcome& o) {
  if (!o) return sha256("trap " + o.error().primitive + ": " + o.error().message);
  std::string bytes;
  for (const std::vector<Scalar>& leaf : *o) {
    bytes += std::to_string(leaf.size()) + ":";
    for (const Scalar& s : leaf) {
      const bool nan = is_float(s.type) && std::isnan(s.ieee());
      bytes += nan ? "nan" : std::to_string(s.bits);
      bytes += ',';
    }
  }
  return sha256(bytes);
}

bool holds_scalars(const Outcome& o) {
  return o && std::any_of(o->begin(), o->end(), [](const auto& leaf) { return !leaf.empty(); });
}

bool without_zero(const SizeValues& sizes) {
  return std::all_of(sizes.begin(), sizes.end(), [](const auto& n) { return n.second > 0; });
}

class Drawing {
 public:
  Drawing(const PhraseProgram& source, const PhraseProgram& fitting, const DrawOptions& options)
      : source_(source),
        fitting_(fitting),
        options_(options),
        counted_(rounds_.counted(source)),
        work_(cost(source).work),
        round_work_(round_work(source)) {
    tried_.limit = options.limit;
  }

  Draws all() {
    const std::vector<SizeValues> sizes = choose();
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (options_.progress) options_.progress("evaluating the source", k, sizes.size());
      if (spent_ > redraw_work && tried_.endless + tried_.not_drawn > 0 && good_.empty() && fair_.empty()) {
        // The others would be as long.
        tried_.not_drawn += sizes.size() - k;
        break;
      }
      one(sizes[k], k);
    }
    replace_empty();
    tell();
    return {std::move(inputs_), std::move(tried_)};
  }

 private:
  double work_at(SizeValues sizes, const Size& work) const {
    std::set<std::string> names;
    collect_names(work, names);
    for (const std::string& n : names)
      if (n.starts_with("#iterations_")) sizes.emplace(n, expected_rounds);
    return static_cast<double>(evaluate(work, sizes).value_or(0));
  }
  double work_of_round(const SizeValues& sizes) const {
    double most = 0;
    for (const Size& s : round_work_) most = std::max(most, work_at(sizes, s) + 10);
    return most;
  }

  double weight(const SizeValues& sizes) const {
    return std::max(element_count(source_, sizes), work_at(sizes, work_) / work_of_element);
  }
  double work_of_all_rounds(const SizeValues& sizes) const {
    return static_cast<double>(options_.limit) * work_of_round(sizes);
  }
  // Fewer than the limit where rounds are long, and shorter ones are to be had.
  std::uint64_t rounds_at(const SizeValues& sizes) const {
    if (short_rounds_.empty() || work_of_all_rounds(sizes) <= endless_work) return options_.limit;
    return static_cast<std::uint64_t>(endless_work / work_of_round(sizes)) + 1;
  }

  // That is drawn anew for each input.
  bool has_data(const SizeValues& sizes) const {
    for (std::size_t k = 0; k < source_.parameters.size(); ++k)
      if (is_drawn(given_of(options_.asked.inputs, k)) && bytes_of(source_.parameters[k].second, sizes) > 0)
        return true;
    return false;
  }

  // Where there are few light sizes they come again with other values, unless there are no values at all.
  std::vector<SizeValues> choose() {
    SizeSearch found = search_sizes(
        fitting_, options_.asked, options_.inputs, [this](const SizeValues& s) { return weight(s); }, options_.elements,
        options_.seed);
    std::vector<SizeValues> out = found.sizes;
    for (std::size_t k = 0; !found.sizes.empty() && k < options_.inputs && out.size() < options_.inputs; ++k)
      if (const SizeValues& again = found.sizes[found.sizes.size() - 1 - k % found.sizes.size()]; has_data(again))
        out.push_back(again);
    tried_.too_large = found.heavy && weight(*found.heavy) > options_.heavy_limit;
    if (found.heavy && !tried_.too_large) {
      tried_.huge = options_.asked.given.size() < fitting_.sizes.size();  // nobody asked for them
      const std::size_t most = std::min(options_.inputs, options_.heavy_inputs);
      do out.push_back(*found.heavy);
      while (out.size() < most && has_data(*found.heavy));
      found.light.push_back(*found.heavy);
    }
    for (SizeValues& s : found.light) {
      if (!without_zero(s)) continue;
      if (work_of_all_rounds(s) <= endless_work) short_rounds_.push_back(s);
      whole_.push_back(std::move(s));
    }
    return out;
  }

  // No heavier than `sizes`, where there are such.
  const SizeValues& lighter(const std::vector<SizeValues>& among, const SizeValues& sizes, Random& random) const {
    if (among.empty()) return sizes;
    const double most = weight(sizes);
    const auto end =
        std::partition_point(among.begin(), among.end(), [&](const SizeValues& s) { return weight(s) <= most; });
    const auto count = std::max<std::ptrdiff_t>(1, end - among.begin());
    return among[static_cast<std::size_t>(random.below(static_cast<int>(count)))];
  }

  // Of one draw after others that gave nothing: its own sizes, lighter ones, those at which others gave something.
  SizeValues sizes_of(const SizeValues& own, std::size_t attempt, bool endless, Random& random) const {
    const std::vector<SizeValues>& known = good_.empty() ? fair_ : good_;
    const bool spent = spent_ > redraw_work && tried_.endless + tried_.not_drawn > 0;
    if (!known.empty() && (spent || (attempt % 2 == 1 && (endless || attempt >= draws_at_own_sizes))))
      return random.among(known);
    if (endless) return lighter(short_rounds_, own, random);
    return attempt < draws_at_own_sizes ? own : lighter(whole_, own, random);
  }

  // What a draw is worth: nothing, a trap, values without a bound, values.
  static int rank(const std::optional<DrawnInput>& e) {
    if (!e) return 0;
    return !e->ieee ? 1 : !e->bounded ? 2 : 3;
  }

  void one(const SizeValues& sizes, std::size_t k) {
    // Integers that are often indexes come in four kinds, and below the lengths of the arrays that are indexed.
    static constexpr Integers kinds[] = {Integers::Small, Integers::Inside, Integers::Sorted, Integers::Distinct};
    Random random(seed_of(options_.seed, 5000 + k));
    std::optional<DrawnInput> best, trapped;
    bool endless = false, beyond_limit = false;
    std::size_t* why = nullptr;
    std::set<SizeValues> without_data;
    for (std::size_t attempt = 0; attempt <= redraws_at_most; ++attempt) {
      if (attempt > 0 && spent_ > redraw_work) break;
      const SizeValues at = sizes_of(sizes, attempt, endless, random);
      if (!has_data(at) && !without_data.insert(at).second) continue;  // it is the same input
      if (why) ++*why;
      std::optional<DrawnInput> e = evaluate_on(at, seed_of(options_.seed, k * 100 + attempt), kinds[(k + attempt) % 4],
                                                attempt < 2 ? k / 4 + attempt : 0);
      if (e && !e->ieee && e->bounded && !trapped) trapped = e;
      const int worth = rank(e);
      if (worth > rank(best)) best = std::move(e);
      if (worth > 1 && holds_scalars(best->ieee) && without_zero(at)) (worth == 3 ? good_ : fair_).push_back(at);
      if (worth == 3) break;
      endless = endless || worth == 0;
      beyond_limit = beyond_limit || (worth == 0 && rounds_at(at) == options_.limit);
      spent_ += worth == 0 ? static_cast<double>(rounds_at(at)) * work_of_round(at) : weight(at) * work_of_element;
      Tried::Again& again = tried_.again;
      why = worth == 0 ? &again.endless : worth == 1 ? &again.trapped : &again.undecided;
    }
    if (trapped && best->ieee && tried_.also_trapped < options_.inputs / 6) {
      ++tried_.also_trapped;
      inputs_.push_back(std::move(*trapped));
    }
    if (!best)
      ++(beyond_limit ? tried_.endless : tried_.not_drawn);
    else
      inputs_.push_back(std::move(*best));
  }

  // Nothing: it does not end. `which`: of the lengths that integers are below.
  std::optional<DrawnInput> evaluate_on(const SizeValues& sizes, std::uint64_t seed, Integers kind, std::size_t which) {
    const std::vector<std::int64_t> tops = index_tops(source_, sizes);
    auto arguments = random_inputs(source_, sizes, seed, kind, tops[which % tops.size()], options_.asked.inputs);
    if (!arguments) throw std::bad_alloc();
    DrawnInput e{std::move(*arguments), seed};
    const std::vector<Value> values = values_of(source_, e.arguments);
    const auto in = [&](const Domain& domain) -> Outcome {
      const auto value = denote(counted_, sizes, values, domain);
      if (!value) return tl::unexpected(value.error());
      return flatten(*value, source_.result, sizes);
    };
    try {
      rounds_.restart(rounds_at(sizes));
      e.ieee = in(ieee_domain());
      if (!e.ieee) {
        rounds_.restart(rounds_at(sizes));
        e.traps = traps_of(counted_, sizes, values, ieee_domain());
      }
    } catch (const EndlessSignal&) {
      if (rounds_at(sizes) == options_.limit && tried_.first_endless.empty())
        tried_.first_endless = shown(source_, e.arguments);
      return {};
    }
    e.rounds = rounds_.taken();
    e.load =
        std::max(element_count(source_, sizes), static_cast<double>(e.rounds) * work_of_round(sizes) / work_of_element);
    try {
      // Where every decision is the same, so is their number.
      rounds_.restart(e.rounds, e.rounds);
      e.bounded = in(bounded_domain());
    } catch (const UndecidedSignal& u) {
      e.undecided = u.what;
    } catch (const EndlessSignal&) {
      e.undecided = "another number of rounds of `while` in exact arithmetic";
    }
    return e;
  }

  // Inputs of empty results say little: where too few others give values, some make room.
  void replace_empty() {
    const auto values = [&] {
      return static_cast<std::size_t>(
          std::count_if(inputs_.begin(), inputs_.end(), [](const DrawnInput& e) { return holds_scalars(e.ieee); }));
    };
    const std::size_t needed = values_needed(options_.inputs, options_.inputs, true);
    for (std::size_t k = inputs_.size(); k-- > 0 && !whole_.empty() && values() < needed;) {
      const bool empty = inputs_[k].ieee && !holds_scalars(inputs_[k].ieee);
      if (!empty || !has_data(whole_.back())) continue;
      const std::size_t before = inputs_.size();
      const std::size_t endless = tried_.endless, not_drawn = tried_.not_drawn;
      Random random(seed_of(options_.seed, 7000 + k));
      one(lighter(whole_, whole_.back(), random), 100000 + k);
      if (inputs_.size() == before) {  // the empty one stays, and is no input more
        tried_.endless = endless, tried_.not_drawn = not_drawn;
        continue;
      }
      std::swap(inputs_[k], inputs_.back());
      inputs_.pop_back();
    }
  }

  void tell() {
    const bool takes_data =
        std::any_of(inputs_.begin(), inputs_.end(), [&](const DrawnInput& e) { return has_data(e.arguments.sizes); });
    bool empty_only = tried_.endless + tried_.not_drawn == 0;  // it has no other result
    for (const DrawnInput& e : inputs_) empty_only = empty_only && e.ieee && !holds_scalars(e.ieee);
    for (DrawnInput& e : inputs_) {
      e.gives_values = e.ieee && (empty_only || holds_scalars(e.ieee));
      tried_.sizes.push_back(e.arguments.sizes);
      tried_.seeds.push_back(e.seed);
      tried_.results.push_back(digest(e.ieee));
      tried_.values += e.gives_values;
      tried_.trapped += !e.ieee;
      tried_.undecided += !e.bounded;
      if (!e.bounded && tried_.first_undecided.empty())
        tried_.first_undecided = e.undecided + ", on " + shown(source_, e.arguments);
      if (!e.ieee && tried_.first_trap.empty())
        tried_.first_trap = shown(e.ieee, source_.result, e.arguments.sizes) + ", on " + shown(source_, e.arguments);
    }
    tried_.needed = values_needed(tried_.all(), options_.inputs, takes_data);
    for (std::size_t k = 0; k < source_.parameters.size(); ++k)
      tried_.given = (k == 0 || tried_.given) && !is_drawn(given_of(options_.asked.inputs, k));
    say_what_to_give(options_.asked.given.size() == source_.sizes.size());
  }

  void say_what_to_give(bool all_given) {
    const SizesAsked& asked = options_.asked;
    const bool narrowed = !asked.given.empty() || !asked.among.empty() || !facts_of(source_, asked.inputs).empty();
    tried_.none =
        std::string("no sizes were found that satisfy the program's facts") + (narrowed ? " and what is given" : "") +
        "\n  help: " + (all_given || narrowed ? "give sizes that do" : "give sizes, as in 'lockstep verify FILE n=4'");
    std::vector<std::string> ways;
    if (!source_.sizes.empty())
      ways.push_back(all_given ? "other sizes"
                               : "sizes, as in 'lockstep verify FILE n=4', or --sizes 4,8 to draw from");
    for (std::size_t k = 0; k < source_.parameters.size() && !tried_.given; ++k)
      if (const std::string& name = source_.parameters[k].first; is_drawn(given_of(asked.inputs, k))) {
        ways.push_back("values, as in " + name + "=" + name + ".npy" + kinds_text());
        break;
      }
    if (tried_.given) ways.push_back("other values");
    if (!source_.sizes.empty()) ways.push_back("a fact that rules out what goes wrong, as in 'where d >= 1'");
    for (std::size_t k = 0; k < ways.size(); ++k)
      tried_.help += (k == 0 ? "\n  help: give " : k + 1 < ways.size() ? ";\n    " : ";\n    or ") + ways[k];
  }
  std::string kinds_text() const {
    std::string out;
    for (const std::string& kind : kinds_for(source_)) out += (out.empty() ? ", or of a kind: " : ", ") + kind;
    return out;
  }

  const PhraseProgram& source_;
  const PhraseProgram& fitting_;
  const DrawOptions& options_;
  const Rounds rounds_;
  const PhraseProgram counted_;
  const Size work_;
  const std::vector<Size> round_work_;
  std::vector<SizeValues> whole_;         // without a zero, the lightest first
  std::vector<SizeValues> good_, fair_;   // at which the source gave values, the second of undecided ways
  std::vector<SizeValues> short_rounds_;  // of them, where all rounds that are allowed take little work
  double spent_ = 0;
  std::vector<DrawnInput> inputs_;
  Tried tried_;
};

}  // namespace

Draws draw_inputs(const PhraseProgram& source, const PhraseProgram& fitting, const DrawOptions& options) {
  return Drawing(source, fitting, options).all();
}

}  // namespace lockstep::props

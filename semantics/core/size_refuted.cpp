// Values that refute a goal (size_refuted.h).
#include "semantics/core/size_refuted.h"

#include <algorithm>
#include <functional>

namespace lockstep {
namespace {

// All names 0, all 1, then small and large ones; indices at one end of their ranges or the other.
class Refuted {
 public:
  explicit Refuted(const SizeContext& known) : known_(known) {}
  bool is(const SizeFact& goal) {
    for (const SizeFact& f : known_.facts()) collect(f);
    for (const auto& [name, bound] : known_.ranges()) names_.insert(name), collect_names(bound, names_);
    collect(goal);
    std::vector<std::size_t> numbers;
    for (const std::string& name : names_) {
      values_.emplace_hint(values_.end(), name, 0);
      numbers.push_back(std::hash<std::string>{}(name));
    }
    for (std::size_t k = 0; k < 12; ++k) {
      draw(k, numbers);
      if (evaluate(goal, values_) == false && is_possible()) return true;
    }
    return false;
  }

 private:
  void collect(const SizeFact& f) { collect_names(f.left, names_), collect_names(f.right, names_); }

  void draw(std::size_t k, const std::vector<std::size_t>& numbers) {
    static constexpr std::int64_t all[] = {0, 1, 0, 2, 3, 1, 7, std::int64_t{1} << 33}, most = INT64_MAX;
    std::size_t at = 0;
    for (auto& [name, value] : values_) {
      const std::size_t number = numbers[at++] >> (3 * k);
      const bool is_0 = k == 0 || (k % 2 == 0 && name.starts_with('#'));
      value = is_0 ? 0 : k == 1 ? 1 : k > 8 && number % 2 == 1 ? most : all[number % (k < 5 ? 6 : 8)];
    }
    for (const SizeFact& f : known_.facts()) fit(f, k, values_);
    for (const auto& [name, bound] : known_.ranges()) {
      const auto end = k % 2 == 1 ? evaluate(bound, values_) : std::nullopt;
      values_[name] = end && *end > 0 ? *end - 1 : 0;
    }
  }
  bool is_possible() const {
    return std::all_of(known_.ranges().begin(), known_.ranges().end(),
                       [&](const auto& range) {
                         const auto end = evaluate(range.second, values_);
                         return end && values_.at(range.first) < *end;
                       }) &&
           std::all_of(known_.facts().begin(), known_.facts().end(),
                       [&](const SizeFact& f) { return evaluate(f, values_) == true; });
  }
  // A name on one side of the fact has a value, now, for which it holds: the last one that it holds for, or another.
  static void fit(const SizeFact& f, std::size_t k, SizeValues& out) {
    if (f.relation == SizeRelation::NotEqual) return;
    const std::int64_t more = f.relation == SizeRelation::Less ? 1 : 0;
    const auto left = f.left.as_name(), right = f.right.as_name();
    if (const auto end = left ? evaluate(f.right, out) : std::nullopt; end && *end >= more) {
      std::int64_t& value = out[*left];
      if (f.relation == SizeRelation::Equal || k % 2 == 1 || value > *end - more) value = *end - more;
    } else if (const auto least = right ? evaluate(f.left, out) : std::nullopt;
               least && *least >= 0 && *least < INT64_MAX) {
      std::int64_t& value = out[*right];
      if (f.relation == SizeRelation::Equal || value < *least + more) value = *least + more;
    }
  }

  const SizeContext& known_;
  std::set<std::string> names_;
  SizeValues values_;
};

}  // namespace

bool is_refuted(const SizeContext& known, const SizeFact& goal) {
  constexpr std::size_t most = 32;  // each value is held against all that is known
  return known.facts().size() + known.ranges().size() <= most && Refuted(known).is(goal);
}

}  // namespace lockstep

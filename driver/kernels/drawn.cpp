#include "driver/kernels/drawn.h"

#include <charconv>

#include "driver/kernels/lowered.h"
#include "driver/report.h"
#include "props/dpia/lowered_arguments.h"
#include "props/dpia/sizes.h"

namespace lockstep::driver {
namespace {

constexpr std::string_view length_suffix = ".length";

std::int64_t length_of(const ArgumentWord& word) {
  std::int64_t n = -1;
  const char* const end = word.value.data() + word.value.size();
  if (const auto read = std::from_chars(word.value.data(), end, n); read.ec != std::errc() || read.ptr != end || n < 0)
    fail(invalid, word.name + " is a length, and " + word.value + " is none", "give a natural number");
  return n;
}

using Equal = std::vector<std::pair<Size, Size>>;
Equal equal_lengths(const ToDraw& to, const LoweredProgram& l) {
  Equal out;
  for (const ToDraw::Tie& t : to.ties)
    out.emplace_back(l.arguments.at(t.leaf).lengths[t.dimension], l.arguments.at(t.other).lengths[t.dimension]);
  return out;
}
void follow(const Equal& equal, SizeValues& sizes) {
  for (std::size_t before = sizes.size() + 1; before != sizes.size();) {
    before = sizes.size();
    for (const auto& [a, b] : equal)
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
        if (const auto n = evaluate(from, sizes); n && to.as_name()) sizes.emplace(*to.as_name(), *n);
  }
}

// What is said of the program's sizes, by values and by words.
class KnownSizes {
 public:
  KnownSizes(const ToDraw& to, const InCalculus& program) : to_(to), program_(program) {
    std::size_t next = 0;
    for (const DrawnParameter& p : to.parameters) {
      first_.push_back(next);
      for (std::size_t j = 0; j < p.leaves && p.given; ++j) said_.learn(leaf(next + j), (*p.given)[j]);
      next += p.leaves;
    }
    for (const ArgumentWord& w : to.lengths) word(w);
  }
  SizeValues known() const { return said_.all(); }

  // What a word says of a length has to come true.
  void check(const SizeValues& sizes) const {
    for (const auto& [k, w] : lengths_)
      if (const Size& n = leaf(k).lengths.front(); evaluate(n, sizes) != length_of(w))
        fail(invalid, w.name + " is " + w.value + ", and is to be " + show(n),
             "the program is made for " + conditions_of(program_.lowered));
  }

 private:
  const LoweredLeaf& leaf(std::size_t k) const { return program_.lowered.arguments.at(k); }
  void word(const ArgumentWord& w) {
    const std::vector<std::string>& sizes = program_.program.sizes;
    if (std::find(sizes.begin(), sizes.end(), w.name) != sizes.end()) {
      said_.set(w.name, length_of(w));
      return;
    }
    for (std::size_t k = 0; k < to_.parameters.size(); ++k) {
      const DrawnParameter& p = to_.parameters[k];
      if (w.name != p.name + std::string(length_suffix) || leaf(first_[k]).lengths.empty()) continue;
      if (p.given) fail(invalid, p.name + " is given, and " + w.name + " too");
      for (std::size_t j = 0; j < p.leaves; ++j) said_.learn(leaf(first_[k] + j).lengths.front(), length_of(w));
      lengths_.emplace_back(first_[k], w);
      return;
    }
    std::vector<std::string> names;
    for (const DrawnParameter& p : to_.parameters) names.push_back(p.name);
    for (const std::string& s : sizes)
      if (std::find(names.begin(), names.end(), s) == names.end()) names.push_back(s);
    refuse_unknown(to_.program, w.name, names, "parameters and lengths");
  }

  const ToDraw& to_;
  const InCalculus& program_;
  props::LearntSizes said_;
  std::vector<std::pair<std::size_t, ArgumentWord>> lengths_;  // by the parameter's first leaf
  std::vector<std::size_t> first_;                             // leaf of each parameter
};

}  // namespace

SizeValues known_sizes(const ToDraw& to, const InCalculus& program) {
  SizeValues out = KnownSizes(to, program).known();
  follow(equal_lengths(to, program.lowered), out);
  return out;
}

bool says_all_sizes(const ToDraw& to, const InCalculus& program) {
  return props::SizeRelations(program.program, {known_sizes(to, program), {}, {}}).drawn().empty();
}

std::vector<Leaves> drawn_at(const ToDraw& to, const InCalculus& program, const SizeValues& sizes,
                             props::Integers integers) {
  std::vector<Leaves> out;
  std::size_t next = 0;
  for (const DrawnParameter& p : to.parameters) {
    const std::size_t first = next;
    next += p.leaves;
    if (p.given) {
      out.push_back(*p.given);
      continue;
    }
    Leaves& leaves = out.emplace_back();
    for (std::size_t j = first; j < next; ++j) {
      const LoweredLeaf& leaf = program.lowered.arguments.at(j);
      if (!leaf.number)
        if (const auto wants = props::refused(p.random.kind, props::type_of(leaf)))
          refuse_kind(p.name, p.type, p.random.kind, *wants);
      auto drawn = props::drawn_leaf(leaf, sizes, p.random.seed.value_or(hash_of(p.name)) + (j - first), integers,
                                     p.random.kind);
      if (!drawn)
        fail(drawn.error().starts_with("there is no value") ? invalid : machine, p.name + ": " + drawn.error());
      leaves.push_back(std::move(*drawn));
    }
  }
  return out;
}

std::vector<Leaves> drawn_arguments(const ToDraw& to, const InCalculus& program,
                                    const std::function<SizeValues(const SizeValues& known)>& choose) {
  const KnownSizes known(to, program);
  SizeValues sizes = known.known();
  const Equal equal = equal_lengths(to, program.lowered);
  follow(equal, sizes);
  const props::SizeRelations relations(program.program, {sizes, {}, {}});
  if (!relations.drawn().empty() && !choose) {
    std::vector<std::string> asked;
    SizeValues told = sizes;
    for (const std::string& n : relations.drawn())
      if (told.emplace(n, 1).second) asked.push_back(n), follow(equal, told);
    fail(invalid,
         "nothing that is given says how long random values are: " + comma_list(asked) + " in " +
             conditions_of(program.lowered),
         "give " + asked[0] + "=1000, or an array that says it");
  }
  if (choose)
    sizes = choose(sizes);
  else if (!relations.complete(sizes))
    fail(invalid, "no lengths go with what is given: " + conditions_of(program.lowered));
  known.check(sizes);
  return drawn_at(to, program, sizes, choose ? props::Integers::Inside : props::Integers::Small);
}

}  // namespace lockstep::driver

#include "driver/languages/l0/drawn.h"

#include <algorithm>
#include <charconv>

#include "driver/argument_words.h"
#include "props/dpia/sizes.h"
#include "props/l0/compiled.h"

namespace lockstep::driver {
namespace {

std::int64_t size_word(const l0::Function& entry, const PhraseProgram& program, const ArgumentWord& word) {
  if (std::find(program.sizes.begin(), program.sizes.end(), word.name) == program.sizes.end()) {
    std::vector<std::string> names;
    for (const l0::Parameter& p : entry.parameters) names.push_back(p.name);
    for (const std::string& s : program.sizes)
      if (std::find(names.begin(), names.end(), s) == names.end()) names.push_back(s);
    refuse_unknown(entry.name, word.name, names, "parameters and lengths");
  }
  std::int64_t n = -1;
  const char* const end = word.value.data() + word.value.size();
  if (const auto read = std::from_chars(word.value.data(), end, n); read.ec != std::errc() || read.ptr != end || n < 0)
    fail(invalid, word.name + " is a length, and " + word.value + " is none", "give a natural number");
  return n;
}

// Parts of an array of tuples are as long, in each dimension around the tuple.
using Ties = std::vector<std::pair<Size, Size>>;
Ties ties_of(const l0::Function& entry, const l0::Lowered& l) {
  Ties out;
  std::size_t before = 0;
  for (const l0::Parameter& p : entry.parameters) {
    each_equal_length(p.type, [&](std::size_t leaf, std::size_t other, std::size_t d) {
      out.emplace_back(l.arguments.at(before + leaf).lengths[d], l.arguments.at(before + other).lengths[d]);
    });
    before += l0::leaf_count(p.type);
  }
  return out;
}
void follow(const Ties& ties, SizeValues& sizes) {
  for (std::size_t before = sizes.size() + 1; before != sizes.size();) {
    before = sizes.size();
    for (const auto& [a, b] : ties)
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
        if (const auto n = evaluate(from, sizes); n && to.as_name()) sizes.emplace(*to.as_name(), *n);
  }
}

// What is said of the program's sizes, by values and by words.
SizeValues known_sizes(const l0::Function& entry, const L0Arguments& bound, const l0::InCalculus& program) {
  SizeValues out;
  const auto learn = [&](const Size& s, std::int64_t n) {
    if (const auto name = s.as_name(); name && n >= 0) out.emplace(*name, n);
  };
  std::size_t next = 0;
  for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
    const std::size_t n = l0::leaf_count(entry.parameters[k].type);
    const auto leaves = bound.values[k] ? l0::leaves_of(*bound.values[k]) : std::vector<const l0::Value*>();
    for (std::size_t j = 0; j < leaves.size(); ++j) {
      const l0::LoweredLeaf& leaf = program.lowered.arguments.at(next + j);
      if (leaf.number) learn(*leaf.number, l0::as_scalar(*leaves[j]).integer());
      for (std::size_t d = 0; d < leaf.lengths.size(); ++d) learn(leaf.lengths[d], l0::as_array(*leaves[j]).shape[d]);
    }
    next += n;
  }
  for (const ArgumentWord& w : bound.sizes) out.insert_or_assign(w.name, size_word(entry, program.program, w));
  return out;
}

}  // namespace

l0::Values drawn_at(const l0::Function& entry, const L0Arguments& bound, const l0::InCalculus& program,
                    const SizeValues& sizes, props::Integers integers) {
  l0::Values out;
  std::size_t next = 0;
  for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
    const l0::Parameter& p = entry.parameters[k];
    const std::size_t first = next;
    next += l0::leaf_count(p.type);
    if (bound.values[k]) {
      out.push_back(l0::copied(*bound.values[k]));
      continue;
    }
    const props::RandomAsked asked = bound.random[k].value_or(props::RandomAsked{});
    l0::Values leaves;
    for (std::size_t j = first; j < next; ++j) {
      const l0::LoweredLeaf& leaf = program.lowered.arguments.at(j);
      if (leaf.number) {
        leaves.push_back(l0::int_value(evaluate(*leaf.number, sizes).value_or(0)));
        continue;
      }
      lockstep::Type type = lockstep::scalar(leaf.scalar);
      for (std::size_t d = leaf.lengths.size(); d-- > 0;) type = lockstep::array(leaf.lengths[d], std::move(type));
      if (const auto wants = props::refused(asked.kind, type))
        refuse_kind(p.name, l0::show(l0::without_stars(p.type)), asked.kind, *wants);
      const auto drawn = props::random_leaves(type, sizes, asked.seed.value_or(hash_of(p.name)) + (j - first), integers,
                                              0, asked.kind);
      if (!drawn)
        fail(drawn.error().starts_with("there is no value") ? invalid : machine, p.name + ": " + drawn.error());
      leaves.push_back(props::l0::values_from(*drawn)[0]);
    }
    std::size_t from = 0;
    out.push_back(l0::value_of_leaves(p.type, leaves, from));
  }
  return out;
}

l0::Values drawn_arguments(const l0::Function& entry, const L0Arguments& bound, const l0::InCalculus& program,
                           const std::function<SizeValues(const SizeValues& known)>& choose) {
  SizeValues sizes = known_sizes(entry, bound, program);
  const Ties ties = ties_of(entry, program.lowered);
  follow(ties, sizes);
  const props::SizeRelations relations(program.program, {sizes, {}, {}});
  if (!relations.drawn().empty() && !choose) {
    std::vector<std::string> asked;
    SizeValues told = sizes;
    for (const std::string& n : relations.drawn())
      if (told.emplace(n, 1).second) asked.push_back(n), follow(ties, told);
    fail(invalid,
         "nothing that is given says how long random values are: " + comma_list(asked) + " in " +
             conditions_of(program.lowered),
         "give " + asked[0] + "=1000, or an array that says it");
  }
  if (choose)
    sizes = choose(sizes);
  else if (!relations.complete(sizes))
    fail(invalid, "no lengths go with what is given: " + conditions_of(program.lowered));
  return drawn_at(entry, bound, program, sizes, choose ? props::Integers::Inside : props::Integers::Small);
}

}  // namespace lockstep::driver

#include "props/fcl/inputs.h"

#include <algorithm>

#include "codegen/runtime/sha256.h"
#include "props/dpia/sizes.h"

namespace lockstep::props::fcl {
namespace {

constexpr int draws_at_most = 40;
constexpr std::int64_t longest = 4096;
constexpr double most_elements = 4000;  // of drawn arguments that a lowered program is made for

// Leaves of one parameter of a type with these dimensions, the outermost first: as many as there are.
class Drawing {
 public:
  Drawing(const Launch& launch, std::int64_t longest, std::uint64_t seed) : random_(seed), seed_(seed) {
    static constexpr int composite[] = {1, 2, 3, 4, 6, 8, 12, 16};
    length_ = random_.percent(30)   ? random_.below(9)
              : random_.percent(50) ? composite[random_.below(8)]
                                    : launch.block * (1 + random_.below(4));
    length_ = static_cast<int>(std::min<std::int64_t>(length_, longest));
  }

  Leaves of(const language::Type& type, std::size_t k) {
    const std::vector<LeafType> leaves = leaf_types(type);
    std::vector<std::int64_t> lengths(4, 0);
    for (std::int64_t& n : lengths) n = random_.percent(75) ? length_ : random_.below(9);
    for (std::size_t d = 1; d < lengths.size(); ++d) lengths[d] = std::min<std::int64_t>(lengths[d], 8);
    Leaves out;
    for (std::size_t j = 0; j < leaves.size(); ++j) {
      const LeafType& leaf = leaves[j];
      if (leaf.rank == 0 && leaf.scalar == ScalarType::I32) {
        out.push_back(number());
        continue;
      }
      lockstep::Type t = lockstep::scalar(leaf.scalar);
      for (std::size_t d = leaf.rank; d-- > 0;)
        t = lockstep::array(Size(lengths.at(std::min(d, lengths.size() - 1))), std::move(t));
      out.push_back(random_leaves(t, {}, seed_of(seed_, 16 * k + j)).value()[0]);
    }
    return out;
  }

 private:
  // A length, what divides it, or any small one.
  LeafArray number() {
    std::int64_t n = random_.below(9) - 2;
    if (length_ > 0 && random_.percent(70)) {
      std::vector<int> divisors;
      for (int d = 1; d <= length_; ++d)
        if (length_ % d == 0) divisors.push_back(d);
      n = random_.among(divisors);
    }
    return leaves_from({{make_integer(ScalarType::I32, static_cast<std::uint64_t>(n))}},
                       lockstep::scalar(ScalarType::I32), {})[0];
  }

  Random random_;
  const std::uint64_t seed_;
  int length_ = 0;
};

bool holds_scalars(const LeafOutcome& o) {
  return o && std::any_of(o->begin(), o->end(), [](const LeafArray& leaf) { return count_of(leaf) > 0; });
}

class Inputs {
 public:
  Inputs(const AnyProgram& source, const Signature& s, const InCalculus* lowered, const InputsAsked& asked)
      : source_(source), signature_(s), lowered_(lowered), asked_(asked) {
    random_ = std::any_of(asked.given.begin(), asked.given.end(), [](const auto& g) { return !g; });
    if (lowered && random_) sizes_ = fitting_sizes();
  }
  std::vector<Input> all(Tried& tried) {
    std::vector<Input> out;
    for (std::size_t k = 0; k < (random_ ? asked_.inputs : 1); ++k) {
      Input in = one(k);
      if (is_endless(in.expected)) {
        if (tried.endless++ == 0) tried.first_endless = in.text;
        continue;
      }
      const std::string result = shown(in.expected, signature_);
      if (!in.expected && tried.trapped++ == 0) tried.first_trap = result;
      tried.values += holds_scalars(in.expected);
      tried.seeds.push_back(in.seed);
      tried.results.push_back(sha256(result));
      out.push_back(std::move(in));
    }
    tried.limit = asked_.rounds;
    tried.given = !random_ && !signature_.parameters.empty();
    tried.needed = values_needed(tried.seeds.size(), asked_.inputs, random_);
    return out;
  }

 private:
  // Of the lowered program, with what is given in its place.
  std::vector<SizeValues> fitting_sizes() const {
    LearntSizes said;
    std::size_t next = 0;
    for (std::size_t k = 0; k < signature_.parameters.size(); ++k)
      for (std::size_t j = 0, n = leaf_types(signature_.parameters[k].type).size(); j < n; ++j, ++next)
        if (asked_.given[k]) said.learn(lowered_->lowered.arguments.at(next), (*asked_.given[k])[j]);
    SizesAsked asked;
    asked.given = said.all();
    const PhraseProgram& p = lowered_->program;
    SizeSearch found = search_sizes(
        p, asked, asked_.inputs, [&](const SizeValues& sizes) { return element_count(p, sizes); }, most_elements,
        asked_.seed);
    if (found.heavy) found.sizes.push_back(*found.heavy);
    return found.sizes;
  }

  Input one(std::size_t k) const {
    std::uint64_t seed = asked_.seed * 1000003 + k;
    // One in six is anything, where there are enough; of the others those that fit are looked for.
    const bool anything = k % 6 == 5 && asked_.inputs >= 12;
    if (!sizes_.empty() && !anything) {
      const Input in = finished(at(sizes_[k % sizes_.size()], seed), seed);
      if (fits(in)) return in;
    }
    Input in = finished(random_arguments(signature_, asked_.given, launch(), longest, seed), seed);
    for (int again = 0; again < draws_at_most && random_ && !anything && !fits(in); ++again) {
      seed += 1000000;
      in = finished(random_arguments(signature_, asked_.given, launch(), longest, seed), seed);
    }
    return in;
  }
  const Launch& launch() const { return source_.as<language::Entry>().launch; }
  bool fits(const Input& in) const {
    return in.expected && (!lowered_ || arguments_in_calculus(*lowered_, one_after_the_other(in.arguments)));
  }
  Arguments at(const SizeValues& sizes, std::uint64_t seed) const {
    Arguments out;
    std::size_t next = 0;
    for (std::size_t k = 0; k < signature_.parameters.size(); ++k) {
      const std::size_t n = leaf_types(signature_.parameters[k].type).size();
      Leaves leaves;
      for (std::size_t j = 0; j < n && !asked_.given[k]; ++j)
        leaves.push_back(
            drawn_leaf(lowered_->lowered.arguments.at(next + j), sizes, seed_of(seed, 16 * k + j)).value());
      out.push_back(asked_.given[k] ? *asked_.given[k] : std::move(leaves));
      next += n;
    }
    return out;
  }
  Input finished(Arguments arguments, std::uint64_t seed) const {
    Input in{std::move(arguments), {}, {}, seed};
    in.text = shown_arguments(signature_, in.arguments);
    in.expected = outcome(source_, signature_, in.arguments, asked_.rounds);
    return in;
  }

  const AnyProgram& source_;
  const Signature& signature_;
  const InCalculus* const lowered_;
  const InputsAsked& asked_;
  bool random_ = false;
  std::vector<SizeValues> sizes_;
};

}  // namespace

LeafOutcome outcome(const AnyProgram& p, const Signature& s, const Arguments& arguments, std::uint64_t rounds) {
  std::vector<Value> values;
  for (std::size_t k = 0; k < arguments.size(); ++k) values.push_back(value_of(s.parameters[k].type, arguments[k]));
  const auto found = language::language()->meaning(p, std::move(values), ieee_domain(), rounds);
  if (!found) return tl::unexpected(found.error());
  return leaves_of(s.result, *found);
}

bool is_endless(const LeafOutcome& o) { return !o && o.error().message == language::round_limit_message; }

std::string shown(const LeafOutcome& o, const Signature& s) {
  if (!o) return "trap: " + o.error().primitive + ": " + o.error().message;
  return show(value_of(s.result, *o), ieee_domain());
}

std::string shown_arguments(const Signature& s, const Arguments& arguments) {
  std::string out;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    out += (out.empty() ? "" : " ") + s.parameters[k].name + "=" +
           show(value_of(s.parameters[k].type, arguments[k]), ieee_domain());
  return out;
}

Arguments random_arguments(const Signature& s, const std::vector<std::optional<Leaves>>& given, const Launch& launch,
                           std::int64_t longest, std::uint64_t seed) {
  Drawing drawing(launch, longest, seed);
  Arguments out;
  for (std::size_t k = 0; k < s.parameters.size(); ++k)
    out.push_back(given[k] ? *given[k] : drawing.of(s.parameters[k].type, k));
  return out;
}

std::vector<Input> drawn_inputs(const AnyProgram& source, const Signature& s, const InCalculus* lowered,
                                const InputsAsked& asked, Tried& tried) {
  return Inputs(source, s, lowered, asked).all(tried);
}

}  // namespace lockstep::props::fcl

// A rewrite rule, functional to functional: what it is called, what it matches and gives, and what has to hold. Rules
// are values in a list (rules.h); a rule sees one phrase and what is known where that stands, and nothing else.
// p: a phrase, f g: functions, k: a size given to the rule, e: a neutral element.
#pragma once
#include "semantics/functional/inference/infer.h"
#include "semantics/functional/law.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::rewriting {

// ---------------------------------------------------------------------------------------------- applying a rule
using Place = std::vector<std::size_t>;  // children from a phrase, in the order of for_each_child

// Something that had to hold for a step, and how it is known.
struct Condition {
  std::string what;
  std::string how;
  Knowledge knowledge;
};
struct Rewritten {
  PhraseRef phrase;
  std::vector<Condition> conditions{};
  bool rounding = false;           // floats are computed in another order
  std::optional<SizeFact> fact{};  // of `assume`: the program gets it
  std::optional<int> block{};      // of `blockOf`: the program's threads a block
};
struct Refused {
  std::string why;
  bool matched = false;  // the form fits, a condition does not hold
};
using Outcome = tl::expected<Rewritten, Refused>;

// What is known at the place of the phrase.
struct Site {
  const Calculus& calculus;
  const std::vector<SizeFact>& facts;
  const std::vector<std::string>& sizes;  // the program's
  const SizeContext& context;
  const SizeSolver& solver;
  const LawOracle& laws;
  std::vector<Level> around;  // parallel levels of the loops that it stands in, outermost first
  Names& names;

  // The condition that goal holds for all sizes, or why the rule is refused.
  tl::expected<Condition, Refused> require(const SizeFact& goal) const;
  tl::expected<Condition, Refused> divides(const Size& k, const Size& n) const;  // k >= 1 and n % k == 0
};

enum class ParameterKind { Size, Level, Fact, Place };
struct Rule {
  std::string name;
  std::vector<ParameterKind> parameters;
  std::string matches, gives;  // .dpia
  std::string when;            // side conditions; "" for none
  std::string law;             // what of the operator it relies on; "" for none
  std::function<Outcome(const PhraseRef& p, const std::vector<std::string>& arguments, Site& site)> apply;
};
using RuleList = std::vector<Rule>;

// Arguments as written in a strategy. The unexpected value says what is wrong.
tl::expected<Size, std::string> parse_size(const std::string& text, const std::vector<std::string>& names);
tl::expected<SizeFact, std::string> parse_fact(const std::string& text, const std::vector<std::string>& names);
tl::expected<Level, std::string> parse_level(const std::string& text);
// In a phrase; by name: the first application of the primitive.
tl::expected<Place, std::string> parse_place(const std::string& text, const PhraseRef& in);  // (2.0), or transpose

inline tl::unexpected<Refused> no(std::string why) { return tl::unexpected(Refused{std::move(why), false}); }
inline tl::unexpected<Refused> refused(std::string why) { return tl::unexpected(Refused{std::move(why), true}); }

}  // namespace lockstep::rewriting

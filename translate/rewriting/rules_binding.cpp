// Beta: let x = a in e is (\x -> e) a. Functions are lambdas everywhere in phrases, and applications of them are
// reduced when they are made, so that eta has no work here: the printer writes \x y -> x + y as (+).
#include "translate/rewriting/rules.h"
#include "translate/rewriting/terms.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

Outcome beta(const PhraseRef& p, const Words&, Site&) {
  const auto* l = as<LetPhrase>(*p);
  if (!l) return no("it is no let");
  if (!is_atomic(*l->value))
    return refused("the value is no name, number or component of a name: 'inlineLet' takes one that is read once");
  return Rewritten{substitute(l->body, {{l->name, l->value}})};
}

Outcome inline_let(const PhraseRef& p, const Words&, Site&) {
  const auto* l = as<LetPhrase>(*p);
  if (!l) return no("it is no let");
  const Uses uses = uses_of(l->name, *l->body);
  if (uses.count != 1) return refused(l->name + " is read " + std::to_string(uses.count) + " times");
  if (!uses.plain)
    return refused(l->name +
                   " is read under a function or in a branch: its value would be evaluated more often, or not at all");
  return Rewritten{substitute(l->body, {{l->name, l->value}})};
}

Outcome drop_let(const PhraseRef& p, const Words&, Site&) {
  const auto* l = as<LetPhrase>(*p);
  if (!l) return no("it is no let");
  if (mentions_name(*l->body, l->name)) return refused(l->name + " is read");
  if (!is_total(*l->value)) return refused("the value may trap, which must not be forgotten");
  return Rewritten{l->body};
}

}  // namespace

RuleList binding_rules() {
  return {
      {"beta", {}, "let x = a in e", "e, a for x", "a is a name, a number or a component of a name", "", beta},
      {"inlineLet",
       {},
       "let x = a in e",
       "e, a for x",
       "e reads x once, under no function and in no branch",
       "",
       inline_let},
      {"dropLet", {}, "let x = a in e", "e", "e does not read x, and a cannot trap", "", drop_let},
  };
}

RuleList fact_rules() {
  return {{"assume",
           {ParameterKind::Fact},
           "the program",
           "the program, where FACT",
           "stated by the user: a where fact of the result",
           "",
           [](const PhraseRef& p, const Words& words, Site& s) -> Outcome {
             const auto fact = parse_fact(words[0], s.sizes);
             if (!fact) return refused(fact.error());
             // From facts that nothing satisfies everything would follow.
             std::vector<SizeFact> all = s.facts;
             all.push_back(*fact);
             if (evaluate(*fact, {}) == false ||
                 (s.solver && s.solver(all, {0, SizeRelation::Equal, 1}).verdict == Verdict::Solved))
               return refused("no sizes satisfy " + lockstep::show(*fact) +
                              (s.facts.empty() ? "" : " and the facts before it"));

             return Rewritten{
                 p,
                 {{lockstep::show(*fact), "stated in the strategy, a where fact of the result", Knowledge::Assumed}},
                 false,
                 *fact};
           }}};
}

RuleList all_rules() {
  RuleList out;
  for (const RuleList& family : {map_rules(), reduce_rules(), cancel_rules(), binding_rules(), level_rules(),
                                 collective_rules(), permute_rules(), vector_rules(), fact_rules()})
    out.insert(out.end(), family.begin(), family.end());
  return out;
}

}  // namespace lockstep::rewriting

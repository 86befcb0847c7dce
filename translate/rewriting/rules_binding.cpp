// Beta: let x = a in e is (\x -> e) a. Functions are lambdas everywhere in phrases, and applications of them are
// reduced when they are made, so that eta has no work here: the printer writes \x y -> x + y as (+).
#include "translate/rewriting/place.h"
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

bool has_levels(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  if (const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr)
    if (is_parallel(loop->level) || loop->together != Level::Auto || loop->space) return true;
  bool found = false;
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_levels(*c); });
  return found;
}

PhraseRef each_replaced(const PhraseRef& p, const PhraseRef& what, const PhraseRef& by) {
  if (alpha_equal(*p, *what)) return by;
  return map_children(p, [&](const PhraseRef& c) { return each_replaced(c, what, by); });
}

Outcome bind(const PhraseRef& p, const Words& words, Site& s) {
  if (!as<ExpType>(p->type)) return no("it is no value");
  const auto place = parse_place(words[0], p);
  if (!place) return refused(place.error());
  const PhraseRef value = *phrase_at(p, *place);
  if (place->empty() || !as<ExpType>(value->type)) return refused("what stands there is no value of its own");
  std::set<std::string> here, there;
  collect_free(*p, here);
  collect_free(*value, there);
  if (!std::includes(here.begin(), here.end(), there.begin(), there.end()))
    return refused("what stands there reads a name that is bound on the way to it");
  if (!is_total(*value)) return refused("what stands there may trap, and would be evaluated elsewhere");
  if (!levels_around(p, *place).empty() && has_levels(*value))
    return refused("what stands there runs in parallel, or has a place, and would leave the loop that it stands in");
  const std::string x = s.names.fresh("x");
  return Rewritten{let(x, value, each_replaced(p, value, ident(x, value->type)))};
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
      {"bind",
       {ParameterKind::Place},
       "e, with a at the place",
       "let x = a in e, x for each a",
       "a is a value that cannot trap, and reads nothing that e binds; parallel loops do not leave others",
       "",
       bind},
      {"dropLet", {}, "let x = a in e", "e", "e does not read x, and a cannot trap", "", drop_let},
  };
}

RuleList fact_rules() {
  return {
      {"blockOf",
       {ParameterKind::Size},
       "the program",
       "the program, block K",
       "K threads a block, 1 to 1024",
       "",
       [](const PhraseRef& p, const Words& words, Site& s) -> Outcome {
         const auto size = parse_size(words[0], s.sizes);
         if (!size) return refused(size.error());
         const auto k = size->constant();
         if (!k || *k < 1 || *k > most_block)
           return refused("a block has 1 to " + std::to_string(most_block) + " threads, not " + lockstep::show(*size));
         return Rewritten{.phrase = p, .block = static_cast<int>(*k)};
       }},
      {"assume",
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
  for (const RuleList& family :
       {map_rules(), interchange_rules(), part_rules(), window_rules(), reduce_rules(), cancel_rules(), binding_rules(),
        level_rules(), collective_rules(), permute_rules(), vector_rules(), fact_rules()})
    out.insert(out.end(), family.begin(), family.end());
  return out;
}

}  // namespace lockstep::rewriting

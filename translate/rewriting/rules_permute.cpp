// Rules on permute. What threads update atomically comes in any order: the operator is associative and commutative.
// Private copies, of rows one after the other, are combined in that order: it is associative, with a neutral element
// that each copy starts from; the defaults are used once, so that any are right
// (proofs/calculus/strategies/permute_laws.cpp).
#include "semantics/primitives/build.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/rules.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

// ------------------------------------------------------------------------------------------------- atomics
std::optional<std::string> cannot_stand(Level level, const Site& s) {
  if (level == Level::Global)
    return s.around.empty()
               ? std::nullopt
               : std::optional("permuteGlobal runs over all threads, and here is a parallel loop around it");
  if (!s.around.empty() && nests(s.around.back(), Level::Local)) return {};
  return "permuteLocal stands directly in mapWorkgroup or mapWarp, and here is " +
         (s.around.empty() ? std::string("no parallel loop") : "map" + std::string(show(s.around.back()))) +
         " around it; 'mapLevel workgroup' makes a map one";
}

Outcome atomically(Level level, const PhraseRef& p, Site& s) {
  const PrimPhrase* x = as_call(*p, "permute");
  if (!x) return no("it is no permute");
  const std::string name = "permute" + std::string(show(level));
  if (const auto why = cannot_stand(level, s)) return refused(*why);
  const auto* t = as<ScalarType>(x->types[0]);
  const PrimitiveRef op = operator_of(*x->arguments[0]);
  if (!t || !op)
    return refused(name + " updates integers by an operator, and this is " +
                   (op ? "of " + lockstep::show(x->types[0]) : std::string("by a function of more")) +
                   ": permuteCopies combines private copies by any function");
  // The counterexample first: it says more than that the operator claims no law.
  auto law = require_laws(s, {Law::Associative, Law::Commutative}, x->arguments[0]);
  if (!law) return tl::unexpected(law.error());
  if (const auto why = scalars::why_ordered(std::get<ScalarOp>(op->kind), *t)) return refused(*why);
  const std::string place =
      level == Level::Global ? "in no parallel loop" : "directly in map" + std::string(show(s.around.back()));
  law->conditions.insert(law->conditions.begin(), {place, "by inspection", Knowledge::Proved});
  return Rewritten{call(s, name, x->sizes, x->types, x->arguments), law->conditions, law->rounding};
}

// ------------------------------------------------------------------------------------------------- private copies
// Rows of k of the indices and of the values, each row's permute onto neutral elements, and then column by column.
PhraseRef combined_copies(Site& s, const PrimPhrase& x, const Size& k, const PhraseRef& neutral, const PhraseRef& is,
                          const PhraseRef& xs) {
  const Size& m = x.sizes[0];
  const Type& a = x.types[0];
  const PhraseRef is_rows = split_of(s, k, is), xs_rows = split_of(s, k, xs);
  const Size rows = array_length(*is_rows);
  const Type of_is = element_type(*is_rows), of_xs = element_type(*xs_rows);
  const PhraseRef both = zip_of(s, is_rows, xs_rows);
  const PhraseRef copies = map_of(
      s, "map",
      function_of(s, "row", pair(of_is, of_xs),
                  [&](const PhraseRef& row) {
                    const PhraseRef start = replicate_of(s, m, neutral);
                    return call(s, "permute", {m, k}, {a},
                                {refresh(x.arguments[0], s.names), start, call(s, "fst", {}, {of_is, of_xs}, {row}),
                                 call(s, "snd", {}, {of_is, of_xs}, {row})});
                  }),
      both);
  const PhraseRef columns = transpose_of(s, copies);
  const Type column = array(rows, a);
  const PhraseRef with_defaults = zip_of(s, x.arguments[1], columns);
  return map_of(s, "map",
                function_of(s, "place", pair(a, column),
                            [&](const PhraseRef& place) {
                              return reduce_of(s, "reduce", refresh(x.arguments[0], s.names),
                                               call(s, "fst", {}, {a, column}, {place}),
                                               call(s, "snd", {}, {a, column}, {place}));
                            }),
                with_defaults);
}

Outcome by_copies(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* x = as_call(*p, "permute");
  if (!x) return no("it is no permute");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto whole = s.divides(*k, x->sizes[1]);
  if (!whole) return tl::unexpected(whole.error());
  auto law = require_laws(s, {Law::Associative}, x->arguments[0]);
  if (!law) return tl::unexpected(law.error());
  const auto element = an_element_of(x->arguments[1]);
  if (!element) return refused("the defaults are no replicate: no element is known that could be neutral");
  const auto neutral = neutral_element(s, x->arguments[0], *element);
  if (!neutral) return tl::unexpected(neutral.error());
  law->conditions.insert(law->conditions.begin(), *whole);
  law->conditions.push_back(neutral->found.condition);
  return Rewritten{combined_copies(s, *x, *k, neutral->element, x->arguments[2], x->arguments[3]), law->conditions,
                   law->rounding || neutral->found.rounding};
}

Rule atomic_rule(Level level, const char* where) {
  const std::string name = "permute" + std::string(show(level)), arguments = " f d is xs";
  return {name,
          {},
          "permute" + arguments,
          name + arguments,
          std::string("f is an operator on integers; ") + where,
          "associative, commutative",
          [level](const PhraseRef& p, const Words&, Site& s) { return atomically(level, p, s); }};
}

}  // namespace

RuleList permute_rules() {
  return {
      atomic_rule(Level::Global, "in no parallel loop"),
      atomic_rule(Level::Local, "directly in mapWorkgroup or mapWarp"),
      {"permuteCopies",
       {ParameterKind::Size},
       "permute f d is xs",
       "map (\\(z, c) -> reduce f z c) (zip d (transpose (map (\\(i, x) -> permute f (replicate m e) i x) (zip (split "
       "k is) (split k xs)))))",
       "xs : [n]a, n % k == 0; e is neutral for f",
       "associative, neutral",
       by_copies}};
}

}  // namespace lockstep::rewriting

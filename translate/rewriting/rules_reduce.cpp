// Rules on reduce: DPIA §2.1, after Steuwer et al. 2015. A reduction in several pieces needs laws of its operator; each
// piece starts from a neutral element, the last from the start that was given, so that any start is right.
#include "semantics/primitives/build.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/rules.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

tl::expected<const PrimPhrase*, Refused> a_reduce(const Phrase& p) {
  if (const PrimPhrase* r = as_call(p, "reduce")) return r;
  if (as_call(p, "reduceSeq")) return refused("reduceSeq is one sequential loop in one order, by definition");
  return no("it is no reduce");
}

// map (\c -> reduce f e c) rows
PhraseRef pieces(Site& s, const PrimPhrase& r, const PhraseRef& start, const PhraseRef& rows) {
  const PhraseRef f = refresh(r.arguments[0], s.names);
  return map_of(s, "map",
                function_of(s, "block", element_type(*rows),
                            [&](const PhraseRef& c) { return reduce_of(s, "reduce", f, start, c); }),
                rows);
}

// A reduce that is split into rows of k, all of it.
struct WholeRows {
  const PrimPhrase& reduce;
  Splitting split;
  PhraseRef rows;
};
tl::expected<WholeRows, Refused> whole_rows(const PhraseRef& p, const Words& words, Site& s, bool commutes) {
  const auto r = a_reduce(*p);
  if (!r) return tl::unexpected(r.error());
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto whole = s.divides(*k, (*r)->sizes[0]);
  if (!whole) return tl::unexpected(whole.error());
  auto split = splitting_of(s, **r, commutes);
  if (!split) return tl::unexpected(split.error());
  split->conditions.insert(split->conditions.begin(), *whole);
  return WholeRows{**r, *split, split_of(s, *k, (*r)->arguments[2])};
}

// reduce op start over the results of `parts`, each reduced from the neutral element.
Rewritten in_parts(const WholeRows& w, Site& s, const PhraseRef& parts) {
  const PhraseRef each = pieces(s, w.reduce, w.split.start, parts);
  return Rewritten{reduce_of(s, "reduce", refresh(w.split.op, s.names), w.reduce.arguments[1], each),
                   w.split.conditions, w.split.rounding};
}

Outcome reduce_blocks(const PhraseRef& p, const Words& words, Site& s) {
  const auto w = whole_rows(p, words, s, false);
  if (!w) return tl::unexpected(w.error());
  return in_parts(*w, s, w->rows);
}

Outcome reduce_columns(const PhraseRef& p, const Words& words, Site& s) {
  const auto w = whole_rows(p, words, s, true);
  if (!w) return tl::unexpected(w.error());
  return in_parts(*w, s, transpose_of(s, w->rows));
}

// Rows of k, or their columns, and then what is left of the array, less than a row.
Outcome with_rest(const PhraseRef& p, const Words& words, Site& s, bool columns) {
  const auto r = a_reduce(*p);
  if (!r) return tl::unexpected(r.error());
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto positive = s.require({1, SizeRelation::LessEqual, *k});
  if (!positive) return tl::unexpected(positive.error());
  auto split = splitting_of(s, **r, columns);
  if (!split) return tl::unexpected(split.error());
  split->conditions.insert(split->conditions.begin(), *positive);
  const Size whole = floor_div((*r)->sizes[0], *k) * *k;
  return Rewritten{
      sharing(s, (*r)->arguments[2],
              [&](const PhraseRef& xs) {
                const PhraseRef rows = split_of(s, *k, take_of(s, whole, xs));
                const PhraseRef each = pieces(s, **r, split->start, columns ? transpose_of(s, rows) : rows);
                const PhraseRef first = reduce_of(s, "reduce", refresh(split->op, s.names), (*r)->arguments[1], each);
                return reduce_of(s, "reduce", (*r)->arguments[0], first, drop_of(s, whole, xs));
              }),
      split->conditions, split->rounding};
}

Outcome reduce_blocks_rest(const PhraseRef& p, const Words& words, Site& s) { return with_rest(p, words, s, false); }
Outcome reduce_columns_rest(const PhraseRef& p, const Words& words, Site& s) { return with_rest(p, words, s, true); }

Outcome reduce_join(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* r = as_reduce(*p);
  const PrimPhrase* join = r ? as_call(*r->arguments[2], "join") : nullptr;
  if (!join) return no("it is no reduce of a join");
  const PhraseRef rows = join->arguments[0];
  const Type b = data_of(*r->arguments[1]);
  const PhraseRef step = function_of(s, "block", element_type(*rows), [&](const PhraseRef& row) {
    return function_of(
        s, "acc", b, [&](const PhraseRef& acc) { return reduce_of(s, r->primitive->name, r->arguments[0], acc, row); });
  });
  return Rewritten{reduce_of(s, r->primitive->name, step, r->arguments[1], rows)};
}

// The array continued to whole rows of k, by elements that change nothing.
Outcome reduce_pad(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* r = as_reduce(*p);
  if (!r) return no("it is neither reduce nor reduceSeq");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto positive = s.require({1, SizeRelation::LessEqual, *k});
  if (!positive) return tl::unexpected(positive.error());
  const auto item = neutral_item(s, *r);
  if (!item) return tl::unexpected(item.error());
  const Size& n = r->sizes[0];
  const Size more = floor_div(n + *k - 1, *k) * *k - n;
  return Rewritten{reduce_of(s, r->primitive->name, r->arguments[0], r->arguments[1],
                             pad_of(s, 0, more, item->element, r->arguments[2])),
                   {*positive, item->found.condition},
                   item->found.rounding};
}

Outcome reduce_map(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* r = as_reduce(*p);
  const PrimPhrase* m = r ? as_map(*r->arguments[2]) : nullptr;
  if (!m) return no("it is no reduce of a map");
  if (level_of(*m) != Level::Auto && level_of(*m) != Level::Seq)
    return refused("the map is a " + m->primitive->name + ", which would become sequential");
  const LambdaPhrase *g = as_lambda(*m->arguments[0]), *x = as_lambda(*r->arguments[0]);
  const LambdaPhrase* acc = x ? as_lambda(*x->body) : nullptr;
  if (!g || !acc) return no("a function is no lambda");
  const PhraseRef body = call_function(s, lambda(x->name, x->parameter, acc->body), g->body);
  const PhraseRef f = lambda(g->name, g->parameter, lambda(acc->name, acc->parameter, body));
  return Rewritten{reduce_of(s, r->primitive->name, f, r->arguments[1], m->arguments[1])};
}

Outcome reduce_unmap(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* r = as_reduce(*p);
  if (!r) return no("it is no reduce");
  const auto parts = reduction_of(s, r->arguments[0]);
  if (!parts || !parts->g)
    return refused(
        "its function is not of the form g x + acc with an operator that claims a law and more than x for g x");
  const PhraseRef mapped = map_of(s, "map", *parts->g, r->arguments[2]);
  return Rewritten{reduce_of(s, r->primitive->name, parts->op, r->arguments[1], mapped)};
}

}  // namespace

RuleList reduce_rules() {
  const std::string form = "f x acc is (+) (g x) acc for an operator (+), or f is (+); e is neutral for (+)";
  return {
      {"reduceMap",
       {},
       "reduce f z (map g xs)",
       "reduce (\\x acc -> f (g x) acc) z xs",
       "the map has no level, or is mapSeq",
       "",
       reduce_map},
      {"reduceUnmap",
       {},
       "reduce (\\x acc -> g x + acc) z xs",
       "reduce (+) z (map g xs)",
       "any operator that claims a law for +",
       "",
       reduce_unmap},
      {"reduceBlocks",
       {ParameterKind::Size},
       "reduce f z xs",
       "reduce (+) z (map (\\b -> reduce f e b) (split k xs))",
       "xs : [n]a, n % k == 0; " + form,
       "associative, neutral",
       reduce_blocks},
      {"reduceBlocksRest",
       {ParameterKind::Size},
       "reduce f z xs",
       "reduce f (reduce (+) z (map (\\b -> reduce f e b) (split k (take (n/k*k) xs)))) (drop (n/k*k) xs)",
       "xs : [n]a, k >= 1; " + form,
       "associative, neutral",
       reduce_blocks_rest},
      {"reduceColumns",
       {ParameterKind::Size},
       "reduce f z xs",
       "reduce (+) z (map (\\c -> reduce f e c) (transpose (split k xs)))",
       "xs : [n]a, n % k == 0; " + form,
       "associative, commutative, neutral",
       reduce_columns},
      {"reduceColumnsRest",
       {ParameterKind::Size},
       "reduce f z xs",
       "reduce f (reduce (+) z (map (\\c -> reduce f e c) (transpose (split k (take (n/k*k) xs))))) (drop (n/k*k) xs)",
       "xs : [n]a, k >= 1; " + form,
       "associative, commutative, neutral",
       reduce_columns_rest},
      {"reducePad",
       {ParameterKind::Size},
       "reduce f z xs",
       "reduce f z (pad 0 ((n+k-1)/k*k-n) e xs)",
       "xs : [n]a, k >= 1; f x acc is (+) (g x) acc for an operator (+), or f is (+); g e is neutral for (+)",
       "neutral",
       reduce_pad},
      {"reduceJoin", {}, "reduce f z (join xss)", "reduce (\\b acc -> reduce f acc b) z xss", "", "", reduce_join},
  };
}

}  // namespace lockstep::rewriting

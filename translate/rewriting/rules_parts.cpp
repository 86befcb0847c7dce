// Arrays in parts, longer, or copied; and what moves past their parts. None reorders an operator
// (proofs/calculus/strategies/part_laws.cpp).
#include "semantics/primitives/build.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/rules.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

bool is_array(const Phrase& p) { return as<ExpType>(p.type) && as<ArrayType>(data_of(p)); }

PhraseRef concat_of(const Site& s, const PhraseRef& a, const PhraseRef& b) {
  return call(s, "concat", {array_length(*a), array_length(*b)}, {element_type(*a)}, {a, b});
}
PhraseRef reverse_of(const Site& s, const PhraseRef& xs) {
  return call(s, "reverse", {array_length(*xs)}, {element_type(*xs)}, {xs});
}

Outcome in_rows(const PhraseRef& p, const Words& words, Site& s) {
  if (!is_array(*p)) return no("it is no array");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto whole = s.divides(*k, array_length(*p));
  if (!whole) return tl::unexpected(whole.error());
  return Rewritten{join_of(s, split_of(s, *k, p)), {*whole}};
}

Outcome in_two(const PhraseRef& p, const Words& words, Site& s) {
  if (!is_array(*p)) return no("it is no array");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto positive = s.require({1, SizeRelation::LessEqual, *k});
  if (!positive) return tl::unexpected(positive.error());
  const Size whole = floor_div(array_length(*p), *k) * *k;
  return Rewritten{
      sharing(s, p, [&](const PhraseRef& xs) { return concat_of(s, take_of(s, whole, xs), drop_of(s, whole, xs)); }),
      {*positive}};
}

Outcome transposed_twice(const PhraseRef& p, const Words&, Site& s) {
  if (!is_array(*p) || !as<ArrayType>(element_type(*p))) return no("it is no array of arrays");
  return Rewritten{transpose_of(s, transpose_of(s, p))};
}

Outcome copy(const PhraseRef& p, const Words&, Site& s) {
  if (!is_array(*p)) return no("it is no array");
  return Rewritten{map_of(s, "map", function_of(s, "x", element_type(*p), [](const PhraseRef& x) { return x; }), p)};
}

Outcome longer(const PhraseRef& p, const Words& words, Site& s) {
  if (!is_array(*p)) return no("it is no array");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto natural = s.require({0, SizeRelation::LessEqual, *k});
  if (!natural) return tl::unexpected(natural.error());
  const auto filler = filler_of(s, element_type(*p));
  if (!filler) return refused("there is no value to fill an array of " + show(element_type(*p)) + " with");
  return Rewritten{take_of(s, array_length(*p), pad_of(s, 0, *k, *filler, p)), {*natural}};
}

Outcome split_zip(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* split = as_call(*p, "split");
  const PrimPhrase* zip = split ? as_call(*split->arguments[0], "zip") : nullptr;
  if (!zip) return no("it is no split of a zip");
  const Size& k = split->sizes[0];
  const PhraseRef rows = zip_of(s, split_of(s, k, zip->arguments[0]), split_of(s, k, zip->arguments[1]));
  const PhraseRef each = function_of(s, "blocks", element_type(*rows), [&](const PhraseRef& b) {
    return zip_of(s, component_of(1, s.calculus.primitive("fst"), b), component_of(2, s.calculus.primitive("snd"), b));
  });
  return Rewritten{map_of(s, "map", each, rows)};
}

Outcome map_concat(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* m = as_call(*p, "map");
  const PrimPhrase* both = m ? as_call(*m->arguments[1], "concat") : nullptr;
  if (!both) return no("it is no map without a level of a concat");
  const PhraseRef& f = m->arguments[0];
  return Rewritten{
      concat_of(s, map_of(s, "map", f, both->arguments[0]), map_of(s, "map", refresh(f, s.names), both->arguments[1]))};
}

Outcome reverse_concat(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* reverse = as_call(*p, "reverse");
  const PrimPhrase* both = reverse ? as_call(*reverse->arguments[0], "concat") : nullptr;
  if (!both) return no("it is no reverse of a concat");
  return Rewritten{concat_of(s, reverse_of(s, both->arguments[1]), reverse_of(s, both->arguments[0]))};
}

Outcome reverse_join(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* reverse = as_call(*p, "reverse");
  const PrimPhrase* join = reverse ? as_call(*reverse->arguments[0], "join") : nullptr;
  if (!join) return no("it is no reverse of a join");
  const PhraseRef rows = reverse_of(s, join->arguments[0]);
  const PhraseRef each =
      function_of(s, "block", element_type(*rows), [&](const PhraseRef& b) { return reverse_of(s, b); });
  return Rewritten{join_of(s, map_of(s, "map", each, rows))};
}

Outcome alone(const PhraseRef& p, const Words&, Site& s) {
  const auto* x = as<PrimPhrase>(*p);
  if (!x || !std::holds_alternative<Loop>(x->primitive->kind) || x->arguments.empty()) return no("it is no loop");
  const PhraseRef xs = x->arguments.back();
  if (!is_array(*xs)) return no("its last argument is no array");
  const PhraseRef one = replicate_of(s, 1, xs);
  const PhraseRef f = function_of(s, "xs", data_of(*xs), [&](const PhraseRef& ys) {
    PrimPhrase inner = *x;
    inner.arguments.back() = ys;
    return PhraseRef(Phrase{p->type, std::move(inner), p->region});
  });
  const PhraseRef first = literal(make_integer(ScalarType::I64, 0));
  return Rewritten{call(s, "!", {1}, {data_of(*p)}, {map_of(s, "map", f, one), first})};
}

}  // namespace

RuleList part_rules() {
  return {
      {"inRows", {ParameterKind::Size}, "xs", "join (split k xs)", "xs : [n]a, n % k == 0", "", in_rows},
      {"inTwo",
       {ParameterKind::Size},
       "xs",
       "concat (take (n/k*k) xs) (drop (n/k*k) xs)",
       "xs : [n]a, k >= 1",
       "",
       in_two},
      {"asColumns", {}, "xs", "transpose (transpose xs)", "xs : [n][m]a", "", transposed_twice},
      {"copy", {}, "xs", "map (\\x -> x) xs", "xs : [n]a", "", copy},
      {"longer",
       {ParameterKind::Size},
       "xs",
       "take n (pad 0 k e xs)",
       "xs : [n]a, k >= 0; e a value of numbers and arrays of them, 0 for numbers",
       "",
       longer},
      {"splitZip",
       {},
       "split k (zip xs ys)",
       "map (\\b -> zip (fst b) (snd b)) (zip (split k xs) (split k ys))",
       "",
       "",
       split_zip},
      {"mapConcat", {}, "map f (concat xs ys)", "concat (map f xs) (map f ys)", "", "", map_concat},
      {"reverseConcat", {}, "reverse (concat xs ys)", "concat (reverse ys) (reverse xs)", "", "", reverse_concat},
      {"reverseJoin", {}, "reverse (join xss)", "join (map (\\b -> reverse b) (reverse xss))", "", "", reverse_join},
      {"alone",
       {},
       "P ... xs",
       "map (\\ys -> P ... ys) (replicate 1 xs) ! 0",
       "P is a loop whose last argument is an array: one block may then do it",
       "",
       alone},
  };
}

}  // namespace lockstep::rewriting

// Rules on map: DPIA §2.1, after Steuwer et al. 2015. None reorders an operator, so none needs a law.
#include "semantics/primitives/build.h"
#include "translate/rewriting/rules.h"
#include "translate/rewriting/zipped.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

// A lambda as it is may be used once more: with binders of its own.
PhraseRef again(Site& s, const PhraseRef& f) { return refresh(f, s.names); }

Outcome map_fusion(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* outer = as_map(*p);
  const PrimPhrase* inner = outer ? as_map(*outer->arguments[1]) : nullptr;
  if (!inner) return no("it is no map of a map");
  if (inner->primitive != outer->primitive && level_of(*inner) != Level::Auto)
    return refused("the inner loop is a " + inner->primitive->name + ", which a " + outer->primitive->name +
                   " would not keep");
  const PhraseRef f = outer->arguments[0], g = inner->arguments[0];
  const LambdaPhrase* first = as_lambda(*g);
  if (!first || !as_lambda(*f)) return no("a function is no lambda");
  const PhraseRef both = lambda(first->name, first->parameter, call_function(s, f, first->body));
  return Rewritten{map_of(s, outer->primitive->name, both, inner->arguments[1])};
}

Outcome map_id(const PhraseRef& p, const Words&, Site&) {
  const PrimPhrase* m = as_map(*p);
  const LambdaPhrase* f = m ? as_lambda(*m->arguments[0]) : nullptr;
  const auto* body = f ? as<Ident>(*f->body) : nullptr;
  if (!body) return no("it is no map of a function that gives its argument");
  if (body->name != f->name) return no("the function does not give its argument");
  return Rewritten{m->arguments[1]};
}

// \b -> map f b, over the rows of xss
PhraseRef map_rows(Site& s, const PhraseRef& f, const PhraseRef& xss) {
  return map_of(s, "map",
                function_of(s, "block", element_type(*xss), [&](const PhraseRef& b) { return map_of(s, "map", f, b); }),
                xss);
}

Outcome split_join(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* m = as_call(*p, "map");
  if (!m) return no("it is no map without a level");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto whole = s.divides(*k, m->sizes[0]);
  if (!whole) return tl::unexpected(whole.error());
  return Rewritten{join_of(s, map_rows(s, m->arguments[0], split_of(s, *k, m->arguments[1]))), {*whole}};
}

Outcome split_join_rest(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* m = as_call(*p, "map");
  if (!m) return no("it is no map without a level");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto positive = s.require({1, SizeRelation::LessEqual, *k});
  if (!positive) return tl::unexpected(positive.error());
  const Size whole = floor_div(m->sizes[0], *k) * *k;
  const PhraseRef f = m->arguments[0];
  return Rewritten{
      sharing(s, m->arguments[1],
              [&](const PhraseRef& xs) {
                const PhraseRef blocks = join_of(s, map_rows(s, f, split_of(s, *k, take_of(s, whole, xs))));
                const PhraseRef g = again(s, f);
                const PhraseRef rest = map_of(s, "map", g, drop_of(s, whole, xs));
                return call(s, "concat", {array_length(*blocks), array_length(*rest)}, {result_of(*f)}, {blocks, rest});
              }),
      {*positive}};
}

Outcome split_map(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* split = as_call(*p, "split");
  const PrimPhrase* m = split ? as_call(*split->arguments[0], "map") : nullptr;
  if (!m) return no("it is no split of a map without a level");
  return Rewritten{map_rows(s, m->arguments[0], split_of(s, split->sizes[0], m->arguments[1]))};
}

Outcome split_split(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* outer = as_call(*p, "split");
  const PrimPhrase* inner = outer ? as_call(*outer->arguments[0], "split") : nullptr;
  if (!inner) return no("it is no split of a split");
  const Size &k = outer->sizes[0], &j = inner->sizes[0];
  const PhraseRef rows = split_of(s, k * j, inner->arguments[0]);
  return Rewritten{map_of(
      s, "map", function_of(s, "block", element_type(*rows), [&](const PhraseRef& b) { return split_of(s, j, b); }),
      rows)};
}

Outcome map_join(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* m = as_call(*p, "map");
  const PrimPhrase* join = m ? as_call(*m->arguments[1], "join") : nullptr;
  if (!join) return no("it is no map without a level of a join");
  return Rewritten{join_of(s, map_rows(s, m->arguments[0], join->arguments[0]))};
}

Outcome zip_replicate(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* m = as_map(*p);
  const PrimPhrase* zip = m ? as_call(*m->arguments[1], "zip") : nullptr;
  const LambdaPhrase* f = zip ? as_lambda(*m->arguments[0]) : nullptr;
  if (!f) return no("it is no map of a zip");
  const std::size_t same = as_call(*zip->arguments[1], "replicate") ? 1 : 0;
  const PrimPhrase* replicate = as_call(*zip->arguments[same], "replicate");
  if (!replicate) return no("no array that is zipped is a replicate");
  const PhraseRef& xs = zip->arguments[1 - same];
  const bool shared = !is_atomic(*replicate->arguments[0]);
  const std::string name = s.names.fresh("z");
  const PhraseRef z = shared ? ident(name, exp_type(data_of(*replicate->arguments[0]))) : replicate->arguments[0];
  const PhraseRef g = function_of(s, "x", element_type(*xs), [&](const PhraseRef& x) {
    return with_components(s, f->body, f->name, {{{same == 0 ? 1 : 2}, z}, {{same == 0 ? 2 : 1}, x}});
  });
  const PhraseRef out = map_of(s, m->primitive->name, g, xs);
  return Rewritten{shared ? let(name, replicate->arguments[0], out) : out};
}

}  // namespace

RuleList map_rules() {
  return {
      {"mapFusion",
       {},
       "map f (map g xs)",
       "map (\\x -> f (g x)) xs",
       "the inner map has no level or the outer's; g x is bound by let where f reads it otherwise than once",
       "",
       map_fusion},
      {"mapId", {}, "map (\\x -> x) xs", "xs", "", "", map_id},
      {"splitJoin",
       {ParameterKind::Size},
       "map f xs",
       "join (map (\\b -> map f b) (split k xs))",
       "xs : [n]a, n % k == 0",
       "",
       split_join},
      {"splitJoinRest",
       {ParameterKind::Size},
       "map f xs",
       "concat (join (map (\\b -> map f b) (split k (take (n/k*k) xs)))) (map f (drop (n/k*k) xs))",
       "xs : [n]a, k >= 1",
       "",
       split_join_rest},
      {"splitMap", {}, "split k (map f xs)", "map (\\b -> map f b) (split k xs)", "", "", split_map},
      {"splitSplit", {}, "split k (split j xs)", "map (\\b -> split j b) (split (k*j) xs)", "", "", split_split},
      {"mapJoin", {}, "map f (join xss)", "join (map (\\b -> map f b) xss)", "", "", map_join},
      {"zipReplicate",
       {},
       "map f (zip xs (replicate n z))",
       "map (\\x -> f (x, z)) xs",
       "or the replicate first; z is bound by let where it is computed",
       "",
       zip_replicate},
  };
}

}  // namespace lockstep::rewriting

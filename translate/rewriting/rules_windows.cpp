// Windows in tiles, and windows of rows past windows of columns: stencils. None reorders an operator
// (proofs/calculus/strategies/window_laws.cpp).
#include "semantics/primitives/build.h"
#include "translate/rewriting/rules.h"
#include "translate/rewriting/terms.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

PhraseRef slide_of(const Site& s, const Size& width, const Size& stride, const Size& windows, const PhraseRef& xs) {
  return call(s, "slide", {width, stride, s.context.simplify(windows - 1)}, {element_type(*xs)}, {xs});
}
Size windows_of(const PrimPhrase& slide) { return slide.sizes[2] + 1; }

Outcome slide_tiles(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* slide = as_call(*p, "slide");
  if (!slide) return no("it is no slide");
  const auto k = parse_size(words[0], s.sizes);
  if (!k) return refused(k.error());
  const auto whole = s.divides(*k, windows_of(*slide));
  if (!whole) return tl::unexpected(whole.error());
  const Size &w = slide->sizes[0], &stride = slide->sizes[1];
  const Size tiles = s.context.simplify(floor_div(windows_of(*slide), *k));
  const PhraseRef all = slide_of(s, w + stride * (*k - 1), stride * *k, tiles, slide->arguments[0]);
  const PhraseRef each = function_of(s, "tile", element_type(*all),
                                     [&](const PhraseRef& tile) { return slide_of(s, w, stride, *k, tile); });
  return Rewritten{join_of(s, map_of(s, "map", each, all)), {*whole}};
}

// The pads of the columns of x in p: all of them alike, and x read nowhere else.
struct Padded {
  const PrimPhrase* pad = nullptr;
  bool alike = true;
};
void collect_padded(const Phrase& p, const std::string& x, Padded& out) {
  if (const PrimPhrase* pad = as_call(p, "pad")) {
    const PrimPhrase* columns = as_call(*pad->arguments[1], "transpose");
    const auto* name = columns ? as<Ident>(*columns->arguments[0]) : nullptr;
    if (name && name->name == x) {
      out.alike =
          out.alike &&
          (!out.pad || (out.pad->sizes == pad->sizes && alpha_equal(*out.pad->arguments[0], *pad->arguments[0])));
      out.pad = pad;
      return collect_padded(*pad->arguments[0], x, out);
    }
  }
  if (const auto* i = as<Ident>(p)) out.alike = out.alike && i->name != x;
  for_each_child(p, [&](const PhraseRef& c) { collect_padded(*c, x, out); });
}
PhraseRef without_pads(const Site& s, const PhraseRef& p, const std::string& x, const PhraseRef& by) {
  if (const PrimPhrase* pad = as_call(*p, "pad"))
    if (const PrimPhrase* columns = as_call(*pad->arguments[1], "transpose"))
      if (const auto* name = as<Ident>(*columns->arguments[0]); name && name->name == x) return transpose_of(s, by);
  return map_children(p, [&](const PhraseRef& c) { return without_pads(s, c, x, by); });
}

Outcome pad_windows(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* m = as_call(*p, "map");
  const LambdaPhrase* f = m ? as_lambda(*m->arguments[0]) : nullptr;
  const PrimPhrase* slide = f ? as_call(*m->arguments[1], "slide") : nullptr;
  if (!slide) return no("it is no map without a level of a slide");
  Padded found;
  collect_padded(*f->body, f->name, found);
  if (!found.pad || !found.alike)
    return refused("its function reads a window otherwise than as pad l r x (transpose window)");
  const PrimPhrase* fill = as_call(*found.pad->arguments[0], "replicate");
  if (!fill || mentions_name(*fill->arguments[0], f->name) || !is_total(*fill->arguments[0]))
    return refused("the columns are not continued by one value");
  std::set<std::string> free, here;
  collect_free(*fill->arguments[0], free);
  collect_free(*p, here);
  if (!std::includes(here.begin(), here.end(), free.begin(), free.end()))
    return refused("the columns are continued by a value that is bound in the function");
  const PhraseRef& rows = slide->arguments[0];
  const PhraseRef filler = call(s, "replicate", {array_length(*rows)}, fill->types, fill->arguments);
  const PhraseRef wider =
      transpose_of(s, pad_of(s, found.pad->sizes[0], found.pad->sizes[1], filler, transpose_of(s, rows)));
  const PhraseRef all = slide_of(s, slide->sizes[0], slide->sizes[1], windows_of(*slide), wider);
  return Rewritten{map_of(s, "map",
                          function_of(s, "rows", element_type(*all),
                                      [&](const PhraseRef& x) { return without_pads(s, f->body, f->name, x); }),
                          all)};
}

Outcome slide_interchange(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* outer = as_call(*p, "map");
  const LambdaPhrase* f = outer ? as_lambda(*outer->arguments[0]) : nullptr;
  const PrimPhrase* by_rows = f ? as_call(*outer->arguments[1], "slide") : nullptr;
  const PrimPhrase* inner = f ? as_call(*f->body, "map") : nullptr;
  const LambdaPhrase* g = inner ? as_lambda(*inner->arguments[0]) : nullptr;
  const PrimPhrase* by_columns = g ? as_call(*inner->arguments[1], "slide") : nullptr;
  const PrimPhrase* columns = by_columns ? as_call(*by_columns->arguments[0], "transpose") : nullptr;
  const auto* window = columns ? as<Ident>(*columns->arguments[0]) : nullptr;
  if (!by_rows || !window || window->name != f->name)
    return no("it is no map of a slide, without a level, whose function is one of a slide of the window's columns");
  if (mentions_name(*g->body, f->name)) return refused("the function reads the window of rows too");
  const PhraseRef all = slide_of(s, by_columns->sizes[0], by_columns->sizes[1], windows_of(*by_columns),
                                 transpose_of(s, by_rows->arguments[0]));
  const PhraseRef each = function_of(s, "columns", element_type(*all), [&](const PhraseRef& c) {
    const PhraseRef rows = slide_of(s, by_rows->sizes[0], by_rows->sizes[1], windows_of(*by_rows), transpose_of(s, c));
    const PhraseRef of_rows = function_of(s, "rows", element_type(*rows), [&](const PhraseRef& r) {
      return call_function(s, inner->arguments[0], transpose_of(s, r));
    });
    return map_of(s, "map", of_rows, rows);
  });
  return Rewritten{transpose_of(s, map_of(s, "map", each, all))};
}

Outcome join_columns(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* m = as_call(*p, "map");
  const LambdaPhrase* f = m ? as_lambda(*m->arguments[0]) : nullptr;
  const PrimPhrase* join = f ? as_call(*f->body, "join") : nullptr;
  if (!join) return no("it is no map without a level whose function is a join");
  const PhraseRef columns =
      transpose_of(s, map_of(s, "map", lambda(f->name, f->parameter, join->arguments[0]), m->arguments[1]));
  const PhraseRef each =
      function_of(s, "column", element_type(*columns), [&](const PhraseRef& c) { return transpose_of(s, c); });
  return Rewritten{transpose_of(s, join_of(s, map_of(s, "map", each, columns)))};
}

}  // namespace

RuleList window_rules() {
  return {
      {"slideTiles",
       {ParameterKind::Size},
       "slide w s xs",
       "join (map (\\t -> slide w s t) (slide (w+s*(k-1)) (s*k) xs))",
       "slide w s xs : [n][w]a, n % k == 0",
       "",
       slide_tiles},
      {"padWindows",
       {},
       "map (\\x -> ... pad l r (replicate w e) (transpose x) ...) (slide w s xs)",
       "map (\\x -> ... transpose x ...) (slide w s (transpose (pad l r (replicate n e) (transpose xs))))",
       "x is read in no other way; e cannot trap",
       "",
       pad_windows},
      {"slideInterchange",
       {},
       "map (\\x -> map f (slide v t (transpose x))) (slide w s xs)",
       "transpose (map (\\y -> map (\\x -> f (transpose x)) (slide w s (transpose y))) (slide v t (transpose xs)))",
       "f does not read x",
       "",
       slide_interchange},
      {"joinColumns",
       {},
       "map (\\x -> join e) xs",
       "transpose (join (map (\\y -> transpose y) (transpose (map (\\x -> e) xs))))",
       "",
       "",
       join_columns},
  };
}

}  // namespace lockstep::rewriting

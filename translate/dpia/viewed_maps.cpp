// Views moved below the maps that they are of, and back above.
#include "translate/dpia/viewed_maps.h"

#include <algorithm>
#include <bit>

#include "semantics/primitives/build.h"
#include "translate/dpia/loop_graph.h"
#include "translate/dpia/reduce_in_blocks.h"

namespace lockstep {
namespace {

Elements elements_of(const PrimPhrase& x) {
  const auto* view = x.acceptor < 0 ? std::get_if<View>(&x.primitive->kind) : nullptr;
  return view ? view->elements : Elements::Other;
}
const PrimPhrase* as_view(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  return x && elements_of(*x) != Elements::Other ? x : nullptr;
}

// f, of \row -> map f row.
const PhraseRef* of_elements(const Phrase& f) {
  const LambdaPhrase* l = rewriting::as_lambda(f);
  const auto* x = l ? as<PrimPhrase>(*l->body) : nullptr;
  if (!x || !is_map(*x) || functions_of(*x) != 1) return nullptr;
  const auto* row = as<Ident>(*x->arguments[*array_taken(*x)]);
  return row && row->name == l->name && !rewriting::mentions_name(*x->arguments[0], l->name) ? &x->arguments[0]
                                                                                             : nullptr;
}

PhraseRef view_of(const rewriting::Site& s, const PrimPhrase& view, const PhraseRef& xs) {
  const Elements elements = elements_of(view);
  const Type element = element_type(*xs);
  const bool of_rows = elements == Elements::OfRows || elements == Elements::OfRowsInRows;
  const Type scalar = of_rows ? *as<ArrayType>(element)->element : element;
  return rewriting::call(s, view.primitive->name, view.sizes, {scalar}, {xs});
}

// The only read of a component, in what is evaluated once: as elements of which of p's loops.
const PrimPhrase* loop_taking(const Phrase& p, const rewriting::Component& row, rewriting::Components& path) {
  if (as<LambdaPhrase>(p)) return nullptr;
  const auto* x = as<PrimPhrase>(p);
  if (const auto at = x ? array_taken(*x) : std::nullopt)
    for (const rewriting::Zipped& z : rewriting::zipped_in(x->arguments[*at])) {
      const auto c = rewriting::component_of_name(*z.array);
      if (!c || c->name != row.name || c->path != row.path) continue;
      path = z.path;
      return x;
    }
  const PrimPhrase* found = nullptr;
  for_each_child(p, [&](const PhraseRef& c) { found = found ? found : loop_taking(*c, row, path); });
  return found;
}
std::size_t reads_of(const Phrase& p, const rewriting::Component& row) {
  if (const auto c = rewriting::component_of_name(p))
    return c->name == row.name &&
           (rewriting::begins_with(c->path, row.path) || rewriting::begins_with(row.path, c->path));
  std::size_t n = 0;
  for_each_child(p, [&](const PhraseRef& c) { n += reads_of(*c, row); });
  return n;
}

bool is_viewed_loop(const PhraseRef& p) {
  const auto* x = as<PrimPhrase>(*p);
  return x && (is_map(*x) || (elements_of(*x) != Elements::Other && is_viewed_loop(x->arguments[0])));
}

// Where one of the arrays is one that a map makes: the zip of their views.
std::optional<PhraseRef> zip_of_views(const rewriting::Site& s, const PrimPhrase& view) {
  const Elements elements = elements_of(view);
  const PhraseRef& xs = view.arguments[0];
  if ((elements != Elements::Same && elements != Elements::Some) || !rewriting::as_call(*xs, "zip")) return {};
  const auto all = rewriting::zipped_in(xs);
  if (std::ranges::none_of(all, [](const rewriting::Zipped& z) { return is_viewed_loop(z.array); })) return {};
  return rewriting::zipped_again(s, xs, [&](const rewriting::Zipped& z) { return view_of(s, view, z.array); });
}

}  // namespace

std::optional<ViewedMap> viewed_map(const PhraseRef& p,
                                    const std::function<const PrimPhrase*(const std::string&)>& bound) {
  ViewedMap out{.map = p, .core = p};
  for (const PrimPhrase* view; (view = as_view(*out.map)); out.map = view->arguments[0]) out.views.push_back(view);
  const auto* name = as<Ident>(*out.map);
  const PrimPhrase* map = name ? bound(name->name) : as<PrimPhrase>(*out.map);
  if (out.views.empty() || !map || !is_map(*map) || functions_of(*map) != 1) return {};
  out.core = map->arguments[0];
  for (auto view = out.views.rbegin(); view != out.views.rend(); ++view) {
    const Elements elements = elements_of(**view);
    out.some = out.some || elements == Elements::Some;
    out.rows += elements == Elements::Rows;
    if (elements != Elements::OfRows && elements != Elements::OfRowsInRows) continue;
    if (out.rows == 0) {
      const PhraseRef* f = of_elements(*out.core);
      if (!f) return {};
      out.core = *f, out.peeled = true, ++out.rows;
    }
    out.rows -= elements == Elements::OfRows;
  }
  return out;
}

bool rows_go_into_a_loop(rewriting::Site& s, const PrimPhrase& map, const rewriting::Components& path,
                         const ViewedMap& of) {
  if (of.rows == 0) return true;
  const std::uint64_t by = functions_reading(map, path);
  if (!is_map(map) || std::popcount(by) != 1) return false;
  const auto& f = std::get<LambdaPhrase>(map.arguments[static_cast<std::size_t>(std::countr_zero(by))]->node);
  const rewriting::Component row{f.name, path};
  rewriting::Components inner;
  const PrimPhrase* loop = reads_of(*f.body, row) == 1 ? loop_taking(*f.body, row, inner) : nullptr;
  if (!loop) return false;
  ViewedMap elements = of;
  --elements.rows;
  if (is_map(*loop)) return rows_go_into_a_loop(s, *loop, inner, elements);
  return elements.rows == 0 && functions_of(*loop) == 1 && !rewriting::has_loop(*of.core) && split_by_law(s, *loop);
}

MovedMap moved_above(rewriting::Site& s, const ViewedMap& viewed, const PrimPhrase& map) {
  MovedMap out{map.arguments[*array_taken(map)], map.arguments[0]};
  const auto of_rows = [&](const PhraseRef& f, const PhraseRef& rows) {
    return rewriting::function_of(s, "row", element_type(*rows),
                                  [&](const PhraseRef& row) { return rewriting::map_of(s, "map", f, row); });
  };
  for (auto view = viewed.views.rbegin(); view != viewed.views.rend(); ++view) {
    const Elements elements = elements_of(**view);
    out.array = view_of(s, **view, out.array);
    if (elements == Elements::Rows) out.function = of_rows(out.function, out.array);
    if (elements != Elements::OfRows && elements != Elements::OfRowsInRows) continue;
    const PhraseRef* f = of_elements(*out.function);
    if (!f) throw Bug("a view takes elements of what makes whole rows");
    out.function = elements == Elements::OfRows ? *f : of_rows(*f, out.array);
  }
  return out;
}

PhraseRef with_views_where_read(const rewriting::Site& s, const PhraseRef& p) {
  const auto* l = as<LetPhrase>(*p);
  if (l && as_view(*l->value) && is_viewed_loop(l->value)) {
    const rewriting::Uses uses = rewriting::uses_of(l->name, *l->body);
    if (uses.count == 1 && uses.plain) return with_views_where_read(s, substitute(l->body, {{l->name, l->value}}));
  }
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return with_views_where_read(s, c); });
  const PrimPhrase* view = as_view(*q);
  return (view ? zip_of_views(s, *view) : std::nullopt).value_or(q);
}

}  // namespace lockstep

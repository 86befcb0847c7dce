#include "translate/dpia/elements_in_parts.h"

#include "semantics/functional/names.h"
#include "semantics/primitives/build.h"
#include "translate/rewriting/zipped.h"

namespace lockstep {

PhraseRef row_step(rewriting::Site& s, const PhraseRef& f, const Type& row_type, const Type& state) {
  return rewriting::function_of(s, "row", row_type, [&](const PhraseRef& row) {
    return rewriting::function_of(s, "sums", state, [&](const PhraseRef& sums) {
      const PhraseRef pairs = rewriting::zip_of(s, row, sums);
      const PhraseRef each = rewriting::function_of(s, "p", element_type(*pairs), [&](const PhraseRef& p) {
        return apply(apply(refresh(f, s.names), rewriting::component_at(s, p, {1})),
                     rewriting::component_at(s, p, {2}));
      });
      return rewriting::map_of(s, "mapSeq", each, pairs);
    });
  });
}
PhraseRef rows_into(rewriting::Site& s, const PhraseRef& f, const PhraseRef& start, const PhraseRef& rows) {
  return rewriting::reduce_of(s, "reduceSeq", row_step(s, f, element_type(*rows), data_of(*start)), start, rows);
}

PhraseRef blocks_abreast(rewriting::Site& s, const PhraseRef& f, const PhraseRef& e, std::int64_t abreast,
                         const PhraseRef& blocks) {
  const PhraseRef groups = rewriting::split_of(s, abreast, blocks);
  const PhraseRef starts = rewriting::replicate_of(s, abreast, e);
  const PhraseRef of_group = rewriting::function_of(s, "group", element_type(*groups), [&](const PhraseRef& group) {
    return rows_into(s, f, starts, rewriting::transpose_of(s, group));
  });
  return rewriting::join_of(s, rewriting::map_of(s, "map", of_group, groups));
}

PhraseRef columns_into(rewriting::Site& s, const PhraseRef& f, const PhraseRef& e, const PhraseRef& op,
                       std::int64_t columns, const PhraseRef& elements, const PhraseRef& start) {
  const PhraseRef rows = rewriting::split_of(s, columns, elements);
  const PhraseRef starts = rewriting::replicate_of(s, columns, e);
  const PhraseRef sums = rows_into(s, f, starts, rows);  // before a copy of op: names are drawn in one order
  return rewriting::reduce_of(s, "reduceSeq", refresh(op, s.names), start, sums);
}

PhraseRef ElementsInParts::bound(const std::string& base, const PhraseRef& p) {
  lets_.emplace_back(s_.names.fresh(base), p);
  return ident(lets_.back().first, p->type);
}

PhraseRef ElementsInParts::shared(const PhraseRef& p) {
  if (rewriting::is_atomic(*p)) return p;
  const auto* x = as<PrimPhrase>(*p);
  const auto* view = x ? std::get_if<View>(&x->primitive->kind) : nullptr;
  if (!view || view->check) return bound("ys", p);
  return map_children(p, [&](const PhraseRef& c) { return shared(c); });
}

std::optional<PhraseRef> ElementsInParts::part(const Size& from, const Size& to) const {
  const Size length = s_.context.simplify(to - from);
  if (length == Size(0)) return {};
  PhraseRef out = xs_;
  if (!(s_.context.simplify(n_ - to) == Size(0))) out = rewriting::take_of(s_, to, out);
  if (!(from == Size(0))) out = rewriting::drop_of(s_, from, out);
  return out;
}

PhraseRef ElementsInParts::in_scope(PhraseRef p) const {
  for (auto l = lets_.rbegin(); l != lets_.rend(); ++l) p = let(l->first, l->second, p);
  return p;
}

}  // namespace lockstep

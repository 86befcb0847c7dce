// Histograms by private copies (ours; the order is ReductionOrder's): blocks of elements side by side, each onto places
// that begin with a neutral element; then block by block onto the defaults, and what is left of the elements after
// them. Floats are rounded otherwise, as by reductions.
#include "translate/dpia/permute_in_blocks.h"

#include "semantics/functional/names.h"
#include "semantics/primitives/build.h"
#include "translate/dpia/elements_in_parts.h"
#include "translate/dpia/general_loops.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/terms.h"

namespace lockstep {
using rewriting::Refused;

tl::expected<PhraseRef, Refused> permuted_in_blocks(rewriting::Site& s, const ReductionOrder& order,
                                                    const PhraseRef& permute) {
  const PhraseRef by = general_loop(s, permute);
  const PrimPhrase* x = rewriting::as_call(*by, "permuteBy");
  if (!x) return rewriting::no("it is of a GPU's threads, or its function is not written out");
  if (rewriting::has_loop(*x->arguments[0]) || rewriting::has_loop(*x->arguments[1]))
    return rewriting::no("its function has a loop of its own");
  const auto element = rewriting::an_element_of(x->arguments[2]);
  if (!element) return rewriting::no("its defaults are no copies of one number");
  if (!rewriting::is_total(*x->arguments[2]))  // it would trap behind what the blocks do
    return rewriting::no("its defaults may trap");
  const Size &m = x->sizes[0], &n = x->sizes[1];
  const Size length = Size(order.block) + Size(order.share) * m;
  if (s.context.proves({n, SizeRelation::LessEqual, length - Size(1)}))
    return rewriting::no("it has fewer elements than a block");
  const PhraseRef fold = rewriting::reduce_of(s, "reduce", x->arguments[1], *element, x->arguments[3]);
  const auto split = rewriting::splitting_of(s, std::get<PrimPhrase>(fold->node), true);
  if (!split) return tl::unexpected(split.error());

  ElementsInParts xs(s, x->arguments[3], n);
  const auto onto = [&](const PhraseRef& places, const PhraseRef& elements) {
    PrimPhrase one = *x;
    one.sizes[1] = array_length(*elements);
    one.arguments = {refresh(x->arguments[0], s.names), refresh(x->arguments[1], s.names), places, elements};
    return with_region(Phrase{by->type, std::move(one)}, permute->region);
  };
  PhraseRef out = x->arguments[2];
  const Size whole = floor_div(n, length) * length;
  if (const auto blocks = xs.part(0, whole)) {
    const PhraseRef rows = rewriting::split_of(s, length, *blocks);
    const PhraseRef start = rewriting::replicate_of(s, m, split->start);
    const PhraseRef own = rewriting::function_of(s, "block", element_type(*rows),
                                                 [&](const PhraseRef& block) { return onto(start, block); });
    out = rows_into(s, split->op, out, rewriting::map_of(s, "map", own, rows));
  }
  if (const auto rest = xs.part(whole, n)) out = onto(out, *rest);
  return xs.in_scope(out);
}

}  // namespace lockstep

// Scans in two passes (Blelloch, 1990, §1.2.2; the order is ReductionOrder's): the sums of blocks, what stands before
// each block, and the blocks from there. Blocks go side by side, `abreast` of them element by element, so that a
// processor has as many sums to go on with as it waits for one; floats are rounded otherwise.
#include "translate/dpia/scan_in_blocks.h"

#include "semantics/functional/names.h"
#include "semantics/primitives/build.h"
#include "translate/dpia/elements_in_parts.h"
#include "translate/rewriting/summary.h"
#include "translate/rewriting/zipped.h"

namespace lockstep {
namespace {

class ScanInBlocks {
 public:
  ScanInBlocks(rewriting::Site& s, const ReductionOrder& order, const PrimPhrase& scan, rewriting::Summary summary)
      : s_(s),
        order_(order),
        scan_(scan),
        n_(scan.sizes[0]),
        blocks_(floor_div(n_, order.block * order.abreast) * Size(order.abreast)),
        summary_(std::move(summary)),
        xs_(s, scan.arguments[2], n_) {}

  std::optional<PhraseRef> run() {
    const Size whole = blocks_ * Size(order_.block);
    const auto all = xs_.part(0, whole);
    if (!all) return {};
    const PhraseRef rows = rewriting::split_of(s_, order_.block, *all);
    const PhraseRef sums = xs_.bound("sums", sums_of(rows));
    // one more, before what is left
    const PhraseRef starts = xs_.bound(
        "starts", scanned("scanExclusive", summary_.onto, z(), rewriting::pad_of(s_, 0, 1, summary_.start, sums)));
    PhraseRef out = rewriting::join_of(s_, rewriting::join_of(s_, from_starts(rows, starts)));
    if (const auto rest = xs_.part(whole, n_)) {
      const PhraseRef before = idx_of(s_.calculus.primitive("idx"), starts, index_at(blocks_, blocks_ + Size(1)));
      out = rewriting::call(s_, "concat", {whole, n_ - whole}, {scan_.types[1]},
                            {out, scanned(scan_.primitive->name, scan_.arguments[0], before, *rest)});
    }
    return xs_.in_scope(out);
  }

 private:
  const PhraseRef& z() const { return scan_.arguments[1]; }
  PhraseRef scanned(const std::string& name, const PhraseRef& f, const PhraseRef& from, const PhraseRef& xs) const {
    return rewriting::call(s_, name, {array_length(*xs)}, {element_type(*xs), data_of(*from)},
                           {refresh(f, s_.names), from, xs});
  }

  PhraseRef sums_of(const PhraseRef& rows) {
    const PhraseRef& e = summary_.start;
    if (summary_.commutes)
      return rewriting::map_of(s_, "map",
                               rewriting::function_of(s_, "block", element_type(*rows),
                                                      [&](const PhraseRef& block) {
                                                        return columns_into(s_, summary_.step, e, summary_.onto,
                                                                            order_.columns, block, e);
                                                      }),
                               rows);
    return blocks_abreast(s_, summary_.step, e, order_.abreast, rows);
  }
  PhraseRef from_starts(const PhraseRef& rows, const PhraseRef& starts) {
    const PhraseRef groups =
        rewriting::zip_of(s_, rewriting::split_of(s_, order_.abreast, rows),
                          rewriting::split_of(s_, order_.abreast, rewriting::take_of(s_, blocks_, starts)));
    const PhraseRef of_group = rewriting::function_of(s_, "group", element_type(*groups), [&](const PhraseRef& group) {
      const PhraseRef columns = rewriting::transpose_of(s_, rewriting::component_at(s_, group, {1}));
      const PhraseRef from = rewriting::component_at(s_, group, {2});
      const PhraseRef step = row_step(s_, scan_.arguments[0], element_type(*columns), data_of(*from));
      return rewriting::transpose_of(s_, scanned(scan_.primitive->name, step, from, columns));
    });
    return rewriting::map_of(s_, "map", of_group, groups);
  }

  rewriting::Site& s_;
  const ReductionOrder& order_;
  const PrimPhrase& scan_;
  const Size n_, blocks_;
  const rewriting::Summary summary_;
  ElementsInParts xs_;
};

}  // namespace

bool has_any_grouping(rewriting::Site& s, const PhraseRef& f) {
  const auto r = rewriting::reduction_of(s, f);
  const PrimitiveRef op = r ? operator_of(*r->op) : nullptr;
  const auto* scalar = op ? std::get_if<ScalarOp>(&op->kind) : nullptr;
  const auto* t = scalar ? as<ScalarType>(data_of(rewriting::as_lambda(*r->op)->parameter)) : nullptr;
  if (!t || !scalar->laws.associative) return false;
  return scalar->laws.idempotent || (is_integer(*t) && scalar->laws.commutative && scalar->laws.identity);
}

std::optional<PhraseRef> scanned_in_blocks(rewriting::Site& s, const ReductionOrder& order, const PrimPhrase& scan,
                                           const PhraseRef& start) {
  const PhraseRef& f = scan.arguments[0];
  if (rewriting::has_loop(*f) || has_any_grouping(s, f)) return {};
  auto summary = rewriting::summary_of(s, scan, start);
  if (!summary) return {};
  return ScanInBlocks(s, order, scan, std::move(*summary)).run();
}

}  // namespace lockstep

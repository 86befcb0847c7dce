// Reductions in blocks (DPIA §2.1, after Steuwer et al., 2015; the order is ours): a `reduce` whose operator claims the
// laws is computed in one order that is stated, whatever runs it (ReductionOrder). Blocks are side by side, and so are
// the columns of a block. Elements are computed as they were; of floats, sums are rounded otherwise.
#include "translate/dpia/reduce_in_blocks.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "translate/dpia/elements_in_parts.h"
#include "translate/dpia/general_loops.h"
#include "translate/dpia/permute_in_blocks.h"
#include "translate/dpia/scan_in_blocks.h"
#include "translate/dpia/stage.h"
#include "translate/rewriting/claims.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/summary.h"

#include "semantics/functional/names.h"

namespace lockstep {
namespace {

// Around a phrase.
enum class Around {
  Machine,  // nothing that is parallel
  Loop,     // a parallel loop without a level
  Level     // one that was written with a level: the program says what runs where
};

Around inside(const PrimPhrase& x, Around around) {
  const auto* loop = std::get_if<Loop>(&x.primitive->kind);
  if (!loop) return around;
  if (is_parallel(loop->level)) return Around::Level;
  const bool spread = loop->independent && loop->level == Level::Auto;
  return spread && around == Around::Machine ? Around::Loop : around;
}

// Whether those of these hold, left <= right, that are not known to; nothing where all are.
std::optional<PhraseRef> asked_of(const rewriting::Site& s, const std::vector<SizeFact>& facts) {
  const auto number = [](const Size& n) {
    const auto k = n.constant();
    return k ? literal(make_integer(ScalarType::I64, static_cast<std::uint64_t>(*k))) : nat(n);
  };
  std::optional<PhraseRef> out;
  for (const SizeFact& f : facts) {
    if (s.context.proves(f)) continue;
    const PhraseRef holds = apply_operator(s.calculus.primitive("<="), {number(f.left), number(f.right)});
    out = out ? apply_operator(s.calculus.primitive("&&"), {*out, holds}) : holds;
  }
  return out;
}

// One reduction of n elements: reduce f z xs.
class Blocks {
 public:
  Blocks(rewriting::Site& s, const ReductionOrder& order, const PrimPhrase& reduce, rewriting::Splitting split,
         bool side_by_side)
      : s_(s),
        order_(order),
        f_(reduce.arguments[0]),
        z_(reduce.arguments[1]),
        n_(reduce.sizes[0]),
        xs_(s, reduce.arguments[2], n_),
        split_(std::move(split)),
        side_by_side_(side_by_side) {}

  PhraseRef run() {
    const Size rows = floor_div(n_, order_.columns) * order_.columns;
    PhraseRef out = in_rows(rows);
    if (const auto many = asked_of(s_, {{order_.columns, SizeRelation::LessEqual, n_}})) out = if_else(*many, out, z_);
    if (const auto rest = xs_.part(rows, n_)) out = rewriting::reduce_of(s_, "reduceSeq", copy(f_), out, *rest);
    return xs_.in_scope(out);
  }

 private:
  PhraseRef copy(const PhraseRef& p) { return refresh(p, s_.names); }

  // The sum of each column of elements in rows, from the neutral element, added to `start` in the order of the columns.
  PhraseRef columns_of(const PhraseRef& elements, const PhraseRef& start) {
    return columns_into(s_, f_, split_.start, split_.op, order_.columns, elements, start);
  }

  // The whole rows: blocks, and then what is left of a block.
  PhraseRef in_rows(const Size& rows) {
    const Size blocks = floor_div(n_, order_.block) * order_.block;
    PhraseRef out = z_;
    if (const auto all = xs_.part(0, blocks)) out = in_blocks(rewriting::split_of(s_, order_.block, *all));
    if (const auto left = xs_.part(blocks, rows)) out = columns_of(*left, out);
    return out;
  }
  PhraseRef in_blocks(const PhraseRef& blocks) {
    if (side_by_side_) {
      const PhraseRef sums = rewriting::map_of(
          s_, "map",
          rewriting::function_of(s_, "block", element_type(*blocks),
                                 [&](const PhraseRef& block) { return columns_of(block, split_.start); }),
          blocks);
      return rewriting::reduce_of(s_, "reduceSeq", copy(split_.op), z_, sums);
    }
    const Type& state = data_of(*z_);
    const PhraseRef step = rewriting::function_of(s_, "block", element_type(*blocks), [&](const PhraseRef& block) {
      return rewriting::function_of(s_, "acc", state, [&](const PhraseRef& acc) {
        const PhraseRef sum = columns_of(block, split_.start);
        const std::string name = s_.names.fresh("sum");
        return let(name, sum, apply(apply(copy(split_.op), ident(name, sum->type)), acc));
      });
    });
    return rewriting::reduce_of(s_, "reduceSeq", step, z_, blocks);
  }

  rewriting::Site& s_;
  const ReductionOrder order_;
  const PhraseRef f_, z_;  // z is atomic
  const Size n_;
  ElementsInParts xs_;
  const rewriting::Splitting split_;
  const bool side_by_side_;  // else one block after another, without an array of their sums
};

constexpr std::int64_t fewest_rows = 16;  // that are side by side, whatever stands in them

class Reordering {
 public:
  Reordering(rewriting::Site& s, const ReductionOrder& order, LawsHold* relied, std::vector<LoopDecision>* decisions)
      : s_(s), order_(order), relied_(relied), decisions_(decisions) {}

  PhraseRef run(const PhraseRef& p, Around around) {
    const auto* x = as<PrimPhrase>(*p);
    if (x && around == Around::Machine && inside(*x, around) == Around::Loop)
      if (auto chosen = by_extents(as_map(p))) return *chosen;
    const PhraseRef out = map_children(
        p, [&](const PhraseRef& c) { return run(c, x && as<LambdaPhrase>(*c) ? inside(*x, around) : around); });
    return around == Around::Level ? out : reduced(out, around);
  }

 private:
  // A loop of few iterations, each with a reduction or a short map of many elements, goes in order: the blocks of one,
  // or its elements, have the threads, one after another. Which it is the extents say when it runs.
  std::optional<PhraseRef> by_extents(const PhraseRef& p) {
    const auto& x = std::get<PrimPhrase>(p->node);
    const auto& loop = std::get<Loop>(x.primitive->kind);
    const auto* f = as<LambdaPhrase>(*x.arguments[0]);
    const auto n = f && x.arguments.size() == 2 && !loop.family.empty() ? spread_directly(f->body) : std::nullopt;
    if (!n) return {};
    const Size few(fewest_rows - 1), many(2 * order_.block);
    SizeContext where_few = s_.context;
    where_few.assume({x.sizes[0], SizeRelation::LessEqual, few});
    if (s_.context.proves({Size(fewest_rows), SizeRelation::LessEqual, x.sizes[0]}) ||
        where_few.proves({*n, SizeRelation::LessEqual, many - Size(1)}))
      return {};
    const std::string xs = s_.names.fresh("rows");
    const bool named = !rewriting::is_cheap_view(*x.arguments[1]);
    const PhraseRef argument = run(x.arguments[1], Around::Machine);
    const auto at = [&](const PrimitiveRef& primitive, const PhraseRef& function) {
      PrimPhrase out = x;
      out.primitive = primitive;
      out.arguments = {function, named ? ident(xs, argument->type) : argument};
      return with_region(Phrase{p->type, std::move(out), {}}, p->region);
    };
    const PhraseRef deep =
        at(s_.calculus.at_level(loop, Level::Seq), run(refresh(x.arguments[0], s_.names), Around::Machine));
    const PhraseRef wide = at(x.primitive, run(x.arguments[0], Around::Loop));
    const auto asked = asked_of(s_, {{x.sizes[0], SizeRelation::LessEqual, few}, {many, SizeRelation::LessEqual, *n}});
    const PhraseRef out = asked ? if_else(*asked, deep, wide) : deep;
    return named ? let(xs, argument, out) : out;
  }
  // Of indices, where it is `generate`.
  PhraseRef as_map(const PhraseRef& p) const { return rewriting::as_call(*p, "generate") ? general_loop(s_, p) : p; }

  // How many elements a loop has that stands in no other of the phrase: a reduction that goes by law, or a map of what
  // no loop has made there, which computes something and is short enough to be there twice.
  std::optional<Size> spread_directly(const PhraseRef& of) {
    const PhraseRef p = as_map(of);
    const auto* x = as<PrimPhrase>(*p);
    const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
    if (loop && (split_by_law(s_, *x) || is_short_map(*x)) && !is_few(x->sizes[0])) return x->sizes[0];
    std::optional<Size> out;
    for_each_child(*p, [&](const PhraseRef& c) {
      if (!out && !(loop && as<LambdaPhrase>(*c))) out = spread_directly(c);
    });
    return out;
  }
  static bool is_short_map(const PrimPhrase& x) {
    constexpr std::size_t most_nodes = 24;
    const LambdaPhrase* f = rewriting::as_lambda(*x.arguments[0]);
    return f && !rewriting::is_atomic(*f->body) && is_in_family(x, "map") && level_of(x) == Level::Auto &&
           !rewriting::has_loop(*f->body) && !rewriting::has_loop(*x.arguments[1]) &&
           node_count(*f->body) <= most_nodes;
  }
  bool is_few(const Size& n) const { return s_.context.proves({n, SizeRelation::LessEqual, Size(order_.columns - 1)}); }

  PhraseRef reduced(const PhraseRef& p, Around around) {
    const auto* r = as<PrimPhrase>(*p);
    const auto* loop = r ? std::get_if<Loop>(&r->primitive->kind) : nullptr;
    if (!loop || !(loop->by_law || loop->any_order)) return p;
    if ((loop->prefixes || loop->any_order) && around != Around::Machine) {
      note(p, {}, "it stands in a parallel loop, whose iterations have the threads");
      return p;
    }
    std::vector<rewriting::LawQuestion> asked;
    const rewriting::LawOracle laws = [&](const rewriting::LawQuestion& q) {
      rewriting::LawAnswer answer = s_.laws(q);
      if (answer.holds) asked.push_back(q);
      return answer;
    };
    rewriting::Site site{s_.calculus, s_.facts, s_.sizes, s_.context, s_.solver, laws, s_.around, s_.names};
    std::optional<PhraseRef> made;
    std::string why;
    if (loop->any_order) {
      auto permuted = permuted_in_blocks(site, order_, p);
      if (permuted)
        made = std::move(*permuted);
      else
        why = permuted.error().why;
    } else if (loop->prefixes)
      made = started(
          *r, [&](const PrimPhrase& from, const PhraseRef& z) { return scanned_in_blocks(site, order_, from, z); });
    else if (!is_few(r->sizes[0]))
      made = started(*r, [&](const PrimPhrase& from, const PhraseRef& z) { return folded(site, from, z, around); });
    if (made && relied_) relied_->questions.insert(relied_->questions.end(), asked.begin(), asked.end());
    if (decisions_)
      note(p, made ? std::optional(asked) : std::nullopt, made ? "" : why.empty() ? why_in_order(site, p) : why);
    return made.value_or(p);
  }

  // The start is read in several places. `made` is given the fold from its name, and the start as it is written.
  std::optional<PhraseRef> started(
      PrimPhrase fold, const std::function<std::optional<PhraseRef>(const PrimPhrase&, const PhraseRef&)>& made) const {
    const PhraseRef z = fold.arguments[1];
    const std::string start = rewriting::is_atomic(*z) ? "" : s_.names.fresh("start");
    if (!start.empty()) fold.arguments[1] = ident(start, z->type);
    const std::optional<PhraseRef> out = made(fold, z);
    return out && !start.empty() ? std::optional(let(start, z, *out)) : out;
  }
  std::optional<PhraseRef> folded(rewriting::Site& site, const PrimPhrase& reduce, const PhraseRef& constant,
                                  Around around) const {
    if (auto split = split_by_law(site, reduce))
      return Blocks(s_, order_, reduce, std::move(*split), around == Around::Machine).run();
    return around == Around::Machine ? in_order(site, reduce, constant) : std::nullopt;
  }
  // A choice by a strict order, and an operator that does not commute, keep the order of their elements: blocks side by
  // side, so many abreast, put together in their order. `constant`: the start as it is written.
  std::optional<PhraseRef> in_order(rewriting::Site& site, const PrimPhrase& reduce, const PhraseRef& constant) const {
    const PhraseRef &f = reduce.arguments[0], &z = reduce.arguments[1];
    const Size& n = reduce.sizes[0];
    const std::int64_t in_group = order_.block * order_.abreast;
    if (s_.context.proves({n, SizeRelation::LessEqual, Size(2 * in_group - 1)})) return {};
    const auto split = split_in_order(site, reduce, constant);
    if (!split) return {};
    ElementsInParts xs(s_, reduce.arguments[2], n);
    const Size whole = floor_div(n, in_group) * in_group;
    PhraseRef out = z;
    if (const auto all = xs.part(0, whole))
      out = rewriting::reduce_of(
          s_, "reduceSeq", split->op, z,
          blocks_abreast(s_, f, split->start, order_.abreast, rewriting::split_of(s_, order_.block, *all)));
    if (const auto rest = xs.part(whole, n))
      out = rewriting::reduce_of(s_, "reduceSeq", refresh(f, s_.names), out, *rest);
    return xs.in_scope(out);
  }

  // A loop that stands there twice, by extents, is one of the program: what is better became of it.
  void note(const PhraseRef& p, const std::optional<std::vector<rewriting::LawQuestion>>& laws, std::string why) {
    if (!decisions_) return;
    const auto& loop = std::get<PrimPhrase>(p->node);
    LoopDecision d{loop.primitive->name, p->region, LoopDecision::InOrder,
                   laws.value_or(decltype(LoopDecision::laws){}), std::move(why)};
    const bool scans = std::get<Loop>(loop.primitive->kind).prefixes;
    if (laws) d.what = LoopDecision::InBlocks;
    if (!laws && scans && has_any_grouping(s_, loop.arguments[0])) d.what = LoopDecision::AnyGrouping, d.why.clear();
    for (LoopDecision& before : *decisions_) {
      if (before.loop != d.loop || !d.at.source || before.at.begin != d.at.begin || before.at.end != d.at.end) continue;
      if (before.what == LoopDecision::InOrder) before = std::move(d);
      return;
    }
    decisions_->push_back(std::move(d));
  }
  std::string why_in_order(rewriting::Site& site, const PhraseRef& p) const {
    const auto& x = std::get<PrimPhrase>(p->node);
    const auto& loop = std::get<Loop>(x.primitive->kind);
    if (rewriting::has_loop(*x.arguments[0])) return "its function has a loop of its own";
    if (!loop.prefixes && is_few(x.sizes[0]))
      return "it has fewer than " + std::to_string(order_.columns) + " elements";
    const auto& start = x.arguments[1];
    if (loop.prefixes) {
      const auto summary = rewriting::summary_of(site, x, start);
      return summary ? "" : summary.error().why;
    }
    const auto split = rewriting::splitting_in_order(site, x, start);
    return split ? "an operator that does not commute takes its elements in their order, and they are few, or in a "
                   "parallel loop"
                 : split.error().why;
  }

  rewriting::Site& s_;
  const ReductionOrder& order_;
  LawsHold* relied_;
  std::vector<LoopDecision>* decisions_;
};

}  // namespace

bool goes_by_law(const PrimPhrase& p) {
  const auto* loop = std::get_if<Loop>(&p.primitive->kind);
  // a step that takes a loop has its own, and would stand here three times
  return loop && loop->by_law && !loop->prefixes && !rewriting::has_loop(*p.arguments[0]);
}

namespace {
std::optional<rewriting::Splitting> found(tl::expected<rewriting::Splitting, rewriting::Refused> split) {
  return split ? std::optional(std::move(*split)) : std::nullopt;
}
}  // namespace

std::optional<rewriting::Splitting> split_by_law(rewriting::Site& site, const PrimPhrase& reduce) {
  if (!goes_by_law(reduce)) return {};
  auto split = rewriting::splitting_of(site, reduce, true);
  if (!split) split = rewriting::splitting_from_start(site, reduce);
  return found(std::move(split));
}

std::optional<rewriting::Splitting> split_in_order(rewriting::Site& site, const PrimPhrase& reduce,
                                                   const PhraseRef& start) {
  if (!goes_by_law(reduce)) return {};
  if (const auto op = rewriting::selection_of(site, reduce)) return rewriting::Splitting{*op, reduce.arguments[1], {}};
  return found(rewriting::splitting_in_order(site, reduce, start));
}

PhraseProgram reduced_in_blocks(const PhraseProgram& p, const Calculus& calculus, LawsHold* relied,
                                const rewriting::LawOracle& laws, std::vector<LoopDecision>* decisions) {
  if (p.in_order) return p;
  PhraseProgram out = p;
  Names names = names_of(p);
  const SizeContext context = context_of(p);
  const SizeSolver solver;
  const rewriting::LawOracle claims = rewriting::claimed_laws();
  rewriting::Site site{calculus, out.facts, out.sizes, context, solver, laws ? laws : claims, {}, names};
  out.body = Reordering(site, p.order, relied, decisions).run(p.body, Around::Machine);
  return out;
}

Stage reduce_in_blocks(const DpiaLanguages& l) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "reduce-in-blocks", "DPIA §2.1, ours", l.functional, l.functional,
      [c = l.calculus, laws = l.laws](const PhraseProgram& p, Owed* owed) {
        LawsHold relied;
        PhraseProgram out = reduced_in_blocks(p, *c, &relied, laws);
        if (owed && !relied.questions.empty()) owed->push_back({"laws", Erased(std::move(relied))});
        return out;
      },
      {}, Rounding::Reordered);
}

}  // namespace lockstep

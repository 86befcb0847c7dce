// Reductions in blocks (DPIA §2.1, after Steuwer et al., 2015; the order is ours): a `reduce` whose operator claims the
// laws is computed in one order that is stated, whatever runs it (ReductionOrder). Blocks are side by side, and so are
// the columns of a block. Elements are computed as they were; of floats, sums are rounded otherwise.
#include "translate/dpia/reduce_in_blocks.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "translate/dpia/elements_in_parts.h"
#include "translate/dpia/permute_in_blocks.h"
#include "translate/dpia/stage.h"
#include "translate/rewriting/claims.h"
#include "translate/rewriting/reduction.h"

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
    if (!rewriting::is_atomic(*z_)) z_ = xs_.bound("start", z_);
    const Size rows = floor_div(n_, order_.columns) * order_.columns;
    const SizeFact many{order_.columns, SizeRelation::LessEqual, n_};
    PhraseRef out = in_rows(rows);
    const PhraseRef least = literal(make_integer(ScalarType::I64, static_cast<std::uint64_t>(order_.columns)));
    if (!s_.context.proves(many)) out = if_else(apply_operator(s_.calculus.primitive("<="), {least, nat(n_)}), out, z_);
    if (const auto rest = xs_.part(rows, n_)) out = rewriting::reduce_of(s_, "reduceSeq", copy(f_), out, *rest);
    return xs_.in_scope(out);
  }

 private:
  PhraseRef copy(const PhraseRef& p) { return refresh(p, s_.names); }

  // The sum of each column of elements in rows, from the neutral element, added to `start` in the order of the columns.
  PhraseRef columns_of(const PhraseRef& elements, const PhraseRef& start) {
    const PhraseRef rows = rewriting::split_of(s_, order_.columns, elements);
    const PhraseRef starts = rewriting::call(s_, "replicate", {order_.columns}, {data_of(*z_)}, {split_.start});
    const PhraseRef all = rows_into(s_, f_, starts, rows);
    return rewriting::reduce_of(s_, "reduceSeq", copy(split_.op), start, all);
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
  const PhraseRef f_;
  PhraseRef z_;
  const Size n_;
  ElementsInParts xs_;
  const rewriting::Splitting split_;
  const bool side_by_side_;  // else one block after another, without an array of their sums
};

class Reordering {
 public:
  Reordering(rewriting::Site& s, const ReductionOrder& order, LawsHold* relied)
      : s_(s), order_(order), relied_(relied) {}

  PhraseRef run(const PhraseRef& p, Around around) {
    const auto* x = as<PrimPhrase>(*p);
    const PhraseRef out = map_children(
        p, [&](const PhraseRef& c) { return run(c, x && as<LambdaPhrase>(*c) ? inside(*x, around) : around); });
    return around == Around::Level ? out : reduced(out, around);
  }

 private:
  bool is_few(const Size& n) const { return s_.context.proves({n, SizeRelation::LessEqual, Size(order_.columns - 1)}); }

  PhraseRef reduced(const PhraseRef& p, Around around) {
    const auto* r = as<PrimPhrase>(*p);
    const auto* loop = r ? std::get_if<Loop>(&r->primitive->kind) : nullptr;
    if (!loop || (loop->any_order && around != Around::Machine)) return p;
    std::vector<rewriting::LawQuestion> asked;
    const rewriting::LawOracle laws = [&](const rewriting::LawQuestion& q) {
      rewriting::LawAnswer answer = s_.laws(q);
      if (answer.holds) asked.push_back(q);
      return answer;
    };
    rewriting::Site site{s_.calculus, s_.facts, s_.sizes, s_.context, s_.solver, laws, s_.around, s_.names};
    std::optional<PhraseRef> made;
    if (loop->any_order)
      made = permuted_in_blocks(site, order_, p);
    else if (auto split = split_by_law(site, *r); split && !is_few(r->sizes[0]))
      made = Blocks(s_, order_, *r, std::move(*split), around == Around::Machine).run();
    if (made && relied_) relied_->questions.insert(relied_->questions.end(), asked.begin(), asked.end());
    return made.value_or(p);
  }

  rewriting::Site& s_;
  const ReductionOrder& order_;
  LawsHold* relied_;
};

}  // namespace

std::optional<rewriting::Splitting> split_by_law(rewriting::Site& site, const PrimPhrase& reduce) {
  const auto* loop = std::get_if<Loop>(&reduce.primitive->kind);
  // a step that takes a loop has its own, and would stand here three times
  if (!loop || !loop->by_law || rewriting::has_loop(*reduce.arguments[0])) return {};
  auto split = rewriting::splitting_of(site, reduce, true);
  return split ? std::optional(std::move(*split)) : std::nullopt;
}

PhraseProgram reduced_in_blocks(const PhraseProgram& p, const Calculus& calculus, LawsHold* relied,
                                const rewriting::LawOracle& laws) {
  if (p.in_order) return p;
  PhraseProgram out = p;
  Names names = names_of(p);
  const SizeContext context = context_of(p);
  const SizeSolver solver;
  const rewriting::LawOracle claims = rewriting::claimed_laws();
  rewriting::Site site{calculus, out.facts, out.sizes, context, solver, laws ? laws : claims, {}, names};
  out.body = Reordering(site, p.order, relied).run(p.body, Around::Machine);
  return out;
}

Stage reduce_in_blocks(const DpiaLanguages& l) {
  return stage_of<PhraseProgram, PhraseProgram>(
      "reduce-in-blocks", "DPIA §2.1, ours", l.functional, l.functional,
      [c = l.calculus](const PhraseProgram& p, Owed* owed) {
        LawsHold relied;
        PhraseProgram out = reduced_in_blocks(p, *c, &relied);
        if (owed && !relied.questions.empty()) owed->push_back({"laws", Erased(std::move(relied))});
        return out;
      },
      {}, true);
}

}  // namespace lockstep

// The relations, each at the sizes of a run.
#include "props/dpia/cost_relation.h"

#include "props/dpia/cost_branches.h"
#include "props/dpia/cost_temporaries.h"
#include "semantics/imperative/cost.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/walk.h"

namespace lockstep::props {
namespace {

// What checks of indices are made of: the source has no such operators where its own meaning traps.
bool is_in_checks(const ScalarOp& op) {
  const auto& c = op.compares;
  return op.decided_by ||
         (c && !c->swapped &&
          (c->relation == lockstep::Comparison::LessEqual || c->relation == lockstep::Comparison::Less));
}

// && and ||, and an if of scalars: what is simple in a branch is made by the lowering before it chooses.
bool has_choice(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  bool found = (op && op->decided_by) || (x && x->primitive->name == "if" && is_single(x->types[0]));
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_choice(*c); });
  return found;
}

// What the threads of a block share is placed by who writes it: not related here.
bool has_local_loop(const Phrase& p) {
  const auto* x = as<ImpPhrase>(p);
  bool found = x && x->op == Imp::ParFor && x->level == Level::Local;
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_local_loop(*c); });
  return found;
}

bool is_straight(const kernel::Program& p) {
  bool straight = true;
  kernel::each_statement(p.body, [&](const kernel::Stmt& s) {
    if (std::holds_alternative<kernel::If>(s.node) || std::holds_alternative<kernel::While>(s.node)) straight = false;
  });
  kernel::each_expression(p.body, [&](const kernel::Expr& e) {
    if (std::holds_alternative<kernel::Choose>(e.node)) straight = false;
  });
  return straight;
}

// Nothing where a count is known from data only (iterations_k, extent_k), or does not fit.
std::optional<std::int64_t> value(const Size& s, SizeValues sizes) {
  sizes["#threads"] = 1;  // a run allocates for one worker
  return evaluate(s, sizes);
}

std::string number(std::int64_t n) { return std::to_string(n); }

std::optional<std::string> at_most(const std::string& what, std::int64_t counted, const Size& said,
                                   const SizeValues& sizes) {
  const auto n = value(said, sizes);
  if (!n || counted <= *n) return {};
  return what + ": " + number(counted) + " counted, " + number(*n) + " said (" + show(said) + ")";
}

std::optional<std::string> not_more(const std::string& what, const Size& now, const Size& before,
                                    const SizeValues& sizes) {
  const auto a = value(now, sizes), b = value(before, sizes);
  if (!a || !b || *a <= *b) return {};
  return what + " grows from " + show(before) + " to " + show(now);
}

template <class Steps>
std::optional<std::size_t> place_of(const Steps& steps, const std::string& name) {
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (steps[k].name == name) return k;
  return {};
}

std::int64_t sum(const OperatorTally::Counts& counts) {
  std::int64_t n = 0;
  for (const std::int64_t c : counts) n += c;
  return n;
}

}  // namespace

CostModels CostModels::standard() {
  return {[](const PhraseProgram& p) { return imperative::cost(p); },
          [](const lockstep::kernel::Program& p) { return lockstep::kernel::cost(p); }};
}

OperatorTally::OperatorTally(const Calculus& calculus) : counting_(calculus), counts_(std::make_shared<Counts>()) {
  for (const std::string& name : calculus.names())
    if (std::holds_alternative<ScalarOp>(calculus.primitive(name)->kind)) names_.push_back(name);
  counts_->resize(names_.size());
  for (std::size_t k = 0; k < names_.size(); ++k) {
    Primitive p = *calculus.primitive(names_[k]);
    auto& op = std::get<ScalarOp>(p.kind);
    in_checks_.push_back(is_in_checks(op));
    op.meaning = [k, counts = counts_, meaning = op.meaning](const Domain& d, ScalarType t, std::span<const Scalar> x) {
      ++(*counts)[k];
      return meaning(d, t, x);
    };
    counting_.add(std::make_shared<const Primitive>(std::move(p)));
  }
}

PhraseProgram OperatorTally::counting(const PhraseProgram& program) const {
  const std::function<PhraseRef(const PhraseRef&)> go = [&](const PhraseRef& p) -> PhraseRef {
    const PhraseRef q = map_children(p, go);
    const auto* x = as<PrimPhrase>(*q);
    if (!x || !std::holds_alternative<ScalarOp>(x->primitive->kind)) return q;
    Phrase out = *q;
    std::get<PrimPhrase>(out.node).primitive = counting_.primitive(x->primitive->name);
    return out;
  };
  PhraseProgram out = program;
  out.body = go(program.body);
  return out;
}

CostRelation::CostRelation(const Pipeline& pipeline, Machine machine, const CostModels& models,
                           const OperatorTally& tally)
    : pipeline_(pipeline), tally_(tally) {
  if (pipeline.phrases.empty()) return;
  for (const auto& step : pipeline.phrases) phrases_.push_back(models.phrase(step.program));
  for (const auto& step : pipeline.kernels) {
    kernels_.push_back(models.kernel(step.program));
    straight_.push_back(is_straight(step.program));
  }
  const PhraseProgram& source = pipeline.phrases.front().program;
  writes_ = declared_writes(source);
  lazy_ = has_choice(*source.body);
  const auto h = place_of(pipeline.phrases, "hoist");
  if (h && *h > 0 && !(machine == Machine::Gpu && has_local_loop(*pipeline.phrases[*h - 1].program.body))) {
    const Size said = declared_hoisted_space(pipeline.phrases[*h - 1].program, machine);
    const Size found = hoisted_space(pipeline.phrases[*h].program);
    const SizeContext context = context_of(source);
    if (!(context.simplify(said - found) == Size(0)))
      hoist_ = "space that is hoisted: " + show(found) + " allocated, " + show(said) + " said";
  }
}

std::optional<std::string> CostRelation::source(const SizeValues& sizes, const OperatorTally::Counts& applied) const {
  if (phrases_.empty()) return {};
  return at_most("work of the source", sum(applied), phrases_[0].work, sizes);
}

std::optional<std::string> CostRelation::no_operator_twice(const OperatorTally::Counts& by_source,
                                                           const OperatorTally::Counts& applied) const {
  if (lazy_) return {};
  for (std::size_t k = 0; k < applied.size(); ++k)
    if (applied[k] > by_source[k] && !tally_.in_checks(k))
      return "work done twice: " + tally_.name(k) + " is applied " + number(applied[k]) + " times, by the source " +
             number(by_source[k]) + " times";
  return {};
}

std::optional<std::string> CostRelation::phrase(std::size_t k, const SizeValues& sizes,
                                                const OperatorTally::Counts& by_source,
                                                const OperatorTally::Counts& applied) const {
  if (auto d = no_operator_twice(by_source, applied)) return d;
  if (auto d = at_most("work", sum(applied), phrases_[k].work, sizes)) return d;
  const std::string& name = pipeline_.phrases[k].name;
  if (name == "translate" && k > 0)
    if (auto d = undeclared_temporary(pipeline_.phrases[k - 1].program, pipeline_.phrases[k].program)) return d;
  // A state that is an index costs nothing to read until it has a variable: hence the writes.
  if (name == "loops" && k > 0 && writes_)
    if (auto d = not_more("work", phrases_[k].work, phrases_[k - 1].work + *writes_, sizes)) return d;
  if (name != "hoist" || k == 0) return {};
  if (hoist_) return hoist_;
  for (const auto& [what, now, before] : {std::tuple{"work", phrases_[k].work, phrases_[k - 1].work},
                                          std::tuple{"depth", phrases_[k].depth, phrases_[k - 1].depth}}) {
    if (auto d = not_more(what, now, before, sizes)) return d;
    if (auto d = not_more(std::string(what) + " backwards", before, now, sizes)) return d;
  }
  return {};
}

std::optional<std::string> CostRelation::kernel(std::size_t k, const SizeValues& sizes,
                                                const OperatorTally::Counts& by_source,
                                                const OperatorTally::Counts& applied,
                                                const lockstep::kernel::Counted& counted) const {
  if (auto d = no_operator_twice(by_source, applied)) return d;
  const Cost& said = kernels_[k];
  if (auto d = at_most("work", counted.work, said.work, sizes)) return d;
  if (auto d = at_most("depth", counted.depth, said.depth, sizes)) return d;
  if (auto d = at_most("space", counted.space, said.space, sizes)) return d;
  if (straight_[k])
    if (const auto n = value(said.work, sizes); n && *n != counted.work)
      return "work of a program without branches: " + number(counted.work) + " counted, " + number(*n) + " said (" +
             show(said.work) + ")";
  if (!straight_[k])
    if (const auto n = value(said.work, sizes), most = work_of_both_sides(pipeline_.kernels[k].program, sizes);
        n && most && *n > *most)
      return "work of a program with branches: " + number(*most) + " if both sides of each ran, " + number(*n) +
             " said (" + show(said.work) + ")";
  if (writes_)
    if (auto d = at_most("scalars written", counted.writes, *writes_, sizes)) return d;
  if (k == 0 || pipeline_.kernels[k].name != "in-place") return {};
  const Cost& before = kernels_[k - 1];
  if (auto d = not_more("work", said.work, before.work, sizes)) return d;
  if (auto d = not_more("depth", said.depth, before.depth, sizes)) return d;
  return not_more("space", said.space, before.space, sizes);
}

}  // namespace lockstep::props

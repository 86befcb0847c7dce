// The relations, each at the sizes of a run.
#include "props/dpia/cost_relation.h"

#include "props/dpia/cost_branches.h"
#include "props/dpia/cost_temporaries.h"
#include "semantics/imperative/cost.h"
#include "semantics/kernel/walk.h"
#include "translate/rewriting/terms.h"

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
  const auto* branches = as<IfPhrase>(p);
  const bool simple = branches && is_single(data_of(p)) &&
                      !(rewriting::has_loop(*branches->then) && rewriting::is_atomic(*branches->otherwise));
  bool found = (op && op->decided_by) || simple;
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_choice(*c); });
  return found;
}

// A loop whose size is 0 here: side by side its rounds hold nothing, in order what one holds.
bool has_empty_loop(const Phrase& p, const SizeValues& sizes) {
  const auto* x = as<PrimPhrase>(p);
  bool found = x && std::holds_alternative<Loop>(x->primitive->kind) &&
               std::any_of(x->sizes.begin(), x->sizes.end(), [&](const Size& n) { return evaluate(n, sizes) == 0; });
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_empty_loop(*c, sizes); });
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

// For none and for some rounds of each `while`: costs have one name for them.
std::optional<std::string> not_more(const std::string& what, const Size& now, const Size& before,
                                    const SizeValues& sizes) {
  std::set<std::string> names;
  collect_names(now, names), collect_names(before, names);
  for (const std::int64_t some : {0, 3}) {
    SizeValues values = sizes;
    std::int64_t rounds = some;
    for (const std::string& n : names)
      if (n.starts_with("#iterations_")) values[n] = some == 0 ? 0 : rounds++;
    const auto a = value(now, values), b = value(before, values);
    if (a && b && *a > *b) return what + " grows from " + show(before) + " to " + show(now);
  }
  return {};
}

std::int64_t sum(const OperatorTally::Counts& counts) {
  std::int64_t n = 0;
  for (const std::int64_t c : counts) n += c;
  return n;
}

}  // namespace

OperatorTally::OperatorTally(const Calculus& calculus) : counts_(std::make_shared<Counts>()) {
  Calculus counting = calculus;
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
    counting.add(std::make_shared<const Primitive>(std::move(p)));
  }
  counting_ = std::make_shared<const Calculus>(std::move(counting));
}

PhraseProgram OperatorTally::counting(const PhraseProgram& program) const {
  const std::function<PhraseRef(const PhraseRef&)> go = [&](const PhraseRef& p) -> PhraseRef {
    const PhraseRef q = map_children(p, go);
    const auto* x = as<PrimPhrase>(*q);
    if (!x || !std::holds_alternative<ScalarOp>(x->primitive->kind)) return q;
    Phrase out = *q;
    std::get<PrimPhrase>(out.node).primitive = counting_->primitive(x->primitive->name);
    return out;
  };
  PhraseProgram out = program;
  out.body = go(program.body);
  return out;
}

CostCheck::CostCheck(const DpiaTrace& trace, const OperatorTally& tally)
    : trace_(trace), tally_(tally), held_to_(trace.held_to()) {
  const PhraseProgram& source = trace.steps[held_to_].program.as<PhraseProgram>();
  writes_ = declared_writes(source);
  lazy_ = has_choice(*source.body);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const AnyProgram& p = trace.steps[k].program;
    costs_.push_back(p.language().cost(p));
    in_order_.push_back(in_order_at(k, {}));
    const auto* kernel = p.as_if<lockstep::kernel::Program>();
    straight_.push_back(kernel && is_straight(*kernel));
    hoisted_.push_back(trace.steps[k].cost.space == CostRelation::Space::Hoisted ? hoisted_as_said(k) : std::nullopt);
  }
}

std::optional<std::string> CostCheck::hoisted_as_said(std::size_t k) const {
  const PhraseProgram& before = trace_.steps[k - 1].program.as<PhraseProgram>();
  const SpaceOfEach said = declared_hoisted_space(before, trace_.machine);
  const SpaceOfEach found = hoisted_space(trace_.steps[k].program.as<PhraseProgram>());
  const SizeContext known = context_of(before);
  for (const auto& [name, space] : {std::pair{"Global", &SpaceOfEach::global},
                                    {"Local", &SpaceOfEach::local},
                                    {"Private", &SpaceOfEach::in_registers}})
    if (!(known.simplify(said.*space - found.*space) == Size(0)))
      return "space that is hoisted, " + std::string(name) + ": " + show(found.*space) + " allocated, " +
             show(said.*space) + " said";
  return {};
}

std::optional<std::string> CostCheck::no_operator_twice(const OperatorTally::Counts& by_source,
                                                        const OperatorTally::Counts& applied) const {
  if (lazy_) return {};
  for (std::size_t k = 0; k < applied.size(); ++k)
    if (applied[k] > by_source[k] && !tally_.in_checks(k))
      return "work done twice: " + tally_.name(k) + " is applied " + number(applied[k]) + " times, by the source " +
             number(by_source[k]) + " times";
  return {};
}

// What is counted of a program against the cost of that program.
std::optional<std::string> CostCheck::own(std::size_t k, const SizeValues& sizes, const OperatorTally::Counts& applied,
                                          const Counted& counted) const {
  const Cost& said = costs_[k];
  if (trace_.steps[k].program.as_if<PhraseProgram>())
    return at_most(k == 0 ? "work of the source" : "work", sum(applied), said.work, sizes);
  if (auto d = at_most("work", counted.work, said.work, sizes)) return d;
  if (auto d = at_most("depth", counted.depth, said.depth, sizes)) return d;
  if (auto d = at_most("space", counted.space, said.space, sizes)) return d;
  const auto* kernel = trace_.steps[k].program.as_if<lockstep::kernel::Program>();
  if (!kernel) return {};  // a host's: what it moves is its own
  if (auto d = space_of_the_source(sizes, counted)) return d;
  if (writes_)
    if (auto d = at_most("work against the source's", counted.work, costs_[held_to_].work + *writes_, sizes)) return d;
  if (straight_[k])
    if (const auto n = value(said.work, sizes); n && *n != counted.work)
      return "work of a program without branches: " + number(counted.work) + " counted, " + number(*n) + " said (" +
             show(said.work) + ")";
  if (!straight_[k])
    if (const auto n = value(said.work, sizes), most = work_of_both_sides(*kernel, sizes); n && most && *n > *most)
      return "work of a program with branches: " + number(*most) + " if both sides of each ran, " + number(*n) +
             " said (" + show(said.work) + ")";
  if (writes_) return at_most("scalars written", counted.writes, *writes_, sizes);
  return {};
}

// A loop that does not run and is left sequential is said to hold what one round does, and hoisted arrays are there.
std::optional<std::string> CostCheck::space_of_the_source(const SizeValues& sizes, const Counted& counted) const {
  std::int64_t added = 0;
  for (std::size_t k = held_to_ + 1; k < costs_.size() && trace_.steps[k].program.as_if<PhraseProgram>(); ++k) {
    const auto before = value(costs_[k - 1].space, sizes), now = value(costs_[k].space, sizes);
    if (!before || !now) return {};
    const bool translated = trace_.steps[k - 1].cost.space == CostRelation::Space::Declared;
    const bool hoisted = trace_.steps[k].cost.space == CostRelation::Space::Hoisted;
    const auto* levelled = trace_.steps[k].cost.space == CostRelation::Space::Unrelated
                               ? trace_.steps[k - 1].program.as_if<PhraseProgram>()
                               : nullptr;
    const bool in_order = levelled && levelled->output.empty() && has_empty_loop(*levelled->body, sizes);
    if (translated || hoisted || in_order) added += std::max<std::int64_t>(0, *now - *before);
  }
  return at_most("space against the source's", counted.space, costs_[held_to_].space + Size(added), sizes);
}

std::optional<std::string> CostCheck::changed(const std::string& what, CostRelation::Change change, const Size& now,
                                              const Size& before, const Size& in_order, const SizeValues& sizes) const {
  using Change = CostRelation::Change;
  switch (change) {
    case Change::Unrelated:
    case Change::Theorem:
      return {};
    case Change::NotMoreButWrites:
      return writes_ ? not_more(what, now, before + *writes_, sizes) : std::nullopt;
    case Change::NotMoreInOrder:
      return writes_ ? not_more(what + " in order", now, in_order + *writes_, sizes) : std::nullopt;
    case Change::NotMore:
      return not_more(what, now, before, sizes);
    case Change::Same:
      if (auto d = not_more(what, now, before, sizes)) return d;
      return not_more(what + " backwards", before, now, sizes);
  }
  throw Bug("a relation of costs");
}

std::optional<std::string> CostCheck::step(std::size_t k, const SizeValues& sizes,
                                           const OperatorTally::Counts& by_source, const OperatorTally::Counts& applied,
                                           const Counted& counted) const {
  if (k > 0)
    if (auto d = no_operator_twice(by_source, applied)) return d;
  if (auto d = own(k, sizes, k == 0 ? by_source : applied, counted)) return d;
  if (k == 0) return {};
  const Step &now = trace_.steps[k], &before = trace_.steps[k - 1];
  using Space = CostRelation::Space;
  if (now.cost.space == Space::Declared)
    if (auto d = undeclared_temporary(before.program.as<PhraseProgram>(), now.program.as<PhraseProgram>())) return d;
  if (hoisted_[k]) return hoisted_[k];
  const auto grown = [&](const Cost& to, const Cost& from, const Size& in_order) -> std::optional<std::string> {
    if (auto d = changed("work", now.cost.work, to.work, from.work, 0, sizes)) return d;
    if (auto d = changed("depth", now.cost.depth, to.depth, from.depth, in_order, sizes)) return d;
    if (now.cost.space != Space::NotMore && now.cost.space != Space::Declared) return {};
    return not_more("space", to.space, from.space, sizes);
  };
  auto d = grown(costs_[k], costs_[k - 1], in_order_[k - 1]);
  // Of two branches of which either may take longer a cost is a bound; at the sizes of a run it is the greater one's.
  if (!d || !grown(cost_at(k, sizes), cost_at(k - 1, sizes), in_order_at(k - 1, sizes))) return {};
  return d;
}

namespace {
template <class P>
P of_sizes(P p, const SizeValues& sizes) {
  std::vector<SizeFact> facts;  // before the program's: a name that is a number is that first of all
  for (const auto& [name, n] : sizes) facts.push_back({Size::name(name), SizeRelation::Equal, Size(n)});
  p.facts.insert(p.facts.begin(), facts.begin(), facts.end());
  return p;
}
}  // namespace

Cost CostCheck::cost_at(std::size_t k, const SizeValues& sizes) const {
  const AnyProgram& p = trace_.steps[k].program;
  const auto cost = [&](auto exact) { return p.language().cost(AnyProgram(p.language_ref(), std::move(exact))); };
  if (const auto* x = p.as_if<PhraseProgram>()) return cost(of_sizes(*x, sizes));
  if (const auto* x = p.as_if<lockstep::kernel::Program>()) return cost(of_sizes(*x, sizes));
  return costs_[k];
}

Size CostCheck::in_order_at(std::size_t k, const SizeValues& sizes) const {
  const auto* p = trace_.steps[k].program.as_if<PhraseProgram>();
  return p && !p->output.empty() ? imperative::cost(of_sizes(*p, sizes), true).depth : Size(0);
}

}  // namespace lockstep::props

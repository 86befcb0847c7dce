// Fig. 2.3 and Fig. 1.4 side by side: one evaluation, both costs.
//
// W work, D depth; M scalable, N vectorial, L parallel space; l the length of a sequence; |σ| element_size, P and S the
// sizes of a value. F_φ is in evaluate_values (values) and evaluate_work (work).
//
// Read differently from what is printed: in the rules for {e | x} the thesis's |τ_i| in L is |σ_i|. A text literal
// costs what an atom does by the same rule: (P||v||, 1; S||v||; P||v||), where for an atom P is 1 and S is (1, 0). For
// μNESL sequences are vectors, {e | x using ...} is its sugar {e : _ in &(b2i(x))}, and a text literal is an atom of
// its size.
#include "semantics/snesl/evaluate.h"

#include <algorithm>

#include "semantics/snesl/evaluate_plan.h"

namespace lockstep::snesl {

namespace {

using plan::Block;
using plan::Node;
using plan::Step;

struct Outcome {
  Value value;
  Cost cost;
  NeslCost nesl;
};

// (W, 1; S||v||; P||v||)
Cost cost_of_making(const Value& v, std::int64_t work) {
  const auto [m, n] = sequential_size(v);
  return {work, 1, m, n, parallel_size(v)};
}

class Evaluator {
 public:
  // Into `may`, where it is given, goes every trap, and the run goes on without what trapped; its costs are none
  // then.
  Evaluator(const plan::Plan& plan, const Values& arguments, Files& files, const Domain& domain, MayTrap* may = nullptr)
      : files_(files), domain_(domain), may_(may), slots_(plan.slots) {
    if (arguments.size() != plan.parameters.size()) throw Bug("evaluate: the arguments are not those of the program");
    for (std::size_t i = 0; i < arguments.size(); ++i) slots_[plan.parameters[i]] = arguments[i];
  }

  // Nested lets: let x1 = e1 in ... let xk = ek in e. The space is the greatest of L_i + Σ_{j<i} P||v_j||.
  Outcome run(const Block& block) {
    Cost cost;
    NeslCost nesl;
    std::int64_t held = 0;
    for (const Step& step : block.steps) {
      Outcome o = may_ ? past_traps(step.node) : run(step.node);
      cost.work += o.cost.work;
      cost.depth += o.cost.depth;
      cost.scalable += o.cost.scalable;
      cost.vectorial += o.cost.vectorial;
      cost.parallel = std::max(cost.parallel, held + o.cost.parallel);
      nesl.work += o.nesl.work;
      nesl.depth += o.nesl.depth;
      if (step.binds) {
        held += parallel_size(o.value);
        slots_[step.slot] = std::move(o.value);
      }
      for (const plan::Slot s : step.dead) slots_[s] = Value();
      if (!step.binds) return {std::move(o.value), cost, nesl};
    }
    throw Bug("evaluate: a block without a value");
  }

 private:
  static Outcome lost() { return {lost_value(), {}, {}}; }
  Outcome past_traps(const Node& n) {
    try {
      return is_structure(*n.expr) || std::none_of(n.arguments.begin(), n.arguments.end(),
                                                   [&](plan::Slot s) { return is_lost(slots_[s]); })
                 ? run(n)
                 : lost();
    } catch (const TrapSignal& signal) {
      may_->traps.push_back(signal.trap);
      return lost();
    }
  }
  // What does not look at what it is given, or knows what to do where that is lost.
  static bool is_structure(const core::Expr& e) {
    const auto* a = std::get_if<core::Apply>(&e.node);
    return std::holds_alternative<core::Var>(e.node) || std::holds_alternative<core::Tuple>(e.node) ||
           std::holds_alternative<core::Let>(e.node) || std::holds_alternative<core::Comprehension>(e.node) ||
           std::holds_alternative<core::Guarded>(e.node) || (a && a->builtin != core::Builtin::Scalar);
  }

  Outcome run(const Node& n) {
    const auto k = static_cast<std::int64_t>(n.arguments.size());
    return match(
        n.expr->node,
        [&](const core::Var&) {
          return Outcome{argument(n, 0), {}, {1, 1}};
        },
        [&](const core::Literal&) {
          return Outcome{n.constant, {1, 1, 1, 0, 1}, {1, 1}};
        },
        [&](const core::Text&) {
          return Outcome{n.constant,
                         cost_of_making(n.constant, parallel_size(n.constant)),
                         {std::max<std::int64_t>(1, atom_count(n.constant)), 1}};
        },
        [&](const core::Tuple&) {
          Values items;
          items.reserve(n.arguments.size());
          for (std::size_t i = 0; i < n.arguments.size(); ++i) items.push_back(argument(n, i));
          return Outcome{tuple_value(std::move(items)), {}, {k, k}};
        },
        [&](const core::Project& p) {
          return Outcome{argument(n, 0)[static_cast<std::size_t>(p.index)], {}, {1, 1}};
        },
        [&](const core::Let&) { return run(*n.block); },
        [&](const core::Apply& a) { return a.builtin == core::Builtin::Scalar ? scalar(n, a) : apply(n, a); },
        [&](const core::Comprehension&) { return comprehension(n); }, [&](const core::Guarded&) { return guarded(n); });
  }

  const Value& argument(const Node& n, std::size_t i) const { return slots_[n.arguments[i]]; }

  Outcome scalar(const Node& n, const core::Apply& a) {
    Atom operands[3];
    const std::size_t k = n.arguments.size();
    if (k > std::size(operands)) throw Bug("evaluate: a scalar operator of too many operands");
    for (std::size_t i = 0; i < k; ++i) operands[i] = argument(n, i).atom;
    const auto own = static_cast<std::int64_t>(k) + 1;
    return {
        atom_value(snesl::apply(a.op, std::span(operands, k), n.expr->region, domain_)), {1, 1, 1, 0, 1}, {own, own}};
  }

  Outcome apply(const Node& n, const core::Apply& a) {
    std::vector<const Value*> arguments;
    arguments.reserve(n.arguments.size());
    for (const plan::Slot s : n.arguments) arguments.push_back(&slots_[s]);
    if (may_) return {plan::value_past_traps(*n.expr, arguments, files_, domain_, *may_), {}, {}};
    Value v = plan::value_of(*n.expr, arguments, files_, domain_);
    const Cost cost = cost_of_making(v, plan::work_of(a.builtin, arguments, v));
    const NeslCost nesl = plan::nesl_of(a.builtin, arguments, v);
    return {std::move(v), cost, nesl};
  }

  Outcome comprehension(const Node& n) {
    const Value sequence = argument(n, 0);
    if (is_lost(sequence)) return lost();
    const auto l = static_cast<std::int64_t>(sequence.size());
    const std::int64_t d = n.distributed;
    Values items;
    items.reserve(sequence.size());
    Cost all;  // sums of W and L, greatest D, M, N
    NeslCost nesl;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      if (sequence[i].kind == Value::Kind::LostPart) {
        items.push_back(sequence[i]);
        continue;
      }
      slots_[n.element] = sequence[i];
      Outcome o = run(*n.block);
      items.push_back(std::move(o.value));
      all.work += o.cost.work;
      all.depth = std::max(all.depth, o.cost.depth);
      all.scalable = std::max(all.scalable, o.cost.scalable);
      all.vectorial = std::max(all.vectorial, o.cost.vectorial);
      all.parallel += o.cost.parallel;
      nesl.work += o.nesl.work;
      nesl.depth = std::max(nesl.depth, o.nesl.depth);
    }
    const Cost cost{(l + 1) * d + all.work, d + all.depth, 1 + d + all.scalable, all.vectorial,
                    l + l * d + all.parallel};
    return {sequence_value(std::move(items)), cost, {1 + nesl.work, 1 + nesl.depth}};
  }

  Outcome guarded(const Node& n) {
    const std::int64_t d = n.distributed;
    if (is_lost(argument(n, 0))) return {sequence_value({lost_part()}), {}, {}};
    // μNESL: x 1, b2i 1, & its length, then the comprehension.
    if (!argument(n, 0).atom.integer) return {sequence_value({}), {d, d, 1, 0, 1}, {2, 3}};
    Outcome o = run(*n.block);
    const Cost& e = o.cost;
    const Cost cost{d + e.work, d + e.depth, 1 + d + e.scalable, e.vectorial, 1 + d + e.parallel};
    Values items;
    items.push_back(std::move(o.value));
    return {sequence_value(std::move(items)), cost, {3 + o.nesl.work, 3 + o.nesl.depth}};
  }

  Files& files_;
  const Domain& domain_;
  MayTrap* may_;
  Values slots_;
};

}  // namespace

tl::expected<Evaluation, Trap> evaluate(const core::Program& p, const Values& arguments, Files& files,
                                        const Domain& domain) {
  const plan::Plan plan = plan::plan_of(p);
  try {
    Outcome o = Evaluator(plan, arguments, files, domain).run(plan.body);
    return Evaluation{std::move(o.value), o.cost};
  } catch (const TrapSignal& signal) {
    return tl::unexpected(signal.trap);
  }
}

MayTrap traps_of(const core::Program& p, const Values& arguments, Files& files) {
  const plan::Plan plan = plan::plan_of(p);
  MayTrap out;
  Evaluator(plan, arguments, files, ieee_domain(), &out).run(plan.body);
  out.traps = each_once(std::move(out.traps));
  if (out.lengths) out.places = plan::trapping_operations(p);
  return out;
}

tl::expected<std::optional<NeslCost>, Trap> nesl_cost(const core::Program& p, const Values& arguments, Files& files) {
  const plan::Plan plan = plan::plan_of(p);
  if (plan.files) return std::nullopt;
  try {
    return Evaluator(plan, arguments, files, ieee_domain()).run(plan.body).nesl;
  } catch (const TrapSignal& signal) {
    return tl::unexpected(signal.trap);
  }
}

}  // namespace lockstep::snesl

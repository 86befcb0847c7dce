// Functions that call themselves last: a loop, as long as they do, over what they are called with (l0.md §1), and what
// the last call gives. Others that call themselves have no loop here.
#include <algorithm>

#include "semantics/l0/calls.h"
#include "semantics/l0/walk.h"
#include "translate/l0/lower/lowering.h"

namespace lockstep::l0::lowering {
namespace {

bool calls(const l0::Expr& e, const std::string& f) { return callees_of(e).contains(f); }
bool calls(const Binding& b, const std::string& f) {
  bool out = false;
  each_child_of_binding(b, [&](const ExprRef& c) { out = out || calls(*c, f); });
  return out;
}

// The last binding, where what the block gives is what that gives.
const LetBinding* result_of(const BlockExpr& b) {
  const auto* l = b.bindings.empty() ? nullptr : std::get_if<LetBinding>(&b.bindings.back().node);
  if (!l) return nullptr;
  const auto* t = as<TupleExpr>(*b.result);
  const std::vector<ExprRef> given = t ? t->items : std::vector{b.result};
  const std::vector<std::string> names = names_in(l->pattern);
  const auto same = [](const std::string& n, const ExprRef& e) {
    const auto* v = as<l0::Variable>(*e);
    return v && v->name == n;
  };
  return std::equal(names.begin(), names.end(), given.begin(), given.end(), same) ? l : nullptr;
}

// Nowhere but where there is nothing left to do.
bool calls_last_alone(const l0::Expr& e, const std::string& f) {
  if (const auto* c = as<CallExpr>(e); c && c->function == f)
    return std::none_of(c->arguments.begin(), c->arguments.end(), [&](const ExprRef& a) { return calls(*a, f); });
  if (const auto* i = as<IfExpr>(e))
    return !calls(*i->condition, f) && calls_last_alone(*i->yes, f) && calls_last_alone(*i->no, f);
  const auto* b = as<BlockExpr>(e);
  if (!b) return !calls(e, f);
  const LetBinding* result = result_of(*b);
  const auto end = b->bindings.end() - (result ? 1 : 0);
  if (std::any_of(b->bindings.begin(), end, [&](const Binding& x) { return calls(x, f); })) return false;
  return result ? calls_last_alone(*result->value, f) : !calls(*b->result, f);
}
bool always_calls(const l0::Expr& e, const std::string& f) {
  if (const auto* c = as<CallExpr>(e)) return c->function == f;
  if (const auto* i = as<IfExpr>(e)) return always_calls(*i->yes, f) && always_calls(*i->no, f);
  const auto* b = as<BlockExpr>(e);
  const LetBinding* result = b ? result_of(*b) : nullptr;
  return result && always_calls(*result->value, f);
}

Expr truth(bool b) { return source_of(make_bool(b)); }

}  // namespace

Term Lowering::recursion(const Function& f, const CallExpr& c, const Region& at) {
  const std::string stays = "the call of " + c.function + " stays a call: ";
  if (!reached_from(entry_.program, f.name).contains(f.name)) refuse(at, stays + "it is too large to be put in place");
  if (called_.contains(f.name) || !calls_last_alone(*f.body, f.name))
    refuse(at, stays + "it calls itself, and not as the last that it does");
  if (always_calls(*f.body, f.name)) refuse(at, stays + "it calls itself for ever");
  called_.insert(f.name);
  std::vector<Term> arguments = terms(c.arguments);
  Last rounds{f};
  std::vector<Expr> start{truth(true)};
  for (Term& t : arguments) {
    rounds.state.push_back(t.leaves[0]);
    start.push_back(std::move(t.expr));
  }
  rounds.state = without_numbers(std::move(rounds.state));
  std::vector<std::string> each = introduce_parameters(rounds);
  const std::string goes_on = fresh("goes_on");
  each.insert(each.begin(), goes_on);
  Term step = last(*f.body, rounds);
  Expr looped = call("while", {lambda({pattern(each)}, name(goes_on)), lambda({pattern(each)}, std::move(step.expr)),
                               tuple(std::move(start))});
  Last end{f, false, rounds.state};
  std::vector<std::string> ended = introduce_parameters(end);
  ended.insert(ended.begin(), fresh("goes_on"));
  Term result = last(*f.body, end);
  called_.erase(f.name);
  return {let(pattern(ended), std::move(looped), std::move(result.expr)), without_numbers(std::move(result.leaves))};
}

std::vector<std::string> Lowering::introduce_parameters(const Last& of) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < of.state.size(); ++k)
    out.push_back(introduce(of.function.parameters[k].name, of.state[k]));
  return out;
}

// What a round gives: whether there is another, and the values of that; else those of this.
Term Lowering::last(const l0::Expr& e, Last& of) {
  if (const auto* i = as<IfExpr>(e)) return last_of_branches(*i, of, e.region);
  if (const auto* b = as<BlockExpr>(e)) return last_of_block(*b, of);
  if (!of.rounds) return term(e);
  const auto* c = as<CallExpr>(e);
  const bool goes_on = c && c->function == of.function.name;
  std::vector<Expr> parts{truth(goes_on)};
  Shapes next;
  for (std::size_t k = 0; k < of.state.size(); ++k) {
    Term t = goes_on ? term(*c->arguments[k]) : variable(of.function.parameters[k].name);
    next.push_back(t.leaves[0]);
    parts.push_back(std::move(t.expr));
  }
  of.state = steady(of.state, next, e.region);
  return {tuple(std::move(parts)), {}};
}

Term Lowering::last_of_block(const BlockExpr& b, Last& of) {
  const LetBinding* result = result_of(b);
  Bound bound;
  for (std::size_t k = 0; k + (result ? 1 : 0) < b.bindings.size(); ++k) bind(b.bindings[k], bound);
  Term out = last(result ? *result->value : *b.result, of);
  out.expr = behind(std::move(bound), std::move(out.expr));
  return out;
}

Term Lowering::last_of_branches(const IfExpr& i, Last& of, const Region& at) {
  const std::string& f = of.function.name;
  if (!of.rounds && always_calls(*i.yes, f)) return last(*i.no, of);
  if (!of.rounds && always_calls(*i.no, f)) return last(*i.yes, of);
  Term condition = term(*i.condition), yes = last(*i.yes, of), no = last(*i.no, of);
  Shapes leaves = of.rounds ? Shapes{} : same(yes.leaves, no.leaves, at);
  return {Expr{surface::If{std::move(condition.expr), std::move(yes.expr), std::move(no.expr)}, {}}, std::move(leaves)};
}

}  // namespace lockstep::l0::lowering

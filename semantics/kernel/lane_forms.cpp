// Forms of index arithmetic (lane_forms.h). In: expressions and the loops around; out: polynomials.
#include "semantics/kernel/lane_forms.h"

#include <algorithm>

#include "semantics/core/size_limit.h"
#include "semantics/kernel/walk.h"

namespace lockstep::kernel {

const std::string LaneForms::lane = "#lane";

LaneForms::LaneForms(const Program& p, const SizeValues& sizes) {
  for (const auto& [name, n] : sizes) sizes_.emplace(name, Size(n));
  for (const std::string& s : p.sizes) values_[s] = at_sizes(Size::name(s));
  for (const SizeFact& f : p.facts) known_.assume(substitute(f, sizes_));
  each_statement(p.body, [&](const Stmt& s) {
    if (const auto* a = std::get_if<Assign>(&s.node)) assigned_.insert(a->name);
  });
}

std::optional<Size> LaneForms::form(const Expr& e) const try {
  const auto s = as_size(e);
  if (!s) return {};
  std::set<std::string> names;
  collect_names(*s, names);
  SizeSubstitution by;
  for (const std::string& n : names) {
    const auto value = values_.find(n);
    if (value == values_.end() || !value->second) return {};
    by.emplace(n, *value->second);
  }
  return known_.simplify(substitute(*s, by));
} catch (const SizeTooLarge&) {
  return {};
}

std::optional<bool> LaneForms::decided(const Expr& e, std::optional<std::int64_t> in_lane) const try {
  if (const auto* c = std::get_if<Const>(&e.node)) return c->value.bits != 0;
  const auto* a = std::get_if<Arith>(&e.node);
  if (!a) return {};
  if (a->op == ArithOp::And) {
    const auto left = decided(*a->left, in_lane), right = decided(*a->right, in_lane);
    if (left == false || right == false) return false;
    return left && right ? left : std::nullopt;
  }
  const auto left = form(*a->left), right = form(*a->right);
  if (!left || !right) return {};
  const auto here = [&](const Size& x) { return in_lane ? substitute(x, {{lane, Size(*in_lane)}}) : x; };
  const Size x = here(*left), y = here(*right);
  const auto holds = [&](SizeRelation yes, const SizeFact& no) -> std::optional<bool> {
    if (known_.proves({x, yes, y})) return true;
    return known_.proves(no) ? std::optional(false) : std::nullopt;
  };
  if (a->op == ArithOp::Less) return holds(SizeRelation::Less, {y, SizeRelation::LessEqual, x});
  if (a->op == ArithOp::LessEqual) return holds(SizeRelation::LessEqual, {y, SizeRelation::Less, x});
  return holds(SizeRelation::Equal, {x, SizeRelation::NotEqual, y});
} catch (const SizeTooLarge&) {
  return {};
}

namespace {

// Not falling where a name rises, and natural: no term is taken away, inside divisions neither.
bool rises(const Size& s) {
  return std::all_of(s.terms().begin(), s.terms().end(), [](const SizeTerm& t) {
    return t.coefficient > 0 && std::all_of(t.powers.begin(), t.powers.end(), [](const auto& p) {
             return !p.first.division || (rises(p.first.division->first) && p.first.division->second.constant());
           });
  });
}

}  // namespace

Times LaneForms::natural(const Expr& extent) try {
  const auto s = form(extent);
  if (!s) return {fresh("#extent"), false};
  if (const auto c = s->constant()) return {std::max<std::int64_t>(*c, 0), true};
  std::set<std::string> names;
  collect_names(*s, names);
  const bool of_loops =
      std::any_of(names.begin(), names.end(), [&](const std::string& n) { return most_.contains(n); });
  if (!of_loops && known_.proves_nonnegative(*s)) return {*s, true};
  const Size bound = positive_part(*s);
  if (!rises(bound)) return {fresh("#extent"), false};
  return {substitute(bound, most_), false};
} catch (const SizeTooLarge&) {
  return {fresh("#extent"), false};
}

// A name for what ranges over the naturals below; `most`: of it over the sizes.
Size LaneForms::symbol(const std::string& name, const std::optional<Size>& below, const Size& most) {
  const Size out = fresh("#" + name);
  if (below) known_.range(*out.as_name(), *below);
  most_.insert_or_assign(*out.as_name(), most);
  return out;
}

void LaneForms::same_for_all(const std::string& name, const Expr& extent, const Times& n) {
  values_[name] = n.n == Size(1) && n.exact ? Size(0) : symbol(name, form(extent), n.n - 1);
}

void LaneForms::dealt_to_lanes(const std::string& name, const Expr& extent, const Times& n, std::int64_t multiple,
                               std::int64_t lanes) {
  known_.range(lane, Size(lanes));
  most_.insert_or_assign(lane, Size(lanes - 1));
  const auto rounds = [&](const Size& all) { return floor_div(all + Size(multiple - 1), Size(multiple)); };
  const auto all = form(extent);
  const Size base = all && rounds(*all) == Size(1)
                        ? Size(0)
                        : symbol(name, all ? std::optional(rounds(*all)) : std::nullopt, rounds(n.n) - 1);
  values_[name] = Size(multiple) * base + Size::name(lane);
}

void LaneForms::declare(const Declare& d) {
  const bool is_index = d.init && d.type == KType{} && !assigned_.contains(d.name);
  values_[d.name] = is_index ? form(*d.init) : std::nullopt;
}

bool LaneForms::varies(const std::string& variable) const {
  const auto value = values_.find(variable);
  return value == values_.end() || !value->second || mentions(*value->second, lane);
}

std::set<std::string> LaneForms::positive_in(const std::optional<Size>& count) const {
  std::set<std::string> names, out;
  if (!count) return out;
  collect_names(*count, names);
  for (const std::string& n : names)
    if (!most_.contains(n) && substitute(*count, {{n, Size(0)}}) == Size(0)) out.insert(n);
  return out;
}

}  // namespace lockstep::kernel

// What stands in the same place in both languages: scalars, names, choices, blocks.
#include <algorithm>
#include <cmath>

#include "semantics/l0/scalar_functions.h"
#include "translate/l0/lower/lowering.h"

namespace lockstep::l0::lowering {
namespace {

Term scalar_term(ScalarType t, Expr e, std::optional<Size> number = {}) {
  return {std::move(e), {Shape{t, {}, std::move(number)}}};
}

// What floats cannot be written as is computed.
Expr written(const Scalar& s) {
  if (s.type != ScalarType::F64 || std::isfinite(s.ieee())) return source_of(s);
  const auto real = [](double x) { return source_of(make_ieee(ScalarType::F64, x)); };
  return binary("/", real(std::isnan(s.ieee()) ? 0.0 : s.ieee() > 0 ? 1.0 : -1.0), real(0.0));
}

}  // namespace

Term Lowering::term(const l0::Expr& e) {
  Term out = made(e);
  if (!out.expr.region.source) out.expr.region = e.region;
  return out;
}

Term Lowering::made(const l0::Expr& e) {
  return match(
      e.node, [&](const Literal& x) { return literal(x); }, [&](const TextLiteral& x) { return text(x); },
      [&](const l0::Variable& x) { return variable(x.name); }, [&](const TupleExpr& x) { return elements(x.items); },
      [&](const ArrayExpr& x) { return array(x, e.region); }, [&](const PrefixExpr& x) { return prefix(x); },
      [&](const InfixExpr& x) { return infix_term(x); }, [&](const IfExpr& x) { return choice(x, e.region); },
      [&](const BlockExpr& x) { return block(x); }, [&](const IndexExpr& x) { return indexed_term(x); },
      [&](const CallExpr& x) { return called(x, e.region); },
      [&](const BuiltInExpr& x) { return built_in(x, e.region); },
      [&](const ShiftExpr& x) { return shifted(term(*x.array), x.dimension, x.places); },
      [&](const FlattenExpr& x) { return flattened(term(*x.array), x.dimensions); },
      [&](const SoacExpr& x) { return soac(x, e.region); });
}

std::vector<Term> Lowering::terms(const std::vector<ExprRef>& all) {
  std::vector<Term> out;
  for (const ExprRef& e : all) out.push_back(term(*e));
  return out;
}

Term Lowering::literal(const Literal& l) {
  std::optional<Size> number;
  if (l.value.type == ScalarType::I64) number = Size(l.value.integer());
  return scalar_term(l.value.type, written(l.value), std::move(number));
}

Term Lowering::text(const TextLiteral& t) {
  const auto byte = [](char c) { return source_of(make_integer(ScalarType::U8, static_cast<unsigned char>(c))); };
  const Shape shape{ScalarType::U8, {Size(static_cast<std::int64_t>(t.text.size()))}, {}};
  if (t.text.empty()) return {call("replicate", {integer(0), byte('\0')}), {shape}};
  surface::ArrayLiteral all;
  for (const char c : t.text) all.parts.push_back(byte(c));
  return {Expr{std::move(all), {}}, {shape}};
}

Term Lowering::variable(const std::string& l0_name) const {
  const Variable& v = variables_.at(l0_name);
  return {v.stands_for ? *v.stands_for : name(v.name), {v.shape}};
}

Term Lowering::elements(const std::vector<ExprRef>& items) {
  std::vector<Expr> parts;
  Shapes leaves;
  for (Term& t : terms(items)) {
    parts.push_back(std::move(t.expr));
    leaves.insert(leaves.end(), t.leaves.begin(), t.leaves.end());
  }
  return {tuple(std::move(parts)), std::move(leaves)};
}

Term Lowering::prefix(const PrefixExpr& p) {
  Term t = term(*p.operand);
  return scalar_term(t.leaves[0].scalar, apply(operation(std::string(row_name(p.op))), {std::move(t.expr)}));
}

Term Lowering::infix_term(const InfixExpr& i) {
  const Term a = term(*i.left), b = term(*i.right);
  const ScalarType operand = a.leaves[0].scalar;
  const std::string row(row_name(i.op));
  if (i.op == Infix::Pow && operand == ScalarType::I64) {
    takes_powers_ = true;
    return scalar_term(operand, call(power, {a.expr, b.expr}));
  }
  std::optional<Size> number;
  const auto &x = a.leaves[0].number, &y = b.leaves[0].number;
  if (x && y && (i.op == Infix::Add || i.op == Infix::Sub || i.op == Infix::Mul)) number = combined(row[0], *x, *y);
  // natural numbers are divided as ints are
  if (x && y && (i.op == Infix::Div || i.op == Infix::Mod) && y->constant() && *y->constant() > 0 &&
      SizeContext().proves_nonnegative(*x))
    number = combined(row[0], *x, *y);
  return scalar_term(*result_of(i.op, operand),
                     apply(i.op == Infix::Pow ? name(row) : operation(row), {a.expr, b.expr}), std::move(number));
}

Term Lowering::called(const CallExpr& c, const Region& at) {
  if (const Function* own = function_named(entry_.program, c.function)) return recursion(*own, c, at);
  const ScalarFunction& f = *scalar_function_named(c.function);
  std::vector<Expr> arguments;
  ScalarType operand = ScalarType::I64;
  for (Term& t : terms(c.arguments)) {
    operand = t.leaves[0].scalar;
    arguments.push_back(std::move(t.expr));
  }
  return scalar_term(*result_of(f, operand), call(std::string(f.row), std::move(arguments)));
}

Shapes Lowering::same(const Shapes& a, const Shapes& b, const Region& at) {
  Shapes out = a;
  for (std::size_t k = 0; k < a.size(); ++k) {
    for (std::size_t d = 0; d < a[k].lengths.size(); ++d)
      out[k].lengths[d] = sizes_.same(a[k].lengths[d], b[k].lengths[d], at);
    if (a[k].number != b[k].number) out[k].number.reset();
  }
  return out;
}

Term Lowering::choice(const IfExpr& i, const Region& at) {
  Term condition = term(*i.condition), yes = term(*i.yes), no = term(*i.no);
  Shapes leaves = same(yes.leaves, no.leaves, at);
  return {Expr{surface::If{std::move(condition.expr), std::move(yes.expr), std::move(no.expr)}, {}}, std::move(leaves)};
}

std::string Lowering::introduce(const std::string& l0_name, Shape shape) {
  if (l0_name == "_") return fresh("unused");
  std::string shown = fresh(l0_name);
  variables_.insert_or_assign(l0_name, Variable{shown, std::move(shape), {}});
  return shown;
}

std::vector<std::string> names_in(const Pattern& p) {
  if (const auto* n = std::get_if<NamePattern>(&p.node)) return {n->name};
  std::vector<std::string> out;
  for (const Pattern& item : std::get<TuplePattern>(p.node).items)
    for (std::string& n : names_in(item)) out.push_back(std::move(n));
  return out;
}

void Lowering::bind(const Binding& x, Bound& bound) {
  Term value = match(
      x.node, [&](const LetBinding& l) { return term(*l.value); }, [&](const UpdateBinding& u) { return updated(u); },
      [&](const LoopBinding& l) { return loop(l, x.region); });
  const std::vector<std::string> l0_names = match(
      x.node, [](const LetBinding& l) { return names_in(l.pattern); },
      [](const UpdateBinding& u) { return std::vector{u.name}; },
      [](const LoopBinding& l) { return names_in(l.merge); });
  // What is always true is no value to be kept.
  if (const auto* l = std::get_if<surface::Literal>(&value.expr.node);
      l && l0_names.size() == 1 && l->digits == "true") {
    variables_.insert_or_assign(l0_names[0], Variable{"", value.leaves[0], value.expr});
    return;
  }
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < l0_names.size(); ++k) shown.push_back(introduce(l0_names[k], value.leaves.at(k)));
  if (!value.expr.region.source) value.expr.region = x.region;
  bound.emplace_back(pattern(shown), std::move(value.expr));
}

Expr Lowering::behind(Bound bound, Expr result) {
  // let x = e in x is e: it goes where the result goes.
  const auto is_result = [&](const surface::Pattern& p) {
    const auto* bound_name = std::get_if<surface::NamePattern>(&p.node);
    const auto* name = std::get_if<surface::Name>(&result.node);
    return bound_name && name && bound_name->name == name->name;
  };
  while (!bound.empty() && is_result(bound.back().first)) {
    result = std::move(bound.back().second);
    bound.pop_back();
  }
  for (auto at = bound.rbegin(); at != bound.rend(); ++at)
    result = let(std::move(at->first), std::move(at->second), std::move(result));
  return result;
}

Term Lowering::block(const BlockExpr& b) {
  Bound bound;
  for (const Binding& x : b.bindings) bind(x, bound);
  Term out = term(*b.result);
  out.expr = behind(std::move(bound), std::move(out.expr));
  return out;
}

}  // namespace lockstep::l0::lowering

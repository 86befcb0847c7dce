// The kernel language's trees: makers that fold constants, and the two ways between index arithmetic and Size. In:
// parts; out: trees.
#include "semantics/kernel/syntax.h"

#include <algorithm>

#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {

static bool same(const std::shared_ptr<const Primitive>& a, const std::shared_ptr<const Primitive>& b) {
  return a == b || (a && b && a->name == b->name);
}
bool operator==(const Apply& a, const Apply& b) {
  return same(a.primitive, b.primitive) && a.operand == b.operand && a.arguments == b.arguments;
}

bool operator==(const Atomic& a, const Atomic& b) {
  return same(a.primitive, b.primitive) && a.buffer == b.buffer && a.index == b.index && a.value == b.value;
}

// ------------------------------------------------------------------------------------------------- makers
Expr constant(std::int64_t n) {
  return {{ScalarType::I64, 1}, Const{make_integer(ScalarType::I64, static_cast<std::uint64_t>(n)), {}}};
}
Expr constant(const Scalar& s, std::string digits) { return {{s.type, 1}, Const{s, std::move(digits)}}; }
Expr variable(std::string name, KType type) { return {type, Var{std::move(name)}}; }
Expr load(std::string buffer, ScalarType t, Expr index) {
  return {{t, 1}, Load{std::move(buffer), ExprRef(std::move(index))}};
}

namespace {

std::optional<std::int64_t> number_of(const Expr& e) {
  const Const* c = std::get_if<Const>(&e.node);
  if (!c || e.type != KType{}) return std::nullopt;
  return c->value.integer();
}

std::optional<bool> truth_of(const Expr& e) {
  const Const* c = std::get_if<Const>(&e.node);
  if (!c || e.type != KType{ScalarType::Bool, 1}) return std::nullopt;
  return c->value.bits != 0;
}

Expr raw(ArithOp op, Expr a, Expr b) {
  bool number = op < ArithOp::Less;
  return {{number ? ScalarType::I64 : ScalarType::Bool, 1}, Arith{op, ExprRef(std::move(a)), ExprRef(std::move(b))}};
}

// Both operands known. Nothing where the result is not a number of 64 bits or an operand is not natural: that is for
// the program to meet when it runs.
std::optional<Expr> fold(ArithOp op, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  bool natural = a >= 0 && b > 0;
  switch (op) {
    case ArithOp::Add:
      return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(constant(r));
    case ArithOp::Subtract:
      return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(constant(r));
    case ArithOp::Multiply:
      return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(constant(r));
    case ArithOp::Divide:
      return natural ? std::optional(constant(a / b)) : std::nullopt;
    case ArithOp::Modulo:
      return natural ? std::optional(constant(a % b)) : std::nullopt;
    case ArithOp::Less:
      return constant(make_bool(a < b));
    case ArithOp::LessEqual:
      return constant(make_bool(a <= b));
    case ArithOp::Equal:
      return constant(make_bool(a == b));
    case ArithOp::And:
      return std::nullopt;
  }
  return std::nullopt;
}

// One operand known: units and zeros.
std::optional<Expr> fold_unit(ArithOp op, const Expr& a, const Expr& b) {
  auto is = [](const Expr& e, std::int64_t n) { return number_of(e) == n; };
  switch (op) {
    case ArithOp::Add:
      return is(a, 0) ? std::optional(b) : is(b, 0) ? std::optional(a) : std::nullopt;
    case ArithOp::Subtract:
      return is(b, 0) ? std::optional(a) : std::nullopt;
    case ArithOp::Multiply:
      if (is(a, 0) || is(b, 0)) return constant(0);
      return is(a, 1) ? std::optional(b) : is(b, 1) ? std::optional(a) : std::nullopt;
    case ArithOp::Divide:
      return is(b, 1) ? std::optional(a) : std::nullopt;
    case ArithOp::Modulo:
      return is(b, 1) ? std::optional(constant(0)) : std::nullopt;
    case ArithOp::And:
      if (auto t = truth_of(a)) return *t ? b : a;
      if (auto t = truth_of(b)) return *t ? a : b;
      return std::nullopt;
    case ArithOp::Less:
    case ArithOp::LessEqual:
    case ArithOp::Equal:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

Expr arith(ArithOp op, Expr a, Expr b) {
  auto x = number_of(a), y = number_of(b);
  if (x && y) {
    if (auto r = fold(op, *x, *y)) return *r;
  }
  if (auto r = fold_unit(op, a, b)) return *r;
  bool least = y == INT64_MIN;
  if (op == ArithOp::Add && y && *y < 0 && !least) return raw(ArithOp::Subtract, std::move(a), constant(-*y));
  return raw(op, std::move(a), std::move(b));
}

// ------------------------------------------------------------------------------------------------- sizes
namespace {

Size size_of_atom(const SizeAtom& a) {
  return a.name.empty() ? floor_div(a.division->first, a.division->second) : Size::name(a.name);
}

Size size_of_term(const SizeTerm& t) {
  Size s = t.coefficient;
  for (const auto& [atom, power] : t.powers)
    for (int k = 0; k < power; ++k) s = s * size_of_atom(atom);
  return s;
}

std::optional<SizeTerm> quotient(const SizeTerm& a, const SizeTerm& b) {
  if (a.coefficient % b.coefficient != 0) return std::nullopt;
  SizeTerm q{a.coefficient / b.coefficient, a.powers};
  for (const auto& factor : b.powers) {
    auto at =
        std::find_if(q.powers.begin(), q.powers.end(), [&](auto& p) { return compare(p.first, factor.first) == 0; });
    if (at == q.powers.end() || at->second < factor.second) return std::nullopt;
    at->second -= factor.second;
    if (at->second == 0) q.powers.erase(at);
  }
  return q;
}

struct Remainder {  // s = rest + factor * (dividend % divisor)
  Size rest, factor, dividend, divisor;
};

// A division a/b inside s whose terms are -k*b*(a/b): taking k*(a%b) out of s leaves fewer terms.
std::optional<Remainder> find_remainder(const Size& s) {
  for (const SizeTerm& term : s.terms()) {
    for (const auto& [atom, power] : term.powers) {
      if (!atom.name.empty() || power != 1) continue;
      const auto& [a, b] = *atom.division;
      if (b.terms().empty()) continue;
      SizeTerm lead = b.terms().front();
      lead.powers.emplace_back(atom, 1);
      auto k = quotient(term, lead);
      if (!k) continue;
      Size factor = Size(0) - size_of_term(*k);
      Size rest = s - factor * modulo(a, b);
      if (rest.terms().size() + 1 < s.terms().size()) return Remainder{rest, factor, a, b};
    }
  }
  return std::nullopt;
}

struct Sum {  // the parts to add, and those to subtract
  std::vector<Expr> plus, minus;
};

void add_product(Sum& sum, const SizeTerm& t, std::optional<Expr> more) {
  std::optional<Expr> product = std::move(more);
  auto times = [&](Expr e) { product = product ? arith(ArithOp::Multiply, *product, std::move(e)) : std::move(e); };
  for (const auto& [atom, power] : t.powers) {
    Expr e = atom.name.empty()
                 ? arith(ArithOp::Divide, size_expr(atom.division->first), size_expr(atom.division->second))
                 : variable(atom.name);
    for (int k = 0; k < power; ++k) times(e);
  }
  bool negative = t.coefficient < 0 && t.coefficient != INT64_MIN;
  std::int64_t magnitude = negative ? -t.coefficient : t.coefficient;
  if (!product || magnitude != 1) times(constant(magnitude));
  (negative ? sum.minus : sum.plus).push_back(*product);
}

}  // namespace

Expr size_expr(const Size& s) {
  Sum sum;
  Size rest = s;
  while (auto r = find_remainder(rest)) {
    Expr remainder = arith(ArithOp::Modulo, size_expr(r->dividend), size_expr(r->divisor));
    for (const SizeTerm& t : r->factor.terms()) add_product(sum, t, remainder);
    rest = r->rest;
  }
  Sum front;
  for (const SizeTerm& t : rest.terms()) add_product(front, t, std::nullopt);
  sum.plus.insert(sum.plus.begin(), front.plus.begin(), front.plus.end());
  sum.minus.insert(sum.minus.begin(), front.minus.begin(), front.minus.end());
  Expr e = sum.plus.empty() ? constant(0) : sum.plus.front();
  for (std::size_t k = 1; k < sum.plus.size(); ++k) e = arith(ArithOp::Add, e, sum.plus[k]);
  for (const Expr& m : sum.minus) e = arith(ArithOp::Subtract, e, m);
  return e;
}

std::optional<Size> as_size(const Expr& e) {
  if (e.type != KType{}) return std::nullopt;
  if (const Const* c = std::get_if<Const>(&e.node)) return Size(c->value.integer());
  if (const Var* v = std::get_if<Var>(&e.node)) return Size::name(v->name);
  const Arith* a = std::get_if<Arith>(&e.node);
  if (!a) return std::nullopt;
  auto x = as_size(*a->left), y = as_size(*a->right);
  if (!x || !y) return std::nullopt;
  bool by_nothing = y->constant() && *y->constant() < 1;
  switch (a->op) {
    case ArithOp::Add:
      return *x + *y;
    case ArithOp::Subtract:
      return *x - *y;
    case ArithOp::Multiply:
      return *x * *y;
    case ArithOp::Divide:
      return by_nothing ? std::nullopt : std::optional(floor_div(*x, *y));
    case ArithOp::Modulo:
      return by_nothing ? std::nullopt : std::optional(modulo(*x, *y));
    case ArithOp::Less:
    case ArithOp::LessEqual:
    case ArithOp::Equal:
    case ArithOp::And:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::int64_t> constant_of(const Expr& e) {
  auto s = as_size(e);
  return s ? s->constant() : std::nullopt;
}

}  // namespace lockstep::kernel

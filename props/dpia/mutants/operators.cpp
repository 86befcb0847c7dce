// Scalar operators as a target might get them wrong: operands swapped, regrouped, contracted, rounded, not wrapped. The
// kernel's operators are replaced; the source keeps its own.
#include <cmath>

#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

ExprChange on_operator(const std::string& name, const std::function<Expr(const Expr& e, const Apply& a)>& change) {
  return [name, change](const Expr& e) {
    const auto* a = std::get_if<Apply>(&e.node);
    return a && a->primitive->name == name ? change(e, *a) : e;
  };
}
Expr swapped(const Expr& e, const Apply& a) {
  return {e.type, Apply{a.primitive, a.operand, {a.arguments[1], a.arguments[0]}}};
}
const Apply* operator_in(const Expr& e, const std::string& name) {
  const auto* a = std::get_if<Apply>(&e.node);
  return a && a->primitive->name == name ? a : nullptr;
}

// a op (b op c) is (a op b) op c
Expr grouped_to_the_left(const Expr& e, const Apply& a) {
  const Apply* right = operator_in(*a.arguments[1], a.primitive->name);
  if (!right) return e;
  const Expr left{e.type, Apply{a.primitive, a.operand, {a.arguments[0], right->arguments[0]}}};
  return {e.type, Apply{a.primitive, a.operand, {left, right->arguments[1]}}};
}
// (a op b) op c is a op (b op c)
Expr grouped_to_the_right(const Expr& e, const Apply& a) {
  const Apply* left = operator_in(*a.arguments[0], a.primitive->name);
  if (!left) return e;
  const Expr right{e.type, Apply{a.primitive, a.operand, {left->arguments[1], a.arguments[1]}}};
  return {e.type, Apply{a.primitive, a.operand, {left->arguments[0], right}}};
}

using Meaning = std::function<Scalar(const ScalarOp& right, const Domain&, ScalarType, std::span<const Scalar>)>;
// The operator in the kernel has another meaning.
ExprChange meaning_of(const std::string& name, const Meaning& meaning) {
  return on_operator(name, [meaning](const Expr& e, const Apply& a) {
    Primitive p = *a.primitive;
    auto& op = std::get<ScalarOp>(p.kind);
    op.meaning = [meaning, right = op](const Domain& d, ScalarType t, std::span<const Scalar> x) {
      return meaning(right, d, t, x);
    };
    return Expr{e.type, Apply{std::make_shared<const Primitive>(std::move(p)), a.operand, a.arguments}};
  });
}
bool negative_result(ScalarType t, std::span<const Scalar> x) {
  return is_integer(t) && is_signed(t) && (x[0].integer() < 0) != (x[1].integer() < 0);
}

Scalar floored_quotient(const ScalarOp& op, const Domain& d, ScalarType t, std::span<const Scalar> x) {
  const Scalar q = op.meaning(d, t, x);
  if (!negative_result(t, x) || q.integer() * x[1].integer() == x[0].integer()) return q;
  return make_integer(t, static_cast<std::uint64_t>(q.integer() - 1));
}
Scalar floored_remainder(const ScalarOp& op, const Domain& d, ScalarType t, std::span<const Scalar> x) {
  const Scalar r = op.meaning(d, t, x);
  if (!negative_result(t, x) || r.bits == 0) return r;
  return make_integer(t, static_cast<std::uint64_t>(r.integer() + x[1].integer()));
}
// A shift by the width or more leaves nothing.
Scalar unmasked_shift(const ScalarOp& op, const Domain& d, ScalarType t, std::span<const Scalar> x) {
  if (x[1].bits >= static_cast<std::uint64_t>(bits_of(t))) return make_integer(t, 0);
  return op.meaning(d, t, x);
}
// Computed in 64 bits and never cut to the type.
Scalar not_wrapped(const ScalarOp& op, const Domain& d, ScalarType t, std::span<const Scalar> x) {
  if (!is_integer(t)) return op.meaning(d, t, x);
  return Scalar{t, x[0].bits * x[1].bits, {}};
}
Scalar saturated(const ScalarOp& op, const Domain& d, ScalarType t, std::span<const Scalar> x) {
  if (t != ScalarType::U8) return op.meaning(d, t, x);
  return make_integer(t, std::min<std::uint64_t>(x[0].bits + x[1].bits, 255));
}
Scalar nearest(const ScalarOp& op, const Domain& d, ScalarType t, std::span<const Scalar> x) {
  if (!is_float(t)) return op.meaning(d, t, x);
  const double v = std::nearbyint(d.to_ieee(x[0]));
  const Scalar whole[1] = {make_ieee(t, v)};
  return op.meaning(d, t, whole);
}

}  // namespace

void operator_mutants(std::vector<Mutant>& all) {
  const auto add = [&](const char* name, const char* description, const ExprChange& change,
                       std::vector<DirectedProgram> directed = {}) {
    Mutant m{name, "operator", description, standard_calculus, tools_with_last(on_expressions(change))};
    m.directed = std::move(directed);
    all.push_back(std::move(m));
  };
  add("subtraction-swapped", "a - b is b - a", on_operator("-", swapped));
  add("division-swapped", "a / b is b / a", on_operator("/", swapped));
  add("comparison-swapped", "a < b is b < a", on_operator("<", swapped));
  add("shift-swapped", "a << b is b << a", on_operator("<<", swapped));
  add("subtraction-regrouped", "a - (b - c) is (a - b) - c", on_operator("-", grouped_to_the_left),
      {{"fun main [n] (xs : [n]i32) (ys : [n]i32) : [n]i32 =\n"
        "  map (\\p -> 100 - (fst p - snd p)) (zip xs ys)\n"}});
  add("sum-regrouped", "a + (b + c) is (a + b) + c, also of floats", on_operator("+", grouped_to_the_left),
      {{"fun main [n] (xs : [n]f32) (ys : [n]f32) : [n]f32 =\n"
        "  map (\\p -> 0.1 + (fst p + snd p)) (zip xs ys)\n"}});
  add("product-regrouped", "(a * b) * c is a * (b * c), also of floats", on_operator("*", grouped_to_the_right),
      {{"fun main [n] (xs : [n]f32) (ys : [n]f32) : [n]f32 =\n"
        "  map (\\p -> 0.1 * fst p * snd p) (zip xs ys)\n"}});
  add("contracted", "a * b + c is rounded once",
      on_operator(
          "+",
          [](const Expr& e, const Apply& a) {
            const Apply* product = operator_in(*a.arguments[0], "*");
            if (!product || !is_float(e.type.scalar)) return e;
            const PrimitiveRef fma = standard_calculus().primitive("fma");
            return Expr{e.type, Apply{fma, a.operand, {product->arguments[0], product->arguments[1], a.arguments[1]}}};
          }),
      {{"fun main [n] (xs : [n]f32) (ys : [n]f32) : [n]f32 =\n"
        "  map (\\p -> fst p * snd p + 0.1) (zip xs ys)\n"}});
  // The stage that states it leaves none for one that does not.
  all.back().tools.stages = [stages = all.back().tools.stages](const DpiaLanguages& l, Machine machine) {
    std::vector<Stage> out = stages(l, machine);
    std::erase_if(out, [](const Stage& s) { return s.name == "contract"; });
    return out;
  };
  add("zero-times-anything", "0 * x is 0, also where x is no number",
      on_operator("*",
                  [](const Expr& e, const Apply& a) {
                    for (const ExprRef& x : a.arguments)
                      if (const auto* c = std::get_if<Const>(&x->node);
                          c && is_float(e.type.scalar) && c->value.ieee() == 0)
                        return *x;
                    return e;
                  }),
      {{"fun main (x : f32) : f32 = (x - x) / (x - x) * 0.0\n"}});
  add("difference-of-equals", "x - x is 0, also of infinities",
      on_operator("-",
                  [](const Expr& e, const Apply& a) {
                    if (!(*a.arguments[0] == *a.arguments[1]) || e.type.width > 1 || !is_float(e.type.scalar)) return e;
                    return Expr{e.type, Const{make_ieee(e.type.scalar, 0), "0.0"}};
                  }),
      {{"fun main (x : f32) : f32 = let y = 1.0 / (x - x) in y - y\n"}});
  add("negation-from-zero", "-x is 0 - x, also of zeros",
      on_operator("neg",
                  [](const Expr& e, const Apply& a) {
                    if (e.type.width > 1 || !is_float(e.type.scalar)) return e;
                    const Expr zero{e.type, Const{make_ieee(e.type.scalar, 0), "0.0"}};
                    return Expr{e.type, Apply{standard_calculus().primitive("-"), a.operand, {zero, a.arguments[0]}}};
                  }),
      {{"fun main (x : f32) : f32 = -(x - x)\n"}});
  add("quotient-floors", "a quotient rounds down, not toward zero", meaning_of("/", floored_quotient));
  add("remainder-floors", "a remainder has the divisor's sign", meaning_of("%", floored_remainder));
  add("conversion-rounds", "a float becomes the nearest integer", meaning_of("i32", nearest),
      {{"fun main [n] (xs : [n]f32) : [n]i32 = map (\\x -> i32 (x / 3.0)) xs\n"}});
  add("shift-not-masked", "a shift by the width leaves nothing", meaning_of("<<", unmasked_shift),
      {{"fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x << 33) xs\n"}});
  add("product-not-wrapped", "a product is not cut to its type", meaning_of("*", not_wrapped),
      {{"fun main [n] (xs : [n]u8) : [n]u8 = map (\\x -> (x | 128) * 3) xs\n"}});
  add("sum-saturates", "a sum of bytes stops at 255", meaning_of("+", saturated),
      {{"fun main [n] (xs : [n]u8) : [n]u8 = map (\\x -> (x | 128) + 200) xs\n"}});
}

}  // namespace lockstep::props

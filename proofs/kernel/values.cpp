// Terms (terms.h): operators that are relations, values at numbers, and text for people.
#include <algorithm>

#include "proofs/kernel/terms.h"
#include "semantics/kernel/print.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs::kernels {

using namespace kernel;

// ------------------------------------------------------------------------------------------------------ operators
std::optional<Term> plain(const Apply& a) {
  if (!a.primitive || a.operand.width != 1 || is_float(a.operand.scalar)) return {};
  const auto& op = std::get<ScalarOp>(a.primitive->kind);
  const Term &x = *a.arguments.at(0), &y = *a.arguments.back();
  if (a.operand.scalar == ScalarType::Bool) {
    if (op.decided_by) return *op.decided_by ? either(x, y) : both(x, y);
    return op.negates ? std::optional(negation(x)) : std::nullopt;
  }
  if (!op.compares) return {};
  const auto& [relation, swapped] = *op.compares;
  const bool is_signed_here = a.operand.scalar != ScalarType::U64;  // numbers are read as signed
  switch (relation) {
    case Comparison::Equal:
      return equal(x, y);
    case Comparison::NotEqual:
      return negation(equal(x, y));
    case Comparison::Less:
      if (is_signed_here) return swapped ? less(y, x) : less(x, y);
      return {};
    case Comparison::LessEqual:
      if (is_signed_here) return swapped ? less_equal(y, x) : less_equal(x, y);
      return {};
  }
  throw Bug("comparison");
}

// ------------------------------------------------------------------------------------------------------ values
namespace {

std::optional<std::int64_t> apply_arith(ArithOp op, std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  switch (op) {
    case ArithOp::Add:
      return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case ArithOp::Subtract:
      return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case ArithOp::Multiply:
      return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
    case ArithOp::Divide:
      return a < 0 || b < 1 ? std::nullopt : std::optional(a / b);
    case ArithOp::Modulo:
      return a < 0 || b < 1 ? std::nullopt : std::optional(a % b);
    case ArithOp::Less:
      return a < b;
    case ArithOp::LessEqual:
      return a <= b;
    case ArithOp::Equal:
      return a == b;
    case ArithOp::And:
      return a != 0 && b != 0;
  }
  return {};
}

}  // namespace

std::optional<std::int64_t> evaluate(const Term& a, const SizeValues& values, std::optional<std::int64_t> inputs) {
  using Value = std::optional<std::int64_t>;
  return match(
      a.node,
      [](const Const& c) -> Value {
        if (is_float(c.value.type)) return {};
        return c.value.integer();
      },
      [&](const Var& v) -> Value {
        const auto it = values.find(v.name);
        return it == values.end() ? Value{} : Value{it->second};
      },
      [&](const Arith& x) -> Value {
        const Value l = evaluate(*x.left, values, inputs), r = evaluate(*x.right, values, inputs);
        return l && r ? apply_arith(x.op, *l, *r) : Value{};
      },
      [&](const Load& l) -> Value { return is_input_state(l.buffer) && !is_float(a.type.scalar) ? inputs : Value{}; },
      [](const VectorLoad&) -> Value { return {}; },
      [&](const Apply& x) -> Value {
        const auto relation = plain(x);
        return relation ? evaluate(*relation, values, inputs) : std::nullopt;
      },
      [&](const Choose& x) -> Value {
        const Value c = evaluate(*x.condition, values, inputs);
        return c ? evaluate(*c ? *x.then : *x.otherwise, values, inputs) : Value{};
      },
      [](const Lane&) -> Value { return {}; }, [](const Build&) -> Value { return {}; },
      [](const Splat&) -> Value { return {}; });
}

std::string show_name(const std::string& name) {
  std::string out = name.starts_with("#") ? name.substr(1) : name;
  const bool other = out.ends_with("^");
  if (other) out.pop_back();
  return unspelled(plain_name(out)) + (other ? "'" : "");
}

std::string show_term(const Term& a) {
  std::string out = print(rename(a, show_name));
  std::erase(out, '`');
  return out;
}

}  // namespace lockstep::proofs::kernels

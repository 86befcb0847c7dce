// Expressions to closures.
#include "semantics/kernel/run_expressions.h"

#include <array>

#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {

void ill_formed(const std::string& what) { throw Bug("the kernel interpreter was given " + what); }

namespace {

// Compiled code has no trap of the operator's own, only what a check says before it.
Scalar apply(Machine& m, const ScalarOp& op, ScalarType t, std::span<const Scalar> arguments, const Region& from) {
  try {
    return op.meaning(m.domain, t, arguments);
  } catch (const TrapSignal& signal) {
    m.fault(
        FaultKind::Unguarded,
        signal.trap.primitive + " traps without a check before it" + in_parentheses(from) + ": " + signal.trap.message,
        {from});
  }
}

// ------------------------------------------------------------------------------------------------- index arithmetic
template <class F>
Word binary(Word a, Word b, F f) {
  return [a = std::move(a), b = std::move(b), f](Machine& m) {
    std::uint64_t x = a(m);
    return static_cast<std::uint64_t>(f(m, signed_of(x), signed_of(b(m))));
  };
}

using I = std::int64_t;
using Overflows = bool (*)(I, I, I*);

template <Overflows f>
I in_range(Machine& m, I a, I b) {
  I r = 0;
  const bool overflows = f(a, b, &r);
  m.require_index(overflows, r);
  return r;
}
bool sum(I a, I b, I* r) { return __builtin_add_overflow(a, b, r); }
bool difference(I a, I b, I* r) { return __builtin_sub_overflow(a, b, r); }
bool product(I a, I b, I* r) { return __builtin_mul_overflow(a, b, r); }

void require_naturals(Machine& m, std::int64_t a, std::int64_t b, const Region& from) {
  if (a >= 0 && b > 0) return;
  m.fault(FaultKind::BadDivision, "index " + std::to_string(a) + " is divided by " + std::to_string(b), {from});
}

Word arithmetic(ArithOp op, Word a, Word b, const Region* from) {
  switch (op) {
    case ArithOp::Add:
      return binary(a, b, in_range<sum>);
    case ArithOp::Subtract:
      return binary(a, b, in_range<difference>);
    case ArithOp::Multiply:
      return binary(a, b, in_range<product>);
    case ArithOp::Divide:
      return binary(a, b, [from](Machine& m, I x, I y) { return require_naturals(m, x, y, *from), x / y; });
    case ArithOp::Modulo:
      return binary(a, b, [from](Machine& m, I x, I y) { return require_naturals(m, x, y, *from), x % y; });
    case ArithOp::Less:
      return binary(a, b, [](Machine&, I x, I y) { return x < y; });
    case ArithOp::LessEqual:
      return binary(a, b, [](Machine&, I x, I y) { return x <= y; });
    case ArithOp::Equal:
      return binary(a, b, [](Machine&, I x, I y) { return x == y; });
    case ArithOp::And:
      return binary(a, b, [](Machine&, I x, I y) { return x & y; });
  }
  ill_formed("an unknown operator");
}

Word bits(Number n) {
  return [n = std::move(n)](Machine& m) { return n(m).bits; };
}
const ScalarOp* operator_of(const Apply& a) {
  const ScalarOp* op = a.primitive ? std::get_if<ScalarOp>(&a.primitive->kind) : nullptr;
  if (!op) ill_formed("an application of what is no scalar operator");
  return op;
}

const Slot& innermost(const std::vector<Slot>& slots, const std::string& name) {
  for (auto s = slots.rbegin(); s != slots.rend(); ++s)
    if (s->name == name) return *s;
  ill_formed("the undeclared name '" + name + "'");
}

}  // namespace

const Slot& Slots::variable(const std::string& name) const { return innermost(variables, name); }
const Slot& Slots::memory(const std::string& name) const { return innermost(memories, name); }

Word ExpressionCompiler::word(const Expr& e) const {
  if (e.type.width != 1 || is_float(e.type.scalar)) ill_formed("a float or vector where an integer belongs");
  return match(
      e.node, [&](const Const& c) -> Word { return [w = c.value.bits](Machine&) { return w; }; },
      [&](const Var& v) -> Word {
        const Slot& s = slots_.variable(v.name);
        if (s.index) return [at = s.at](Machine& m) { return m.values[at].bits; };
        return [at = s.at, from = from(e)](Machine& m) { return m.get(at, *from).bits; };
      },
      [&](const Arith& a) { return arithmetic(a.op, word(*a.left), word(*a.right), from(e)); },
      [&](const Load& l) -> Word {
        return [b = slots_.memory(l.buffer).at, i = word(*l.index), from = from(e)](Machine& m) {
          return m.read(b, signed_of(i(m)), *from).bits;
        };
      },
      [&](const VectorLoad&) -> Word { ill_formed("a vector load as a scalar"); },
      [&](const Apply&) { return bits(number(e)); },
      [&](const Choose& c) -> Word {
        return [c = word(*c.condition), a = word(*c.then), b = word(*c.otherwise)](Machine& m) {
          return c(m) ? a(m) : b(m);
        };
      },
      [&](const Lane&) { return bits(number(e)); }, [&](const Build&) -> Word { ill_formed("a vector as a scalar"); },
      [&](const Splat&) -> Word { ill_formed("a vector as a scalar"); });
}
Scalar ExpressionCompiler::constant_of(const Const& c) const {
  if (!is_float(c.value.type)) return c.value;
  return c.digits.empty() ? domain_.from_ieee(c.value.type, c.value.ieee()) : domain_.literal(c.value.type, c.digits);
}

Number ExpressionCompiler::number(const Expr& e) const {
  return match(
      e.node, [&](const Const& c) -> Number { return [s = constant_of(c)](Machine&) { return s; }; },
      [&](const Var& v) -> Number {
        const Slot& s = slots_.variable(v.name);
        if (s.index) return [at = s.at](Machine& m) { return m.values[at]; };
        return [at = s.at, from = from(e)](Machine& m) { return m.get(at, *from); };
      },
      [&](const Arith&) {
        return Number([t = e.type.scalar, w = word(e)](Machine& m) { return Scalar{t, w(m), {}}; });
      },
      [&](const Load& l) -> Number {
        return [b = slots_.memory(l.buffer).at, i = word(*l.index), from = from(e)](Machine& m) {
          return m.read(b, signed_of(i(m)), *from);
        };
      },
      [&](const VectorLoad&) -> Number { ill_formed("a vector load as a scalar"); },
      [&](const Apply& a) { return application(e, a); },
      [&](const Choose& c) -> Number {
        return [c = word(*c.condition), a = number(*c.then), b = number(*c.otherwise)](Machine& m) {
          return c(m) ? a(m) : b(m);
        };
      },
      [&](const Lane& l) { return lane(e, l); }, [&](const Build&) -> Number { ill_formed("a vector as a scalar"); },
      [&](const Splat&) -> Number { ill_formed("a vector as a scalar"); });
}

Number ExpressionCompiler::application(const Expr& e, const Apply& a) const {
  const ScalarOp* op = operator_of(a);
  ScalarType t = a.operand.scalar;
  const Region* from = this->from(e);
  std::vector<Number> xs;
  for (const ExprRef& x : a.arguments) xs.push_back(number(*x));
  if (xs.size() == 1)
    return [op, t, x = xs[0], from](Machine& m) {
      m.count(1);
      return apply(m, *op, t, std::array{x(m)}, *from);
    };
  if (xs.size() == 2)
    return [op, t, x = xs[0], y = xs[1], from](Machine& m) {
      std::array arguments{x(m), y(m)};
      m.count(1);
      return apply(m, *op, t, arguments, *from);
    };
  return [op, t, xs, from](Machine& m) {
    std::vector<Scalar> arguments;
    for (const Number& x : xs) arguments.push_back(x(m));
    m.count(1);
    return apply(m, *op, t, arguments, *from);
  };
}

Number ExpressionCompiler::lane(const Expr& e, const Lane& l) const {
  std::int64_t width = l.vector->type.width;
  return [v = lanes(*l.vector), i = word(*l.lane), width, from = from(e)](Machine& m) {
    std::array<Scalar, most_lanes> all;
    v(m, all.data());
    std::int64_t k = signed_of(i(m));
    if (k < 0 || k >= width)
      m.fault(FaultKind::OutOfBounds, "lane " + std::to_string(k) + " of " + std::to_string(width), {*from});
    return all[static_cast<std::size_t>(k)];
  };
}

LanesOf ExpressionCompiler::lanes(const Expr& e) const {
  auto width = static_cast<std::size_t>(e.type.width);
  if (width > most_lanes) ill_formed("a vector of more than 16 lanes");
  if (width == 1) return [n = number(e)](Machine& m, Scalar* out) { *out = n(m); };
  return match(
      e.node, [&](const Const&) -> LanesOf { ill_formed("a constant vector"); },
      [&](const Var& v) -> LanesOf {
        return [at = slots_.variable(v.name).at, width, from = from(e)](Machine& m, Scalar* out) {
          for (std::size_t k = 0; k < width; ++k) out[k] = m.get(at + k, *from);
        };
      },
      [&](const Arith&) -> LanesOf { ill_formed("index arithmetic on vectors"); },
      [&](const Load&) -> LanesOf { ill_formed("a scalar load as a vector"); },
      [&](const VectorLoad& l) -> LanesOf {
        return [b = slots_.memory(l.buffer).at, i = word(*l.index), width, from = from(e)](Machine& m, Scalar* out) {
          std::int64_t at = signed_of(i(m));
          for (std::size_t k = 0; k < width; ++k) out[k] = m.read(b, at + static_cast<std::int64_t>(k), *from);
        };
      },
      [&](const Apply& a) { return lanewise(e, a); },
      [&](const Choose& c) -> LanesOf {
        return [c = word(*c.condition), a = lanes(*c.then), b = lanes(*c.otherwise)](Machine& m, Scalar* out) {
          return c(m) ? a(m, out) : b(m, out);
        };
      },
      [&](const Lane&) -> LanesOf { ill_formed("a lane as a vector"); },
      [&](const Build& b) -> LanesOf {
        std::vector<Number> ns;
        for (const ExprRef& l : b.lanes) ns.push_back(number(*l));
        return [ns](Machine& m, Scalar* out) {
          for (const Number& n : ns) *out++ = n(m);
        };
      },
      [&](const Splat& s) -> LanesOf {
        return [n = number(*s.scalar), width](Machine& m, Scalar* out) { std::fill_n(out, width, n(m)); };
      });
}

LanesOf ExpressionCompiler::lanewise(const Expr& e, const Apply& a) const {
  const auto width = static_cast<std::size_t>(e.type.width);
  const ScalarOp* op = operator_of(a);
  std::vector<LanesOf> xs;
  for (const ExprRef& x : a.arguments) xs.push_back(lanes(*x));
  return [op, t = a.operand.scalar, xs, width, from = from(e)](Machine& m, Scalar* out) {
    std::vector<std::array<Scalar, most_lanes>> all(xs.size());
    for (std::size_t k = 0; k < xs.size(); ++k) xs[k](m, all[k].data());
    std::vector<Scalar> arguments(xs.size());
    m.count(static_cast<std::int64_t>(width));
    for (std::size_t l = 0; l < width; ++l) {
      for (std::size_t k = 0; k < xs.size(); ++k) arguments[k] = all[k][l];
      out[l] = apply(m, *op, t, arguments, *from);
    }
  };
}

}  // namespace lockstep::kernel

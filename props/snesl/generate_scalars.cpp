// Random SNESL expressions of scalar types.
#include "props/snesl/generate_state.h"
#include "semantics/snesl/builtins.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::prim;

namespace {

// Reductions that trap on nothing.
bool needs_some(const std::string& f) { return f == "maximum" || f == "minimum" || f.starts_with("reduce1-"); }

}  // namespace

// What & may count to: a few, seldom a negative number.
Expr Generator::small(int b) {
  std::vector<Expr> known;
  for (const Variable& v : scope_)
    if (v.small) known.push_back(make::name(v.name));
  if (!known.empty() && random_.percent(60)) {
    Expr x = random_.among(known);
    return random_.percent(30) ? make::infix(Infix::Add, std::move(x), make::number(1)) : x;
  }
  if (b > 2 && random_.percent(40)) {
    if (random_.percent(50)) return make::prefix(Prefix::Length, some_sequence(b - 1).first);
    Expr n = expression(prim(Prim::Int), b - 2);
    return random_.percent(85) ? make::infix(Infix::BitAnd, std::move(n), make::number(3))
                               : make::infix(Infix::Mod, std::move(n), make::number(4));
  }
  return make::number(random_.percent(3) ? -1 : random_.below(5));
}

Expr Generator::divisor(int b) {
  if (random_.percent(70)) return make::number(random_.percent(15) ? -1 : 1 + random_.below(4));
  if (random_.percent(70)) return make::infix(Infix::BitOr, expression(prim(Prim::Int), b - 2), make::number(1));
  return expression(prim(Prim::Int), b);
}

Expr Generator::reduction(Prim p, int b) {
  static const std::vector<std::string> all{"sum",     "product", "maximum",      "minimum",       "sum",
                                            "product", "sum",     "reduce1-plus", "reduce1-times", "reduce1-max"};
  const std::string& f = random_.among(all);
  Expr s = expression(snesl::sequence_of(prim(p)), b - 1);
  if (needs_some(f) && !random_.percent(15)) {
    Expr one = make::sequence({leaf(prim(p))});
    s = random_.percent(50) ? make::append(std::move(s), std::move(one)) : make::append(std::move(one), std::move(s));
  }
  return make::call(f, {std::move(s)});
}

Expr Generator::reduced(Prim p, Expr s) {
  static const std::vector<std::string> of_numbers{"sum",     "product", "sum",          "product",
                                                   "maximum", "minimum", "reduce1-plus", "reduce1-min"};
  static const std::vector<std::string> of_flags{"reduce-or",  "reduce-and", "reduce-or",
                                                 "reduce-and", "reduce1-or", "reduce1-and"};
  const std::string& f = random_.among(p == Prim::Bool ? of_flags : of_numbers);
  if (needs_some(f)) s = make::append(std::move(s), make::sequence({literal(p)}));
  return make::call(f, {std::move(s)});
}

// Two operations on the same operands, or two reductions of one sequence.
Expr Generator::used_twice(Prim p, int b) {
  static const std::vector<Infix> all{Infix::Add, Infix::Sub, Infix::Mul, Infix::Sub};
  const std::string x = "a" + std::to_string(count_++), y = "b" + std::to_string(count_++);
  const Infix outer = random_.among(all);
  if (random_.percent(50)) {
    Expr s = expression(snesl::sequence_of(prim(p)), b - 4);
    Expr left = reduced(p, make::name(x));
    return make::let(make::bind(x), std::move(s), make::infix(outer, std::move(left), reduced(p, make::name(x))));
  }
  Expr first = expression(prim(p), b / 2 - 2), second = expression(prim(p), b / 2 - 2);
  const bool turned = random_.percent(40);
  const Infix op = random_.among(all);
  Expr left = make::infix(op, make::name(x), make::name(y));
  Expr right = turned ? make::infix(op, make::name(y), make::name(x))
                      : make::infix(random_.among(all), make::name(x), make::name(y));
  return make::let(make::bind(x), std::move(first),
                   make::let(make::bind(y), std::move(second), make::infix(outer, std::move(left), std::move(right))));
}

// What may fail or touches a file.
Expr Generator::unused(int b) {
  const auto divided = [&] {
    Expr left = expression(prim(Prim::Int), b / 2);
    const Infix op = random_.percent(50) ? Infix::Div : Infix::Mod;
    return make::infix(op, std::move(left), expression(prim(Prim::Int), b / 2));
  };
  return random_.one_of(
      Way{1, divided}, Way{1, [&] { return make::call("int", {expression(prim(Prim::Real), b)}); }},
      Way{1, [&] { return make::call("read_file", {make::text(random_.percent(40) ? "missing" : "lines")}); }},
      Way{1, [&] { return make::call("the", {expression(snesl::sequence_of(prim(Prim::Int)), b)}); }});
}

// A built-in that is an operator's row.
Expr Generator::function_to(Prim result, int b) {
  std::vector<const snesl::elaboration::ScalarFunction*> fit;
  for (const auto& f : snesl::elaboration::scalar_functions())
    if (f.result == result) fit.push_back(&f);
  const auto& f = *random_.among(fit);
  std::vector<Expr> arguments;
  for (const Prim p : f.operands)
    arguments.push_back(expression(prim(p), (b - 1) / static_cast<int>(f.operands.size())));
  return make::call(std::string(f.name), std::move(arguments));
}

// `&&` or `||` whose right side would trap were it evaluated where the left one says that it is not.
Expr Generator::guarded_by_left(int b) {
  const bool all = random_.percent(50);
  const std::string x = "c" + std::to_string(count_++);
  const auto of = [&](Expr value, Infix fits, Infix fails, Expr bound, Expr left, Expr right) {
    Expr condition = make::infix(all ? fits : fails, std::move(left), std::move(bound));
    right = make::infix(Infix::Gt, std::move(right), make::number(random_.below(4)));
    return make::let(make::bind(x), std::move(value),
                     make::infix(all ? Infix::OpAnd : Infix::OpOr, std::move(condition), std::move(right)));
  };
  const auto divided = [&] {
    Expr value = expression(prim(Prim::Int), b / 2);
    if (random_.percent(60)) value = make::infix(Infix::BitAnd, std::move(value), make::number(1));
    const Infix op = random_.percent(50) ? Infix::Div : Infix::Mod;
    return of(std::move(value), Infix::Ne, Infix::Eq, make::number(0), make::name(x),
              make::infix(op, expression(prim(Prim::Int), b / 2), make::name(x)));
  };
  const auto indexed = [&] {
    const int i = random_.below(4);
    return of(expression(snesl::vector_of(prim(Prim::Int)), b - 2), Infix::Gt, Infix::Le, make::number(i),
              make::prefix(Prefix::Length, make::name(x)), make::index(make::name(x), make::number(i)));
  };
  const auto converted = [&] {
    return of(expression(prim(Prim::Real), b - 2), Infix::Lt, Infix::Ge, {Literal{snesl::real_atom(1e9)}, {}},
              make::call("abs", {make::name(x)}), make::call("int", {make::name(x)}));
  };
  return random_.one_of(Way{2, divided}, Way{1, indexed}, Way{1, converted});
}

void Generator::of_bool(int b, Makers& out) {
  for (int k = 0; k < 3; ++k) out.push_back([this, b] { return guarded_by_left(b); });
  out.push_back([this, b] { return function_to(Prim::Bool, b); });
  out.push_back([this, b] {
    static const std::vector<Infix> all{Infix::Eq, Infix::Ne, Infix::Lt, Infix::Le, Infix::Gt, Infix::Ge};
    const Prim p = random_prim();
    const int mine = part(b);
    Expr left = expression(prim(p), mine);
    const bool widened = p == Prim::Char && random_.percent(30);
    const Infix op = random_.among(all);
    return make::infix(op, std::move(left), expression(prim(widened ? Prim::Int : p), b - mine - 1));
  });
  out.push_back([this, b] {
    static const std::vector<Infix> all{Infix::OpOr, Infix::OpAnd, Infix::BitOr, Infix::BitXor, Infix::BitAnd};
    const int mine = part(b);
    Expr left = expression(prim(Prim::Bool), mine);
    const Infix op = random_.among(all);
    return make::infix(op, std::move(left), expression(prim(Prim::Bool), b - mine - 1));
  });
  out.push_back([this, b] { return make::prefix(Prefix::Not, expression(prim(Prim::Bool), b - 1)); });
  out.push_back([this, b] { return make::call("empty", {some_sequence(b - 1).first}); });
  out.push_back([this, b] {
    static const std::vector<std::string> all{"reduce-or", "reduce-and", "reduce-or", "reduce-and", "reduce1-or"};
    const std::string& name = random_.among(all);
    return make::call(name, {expression(snesl::sequence_of(prim(Prim::Bool)), b - 1)});
  });
}

void Generator::of_int(int b, Makers& out) {
  out.push_back([this, b] { return function_to(Prim::Int, b); });
  out.push_back([this, b] {
    static const std::vector<Infix> all{Infix::Add, Infix::Sub, Infix::Mul, Infix::Add,   Infix::Sub,    Infix::Div,
                                        Infix::Mod, Infix::Shl, Infix::Shr, Infix::BitOr, Infix::BitXor, Infix::BitAnd};
    const Infix op = random_.among(all);
    const int mine = part(b);
    Expr left = expression(prim(random_.percent(8) ? Prim::Char : Prim::Int), mine);
    if (op == Infix::Div || op == Infix::Mod) return make::infix(op, std::move(left), divisor(b - mine - 1));
    return make::infix(op, std::move(left), expression(prim(Prim::Int), b - mine - 1));
  });
  out.push_back([this, b] { return make::prefix(Prefix::Negate, expression(prim(Prim::Int), b - 1)); });
  out.push_back([this, b] { return make::prefix(Prefix::Length, some_sequence(b - 1).first); });
  out.push_back([this, b] {
    Expr v = expression(snesl::vector_of(random_type(1, true)), b - 1);
    return random_.percent(50) ? make::prefix(Prefix::Length, std::move(v)) : make::call("length", {std::move(v)});
  });
  out.push_back([this, b] { return reduction(Prim::Int, b); });
  out.push_back([this, b] { return reduction(Prim::Int, b); });
  out.push_back([this, b] {
    Prim p = random_prim();
    Expr e = expression(prim(p), b - 2);
    if (p == Prim::Real && random_.percent(80))  // within the integers
      e = make::call("max", {make::call("min", {std::move(e), literal(Prim::Real)}), literal(Prim::Real)});
    return make::call("int", {std::move(e)});
  });
}

void Generator::of_real(int b, Makers& out) {
  out.push_back([this, b] {
    static const std::vector<Infix> all{Infix::Add, Infix::Sub, Infix::Mul, Infix::Div, Infix::Mod};
    const int mine = part(b);
    Expr left = expression(prim(Prim::Real), mine);
    const Infix op = random_.among(all);
    return make::infix(op, std::move(left), expression(prim(Prim::Real), b - mine - 1));
  });
  for (int k = 0; k < 6; ++k) out.push_back([this, b] { return function_to(Prim::Real, b); });
  out.push_back([this, b] { return make::call("real", {expression(prim(random_prim()), b - 1)}); });
  out.push_back([this, b] { return make::prefix(Prefix::Negate, expression(prim(Prim::Real), b - 1)); });
  out.push_back([this, b] { return reduction(Prim::Real, b); });
  out.push_back([this, b] { return reduction(Prim::Real, b); });
}

void Generator::of_char(int b, Makers& out) {
  out.push_back([this, b] {
    Prim p = random_prim();
    if (p == Prim::Real) p = Prim::Int;
    return make::call("char", {expression(prim(p), b - 1)});
  });
}

void Generator::of_prim(Prim p, int b, Makers& out) {
  if (p == Prim::Bool) of_bool(b, out);
  if (p == Prim::Int) of_int(b, out);
  if (p == Prim::Real) of_real(b, out);
  if (p == Prim::Char) of_char(b, out);
  out.push_back([this, p, b] {
    Expr c = expression(prim(Prim::Bool), b / 3);
    Expr yes = expression(prim(p), b / 3);
    return make::select(std::move(c), std::move(yes), expression(prim(p), b / 3));
  });
  if (p == Prim::Int || p == Prim::Real) {
    out.push_back([this, p, b] { return used_twice(p, b); });
    out.push_back([this, p, b] {
      static const std::vector<std::string> all{"min", "max", "abs"};
      const std::string& f = random_.among(all);
      Expr a = expression(prim(p), b / 2);
      if (f == "abs") return make::call(f, {std::move(a)});
      return make::call(f, {std::move(a), expression(prim(p), b / 2)});
    });
  }
}

}  // namespace lockstep::props::stream

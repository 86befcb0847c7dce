// Random expressions of scalars and short vectors. Most operations are kept from trapping; some are not.
#include "props/dpia/generate_state.h"

namespace lockstep::props {

namespace {
Type same(ScalarType t) { return scalar(t); }
}  // namespace

std::vector<std::string> named_operators(Operands of, int arity) {
  std::vector<std::string> out;
  for (const ScalarOp& op : scalars::operators())
    if (op.operands == of && static_cast<const int&>(op.arity) == arity && op.keeps() && op.sign.empty() &&
        std::isalpha(static_cast<unsigned char>(op.name[0])))
      out.push_back(op.name);
  return out;
}

surface::Expr Generator::literal(ScalarType t, bool known) {
  const auto written = [&](std::string digits, bool needs_suffix) {
    const bool suffix = needs_suffix || random_.percent(20);
    return Expr{surface::Literal{std::move(digits), suffix ? std::optional(t) : std::nullopt}, {}};
  };
  if (t == ScalarType::Bool) return {surface::Literal{random_.percent(50) ? "true" : "false", {}}, {}};
  if (is_float(t)) {
    static const std::vector<std::string> digits = {"0.5", "1.5", "2.0", "0.25", "1e-3", "3.0", "0.1"};
    if (known && random_.percent(30)) return {surface::Literal{std::to_string(random_.below(4)), {}}, {}};
    Expr e = written(random_.among(digits), !known && t != ScalarType::F32);
    return random_.percent(15) ? make::apply(make::operation("neg"), {e}) : e;
  }
  const bool suffix = !known && t != ScalarType::I32;
  if (random_.percent(8)) return written(random_.percent(50) || t == ScalarType::I8 ? "0x1f" : "0xa0", suffix);
  Expr e = written(std::to_string(random_.below(10)), suffix);
  return is_signed(t) && random_.percent(15) ? make::apply(make::operation("neg"), {e}) : e;
}

// n + 1 and i * 2: names of sizes and indices are numbers under an operator.
std::optional<surface::Expr> Generator::of_size_or_index() {
  std::vector<Expr> all;
  for (const Variable& v : scope_)
    if (as<IndexType>(v.type)) all.push_back(make::name(v.name));
  for (const std::string& n : size_names_) all.push_back(make::name(n));
  if (all.empty()) return {};
  const Expr x = random_.among(all);
  if (random_.percent(50)) return make::call("i64", {x});
  const std::string symbol = random_.percent(50) ? "+" : "*";
  return make::binary(symbol, x, make::number(1 + random_.below(3)));
}

surface::Expr Generator::conversion(ScalarType t, int budget) {
  // Bits of what is rounded are left undecided: of floats that are made of words, only.
  if ((t == ScalarType::U32 || t == ScalarType::U64) && random_.percent(30))
    return make::call("toBits", {make::call("fromBits", {expression(same(t), budget - 2, false)})});
  if (is_float(t) && random_.percent(20))
    return make::call("fromBits",
                      {expression(same(t == ScalarType::F32 ? ScalarType::U32 : ScalarType::U64), budget - 1, false)});
  const ScalarType from = random_scalar_type();
  const bool inside = random_.percent(90);
  return converted(expression(same(from), budget - 1, false), from, t, inside);
}

surface::Expr Generator::converted(Expr e, ScalarType from, ScalarType to, bool kept_from_trapping) const {
  if (from == to) return e;
  if (is_float(from) && is_integer(to) && kept_from_trapping) {  // min and max take a NaN away
    const auto bound = [&](const char* digits) { return Expr{surface::Literal{digits, from}, {}}; };
    e = make::call("min", {bound("100.0"), make::call("max", {bound("0.0"), std::move(e)})});
  }
  return make::call(std::string(show(to)), {std::move(e)});
}

surface::Expr Generator::boolean(int budget) {
  if (random_.percent(65))
    if (auto e = decided_before_a_trap(budget)) return std::move(*e);
  const int half = (budget - 1) / 2;
  const int kind = random_.below(10);
  if (kind < 6) {
    static const std::vector<std::string> symbols = {"==", "!=", "<", "<=", ">", ">="};
    const Type t = same(random_scalar_type(true));
    Expr a = expression(t, half, false);
    const std::string& symbol = random_.among(symbols);
    return make::binary(symbol, std::move(a), expression(t, half, true));
  }
  const Type b = same(ScalarType::Bool);
  if (kind < 7) return make::apply(make::operation("not"), {expression(b, budget - 1, true)});
  if (kind < 8) {
    if (random_.percent(30)) return conversion(ScalarType::Bool, budget);
    const ScalarType f = random_.percent(50) ? ScalarType::F32 : ScalarType::F64;
    return make::call("isnan", {expression(same(f), budget - 1, false)});
  }
  Expr left = expression(b, half, true);
  const std::string symbol = random_.percent(50) ? "&&" : "||";
  return make::binary(symbol, std::move(left), expression(b, half, true));
}

// b != 0 && a / b > c, i < 0 || i >= n || xs ! i == c: the left decides where the right would trap.
std::optional<surface::Expr> Generator::decided_before_a_trap(int budget) {
  const auto name_of = [&](const Type& t) -> Expr {
    const std::string x = fresh("x");
    scope_.push_back({x, t});
    return make::name(x);
  };
  const auto bound = [](const Expr& x, Expr value, Expr body) {
    return Expr{surface::Let{make::bind(std::get<surface::Name>(x.node).name), std::move(value), std::move(body)}, {}};
  };
  const int part = budget / 3;
  const Scope scope(*this);
  std::vector<Variable> arrays;
  for (const Variable& v : scope_)
    if (const auto* a = as<ArrayType>(v.type); a && as<ScalarType>(*a->element)) arrays.push_back(v);
  if (arrays.empty() || random_.percent(50)) {
    ScalarType s = random_scalar_type(true);
    while (is_float(s)) s = random_scalar_type(true);
    const auto digit = [&](int n) { return Expr{surface::Literal{std::to_string(n), s}, {}}; };
    Expr above = expression(same(s), part, false), below = expression(same(s), part, false);
    if (random_.percent(60)) below = make::binary("&", std::move(below), digit(1));  // none, often
    const Expr x = name_of(same(s));
    Expr quotient = make::binary(random_.percent(50) ? "/" : "%", std::move(above), x);
    const Expr least = digit(random_.below(3));
    Expr right = make::binary(random_.percent(50) ? ">" : "==", std::move(quotient), least);
    const bool both = random_.percent(50);
    Expr left = make::binary(both ? "!=" : "==", x, digit(0));
    return bound(x, std::move(below), make::binary(both ? "&&" : "||", std::move(left), std::move(right)));
  }
  const Variable xs = random_.among(arrays);
  const auto& a = *as<ArrayType>(xs.type);
  const Type element = *a.element;
  Expr number = expression(same(ScalarType::I64), part, false), wanted = expression(element, part, false);
  const Expr n = make::call("i64", {make::size(a.length)});
  if (random_.percent(50)) {  // just inside, or just outside
    Expr more = make::binary("&", std::move(number), Expr{surface::Literal{"3", ScalarType::I64}, {}});
    number = make::binary("-", make::binary("+", n, std::move(more)), make::number(2));
  }
  const Expr i = name_of(same(ScalarType::I64));
  Expr right = make::binary("==", Expr{surface::Index{make::name(xs.name), i}, {}}, std::move(wanted));
  const bool both = random_.percent(50);
  Expr low = make::binary(both ? ">=" : "<", i, make::number(0)), high = make::binary(both ? "<" : ">=", i, n);
  const std::string symbol = both ? "&&" : "||";
  Expr inside = make::binary(symbol, std::move(low), std::move(high));
  return bound(i, std::move(number), make::binary(symbol, std::move(inside), std::move(right)));
}

surface::Expr Generator::arithmetic(const Type& t, ScalarType s, int budget, bool known) {
  const int half = (budget - 1) / 2;
  const auto left = [&] { return expression(t, half, known); };
  const auto right = [&] { return expression(t, half, true); };
  const bool lanes = as<VectorType>(t) != nullptr;
  const int kind = random_.below(20);
  if (kind < 8) {
    Expr a = left();
    static const std::vector<std::string> symbols = {"+", "-", "*"};
    const std::string& symbol = random_.among(symbols);
    return make::binary(symbol, std::move(a), right());
  }
  if (kind < 10) {
    static const std::vector<std::string> names = named_operators(Operands::Numeric, 2);
    Expr a = left();
    const std::string& name = random_.among(names);
    return make::call(name, {std::move(a), right()});
  }
  static const std::vector<std::string> of_one = named_operators(Operands::Numeric, 1);
  if (kind < 11) {
    Expr operand = expression(t, budget - 1, known);
    return make::call(random_.among(of_one), {std::move(operand)});
  }
  if (kind < 12 && (!is_float(s) || random_.percent(50)))
    return make::apply(make::operation("neg"),
                       {is_signed(s) || lanes ? expression(t, budget - 1, known)
                                              : make::call(std::string(show(s)), {expression(t, budget - 1, false)})});
  if (is_float(s)) {
    static const std::vector<std::string> functions = named_operators(Operands::Float, 1),
                                          of_two = named_operators(Operands::Float, 2);
    if (kind < 16) {
      const std::string& name = random_.among(functions);
      return make::call(name, {expression(t, budget - 1, known)});
    }
    if (kind < 17) {
      Expr a = expression(t, budget / 3, known), b = expression(t, budget / 3, true);
      return make::call("fma", {std::move(a), std::move(b), expression(t, budget / 3, true)});
    }
    Expr a = left();
    if (kind < 18) {
      const std::string& name = random_.among(of_two);
      return make::call(name, {std::move(a), right()});
    }
    return make::binary("/", std::move(a), right());
  }
  static const std::vector<std::string> of_bits = named_operators(Operands::Integer, 1),
                                        turns = named_operators(Operands::Integer, 2);
  if (kind < 14 && random_.percent(55)) {
    const int which = random_.below(3);
    if (which == 0) return make::apply(make::operation("complement"), {expression(t, budget - 1, known)});
    Expr x = which == 1 ? expression(t, budget - 1, known) : left();
    if (which == 1) return make::call(random_.among(of_bits), {std::move(x)});
    Expr y = right();
    return make::call(random_.among(turns), {std::move(x), std::move(y)});
  }
  Expr a = left();
  if (kind < 16) {
    static const std::vector<std::string> bits = {"&", "|", "^", "<<", ">>"};
    const std::string& symbol = random_.among(bits);
    return make::binary(symbol, std::move(a), right());
  }
  const std::string divide = random_.percent(50) ? "/" : "%";
  if (lanes || random_.percent(25)) return make::binary(divide, std::move(a), right());  // may trap
  if (random_.percent(50)) return make::binary(divide, std::move(a), make::number(1 + random_.below(7)));
  Expr b = right();
  return make::binary(divide, std::move(a), make::binary("|", std::move(b), make::number(1)));
}

// An operator that never traps and gives a t, each as often as the others.
surface::Expr Generator::any_operator(ScalarType t, int budget, bool known) {
  std::vector<std::pair<const ScalarOp*, ScalarType>> all;
  for (const ScalarOp& op : scalars::operators()) {
    std::vector<ScalarType> types;
    for (const ScalarType x : op.types()) {
      const bool elsewhere = op.gives_bits || (!op.sign.empty() && is_integer(x));  // conversion, arithmetic
      if (!elsewhere && op.result(x) == t && !op.can_trap(x)) types.push_back(x);
    }
    if (!types.empty()) all.push_back({&op, random_.among(types)});
  }
  const auto& [op, from] = random_.among(all);
  std::vector<Expr> operands;
  for (int k = 0; k < op->arity; ++k)
    operands.push_back(expression(same(from), (budget - 1) / op->arity, k > 0 || (known && op->keeps())));
  if (!op->sign.empty()) return make::apply(make::operation(op->name), std::move(operands));
  if (std::isalpha(static_cast<unsigned char>(op->name[0]))) return make::call(op->name, std::move(operands));
  return make::binary(op->name, std::move(operands[0]), std::move(operands[1]));
}

std::optional<surface::Expr> Generator::scalar_expression(ScalarType t, int budget, bool known) {
  if (random_.percent(35)) return any_operator(t, budget, known);
  if (t == ScalarType::I64 && random_.percent(15))
    if (auto e = of_size_or_index()) return e;
  const int kind = random_.below(100);
  if (kind < 20) return conversion(t, budget);
  if (kind < 26 && t != ScalarType::Bool) {  // a lane
    const int w = random_width();
    Expr v = make::call("lanes", {expression(vector_type(same(t), w), budget - 3, false)});
    return Expr{surface::Index{std::move(v), make::number(random_.below(w))}, {}};
  }
  return t == ScalarType::Bool ? boolean(budget) : arithmetic(same(t), t, budget, known);
}

std::optional<surface::Expr> Generator::vector_expression(const VectorType& v, const Type& t, int budget, bool known) {
  const auto* s = as<ScalarType>(*v.element);
  if (random_.percent(35)) return make::call("splat", {make::size(v.width), expression(*v.element, budget - 2, known)});
  if (random_.percent(40)) {
    const Size m = 1 + random_.below(3);
    Expr xs =
        make::call("asVector", {make::size(v.width), expression(array(v.width * m, *v.element), budget - 5, false)});
    return Expr{surface::Index{std::move(xs), make::number(random_.below(static_cast<int>(*m.constant())))}, {}};
  }
  return arithmetic(t, *s, budget, known);
}

}  // namespace lockstep::props

// Kernel expressions from text. No folding: the tree is the one that was printed.
#include "semantics/kernel/parse_expressions.h"

#include "semantics/kernel/print.h"
#include "semantics/kernel/words.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {

using reading::Token, reading::TokenKind;

namespace {
constexpr reading::Manner manner{.words = words, .operators = reading::shared_operators, .whole = "program"};
}  // namespace

ExpressionParser::ExpressionParser(SourceRef source, const PrimitiveLookup& lookup)
    : Reader(std::move(source), manner), lookup_(lookup) {}

std::string ExpressionParser::written(const Token& t) {
  return std::string(t.kind == TokenKind::Quoted ? t.text.substr(1, t.text.size() - 2) : t.text);
}

std::string ExpressionParser::name() {
  if (!at_kind(TokenKind::Quoted) && scalar_named(peek().text))
    unexpected("a name", "a type's name stands in backquotes");
  return written(at_kind(TokenKind::Quoted) ? take() : Reader::name("a name"));
}

std::string ExpressionParser::text() {
  if (!at_kind(TokenKind::Text)) unexpected("a text in quotes");
  return unquoted(take());
}

void ExpressionParser::skip_remarks() {
  while (at_kind(TokenKind::Remark)) take();
}

KType ExpressionParser::type() {
  auto scalar = at_kind(TokenKind::Name) ? scalar_named(peek().text) : std::nullopt;
  if (!scalar) unexpected("a scalar type");
  take();
  KType t{*scalar, 1};
  if (accept("<")) {
    t.width = small_number("a number of lanes");
    expect(">");
  }
  return t;
}

KType ExpressionParser::declared(const Scope& scope, const std::string& name, const Token& at) {
  for (auto d = scope.rbegin(); d != scope.rend(); ++d)
    if (d->first == name) return d->second;
  fail(region(at), "'" + name + "' is not declared");
}

Region ExpressionParser::since(std::uint32_t begin) const { return region(begin, std::max(begin, previous_.end)); }

Expr ExpressionParser::expression() { return *binary(0); }

ExprRef ExpressionParser::binary(int least) {
  const Deeper deeper(*this);
  std::vector<std::optional<KType>> types;  // of the operators that wait: +.f32 has one, + has none
  const auto next = [&] {
    types.push_back(accept(".") ? std::optional(type()) : std::nullopt);
    return operand();
  };
  const auto combine = [&](const Token& symbol, const ExprRef& left, const ExprRef& right) {
    const std::optional<KType> of = types.back();
    types.pop_back();
    const std::string written(symbol.text);
    return of ? ExprRef(apply(written, *of, {left, right}, symbol)) : bare(written, left, right, symbol);
  };
  return infix(operand(), next, combine, std::max(least, 1));
}

ExprRef ExpressionParser::bare(const std::string& symbol, const ExprRef& a, const ExprRef& b, const Token& at) {
  for (int k = 0; k <= static_cast<int>(ArithOp::And); ++k) {
    ArithOp op = static_cast<ArithOp>(k);
    if (symbol_of(op) == symbol)
      return Expr{{op < ArithOp::Less ? ScalarType::I64 : ScalarType::Bool, 1}, Arith{op, a, b}, since(at.begin)};
  }
  fail(region(at), "'" + symbol + "' is no operator on indices", "an operand type: " + symbol + ".i64");
}

Expr ExpressionParser::apply(const std::string& name, KType operand, std::vector<ExprRef> arguments, const Token& at) {
  const PrimitiveRef p = operator_named(name, at);
  KType type{std::get<ScalarOp>(p->kind).result(operand.scalar), operand.width};
  return {type, Apply{p, operand, std::move(arguments)}};
}

PrimitiveRef ExpressionParser::scalar_operator(const Token& word) { return operator_named(written(word), word); }

PrimitiveRef ExpressionParser::operator_named(const std::string& name, const Token& at) {
  const PrimitiveRef* p = lookup_(name);
  if (!p || !*p || !std::holds_alternative<ScalarOp>((*p)->kind))
    fail(region(at), "there is no scalar operator '" + name + "'");
  return *p;
}

std::vector<ExprRef> ExpressionParser::arguments() {
  std::vector<ExprRef> r;
  expect("(");
  while (!at(")")) {
    r.push_back(binary(0));
    if (!at(")")) expect(",");
  }
  expect(")");
  return r;
}

ExprRef ExpressionParser::operand() {
  if (peek(1).is(".") && !at_kind(TokenKind::Number)) {
    const Token op = take();
    take();
    KType operand_type = type();
    return apply(written(op), operand_type, arguments(), op);
  }
  if (at_kind(TokenKind::Number)) return number(take(), false);
  if (at("-") && peek(1).kind == TokenKind::Number) return take(), number(take(), true);
  if (at("(")) return parenthesis();
  if (accept("true")) return constant(make_bool(true));
  if (accept("false")) return constant(make_bool(false));
  if (accept("lane")) return lane();
  if (accept("build")) return build();
  if (accept("splat")) return splat();
  if (at_kind(TokenKind::Name) && scalar_named(peek().text)) return float_constant();
  return name_or_load();
}

ExprRef ExpressionParser::parenthesis() {
  expect("(");
  ExprRef e = binary(0);
  if (accept("?")) {
    ExprRef a = binary(0);
    expect(":");
    ExprRef b = binary(0);
    e = Expr{a->type, Choose{e, a, b}};
  }
  expect(")");
  return e;
}

ExprRef ExpressionParser::number(const Token& t, bool negative) {
  const auto [digits, suffix, hexadecimal, fractional] = reading::number_parts(t.text);
  auto scalar = suffix.empty() ? std::optional(ScalarType::I64) : scalar_named(suffix);
  if (!scalar || *scalar == ScalarType::Bool) fail(region(t), "'" + std::string(suffix) + "' is no number's type");
  if (is_float(*scalar)) {
    if (negative) fail(region(t), "a float literal has no sign here", std::string(show(*scalar)) + "(-...)");
    return constant(ieee_domain().literal(*scalar, std::string(digits)), std::string(digits));
  }
  const auto n = reading::number_value<std::uint64_t>(digits);
  const auto value = n ? integer_of(*scalar, *n, negative) : std::nullopt;
  if (!value) fail(region(t), "this number is out of the range of " + std::string(show(*scalar)));
  return constant(*value);
}

ExprRef ExpressionParser::float_constant() {
  Token first = peek();
  ScalarType t = *scalar_named(take().text);
  if (!is_float(t)) fail(region(first), "found a type", "an expression");
  if (at_kind(TokenKind::Text)) {
    std::string digits = text();
    return constant(ieee_domain().literal(t, digits), digits);
  }
  expect("(");
  if (accept("bits")) {
    const auto bits = reading::number_value<std::uint64_t>(peek().text);
    if (!bits) unexpected("a number");
    take();
    expect(")");
    return constant(Scalar{t, *bits, {}});
  }
  bool negative = accept("-");
  const auto v = at_kind(TokenKind::Number) ? reading::real_value(peek().text) : std::nullopt;
  if (!v) unexpected("a number");
  take();
  expect(")");
  return constant(make_ieee(t, negative ? -*v : *v));
}

ExprRef ExpressionParser::lane() {
  Token first = peek();
  auto a = arguments();
  if (a.size() != 2) fail(region(first), "lane has two arguments");
  return Expr{{a[0]->type.scalar, 1}, Lane{a[0], a[1]}, since(first.begin)};
}

ExprRef ExpressionParser::build() {
  Token first = peek();
  auto a = arguments();
  if (a.empty()) fail(region(first), "build has an argument a lane");
  return Expr{{a[0]->type.scalar, static_cast<int>(a.size())}, Build{a}};
}

ExprRef ExpressionParser::splat() {
  Token first = peek();
  expect("<");
  int width = small_number("a number of lanes");
  expect(">");
  auto a = arguments();
  if (a.size() != 1) fail(region(first), "splat has one argument");
  return Expr{{a[0]->type.scalar, width}, Splat{width, a[0]}};
}

ExprRef ExpressionParser::name_or_load() {
  Token first = peek();
  std::string n = name();
  if (!accept("[")) return variable(n, declared(variables_, n, first));
  ScalarType t = declared(buffers_, n, first).scalar;
  ExprRef index = binary(0);
  std::optional<int> width;
  if (accept(":")) width = small_number("a number of lanes");
  expect("]");
  if (width) return Expr{{t, *width}, VectorLoad{n, *width, index}, since(first.begin)};
  return Expr{{t, 1}, Load{n, index}, since(first.begin)};
}

}  // namespace lockstep::kernel

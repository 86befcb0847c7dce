// Kernel text to trees (parse.h), by recursive descent. No folding: the tree is the one that was printed. The first
// error stops it.
#include "semantics/kernel/parse.h"

#include "semantics/kernel/print.h"
#include "semantics/kernel/words.h"
#include "semantics/primitives/primitive.h"
#include "semantics/text/reader.h"

namespace lockstep::kernel {
namespace {

using reading::Token, reading::TokenKind;

constexpr reading::Manner manner{.words = words, .operators = reading::shared_operators, .whole = "program"};

class Parser : public reading::Reader {
 public:
  Parser(SourceRef source, const PrimitiveLookup& lookup) : Reader(std::move(source), manner), lookup_(lookup) {}

  Program program() {
    skip_remarks();
    Program p{{}, {}, {}, {}, {}, Stmt{Block{}}};
    expect("kernel");
    p.name = name();
    expect("(");
    while (!at(")")) {
      p.sizes.push_back(name());
      variables_.emplace_back(p.sizes.back(), KType{});
      if (!at(")")) expect(",");
    }
    expect(")");
    if (accept("where")) do
        p.facts.push_back(fact());
      while (accept(","));
    skip_remarks();
    for (; accept("input"); skip_remarks()) p.inputs.push_back(buffer());
    for (; accept("output"); skip_remarks()) p.outputs.push_back(buffer());
    p.body = statement();
    skip_remarks();
    if (!at_end()) unexpected("the end of the program");
    return p;
  }

 private:
  // ---- words
  static std::string written(const Token& t) {
    return std::string(t.kind == TokenKind::Quoted ? t.text.substr(1, t.text.size() - 2) : t.text);
  }
  std::string name() {
    if (!at_kind(TokenKind::Quoted) && scalar_named(peek().text))
      unexpected("a name", "a type's name stands in backquotes");
    return written(at_kind(TokenKind::Quoted) ? take() : Reader::name("a name"));
  }
  std::string text() {
    if (!at_kind(TokenKind::Text)) unexpected("a text in quotes");
    return unquoted(take());
  }
  int small_number() {
    const auto n = at_kind(TokenKind::Number) ? reading::number_value<int>(peek().text) : std::nullopt;
    if (!n || *n > 9999) unexpected("a number of lanes");
    return take(), *n;
  }
  void skip_remarks() {
    while (at_kind(TokenKind::Remark)) take();
  }

  // ---- types and scopes
  KType type() {
    auto scalar = at_kind(TokenKind::Name) ? scalar_named(peek().text) : std::nullopt;
    if (!scalar) unexpected("a scalar type");
    take();
    KType t{*scalar, 1};
    if (accept("<")) {
      t.width = small_number();
      expect(">");
    }
    return t;
  }
  using Scope = std::vector<std::pair<std::string, KType>>;
  KType declared(const Scope& scope, const std::string& name, const Token& at) {
    for (auto d = scope.rbegin(); d != scope.rend(); ++d)
      if (d->first == name) return d->second;
    fail(region(at), "'" + name + "' is not declared");
  }
  template <class F>
  auto scoped(F f) {
    std::size_t variables = variables_.size(), buffers = buffers_.size();
    const Deeper deeper(*this);
    auto r = f();
    variables_.resize(variables);
    buffers_.resize(buffers);
    return r;
  }

  // ---- the head
  Size size(int least) {
    Token first = peek();
    auto s = as_size(*binary(least));
    if (!s) fail(region(first), "this is no size", "+, -, *, / and % over sizes and numbers");
    return *s;
  }
  SizeFact fact() {
    Size left = size(above_comparisons);
    SizeRelation relation = accept("==")   ? SizeRelation::Equal
                            : accept("!=") ? SizeRelation::NotEqual
                            : accept("<=") ? SizeRelation::LessEqual
                                           : (expect("<"), SizeRelation::Less);
    return {left, relation, size(above_comparisons)};
  }
  Buffer buffer() {
    Buffer b;
    b.type = type();
    b.name = name();
    b.count = b.type.width;
    while (accept("[")) {
      b.dims.push_back(size(0));
      b.count = b.count * b.dims.back();
      expect("]");
    }
    if (accept("of")) b.count = size(above_comparisons);
    if (accept("<")) b.below = size(0);
    expect(";");
    buffers_.emplace_back(b.name, b.type);
    return b;
  }

  // ---- statements
  Stmt statement() {
    const std::uint32_t begin = peek().begin;
    Stmt s = any_statement();
    s.region = since(begin);
    return s;
  }
  Region since(std::uint32_t begin) const { return region(begin, std::max(begin, previous_.end)); }
  Stmt any_statement() {
    if (at_kind(TokenKind::Remark)) {
      const std::string_view remark = take().text;
      return {Comment{std::string(remark.substr(remark.starts_with("// ") ? 3 : 2))}};
    }
    if (at("{")) return scoped([&] { return block(); });
    if (accept("var")) return declare();
    if (at("store") || at("stream")) return store();
    if (at("unroll") || at("for")) return for_loop();
    if (accept("alloc")) return finish(Stmt{allocation()});
    if (accept("parallel")) return parallel();
    if (accept("if")) return conditional();
    if (accept("while")) return while_loop();
    if (accept("check")) return check();
    if (accept("barrier")) return finish(Stmt{Barrier{}});
    if (accept("comment")) return finish(Stmt{Comment{text()}});
    Token first = peek();
    std::string target = name();
    declared(variables_, target, first);
    expect("=");
    return finish(Stmt{Assign{target, expression()}});
  }
  Stmt finish(Stmt s) {
    expect(";");
    return s;
  }
  Stmt block() {
    Block b;
    expect("{");
    while (!accept("}")) b.statements.push_back(statement());
    return {std::move(b)};
  }
  Stmt body() {
    return scoped([&] { return statement(); });
  }
  Stmt declare() {
    Declare d;
    d.type = type();
    d.name = name();
    if (accept("=")) d.init = expression();
    variables_.emplace_back(d.name, d.type);
    return finish({std::move(d)});
  }
  Stmt store() {
    bool nontemporal = take().text == "stream";
    Token first = peek();
    std::string buffer = name();
    declared(buffers_, buffer, first);
    expect("[");
    Expr index = expression();
    expect("]");
    expect("=");
    return finish({Store{buffer, std::move(index), expression(), nontemporal}});
  }
  Stmt for_loop() {
    bool unroll = accept("unroll");
    expect("for");
    expect("(");
    std::string i = name();
    expect("<");
    Expr extent = *binary(above_comparisons);
    expect(")");
    return scoped([&] {
      variables_.emplace_back(i, KType{});
      return Stmt{For{i, extent, StmtRef(body()), unroll}};
    });
  }
  Allocate allocation() {
    KType t = type();
    std::string n = name();
    expect("[");
    Expr count = expression();
    expect("]");
    expect("@");
    Space s = space();
    buffers_.emplace_back(n, t);
    return {n, t, std::move(count), s};
  }
  Space space() {
    for (Space s : {Space::Auto, Space::Global, Space::Local, Space::Private})
      if (accept(word_of(s))) return s;
    expect("stream");
    return Space::Stream;
  }
  Level level() {
    for (Level l : {Level::Auto, Level::Seq, Level::Par, Level::Global, Level::Workgroup, Level::Local})
      if (accept(word_of(l))) return l;
    expect("unroll");
    return Level::Unroll;
  }
  Stmt parallel() {
    Level l = level();
    expect("(");
    std::string i = name();
    expect("<");
    Expr extent = *binary(above_comparisons);
    expect(")");
    return scoped([&] {
      std::vector<Allocate> scratch;
      if (accept("with")) {
        expect("(");
        do scratch.push_back(allocation());
        while (accept(","));
        expect(")");
      }
      variables_.emplace_back(i, KType{});
      return Stmt{ParallelFor{l, i, extent, std::move(scratch), StmtRef(body())}};
    });
  }
  Expr condition() {
    expect("(");
    Expr c = expression();
    expect(")");
    return c;
  }
  Stmt conditional() {
    Expr c = condition();
    Stmt then = body();
    Stmt otherwise = accept("else") ? body() : Stmt{Block{}};
    return {If{std::move(c), StmtRef(std::move(then)), StmtRef(std::move(otherwise))}};
  }
  Stmt while_loop() {
    Expr c = condition();
    return {While{std::move(c), StmtRef(body())}};
  }
  Stmt check() {
    Expr ok = condition();
    std::string primitive = text(), message = text();
    std::vector<Expr> values;
    expect("(");
    while (!at(")")) {
      values.push_back(expression());
      if (!at(")")) expect(",");
    }
    expect(")");
    return finish({Check{std::move(ok), primitive, message, std::move(values), {}}});
  }

  // ---- expressions
  Expr expression() { return *binary(0); }

  ExprRef binary(int least) {
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

  ExprRef bare(const std::string& symbol, const ExprRef& a, const ExprRef& b, const Token& at) {
    for (int k = 0; k <= static_cast<int>(ArithOp::And); ++k) {
      ArithOp op = static_cast<ArithOp>(k);
      if (symbol_of(op) == symbol)
        return Expr{{op < ArithOp::Less ? ScalarType::I64 : ScalarType::Bool, 1}, Arith{op, a, b}, since(at.begin)};
    }
    fail(region(at), "'" + symbol + "' is no operator on indices", "an operand type: " + symbol + ".i64");
  }

  Expr apply(const std::string& name, KType operand, std::vector<ExprRef> arguments, const Token& at) {
    const PrimitiveRef* p = lookup_(name);
    const ScalarOp* op = p && *p ? std::get_if<ScalarOp>(&(*p)->kind) : nullptr;
    if (!op) fail(region(at), "there is no scalar operator '" + name + "'");
    KType type{op->result(operand.scalar), operand.width};
    return {type, Apply{*p, operand, std::move(arguments)}};
  }

  std::vector<ExprRef> arguments() {
    std::vector<ExprRef> r;
    expect("(");
    while (!at(")")) {
      r.push_back(binary(0));
      if (!at(")")) expect(",");
    }
    expect(")");
    return r;
  }

  ExprRef operand() {
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

  ExprRef parenthesis() {
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

  ExprRef number(const Token& t, bool negative) {
    const auto [digits, suffix, hexadecimal, fractional] = reading::number_parts(t.text);
    auto scalar = suffix.empty() ? std::optional(ScalarType::I64) : scalar_named(suffix);
    if (!scalar || *scalar == ScalarType::Bool) fail(region(t), "'" + std::string(suffix) + "' is no number's type");
    if (is_float(*scalar)) {
      if (negative) fail(region(t), "a float literal has no sign here", std::string(show(*scalar)) + "(-...)");
      return constant(ieee_domain().literal(*scalar, std::string(digits)), std::string(digits));
    }
    const auto n = reading::number_value<std::uint64_t>(digits);
    if (!n) fail(region(t), "this is no integer of 64 bits");
    return constant(make_integer(*scalar, negative ? 0 - *n : *n));
  }

  ExprRef float_constant() {
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

  ExprRef lane() {
    Token first = peek();
    auto a = arguments();
    if (a.size() != 2) fail(region(first), "lane has two arguments");
    return Expr{{a[0]->type.scalar, 1}, Lane{a[0], a[1]}, since(first.begin)};
  }
  ExprRef build() {
    Token first = peek();
    auto a = arguments();
    if (a.empty()) fail(region(first), "build has an argument a lane");
    return Expr{{a[0]->type.scalar, static_cast<int>(a.size())}, Build{a}};
  }
  ExprRef splat() {
    Token first = peek();
    expect("<");
    int width = small_number();
    expect(">");
    auto a = arguments();
    if (a.size() != 1) fail(region(first), "splat has one argument");
    return Expr{{a[0]->type.scalar, width}, Splat{width, a[0]}};
  }

  ExprRef name_or_load() {
    Token first = peek();
    std::string n = name();
    if (!accept("[")) return variable(n, declared(variables_, n, first));
    ScalarType t = declared(buffers_, n, first).scalar;
    ExprRef index = binary(0);
    std::optional<int> width;
    if (accept(":")) width = small_number();
    expect("]");
    if (width) return Expr{{t, *width}, VectorLoad{n, *width, index}, since(first.begin)};
    return Expr{{t, 1}, Load{n, index}, since(first.begin)};
  }

  const PrimitiveLookup& lookup_;
  Scope variables_, buffers_;
};

}  // namespace

Checked<Program> parse(SourceRef source, const PrimitiveLookup& primitive) {
  Parser parser(std::move(source), primitive);
  return reading::read_whole(parser, [&] { return parser.program(); });
}

}  // namespace lockstep::kernel

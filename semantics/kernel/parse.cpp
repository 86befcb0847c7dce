// Kernel text to trees (parse.h): a lexer, then recursive descent, with precedences for infix operators. No folding:
// the tree is the one that was printed. The first error stops it.
#include "semantics/kernel/parse.h"

#include <array>
#include <bit>
#include <cctype>
#include <charconv>

#include "semantics/kernel/print.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {
namespace {

constexpr int nesting_limit = 1000;

struct Token {
  enum Kind { Name, Quoted, Number, Text, Symbol, Remark, End } kind = End;
  std::string text;    // of a number: its digits
  std::string suffix;  // a number's type
  std::uint32_t begin = 0, end = 0;
};

// Thrown inside this file only.
struct SyntaxError {
  Diagnostic diagnostic;
};

[[noreturn]] void fail(const SourceRef& source, const Token& at, std::string message, std::string expected = {}) {
  throw SyntaxError{{Region{source, at.begin, at.end}, std::move(message), std::move(expected), {}}};
}

class Lexer {
 public:
  explicit Lexer(SourceRef source) : source_(std::move(source)), s_(source_->text) {}

  std::vector<Token> all() {
    std::vector<Token> r;
    do r.push_back(next());
    while (r.back().kind != Token::End);
    return r;
  }

 private:
  char at(std::size_t k) const { return k < s_.size() ? s_[k] : '\0'; }
  bool digit(std::size_t k) const { return std::isdigit(static_cast<unsigned char>(at(k))) != 0; }
  bool start(std::size_t k) const {
    return std::isalpha(static_cast<unsigned char>(at(k))) != 0 || at(k) == '_' || at(k) == '$';
  }
  std::string word() {
    std::size_t from = i_;
    while (start(i_) || digit(i_) || at(i_) == '\'') ++i_;
    return s_.substr(from, i_ - from);
  }

  Token next() {
    while (i_ < s_.size() && std::isspace(static_cast<unsigned char>(s_[i_]))) ++i_;
    Token t;
    t.begin = static_cast<std::uint32_t>(i_);
    if (i_ >= s_.size())
      t.kind = Token::End;
    else if (s_.compare(i_, 2, "//") == 0)
      remark(t);
    else if (start(i_))
      t.kind = Token::Name, t.text = word();
    else if (digit(i_))
      number(t);
    else if (at(i_) == '`')
      quoted_name(t);
    else if (at(i_) == '"')
      text(t);
    else
      symbol(t);
    t.end = static_cast<std::uint32_t>(i_);
    return t;
  }

  void remark(Token& t) {
    t.kind = Token::Remark;
    std::size_t end = std::min(s_.find('\n', i_), s_.size());
    std::size_t from = std::min(i_ + (at(i_ + 2) == ' ' ? 3 : 2), end);
    t.text = s_.substr(from, end - from);
    i_ = end;
  }

  void number(Token& t) {
    t.kind = Token::Number;
    std::size_t from = i_;
    while (digit(i_)) ++i_;
    if (at(i_) == '.' && digit(i_ + 1))
      for (++i_; digit(i_);) ++i_;
    if (at(i_) == 'e' || at(i_) == 'E') {
      std::size_t k = i_ + (at(i_ + 1) == '+' || at(i_ + 1) == '-' ? 2 : 1);
      if (digit(k))
        for (i_ = k; digit(i_);) ++i_;
    }
    t.text = s_.substr(from, i_ - from);
    if (start(i_)) t.suffix = word();
  }

  void quoted_name(Token& t) {
    t.kind = Token::Quoted;
    std::size_t end = s_.find('`', i_ + 1);
    if (end == std::string::npos) fail(source_, t, "a name in backquotes does not end", "`");
    t.text = s_.substr(i_ + 1, end - i_ - 1);
    i_ = end + 1;
  }

  void text(Token& t) {
    t.kind = Token::Text;
    for (++i_; at(i_) != '"'; ++i_) {
      if (i_ >= s_.size()) fail(source_, t, "a text does not end", "\"");
      if (at(i_) == '\\') {
        ++i_;
        t.text += at(i_) == 'n' ? '\n' : at(i_);
      } else {
        t.text += at(i_);
      }
    }
    ++i_;
  }

  void symbol(Token& t) {
    t.kind = Token::Symbol;
    static constexpr std::array two{"||", "&&", "==", "!=", "<=", ">=", "<<", ">>"};
    for (const char* s : two) {
      if (s_.compare(i_, 2, s) == 0) {
        t.text = s;
        i_ += 2;
        return;
      }
    }
    t.text = s_.substr(i_++, 1);
  }

  SourceRef source_;
  const std::string& s_;
  std::size_t i_ = 0;
};

class Parser {
 public:
  Parser(SourceRef source, const PrimitiveLookup& lookup)
      : source_(std::move(source)), lookup_(lookup), tokens_(Lexer(source_).all()) {}

  Program program() {
    skip_remarks();
    Program p{{}, {}, {}, {}, {}, Stmt{Block{}}};
    keyword("kernel");
    p.name = name();
    expect("(");
    while (!is(")")) {
      p.sizes.push_back(name());
      variables_.emplace_back(p.sizes.back(), KType{});
      if (!is(")")) expect(",");
    }
    expect(")");
    if (accept_word("where")) do
        p.facts.push_back(fact());
      while (accept(","));
    skip_remarks();
    for (; accept_word("input"); skip_remarks()) p.inputs.push_back(buffer());
    for (; accept_word("output"); skip_remarks()) p.outputs.push_back(buffer());
    p.body = statement();
    skip_remarks();
    if (peek().kind != Token::End) fail_here("found more after the program", "the end");
    return p;
  }

 private:
  // ---- tokens
  const Token& peek(std::size_t k = 0) const { return tokens_[std::min(at_ + k, tokens_.size() - 1)]; }
  Token take() {
    Token t = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return t;
  }
  bool is(std::string_view symbol) const { return peek().kind == Token::Symbol && peek().text == symbol; }
  bool is_word(std::string_view word) const { return peek().kind == Token::Name && peek().text == word; }
  bool accept(std::string_view symbol) { return is(symbol) && (take(), true); }
  bool accept_word(std::string_view word) { return is_word(word) && (take(), true); }
  [[noreturn]] void fail_here(const std::string& message, std::string expected) const {
    fail(source_, peek(), message, std::move(expected));
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail_here("found '" + peek().text + "'", "'" + std::string(symbol) + "'");
  }
  void keyword(std::string_view word) {
    if (!accept_word(word)) fail_here("found '" + peek().text + "'", "'" + std::string(word) + "'");
  }
  std::string name() {
    if (peek().kind == Token::Quoted || (peek().kind == Token::Name && !is_reserved(peek().text))) return take().text;
    fail_here("found '" + peek().text + "'", "a name");
  }
  std::string text() {
    if (peek().kind != Token::Text) fail_here("found '" + peek().text + "'", "a text in quotes");
    return take().text;
  }
  int small_number() {
    if (peek().kind != Token::Number || peek().text.size() > 4)
      fail_here("found '" + peek().text + "'", "a number of lanes");
    return std::stoi(take().text);
  }
  void skip_remarks() {
    while (peek().kind == Token::Remark) take();
  }

  // ---- types and scopes
  KType type() {
    auto scalar = peek().kind == Token::Name ? scalar_named(peek().text) : std::nullopt;
    if (!scalar) fail_here("found '" + peek().text + "'", "a scalar type");
    take();
    KType t{*scalar, 1};
    if (accept("<")) {
      t.width = small_number();
      expect(">");
    }
    return t;
  }
  using Scope = std::vector<std::pair<std::string, KType>>;
  KType declared(const Scope& scope, const std::string& name, const Token& at) const {
    for (auto d = scope.rbegin(); d != scope.rend(); ++d)
      if (d->first == name) return d->second;
    fail(source_, at, "'" + name + "' is not declared");
  }
  template <class F>
  auto scoped(F f) {
    std::size_t variables = variables_.size(), buffers = buffers_.size();
    if (++depth_ > nesting_limit) fail_here("nested too deeply", "at most 1000 levels");
    auto r = f();
    --depth_;
    variables_.resize(variables);
    buffers_.resize(buffers);
    return r;
  }

  // ---- the head
  Size size(int least) {
    Token first = peek();
    auto s = as_size(*binary(least));
    if (!s) fail(source_, first, "this is no size", "+, -, *, / and % over sizes and numbers");
    return *s;
  }
  SizeFact fact() {
    Size left = size(4);
    SizeRelation relation = accept("==")   ? SizeRelation::Equal
                            : accept("!=") ? SizeRelation::NotEqual
                            : accept("<=") ? SizeRelation::LessEqual
                                           : (expect("<"), SizeRelation::Less);
    return {left, relation, size(4)};
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
    if (accept_word("of")) b.count = size(4);
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
  Region since(std::uint32_t begin) const { return {source_, begin, at_ > 0 ? tokens_[at_ - 1].end : begin}; }
  Stmt any_statement() {
    if (peek().kind == Token::Remark) return {Comment{take().text}};
    if (is("{")) return scoped([&] { return block(); });
    if (accept_word("var")) return declare();
    if (is_word("store") || is_word("stream")) return store();
    if (is_word("unroll") || is_word("for")) return for_loop();
    if (accept_word("alloc")) return finish(Stmt{allocation()});
    if (accept_word("parallel")) return parallel();
    if (accept_word("if")) return conditional();
    if (accept_word("while")) return while_loop();
    if (accept_word("check")) return check();
    if (accept_word("barrier")) return finish(Stmt{Barrier{}});
    if (accept_word("comment")) return finish(Stmt{Comment{text()}});
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
    bool streaming = take().text == "stream";
    Token first = peek();
    std::string buffer = name();
    declared(buffers_, buffer, first);
    expect("[");
    Expr index = expression();
    expect("]");
    expect("=");
    return finish({Store{buffer, std::move(index), expression(), streaming}});
  }
  Stmt for_loop() {
    bool unroll = accept_word("unroll");
    keyword("for");
    expect("(");
    std::string i = name();
    expect("<");
    Expr extent = *binary(4);
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
      if (accept_word(word_of(s))) return s;
    keyword("stream");
    return Space::Stream;
  }
  Level level() {
    for (Level l : {Level::Auto, Level::Seq, Level::Par, Level::Global, Level::Workgroup, Level::Local})
      if (accept_word(word_of(l))) return l;
    keyword("unroll");
    return Level::Unroll;
  }
  Stmt parallel() {
    Level l = level();
    expect("(");
    std::string i = name();
    expect("<");
    Expr extent = *binary(4);
    expect(")");
    return scoped([&] {
      std::vector<Allocate> scratch;
      if (accept_word("with")) {
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
    Stmt otherwise = accept_word("else") ? body() : Stmt{Block{}};
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
    while (!is(")")) {
      values.push_back(expression());
      if (!is(")")) expect(",");
    }
    expect(")");
    return finish({Check{std::move(ok), primitive, message, std::move(values), {}}});
  }

  // ---- expressions
  Expr expression() { return *binary(0); }

  ExprRef binary(int least) {
    if (++depth_ > nesting_limit) fail_here("nested too deeply", "at most 1000 levels");
    ExprRef left = operand();
    while (peek().kind == Token::Symbol) {
      std::string symbol = peek().text;
      int p = precedence_of(symbol);
      if (p == 0 || p < std::max(least, 1)) break;
      Token at = take();
      if (accept(".")) {
        KType operand_type = type();
        left = apply(symbol, operand_type, {left, binary(p + 1)}, at);
      } else {
        left = bare(symbol, left, binary(p + 1), at);
      }
    }
    --depth_;
    return left;
  }

  ExprRef bare(const std::string& symbol, const ExprRef& a, const ExprRef& b, const Token& at) {
    for (int k = 0; k <= static_cast<int>(ArithOp::And); ++k) {
      ArithOp op = static_cast<ArithOp>(k);
      if (symbol_of(op) == symbol)
        return Expr{{op < ArithOp::Less ? ScalarType::I64 : ScalarType::Bool, 1}, Arith{op, a, b}, since(at.begin)};
    }
    fail(source_, at, "'" + symbol + "' is no operator on indices", "an operand type: " + symbol + ".i64");
  }

  Expr apply(const std::string& name, KType operand, std::vector<ExprRef> arguments, const Token& at) {
    const PrimitiveRef* p = lookup_(name);
    const ScalarOp* op = p && *p ? std::get_if<ScalarOp>(&(*p)->kind) : nullptr;
    if (!op) fail(source_, at, "there is no scalar operator '" + name + "'");
    KType type{op->gives_bool ? ScalarType::Bool : op->gives.value_or(operand.scalar), operand.width};
    return {type, Apply{*p, operand, std::move(arguments)}};
  }

  std::vector<ExprRef> arguments() {
    std::vector<ExprRef> r;
    expect("(");
    while (!is(")")) {
      r.push_back(binary(0));
      if (!is(")")) expect(",");
    }
    expect(")");
    return r;
  }

  ExprRef operand() {
    const Token& t = peek();
    bool typed = peek(1).kind == Token::Symbol && peek(1).text == ".";
    if (typed && t.kind != Token::Number) {
      Token op = take();
      take();
      KType operand_type = type();
      return apply(op.text, operand_type, arguments(), op);
    }
    if (t.kind == Token::Number) return number(take(), false);
    if (is("-") && peek(1).kind == Token::Number) return take(), number(take(), true);
    if (is("(")) return parenthesis();
    if (accept_word("true")) return constant(make_bool(true));
    if (accept_word("false")) return constant(make_bool(false));
    if (accept_word("lane")) return lane();
    if (accept_word("build")) return build();
    if (accept_word("splat")) return splat();
    if (t.kind == Token::Name && scalar_named(t.text)) return float_constant();
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
    auto scalar = t.suffix.empty() ? std::optional(ScalarType::I64) : scalar_named(t.suffix);
    if (!scalar || *scalar == ScalarType::Bool) fail(source_, t, "'" + t.suffix + "' is no number's type");
    if (is_float(*scalar)) {
      if (negative) fail(source_, t, "a float literal has no sign here", std::string(show(*scalar)) + "(-...)");
      return constant(ieee_domain().literal(*scalar, t.text), t.text);
    }
    std::uint64_t n = 0;
    auto [end, error] = std::from_chars(t.text.data(), t.text.data() + t.text.size(), n);
    if (error != std::errc{} || end != t.text.data() + t.text.size()) fail(source_, t, "this is no integer of 64 bits");
    return constant(make_integer(*scalar, negative ? 0 - n : n));
  }

  ExprRef float_constant() {
    Token first = peek();
    ScalarType t = *scalar_named(take().text);
    if (!is_float(t)) fail(source_, first, "found a type", "an expression");
    if (peek().kind == Token::Text) {
      std::string digits = text();
      return constant(ieee_domain().literal(t, digits), digits);
    }
    expect("(");
    if (accept_word("bits")) {
      Scalar s{t, 0, {}};
      std::string digits = peek().text;
      if (take().kind != Token::Number) fail(source_, first, "found no bits", "a number");
      std::from_chars(digits.data(), digits.data() + digits.size(), s.bits);
      expect(")");
      return constant(s);
    }
    bool negative = accept("-");
    if (peek().kind != Token::Number) fail_here("found '" + peek().text + "'", "a number");
    double v = std::stod(take().text);
    expect(")");
    return constant(make_ieee(t, negative ? -v : v));
  }

  ExprRef lane() {
    Token first = peek();
    auto a = arguments();
    if (a.size() != 2) fail(source_, first, "lane has two arguments");
    return Expr{{a[0]->type.scalar, 1}, Lane{a[0], a[1]}, since(first.begin)};
  }
  ExprRef build() {
    Token first = peek();
    auto a = arguments();
    if (a.empty()) fail(source_, first, "build has an argument a lane");
    return Expr{{a[0]->type.scalar, static_cast<int>(a.size())}, Build{a}};
  }
  ExprRef splat() {
    Token first = peek();
    expect("<");
    int width = small_number();
    expect(">");
    auto a = arguments();
    if (a.size() != 1) fail(source_, first, "splat has one argument");
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

  SourceRef source_;
  const PrimitiveLookup& lookup_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Scope variables_, buffers_;
};

}  // namespace

Checked<Program> parse(SourceRef source, const PrimitiveLookup& primitive) {
  try {
    return Parser(std::move(source), primitive).program();
  } catch (const SyntaxError& e) {
    return tl::unexpected(Diagnostics{e.diagnostic});
  }
}

}  // namespace lockstep::kernel

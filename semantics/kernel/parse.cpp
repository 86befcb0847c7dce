// Kernel text to trees (parse.h), by recursive descent; expressions are parse_expressions. The first error stops it.
#include "semantics/kernel/parse.h"

#include "semantics/kernel/parse_expressions.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/words.h"

namespace lockstep::kernel {
namespace {

using reading::Token, reading::TokenKind;

class Parser : public ExpressionParser {
 public:
  Parser(SourceRef source, const PrimitiveLookup& lookup) : ExpressionParser(std::move(source), lookup) {}

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
    p.launch = launch();
    if (accept("narrow")) {
      expect("(");
      p.narrow.emplace();
      while (!at(")")) {
        p.narrow->push_back(size(0));
        if (!at(")")) expect(",");
      }
      expect(")");
    }
    skip_remarks();
    for (; accept("input"); skip_remarks()) p.inputs.push_back(buffer());
    for (; accept("output"); skip_remarks()) p.outputs.push_back(buffer());
    p.body = statement();
    skip_remarks();
    if (!at_end()) unexpected("the end of the program");
    return p;
  }

 private:
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
  Stmt any_statement() {
    if (at_kind(TokenKind::Remark)) {
      const std::string_view remark = take().text;
      return {Comment{std::string(remark.substr(remark.starts_with("// ") ? 3 : 2))}};
    }
    if (at("{")) return scoped([&] { return block(); });
    if (accept("var")) return declare();
    if (at("store") || at("stream")) return store();
    if (accept("atomic")) return atomic();
    if (at("unroll") || at("for")) return for_loop();
    if (accept("alloc")) return finish(Stmt{allocation()});
    if (accept("parallel")) return parallel();
    if (accept("if")) return conditional();
    if (accept("while")) return while_loop();
    if (accept("check")) return check();
    if (accept("barrier")) return finish(Stmt{Barrier{accept("warp") ? Level::Warp : Level::Workgroup}});
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
    if (accept("=")) {
      if (accept("shuffle")) return shuffle(d);
      d.init = expression();
    }
    variables_.emplace_back(d.name, d.type);
    return finish({std::move(d)});
  }
  Stmt shuffle(const Declare& d) {
    expect("(");
    Shuffle s{d.name, d.type, expression(), {}, 1};
    expect(",");
    s.lane = expression();
    expect(",");
    const Token at = peek();
    const auto width = constant_of(expression());
    if (!width || *width < 1 || *width > most_warp)
      fail(region(at), "this is no number of lanes", "a number from 1 to " + std::to_string(most_warp));
    s.width = static_cast<int>(*width);
    expect(")");
    variables_.emplace_back(d.name, d.type);
    return finish({std::move(s)});
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
  Stmt atomic() {
    Token first = peek();
    std::string buffer = name();
    declared(buffers_, buffer, first);
    expect("[");
    Expr index = expression();
    expect("]");
    auto primitive = scalar_operator(take());
    expect("=");
    return finish({Atomic{buffer, std::move(index), std::move(primitive), expression()}});
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
    std::optional<Expr> at;
    if (accept("offset")) at = expression();
    buffers_.emplace_back(n, t);
    return {n, t, std::move(count), s, std::move(at)};
  }
  Space space() {
    for (Space s : {Space::Auto, Space::Global, Space::Local, Space::Private})
      if (accept(word_of(s))) return s;
    expect("stream");
    return Space::Stream;
  }
  Level level() {
    for (Level l : {Level::Auto, Level::Seq, Level::Par, Level::Global, Level::Workgroup, Level::Warp, Level::Local})
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
    std::optional<Expr> units;
    if (accept("by")) units = *binary(above_comparisons);
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
      return Stmt{ParallelFor{l, i, extent, std::move(scratch), StmtRef(body()), std::move(units)}};
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
};

}  // namespace

Checked<Program> parse(SourceRef source, const PrimitiveLookup& primitive) {
  Parser parser(std::move(source), primitive);
  return reading::read_whole(parser, [&] { return parser.program(); });
}

}  // namespace lockstep::kernel

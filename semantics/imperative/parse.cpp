// Recursive descent over the annotated form. Types flow inwards from constants to their binders.
#include "semantics/imperative/parse.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "semantics/imperative/instance.h"

namespace lockstep {
namespace {

struct Token {
  enum Kind { Word, Number, String, Symbol, End } kind = End;
  std::string text;
  std::uint32_t begin = 0, end = 0;
};
struct Failure {
  Diagnostic diagnostic;
};

constexpr std::array<std::string_view, 10> two_letter = {":=", "->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||"};
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(const std::string& text) : text_(text) {}
  std::vector<Token> run() {
    std::vector<Token> out;
    while (true) {
      while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
      const std::size_t begin = at_;
      const bool component =
          !out.empty() && out.back().text == "." && out.back().kind == Token::Symbol && out.back().end == begin;
      Token t = next(component);
      t.begin = static_cast<std::uint32_t>(begin);
      t.end = static_cast<std::uint32_t>(at_);
      out.push_back(t);
      if (t.kind == Token::End) return out;
    }
  }

 private:
  void digits() {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  }
  Token next(bool component) {
    if (at_ >= text_.size()) return {};
    const std::size_t begin = at_;
    const auto taken = [&] { return text_.substr(begin, at_ - begin); };
    if (is_letter(text_[at_])) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '\'')) ++at_;
      return {Token::Word, taken()};
    }
    if (is_digit(text_[at_])) {
      digits();
      if (component) return {Token::Number, taken()};
      if (at_ + 1 < text_.size() && text_[at_] == '.' && is_digit(text_[at_ + 1])) ++at_, digits();
      if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
        ++at_;
        if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
        digits();
      }
      return {Token::Number, taken()};
    }
    if (text_[at_] == '"') return string();
    const std::string_view rest = std::string_view(text_).substr(at_);
    for (const std::string_view s : two_letter) {
      if (rest.starts_with(s)) {
        at_ += 2;
        return {Token::Symbol, std::string(s)};
      }
    }
    ++at_;
    return {Token::Symbol, taken()};
  }
  Token string() {
    std::string out;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      out += text_[at_];
    }
    if (at_ < text_.size()) ++at_;
    return {Token::String, std::move(out)};
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

struct ConstantName {
  Imp op;
  Level level = Level::Auto;
  Space space = Space::Auto;
};

std::map<std::string, ConstantName> constant_names() {
  std::map<std::string, ConstantName> out;
  for (const Space s : {Space::Auto, Space::Global, Space::Local, Space::Private, Space::Stream})
    out.insert({"new" + std::string(show(s)), {Imp::New, Level::Auto, s}});
  for (const Imp op : {Imp::Skip, Imp::For, Imp::ParFor, Imp::IdxAcc, Imp::Cond, Imp::While, Imp::MapI, Imp::ReduceI,
                       Imp::ScanI, Imp::IterateI, Imp::WhileI, Imp::ScatterI, Imp::PermuteI, Imp::Barrier})
    for (const Level l :
         {Level::Auto, Level::Seq, Level::Par, Level::Global, Level::Workgroup, Level::Local, Level::Unroll})
      out.insert({std::string(show(op)) + std::string(show(l)), {op, l}});
  out["for"] = {Imp::For, Level::Seq};
  out["forAuto"] = {Imp::For, Level::Auto};
  out["assign"] = {Imp::Assign};
  return out;
}

const std::vector<std::vector<std::string>>& infix_groups() {
  static const std::vector<std::vector<std::string>> groups = {
      {"||"},     {"&&"},         {"==", "!=", "<", "<=", ">", ">="}, {"|"}, {"^"}, {"&"}, {"<<", ">>"},
      {"+", "-"}, {"*", "/", "%"}};
  return groups;
}

class Parser {
 public:
  Parser(SourceRef source, const Calculus& calculus)
      : source_(std::move(source)),
        tokens_(Lexer(source_->text).run()),
        calculus_(calculus),
        constants_(constant_names()) {
    for (const std::string& name : calculus.names())
      if (const auto* v = std::get_if<View>(&calculus.primitive(name)->kind))
        for (std::size_t k = 0; k < v->acceptors.size(); ++k)
          acceptors_.insert({v->acceptors[k].name, {calculus.primitive(name), static_cast<int>(k)}});
  }

  PhraseProgram program() {
    PhraseProgram p{{}, {}, 0, {}, scalar(ScalarType::Bool), {}, skip(), {}};
    expect("program");
    p.name = word();
    if (accept("[")) {
      while (!accept("]")) p.sizes.push_back(word());
    }
    while (accept("(")) {
      const std::string name = word();
      expect(":");
      if (accept("nat")) {
        p.sizes.push_back(name);
        ++p.explicit_sizes;
      } else {
        p.parameters.emplace_back(name, type());
        environment_.insert_or_assign(name, exp_type(p.parameters.back().second));
      }
      expect(")");
    }
    expect(":");
    p.result = type_atom();
    if (accept("where")) {
      do p.facts.push_back(fact());
      while (accept(","));
    }
    if (accept("->")) {
      p.output = word();
      environment_.insert_or_assign(p.output, acc_type(p.result));
    }
    expect("=");
    p.body = sequence(nullptr);
    if (now().kind != Token::End) fail("the end of the program");
    return p;
  }

 private:
  // ------------------------------------------------------------------------------------------ tokens
  const Token& now() const { return tokens_[at_]; }
  const Token& after() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  static bool is(const Token& t, std::string_view s) {
    return (t.kind == Token::Symbol || t.kind == Token::Word) && t.text == s;
  }
  bool accept(std::string_view s) {
    if (!is(now(), s)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view s) {
    if (!accept(s)) fail('`' + std::string(s) + "`");
  }
  std::string word() {
    if (now().kind != Token::Word) fail("a name");
    return tokens_[at_++].text;
  }
  [[noreturn]] void fail(const std::string& expected) const {
    const Token& t = now();
    throw Failure{{{source_, t.begin, t.end},
                   t.kind == Token::End ? "the text ends here" : "`" + t.text + "` does not fit here",
                   expected,
                   ""}};
  }

  // ------------------------------------------------------------------------------------------ sizes and types
  Size size() {
    Size out = size_product();
    while (is(now(), "+") || is(now(), "-")) {
      const bool plus = tokens_[at_++].text == "+";
      const Size right = size_product();
      out = plus ? out + right : out - right;
    }
    return out;
  }
  Size size_product() {
    Size out = size_atom();
    while (is(now(), "*") || is(now(), "/") || is(now(), "%")) {
      const std::string op = tokens_[at_++].text;
      const Size right = size_atom();
      out = op == "*" ? out * right : op == "/" ? floor_div(out, right) : modulo(out, right);
    }
    return out;
  }
  Size size_atom() {
    if (accept("-")) return Size(0) - size_atom();
    if (accept("(")) {
      Size s = size();
      expect(")");
      return s;
    }
    if (now().kind == Token::Number) return static_cast<std::int64_t>(integer(tokens_[at_++].text));
    return Size::name(word());
  }
  std::uint64_t integer(const std::string& digits) const {
    std::uint64_t v = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
    if (error != std::errc() || end != digits.data() + digits.size()) fail("a natural number");
    return v;
  }
  SizeFact fact() {
    const Size left = size();
    const auto relation = accept("==")   ? SizeRelation::Equal
                          : accept("!=") ? SizeRelation::NotEqual
                          : accept("<=") ? SizeRelation::LessEqual
                                         : SizeRelation::Less;
    if (relation == SizeRelation::Less) expect("<");
    return {left, relation, size()};
  }

  Type type() {
    Type t = type_atom();
    return accept("->") ? function(std::move(t), type()) : t;
  }
  Type type_atom() {
    Type t = plain_type();
    if (as<ScalarType>(t) && accept("<")) {
      t = vector_type(t, size());
      expect(">");
    }
    return t;
  }
  Type plain_type() {
    if (accept("[")) {
      Size n = size();
      expect("]");
      return array(std::move(n), type_atom());
    }
    if (accept("(")) {
      std::vector<Type> parts{type()};
      while (accept(",")) parts.push_back(type());
      expect(")");
      Type t = parts.back();
      for (auto it = parts.rbegin() + 1; it != parts.rend(); ++it) t = pair(*it, t);
      return t;
    }
    const std::string name = word();
    if (const auto s = scalar_named(name)) return scalar(*s);
    if (name != "idx") fail("a type");
    expect("(");
    Size n = size();
    expect(")");
    return index_type(std::move(n));
  }
  PhraseType phrase_type() {
    PhraseType t = phrase_product_type();
    if (!accept("->")) return t;
    const bool passive = accept("p");
    return phrase_function(std::move(t), phrase_type(), passive);
  }
  PhraseType phrase_product_type() {
    PhraseType t = phrase_type_atom();
    return accept("x") ? phrase_product(std::move(t), phrase_type_atom()) : t;
  }
  PhraseType phrase_type_atom() {
    if (accept("comm")) return comm_type();
    if (accept("(")) {
      PhraseType t = phrase_type();
      expect(")");
      return t;
    }
    const std::string form = word();
    expect("[");
    const Type d = type();
    expect("]");
    if (form == "exp") return exp_type(d);
    if (form == "acc") return acc_type(d);
    if (form != "var") fail("exp, acc, var or comm");
    return var_type(d);
  }

  // ------------------------------------------------------------------------------------------ phrases
  PhraseRef sequence(const PhraseType* expected) {
    PhraseRef first = single(expected);
    if (!accept(";")) return first;
    PhraseRef rest = sequence(expected);
    return imp({Imp::Seq, Level::Auto, Space::Auto, {}, {}, {std::move(first), std::move(rest)}});
  }

  PhraseRef single(const PhraseType* expected) {
    if (accept("\\")) return abstraction(expected);
    if (is(now(), "let")) return binding(expected);
    PhraseRef p = infix(0);
    if (!accept(":=")) return p;
    const auto* a = as<AccType>(p->type);
    if (!a) fail("an acceptor before :=");
    const Type d = a->data;
    PhraseRef value = infix(0);
    return imp({Imp::Assign, Level::Auto, Space::Auto, {}, {d}, {std::move(p), std::move(value)}});
  }

  template <class F>
  auto under(const std::string& name, const PhraseType& type, const F& f) {
    const auto it = environment_.find(name);
    const std::optional<PhraseType> outer = it == environment_.end() ? std::nullopt : std::optional(it->second);
    environment_.insert_or_assign(name, type);
    auto out = f();
    if (outer)
      environment_.insert_or_assign(name, *outer);
    else
      environment_.erase(name);
    return out;
  }

  // After the backslash or a binder before: one binder, and the rest.
  PhraseRef abstraction(const PhraseType* expected) {
    const auto* given = expected ? as<PhraseFunction>(*expected) : nullptr;
    std::optional<PhraseType> parameter;
    bool passive = given && given->passive;
    const bool annotated = accept("(");
    const std::string name = word();
    if (annotated) {
      expect(":");
      parameter = phrase_type();
      passive = accept("|");
      if (passive) expect("p");
      expect(")");
    } else if (given) {
      parameter = *given->from;
    } else {
      fail("a binder with its type");
    }
    const PhraseType* rest = given ? &*given->to : nullptr;
    PhraseRef body = under(name, *parameter, [&] { return accept(".") ? sequence(rest) : abstraction(rest); });
    return lambda(name, *parameter, std::move(body), passive);
  }

  PhraseRef binding(const PhraseType* expected) {
    expect("let");
    const std::string name = word();
    expect("=");
    PhraseRef value = single(nullptr);
    expect("in");
    PhraseRef body = under(name, value->type, [&] { return sequence(expected); });
    return let(name, std::move(value), std::move(body));
  }

  PhraseRef infix(std::size_t level) {
    if (level == infix_groups().size()) return application();
    PhraseRef left = infix(level + 1);
    const auto& symbols = infix_groups()[level];
    while (now().kind == Token::Symbol && std::find(symbols.begin(), symbols.end(), now().text) != symbols.end()) {
      const std::string symbol = tokens_[at_++].text;
      PhraseRef right = infix(level + 1);
      const Type operand = data_of(*left);
      left = primitive({primitive_named(symbol), -1, {}, {operand}, {std::move(left), std::move(right)}});
    }
    return left;
  }

  PhraseRef application() {
    PhraseRef out = projections();
    while ((now().kind == Token::Word && now().text != "in" && now().text != "where") || is(now(), "(") ||
           now().kind == Token::Number) {
      PhraseRef argument = projections();
      const auto* arrow = as<PhraseFunction>(out->type);
      if (!arrow) fail("an operator: what stands before is no function");
      const PhraseType result = *arrow->to;
      out = Phrase{result, ApplyPhrase{std::move(out), std::move(argument)}};
    }
    return out;
  }

  PhraseRef projections() {
    PhraseRef out = atom();
    while (is(now(), ".") && after().kind == Token::Number && after().begin == now().end) {
      ++at_;
      const std::string k = tokens_[at_++].text;
      const auto* product = as<PhraseProduct>(out->type);
      if (!product || (k != "1" && k != "2")) fail("a component of a pair");
      const PhraseType type = k == "1" ? *product->first : *product->second;
      out = Phrase{type, ProjPhrase{k == "1" ? 1 : 2, std::move(out)}};
    }
    return out;
  }

  PhraseRef atom() {
    if (accept("true")) return bool_literal(true);
    if (accept("false")) return bool_literal(false);
    if (accept("{")) return number();
    if (accept("<")) {
      PhraseRef a = application();
      expect(",");
      PhraseRef b = application();
      expect(">");
      return phrase_pair(std::move(a), std::move(b));
    }
    if (is(now(), "(") && after().kind == Token::Symbol && at_ + 2 < tokens_.size() && is(tokens_[at_ + 2], ")") &&
        !is(after(), "\\")) {
      const std::string symbol = after().text;  // (+){}{f32}(x, y)
      at_ += 3;
      return call(symbol);
    }
    if (accept("(")) {
      PhraseRef p = sequence(nullptr);
      if (accept(":")) p = Phrase{phrase_type(), p->node};
      expect(")");
      return p;
    }
    if (now().kind == Token::Number || now().kind == Token::String || is(now(), "-") ||
        (is(now(), "bits") && after().kind == Token::String))
      return literal_phrase();
    if (is(now(), "check") && is(after(), "[")) return check_phrase();
    const std::string name = word();
    if (is(now(), "{")) return call(name);
    const auto it = environment_.find(name);
    if (it == environment_.end()) {
      --at_;
      fail("a name in scope");
    }
    return ident(name, it->second);
  }

  PhraseRef number() {  // after the brace
    Size n = size();
    std::optional<Size> bound;
    if (accept("<")) bound = size();
    expect("}");
    return bound ? index_at(std::move(n), std::move(*bound)) : nat(std::move(n));
  }

  PhraseRef literal_phrase() {
    const bool bits = accept("bits");
    const bool negative = accept("-");
    const Token t = tokens_[at_++];
    const auto s = now().kind == Token::Word ? scalar_named(now().text) : std::nullopt;
    if (!s) fail("the literal's type");
    ++at_;
    if (!is_float(*s)) {
      const std::uint64_t v = integer(t.text);
      return literal(make_integer(*s, negative ? 0 - v : v));
    }
    if (bits) return literal(make_ieee(*s, std::strtod(t.text.c_str(), nullptr)));
    return literal(ieee_domain().literal(*s, t.text), t.text);
  }

  PhraseRef check_phrase() {
    expect("check");
    expect("[");
    ImpPhrase x{Imp::Check, Level::Auto, Space::Auto, {}, {}, {}};
    x.trap_primitive = string();
    expect(",");
    x.trap_message = string();
    expect("]");
    expect("(");
    do x.arguments.push_back(single(nullptr));
    while (accept(","));
    expect(")");
    return imp(std::move(x));
  }
  std::string string() {
    if (now().kind != Token::String) fail("a text in quotes");
    return tokens_[at_++].text;
  }

  // name{sizes}{types}(P, Q), the name read
  PhraseRef call(const std::string& name) {
    std::vector<Size> sizes;
    std::vector<Type> types;
    expect("{");
    while (!accept("}")) {
      sizes.push_back(size());
      if (!accept(",") && !is(now(), "}")) fail("`,` or `}`");
    }
    expect("{");
    while (!accept("}")) {
      types.push_back(type());
      if (!accept(",") && !is(now(), "}")) fail("`,` or `}`");
    }
    if (const auto it = constants_.find(name); it != constants_.end()) {
      ImpPhrase x{it->second.op, it->second.level, it->second.space, std::move(sizes), std::move(types), {}};
      const ImpSignature s = signature(x);
      x.arguments = arguments(&s.arguments);
      if (x.arguments.size() != s.arguments.size()) fail(std::to_string(s.arguments.size()) + " arguments of " + name);
      return imp(std::move(x));
    }
    if (const auto it = acceptors_.find(name); it != acceptors_.end())
      return primitive({it->second.first, it->second.second, std::move(sizes), std::move(types), arguments(nullptr)});
    return primitive({primitive_named(name), -1, std::move(sizes), std::move(types), arguments(nullptr)});
  }

  std::vector<PhraseRef> arguments(const std::vector<PhraseType>* expected) {
    std::vector<PhraseRef> out;
    expect("(");
    while (!accept(")")) {
      const bool known = expected && out.size() < expected->size();
      out.push_back(sequence(known ? &(*expected)[out.size()] : nullptr));
      if (!accept(",") && !is(now(), ")")) fail("`,` or `)`");
    }
    return out;
  }

  const PrimitiveRef& primitive_named(const std::string& name) const {
    const auto* entry = calculus_.find(name);
    if (!entry) fail("a primitive of the calculus");
    return entry->primitive;
  }

  PhraseRef primitive(PrimPhrase x) {
    const auto type = instances_.type_of(x);
    if (!type) fail(type.error());
    return Phrase{type->result, std::move(x)};
  }

  SourceRef source_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  const Calculus& calculus_;
  Instances instances_;
  std::map<std::string, ConstantName> constants_;
  std::map<std::string, std::pair<PrimitiveRef, int>> acceptors_;
  std::map<std::string, PhraseType> environment_;
};

}  // namespace

Checked<PhraseProgram> parse_phrase_program(const std::string& text, const Calculus& calculus) {
  try {
    return Parser(std::make_shared<const Source>(Source{"phrase", text}), calculus).program();
  } catch (const Failure& f) {
    return tl::unexpected(Diagnostics{f.diagnostic});
  }
}

}  // namespace lockstep

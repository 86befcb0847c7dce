// Recursive descent over the annotated form. Types flow inwards from constants to their binders.
#include "semantics/imperative/parse.h"

#include "semantics/imperative/instance.h"
#include "semantics/imperative/parse_types.h"

namespace lockstep {
namespace {

using reading::Token, reading::TokenKind;

std::map<std::string, imp::Constant> constants_by_name() {
  std::map<std::string, imp::Constant> out{{"assign", imp::Assign{}}, {"scanExclusiveI", imp::ScanI{true}}};
  for (const Space s : {Space::Auto, Space::Global, Space::Local, Space::Private, Space::Stream})
    out.insert({"new" + std::string(show(s)), imp::New{s}});
  const auto plain = [&](const auto&... c) { (out.insert({std::string(c.name), c}), ...); };
  plain(imp::Skip{}, imp::IdxAcc{}, imp::Cond{}, imp::While{}, imp::ReduceI{}, imp::ScanI{}, imp::IterateI{},
        imp::WhileI{}, imp::Barrier{});
  for (const Level l : {Level::Auto, Level::Seq, Level::Par, Level::Global, Level::Workgroup, Level::Warp, Level::Local,
                        Level::Unroll}) {
    const auto at_level = [&](const auto&... c) { (out.insert({std::string(c.name) + std::string(show(l)), c}), ...); };
    at_level(imp::For{l}, imp::ParFor{l}, imp::MapI{l});
  }
  out["for"] = imp::For{Level::Seq};
  out["forAuto"] = imp::For{Level::Auto};
  return out;
}

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

class Parser : public imperative::TypeParser {
 public:
  Parser(SourceRef source, const Calculus& calculus)
      : TypeParser(std::move(source)), calculus_(calculus), constants_(constants_by_name()) {
    for (const std::string& name : calculus.names()) {
      const auto* loop = std::get_if<Loop>(&calculus.primitive(name)->kind);
      if (loop && loop->constant) constants_[loop->constant->name] = imp::Own{loop->constant};
      if (const auto* v = std::get_if<View>(&calculus.primitive(name)->kind))
        for (std::size_t k = 0; k < v->acceptors.size(); ++k)
          acceptors_.insert({v->acceptors[k].name, {calculus.primitive(name), static_cast<int>(k)}});
    }
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
    p.launch = launch();
    expect("=");
    p.body = sequence(nullptr);
    if (!at_end()) unexpected("the end of the program");
    return p;
  }

 private:
  // ------------------------------------------------------------------------------------------ phrases
  PhraseRef sequence(const PhraseType* expected) {
    PhraseRef first = single(expected);
    if (!accept(";")) return first;
    PhraseRef rest = sequence(expected);
    return phrase_of({imp::Seq{}, {}, {}, {std::move(first), std::move(rest)}});
  }

  PhraseRef single(const PhraseType* expected) {
    if (accept("\\")) return abstraction(expected);
    if (at("let")) return binding(expected);
    PhraseRef p = operation();
    if (!accept(":=")) return p;
    const auto* a = as<AccType>(p->type);
    if (!a) unexpected("an acceptor before :=");
    const Type d = a->data;
    PhraseRef value = operation();
    return phrase_of({imp::Assign{}, {}, {d}, {std::move(p), std::move(value)}});
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
      unexpected("a binder with its type");
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

  PhraseRef operation() {
    return infix(
        application(), [&] { return application(); },
        [&](const Token& symbol, PhraseRef left, PhraseRef right) {
          const Type operand = data_of(*left);
          return primitive(
              {primitive_named(std::string(symbol.text)), -1, {}, {operand}, {std::move(left), std::move(right)}});
        });
  }

  PhraseRef application() {
    PhraseRef out = projections();
    while ((at_kind(TokenKind::Name) && !at("in") && !at("where")) || at("(") || at_kind(TokenKind::Number)) {
      PhraseRef argument = projections();
      const auto* arrow = as<PhraseFunction>(out->type);
      if (!arrow) unexpected("an operator: what stands before is no function");
      const PhraseType result = *arrow->to;
      out = Phrase{result, ApplyPhrase{std::move(out), std::move(argument)}};
    }
    return out;
  }

  PhraseRef projections() {
    PhraseRef out = atom();
    while (at(".") && peek(1).kind == TokenKind::Number && peek(1).joined) {
      take();
      const std::string_view k = take().text;
      const auto* product = as<PhraseProduct>(out->type);
      if (!product || (k != "1" && k != "2")) unexpected("a component of a pair");
      const PhraseType type = k == "1" ? *product->first : *product->second;
      out = Phrase{type, ProjPhrase{k == "1" ? 1 : 2, std::move(out)}};
    }
    return out;
  }

  PhraseRef atom() {
    const Deeper deeper(*this);
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
    if (at("(") && peek(1).kind == TokenKind::Symbol && peek(2).is(")") && !peek(1).is("\\")) {
      take();
      const std::string symbol(take().text);  // (+){}{f32}(x, y)
      take();
      return call(symbol);
    }
    if (accept("(")) {
      PhraseRef p = sequence(nullptr);
      if (accept(":")) p = Phrase{phrase_type(), p->node};
      expect(")");
      return p;
    }
    if (at_kind(TokenKind::Number) || at_kind(TokenKind::Text) || at("-") ||
        (at("bits") && peek(1).kind == TokenKind::Text))
      return literal_phrase();
    if (at("check") && peek(1).is("[")) return check_phrase();
    if (at_kind(TokenKind::Name) && !peek(1).is("{")) {
      const auto it = environment_.find(std::string(peek().text));
      if (it == environment_.end()) unexpected("a name in scope");
      return ident(word(), it->second);
    }
    return call(word());
  }

  PhraseRef number() {  // after the brace
    Size n = size();
    std::optional<Size> bound;
    if (accept("<")) bound = size();
    expect("}");
    return bound ? index_at(std::move(n), std::move(*bound)) : nat(std::move(n));
  }

  PhraseRef literal_phrase() {
    const bool bits = accept("bits"), negative = accept("-");
    std::string digits;
    std::string_view type;  // behind the quotes, or the number's suffix
    if (at_kind(TokenKind::Text)) {
      digits = unquoted(take());
      type = peek().text;
    } else {
      const reading::NumberParts number = reading::number_parts(peek().text);
      digits = number.digits;
      type = number.suffix;
    }
    const auto s = scalar_named(type);
    if (!s) unexpected("the literal's type");
    if (!is_float(*s)) {
      const auto value = integer_of(*s, integer(digits), negative);
      if (!value) unexpected("a number in the range of " + std::string(type));
      take();
      return literal(*value);
    }
    take();
    if (bits) return literal(make_ieee(*s, std::strtod(digits.c_str(), nullptr)));
    return literal(ieee_domain().literal(*s, digits), digits);
  }

  PhraseRef check_phrase() {
    expect("check");
    expect("[");
    imp::Check told{string(), {}};
    expect(",");
    told.message = string();
    expect("]");
    expect("(");
    std::vector<PhraseRef> arguments;
    do arguments.push_back(single(nullptr));
    while (accept(","));
    expect(")");
    return phrase_of({std::move(told), {}, {}, std::move(arguments)});
  }
  std::string string() {
    if (!at_kind(TokenKind::Text)) unexpected("a text in quotes");
    return unquoted(take());
  }

  // name{sizes}{types}(P, Q), the name read
  PhraseRef call(const std::string& name) {
    std::vector<Size> sizes;
    std::vector<Type> types;
    expect("{");
    while (!accept("}")) {
      sizes.push_back(size());
      if (!accept(",") && !at("}")) unexpected("`,` or `}`");
    }
    expect("{");
    while (!accept("}")) {
      types.push_back(type());
      if (!accept(",") && !at("}")) unexpected("`,` or `}`");
    }
    if (const auto it = constants_.find(name); it != constants_.end()) {
      ImpPhrase x{it->second, std::move(sizes), std::move(types), {}};
      const imp::Takes takes = taken_by(x.constant);
      if (takes != imp::Takes{x.sizes.size(), x.types.size()})
        unexpected(counted(takes.sizes, "size") + " and " + counted(takes.types, "type") + " of " + name);
      const ImpSignature s = signature(x);
      x.arguments = arguments(&s.arguments);
      if (x.arguments.size() != s.arguments.size())
        unexpected(std::to_string(s.arguments.size()) + " arguments of " + name);
      return phrase_of(std::move(x));
    }
    if (name == "if") return branching(sizes, types);
    if (const auto it = acceptors_.find(name); it != acceptors_.end())
      return primitive({it->second.first, it->second.second, std::move(sizes), std::move(types), arguments(nullptr)});
    return primitive({primitive_named(name), -1, std::move(sizes), std::move(types), arguments(nullptr)});
  }

  PhraseRef branching(const std::vector<Size>& sizes, const std::vector<Type>& types) {
    if (!sizes.empty() || types.size() != 1) unexpected("the type of the branches");
    const std::vector<PhraseRef> parts = arguments(nullptr);
    if (parts.size() != 3) unexpected("a condition and two branches");
    return Phrase{exp_type(types[0]), IfPhrase{parts[0], parts[1], parts[2]}};
  }

  std::vector<PhraseRef> arguments(const std::vector<PhraseType>* expected) {
    std::vector<PhraseRef> out;
    expect("(");
    while (!accept(")")) {
      const bool known = expected && out.size() < expected->size();
      out.push_back(sequence(known ? &(*expected)[out.size()] : nullptr));
      if (!accept(",") && !at(")")) unexpected("`,` or `)`");
    }
    return out;
  }

  const PrimitiveRef& primitive_named(const std::string& name) {
    const auto* entry = calculus_.find(name);
    if (!entry) unexpected("a primitive of the calculus");
    return entry->primitive;
  }

  PhraseRef primitive(PrimPhrase x) {
    const auto type = instances_.type_of(x);
    if (!type) unexpected(type.error());
    return Phrase{type->result, std::move(x)};
  }

  const Calculus& calculus_;
  Instances instances_;
  std::map<std::string, imp::Constant> constants_;
  std::map<std::string, std::pair<PrimitiveRef, int>> acceptors_;
  std::map<std::string, PhraseType> environment_;
};

}  // namespace

Checked<PhraseProgram> parse_phrase_program(const std::string& text, const Calculus& calculus) {
  Parser parser(std::make_shared<const Source>(Source{"phrase", text}), calculus);
  return reading::read_whole(parser, [&] { return parser.program(); });
}

}  // namespace lockstep

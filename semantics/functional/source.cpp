// One case a phrase. A lambda that only applies an operator to its parameters is written as the operator, (+); sizes
// are written by printing and parsing them.
#include "semantics/functional/source.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "semantics/functional/syntax/make.h"
#include "semantics/functional/syntax/parse.h"
#include "semantics/primitives/build.h"

namespace lockstep {
namespace {

using surface::Expr;

using namespace surface::make;

Expr written(const Size& s) {
  auto parsed = parse_expression(std::make_shared<const Source>(Source{"a size", show_atomic(s)}));
  if (!parsed) throw Bug("the size " + show(s) + " cannot be written in a program");
  return std::move(*parsed);
}

// A sign has no name of its own.
Expr operator_name(const Primitive& p) {
  const bool sign = !std::get<ScalarOp>(p.kind).sign.empty();
  return std::isalpha(static_cast<unsigned char>(p.name[0])) && !sign ? name(p.name)
                                                                      : Expr{surface::Operator{p.name}, {}};
}

std::string shortest(ScalarType t, double x) {
  char text[64];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    if (make_ieee(t, std::strtod(text, nullptr)).ieee() == x) break;
  }
  return text;
}

std::string digits_of(const LiteralPhrase& l) {
  const ScalarType t = l.value.type;
  if (t == ScalarType::Bool) return l.value.bits ? "true" : "false";
  if (!is_float(t)) return is_signed(t) ? std::to_string(l.value.integer()) : std::to_string(l.value.bits);
  std::string text = l.digits.empty() ? shortest(t, l.value.ieee()) : l.digits;
  if (text.find_first_of("nN") != std::string::npos)
    throw Bug("the literal " + text + " cannot be written in a program");
  return text;
}

Expr written(const LiteralPhrase& x, Suffixes suffixes) {
  std::string digits = digits_of(x);
  const bool negative = digits.front() == '-';
  const bool suffix = suffixes == Suffixes::Always && x.value.type != ScalarType::Bool;
  const Expr positive{
      surface::Literal{digits.substr(negative ? 1 : 0), suffix ? std::optional(x.value.type) : std::nullopt}, {}};
  return negative ? apply(operation("neg"), {positive}) : positive;
}

class Writer {
 public:
  Writer(const Calculus& calculus, Suffixes suffixes) : calculus_(calculus), suffixes_(suffixes) {}
  void declare(const std::string& name) { shown_.emplace(name, name); }

  Expr write(const Phrase& p) const {
    const auto never = [](const char* what) -> Expr { throw Bug(std::string(what) + " in a functional program"); };
    return match(
        p.node, [&](const Ident& x) { return name(shown(x.name)); },
        [&](const LiteralPhrase& x) { return written(x, suffixes_); },
        [](const NatPhrase& x) { return written(x.size); }, [&](const LambdaPhrase&) { return lambda(p); },
        [&](const ApplyPhrase& x) {
          Expr f = write(*x.function);
          return apply(std::move(f), {write(*x.argument)});
        },
        [&](const LetPhrase& x) {
          const Expr value = write(*x.value);
          const Bound bound(*this, {x.name}, *x.body);
          return Expr{surface::Let{bound.pattern(0), value, write(*x.body)}, {}};
        },
        [&](const IfPhrase& x) {
          return Expr{surface::If{write(*x.condition), write(*x.then), write(*x.otherwise)}, {}};
        },
        [&](const PairPhrase&) { return never("a phrase pair"); },
        [&](const ProjPhrase&) { return never("a phrase projection"); },
        [&](const PrimPhrase& x) { return primitive(x); }, [&](const ImpPhrase&) { return never("a command"); });
  }

 private:
  // Binders have one name each in a program; in the text x_2 is x where nothing around or in its scope is called so.
  class Bound {
   public:
    Bound(const Writer& writer, const std::vector<std::string>& names, const Phrase& scope)
        : writer_(writer), before_(writer.shown_) {
      std::set<std::string> taken, used;
      writer.collect_words(scope, taken, used);
      for (const std::string& n : names) used.erase(n);
      for (const auto& [n, text] : before_) taken.insert(text);
      for (const std::string& n : used) taken.insert(writer.shown(n));
      for (const std::string& n : names) {
        std::string text = stem(n);
        for (int k = 1; taken.contains(text); ++k) text = stem(n) + "_" + std::to_string(k);
        taken.insert(text);
        patterns_.push_back({surface::NamePattern{text}, {}});
        writer.shown_.insert_or_assign(n, text);
      }
    }
    ~Bound() { writer_.shown_ = before_; }
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;
    const surface::Pattern& pattern(std::size_t k) const { return patterns_[k]; }

   private:
    static std::string stem(std::string n) {
      for (;;) {
        const std::size_t end = n.find_last_not_of("0123456789");
        if (end == std::string::npos || end == 0 || end + 1 == n.size() || n[end] != '_') return n;
        n.resize(end);
      }
    }
    const Writer& writer_;
    std::map<std::string, std::string> before_;
    std::vector<surface::Pattern> patterns_;
  };

  std::string shown(const std::string& n) const {
    const auto it = shown_.find(n);
    return it == shown_.end() ? n : it->second;
  }
  // Free names, and the other words that a text of p holds: primitives and sizes.
  void collect_words(const Phrase& p, std::set<std::string>& words, std::set<std::string>& free) const {
    std::set<std::string> mine;
    collect_free(p, mine);
    free.merge(mine);
    collect_constants(p, words);
  }
  void collect_constants(const Phrase& p, std::set<std::string>& words) const {
    if (const auto* n = as<NatPhrase>(p)) collect_names(n->size, words);
    if (const auto* x = as<PrimPhrase>(p)) {
      words.insert(x->primitive->name);
      for (const Size& s : x->sizes) collect_names(s, words);
    }
    for_each_child(p, [&](const PhraseRef& c) { collect_constants(*c, words); });
  }

  Expr lambda(const Phrase& p) const {
    std::vector<std::string> parameters;
    const Phrase* body = &p;
    while (const auto* l = as<LambdaPhrase>(*body)) {
      parameters.push_back(l->name);
      body = l->body.get();
    }
    if (const auto* x = as<PrimPhrase>(*body); x && applies_to(*x, parameters)) return operator_name(*x->primitive);
    const Bound bound(*this, parameters, *body);
    std::vector<surface::Pattern> patterns;
    for (std::size_t k = 0; k < parameters.size(); ++k) patterns.push_back(bound.pattern(k));
    return {surface::Lambda{std::move(patterns), write(*body)}, {}};
  }

  // op x y under \x y: eta-reduced. Not a sign.
  static bool applies_to(const PrimPhrase& x, const std::vector<std::string>& parameters) {
    const auto* op = std::get_if<ScalarOp>(&x.primitive->kind);
    if (!op || !op->sign.empty()) return false;
    if (x.arguments.size() != parameters.size()) return false;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const auto* i = as<Ident>(*x.arguments[k]);
      if (!i || i->name != parameters[k]) return false;
    }
    return true;
  }

  std::vector<Expr> all(const std::vector<PhraseRef>& phrases) const {
    std::vector<Expr> out;
    for (const PhraseRef& p : phrases) out.push_back(write(*p));
    return out;
  }

  Expr primitive(const PrimPhrase& x) const {
    const std::string& n = x.primitive->name;
    if (x.acceptor >= 0) throw Bug("an acceptor in a functional program");
    if (std::holds_alternative<ScalarOp>(x.primitive->kind))
      return apply(operator_name(*x.primitive), all(x.arguments));
    if (is_pair(x)) return tuple(x);
    if (is_element(x)) return {surface::Index{write(*x.arguments[0]), write(*x.arguments[1])}, {}};
    if (is_literal_array(x)) return {surface::ArrayLiteral{all(x.arguments)}, {}};
    if (x.primitive->notation == Notation::None) {
      if (std::holds_alternative<Loop>(x.primitive->kind)) throw Bug("no program has a word for " + n);
      return write(*x.arguments[0]);  // the identity, so far
    }
    const Calculus::Entry* entry = calculus_.find(n);
    if (!entry) throw Bug("the calculus has no primitive " + n);
    std::vector<Expr> arguments;
    for (std::size_t k = 0; k < entry->scheme.nats.size(); ++k) arguments.push_back(written(x.sizes.at(k)));
    for (Expr& e : all(x.arguments)) arguments.push_back(std::move(e));
    return apply(name(n), std::move(arguments));
  }

  // (a, (b, c)) is (a, b, c).
  Expr tuple(const PrimPhrase& x) const {
    std::vector<Expr> parts{write(*x.arguments[0])};
    Expr rest = write(*x.arguments[1]);
    if (auto* more = std::get_if<surface::Tuple>(&rest.node))
      parts.insert(parts.end(), more->parts.begin(), more->parts.end());
    else
      parts.push_back(std::move(rest));
    return {surface::Tuple{std::move(parts)}, {}};
  }

  const Calculus& calculus_;
  Suffixes suffixes_;
  mutable std::map<std::string, std::string> shown_;  // binders around, by the name that they have in the text
};

surface::SourceType source_type(const Type& t) { return {t, {}, {}}; }

void add_literals(const Phrase& p, std::vector<std::string>& into) {
  if (const auto* l = as<LiteralPhrase>(p); l && l->value.type != ScalarType::I64)
    into.push_back(digits_of(*l) + std::string(show(l->value.type)));
  for_each_child(p, [&](const PhraseRef& c) { add_literals(*c, into); });
}

}  // namespace

surface::Expr source_of(const Size& s) { return written(s); }
surface::Expr source_of(const Scalar& ieee) { return written(LiteralPhrase{ieee, ""}, Suffixes::Always); }

surface::Expr source_of(const Phrase& e, const Calculus& calculus, Suffixes suffixes) {
  return Writer(calculus, suffixes).write(e);
}

surface::Definition source_of(const PhraseProgram& p, const Calculus& calculus, Suffixes suffixes) {
  Writer writer(calculus, suffixes);
  for (const std::string& n : p.sizes) writer.declare(n);
  for (const auto& [n, type] : p.parameters) writer.declare(n);
  surface::Definition d{p.name, {}, {}, {}, source_type(p.result), {}, writer.write(*p.body)};
  const std::size_t implicit = p.sizes.size() - p.explicit_sizes;
  for (std::size_t k = 0; k < implicit; ++k) d.sizes.emplace_back(p.sizes[k], Region{});
  for (std::size_t k = implicit; k < p.sizes.size(); ++k) d.parameters.push_back({p.sizes[k], {}, std::nullopt});
  for (const auto& [n, type] : p.parameters) d.parameters.push_back({n, {}, source_type(type)});
  for (const SizeFact& f : p.facts) d.facts.push_back({f, {}, {}});
  d.launch = p.launch;
  return d;
}

std::vector<std::string> literals_of(const Phrase& p) {
  std::vector<std::string> out;
  add_literals(p, out);
  return out;
}

}  // namespace lockstep

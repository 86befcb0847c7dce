// Layout of phrases. Levels, loosest first: a sequence of commands, an assignment or anything that extends to the
// right, the infix operators of .dpia, application, what is closed.
#include "semantics/imperative/print.h"

#include "semantics/core/pretty.h"
#include "semantics/imperative/instance.h"
#include "semantics/primitives/build.h"
#include "semantics/text/literal.h"
#include "semantics/text/operators.h"

namespace lockstep {
namespace {

using pretty::concat;
using pretty::Doc;
using pretty::group;
using pretty::line;
using pretty::nest;
using pretty::soft_line;
using pretty::text;

// Between Single and Application stand the operators, at the levels of their table.
enum Wanted { Sequence = 0, Single = 1, Infix = 2, Application = reading::above_operators, Atom };

bool is_word(const std::string& name) {
  return std::isalpha(static_cast<unsigned char>(name.front())) || name.front() == '_';
}

std::string type_text(const PhraseType& t) {
  if (const auto* product = as<PhraseProduct>(t)) {  // var[d]
    const auto* a = as<AccType>(*product->first);
    const auto* e = as<ExpType>(*product->second);
    if (a && e && a->data == e->data && a->space == e->space)
      return "var" + at_space(a->space) + "[" + show(a->data) + "]";
  }
  return show(t);
}

// What the text calls a constant: its levels, spaces and variants are names of their own.
std::string constant_name(const imp::Constant& c) {
  const auto name = [](const auto& x) { return std::string(x.name); };
  const auto with_level = [](const auto& x) { return std::string(x.name) + std::string(show(x.level)); };
  return match(
      c, [](const imp::New& x) { return "new" + std::string(show(x.space)); },
      [&](const imp::For& x) {
        return x.level == Level::Seq ? "for" : x.level == Level::Auto ? "forAuto" : with_level(x);
      },
      [&](const OneOf<imp::ParFor, imp::MapI> auto& x) { return with_level(x); },
      [&](const imp::ScanI& x) { return x.exclusive ? "scanExclusiveI" : name(x); },
      [](const imp::Assign&) { return std::string("assign"); }, [](const imp::Own& x) { return x.constant->name; },
      [&](const OneOf<imp::Skip, imp::Seq, imp::IdxAcc, imp::Cond, imp::While, imp::Check, imp::ReduceI, imp::IterateI,
                      imp::WhileI, imp::Barrier> auto& x) { return name(x); });
}

std::string primitive_name(const PrimPhrase& x) {
  if (x.acceptor < 0) return x.primitive->name;
  return std::get<View>(x.primitive->kind).acceptors.at(static_cast<std::size_t>(x.acceptor)).name;
}

struct Printed {
  int level;
  Doc doc;
};

class Printer {
 public:
  explicit Printer(const PrintOptions& options) : options_(options) {}

  // `expected`: the type that the place gives, so that a binder's need not be written.
  Doc doc(const Phrase& p, int wanted, const PhraseType* expected = nullptr) const {
    Printed printed = any(p, expected);
    if (printed.level >= wanted) return printed.doc;
    return concat({text("("), nest(1, printed.doc), text(")")});
  }

 private:
  Printed any(const Phrase& p, const PhraseType* expected) const {
    return match(
        p.node,
        [](const Ident& x) {
          return Printed{Atom, text(x.name)};
        },
        [&](const LiteralPhrase& x) { return literal(x); }, [&](const NatPhrase& x) { return number(x, p); },
        [&](const LambdaPhrase&) { return lambda(p, expected); },
        [&](const ApplyPhrase& x) {
          return Printed{
              Application,
              group(concat({doc(*x.function, Application), nest(2, concat({line(), doc(*x.argument, Atom)}))}))};
        },
        [&](const LetPhrase& x) {
          return Printed{Single,
                         group(concat({text("let " + x.name + " ="), nest(2, concat({line(), doc(*x.value, Single)})),
                                       text(" in"), line(), doc(*x.body, Sequence)}))};
        },
        [&](const IfPhrase& x) {
          return call("if", {}, options_.annotate ? std::vector{data_of(p)} : std::vector<Type>{},
                      {x.condition, x.then, x.otherwise}, {});
        },
        [&](const PairPhrase& x) {
          return Printed{Application, concat({text("< "), doc(*x.first, Application), text(", "),
                                              doc(*x.second, Application), text(" >")})};
        },
        [&](const ProjPhrase& x) {
          return Printed{Atom, concat({doc(*x.phrase, Atom), text('.' + std::to_string(x.index))})};
        },
        [&](const PrimPhrase& x) { return ascribed(primitive(x), x, p); },
        [&](const ImpPhrase& x) { return constant(x); });
  }

  Printed literal(const LiteralPhrase& x) const {
    const std::string suffix =
        options_.annotate && x.value.type != ScalarType::Bool ? std::string(show(x.value.type)) : "";
    if (!is_float(x.value.type)) {
      const std::string digits = show(x.value, ieee_domain());
      return {digits.front() == '-' ? Application : Atom, text(digits + suffix)};
    }
    if (!options_.annotate) return {Atom, text(x.digits.empty() ? show(x.value, ieee_domain()) : x.digits)};
    if (x.digits.empty()) {  // the number itself: its bits
      char bits[40];
      std::snprintf(bits, sizeof bits, "\"%a\"", x.value.ieee());
      return {Application, text("bits " + std::string(bits) + suffix)};
    }
    const bool plain = std::isdigit(static_cast<unsigned char>(x.digits.front())) != 0;
    return {plain ? Atom : Application, text((plain ? x.digits : reading::quoted(x.digits)) + suffix)};
  }

  Printed number(const NatPhrase& x, const Phrase& p) const {
    if (!options_.annotate) return {Atom, text(show_atomic(x.size))};
    const auto* index = as<IndexType>(data_of(p));
    std::string inside = show(x.size);
    if (index) inside.append(" < ").append(show(index->bound));
    return {Application, text('{' + inside + "}")};
  }

  // \x y. P; a binder's type stands where it does not follow, "p" after it where the arrow is ->p.
  Printed lambda(const Phrase& p, const PhraseType* expected) const {
    std::string head = "\\";
    const Phrase* body = &p;
    while (const auto* l = as<LambdaPhrase>(*body)) {
      const auto* arrow = as<PhraseFunction>(body->type);
      const auto* given = expected ? as<PhraseFunction>(*expected) : nullptr;
      const bool follows = given && arrow && *given->from == l->parameter && given->passive == arrow->passive;
      head += head == "\\" ? "" : " ";
      if (options_.annotate && !follows)
        head += "(" + l->name + " : " + type_text(l->parameter) + (arrow && arrow->passive ? " | p" : "") + ")";
      else
        head += l->name;
      expected = given ? &*given->to : nullptr;
      body = l->body.get();
    }
    return {Single, group(concat({text(head + "."), nest(2, concat({line(), doc(*body, Sequence)}))}))};
  }

  static std::string braces(const std::vector<Size>& sizes, const std::vector<Type>& types) {
    std::string out = "{", between;
    for (const Size& s : sizes) out += std::exchange(between, ", ") + show(s);
    out += "}{";
    between.clear();
    for (const Type& t : types) out += std::exchange(between, ", ") + show(t);
    return out + "}";
  }

  // (P : type) where the type that stands in the node is another one, equal only under the program's facts.
  Printed ascribed(Printed printed, const PrimPhrase& x, const Phrase& p) const {
    if (!options_.annotate) return printed;
    const auto type = instances_.type_of(x);
    if (!type || type->result == p.type) return printed;
    return {Atom, group(concat({text("("), nest(1, printed.doc), text(" : " + type_text(p.type) + ")")}))};
  }

  // name{sizes}{types}(P, Q) annotated, name P Q for people.
  Printed call(const std::string& name, const std::vector<Size>& sizes, const std::vector<Type>& types,
               const std::vector<PhraseRef>& arguments, const std::vector<PhraseType>& expected) const {
    const auto wanted = [&](std::size_t k) { return k < expected.size() ? &expected[k] : nullptr; };
    std::vector<Doc> docs;
    if (options_.annotate) {
      const std::string head = (is_word(name) ? name : '(' + name + ")") + braces(sizes, types);
      for (std::size_t k = 0; k < arguments.size(); ++k) docs.push_back(doc(*arguments[k], Sequence, wanted(k)));
      return {Atom, group(concat({text(head + "("), nest(2, concat({soft_line(), pretty::commas(docs)})), text(")")}))};
    }
    for (std::size_t k = 0; k < arguments.size(); ++k)
      docs.push_back(concat({line(), doc(*arguments[k], Atom, wanted(k))}));
    return {docs.empty() ? Atom : Application,
            group(concat({text(is_word(name) ? name : '(' + name + ")"), nest(2, concat(docs))}))};
  }

  Printed primitive(const PrimPhrase& x) const {
    const std::string& name = x.primitive->name;
    const auto& args = x.arguments;
    if (std::holds_alternative<ScalarOp>(x.primitive->kind) && args.size() == 2) {
      const int level = reading::level_of(reading::shared_operators, name);
      const auto* operand = as<ExpType>(args[0]->type);
      const bool follows =
          !options_.annotate || (x.sizes.empty() && x.types.size() == 1 && operand && operand->data == x.types[0]);
      if (level > 0 && follows)
        return {level, group(concat({doc(*args[0], level == reading::comparison_level ? level + 1 : level),
                                     nest(2, concat({line(), text(name + " "), doc(*args[1], level + 1)}))}))};
    }
    if (!options_.annotate && is_element(x) && !is_word(name))
      return {Application, concat({doc(*args[0], Application), text(' ' + name + ' '), doc(*args[1], Atom)})};
    if (const auto* op = std::get_if<ScalarOp>(&x.primitive->kind); op && !options_.annotate && !op->sign.empty())
      return {Application, concat({text(op->sign), doc(*args[0], Atom)})};
    return options_.annotate ? call(primitive_name(x), x.sizes, x.types, args, {}) : short_primitive(x);
  }

  // Explicit sizes are part of what a person reads: split 64 xs.
  Printed short_primitive(const PrimPhrase& x) const {
    std::string name = primitive_name(x);
    const std::size_t given = x.acceptor < 0 ? instances_.explicit_sizes(x.primitive) : 0;
    for (std::size_t k = 0; k < std::min(given, x.sizes.size()); ++k) name += ' ' + show_atomic(x.sizes[k]);
    return call(name, {}, {}, x.arguments, {});
  }

  Printed constant(const ImpPhrase& x) const {
    const ImpSignature s = signature(x);
    const auto plainly = [&] { return call(constant_name(x.constant), x.sizes, x.types, x.arguments, s.arguments); };
    return match(
        x.constant,
        [&](const OneOf<imp::Skip, imp::Barrier> auto&) {
          return options_.annotate ? plainly() : Printed{Atom, text(constant_name(x.constant))};
        },
        [&](const imp::Seq&) {
          return Printed{Sequence,
                         concat({text_of(x, 0, Single), text(";"), pretty::hard_line(), text_of(x, 1, Sequence)})};
        },
        [&](const imp::Assign&) {
          const auto* a = as<AccType>(x.arguments[0]->type);
          return options_.annotate && !(a && a->data == x.types.at(0)) ? plainly() : assignment(x);
        },
        [&](const imp::Check& c) { return check(c, x, s); },
        [&](const OneOf<imp::Cond, imp::While, imp::New, imp::For, imp::ParFor> auto& c) {
          return options_.annotate ? plainly() : for_people(c, x, s);
        },
        [&](const OneOf<imp::IdxAcc, imp::MapI, imp::ReduceI, imp::ScanI, imp::IterateI, imp::WhileI, imp::Own> auto&) {
          return plainly();
        });
  }

  Doc text_of(const ImpPhrase& x, std::size_t k, int wanted) const { return doc(*x.arguments[k], wanted); }

  Printed assignment(const ImpPhrase& x) const {
    return {Single,
            group(concat({text_of(x, 0, Application), text(" :="), nest(2, concat({line(), text_of(x, 1, Infix)}))}))};
  }
  Printed check(const imp::Check& c, const ImpPhrase& x, const ImpSignature& s) const {
    std::vector<Doc> docs;
    for (std::size_t k = 0; k < x.arguments.size(); ++k)
      docs.push_back(doc(*x.arguments[k], Single, &s.arguments.at(k)));
    const std::string head = "check[" + reading::quoted(c.primitive) + ", " + reading::quoted(c.message) + "](";
    return {Atom, group(concat({text(head), nest(2, pretty::commas(docs)), text(")")}))};
  }
  Printed for_people(const imp::Cond&, const ImpPhrase& x, const ImpSignature&) const {
    return {Single, concat({text("if "), text_of(x, 0, Infix), text(" then ("), block(*x.arguments[1]),
                            text(") else ("), block(*x.arguments[2]), text(")")})};
  }
  Printed for_people(const imp::While&, const ImpPhrase& x, const ImpSignature&) const {
    return {Single, concat({text("while "), text_of(x, 0, Infix), text(" do ("), block(*x.arguments[1]), text(")")})};
  }
  Printed for_people(const imp::New& c, const ImpPhrase& x, const ImpSignature& s) const {
    return binder(constant_name(c) + " " + show(x.types[0]), *x.arguments[0], &s.arguments[0]);
  }
  Printed for_people(const imp::For& c, const ImpPhrase& x, const ImpSignature& s) const {
    return binder(constant_name(c) + " " + show_atomic(x.sizes[0]), *x.arguments[0], &s.arguments[0]);
  }
  Printed for_people(const imp::ParFor& c, const ImpPhrase& x, const ImpSignature& s) const {
    const Printed body = binder("", *x.arguments[1], &s.arguments[1]);
    return {Application,
            concat({text(constant_name(c) + " " + show_atomic(x.sizes[0]) + " "), text_of(x, 0, Atom), body.doc})};
  }

  Doc block(const Phrase& body) const { return group(concat({nest(2, concat({soft_line(), doc(body, Sequence)}))})); }

  // head (\x. body), the body indented under the head and not under the parenthesis.
  Printed binder(const std::string& head, const Phrase& f, const PhraseType* expected) const {
    return {Application, concat({text(head + " ("), any(f, expected).doc, text(")")})};
  }

  const PrintOptions& options_;
  mutable Instances instances_;
};

}  // namespace

std::string print(const Phrase& phrase, const PrintOptions& options) {
  return pretty::layout(Printer(options).doc(phrase, Sequence));
}

std::string print(const PhraseProgram& p, const PrintOptions& options) {
  std::string head = options.annotate ? "program " + p.name : "fun " + p.name;
  const std::size_t implicit = p.sizes.size() - p.explicit_sizes;
  for (std::size_t k = 0; k < implicit; ++k) head += (k == 0 ? " [" : " ") + p.sizes[k];
  if (implicit > 0) head += "]";
  for (std::size_t k = implicit; k < p.sizes.size(); ++k) head += " (" + p.sizes[k] + " : nat)";
  for (const auto& [name, type] : p.parameters) head += " (" + name + " : " + show(type) + ")";
  head += " : " + show(p.result);
  std::string between = " where ";
  for (const SizeFact& f : p.facts) head += std::exchange(between, ", ") + show(f);
  if (!p.output.empty()) head += " -> " + p.output;
  head += show(p.launch);
  const Doc body = Printer(options).doc(*p.body, Sequence);
  return pretty::layout(concat({text(head + " ="), nest(2, concat({pretty::hard_line(), body}))})) + "\n";
}

}  // namespace lockstep

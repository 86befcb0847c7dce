// Surface syntax to text. Levels are the grammar's, loosest first; an expression below the level that its place asks
// for is parenthesised. Nested applications become a pipe from the fourth on, and long chains one group.
#include "semantics/functional/syntax/print.h"

#include <algorithm>

#include "semantics/core/pretty.h"
#include "semantics/text/operators.h"

namespace lockstep {
namespace {

using namespace surface;
using pretty::concat;
using pretty::Doc;
using pretty::group;
using pretty::line;
using pretty::nest;
using pretty::soft_line;
using pretty::text;

// Between Pipe and Prefix stand the operators, at the levels of their table.
enum Level { Open = 0, Pipe = 1, Prefix = reading::above_operators, Indexing, Application, Atom };
constexpr std::size_t pipe_from = 4;  // nested applications

int infix_level(const std::string& symbol) {
  if (const int level = reading::level_of(reading::shared_operators, symbol)) return level;
  throw Bug("no operator is written " + symbol);
}

const Sign* sign_of(const Operator& o) {
  const auto* found =
      std::find_if(std::begin(signs), std::end(signs), [&](const Sign& s) { return s.name == o.symbol; });
  return found == std::end(signs) ? nullptr : found;
}

struct InfixParts {
  std::string symbol;
  const Expr* left;
  const Expr* right;
};
std::optional<InfixParts> as_infix(const Expr& e) {
  auto* outer = std::get_if<Apply>(&e.node);
  auto* inner = outer ? std::get_if<Apply>(&outer->function->node) : nullptr;
  auto* head = inner ? std::get_if<Operator>(&inner->function->node) : nullptr;
  if (!head || sign_of(*head)) return std::nullopt;
  return InfixParts{head->symbol, &*inner->argument, &*outer->argument};
}

struct SignParts {
  std::string_view sign;
  const Expr& operand;
};
std::optional<SignParts> as_signed(const Expr& e) {
  auto* apply = std::get_if<Apply>(&e.node);
  auto* head = apply ? std::get_if<Operator>(&apply->function->node) : nullptr;
  const Sign* sign = head ? sign_of(*head) : nullptr;
  if (!sign) return std::nullopt;
  return SignParts{sign->written, *apply->argument};
}

// An application that is written as one: f x, not a + b or -a.
const Apply* as_application(const Expr& e) {
  if (as_infix(e) || as_signed(e)) return nullptr;
  return std::get_if<Apply>(&e.node);
}

Doc doc(const Expr& e, int wanted);

// A document and the level at which it may stand without parentheses.
struct Printed {
  int level;
  Doc doc;
};

Doc comma_separated(const char* open, const std::vector<Expr>& parts, const char* close) {
  std::vector<Doc> docs;
  for (const Expr& part : parts) docs.push_back(doc(part, Open));
  return pretty::listed(open, docs, close);
}

std::string show(const Pattern& p) {
  return match(
      p.node, [](const NamePattern& n) { return n.name; }, [](const WildPattern&) { return std::string("_"); },
      [](const TuplePattern& t) {
        std::string out;
        for (const Pattern& part : t.parts) out += (out.empty() ? "(" : ", ") + show(part);
        return out + ")";
      });
}

Printed print_operator(const Operator& o) {
  // No program says a sign alone; written out it is the same function.
  if (const Sign* sign = sign_of(o)) return {Atom, text("(\\x -> " + std::string(sign->written) + "x)")};
  return {Atom, text("(" + o.symbol + ")")};
}

Printed print_literal(const Literal& l) {
  std::string suffix = l.suffix ? std::string(lockstep::show(*l.suffix)) : "";
  return {l.digits.substr(0, 1) == "-" ? Prefix : Atom, text(l.digits + suffix)};
}

Printed print_lambda(const Lambda& l) {
  std::string head = "\\";
  for (const Pattern& p : l.patterns) head += show(p) + " ";
  return {Open, group(concat({text(head + "->"), nest(2, concat({line(), doc(*l.body, Open)}))}))};
}

// A run of lets stands on lines of its own, not further and further to the right.
Printed print_let(const Let& first) {
  std::vector<Doc> docs;
  const Let* let = &first;
  for (;;) {
    docs.push_back(group(concat(
        {text("let " + show(let->pattern) + " ="), nest(2, concat({line(), doc(*let->value, Open)})), text(" in")})));
    docs.push_back(line());
    const Expr& body = *let->body;
    let = std::get_if<Let>(&body.node);
    if (!let) {
      docs.push_back(doc(body, Open));
      return {Open, group(concat(std::move(docs)))};
    }
  }
}

Printed print_if(const If& i) {
  return {Open, group(concat({text("if "), nest(3, doc(*i.condition, Open)), line(), text("then "),
                              nest(5, doc(*i.then, Open)), line(), text("else "), nest(5, doc(*i.otherwise, Open))}))};
}

// The left operands of one level are one group: a + b - c.
Printed print_infix(const Expr& e, const std::string& symbol) {
  int level = infix_level(symbol);
  std::vector<Doc> backwards;
  const Expr* left = &e;
  for (auto parts = as_infix(*left); parts && infix_level(parts->symbol) == level; parts = as_infix(*left)) {
    backwards.push_back(concat({line(), text(parts->symbol + " "), nest(2, doc(*parts->right, level + 1))}));
    left = parts->left;
    if (level == reading::comparison_level) break;
  }
  backwards.push_back(doc(*left, level + 1));
  return {level, group(pretty::concat_backwards(std::move(backwards)))};
}

Printed print_sign(const SignParts& s) {
  // A second minus must not touch the first: -- starts a comment.
  bool minus_inside = false;
  if (auto inner = as_signed(s.operand)) minus_inside = inner->sign[0] == '-';
  if (auto* number = std::get_if<Literal>(&s.operand.node)) minus_inside = number->digits.substr(0, 1) == "-";
  const char* space = minus_inside && s.sign[0] == '-' ? " " : "";
  return {Prefix, concat({text(std::string(s.sign) + space), doc(s.operand, Prefix)})};
}

// f x y
Doc application(const Expr& e) {
  std::vector<Doc> backwards;
  const Expr* function = &e;
  while (const Apply* a = as_application(*function)) {
    backwards.push_back(nest(2, concat({line(), doc(*a->argument, Atom)})));
    function = &*a->function;
  }
  backwards.push_back(doc(*function, Application));
  return group(pretty::concat_backwards(std::move(backwards)));
}

// g (f x) from the outside in: {g (f x), f x}.
std::vector<const Expr*> nested_applications(const Expr& e) {
  std::vector<const Expr*> found;
  const Expr* at = &e;
  while (const Apply* a = as_application(*at)) {
    found.push_back(at);
    at = &*a->argument;
  }
  return found;
}

Printed print_application(const Expr& e) {
  std::vector<const Expr*> nested = nested_applications(e);
  if (nested.size() < pipe_from) return {Application, application(e)};
  std::vector<Doc> docs = {application(*nested.back())};
  for (auto stage = nested.rbegin() + 1; stage != nested.rend(); ++stage) {
    const Expr& function = *std::get<Apply>((*stage)->node).function;
    docs.push_back(concat({line(), text("|> "), nest(3, doc(function, Pipe + 1))}));
  }
  return {Pipe, group(concat(std::move(docs)))};
}

Printed print_apply(const Expr& e) {
  if (auto infix = as_infix(e)) return print_infix(e, infix->symbol);
  if (auto sign = as_signed(e)) return print_sign(*sign);
  return print_application(e);
}

// a ! i ! j
Printed print_index(const Expr& e) {
  std::vector<Doc> backwards;
  const Expr* array = &e;
  while (auto* i = std::get_if<Index>(&array->node)) {
    backwards.push_back(concat({text(" ! "), doc(*i->index, Application)}));
    array = &*i->array;
  }
  backwards.push_back(doc(*array, Indexing));
  return {Indexing, pretty::concat_backwards(std::move(backwards))};
}

Printed printed(const Expr& e) {
  return match(
      e.node,
      [&](const Name& n) {
        return Printed{Atom, text(n.name)};
      },
      [&](const Literal& l) { return print_literal(l); }, [&](const Operator& o) { return print_operator(o); },
      [&](const Lambda& l) { return print_lambda(l); }, [&](const Let& l) { return print_let(l); },
      [&](const If& i) { return print_if(i); }, [&](const Apply&) { return print_apply(e); },
      [&](const Index&) { return print_index(e); },
      [&](const Tuple& t) {
        return Printed{Atom, comma_separated("(", t.parts, ")")};
      },
      [&](const ArrayLiteral& a) {
        return Printed{Atom, comma_separated("[", a.parts, "]")};
      });
}

Doc doc(const Expr& e, int wanted) {
  Printed p = printed(e);
  if (p.level >= wanted) return p.doc;
  return concat({text("("), nest(1, p.doc), text(")")});
}

Doc parameter(const Parameter& p) {
  return text("(" + p.name + " : " + (p.type ? lockstep::show(p.type->type) : "nat") + ")");
}

Doc facts(const std::vector<Fact>& facts) {
  std::vector<Doc> docs;
  for (const Fact& f : facts) docs.push_back(text(lockstep::show(f.fact)));
  return group(concat({text("where "), nest(6, pretty::commas(docs))}));
}

Doc definition(const Definition& d) {
  std::string sizes;
  for (const auto& [name, region] : d.sizes) sizes += (sizes.empty() ? " [" : " ") + name;
  std::vector<Doc> head = {text("fun " + d.name + sizes + (sizes.empty() ? "" : "]"))};
  std::vector<Doc> rest;
  for (const Parameter& p : d.parameters) rest.insert(rest.end(), {line(), parameter(p)});
  rest.push_back(text(" : " + lockstep::show(d.result.type)));
  if (!d.facts.empty()) rest.insert(rest.end(), {line(), facts(d.facts)});
  rest.push_back(text(lockstep::show(d.launch)));
  rest.push_back(text(" ="));
  head.push_back(nest(4, concat(std::move(rest))));
  return group(concat({group(concat(std::move(head))), nest(2, concat({line(), doc(d.body, Open)}))}));
}

}  // namespace

std::string print(const surface::Program& program) {
  std::string out;
  for (const surface::Definition& d : program.definitions) out += (out.empty() ? "" : "\n") + print(d) + "\n";
  return out;
}

std::string print(const surface::Definition& d) { return pretty::layout(definition(d)); }
std::string print(const surface::Expr& e) { return pretty::layout(doc(e, Open)); }

}  // namespace lockstep

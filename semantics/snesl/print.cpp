// Surface syntax to text. Levels are the grammar's, loosest first; an expression below the level that its place asks
// for is parenthesised, and so are `|` and `? :` where the braces around them would take their signs.
#include <algorithm>
#include <cmath>

#include "semantics/core/pretty.h"
#include "semantics/snesl/operators.h"
#include "semantics/snesl/parse.h"
#include "semantics/text/literal.h"
#include "semantics/text/patterns.h"
#include "semantics/text/printing.h"

namespace lockstep::snesl {
namespace {

using namespace surface;
using pretty::concat;
using pretty::Doc;
using pretty::group;
using pretty::line;
using pretty::nest;
using pretty::text;

// Between Append and Negation stand the operators, at the levels of their table.
enum Level { Open, Select, Append = append_level, Negation = reading::above_operators, Indexing, Component };

// What directly surrounds an expression: whether `|` and `? :` would be taken by the braces.
struct Place {
  bool bar_ends = false;
  bool colon_ends = false;
};

bool is_negative(const Atom& a) {
  return (a.type == Prim::Int && a.integer < 0) || (a.type == Prim::Real && std::signbit(a.ieee()));
}
bool is_number(const Atom& a) { return a.type == Prim::Int || a.type == Prim::Real; }
const Literal* number_in(const Expr& e) {
  auto* l = std::get_if<Literal>(&e.node);
  return l && is_number(l->atom) ? l : nullptr;
}

int level_of(const Expr& e) {
  return match(
      e.node, [](const Variable&) -> int { return Component; },
      [](const Literal& l) -> int { return is_negative(l.atom) ? Negation : Component; },
      [](const TextLiteral&) -> int { return Component; }, [](const LetExpr&) -> int { return Open; },
      [](const IfExpr&) -> int { return Open; }, [](const SelectExpr&) -> int { return Select; },
      [](const ComprehensionExpr&) -> int { return Component; }, [](const GuardedExpr&) -> int { return Component; },
      [](const SequenceExpr&) -> int { return Component; }, [](const VectorExpr&) -> int { return Component; },
      [](const TupleExpr&) -> int { return Component; }, [](const ProjectExpr&) -> int { return Component; },
      [](const PrefixExpr&) -> int { return Negation; }, [](const InfixExpr& i) -> int { return row_of(i.op).level; },
      [](const IndexExpr&) -> int { return Indexing; }, [](const AppendExpr&) -> int { return Append; },
      [](const CallExpr&) -> int { return Component; });
}

bool taken_by_braces(const Expr& e, Place place) {
  auto* infix = std::get_if<InfixExpr>(&e.node);
  if (place.bar_ends && infix && infix->op == Infix::BitOr) return true;
  return place.colon_ends && std::holds_alternative<SelectExpr>(e.node);
}

Doc printed(const Expr& e, Place place);

Doc parenthesised(const Expr& e) { return concat({text("("), nest(1, printed(e, {})), text(")")}); }

Doc doc(const Expr& e, int wanted, Place place) {
  if (level_of(e) < wanted || taken_by_braces(e, place)) return parenthesised(e);
  return printed(e, place);
}

Doc comma_separated(const std::string& open, const std::vector<ExprRef>& parts, const char* close, Place first = {}) {
  std::vector<Doc> docs;
  for (const ExprRef& part : parts) docs.push_back(doc(*part, Open, docs.empty() ? first : Place{}));
  return pretty::listed(open, docs, close);
}

std::string show_literal(const Atom& a) {
  if (a.type == Prim::Unit || (a.type == Prim::Real && !std::isfinite(a.ieee())))
    throw Bug("no literal of a program says " + snesl::show(a));
  return snesl::show(a);
}

std::string show_text(const std::string& bytes) {
  std::string out = "\"";
  for (char c : bytes) out += reading::escaped(static_cast<unsigned char>(c), '"');
  return out + "\"";
}

// A run of lets stands on lines of its own, not further and further to the right.
Doc print_let(const LetExpr& first, Place place) {
  std::vector<Doc> docs;
  const LetExpr* let = &first;
  for (;;) {
    std::vector<Doc> bindings;
    for (const Binding& b : let->bindings)
      bindings.push_back(group(concat(
          {text(reading::pattern_text(b.pattern) + " ="), nest(2, concat({line(), doc(*b.value, Open, place)}))})));
    docs.insert(docs.end(),
                {text("let "), nest(4, pretty::join(bindings, concat({text(";"), line()}))), text(" in"), line()});
    const Expr& body = *let->body;
    let = std::get_if<LetExpr>(&body.node);
    if (!let) {
      docs.push_back(doc(body, Open, place));
      return group(concat(std::move(docs)));
    }
  }
}

// c ? a : d ? b : e
Doc print_select(const SelectExpr& first, Place place) {
  std::vector<Doc> docs;
  const SelectExpr* s = &first;
  for (;;) {
    docs.insert(docs.end(),
                {doc(*s->condition, Append, place), text(" ? "), doc(*s->yes, Select, place), line(), text(": ")});
    const Expr& no = *s->no;
    s = std::get_if<SelectExpr>(&no.node);
    if (!s) {
      docs.push_back(doc(no, Select, place));
      return group(concat(std::move(docs)));
    }
  }
}

struct Operands {
  const Expr* left;
  std::string_view symbol;
  const Expr* right;
};
Operands operands_of(const Expr& e) {
  if (auto* a = std::get_if<AppendExpr>(&e.node)) return {a->left.get(), "++", a->right.get()};
  auto& i = std::get<InfixExpr>(e.node);
  return {i.left.get(), row_of(i.op).symbol, i.right.get()};
}

// The left operands of one level are one group: a + b - c.
Doc print_infix(const Expr& e, Place place) {
  int level = level_of(e);
  std::vector<Doc> backwards;
  const Expr* left = &e;
  while (level_of(*left) == level && !taken_by_braces(*left, place)) {
    Operands o = operands_of(*left);
    backwards.push_back(concat({line(), text(std::string(o.symbol) + " "), nest(2, doc(*o.right, level + 1, place))}));
    left = o.left;
    if (level == reading::comparison_level) break;
  }
  backwards.push_back(doc(*left, level + 1, place));
  return group(pretty::concat_backwards(std::move(backwards)));
}

// -- starts a comment, && is one word, and a minus before a number is the number's own sign.
Doc print_prefix(const PrefixExpr& p, Place place) {
  static constexpr const char* symbols[] = {"&", "#", "-", "!"};
  std::string symbol = symbols[static_cast<std::size_t>(p.op)];
  const Expr& inside = *p.operand;
  const Literal* number = number_in(inside);
  auto* prefix = std::get_if<PrefixExpr>(&inside.node);
  if (p.op == Prefix::Negate && number && !is_negative(number->atom))
    return concat({text(symbol), parenthesised(inside)});
  bool touches = prefix ? prefix->op == p.op : number && p.op == Prefix::Negate;
  if (touches && (p.op == Prefix::Negate || p.op == Prefix::Iota)) symbol += " ";
  return concat({text(symbol), doc(inside, Negation, place)});
}

// v ! i ! j
Doc print_index(const Expr& e, Place place) {
  std::vector<Doc> backwards;
  const Expr* vector = &e;
  while (auto* i = std::get_if<IndexExpr>(&vector->node)) {
    backwards.push_back(concat({text(" ! "), doc(*i->index, Component, place)}));
    vector = i->vector.get();
  }
  backwards.push_back(doc(*vector, Indexing, place));
  return pretty::concat_backwards(std::move(backwards));
}

// 5.1 would be a Real.
Doc print_project(const ProjectExpr& p, Place place) {
  Doc tuple = number_in(*p.tuple) ? parenthesised(*p.tuple) : doc(*p.tuple, Component, place);
  return concat({std::move(tuple), text("." + std::to_string(p.index))});
}

Doc print_comprehension(const ComprehensionExpr& c) {
  std::vector<Doc> generators;
  for (const Binding& g : c.generators)
    generators.push_back(
        concat({text(reading::pattern_text(g.pattern) + " in "), nest(2, doc(*g.value, Open, {true, false}))}));
  std::vector<Doc> inside = {doc(*c.body, Open, {true, true}), line(), text(": "),
                             nest(2, pretty::join(generators, concat({text(";"), line()})))};
  if (c.condition) inside.insert(inside.end(), {line(), text("| "), nest(2, doc(**c.condition, Open, {}))});
  return group(concat({text("{"), nest(1, concat(std::move(inside))), text("}")}));
}

Doc print_guarded(const GuardedExpr& g) {
  return group(concat(
      {text("{"),
       nest(1, concat({doc(*g.body, Open, {true, true}), line(), text("| "), nest(2, doc(*g.condition, Open, {}))})),
       text("}")}));
}

Doc printed(const Expr& e, Place place) {
  return match(
      e.node, [&](const Variable& v) { return text(v.name); },
      [&](const Literal& l) { return text(show_literal(l.atom)); },
      [&](const TextLiteral& t) { return text(show_text(t.text)); },
      [&](const LetExpr& l) { return print_let(l, place); },
      [&](const IfExpr& i) { return reading::conditional_doc(i, [&](const Expr& x) { return doc(x, Open, place); }); },
      [&](const SelectExpr& s) { return print_select(s, place); },
      [&](const ComprehensionExpr& c) { return print_comprehension(c); },
      [&](const GuardedExpr& g) { return print_guarded(g); },
      [&](const SequenceExpr& s) {
        return comma_separated("{", s.items, "}", {true, false});
      },
      [&](const VectorExpr& v) { return comma_separated("[", v.items, "]"); },
      [&](const TupleExpr& t) { return comma_separated("(", t.items, ")"); },
      [&](const ProjectExpr& p) { return print_project(p, place); },
      [&](const PrefixExpr& p) { return print_prefix(p, place); },
      [&](const InfixExpr&) { return print_infix(e, place); }, [&](const IndexExpr&) { return print_index(e, place); },
      [&](const AppendExpr&) { return print_infix(e, place); },
      [&](const CallExpr& c) { return comma_separated(c.function + "(", c.arguments, ")"); });
}

Doc function(const Function& f) {
  std::vector<Doc> names;
  for (const Parameter& p : f.parameters) names.push_back(text(p.name));
  Doc formal = group(concat({text("fun " + f.name + "("), nest(4, pretty::commas(names)), text(") =")}));
  return group(concat({formal, nest(2, concat({line(), doc(*f.body, Open, {})}))}));
}

}  // namespace

std::string print(const surface::Program& p) {
  std::string out;
  for (const Function& f : p.functions) out += (out.empty() ? "" : "\n") + pretty::layout(function(f)) + "\n";
  return out;
}

std::string print(const surface::Expr& e) { return pretty::layout(doc(e, Open, {})); }

}  // namespace lockstep::snesl

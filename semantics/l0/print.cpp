// Programs of L0 to text that parses to the same tree. Levels are the grammar's, loosest first; an expression below the
// level that its place asks for is parenthesised.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "semantics/core/pretty.h"
#include "semantics/l0/operators.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/words.h"
#include "semantics/text/literal.h"
#include "semantics/text/patterns.h"
#include "semantics/text/printing.h"

namespace lockstep::l0 {
namespace {

using pretty::concat;
using pretty::Doc;
using pretty::group;
using pretty::hard_line;
using pretty::line;
using pretty::nest;
using pretty::text;

// Between Open and Signed stand the operators, at the levels of their table.
enum Level { Open, Signed = reading::above_operators, Atom };

bool is_number(const Scalar& s) { return s.type == ScalarType::I64 || s.type == ScalarType::F64; }
bool is_negative(const Scalar& s) {
  return s.type == ScalarType::I64 ? s.integer() < 0 : s.type == ScalarType::F64 && std::signbit(s.ieee());
}

int level_of(const Expr& e) {
  return match(
      e.node, [](const Literal& l) -> int { return is_negative(l.value) ? Signed : Atom; },
      [](const OneOf<TextLiteral, Variable, TupleExpr, ArrayExpr, IndexExpr, CallExpr, BuiltInExpr, ShiftExpr,
                     FlattenExpr, SoacExpr> auto&) -> int { return Atom; },
      [](const PrefixExpr&) -> int { return Signed; }, [](const InfixExpr& i) -> int { return row_of(i.op).level; },
      [](const OneOf<IfExpr, BlockExpr> auto&) -> int { return Open; });
}

Doc printed(const Expr& e);
Doc doc(const Expr& e, int wanted = Open) {
  if (level_of(e) >= wanted) return printed(e);
  return concat({text("("), nest(1, printed(e)), text(")")});
}

std::vector<Doc> docs(const std::vector<ExprRef>& parts) {
  std::vector<Doc> out;
  for (const ExprRef& part : parts) out.push_back(doc(*part));
  return out;
}

std::string show_real(double r) {
  if (!std::isfinite(r)) throw Bug("no literal of L0 says " + std::to_string(r));
  char buffer[64];
  std::string digits(buffer, std::to_chars(buffer, buffer + sizeof buffer, std::fabs(r)).ptr);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return std::signbit(r) ? "~" + digits : digits;
}
std::string show_literal(const Scalar& s) {
  if (s.type == ScalarType::Bool) return s.bits ? "true" : "false";
  if (s.type == ScalarType::U8) return "'" + reading::escaped(static_cast<unsigned char>(s.bits), '\'') + "'";
  if (s.type == ScalarType::F64) return show_real(s.ieee());
  if (s.type != ScalarType::I64) throw Bug("a literal of no type of L0");
  const std::string digits = std::to_string(s.integer());
  return s.integer() < 0 ? "~" + digits.substr(1) : digits;
}

std::string show_text(const std::string& bytes) {
  std::string out = "\"";
  for (const char c : bytes) out += reading::escaped(static_cast<unsigned char>(c), '"');
  return out + "\"";
}

Doc print_binding(const Binding& b) {
  const auto defined = [](const std::string& head, Doc value) {
    return group(concat({text(head), nest(2, concat({line(), std::move(value)}))}));
  };
  return match(
      b.node,
      [&](const LetBinding& x) { return defined("let " + reading::pattern_text(x.pattern) + " =", doc(*x.value)); },
      [&](const UpdateBinding& x) {
        const bool same = x.name == x.source;
        const std::string head = same ? "let " + x.name : "let " + x.name + " = " + x.source + " with ";
        return group(concat({pretty::listed(head + "[", docs(x.indices), same ? "] =" : "] <-"),
                             nest(2, concat({line(), doc(*x.value)}))}));
      },
      [&](const LoopBinding& x) {
        return group(concat({text("loop ("),
                             nest(6, group(concat({text(reading::pattern_text(x.merge) + " ="),
                                                   nest(2, concat({line(), doc(*x.init)})), text(")")}))),
                             text(" = for " + x.index + " < "), nest(4, doc(*x.bound)), text(" do"),
                             nest(2, concat({hard_line(), doc(*x.step)}))}));
      });
}

// Each definition on a line of its own.
Doc print_block(const BlockExpr& b) {
  std::vector<Doc> parts;
  for (const Binding& x : b.bindings) {
    const bool loop = std::holds_alternative<LoopBinding>(x.node);
    parts.insert(parts.end(), {print_binding(x), loop ? hard_line() : text(" "), text("in"), hard_line()});
  }
  parts.push_back(doc(*b.result));
  return concat(std::move(parts));
}

// A `~` before a number is the number's own sign.
Doc print_prefix(const PrefixExpr& p) {
  const std::string symbol = p.op == Prefix::Not ? "not " : "~";
  const auto* number = as<Literal>(*p.operand);
  if (p.op == Prefix::Negate && number && is_number(number->value))
    return concat({text(symbol + "("), printed(*p.operand), text(")")});
  return concat({text(symbol), doc(*p.operand, Signed)});
}

Doc print_parameters(const std::vector<Parameter>& parameters) {
  std::vector<Doc> parts;
  for (const Parameter& p : parameters) parts.push_back(text(show(p.type) + " " + p.name));
  return nest(4, pretty::commas(parts));
}

Doc print_fn(const Fn& f) {
  return match(
      f.node,
      [](const Lambda& l) {
        return group(
            concat({group(concat({text("fn " + show(l.result) + " ("), print_parameters(l.parameters), text(") =>")})),
                    nest(2, concat({line(), doc(*l.body)}))}));
      },
      [](const NamedFunction& n) {
        return n.arguments.empty() ? text(n.name) : pretty::listed(n.name + "(", docs(n.arguments), ")");
      },
      [](const OperatorFunction& o) {
        Doc symbol = text("op " + std::string(row_of(o.op).symbol));
        return o.first ? concat({std::move(symbol), text(" ("), doc(**o.first), text(")")}) : symbol;
      },
      [](const PrefixFunction& p) { return text(p.op == Prefix::Negate ? "op ~" : "op not"); });
}

Doc print_soac(const SoacExpr& s) {
  std::vector<Doc> parts;
  for (const Fn& f : s.functions) parts.push_back(print_fn(f));
  for (const ExprRef& a : s.arguments) parts.push_back(doc(*a));
  return pretty::listed(std::string(name_of(s.op)) + "(", parts, ")");
}

Doc printed(const Expr& e) {
  return match(
      e.node, [](const Literal& l) { return text(show_literal(l.value)); },
      [](const TextLiteral& t) { return text(show_text(t.text)); }, [](const Variable& v) { return text(v.name); },
      [](const TupleExpr& t) { return pretty::listed("(", docs(t.items), ")"); },
      [](const ArrayExpr& a) { return pretty::listed("{", docs(a.items), "}"); },
      [](const PrefixExpr& p) { return print_prefix(p); },
      [&](const InfixExpr&) {
        return reading::infix_doc<InfixExpr>(
            e, [](Infix op) -> auto& { return row_of(op); }, [](const Expr& x) { return level_of(x); },
            [](const Expr& x, int wanted) { return doc(x, wanted); });
      },
      [](const IfExpr& i) { return reading::conditional_doc(i, [](const Expr& x) { return doc(x); }); },
      [](const BlockExpr& b) { return print_block(b); },
      [](const IndexExpr& i) { return pretty::listed(i.array + "[", docs(i.indices), "]"); },
      [](const CallExpr& c) { return pretty::listed(c.function + "(", docs(c.arguments), ")"); },
      [](const BuiltInExpr& b) { return pretty::listed(std::string(name_of(b.op)) + "(", docs(b.arguments), ")"); },
      [](const ShiftExpr& s) {
        const std::string places = s.places < 0 ? "~" + std::to_string(-s.places) : std::to_string(s.places);
        return pretty::listed("transpose(" + std::to_string(s.dimension) + ", " + places + ", ", {doc(*s.array)}, ")");
      },
      [](const FlattenExpr& f) {
        return pretty::listed("flatten(" + std::to_string(f.dimensions) + ", ", {doc(*f.array)}, ")");
      },
      [](const SoacExpr& s) { return print_soac(s); });
}

}  // namespace

std::string print(const Expr& e) { return pretty::layout(doc(e)); }

std::string print(const Function& f) {
  const Doc head =
      group(concat({text("fun " + show(f.result) + " " + f.name + "("), print_parameters(f.parameters), text(") =")}));
  return pretty::layout(group(concat({head, nest(2, concat({line(), doc(*f.body)}))})));
}

std::string print(const Program& p) {
  std::string out;
  for (const Function& f : p.functions) out += (out.empty() ? "" : "\n") + print(f) + "\n";
  return out;
}

}  // namespace lockstep::l0

// Programs of FCL to text that parses to the same tree. Levels of precedence are the grammar's, loosest first; an
// expression below the one that its place asks for is parenthesised.
#include <charconv>
#include <cmath>

#include "semantics/core/pretty.h"
#include "semantics/fcl/operators.h"
#include "semantics/fcl/parse.h"
#include "semantics/text/printing.h"

namespace lockstep::fcl {
namespace {

using pretty::concat;
using pretty::Doc;
using pretty::group;
using pretty::hard_line;
using pretty::line;
using pretty::nest;
using pretty::text;

// Between Pipe and Signed stand the operators, at the levels of their table.
enum Precedence { Open, Pipe, Signed = reading::above_operators, Composed, Applied, Atom };

bool is_negative(const Scalar& s) {
  return s.type == ScalarType::I32 ? s.integer() < 0 : s.type == ScalarType::F64 && std::signbit(s.ieee());
}

int precedence_of(const Expr& e) {
  return match(
      e.node, [](const Literal& l) -> int { return is_negative(l.value) ? Signed : Atom; },
      [](const OneOf<Variable, SettingExpr, OperatorExpr, PairExpr, ArrayExpr> auto&) -> int { return Atom; },
      [](const OneOf<ApplyExpr, LevelApplyExpr> auto&) -> int { return Applied; },
      [](const ComposeExpr&) -> int { return Composed; }, [](const PrefixExpr&) -> int { return Signed; },
      [](const InfixExpr& i) -> int { return row_of(i.op).level; }, [](const PipeExpr&) -> int { return Pipe; },
      [](const OneOf<FnExpr, LetExpr, IfExpr> auto&) -> int { return Open; });
}

Doc printed(const Expr& e);
Doc doc(const Expr& e, int wanted = Open) {
  if (precedence_of(e) >= wanted) return printed(e);
  return concat({text("("), nest(1, printed(e)), text(")")});
}

std::string show_double(double r) {
  if (!std::isfinite(r)) throw Bug("no literal of FCL says " + std::to_string(r));
  char buffer[64];
  std::string digits(buffer, std::to_chars(buffer, buffer + sizeof buffer, r).ptr);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  return digits;
}
std::string show_literal(const Scalar& s) {
  if (s.type == ScalarType::Bool) return s.bits ? "true" : "false";
  return s.type == ScalarType::F64 ? show_double(s.ieee()) : std::to_string(s.integer());
}

Doc print_parameters(const std::vector<Parameter>& all) {
  std::string out;
  for (const Parameter& p : all) out += " " + (p.is_level ? "<" + p.name + ">" : p.name);
  return text(out);
}

// Each definition on a line of its own.
Doc print_let(const LetExpr& l) {
  std::vector<Doc> parts{text("let ")};
  for (std::size_t k = 0; k < l.bindings.size(); ++k) {
    if (k > 0) parts.push_back(hard_line());
    parts.push_back(nest(4, group(concat({text((k > 0 ? "    " : "") + l.bindings[k].name + " ="),
                                          nest(2, concat({line(), doc(*l.bindings[k].value)}))}))));
  }
  parts.insert(parts.end(), {hard_line(), text("in "), nest(3, doc(*l.body))});
  return concat(std::move(parts));
}

Doc print_pipe(const Expr& e) {
  std::vector<Doc> backwards;
  const Expr* left = &e;
  while (const auto* p = as<PipeExpr>(*left)) {
    backwards.push_back(concat({line(), text("|> "), nest(3, doc(*p->function, Pipe + 1))}));
    left = p->value.get();
  }
  backwards.push_back(doc(*left, Pipe + 1));
  return group(pretty::concat_backwards(std::move(backwards)));
}

// A `-` before a number is the number's own sign.
Doc print_prefix(const PrefixExpr& p) {
  const std::string symbol = p.op == Prefix::Not ? "!" : "-";
  const auto* number = as<Literal>(*p.operand);
  if (p.op == Prefix::Negate && number && number->value.type != ScalarType::Bool)
    return concat({text(symbol + "("), printed(*p.operand), text(")")});
  return concat({text(symbol), doc(*p.operand, Signed)});
}

Doc print_application(const Expr& e) {
  std::vector<Doc> backwards;
  const Expr* f = &e;
  for (;;) {
    if (const auto* a = as<ApplyExpr>(*f)) {
      backwards.push_back(nest(2, concat({line(), doc(*a->argument, Atom)})));
      f = a->function.get();
    } else if (const auto* l = as<LevelApplyExpr>(*f)) {
      backwards.push_back(text(" <" + show(l->level) + ">"));
      f = l->function.get();
    } else {
      break;
    }
  }
  backwards.push_back(doc(*f, Atom));
  return group(pretty::concat_backwards(std::move(backwards)));
}

Doc printed(const Expr& e) {
  return match(
      e.node, [](const Literal& l) { return text(show_literal(l.value)); },
      [](const Variable& v) { return text(v.name); },
      [](const SettingExpr& s) { return text(std::string(name_of(s.setting))); },
      [](const OperatorExpr& o) { return text("(" + std::string(row_of(o.op).symbol) + ")"); },
      [&](const InfixExpr&) {
        return reading::infix_doc<InfixExpr>(
            e, [](Infix op) -> auto& { return row_of(op); }, [](const Expr& x) { return precedence_of(x); },
            [](const Expr& x, int wanted) { return doc(x, wanted); });
      },
      [](const PrefixExpr& p) { return print_prefix(p); }, [&](const PipeExpr&) { return print_pipe(e); },
      [](const ComposeExpr& c) {
        return concat({doc(*c.outer, Applied), text(" . "), doc(*c.inner, Composed)});
      },
      [&](const OneOf<ApplyExpr, LevelApplyExpr> auto&) { return print_application(e); },
      [](const FnExpr& f) {
        return group(
            concat({text("fn"), print_parameters(f.parameters), text(" =>"), nest(2, concat({line(), doc(*f.body)}))}));
      },
      [](const LetExpr& l) { return print_let(l); },
      [](const IfExpr& i) { return reading::conditional_doc(i, [](const Expr& x) { return doc(x); }); },
      [](const PairExpr& p) {
        return pretty::listed("(", {doc(*p.first), doc(*p.second)}, ")");
      },
      [](const ArrayExpr& a) {
        std::vector<Doc> items;
        for (const ExprRef& i : a.items) items.push_back(doc(*i));
        return pretty::listed("[", items, "]");
      });
}

}  // namespace

std::string print(const Expr& e) { return pretty::layout(doc(e)); }

std::string print(const Definition& d) {
  std::vector<Doc> parts;
  if (d.signature) parts.insert(parts.end(), {text("sig " + d.name + " : " + show(*d.signature)), hard_line()});
  parts.push_back(group(concat(
      {text("fun " + d.name), print_parameters(d.parameters), text(" ="), nest(2, concat({line(), doc(*d.body)}))})));
  for (const Configuration& c : d.configurations)
    parts.insert(parts.end(),
                 {hard_line(), text("config " + std::string(name_of(c.setting)) + " = " + std::to_string(c.value))});
  return pretty::layout(concat(std::move(parts)));
}

std::string print(const Program& p) {
  std::string out;
  for (const Definition& d : p.definitions) out += (out.empty() ? "" : "\n") + print(d) + "\n";
  return out;
}

}  // namespace lockstep::fcl

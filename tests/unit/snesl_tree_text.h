// Surface trees of SNESL as compact text with every bracket, to compare with what was written by hand: neither the
// parser nor the printer is in it.
#pragma once
#include <string>

#include "semantics/snesl/syntax.h"

namespace snesl_test {

using namespace lockstep;
using namespace lockstep::snesl;
using namespace lockstep::snesl::surface;

inline std::string tree(const Expr& e);

inline std::string tree(const Pattern& p) {
  if (auto* n = std::get_if<NamePattern>(&p.node)) return n->name;
  std::string out = "<";
  for (const Pattern& item : std::get<TuplePattern>(p.node).items) out += (out == "<" ? "" : " ") + tree(item);
  return out + ">";
}

inline std::string trees(const std::vector<ExprRef>& items) {
  std::string out;
  for (const ExprRef& e : items) out += " " + tree(*e);
  return out;
}

inline std::string bindings(const std::vector<Binding>& all) {
  std::string out;
  for (const Binding& b : all) out += " " + tree(b.pattern) + "=" + tree(*b.value);
  return out;
}

inline std::string atom_text(const Atom& a) {
  switch (a.type) {
    case Prim::Bool:
      return a.integer ? "T" : "F";
    case Prim::Int:
      return std::to_string(a.integer);
    case Prim::Real:
      return "r" + std::to_string(a.ieee());
    case Prim::Char:
      return "c" + std::to_string(a.integer);
    case Prim::Unit:
      break;
  }
  return "unit?";
}

// (name operand...) for every node; a variable is its name.
inline std::string tree(const Expr& e) {
  static const char* infix[] = {"or", "and", "==", "!=", "<", "<=", ">", ">=", "|",
                                "^",  "&",   "<<", ">>", "+", "-",  "*", "/",  "%"};
  static const char* prefix[] = {"iota", "len", "neg", "not"};
  return std::visit(
      Cases{[](const Variable& v) { return v.name; }, [](const Literal& l) { return atom_text(l.atom); },
            [](const TextLiteral& t) { return "\"" + t.text + "\""; },
            [](const LetExpr& l) { return "(let" + bindings(l.bindings) + " in " + tree(*l.body) + ")"; },
            [](const IfExpr& i) { return "(if " + tree(*i.condition) + " " + tree(*i.yes) + " " + tree(*i.no) + ")"; },
            [](const SelectExpr& s) {
              return "(sel " + tree(*s.condition) + " " + tree(*s.yes) + " " + tree(*s.no) + ")";
            },
            [](const ComprehensionExpr& c) {
              return "(for" + bindings(c.generators) + (c.condition ? " when " + tree(**c.condition) : "") + " do " +
                     tree(*c.body) + ")";
            },
            [](const GuardedExpr& g) { return "(when " + tree(*g.condition) + " " + tree(*g.body) + ")"; },
            [](const SequenceExpr& s) { return "(seq" + trees(s.items) + ")"; },
            [](const VectorExpr& v) { return "(vec" + trees(v.items) + ")"; },
            [](const TupleExpr& t) { return "(tup" + trees(t.items) + ")"; },
            [](const ProjectExpr& p) { return "(get " + tree(*p.tuple) + " " + std::to_string(p.index) + ")"; },
            [](const PrefixExpr& p) {
              return "(" + std::string(prefix[static_cast<int>(p.op)]) + " " + tree(*p.operand) + ")";
            },
            [](const InfixExpr& i) {
              return "(" + std::string(infix[static_cast<int>(i.op)]) + " " + tree(*i.left) + " " + tree(*i.right) +
                     ")";
            },
            [](const IndexExpr& i) { return "(at " + tree(*i.vector) + " " + tree(*i.index) + ")"; },
            [](const AppendExpr& a) { return "(app " + tree(*a.left) + " " + tree(*a.right) + ")"; },
            [](const CallExpr& c) { return "(" + c.function + "!" + trees(c.arguments) + ")"; }},
      e.node);
}

inline std::string tree(const Program& p) {
  std::string out;
  for (const Function& f : p.functions) {
    out += "(fun " + f.name;
    for (const Parameter& x : f.parameters) out += " " + x.name;
    out += " = " + tree(*f.body) + ")";
  }
  return out;
}

}  // namespace snesl_test

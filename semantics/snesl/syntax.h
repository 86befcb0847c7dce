// Surface syntax of .snesl (languages.md §2), as parsed: sugar and functions are there, types are not. Equality of
// trees ignores regions and the source; Reals are equal by their bits.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/ref.h"
#include "semantics/snesl/atom.h"

namespace lockstep::snesl::surface {

struct Expr;
using ExprRef = Ref<Expr>;

struct Pattern;
struct NamePattern {
  std::string name;  // "_" binds nothing
  friend bool operator==(const NamePattern&, const NamePattern&) = default;
};
struct TuplePattern {
  std::vector<Pattern> items;
  friend bool operator==(const TuplePattern&, const TuplePattern&) = default;
};
struct Pattern {
  std::variant<NamePattern, TuplePattern> node;
  Region region{};
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct Binding {
  Pattern pattern;
  ExprRef value;
  friend bool operator==(const Binding&, const Binding&) = default;
};

// Infix and prefix operators as they are written. OpAnd and OpOr evaluate their right side only where they need it.
enum class Infix : unsigned char {
  OpOr,
  OpAnd,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  BitOr,
  BitXor,
  BitAnd,
  Shl,
  Shr,
  Add,
  Sub,
  Mul,
  Div,
  Mod
};
enum class Prefix : unsigned char { Iota, Length, Negate, Not };  // & # - !

struct Variable {
  std::string name;
  friend bool operator==(const Variable&, const Variable&) = default;
};
struct Literal {
  Atom atom;  // Int, Real, Char, Bool
  friend bool operator==(const Literal&, const Literal&) = default;
};
struct TextLiteral {
  std::string text;
  friend bool operator==(const TextLiteral&, const TextLiteral&) = default;
};
struct LetExpr {
  std::vector<Binding> bindings;  // at least one, each seeing those before
  ExprRef body;
  friend bool operator==(const LetExpr&, const LetExpr&) = default;
};
struct IfExpr {
  ExprRef condition, yes, no;
  friend bool operator==(const IfExpr&, const IfExpr&) = default;
};
struct SelectExpr {  // c ? a : b, both evaluated
  ExprRef condition, yes, no;
  friend bool operator==(const SelectExpr&, const SelectExpr&) = default;
};
struct ComprehensionExpr {  // {body : p1 in e1; ... | condition}
  ExprRef body;
  std::vector<Binding> generators;  // at least one
  std::optional<ExprRef> condition;
  friend bool operator==(const ComprehensionExpr&, const ComprehensionExpr&) = default;
};
struct GuardedExpr {  // {body | condition}
  ExprRef body, condition;
  friend bool operator==(const GuardedExpr&, const GuardedExpr&) = default;
};
struct SequenceExpr {
  std::vector<ExprRef> items;
  friend bool operator==(const SequenceExpr&, const SequenceExpr&) = default;
};
struct VectorExpr {
  std::vector<ExprRef> items;
  friend bool operator==(const VectorExpr&, const VectorExpr&) = default;
};
struct TupleExpr {  // (e) is e itself
  std::vector<ExprRef> items;
  friend bool operator==(const TupleExpr&, const TupleExpr&) = default;
};
struct ProjectExpr {
  ExprRef tuple;
  int index;  // one-based, as written
  friend bool operator==(const ProjectExpr&, const ProjectExpr&) = default;
};
struct PrefixExpr {
  Prefix op;
  ExprRef operand;
  friend bool operator==(const PrefixExpr&, const PrefixExpr&) = default;
};
struct InfixExpr {
  Infix op;
  ExprRef left, right;
  friend bool operator==(const InfixExpr&, const InfixExpr&) = default;
};
struct IndexExpr {  // vector ! index
  ExprRef vector, index;
  friend bool operator==(const IndexExpr&, const IndexExpr&) = default;
};
struct AppendExpr {  // a ++ b
  ExprRef left, right;
  friend bool operator==(const AppendExpr&, const AppendExpr&) = default;
};
struct CallExpr {
  std::string function;  // of the program, or a built-in, hyphens included
  std::vector<ExprRef> arguments;
  friend bool operator==(const CallExpr&, const CallExpr&) = default;
};
struct Expr {
  std::variant<Variable, Literal, TextLiteral, LetExpr, IfExpr, SelectExpr, ComprehensionExpr, GuardedExpr,
               SequenceExpr, VectorExpr, TupleExpr, ProjectExpr, PrefixExpr, InfixExpr, IndexExpr, AppendExpr, CallExpr>
      node;
  Region region{};
  friend bool operator==(const Expr&, const Expr&) = default;
};
struct Parameter {
  std::string name;
  Region region{};
  friend bool operator==(const Parameter&, const Parameter&) = default;
};
struct Function {
  std::string name;
  Region region;  // of the name
  std::vector<Parameter> parameters;
  ExprRef body;
  friend bool operator==(const Function&, const Function&) = default;
};
struct Program {
  SourceRef source;
  std::vector<Function> functions;  // at least one
  friend bool operator==(const Program& a, const Program& b) { return a.functions == b.functions; }
};

}  // namespace lockstep::snesl::surface

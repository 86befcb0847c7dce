// Surface syntax of .snesl (languages.md §2), as parsed: sugar and functions are there, types are not.
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
};
struct TuplePattern {
  std::vector<Pattern> items;
};
struct Pattern {
  std::variant<NamePattern, TuplePattern> node;
  Region region;
};

struct Binding {
  Pattern pattern;
  ExprRef value;
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
};
struct Literal {
  Atom atom;  // Int, Real, Char, Bool
};
struct TextLiteral {
  std::string text;
};
struct LetExpr {
  std::vector<Binding> bindings;  // at least one, each seeing those before
  ExprRef body;
};
struct IfExpr {
  ExprRef condition, yes, no;
};
struct SelectExpr {  // c ? a : b, both evaluated
  ExprRef condition, yes, no;
};
struct ComprehensionExpr {  // {body : p1 in e1; ... | condition}
  ExprRef body;
  std::vector<Binding> generators;  // at least one
  std::optional<ExprRef> condition;
};
struct GuardedExpr {  // {body | condition}
  ExprRef body, condition;
};
struct SequenceExpr {
  std::vector<ExprRef> items;
};
struct VectorExpr {
  std::vector<ExprRef> items;
};
struct TupleExpr {  // (e) is e itself
  std::vector<ExprRef> items;
};
struct ProjectExpr {
  ExprRef tuple;
  int index;  // one-based, as written
};
struct PrefixExpr {
  Prefix op;
  ExprRef operand;
};
struct InfixExpr {
  Infix op;
  ExprRef left, right;
};
struct IndexExpr {  // vector ! index
  ExprRef vector, index;
};
struct AppendExpr {  // a ++ b
  ExprRef left, right;
};
struct CallExpr {
  std::string function;  // of the program, or a built-in, hyphens included
  std::vector<ExprRef> arguments;
};
struct Expr {
  std::variant<Variable, Literal, TextLiteral, LetExpr, IfExpr, SelectExpr, ComprehensionExpr, GuardedExpr,
               SequenceExpr, VectorExpr, TupleExpr, ProjectExpr, PrefixExpr, InfixExpr, IndexExpr, AppendExpr, CallExpr>
      node;
  Region region;
};
struct Parameter {
  std::string name;
  Region region;
};
struct Function {
  std::string name;
  Region region;  // of the name
  std::vector<Parameter> parameters;
  ExprRef body;
};
struct Program {
  SourceRef source;
  std::vector<Function> functions;  // at least one
};
bool operator==(const Expr& a, const Expr& b);  // structure alone: regions do not count
bool operator==(const Program& a, const Program& b);

}  // namespace lockstep::snesl::surface

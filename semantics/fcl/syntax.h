// Programs of FCL (Dybdal, Elsman, Svensson, Sheeran, FHPC 2016, §5; grammar in fcl.md §1): what is written in files
// and what its stages make, one language. Equality of trees ignores regions and the source.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/note.h"
#include "semantics/core/number.h"
#include "semantics/core/ref.h"
#include "semantics/fcl/type.h"

namespace lockstep::fcl {

struct Expr;
using ExprRef = Ref<Expr>;

// Infix operators in the order of their table (operators.h). Or and And evaluate their right side where it is needed.
enum class Infix : unsigned char {
  Or,
  And,
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
enum class Prefix : unsigned char { Negate, Not };

struct Literal {
  Scalar value;  // an int, double or bool
  friend bool operator==(const Literal& a, const Literal& b) {
    return a.value.type == b.value.type && a.value.bits == b.value.bits;
  }
};
struct Variable {  // a built-in too
  std::string name;
  friend bool operator==(const Variable&, const Variable&) = default;
};
enum class Setting : unsigned char { BlockSize, WarpSize };
std::string_view name_of(Setting s);  // "#BlockSize"
struct SettingExpr {
  Setting setting;
  friend bool operator==(const SettingExpr&, const SettingExpr&) = default;
};
struct OperatorExpr {  // (+)
  Infix op;
  friend bool operator==(const OperatorExpr&, const OperatorExpr&) = default;
};
struct InfixExpr {
  Infix op;
  ExprRef left, right;
  Region symbol{};
  friend bool operator==(const InfixExpr&, const InfixExpr&) = default;
};
struct PrefixExpr {
  Prefix op;
  ExprRef operand;
  friend bool operator==(const PrefixExpr&, const PrefixExpr&) = default;
};
struct PipeExpr {  // value |> function
  ExprRef value, function;
  friend bool operator==(const PipeExpr&, const PipeExpr&) = default;
};
struct ComposeExpr {  // outer . inner
  ExprRef outer, inner;
  friend bool operator==(const ComposeExpr&, const ComposeExpr&) = default;
};
struct ApplyExpr {
  ExprRef function, argument;
  friend bool operator==(const ApplyExpr&, const ApplyExpr&) = default;
};
struct LevelApplyExpr {  // function <level>
  ExprRef function;
  Level level;
  Region level_region{};
  friend bool operator==(const LevelApplyExpr&, const LevelApplyExpr&) = default;
};
struct Parameter {  // x, or <lvl>
  std::string name;
  bool is_level = false;
  Region region{};
  friend bool operator==(const Parameter&, const Parameter&) = default;
};
struct FnExpr {
  std::vector<Parameter> parameters;  // at least one
  ExprRef body;
  friend bool operator==(const FnExpr&, const FnExpr&) = default;
};
struct Binding {
  std::string name;
  ExprRef value;
  Region region{};  // of the name
  friend bool operator==(const Binding&, const Binding&) = default;
};
struct LetExpr {                  // each sees those before it
  std::vector<Binding> bindings;  // at least one
  ExprRef body;                   // no let: its bindings are this one's
  friend bool operator==(const LetExpr&, const LetExpr&) = default;
};
struct IfExpr {
  ExprRef condition, yes, no;
  friend bool operator==(const IfExpr&, const IfExpr&) = default;
};
struct PairExpr {
  ExprRef first, second;
  friend bool operator==(const PairExpr&, const PairExpr&) = default;
};
struct ArrayExpr {
  std::vector<ExprRef> items;
  friend bool operator==(const ArrayExpr&, const ArrayExpr&) = default;
};
struct Expr {
  std::variant<Literal, Variable, SettingExpr, OperatorExpr, InfixExpr, PrefixExpr, PipeExpr, ComposeExpr, ApplyExpr,
               LevelApplyExpr, FnExpr, LetExpr, IfExpr, PairExpr, ArrayExpr>
      node;
  Region region{};
  Note<std::optional<Type>> type{};  // by infer.h
  Note<std::string> traps_as{};      // of what stages made of the prelude's: whose trap it is
  Note<bool> is_closed{};            // of a term of the machine (step.h): known to have no free names
  friend bool operator==(const Expr&, const Expr&) = default;
};
template <class T>
const T* as(const Expr& e) {
  return std::get_if<T>(&e.node);
}
// The result after these: itself where there are none, and one let where it is one.
Expr let(std::vector<Binding> bindings, Expr result);

struct Configuration {
  Setting setting;
  int value;
  Region region{};
  friend bool operator==(const Configuration&, const Configuration&) = default;
};
struct Definition {
  std::string name;
  std::optional<Type> signature;
  std::vector<Parameter> parameters;
  ExprRef body;
  std::vector<Configuration> configurations;
  Region region{}, signature_region{};  // of the names
  friend bool operator==(const Definition&, const Definition&) = default;
};
struct Program {
  SourceRef source;
  std::vector<Definition> definitions;  // at least one; each sees those before it
  friend bool operator==(const Program& a, const Program& b) { return a.definitions == b.definitions; }
};
const Definition* definition_named(const Program& p, std::string_view name);

std::size_t nodes(const Expr& e);  // expressions and bindings
std::size_t nodes(const Program& p);

}  // namespace lockstep::fcl

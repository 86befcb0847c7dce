// Programs of L0 (Henriksen, Oancea, FHPC 2013, Fig. 1; l0.md §1): what is written in files and what its stages make,
// one language. Equality of trees ignores regions, the source and what a checker notes.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/note.h"
#include "semantics/core/number.h"
#include "semantics/core/ref.h"
#include "semantics/l0/type.h"

namespace lockstep::l0 {

struct Expr;
using ExprRef = Ref<Expr>;

struct Pattern;
struct NamePattern {
  std::string name;  // "_" binds nothing
  friend bool operator==(const NamePattern&, const NamePattern&) = default;
};
struct TuplePattern {
  std::vector<Pattern> items;  // at least two
  friend bool operator==(const TuplePattern&, const TuplePattern&) = default;
};
struct Pattern {
  std::variant<NamePattern, TuplePattern> node;
  Region region{};
  Note<Type> type{};
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct Parameter {
  Type type;
  std::string name;
  Region region{};
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

// Infix operators in the order of their table (operators.h). Or and And evaluate their right side where it is needed.
enum class Infix : unsigned char {
  Or,
  And,
  BitAnd,
  BitXor,
  BitOr,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Shl,
  Shr,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Pow
};
enum class Prefix : unsigned char { Negate, Not };

// What is called in the place of a function of an array operation.
struct Lambda {  // fn t (params) => e
  Type result;
  std::vector<Parameter> parameters;
  ExprRef body;
  friend bool operator==(const Lambda&, const Lambda&) = default;
};
struct NamedFunction {  // f, or f(e1, ...) of its first parameters
  std::string name;
  std::vector<ExprRef> arguments;
  friend bool operator==(const NamedFunction&, const NamedFunction&) = default;
};
struct OperatorFunction {  // op +, or op + (e): \x -> e + x
  Infix op;
  std::optional<ExprRef> first;
  friend bool operator==(const OperatorFunction&, const OperatorFunction&) = default;
};
struct PrefixFunction {  // op ~, op not
  Prefix op;
  friend bool operator==(const PrefixFunction&, const PrefixFunction&) = default;
};
// Notes of a function in its place: what it is called with, and what it gives.
struct Calls {
  std::vector<Type> arguments;
  Type result{};
  bool unpacks = false;  // its only argument is a tuple of what it has parameters for (tuple shimming, §2.1.1)
};
struct Fn {
  std::variant<Lambda, NamedFunction, OperatorFunction, PrefixFunction> node;
  Region region{};
  Note<Calls> calls{};
  friend bool operator==(const Fn&, const Fn&) = default;
};

struct Literal {
  Scalar value;  // an int, real, bool or char
  friend bool operator==(const Literal& a, const Literal& b) {
    return a.value.type == b.value.type && a.value.bits == b.value.bits;
  }
};
struct TextLiteral {  // [char]
  std::string text;
  friend bool operator==(const TextLiteral&, const TextLiteral&) = default;
};
struct Variable {
  std::string name;
  friend bool operator==(const Variable&, const Variable&) = default;
};
struct TupleExpr {
  std::vector<ExprRef> items;  // at least two; none of a program without results
  friend bool operator==(const TupleExpr&, const TupleExpr&) = default;
};
struct ArrayExpr {             // {e1, ...}
  std::vector<ExprRef> items;  // at least one
  friend bool operator==(const ArrayExpr&, const ArrayExpr&) = default;
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
struct IfExpr {
  ExprRef condition, yes, no;
  friend bool operator==(const IfExpr&, const IfExpr&) = default;
};
// What is defined one after another, each seeing those before.
struct LetBinding {  // let pattern = value
  Pattern pattern;
  ExprRef value;
  friend bool operator==(const LetBinding&, const LetBinding&) = default;
};
struct UpdateBinding {  // let name = source with [indices] <- value
  std::string name, source;
  Region name_region{}, source_region{};
  std::vector<ExprRef> indices;  // at least one
  ExprRef value;
  Note<Type> type{};  // of the array
  friend bool operator==(const UpdateBinding&, const UpdateBinding&) = default;
};
struct LoopBinding {  // loop (merge = init) = for index < bound do step
  Pattern merge;
  ExprRef init;
  std::string index;
  Region index_region{};
  ExprRef bound, step;
  friend bool operator==(const LoopBinding&, const LoopBinding&) = default;
};
struct Binding {
  std::variant<LetBinding, UpdateBinding, LoopBinding> node;
  Region region{};
  friend bool operator==(const Binding&, const Binding&) = default;
};
struct BlockExpr {                // binding in binding in ... result
  std::vector<Binding> bindings;  // at least one
  ExprRef result;                 // no block: its bindings are this one's
  friend bool operator==(const BlockExpr&, const BlockExpr&) = default;
};
struct IndexExpr {  // array[i, ...]
  std::string array;
  Region array_region{};
  std::vector<ExprRef> indices;  // at least one
  friend bool operator==(const IndexExpr&, const IndexExpr&) = default;
};
struct CallExpr {
  std::string function;
  std::vector<ExprRef> arguments;
  friend bool operator==(const CallExpr&, const CallExpr&) = default;
};
// What the grammar has a word for, and calls no function. Transpose: of the first two dimensions.
enum class BuiltIn : unsigned char { Zip, AssertZip, Unzip, Iota, Size, Transpose, Copy, Replicate, Split, Concat };
struct BuiltInExpr {
  BuiltIn op;
  std::vector<ExprRef> arguments;
  friend bool operator==(const BuiltInExpr&, const BuiltInExpr&) = default;
};
struct ShiftExpr {  // transpose(k, j, a): dimension k moves by j places
  std::int64_t dimension, places;
  ExprRef array;
  friend bool operator==(const ShiftExpr&, const ShiftExpr&) = default;
};
struct FlattenExpr {  // flatten(n, a): the first n dimensions are one
  std::int64_t dimensions;
  ExprRef array;
  friend bool operator==(const FlattenExpr&, const FlattenExpr&) = default;
};
// Second-order array combinators. Those with a 2 are of several arrays and give tuples of arrays (§2.3.1).
enum class Soac : unsigned char { Map, Filter, Reduce, Scan, Map2, Filter2, Reduce2, Scan2, Redomap, Redomap2 };
struct SoacExpr {
  Soac op;
  std::vector<Fn> functions;       // one; of redomap two
  std::vector<ExprRef> arguments;  // starts, then arrays
  Note<std::size_t> starts{};      // so many of them
  friend bool operator==(const SoacExpr&, const SoacExpr&) = default;
};
struct Expr {
  std::variant<Literal, TextLiteral, Variable, TupleExpr, ArrayExpr, PrefixExpr, InfixExpr, IfExpr, BlockExpr,
               IndexExpr, CallExpr, BuiltInExpr, ShiftExpr, FlattenExpr, SoacExpr>
      node;
  Region region{};
  Note<Type> type{};  // without stars
  friend bool operator==(const Expr&, const Expr&) = default;
};
template <class T>
const T* as(const Expr& e) {
  return std::get_if<T>(&e.node);
}
// The result after these: itself where there are none, and one block where it is one.
Expr block(std::vector<Binding> bindings, Expr result);

struct Function {
  std::string name;
  Region region{};  // of the name
  Type result;
  std::vector<Parameter> parameters;
  ExprRef body;
  friend bool operator==(const Function&, const Function&) = default;
};
struct Program {
  SourceRef source;
  std::vector<Function> functions;  // at least one
  friend bool operator==(const Program& a, const Program& b) { return a.functions == b.functions; }
};
const Function* function_named(const Program& p, std::string_view name);

std::size_t nodes(const Expr& e);  // expressions and bindings
std::size_t nodes(const Program& p);

}  // namespace lockstep::l0

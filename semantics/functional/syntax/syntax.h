// Surface syntax of .dpia (languages.md §1), as parsed: names unresolved, sizes still expressions of the source.
// Equality of trees ignores regions.  e: expression, p: pattern, d: definition.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/launch.h"
#include "semantics/core/ref.h"
#include "semantics/core/type.h"

namespace lockstep::surface {

struct Pattern;
struct NamePattern {
  std::string name;
  friend bool operator==(const NamePattern&, const NamePattern&) = default;
};
struct WildPattern {
  friend bool operator==(const WildPattern&, const WildPattern&) = default;
};
struct TuplePattern {
  std::vector<Pattern> parts;  // two or more; (a, b, c) has three here, and means (a, (b, c))
  friend bool operator==(const TuplePattern&, const TuplePattern&) = default;
};
struct Pattern {
  std::variant<NamePattern, WildPattern, TuplePattern> node;
  Region region;
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct Expr;
struct Name {
  std::string name;
  friend bool operator==(const Name&, const Name&) = default;
};
struct Literal {
  std::string digits;  // "12", "0xff", "1.5", "1e-3", "true", "false": without suffix
  std::optional<ScalarType> suffix;
  friend bool operator==(const Literal&, const Literal&) = default;
};
struct Operator {  // an operator as a function, "(+)" or the head of an infix application, or the name of a sign
  std::string symbol;
  friend bool operator==(const Operator&, const Operator&) = default;
};
struct Sign {  // stands before its operand
  std::string_view written, name;
};
inline constexpr Sign signs[] = {{"-", "neg"}, {"!", "not"}, {"~", "complement"}};
struct Lambda {
  std::vector<Pattern> patterns;  // one or more
  Ref<Expr> body;
  friend bool operator==(const Lambda&, const Lambda&) = default;
};
struct Let {
  Pattern pattern;
  Ref<Expr> value;
  Ref<Expr> body;
  friend bool operator==(const Let&, const Let&) = default;
};
struct If {
  Ref<Expr> condition;
  Ref<Expr> then;
  Ref<Expr> otherwise;
  friend bool operator==(const If&, const If&) = default;
};
struct Apply {  // f x; x |> f is the same tree; a + b is Apply(Apply(Operator +, a), b); -a is Apply(Operator neg, a)
  Ref<Expr> function;
  Ref<Expr> argument;
  friend bool operator==(const Apply&, const Apply&) = default;
};
struct Index {  // a ! i
  Ref<Expr> array;
  Ref<Expr> index;
  friend bool operator==(const Index&, const Index&) = default;
};
struct Tuple {
  std::vector<Expr> parts;  // two or more
  friend bool operator==(const Tuple&, const Tuple&) = default;
};
struct ArrayLiteral {
  std::vector<Expr> parts;  // one or more
  friend bool operator==(const ArrayLiteral&, const ArrayLiteral&) = default;
};
struct Expr {
  std::variant<Name, Literal, Operator, Lambda, Let, If, Apply, Index, Tuple, ArrayLiteral> node;
  Region region;
  friend bool operator==(const Expr&, const Expr&) = default;
};

// Types of the source hold Size values already normalised; what each subtraction and division in them needs (b <= a,
// b >= 1) is collected beside them as it was written, and not compared.
struct SizeNeed {
  SizeFact fact;
  Region region;
};
struct SourceType {
  Type type;
  std::vector<SizeNeed> needs;
  Region region;
  friend bool operator==(const SourceType& a, const SourceType& b) { return a.type == b.type; }
};
struct Parameter {
  std::string name;
  Region region;
  std::optional<SourceType> type;  // nothing: an explicit size argument, (k : nat)
  friend bool operator==(const Parameter&, const Parameter&) = default;
};
struct Fact {
  SizeFact fact;
  std::vector<SizeNeed> needs;
  Region region;
  friend bool operator==(const Fact& a, const Fact& b) { return a.fact == b.fact; }
};
struct Definition {
  std::string name;
  Region name_region;
  std::vector<std::pair<std::string, Region>> sizes;  // [n m]
  std::vector<Parameter> parameters;                  // (x y : t) is two
  SourceType result;
  std::vector<Fact> facts;
  Expr body;
  Launch launch{};  // of an entry point, on a GPU
  Region launch_region{};
  friend bool operator==(const Definition&, const Definition&) = default;
};
struct Program {
  std::vector<Definition> definitions;
  friend bool operator==(const Program&, const Program&) = default;
};

}  // namespace lockstep::surface

// Surface syntax of .dpia (languages.md §1), as parsed: names unresolved, sizes still expressions of the source.
// Equality of trees ignores regions.  e: expression, p: pattern, d: definition.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/core/ref.h"
#include "semantics/core/type.h"

namespace lockstep::surface {

struct Pattern;
struct NamePattern {
  std::string name;
};
struct WildPattern {};
struct TuplePattern {
  std::vector<Pattern> parts;  // two or more; (a, b, c) has three here, and means (a, (b, c))
};
struct Pattern {
  std::variant<NamePattern, WildPattern, TuplePattern> node;
  Region region;
};
bool operator==(const Pattern& a, const Pattern& b);

struct Expr;
struct Name {
  std::string name;
};
struct Literal {
  std::string digits;  // "12", "0xff", "1.5", "1e-3", "true", "false": without suffix
  std::optional<ScalarType> suffix;
};
struct Operator {  // an operator as a function, "(+)" or the head of an infix application; "neg" and "not" are prefix
  std::string symbol;
};
struct Lambda {
  std::vector<Pattern> patterns;  // one or more
  Ref<Expr> body;
};
struct Let {
  Pattern pattern;
  Ref<Expr> value;
  Ref<Expr> body;
};
struct If {
  Ref<Expr> condition;
  Ref<Expr> then;
  Ref<Expr> otherwise;
};
struct Apply {  // f x; x |> f is the same tree; a + b is Apply(Apply(Operator +, a), b); -a is Apply(Operator neg, a)
  Ref<Expr> function;
  Ref<Expr> argument;
};
struct Index {  // a ! i
  Ref<Expr> array;
  Ref<Expr> index;
};
struct Tuple {
  std::vector<Expr> parts;  // two or more
};
struct ArrayLiteral {
  std::vector<Expr> parts;  // one or more
};
struct Expr {
  std::variant<Name, Literal, Operator, Lambda, Let, If, Apply, Index, Tuple, ArrayLiteral> node;
  Region region;
};
bool operator==(const Expr& a, const Expr& b);

// Types of the source hold Size values already normalised; what each subtraction and division in them needs (b <= a,
// b >= 1) is collected beside them as it was written.
struct SizeNeed {
  SizeFact fact;
  Region region;
};
struct SourceType {
  Type type;
  std::vector<SizeNeed> needs;
  Region region;
};
struct Parameter {
  std::string name;
  Region region;
  std::optional<SourceType> type;  // nothing: an explicit size argument, (k : nat)
};
struct Fact {
  SizeFact fact;
  std::vector<SizeNeed> needs;
  Region region;
};
struct Definition {
  std::string name;
  Region name_region;
  std::vector<std::pair<std::string, Region>> sizes;  // [n m]
  std::vector<Parameter> parameters;                  // (x y : t) is two
  SourceType result;
  std::vector<Fact> facts;
  Expr body;
};
bool operator==(const Definition& a, const Definition& b);  // sizes compared in normal form
struct Program {
  std::vector<Definition> definitions;
};
bool operator==(const Program& a, const Program& b);

}  // namespace lockstep::surface

// The recursive-descent parser behind parse.h: one function a production of languages.md §1. Private to parse*.cpp.
#pragma once
#include "semantics/functional/syntax/parse.h"
#include "semantics/text/reader.h"

namespace lockstep::parsing {

using namespace reading;

// What the tree itself may be deep: operators in a row, which are no nesting, are two levels each. More of them than
// this, in the brackets of a generated expression, make g++ 12 overflow a stack of 8 MiB.
inline constexpr int chain_limit = 4'000;
inline constexpr int tree_limit = 2 * (chain_limit + nesting_limit);

using BuiltExpr = Built<surface::Expr>;
struct BuiltPattern {
  surface::Pattern pattern;
  int height;
};
struct BuiltType {
  Type type;
  int height;
};
struct BuiltSize {
  Size size;
  double weight;  // at least the number of names and numbers in the normal form, those inside divisions included
  Region region;
};

using Needs = std::vector<surface::SizeNeed>;

// Of a program: what languages.md says. Of a primitive: also 's<w>, short vectors of any scalar and width.
enum class Dialect { Program, Primitive };

class Parser : public TreeReader<surface::Expr> {
 public:
  Parser(SourceRef source, Dialect dialect);

  surface::Program program();
  surface::Expr whole_expression();
  Type whole_type();
  TypeScheme scheme();

 private:
  // parse.cpp: definitions
  surface::Definition definition();
  surface::Definition header();
  void binders(surface::Definition& into);
  void parameter_group(std::vector<surface::Parameter>& into);
  void size_argument(std::vector<surface::Parameter>& group);
  void facts(surface::Definition& into);
  void launch(surface::Definition& into);
  void missing_result_type();
  void expect_end(const std::string& after);

  // parse_expressions.cpp
  BuiltExpr expression();
  BuiltExpr lambda();
  BuiltExpr let();
  BuiltExpr pipe();
  BuiltExpr operation();
  BuiltExpr prefix();
  BuiltExpr indexing();
  BuiltExpr application();
  BuiltExpr atom();
  BuiltExpr parenthesised();
  BuiltExpr operator_function(const Token& opener);
  BuiltExpr array_literal();
  BuiltExpr literal();
  BuiltExpr binary(const Token& symbol, BuiltExpr left, BuiltExpr right);
  BuiltPattern pattern();
  BuiltPattern tuple_pattern();
  void refuse_open_ended();

  // parse_types.cpp
  surface::SourceType source_type();
  BuiltType type(Needs& needs);
  BuiltType type_operand(Needs& needs);
  BuiltType type_atom(Needs& needs);
  BuiltType bracketed_type(Needs& needs);
  BuiltType named_type(Needs& needs);
  BuiltType short_vector(BuiltType element, Needs& needs);
  BuiltType checked(BuiltType t);
  BuiltSize size(Needs& needs);
  BuiltSize size_product(Needs& needs);
  BuiltSize size_atom(Needs& needs);
  BuiltSize size_number();
  BuiltSize combine(const Token& symbol, const BuiltSize& left, const BuiltSize& right, Needs& needs);
  surface::Fact fact();
  [[noreturn]] void unknown_type();

  // parse_words.cpp
  std::string mend_here() override;

  Dialect dialect_;
};

}  // namespace lockstep::parsing

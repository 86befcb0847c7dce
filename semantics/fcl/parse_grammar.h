// The recursive-descent parser behind parse.h: one function a production of fcl.md §1. Private to parse*.cpp.
#pragma once
#include "semantics/fcl/parse.h"
#include "semantics/text/reader.h"

namespace lockstep::fcl::parsing {

using namespace reading;

using BuiltExpr = Built<Expr>;

class Parser : public TreeReader<Expr> {
 public:
  explicit Parser(SourceRef source);

  Program program();
  Type whole_type();

 private:
  // parse.cpp: definitions, types, levels
  Definition definition();
  void signature(Definition& d);
  std::vector<Parameter> parameters(const char* end);
  Configuration configuration();
  Type type();
  Type operand_type();
  Type parenthesised_type();
  Type array_type();
  Level level();
  std::optional<Level> level_in_angles();
  std::optional<Level> level_if_one();
  void expect_angle();

  // parse_expressions.cpp: fn, let, if, and all that has a precedence
  BuiltExpr expression();
  BuiltExpr function();
  BuiltExpr let();
  BuiltExpr pipe();
  BuiltExpr operation();
  BuiltExpr binary(const Token& symbol, BuiltExpr left, BuiltExpr right);
  BuiltExpr operand();
  BuiltExpr signed_operand();
  BuiltExpr composition();
  BuiltExpr application();
  bool at_open() { return at("fn") || at("let") || at("if"); }
  bool at_argument();
  BuiltExpr atom();
  BuiltExpr parenthesised();
  BuiltExpr array();
  BuiltExpr number(const std::optional<Token>& minus);

  // parse_words.cpp
  std::string mend_here() override;
};

}  // namespace lockstep::fcl::parsing

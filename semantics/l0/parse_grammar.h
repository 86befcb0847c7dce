// The recursive-descent parser behind parse.h: one function a production of l0.md §1. Private to parse*.cpp.
#pragma once
#include "semantics/l0/parse.h"
#include "semantics/text/reader.h"

namespace lockstep::l0::parsing {

using namespace reading;

using BuiltExpr = Built<Expr>;

class Parser : public TreeReader<Expr> {
 public:
  explicit Parser(SourceRef source);

  Program program();

 private:
  // parse.cpp: functions, types, patterns
  Function function();
  std::vector<Parameter> parameters();
  void expect_end(const std::string& after);
  Type type(bool inside_array = false);
  Type array_type(bool inside_array);
  Type tuple_type(bool inside_array);
  Pattern pattern();
  Pattern tuple_pattern();
  void refuse_repeated_names(const Pattern& pattern);

  // parse_expressions.cpp: let, loop, if, and all that has a precedence
  BuiltExpr expression();
  struct BuiltBinding {
    Binding binding;
    int height;
  };
  BuiltExpr block();
  BuiltBinding let();
  BuiltBinding updated_in_place(const Token& start);
  BuiltBinding let_of(const Token& start, Pattern pattern);
  BuiltBinding loop();
  BuiltExpr choice();
  BuiltExpr binary(const Token& symbol, BuiltExpr left, BuiltExpr right);
  bool at_open();
  BuiltExpr operand();
  BuiltExpr signed_operand();

  // parse_calls.cpp: names, calls, literals, brackets
  BuiltExpr atom();
  BuiltExpr named();
  BuiltExpr indexed(const Token& name);
  BuiltExpr call(const Token& name);
  BuiltExpr parenthesised();
  BuiltExpr array();
  BuiltExpr built_in(BuiltIn op);
  BuiltExpr transpose();
  BuiltExpr flatten();
  BuiltExpr soac(Soac op);
  std::int64_t dimension(bool sign_allowed);
  std::vector<BuiltExpr> arguments(const Token& opener, const char* closer);
  struct BuiltFn {
    Fn fn;
    int height;
  };
  BuiltFn function_place();
  BuiltFn lambda();
  BuiltFn operator_place();
  BuiltFn named_place();
  BuiltExpr number(const std::optional<Token>& minus);
  BuiltExpr literal(Scalar value, std::uint32_t begin, std::uint32_t end);
  BuiltExpr truth();
  BuiltExpr quotation();

  // parse_words.cpp
  std::string mend_here() override;
};

}  // namespace lockstep::l0::parsing

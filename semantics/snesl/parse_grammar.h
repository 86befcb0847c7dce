// The recursive-descent parser behind parse.h: one function a production of languages.md §2. Private to parse*.cpp.
#pragma once
#include "semantics/snesl/parse.h"
#include "semantics/text/reader.h"

namespace lockstep::snesl::parsing {

using namespace reading;

using BuiltExpr = Built<surface::Expr>;

// Directly inside the braces of a comprehension `|` starts the condition and `:` ends the head; any other bracket
// makes them operators again.
struct Surroundings {
  bool bar_ends = false;
  bool in_head = false;
  std::optional<Token> question;  // the first `?` directly in the head
};

class Parser : public TreeReader<surface::Expr> {
 public:
  explicit Parser(SourceRef source);

  surface::Program program();
  surface::Expr whole_expression();

 private:
  // parse.cpp: functions and patterns
  surface::Function function();
  std::vector<surface::Parameter> parameters();
  void expect_end(const std::string& after);
  surface::Pattern pattern();
  surface::Pattern tuple_pattern();
  void refuse_repeated_names(const std::vector<const surface::Pattern*>& patterns);

  // parse_expressions.cpp: let, if, and all that has a precedence
  BuiltExpr expression();
  BuiltExpr let();
  BuiltExpr choice();
  BuiltExpr select();
  BuiltExpr arms(BuiltExpr last);
  BuiltExpr operation();
  BuiltExpr operand();
  BuiltExpr signed_operand();
  bool at_sign();
  BuiltExpr indexing();
  BuiltExpr indexed(BuiltExpr vector);
  BuiltExpr projection();
  BuiltExpr projected(BuiltExpr tuple);
  BuiltExpr binary(const Token& symbol, BuiltExpr left, BuiltExpr right);

  // parse_brackets.cpp: brackets, calls, literals
  BuiltExpr atom();
  BuiltExpr name_or_call();
  BuiltExpr parenthesised();
  BuiltExpr vector();
  BuiltExpr braces();
  BuiltExpr sequence(const Token& opener, BuiltExpr first);
  BuiltExpr guarded(const Token& opener, BuiltExpr body);
  BuiltExpr comprehension(const Token& opener, BuiltExpr body);
  BuiltExpr condition();
  std::vector<BuiltExpr> parts(const Token& opener, const char* closer);
  void more_parts(std::vector<BuiltExpr>& found, const Token& opener, const char* closer);
  BuiltExpr truth();
  BuiltExpr quotation();
  BuiltExpr number(const std::optional<Token>& minus);
  BuiltExpr literal(Atom atom, std::uint32_t begin, std::uint32_t end);
  void refuse_direct_select();

  // parse_words.cpp
  const Operator* infix_here() override;
  std::string mend_here() override;

  // A level of nesting with surroundings of its own.
  class Inside {
   public:
    explicit Inside(Parser& parser, Surroundings here = {}) : deeper_(parser), parser_(parser), before_(parser.here_) {
      parser_.here_ = here;
    }
    ~Inside() { parser_.here_ = before_; }

   private:
    Deeper deeper_;
    Parser& parser_;
    Surroundings before_;
  };

  Surroundings here_;
};

}  // namespace lockstep::snesl::parsing

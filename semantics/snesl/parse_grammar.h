// The recursive-descent parser behind parse.h: its state, and one function a production of languages.md §2.
// Private to parse*.cpp.  A production throws Abandoned after it has recorded a diagnostic.
#pragma once
#include <array>
#include <string>

#include "semantics/snesl/parse.h"
#include "semantics/snesl/parse_tokens.h"

namespace lockstep::snesl::parsing {

inline constexpr int nesting_limit = 1000;
// What the tree itself may be deep: chains of operators lean to the left, and are no nesting.
inline constexpr int tree_limit = 10000;
inline constexpr std::size_t error_limit = 20;

struct Abandoned {};

// Heights are kept while the tree grows, so that no tree is ever too deep to be walked or destroyed.
struct BuiltExpr {
  surface::Expr expr;
  int height;
};

// Directly inside the braces of a comprehension `|` starts the condition and `:` ends the head; any other bracket
// makes them operators again.
struct Surroundings {
  bool bar_ends = false;
  bool in_head = false;
  std::optional<Token> question;  // the first `?` directly in the head
};

class Parser {
 public:
  explicit Parser(SourceRef source);

  surface::Program program();
  surface::Expr whole_expression();
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  // parse.cpp: functions and patterns
  surface::Function function();
  std::vector<surface::Parameter> parameters();
  void refuse_duplicates(const std::vector<surface::Function>& functions);
  void expect_end(const std::string& after);
  void recover();
  surface::Pattern pattern();
  surface::Pattern tuple_pattern();
  void refuse_repeated_names(const std::vector<const surface::Pattern*>& patterns);

  // parse_expressions.cpp: let, if, and all that has a precedence
  BuiltExpr expression();
  BuiltExpr let();
  BuiltExpr conditional();
  BuiltExpr select();
  BuiltExpr arms(BuiltExpr last);
  BuiltExpr infix();
  BuiltExpr chain(BuiltExpr first);
  BuiltExpr operand();
  BuiltExpr signed_operand();
  bool at_sign();
  BuiltExpr indexing();
  BuiltExpr indexed(BuiltExpr vector);
  BuiltExpr projection();
  BuiltExpr projected(BuiltExpr tuple);
  BuiltExpr binary(const Token& symbol, BuiltExpr left, BuiltExpr right);
  int level_here(const Token& token) const;
  template <class Node>
  BuiltExpr built(Node node, std::uint32_t begin, std::uint32_t end, int height);
  [[noreturn]] void chained_comparison(const Token& first);

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
  BuiltExpr number(const std::optional<Token>& minus);
  BuiltExpr text();
  BuiltExpr character();
  BuiltExpr literal(Atom atom, std::uint32_t begin, std::uint32_t end);
  std::string unquoted(const Token& t);
  void refuse_direct_select();

  // parse_state.cpp: tokens and errors
  const Token& peek(std::size_t ahead = 0);
  Token take();
  bool at(std::string_view text);
  bool at_kind(TokenKind kind) { return peek().kind == kind; }
  bool at_function();
  bool accept(std::string_view text);
  Token expect(std::string_view text, const std::string& mend = "");
  void close(const Token& opener, const char* closer, const std::string& or_else = "");
  Token name(const std::string& what, const std::string& mend = "");
  Region region(std::uint32_t begin, std::uint32_t end) const { return {source_, begin, end}; }
  Region region(const Token& t) const { return region(t.begin, t.end); }
  std::string where(std::uint32_t offset) const;  // "line:column"
  void report(Region at, std::string message, std::string expected, std::string mend);
  [[noreturn]] void fail(Region at, std::string message, std::string expected, std::string mend);
  [[noreturn]] void unexpected(const std::string& expected, const std::string& mend = "");
  std::string usual_mend();

  // Counts one level of nesting for as long as it lives.
  class Deeper {
   public:
    explicit Deeper(Parser& parser, int levels = 1);
    ~Deeper() { parser_.depth_ -= levels_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
    int levels_;
  };
  [[noreturn]] void too_deep();

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

  SourceRef source_;
  Lexer lexer_;
  std::array<Token, 4> ahead_;
  std::size_t ahead_count_ = 0;
  Token previous_;
  int depth_ = 0;
  Surroundings here_;
  Diagnostics diagnostics_;
};

template <class Node>
BuiltExpr Parser::built(Node node, std::uint32_t begin, std::uint32_t end, int height) {
  if (height > tree_limit) too_deep();
  return {surface::Expr{std::move(node), region(begin, end)}, height};
}

}  // namespace lockstep::snesl::parsing

// The recursive-descent parser behind parse.h: its state, and one function a production of languages.md §1.
// Private to parse*.cpp.  A production throws Abandoned after it has recorded a diagnostic.
#pragma once
#include <array>
#include <string>

#include "semantics/functional/syntax/parse.h"
#include "semantics/functional/syntax/parse_tokens.h"

namespace lockstep::parsing {

// What the tree itself may be deep: operators in a row, which are no nesting, are two levels each. More of them than
// this, in the brackets of a generated expression, make g++ 12 overflow a stack of 8 MiB.
inline constexpr int chain_limit = 4'000;
inline constexpr int tree_limit = 2 * (chain_limit + nesting_limit);
inline constexpr std::size_t error_limit = 20;

struct Abandoned {};

// Heights are kept while the tree grows, so that no tree is ever too deep to be walked or destroyed.
struct BuiltExpr {
  surface::Expr expr;
  int height;
};
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

class Parser {
 public:
  Parser(SourceRef source, Dialect dialect);

  surface::Program program();
  surface::Expr whole_expression();
  Type whole_type();
  TypeScheme scheme();
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  // parse.cpp: definitions
  surface::Definition definition();
  surface::Definition header();
  void binders(surface::Definition& into);
  void parameter_group(std::vector<surface::Parameter>& into);
  void size_argument(std::vector<surface::Parameter>& group);
  void facts(surface::Definition& into);
  void missing_result_type();
  void expect_end(const std::string& after);
  void recover();

  // parse_expressions.cpp
  BuiltExpr expression();
  BuiltExpr lambda();
  BuiltExpr let();
  BuiltExpr conditional();
  BuiltExpr pipe();
  BuiltExpr infix();
  BuiltExpr prefix();
  BuiltExpr indexing();
  BuiltExpr application();
  BuiltExpr atom();
  BuiltExpr parenthesised();
  BuiltExpr operator_function(const Token& opener);
  BuiltExpr array_literal();
  BuiltExpr literal();
  std::vector<BuiltExpr> parts(const Token& opener, const char* closer);
  BuiltExpr binary(const Token& symbol, BuiltExpr left, BuiltExpr right);
  BuiltExpr apply(BuiltExpr function, BuiltExpr argument, std::uint32_t begin, std::uint32_t end);
  template <class Node>
  BuiltExpr built(Node node, std::uint32_t begin, std::uint32_t end, int height);
  BuiltPattern pattern();
  BuiltPattern tuple_pattern();
  void refuse_open_ended();
  [[noreturn]] void chained_comparison(const Token& first);
  [[noreturn]] void no_operand();

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

  // parse_state.cpp: tokens and errors
  const Token& peek(std::size_t ahead = 0);
  Token take();
  void drop_first_character();  // of the next token: `>=` after f32<4 is `>` and `=`
  bool at(std::string_view text);
  bool at_kind(TokenKind kind) { return peek().kind == kind; }
  bool accept(std::string_view text);
  Token expect(std::string_view text, const std::string& mend = "");
  void close(const Token& opener, const char* closer, const std::string& or_else = "");
  Token name(const std::string& what, const std::string& mend = "");
  Region region(std::uint32_t begin, std::uint32_t end) const { return {source_, begin, end}; }
  Region region(const Token& t) const { return region(t.begin, t.end); }
  std::string where(const Token& t) const;  // "line:column"
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
  [[noreturn]] void too_long();

  SourceRef source_;
  Dialect dialect_;
  Lexer lexer_;
  std::array<Token, 3> ahead_;
  std::size_t ahead_count_ = 0;
  Token previous_;
  int depth_ = 0;
  Diagnostics diagnostics_;
};

}  // namespace lockstep::parsing

// Tokens with lookahead, and how errors are worded.
#include <algorithm>

#include "semantics/snesl/parse_grammar.h"

namespace lockstep::snesl::parsing {

Parser::Parser(SourceRef source) : source_(std::move(source)), lexer_(source_) {}

const Token& Parser::peek(std::size_t ahead) {
  while (ahead_count_ <= ahead) ahead_[ahead_count_++] = lexer_.next();
  return ahead_[ahead];
}

Token Parser::take() {
  previous_ = peek();
  std::move(ahead_.begin() + 1, ahead_.begin() + static_cast<std::ptrdiff_t>(ahead_count_), ahead_.begin());
  --ahead_count_;
  return previous_;
}

bool Parser::at(std::string_view text) {
  const Token& t = peek();
  return (t.kind == TokenKind::Symbol || t.kind == TokenKind::Keyword) && t.text == text;
}

// A `fun` that is the start of a function and not a mistake inside one.
bool Parser::at_function() {
  return at("fun") && (peek().first_on_line || (peek(1).kind == TokenKind::Name && peek(2).text == "("));
}

bool Parser::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

Token Parser::expect(std::string_view text, const std::string& mend) {
  if (!at(text)) unexpected("`" + std::string(text) + "`", mend);
  return take();
}

void Parser::close(const Token& opener, const char* closer, const std::string& or_else) {
  if (accept(closer)) return;
  std::string open(opener.text);
  if (at_kind(TokenKind::End) || at_function())
    fail(region(opener), "this `" + open + "` is never closed",
         "`" + std::string(closer) + "` before " + (at("fun") ? "the next function" : "the end of the file"),
         "close it with `" + std::string(closer) + "`");
  unexpected("`" + std::string(closer) + "`, which closes the `" + open + "` at " + where(opener.begin) + or_else);
}

Token Parser::name(const std::string& what, const std::string& mend) {
  if (at_kind(TokenKind::Keyword)) {
    std::string word(peek().text);
    unexpected(what, "`" + word + "` is a keyword: choose another name, such as `" + word + "_`");
  }
  if (!at_kind(TokenKind::Name)) unexpected(what, mend);
  if (peek().text.find('-') != std::string_view::npos)
    unexpected(what, "`" + std::string(peek().text) + "` is a built-in: choose another name");
  return take();
}

std::string Parser::where(std::uint32_t offset) const {
  const Position p = position_of(*source_, offset);
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

void Parser::report(Region at, std::string message, std::string expected, std::string mend) {
  diagnostics_.push_back({std::move(at), std::move(message), std::move(expected), std::move(mend)});
  if (diagnostics_.size() >= error_limit) throw Abandoned{};
}

void Parser::fail(Region at, std::string message, std::string expected, std::string mend) {
  diagnostics_.push_back({std::move(at), std::move(message), std::move(expected), std::move(mend)});
  throw Abandoned{};
}

void Parser::unexpected(const std::string& expected, const std::string& mend) {
  Token found = peek();
  BadWord bad;
  if (found.kind == TokenKind::Bad) bad = explain_bad(found.text);
  std::string best = !bad.mend.empty() ? bad.mend : !mend.empty() ? mend : usual_mend();
  fail(region(found), bad.message.empty() ? "found " + describe(found) : bad.message, expected, best);
}

// The mistakes of those who come from another language, by the token that gives them away.
std::string Parser::usual_mend() {
  Token t = peek();
  bool operand_before = previous_.kind == TokenKind::Name || previous_.kind == TokenKind::Number ||
                        previous_.text == ")" || previous_.text == "]" || previous_.text == "}";
  bool operand_here = t.kind == TokenKind::Name || t.kind == TokenKind::Number || t.kind == TokenKind::Text ||
                      t.kind == TokenKind::Char;
  if (previous_.kind == TokenKind::Name && operand_here)
    return "a function is called with parentheses, as in `f(x, y)`, and operators stand between operands";
  if (operand_before && t.text == "(") return "only a function by its name is called: `f(x)`";
  if (t.text == "|" && here_.bar_ends) return "directly inside braces `|` starts the condition: parenthesise `(a | b)`";
  if (operator_level(t) != 0 && operator_level(previous_) != 0 && t.joined)
    return "`" + std::string(previous_.text) + std::string(t.text) +
           "` is no operator; there are ++ || && == != < <= > >= | ^ & << >> + - * / %";
  if (t.text == "=" && t.joined && (previous_.text == "/" || previous_.text == "=="))
    return previous_.text == "/" ? "not equal is written `!=`" : "equality is written `==`";
  struct Row {
    std::string_view found;
    std::string_view mend;
  };
  static constexpr Row rows[] = {
      {"=", "compare with `==`; a local definition is `let x = … in …`"},
      {"in", "`in` follows the bindings of a `let`, or a pattern after the `:` of `{… : x in s}`"},
      {"then", "`then` follows a condition: `if … then … else …`"},
      {"else", "`else` follows `then`: `if … then … else …`"},
      {":", "`:` belongs to `c ? a : b` and to `{… : x in s}`; an expression carries no type"},
      {"?", "a choice between scalars is `c ? a : b`"},
      {"|", "`|` is an operator between two operands, or starts the condition inside braces"},
      {";", "`;` separates the bindings of a `let`, and the generators of a comprehension"},
      {",", "`,` separates arguments and elements; an operand is missing, or one too many commas"},
      {".", "a component is `x.1`; a number has digits on both sides of its point, as in 0.5 or 1.0"},
      {"fun", "`fun` starts a function of the file, and stands nowhere else"},
      {")", "an operand is missing before it, or it closes nothing"},
      {"]", "an operand is missing before it, or it closes nothing"},
      {"}", "an operand is missing before it, or it closes nothing"},
  };
  if (t.kind != TokenKind::Symbol && t.kind != TokenKind::Keyword) return "";
  for (const Row& row : rows)
    if (row.found == t.text) return std::string(row.mend);
  return "";
}

Parser::Deeper::Deeper(Parser& parser, int levels) : parser_(parser), levels_(levels) {
  if (parser.depth_ + levels > nesting_limit) parser.too_deep();
  parser.depth_ += levels;
}

void Parser::too_deep() {
  fail(region(peek()), "this is nested too deeply", "at most 1,000 levels of nesting, and chains of 10,000 operators",
       "move the inner parts into functions of their own");
}

}  // namespace lockstep::snesl::parsing

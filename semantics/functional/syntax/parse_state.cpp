// Tokens with lookahead, and how errors are worded.
#include <algorithm>

#include "semantics/functional/syntax/parse_grammar.h"

namespace lockstep::parsing {

Parser::Parser(SourceRef source, Dialect dialect) : source_(std::move(source)), dialect_(dialect), lexer_(source_) {}

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

void Parser::drop_first_character() {
  peek();
  Token& token = ahead_[0];
  previous_ = token;
  previous_.end = ++token.begin;
  previous_.text = token.text.substr(0, 1);
  token.text.remove_prefix(1);
  token.joined = true;
}

bool Parser::at(std::string_view text) {
  const Token& t = peek();
  return (t.kind == TokenKind::Symbol || t.kind == TokenKind::Keyword) && t.text == text;
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
  bool next_definition = at("fun") && peek().first_on_line;
  if (at_kind(TokenKind::End) || next_definition)
    fail(region(opener), "this `" + open + "` is never closed",
         "`" + std::string(closer) + "` before " + (next_definition ? "the next definition" : "the end of the file"),
         "close it with `" + std::string(closer) + "`");
  unexpected("`" + std::string(closer) + "`, which closes the `" + open + "` at " + where(opener) + or_else);
}

Token Parser::name(const std::string& what, const std::string& mend) {
  if (at_kind(TokenKind::Name)) return take();
  std::string keyword = std::string(peek().text);
  if (mend.empty() && at_kind(TokenKind::Keyword))
    unexpected(what, "`" + keyword + "` is a word of the language: choose another name, such as `" + keyword + "_`");
  unexpected(what, mend);
}

std::string Parser::where(const Token& t) const {
  Position p = position_of(*source_, t.begin);
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

void Parser::fail(Region at, std::string message, std::string expected, std::string mend) {
  diagnostics_.push_back({std::move(at), std::move(message), std::move(expected), std::move(mend)});
  throw Abandoned{};
}

void Parser::unexpected(const std::string& expected, const std::string& mend) {
  Token found = peek();
  const bool name_wanted = expected.starts_with("the name") || expected.starts_with("a pattern");
  std::string best = at_kind(TokenKind::Bad) ? mend_for_bad(found.text, name_wanted) : "";
  if (best.empty()) best = mend.empty() ? usual_mend() : mend;
  fail(region(found), "found " + describe(found), expected, best);
}

// The mistakes of those who come from another language, by the token that gives them away.
std::string Parser::usual_mend() {
  Token t = peek();
  bool arrow = t.text == "=" && peek(1).text == ">" && peek(1).joined;
  if (arrow) return "an arrow is written `->`";
  if (operator_level(t) != 0 && operator_level(previous_) != 0 && t.joined)
    return "`" + std::string(previous_.text) + std::string(t.text) +
           "` is no operator; there are || && == != < <= > >= | ^ & << >> + - * / %";
  if (t.text == "=" && t.joined && (previous_.text == "/" || previous_.text == "=="))
    return previous_.text == "/" ? "not equal is written `!=`" : "equality is written `==`";
  struct Row {
    std::string_view found;
    std::string_view mend;
  };
  static constexpr Row rows[] = {
      {"=", "compare with `==`; a local definition is `let x = … in …`"},
      {"->", "an anonymous function is `\\x -> …`, in parentheses where it is an argument; there is no `case`"},
      {"where", "`where` gives facts about sizes, before the `=` of a definition; local definitions are `let … in …`"},
      {"in", "`in` follows the value of a `let`: `let x = … in …`"},
      {"then", "`then` follows a condition: `if … then … else …`"},
      {"else", "`else` follows `then`: `if … then … else …`"},
      {":", "an expression carries no type: give it a definition of its own, or a literal a suffix such as 1f64"},
      {"fun", "an anonymous function is `\\x -> …`; `fun` starts a definition"},
      {"let", "where a `let` is an operand or argument it is parenthesised: `(let … in …)`"},
      {"if", "where an `if` is an operand or argument it is parenthesised: `(if … then … else …)`"},
      {"\\", "where a function is an operand or argument it is parenthesised: `(\\x -> …)`"},
      {"nat", "`nat` is for explicit size arguments, `(k : nat)`"},
      {")", "an operand is missing before it, or it closes nothing; part of an operation is written `(\\x -> x + 1)`"},
      {"]", "an operand is missing before it, or it closes nothing"},
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
  fail(region(peek()), "this is nested too deeply", "at most 1,000 levels of nesting",
       "move the inner parts into definitions of their own");
}

void Parser::too_long() {
  fail(region(peek()), "too many operators, arguments or parts stand in a row here", "at most 4,000 in a row",
       "many values are an array, [a, b, c], which reduce (+) 0 sums; or give parts names: let x = … in …");
}

}  // namespace lockstep::parsing

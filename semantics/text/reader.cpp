// Words with lookahead, and how errors are worded.
#include "semantics/text/reader.h"

#include <algorithm>

namespace lockstep::reading {
namespace {

std::string ticked(std::string_view word) { return "`" + std::string(word) + "`"; }

// Letters that look like symbols of every language here.
constexpr Mistake letters[] = {
    {"×", "write `*`"},
    {"·", "write `*`"},
    {"−", "write `-`"},
    {"≤", "write `<=`"},
    {"≥", "write `>=`"},
    {"≠", "write `!=`"},
    {"∧", "write `&&`"},
    {"∨", "write `||`"},
    {"¬", "write `!`"},
    {"\u00a0", "this is a no-break space: write a plain one"},
    {"\u200b", "this is an invisible space: delete it"},
};

// Where a name is wanted, λ and α are letters and no mistaken symbols.
bool is_greek(std::string_view text) { return text.starts_with('\xce') || text.starts_with('\xcf'); }

std::string mend_of(std::span<const Mistake> mistakes, std::string_view text) {
  for (const Mistake& m : mistakes)
    if (text.starts_with(m.found)) return std::string(m.mend);
  return "";
}

}  // namespace

std::string shown(std::string_view word) {
  std::size_t n = std::min<std::size_t>(word.size(), 60);
  while (n < word.size() && (static_cast<unsigned char>(word[n]) & 0xc0) == 0x80) ++n;  // no letter cut in two
  return "`" + std::string(word.substr(0, n)) + (word.size() > n ? "…`" : "`");
}

Reader::Reader(SourceRef source, const Manner& manner)
    : source_(std::move(source)), manner_(manner), lexer_(source_, manner.words) {}

Reader::Reader(SourceRef source, const Manner& manner, std::size_t begin, std::size_t end)
    : source_(std::move(source)), manner_(manner), lexer_(source_, manner.words, begin, end) {}

// ---------------------------------------------------------------------------------------------------- words

const Token& Reader::look(std::size_t ahead) {
  if (ahead >= ahead_.size()) throw Bug("a look-ahead of more than four words");
  while (ahead_count_ <= ahead) ahead_[ahead_count_++] = lexer_.next();
  return ahead_[ahead];
}

Token Reader::take() {
  previous_ = peek();
  std::move(ahead_.begin() + 1, ahead_.begin() + static_cast<std::ptrdiff_t>(ahead_count_), ahead_.begin());
  --ahead_count_;
  return previous_;
}

void Reader::drop_first_character() {
  peek();
  Token& token = ahead_[0];
  previous_ = token;
  previous_.end = ++token.begin;
  previous_.text = token.text.substr(0, 1);
  token.text.remove_prefix(1);
  token.joined = true;
}

std::string_view Reader::rest() { return lexer_.rest_from(peek().begin); }

void Reader::back_to(const Token& mark) {
  previous_ = mark;
  ahead_count_ = 0;
  lexer_.resume_after(mark);
}

void Reader::take_raw(std::size_t bytes) {
  previous_ = {TokenKind::Symbol, false, false, peek().begin, 0, rest().substr(0, bytes)};
  previous_.end = previous_.begin + static_cast<std::uint32_t>(bytes);
  back_to(previous_);
}

// Not in the header: what it needs would stand on the stack of each production, a thousand times.
bool Reader::accept(std::string_view word) {
  if (!at(word)) return false;
  take();
  return true;
}

Token Reader::expect(std::string_view word, const std::string& mend) {
  if (!at(word)) unexpected(ticked(word), mend);
  return take();
}

Token Reader::name(const std::string& what, const std::string& mend) {
  const std::string word(peek().text.substr(0, 60));
  if (at_kind(TokenKind::Keyword))
    unexpected(what, ticked(word) + " is a keyword: choose another name, such as " + ticked(word + "_"));
  if (!at_kind(TokenKind::Name)) unexpected(what, mend);
  if (word.find('-') != std::string::npos) unexpected(what, ticked(word) + " is a built-in: choose another name");
  return take();
}
int Reader::small_number(const std::string& what, int most) {
  const auto n = at_kind(TokenKind::Number) ? number_value<int>(peek().text) : std::nullopt;
  if (!n || *n > most) unexpected(what);
  return take(), *n;
}
Launch Reader::launch() {
  Launch r;
  if (accept("block")) r.block = small_number("a number of threads");
  if (accept("warp")) r.warp = small_number("a number of threads");
  if (accept("grid")) r.grid = small_number("a number of blocks", most_grid);
  if (accept("index")) r.index = small_number("a number of bits", most_index);
  return r;
}

void Reader::close(const Token& opener, std::string_view closer, const std::string& or_else) {
  if (accept(closer)) return;
  if (!manner_.opens.empty() && (at_end() || at_definition()))
    fail(region(opener), "this " + ticked(opener.text) + " is never closed",
         ticked(closer) + " before " +
             (at_end() ? "the end of the " + std::string(manner_.whole) : "the next " + std::string(manner_.opened)),
         "close it with " + ticked(closer));
  unexpected(ticked(closer) + ", which closes the " + ticked(opener.text) + " at " + where(opener.begin) + or_else);
}

// ---------------------------------------------------------------------------------------------------- operators

const Operator* Reader::infix_here() {
  return at_kind(TokenKind::Symbol) || at_kind(TokenKind::Keyword) ? operator_of(manner_.operators, peek().text)
                                                                   : nullptr;
}

int Reader::level_here() {
  const Operator* o = infix_here();
  return o ? o->level : 0;
}

void Reader::chained(const Token& first) {
  const std::string a(first.text), b(peek().text);
  fail(region(peek()), "comparisons do not chain: found `" + b + "` after the operands of `" + a + "`",
       "one comparison", "write `x " + a + " y && y " + b + " z`, or parenthesise one of them");
}

// ---------------------------------------------------------------------------------------------------- nesting

Reader::Deeper::Deeper(Reader& reader, int levels) : reader_(reader), levels_(levels) {
  if (reader.depth_ + levels > nesting_limit) reader.too_deep();
  reader.depth_ += levels;
}

void Reader::refuse(const Refusal& r) {
  fail(region(peek()), std::string(r.message), std::string(r.expected), std::string(r.mend));
}

std::vector<Token> Reader::signs(std::initializer_list<std::string_view> prefixes) {
  std::vector<Token> found;
  while (std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return at(p); })) {
    found.push_back(take());
    if (depth_ + static_cast<int>(found.size()) > nesting_limit) too_deep();
  }
  return found;
}

// ---------------------------------------------------------------------------------------------------- errors

std::string Reader::where(std::uint32_t offset) const {
  if (manner_.one_line) return "column " + std::to_string(offset + 1);
  const Position p = position_of(*source_, offset);
  return std::to_string(p.line) + ":" + std::to_string(p.column);
}

void Reader::report(Region at, std::string message, std::string expected, std::string mend) {
  diagnostics_.push_back({std::move(at), std::move(message), std::move(expected), std::move(mend)});
  if (diagnostics_.size() >= error_limit) throw Abandoned{};
}

void Reader::fail(Region at, std::string message, std::string expected, std::string mend) {
  diagnostics_.push_back({std::move(at), std::move(message), std::move(expected), std::move(mend)});
  throw Abandoned{};
}

void Reader::unexpected(const std::string& expected, const std::string& mend) {
  const Token token = peek();
  const bool name_wanted = expected.starts_with("the name") || expected.starts_with("a pattern");
  std::string best = token.kind == TokenKind::Bad ? mend_for_stray(token.text, name_wanted) : "";
  if (best.empty()) best = mend.empty() ? usual_mend() : mend;
  Found f = found(token);
  fail(region(token.begin, f.end), std::move(f.message), expected, std::move(best));
}

std::string Reader::describe(const Token& token) const {
  const std::string word = shown(token.text);
  switch (token.kind) {
    case TokenKind::End:
      return "the end of the " + std::string(manner_.whole);
    case TokenKind::Name:
      return "the name " + word;
    case TokenKind::Quoted:
      return "the name " + shown(token.text.substr(1, token.text.size() - 2));
    case TokenKind::Keyword:
      return "the keyword " + word;
    case TokenKind::Number:
      return "the number " + word;
    case TokenKind::Variable:
      return "the type variable " + word;
    case TokenKind::Char:
      return "the " + std::string(manner_.character) + " " + word;
    case TokenKind::Text:
      return "the text " + word;
    case TokenKind::Remark:
      return "the comment " + word;
    case TokenKind::Symbol:
      return word;
    case TokenKind::Bad:
      return word + ", which is no part of the language";
  }
  throw Bug("a token of no kind");
}

Reader::Found Reader::found(const Token& token) {
  const std::string_view text = token.text;
  const std::string character(manner_.character);
  std::string message = "found " + describe(token);
  if (token.kind == TokenKind::End && manner_.opens.empty())
    message = "the " + std::string(manner_.whole) + " ends here";
  if (token.kind == TokenKind::Bad && is_digit(text[0]))
    message = "found " + ticked(text) + ", which is no number of this language";
  if (token.kind == TokenKind::Bad && manner_.words.quotes && text[0] == '"')
    message = "this text is not closed on its line";
  if (token.kind == TokenKind::Bad && manner_.words.quotes && text == "'")
    message = "this " + character + " is not closed on its line";
  return {message, token.end};
}

std::string Reader::mend_for_stray(std::string_view text, bool name_wanted) const {
  const std::string character(manner_.character);
  if (manner_.words.quotes) {
    if (text[0] == '"') return "close it with `\"`; a line's end in a text is written `\\n`";
    if (text == "'''") return "the " + character + " of a single quote is written `'\\''`";
    if (text[0] == '\'') return "a " + character + " is written `'c'`, a text `\"text\"`";
  }
  if (!(name_wanted && is_greek(text))) {
    if (std::string mend = mend_of(manner_.stray, text); !mend.empty()) return mend;
    if (std::string mend = mend_of(letters, text); !mend.empty()) return mend;
  }
  if (is_digit(text[0])) return std::string(manner_.no_suffix);
  if (static_cast<unsigned char>(text[0]) < 0x80 || manner_.words.values) return "";
  return std::string("names are written with the letters a to z, digits, _ and '; other letters only in ") +
         (manner_.words.quotes ? "texts and comments" : "comments");
}

std::string Reader::usual_mend() {
  if (std::string mend = mend_here(); !mend.empty()) return mend;
  const Token t = peek();
  const Operators all = manner_.operators;
  if (t.joined && level_of(all, t.text) != 0 && level_of(all, previous_.text) != 0) {
    std::string known;
    for (const Operator& o : all) known += " " + std::string(o.symbol);
    return "`" + std::string(previous_.text) + std::string(t.text) + "` is no operator; there are" + known;
  }
  if (t.is("=") && t.joined && previous_.text == "/" && level_of(all, "!=")) return "not equal is written `!=`";
  if (t.is("=") && t.joined && previous_.text == "==") return "equality is written `==`";
  if (t.kind != TokenKind::Symbol && t.kind != TokenKind::Keyword) return "";
  for (const Mistake& m : manner_.misused)
    if (m.found == t.text) return std::string(m.mend);
  return "";
}

void Reader::EachOnce::add(std::string_view name, const Region& at) {
  const auto [first, fresh] = begins_.emplace(name, at.begin);
  if (!fresh)
    reader_.report(at, std::string(twice_.before) + ticked(name) + std::string(twice_.after),
                   std::string(twice_.once) + "; the first is at " + reader_.where(first->second),
                   std::string(twice_.mend));
}

bool Reader::after_operand() const {
  return previous_.kind == TokenKind::Name || previous_.kind == TokenKind::Number || previous_.text == ")" ||
         previous_.text == "]" || previous_.text == "}";
}
bool Reader::at_operand() {
  return at_kind(TokenKind::Name) || at_kind(TokenKind::Number) || at_kind(TokenKind::Text) || at_kind(TokenKind::Char);
}

// ---------------------------------------------------------------------------------------------------- literals

std::string Reader::unquoted(const Token& t) {
  Unquoted q = unquote(t.text.substr(1, t.text.size() - 2));
  for (const BadEscape& bad : q.bad) {
    const std::uint32_t inside = t.begin + 1;
    report(region(inside + static_cast<std::uint32_t>(bad.begin), inside + static_cast<std::uint32_t>(bad.end)),
           "found " + ticked(t.text.substr(1 + bad.begin, bad.end - bad.begin)) + ", which is no escape",
           std::string(known_escapes), bad.mend);
  }
  if (!q.bad.empty()) q.bytes = "?";  // reported already
  return std::move(q.bytes);
}

unsigned char Reader::character(const Token& t) {
  const std::string bytes = unquoted(t), it = "this " + std::string(manner_.character);
  if (bytes.size() == 1) return static_cast<unsigned char>(bytes[0]);
  if (bytes.empty())
    report(region(t), it + " is empty", "one byte",
           "the " + std::string(manner_.character) + " of a single quote is written `'\\''`");
  else
    report(region(t), it + " holds " + std::to_string(bytes.size()) + " bytes", "one byte",
           static_cast<unsigned char>(bytes[0]) >= 0x80
               ? "a letter beyond ASCII has several bytes: write it as a text, \"…\""
               : "a text is written \"…\"");
  return '?';
}

// ---------------------------------------------------------------------------------------------------- definitions

bool Reader::at_definition() {
  const bool other = !manner_.also_opens.empty() && at(manner_.also_opens);
  if (manner_.opens.empty() || (!other && !at(manner_.opens))) return false;
  if (peek().first_on_line) return true;
  return !manner_.after_name.empty() && peek(1).kind == TokenKind::Name && peek(2).text == manner_.after_name;
}

void Reader::no_definition(const std::string& form) {
  constexpr std::string_view others[] = {"fn", "def", "function", "func", "let", "define", "entry"};
  const std::string_view word = peek().text;
  const bool other = std::find(std::begin(others), std::end(others), word) != std::end(others);
  unexpected(form, other ? "a " + std::string(manner_.opened) + " starts with " + ticked(manner_.opens) + ", not " +
                               ticked(word)
                         : "");
}

void Reader::recover() {
  while (!at_end() && !at_definition()) take();
}

}  // namespace lockstep::reading

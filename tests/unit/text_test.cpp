// The toolkit of readers: words by a table, operators by a table, escapes, nesting, recovery and what errors say, shown
// on the words of languages that come and on a language of one page.
#include <catch2/catch.hpp>
#include <chrono>
#include <set>

#include "semantics/text/reader.h"
#include "semantics/text/value_reader.h"

namespace text_test {
using namespace lockstep;
using namespace lockstep::reading;

namespace {

SourceRef source(std::string text) { return std::make_shared<const Source>(Source{"t", std::move(text)}); }

// "name:x symbol:+ ...": every word with its kind.
std::string words(const std::string& text, const Words& table) {
  static constexpr const char* kinds[] = {"end",  "name", "quoted", "keyword", "number", "variable",
                                          "char", "text", "remark", "symbol",  "bad"};
  Lexer lexer(source(text), table);
  std::string out;
  for (Token t = lexer.next(); t.kind != TokenKind::End; t = lexer.next())
    out += (out.empty() ? "" : " ") + std::string(kinds[static_cast<std::size_t>(t.kind)]) + ":" + std::string(t.text);
  return out;
}

std::string repeat(const std::string& s, int k) {
  std::string out;
  for (int j = 0; j < k; ++j) out += s;
  return out;
}

// ---- a language of one page: def NAME = expr, over numbers, names, ( ), if, - and the operators of its table; its
// trees are texts with all their parentheses.
struct Text {
  std::string node;
  Region region;
};
constexpr Operator page_operators[] = {{"<", 10, Chain::None}, {"+", 20}, {"-", 20}, {"*", 30}, {"div", 30},
                                       {"^", 40, Chain::Right}};
constexpr Mistake page_stray[] = {{"@", "there is no `@`"}, {"λ", "there are no functions"}};
constexpr Mistake page_misused[] = {{"=", "`=` follows the name of a definition"}};
constexpr Manner page{
    .words = {.keywords = "def if then else div", .symbols = "( ) = < + - * ^ ,", .comment = "//", .quotes = true},
    .operators = page_operators,
    .stray = page_stray,
    .misused = page_misused,
    .no_suffix = "numbers carry no suffix",
    .opens = "def",
    .opened = "definition",
    .tree_limit = 500};

struct If {
  Text condition, yes, no;
  operator std::string() const { return "(if " + condition.node + " " + yes.node + " " + no.node + ")"; }
};

class Page : public TreeReader<Text> {
 public:
  explicit Page(const std::string& text, const Manner& manner = page) : TreeReader(source(text), manner) {}
  std::vector<std::string> program() {
    std::vector<std::string> found;
    definitions([&] { found.push_back(definition()); });
    return found;
  }

 private:
  using E = Built<Text>;
  std::string definition() {
    if (!at("def")) no_definition("a definition, `def name = …`");
    take();
    name("the name of the definition");
    expect("=");
    std::string result = expression().tree.node;
    if (!at_end() && !at_definition()) unexpected("an operator, or the end of the definition");
    return result;
  }
  E expression() {
    return infix(
        operand(), [&] { return operand(); },
        [&](const Token& op, const E& a, const E& b) {
          return built("(" + a.tree.node + std::string(op.text) + b.tree.node + ")", a.tree.region.begin,
                       b.tree.region.end, 1 + std::max(a.height, b.height));
        });
  }
  E operand() {
    const std::vector<Token> minus = signs({"-"});
    const Deeper deeper(*this, static_cast<int>(minus.size()));
    E e = atom();
    return built(std::string(minus.size(), '-') + e.tree.node, e.tree.region.begin, e.tree.region.end, e.height);
  }
  E atom() {
    if (at("if")) return conditional<If>([&] { return expression(); }, "an `if` has an `else`");
    if (at("(")) {
      const Deeper deeper(*this);
      const Token opener = take();
      std::string all;
      items(opener, ")", [&] { all += (all.empty() ? "" : ",") + expression().tree.node; });
      return built(all, opener.begin, previous_.end, 0);
    }
    if (!at_kind(TokenKind::Name) && !at_kind(TokenKind::Number) && !at_kind(TokenKind::Text))
      unexpected("an expression");
    const Token t = take();
    return built(t.kind == TokenKind::Text ? unquoted(t) : std::string(t.text), t.begin, t.end, 0);
  }
};

std::vector<std::string> read(const std::string& text, const Manner& manner = page) {
  Page reader(text, manner);
  auto all = read_whole(reader, [&] { return reader.program(); });
  if (all) return *all;
  std::vector<std::string> errors;
  for (const Diagnostic& d : all.error())
    errors.push_back(show_position(d.region) + " " + d.message + "; " + d.expected + "; " + d.mend);
  return errors;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("words: of several symbols that fit the longest is meant, and keywords are whole words") {
  const Words table{.keywords = "in int", .symbols = "< <= <=> =", .comment = "--"};
  CHECK(words("a<=>b <= c< =int inn in -- = in\nin'", table) ==
        "name:a symbol:<=> name:b symbol:<= name:c symbol:< symbol:= keyword:int name:inn keyword:in name:in'");
  CHECK(words("n", table) == "name:n");  // in a list, but no word of it
  CHECK(words("> λx", table) == "bad:> bad:λ name:x");
}

TEST_CASE("words: the words of L0 and of FCL") {
  const Words l0{.keywords = "fun let in map op",
                 .symbols = "( ) , => <- = == + - * ~ [ ]",
                 .comment = "//",
                 .exponent_signs = "+-~",
                 .quotes = true,
                 .hexadecimal = true};
  CHECK(words("map(fn int (int x) => x+~1e~3, {0x1F, 'c'}) // end", Words{l0}) ==
        "keyword:map symbol:( name:fn name:int symbol:( name:int name:x symbol:) symbol:=> name:x symbol:+ symbol:~ "
        "number:1e~3 symbol:, bad:{ number:0x1F symbol:, char:'c' bad:} symbol:)");
  const Words fcl{.keywords = "fn let in", .symbols = "=> |> . < > + [ ] ( ) #BlockSize #WarpSize", .comment = "--"};
  CHECK(words("fn <l> x => push <1+l> x |> f.g #BlockSize", fcl) ==
        "keyword:fn symbol:< name:l symbol:> name:x symbol:=> name:push symbol:< number:1 symbol:+ name:l symbol:> "
        "name:x symbol:|> name:f symbol:. name:g symbol:#BlockSize");
}

TEST_CASE("words: numbers, components, suffixes and values") {
  CHECK(words("1.5e-3f64 0x1fg 1.e", {.symbols = ".", .hexadecimal = true, .suffixes = true}) ==
        "number:1.5e-3f64 number:0x1fg number:1 symbol:. name:e");
  CHECK(words("12i64 0x1f", {}) == "bad:12i64 bad:0x1f");
  CHECK(words("x.1.2 x. 1.2", {.symbols = ".", .components = true}) ==
        "name:x symbol:. number:1 symbol:. number:2 name:x symbol:. number:1.2");
  CHECK(words("x.1.2", {.symbols = "."}) == "name:x symbol:. number:1.2");
  CHECK(words("-1e-3f32,-inf 1-2 -", {.symbols = ",", .values = true}) ==
        "number:-1e-3f32 symbol:, number:-inf number:1 number:-2 number:-");
  CHECK(words("scan-plus scan-minus", {.symbols = "-", .hyphenated = "scan-plus"}) ==
        "name:scan-plus name:scan symbol:- name:minus");
}

TEST_CASE("words: what stands between quotes is one word on its line") {
  CHECK(words(R"('\'' "a\"b" `any name` 'a)", {.quotes = true, .backquotes = true}) ==
        R"(char:'\'' text:"a\"b" quoted:`any name` bad:' name:a)");
  CHECK(words("\"open\n\"", {.quotes = true}) == "bad:\"open bad:\"");
  CHECK(words("'a 'b' // rest", {.remark = "//", .type_variables = true}) == "variable:'a variable:'b' remark:// rest");
}

TEST_CASE("words: where a word stands") {
  const Words table{.symbols = ";", .comment = "--"};
  Lexer lexer(source("\xef\xbb\xbf"
                     "a;b -- c\n d"),
              table);
  const Token a = lexer.next(), semicolon = lexer.next(), b = lexer.next(), d = lexer.next();
  CHECK((a.first_on_line && !a.joined && a.begin == 3));
  CHECK((!semicolon.first_on_line && semicolon.joined));
  CHECK((b.joined && !d.joined && d.first_on_line));
  lexer.resume_after(a);
  CHECK(lexer.next().text == ";");
}

TEST_CASE("literals: every byte is read back from its escape, and what is no escape is found") {
  for (int c = 0; c < 256; ++c)
    for (const char quote : {'\'', '"'}) {
      const std::string text = escaped(static_cast<unsigned char>(c), quote);
      CHECK(unquote(text).bytes == std::string(1, static_cast<char>(c)));
      CHECK(unquote(text).bad.empty());
      CHECK(quoted_length(quote + text + quote + "'\"") == text.size() + 2);
    }
  const std::string all = "a\n\t\"\\\x01\x7f é \x80";
  CHECK(unquote(std::string_view(reading::quoted(all)).substr(1, reading::quoted(all).size() - 2)).bytes == all);
  CHECK(quoted("é\n") == "\"é\\n\"");
  const Unquoted wrong = unquote("a\\qb\\x4\\é");
  REQUIRE(wrong.bad.size() == 3);
  CHECK((wrong.bad[0].begin == 1 && wrong.bad[0].end == 3));
  CHECK((wrong.bad[1].begin == 4 && wrong.bad[1].end == 7));
  CHECK((wrong.bad[2].begin == 7 && wrong.bad[2].end == 10));
}

TEST_CASE("literals: numbers are whole or none") {
  CHECK(number_value<std::int64_t>("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(number_value<std::int64_t>("9223372036854775808"));
  CHECK_FALSE(number_value<int>("12x"));
  CHECK_FALSE(number_value<int>(""));
  CHECK(number_value<int>("ff", 16) == 255);
  CHECK(real_value("1e-999") == 0.0);
  CHECK_FALSE(real_value("1e999"));
  const NumberParts parts = number_parts("1e-3f64");
  CHECK((parts.digits == "1e-3" && parts.suffix == "f64" && parts.fractional && !parts.hexadecimal));
}

TEST_CASE("operators: their table says what binds tighter, to which side, and what does not chain") {
  CHECK(read("def a = 1 + 2 * 3 - x div y") == Lines{"((1+(2*3))-(xdivy))"});
  CHECK(read("def a = 2 ^ 3 ^ 4 * 5 ^ 6") == Lines{"((2^(3^4))*(5^6))"});
  CHECK(read("def a = - 1 < (2 + 3)") == Lines{"(-1<(2+3))"});
  CHECK(
      read("def a = 1 < 2 < 3") ==
      Lines{"t:1:15 comparisons do not chain: found `<` after the operands of `<`; one comparison; write `x < y && y < "
            "z`, or parenthesise one of them"});
  // The same text by other tables is another tree: the tests above would notice.
  constexpr Operator turned[] = {{"<", 10}, {"+", 30}, {"-", 20}, {"*", 20}, {"div", 30}, {"^", 40}};
  Manner other = page;
  other.operators = turned;
  CHECK(read("def a = 1 + 2 * 3", other) == Lines{"((1+2)*3)"});
  CHECK(read("def a = 2 ^ 3 ^ 4", other) == Lines{"((2^3)^4)"});
  CHECK(read("def a = 1 < 2 < 3", other) == Lines{"((1<2)<3)"});
}

TEST_CASE("operators: a table has each symbol once, and levels that grow") {
  const auto sound = [](Operators table) {
    std::set<std::string_view> seen;
    int level = 1;
    for (const Operator& o : table) {
      if (!seen.insert(o.symbol).second || o.level < level || o.level >= above_operators) return false;
      level = o.level;
    }
    return true;
  };
  CHECK(sound(shared_operators));
  CHECK(sound(operators_and(Operator{"++", 5})));
  CHECK_FALSE(sound(operators_and(Operator{"+", 5})));
  CHECK_FALSE(sound(operators_and(Operator{"++", 15})));
}

TEST_CASE("errors: each says what was found, what was expected and how to mend it, and the next definition is read") {
  CHECK(
      read("def a = 1 +\ndef b = 2 @\ndef c = (1, 2\ndef d = 3") ==
      Lines{
          "t:2:1 found the keyword `def`; an expression; ",
          "t:2:11 found `@`, which is no part of the language; an operator, or the end of the definition; there is no "
          "`@`",
          "t:3:9 this `(` is never closed; `)` before the next definition; close it with `)`"});
  CHECK(read("fun a = 1") == Lines{"t:1:1 found the name `fun`; a definition, `def name = …`; "});
  CHECK(
      read("define a = 1") ==
      Lines{
          "t:1:1 found the name `define`; a definition, `def name = …`; a definition starts with `def`, not `define`"});
  CHECK(read("def if = 1") ==
        Lines{"t:1:5 found the keyword `if`; the name of the definition; `if` is a keyword: choose "
              "another name, such as `if_`"});
  CHECK(
      read("def λ = 1")[0].ends_with("names are written with the letters a to z, digits, _ and '; other letters only "
                                     "in texts and comments"));
  CHECK(read("def a = λ")[0].ends_with("there are no functions"));
  CHECK(read("def a = 1 ≤ 2")[0].ends_with("write `<=`"));
  CHECK(read("def a = 1 +* 2")[0].ends_with("`+*` is no operator; there are < + - * div ^"));
  CHECK(read("def a = if 1 then 2") ==
        Lines{"t:1:20 found the end of the file; `else`, for the `if` at 1:9; an `if` has an `else`"});
  CHECK(read("def a = 12i64") ==
        Lines{"t:1:9 found `12i64`, which is no number of this language; an expression; numbers carry no suffix"});
  CHECK(read("def a = \"x") == Lines{"t:1:9 this text is not closed on its line; an expression; close it with `\"`; a "
                                     "line's end in a text is written `\\n`"});
  CHECK(read("def a = \"\\q\"") == Lines{"t:1:10 found `\\q`, which is no escape; " + std::string(known_escapes) +
                                         "; a backslash itself is written `\\\\`"});
  CHECK(read("def a = (1 2)") == Lines{"t:1:12 found the number `2`; `)`, which closes the `(` at 1:9, or `,`; "});
  CHECK(read("def a = =")[0].ends_with("`=` follows the name of a definition"));
}

TEST_CASE("nesting: 1,000 levels are read, one more is refused, and so is a tree that is too high") {
  const auto nested = [](int n) { return read("def a = " + repeat("(", n) + "1" + repeat(")", n)); };
  CHECK(nested(1000) == Lines{"1"});
  REQUIRE(nested(1001).size() == 1);
  CHECK(nested(1001)[0].find("this is nested too deeply") != std::string::npos);
  CHECK(nested(1000000)[0].find("this is nested too deeply") != std::string::npos);
  CHECK(read("def a = " + repeat("-", 1000) + "1").size() == 1);
  CHECK(read("def a = " + repeat("- ", 1001) + "1")[0].find("nested too deeply") != std::string::npos);
  CHECK(read("def a = 1" + repeat("+1", 500)).front().starts_with("(((("));
  CHECK(read("def a = 1" + repeat("+1", 501))[0].find("chains of at most") != std::string::npos);
}

TEST_CASE("the time that a text takes grows as the text does, and at most 20 errors are told") {
  const auto start = std::chrono::steady_clock::now();
  CHECK(read("def a = (0" + repeat(", 1.5e-3", 200000) + ")").size() == 1);
  CHECK(read(repeat("def a = +\n", 20000)).size() == error_limit);
  CHECK(read(repeat("def a = 1 // comment\n", 100000)).size() == 100000);
  CHECK(read("def a = " + repeat("( ", 500000))[0].find("nested too deeply") != std::string::npos);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("a reader looks at four words, and further by reading again") {
  class Ahead : public Reader {
   public:
    explicit Ahead(const std::string& text) : Reader(source(text), page) {}
    std::string twice() {
      take();
      const Token here = mark();
      std::string out;
      for (int round = 0; round < 2; ++round, back_to(here))
        for (; !at_end(); take())
          out += std::string(peek().text) + (peek().first_on_line ? "!" : peek().joined ? "" : " ");
      CHECK(peek(3).text == "d");
      CHECK_THROWS_AS(peek(4), Bug);
      return out;
    }
  };
  CHECK(Ahead("a b(\nc d e").twice() == "b (c!d e b (c!d e ");
}

}  // namespace text_test

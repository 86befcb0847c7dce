// No passage of 60 tokens and more stands in the rooms of two languages under other names: what both need is written
// once, in a room below both. A passage is code in which names are replaced by how far back they last stood in it
// (Baker, A theory of parameterized pattern matching, 1993), but for those of C++ and its library; a literal is any
// literal of its kind. Not read: comments, lines of the preprocessor, and rows of literals, { "word", ... }, which are
// data.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace twins_test {

namespace {

constexpr int passage = 60;

struct Rooms {
  std::string language;
  std::vector<std::string> folders;
};

const std::vector<Rooms> languages{
    {".dpia",
     {"semantics/functional",
      "semantics/functional/syntax",
      "semantics/primitives",
      "semantics/imperative",
      "semantics/kernel",
      "translate/dpia",
      "translate/rewriting",
      "codegen/c",
      "codegen/targets",
      "props/dpia",
      "props/dpia/mutants",
      "proofs/calculus",
      "proofs/calculus/facets",
      "proofs/calculus/loops",
      "proofs/calculus/operators",
      "proofs/calculus/scattered",
      "proofs/calculus/strategies",
      "proofs/calculus/views",
      "proofs/kernel",
      "proofs/laws",
      "proofs/sizes",
      "driver/languages/dpia"}},
    {".snesl",
     {"semantics/snesl", "semantics/svcode", "translate/flatten", "translate/simplify", "translate/streamability",
      "translate/snesl", "codegen/streaming", "props/snesl", "driver/languages/snesl"}}};

struct Token {
  std::string text;
  int line;
  bool renamed;
};

// What C++ and its library call things, beside what stands behind std::.
const std::set<std::string> kept{
    "auto",     "bool",      "break",  "case",   "char",    "class",     "const",    "constexpr", "continue",
    "default",  "do",        "double", "else",   "enum",    "explicit",  "false",    "float",     "for",
    "friend",   "if",        "inline", "int",    "long",    "namespace", "noexcept", "nullptr",   "operator",
    "override", "private",   "public", "return", "size_t",  "static",    "std",      "struct",    "switch",
    "template", "this",      "throw",  "true",   "try",     "typename",  "unsigned", "using",     "virtual",
    "void",     "while",     "size",   "empty",  "begin",   "end",       "front",    "back",      "push_back",
    "insert",   "emplace",   "find",   "at",     "count",   "contains",  "erase",    "first",     "second",
    "value",    "has_value", "error",  "substr", "reserve", "resize",    "data",     "get",       "c_str"};

bool is_literal(const Token& t) { return t.text == "\"" || t.text == "0"; }

// Where a row that begins at `at` ends; `at` where none does. A row only says what belongs to a name, in a list of
// such:
//   { literals and names }            with a literal
//   f(literals and names),            the same, in braces
//   case E::A: return f(names);       a switch as a table
//   [&](const A& x) { f(names); }     a match as a table
//   override { return f(names); }     an interface as a table
//   type f();                         a list of declarations; of an equality that is defaulted too
std::size_t end_of_row(const std::vector<Token>& t, std::size_t at) {
  const auto is = [&](std::size_t k, const char* text) { return k < t.size() && t[k].text == text; };
  const auto is_name = [&](std::size_t k) {
    return k < t.size() && (t[k].renamed || t[k].text == "std" || t[k].text == "size_t");
  };
  // Names, literals and what parts them, up to a closing bracket that has no opening one.
  const auto items = [&](std::size_t from, bool& literal, bool statements = false) {
    int depth = 0;
    for (std::size_t k = from; k < t.size(); ++k) {
      if (is(k, "{") || is(k, "(")) ++depth;
      if ((is(k, "}") || is(k, ")")) && depth-- == 0) return k;
      literal = literal || is_literal(t[k]);
      static const std::set<std::string> parts{"{", "}", "(", ")", ",", ":", "-", ".", "*", "true", "false", "nullptr"};
      if (!is_literal(t[k]) && !is_name(k) && !parts.contains(t[k].text) && !(statements && is(k, ";"))) break;
    }
    return t.size();
  };
  bool literal = false;
  if (at > 0 && is(at - 1, "override") && is(at, "{") && is(at + 1, "return")) {
    const std::size_t end = items(at + 2, literal, true);
    return is(end, "}") ? end + 1 : at;
  }
  if (is(at, "{")) {
    const std::size_t end = items(at + 1, literal);
    return literal && is(end, "}") ? end + 1 : at;
  }
  const bool first = at > 0 && (is(at - 1, "{") || is(at - 1, ",") || is(at - 1, ";") || is(at - 1, "}"));
  if (first && is_name(at) && is(at + 1, "(")) {
    const std::size_t end = items(at + 2, literal);
    if (literal && is(end, ")") && (is(end + 1, ",") || is(end + 1, "}"))) return end + 1;
  }
  if (first && is_name(at)) {
    std::size_t k = at;
    while (is_name(k) || is(k, ":") || is(k, "<") || is(k, ">") || (k > at && t[k - 1].text == ":")) ++k;
    if (k > at + 1 && is(k, "(") && is(k + 1, ")") && is(k + 2, ";")) return k + 3;
  }
  if (is(at, "friend")) {  // friend bool operator==(...) = default;
    std::size_t k = at;
    while (k < t.size() && !is(k, ";") && !is(k, "{")) ++k;
    return is(k, ";") && is(k - 1, "default") ? k + 1 : at;
  }
  if (is(at, "case")) {
    std::size_t k = at + 1;
    while (k < t.size() && !(is(k, ":") && !is(k + 1, ":") && !is(k - 1, ":"))) ++k;
    if (!is(k + 1, "return") || !is_name(k + 2) || !is(k + 3, "(")) return at;
    const std::size_t end = items(k + 4, literal);
    return is(end, ")") && is(end + 1, ";") ? end + 2 : at;
  }
  if (is(at, "[")) {  // [&](const A& x) {
    std::size_t k = at;
    while (k < t.size() && !is(k, ")")) ++k;
    if (!is(++k, "{")) return at;
    if (is(++k, "return")) ++k;
    const std::size_t end = items(k, literal, true);
    return is(end, "}") ? end + 1 : at;
  }
  return at;
}

std::vector<Token> without_rows(const std::vector<Token>& tokens) {
  std::vector<Token> out;
  for (std::size_t at = 0; at < tokens.size();) {
    const std::size_t end = end_of_row(tokens, at);
    if (end == at) out.push_back(tokens[at++]);
    at = end > at ? end : at;
  }
  return out;
}

std::vector<Token> tokens_of(const std::string& text) {
  static const std::regex token(
      R"re(//[^\n]*|^[ \t]*#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|[A-Za-z_]\w*|\d[\w.']*|\n|[^\s\w])re",
      std::regex::multiline);
  std::vector<Token> out;
  int line = 1;
  for (std::sregex_iterator i(text.begin(), text.end(), token), end; i != end; ++i) {
    const std::string word = i->str();
    if (word == "\n") ++line;
    if (word == "\n" || word.starts_with("//") || word.find('#') < word.find_first_not_of(" \t#")) continue;
    const bool named = std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_';
    const bool of_std = out.size() > 2 && out.back().text == ":" && out[out.size() - 3].text == "std";
    const std::string kind = std::isdigit(static_cast<unsigned char>(word[0])) ? "0" : word.substr(0, 1);
    out.push_back({named ? word : kind, line, named && !of_std && !kept.contains(word)});
  }
  return without_rows(out);
}

struct Passage {
  std::uint64_t hash;
  int line;
};

// A hash of each 60 tokens, in which a name is the distance to where it last stood in them. As the passage moves on,
// the name that it leaves last stood nowhere where it next stands.
std::vector<Passage> passages(const std::vector<Token>& tokens) {
  constexpr std::uint64_t base = 0x9E3779B97F4A7C15;
  std::vector<std::uint64_t> power(passage, 1);
  for (int i = 1; i < passage; ++i) power[i] = power[i - 1] * base;
  const int n = static_cast<int>(tokens.size());
  std::vector<int> next(n, n);
  std::vector<std::uint64_t> code(n);
  std::map<std::string, int> last;
  for (int i = 0; i < n; ++i) {
    if (!tokens[i].renamed) {
      code[i] = std::hash<std::string>{}(tokens[i].text);
      continue;
    }
    const auto [at, is_new] = last.try_emplace(tokens[i].text, i);
    code[i] = is_new || i - at->second >= passage ? 1 : i - at->second + 1;
    if (!is_new) next[at->second] = i;
    at->second = i;
  }
  // The powers fall along the passage, so that it is moved on by one product.
  std::vector<Passage> out;
  std::uint64_t hash = 0;
  for (int i = 0; i < n; ++i) {
    if (const int left = i - passage; left >= 0) {
      hash -= code[left] * power[passage - 1];
      if (const int again = next[left]; again < i) {
        hash -= (code[again] - 1) * power[passage - 1 - (again - left)];
        code[again] = 1;
      } else if (again == i) {
        code[again] = 1;
      }
    }
    hash = hash * base + code[i];
    if (i >= passage - 1) out.push_back({hash, tokens[i - passage + 1].line});
  }
  return out;
}

using Files = std::map<std::string, std::string>;  // by name

// "a.cpp:10 and b.cpp:20: 75 tokens", one for each run of passages of the second that the first has too.
std::vector<std::string> twins(const Files& first, const Files& second) {
  std::unordered_map<std::uint64_t, std::string> places;
  for (const auto& [name, text] : first)
    for (const Passage& at : passages(tokens_of(text)))
      places.try_emplace(at.hash, name + ":" + std::to_string(at.line));
  std::vector<std::string> out;
  for (const auto& [name, text] : second) {
    const auto all = passages(tokens_of(text));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto there = places.find(all[i].hash);
      if (there == places.end()) continue;
      const std::size_t from = i;
      while (i + 1 < all.size() && places.contains(all[i + 1].hash)) ++i;
      out.push_back(there->second + " and " + name + ":" + std::to_string(all[from].line) + ": " +
                    std::to_string(i - from + passage) + " tokens");
    }
  }
  return out;
}

Files files_of(const Rooms& rooms) {
  Files out;
  for (const std::string& folder : rooms.folders)
    for (const auto& entry : std::filesystem::directory_iterator(std::string(LOCKSTEP_SOURCE_DIR "/") + folder)) {
      const std::string end = entry.path().extension();
      if (end != ".cpp" && end != ".h") continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      out[folder + "/" + entry.path().filename().string()] = text.str();
    }
  return out;
}

// 62 tokens, in which f and the names of its parameters are as given.
std::string planted(const std::string& f, const std::string& a, const std::string& b) {
  return "int " + f + "(int " + a + ", int " + b + ") {\n  while (" + a + " < " + b + ") " + a + " = " + a + " * " + b +
         " + 1;  // grows\n  if (" + a + " == " + b + ") return " + f + "(" + b + ", " + a +
         ");\n  for (int i = 0; i < " + b + "; ++i) " + a + " += i;\n  return " + a + ";\n}\n";
}

}  // namespace

TEST_CASE("no two languages' rooms share a passage of 60 tokens") {
  for (std::size_t a = 0; a < languages.size(); ++a)
    for (std::size_t b = a + 1; b < languages.size(); ++b) {
      std::string found;
      for (const std::string& pair : twins(files_of(languages[a]), files_of(languages[b]))) found += pair + "\n";
      INFO(languages[a].language << " and " << languages[b].language << " share\n" << found);
      CHECK(found.empty());
    }
}

TEST_CASE("a planted twin is found under other names, in its place") {
  const Files mine{{"a.cpp", "#include <map>\nint x;\n" + planted("power", "n", "m")}};
  CHECK(tokens_of(mine.at("a.cpp")).size() == 66);
  const auto found = twins(mine, {{"b.cpp", "\n" + planted("f", "y", "x")}});
  CHECK(found == std::vector<std::string>{"a.cpp:3 and b.cpp:2: 63 tokens"});
}

TEST_CASE("what is not the same under any names is no twin") {
  const Files mine{{"a.cpp", planted("power", "n", "m")}};
  CHECK(twins(mine, {{"b.cpp", planted("f", "x", "x")}}).empty());
  CHECK(twins(mine, {{"b.cpp", planted("f", "size", "x")}}).empty());
  CHECK(twins(mine, {{"b.cpp", planted("f", "x", "y").substr(0, 120)}}).empty());
}

TEST_CASE("rows of tables are data, and rows that compute are not") {
  const auto shared = [](const std::string& open, const std::string& row, const std::string& close, int rows = 30) {
    std::string all = open;
    for (int i = 0; i < rows; ++i) all += row;
    return !twins({{"a.cpp", all + close}}, {{"b.cpp", all + close}}).empty();
  };
  CHECK_FALSE(shared("const Word words[] = {", "{\"word\", Kind::A, 1},\n", "};"));
  CHECK_FALSE(shared("const Row rows[] = {", "row(\"word\", Kind::A, 1),\n", "};"));
  CHECK_FALSE(shared("switch (e) {", "case E::A: return of_a(e, x.y);\n", "}"));
  CHECK_FALSE(shared("match(e", ", [&](const A& x) { return f(x.left), g(*x.right); }\n", ");"));
  CHECK_FALSE(shared("struct A {", "Said run(const Options& o) const override { return run_b(o); }\n", "};", 5));
  CHECK_FALSE(shared("struct A {", "std::vector<Mutant> some_mutants();\n", "};"));
  CHECK_FALSE(shared("", "friend bool operator==(const A&, const A&) = default;\n", ""));
  CHECK(shared("switch (e) {", "case E::A: return x + f(e);\n", "}"));
  CHECK(shared("match(e", ", [&](const A& x) { return x.left ? f(x) : g(x); }\n", ");"));
  CHECK(shared("void f() {", "g(\"word\"); h(x, y);\n", "}"));
}

}  // namespace twins_test

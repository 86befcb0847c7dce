// The grammars of the references are what the parsers read: what a grammar makes, its parser takes; of programs, and of
// programs with words changed, both say the same.
#include <catch2/catch.hpp>

#include "grammar_languages.h"
#include "tests/unit/long_run.h"

namespace grammar_test {
using namespace grammar_test;

namespace {

bool is_beyond(const Language& l, const std::string& refusal) {
  return std::any_of(l.beyond.begin(), l.beyond.end(),
                     [&](const std::string& b) { return refusal.find(b) != std::string::npos; });
}

// Where grammar and parser differ on a program: what each says of it; "" where they agree.
std::string difference(const Language& l, const Grammar& g, const Reader& reader, const std::string& program) {
  const std::vector<Word> words = reader.words(program);
  const bool derived = Recogniser(g, words).sentence();
  const std::string refusal = l.refusal(program);
  if (derived == refusal.empty() || (derived && is_beyond(l, refusal))) return "";
  return derived ? "the grammar makes it, the parser refuses it: " + refusal
                 : "the parser takes it, the grammar does not make it: " + program;
}

std::vector<std::string> programs(const Language& l) {
  std::vector<std::string> out = blocks(l.reference, l.name);
  for (const auto& file : std::filesystem::directory_iterator(root / l.examples))
    if (file.path().extension() == "." + l.name) out.push_back(text_of(file.path()));
  return out;
}

// A program with one to three words taken out, doubled, exchanged or put elsewhere, others of the language included.
std::string changed(const Reader& reader, const std::string& program, const std::vector<std::string>& other,
                    std::mt19937& random) {
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  std::vector<std::string> words;
  for (const Word& w : reader.words(program)) words.push_back(w.text);
  for (std::size_t times = 1 + below(3); times > 0 && words.size() > 1; --times) {
    const std::size_t k = below(words.size()), j = below(words.size());
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(k);
    switch (below(4)) {
      case 0:
        words.erase(at);
        break;
      case 1:
        words.insert(at, other[below(other.size())]);
        break;
      case 2:
        std::swap(words[k], words[j]);
        break;
      default:
        words.insert(at, std::string(words[j]));
    }
  }
  std::string out;
  for (const std::string& w : words) out += w + " ";
  return out;
}

// The first sentence of a grammar that the parser refuses, with what it says; the words of some sentences.
std::string first_refused(const Language& l, const Grammar& g, int count, std::set<std::string>* words = nullptr) {
  const Reader reader(l, g);
  Sentences sentences(g, l.samples, 1);
  int beyond = 0;
  for (int k = 0; k < count; ++k) {
    const std::string program = sentences.next(8 + k % 12), refusal = l.refusal(program);
    if (!refusal.empty() && !is_beyond(l, refusal)) return program + "\n" + refusal;
    beyond += !refusal.empty();
    if (words && k < 300)
      for (const Word& w : reader.words(program)) words->insert(w.text);
  }
  return beyond < count / 20 ? ""
                             : std::to_string(beyond) + " of " + std::to_string(count) +
                                   " sentences are refused for what is no grammar's affair";
}

// The first difference on programs with words changed.
std::string difference_on_changed(const Language& l, const Grammar& g, int rounds, unsigned seed, int* made = nullptr) {
  const Reader reader(l, grammar_of(l));
  std::vector<std::string> short_ones = programs(l), other;
  std::erase_if(short_ones, [&](const std::string& p) { return reader.words(p).size() > 150; });
  for (const std::string& t : grammar_of(l).texts_of(Kind::Terminal)) other.push_back(t);
  for (const auto& [kind, words] : l.samples) other.insert(other.end(), words.begin(), words.end());
  std::mt19937 random(seed);
  for (int round = 0; round < rounds; ++round) {
    const std::string& one = short_ones[std::uniform_int_distribution<std::size_t>(0, short_ones.size() - 1)(random)];
    const std::string program = changed(reader, one, other, random);
    if (made && l.refusal(program).empty()) ++*made;
    if (const std::string d = difference(l, g, reader, program); !d.empty()) return d;
  }
  return "";
}

// The infix operators of a reference's table of precedence, a row a level, the tightest first.
struct Level {
  std::vector<std::string> operators;
  bool groups = true;
};
std::vector<Level> levels(const Language& l) {
  std::vector<Level> out;
  const std::string table = l.reference.substr(l.reference.find("\n## Precedence"));
  const std::set<std::string> terminals = grammar_of(l).texts_of(Kind::Terminal);
  std::istringstream lines(table.substr(0, table.find("\n## ", 1)));
  const std::regex row(R"(\| ((`[^`]+` )+)\|(.*)\|)"), name("`([^`]+)`");
  for (std::string line; std::getline(lines, line);) {
    std::smatch cells;
    if (!std::regex_match(line, cells, row)) continue;
    out.push_back({{}, cells[3].str().find("not at all") == std::string::npos});
    const std::string first = std::regex_replace(cells[1].str(), std::regex(R"(\\\|)"), "|");
    for (std::sregex_iterator at(first.begin(), first.end(), name), end; at != end; ++at)
      if (terminals.contains((*at)[1])) out.back().operators.push_back((*at)[1]);
    if (out.back().operators.empty()) out.pop_back();
  }
  return out;
}

}  // namespace

TEST_CASE("what the grammar of a reference makes, the parser takes") {
  const int count = lockstep::test::long_run() ? 10000 : 1000;
  for (const Language& l : {dpia(), snesl()}) {
    const Grammar g = grammar_of(l);
    std::set<std::string> words;
    CHECK(first_refused(l, g, count, &words) == "");
    for (const std::string& t : g.texts_of(Kind::Terminal)) {
      INFO(t);
      CHECK(words.contains(t));
    }
  }
}

TEST_CASE("every name in a grammar has a rule, or is a kind of word that the reference explains") {
  for (const Language& l : {dpia(), snesl()}) {
    const Grammar g = grammar_of(l);
    const Reader reader(l, g);
    std::set<std::string> used = g.texts_of(Kind::Name);
    for (const std::string& name : used) {
      INFO(name);
      CHECK((g.rule(name) || l.kinds.contains(name)));
      if (!g.rule(name))
        CHECK(std::regex_search(l.reference, std::regex("\n\\| ([a-z]+, )?" + name + "(, [a-z]+)? \\|")));
    }
    for (const auto& [name, node] : g.rules()) CHECK((name == g.start || used.contains(name)));
    CHECK(reader.keywords.size() >= 8);
    for (const std::string& word : reader.keywords) {
      INFO(word);
      CHECK(g.texts_of(Kind::Terminal).contains(word));
      CHECK(l.refusal("fun " + word + (l.name == "dpia" ? " : i32 = 1" : "() = 1")) != "");
    }
  }
}

TEST_CASE("of programs, grammar and parser say the same") {
  for (const Language& l : {dpia(), snesl()}) {
    const Grammar g = grammar_of(l);
    const Reader reader(l, g);
    const std::vector<std::string> known = programs(l);
    CHECK(known.size() > 20);
    for (const std::string& p : known) {
      CHECK(l.refusal(p) == "");
      CHECK(difference(l, g, reader, p) == "");
    }
  }
}

TEST_CASE("of programs with words changed, grammar and parser say the same") {
  const int rounds = lockstep::test::long_run() ? 6000 : 600;
  for (const Language& l : {dpia(), snesl()}) {
    int made = 0;
    CHECK(difference_on_changed(l, grammar_of(l), rounds, 1, &made) == "");
    CHECK(made > rounds / 50);  // programs still, so that both answers are compared
  }
}

TEST_CASE("operators group as the table of precedence says") {
  for (const Language& l : {dpia(), snesl()}) {
    const std::vector<Level> table = levels(l);
    CHECK(table.size() == 10);
    for (std::size_t i = 0; i < table.size(); ++i)
      for (std::size_t j = 0; j < table.size(); ++j)
        for (const std::string& first : table[i].operators)
          for (const std::string& second : table[j].operators) {
            const std::string plain = "a " + first + " b " + second + " c";
            const std::string left = "(a " + first + " b) " + second + " c",
                              right = "a " + first + " (b " + second + " c)";
            INFO(plain);
            if (i == j && !table[i].groups) {
              CHECK(l.same(plain, left) == std::nullopt);
            } else {
              CHECK(l.same(plain, i <= j ? left : right) == true);
              CHECK(l.same(plain, i <= j ? right : left) == false);
            }
          }
  }
}

TEST_CASE("a grammar that says too much or too little is found") {
  for (const Language& l : {dpia(), snesl()}) {
    const std::string text = blocks(l.reference, "ebnf").at(0);
    const auto replaced = [&](const std::string& from, const std::string& to) {
      const std::size_t at = text.find(from);
      REQUIRE(at != std::string::npos);
      return Grammar(std::string(text).replace(at, from.size(), to));
    };
    CHECK(difference_on_changed(l, replaced(" | '%') prefix", ") prefix"), 4000, 1) != "");
    CHECK(difference_on_changed(l, replaced("'then' expr 'else'", "'then' expr 'or'"), 4000, 1) != "");
    CHECK(first_refused(l, replaced("'else' expr", "('else' expr)?"), 1000) != "");
    CHECK(first_refused(l, replaced("'>=') sum)?", "'>=') sum)*"), 1000) != "");
    CHECK(first_refused(l, replaced("']'", "','? ']'"), 1000) != "");
  }
}

}  // namespace grammar_test

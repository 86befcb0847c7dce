// The languages as their references describe them to readers of words, and as their parsers take them.
#pragma once
#include <filesystem>
#include <fstream>
#include <regex>

#include "grammar.h"
#include "semantics/functional/syntax/parse.h"
#include "semantics/snesl/builtins.h"
#include "semantics/snesl/parse.h"

namespace grammar_test {

inline const std::filesystem::path root = LOCKSTEP_SOURCE_DIR;

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The contents of the blocks ```KIND of a reference.
inline std::vector<std::string> blocks(const std::string& reference, const std::string& kind) {
  std::vector<std::string> out;
  const std::string opener = "\n```" + kind + "\n";
  for (std::size_t at = reference.find(opener); at != std::string::npos; at = reference.find(opener, at + 1)) {
    const std::size_t begin = at + opener.size();
    out.push_back(reference.substr(begin, reference.find("\n```", begin) + 1 - begin));
  }
  return out;
}

struct Language {
  std::string name, reference, examples;
  std::function<std::string(const std::string&)> refusal;   // what the parser says of a program, "" where it takes it
  std::string word;                                         // what one word is, symbols excepted
  std::map<std::string, std::string> kinds;                 // what the words of a kind are
  std::map<std::string, std::vector<std::string>> samples;  // some of each kind
  // Whether two expressions are one; nothing where the first is refused.
  std::function<std::optional<bool>(const std::string&, const std::string&)> same;
  std::vector<std::string> beyond;  // what a parser says of names, numbers and sizes, which no grammar does
};

template <class Program>
std::string first_error(const lockstep::Checked<Program>& p) {
  return p ? "" : render(p.error().at(0));
}
inline lockstep::SourceRef source(const std::string& text) {
  return std::make_shared<const lockstep::Source>(lockstep::Source{"program", text});
}

template <class Tree>
std::optional<bool> same_tree(const lockstep::Checked<Tree>& a, const lockstep::Checked<Tree>& b) {
  return a && b ? std::optional(*a == *b) : std::nullopt;
}

inline Language dpia() {
  return {"dpia",
          text_of(root / "semantics/functional/README.md"),
          "examples",
          [](const std::string& text) { return first_error(lockstep::parse_program(source(text))); },
          R"('?[A-Za-z_][A-Za-z0-9_']*|(0[xX][0-9a-fA-F]+|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)[A-Za-z0-9_']*)",
          {{"id", R"([A-Za-z_][A-Za-z0-9_']*)"},
           {"variable", R"('[A-Za-z_][A-Za-z0-9_']*)"},
           {"natural", R"(0[xX][0-9a-fA-F]+|[0-9]+)"},
           {"width", "2|3|4|8|16"},
           {"number", R"((0[xX][0-9a-fA-F]+|[0-9]+)([iu](32|64)|u8)?|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?(f32|f64)?)"}},
          {{"id", {}},
           {"variable", {"'a", "'b"}},
           {"natural", {"1", "2", "3", "7", "64", "0x10"}},
           {"width", {"2", "16"}},
           {"number", {"12", "12i64", "0xffu32", "1.5", "1e-3f64"}}},
          [](const std::string& a, const std::string& b) {
            return same_tree(lockstep::parse_expression(source(a)), lockstep::parse_expression(source(b)));
          },
          {"divided by zero", "too large to reason about"}};
}

inline Language snesl() {
  std::string hyphened;
  std::vector<std::string> builtins;
  for (const auto& b : lockstep::snesl::elaboration::builtin_notes())
    if (const std::string name(b.name); name.size() > 1 && name.find('-') != std::string::npos) {
      hyphened += (hyphened.empty() ? "" : "|") + name;
      builtins.push_back(name);
    }
  return {"snesl",
          text_of(root / "semantics/snesl/README.md"),
          "examples/streaming",
          [](const std::string& text) { return first_error(lockstep::snesl::parse_program(source(text))); },
          "(" + hyphened +
              R"()(?![A-Za-z0-9_'])|[A-Za-z_][A-Za-z0-9_']*|[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?[A-Za-z0-9_']*)"
              R"(|'(\\[^\n]|[^'\\\n])*'|"(\\[^\n]|[^"\\\n])*")",
          {{"id", R"([A-Za-z_][A-Za-z0-9_']*)"},
           {"builtin", hyphened},
           {"digits", "[0-9]+"},
           {"real", R"([0-9]+\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)"},
           {"char", R"('(\\x[0-9a-fA-F]{2}|\\[ntr0\\'"]|[^'\\])')"},
           {"text", R"("(\\x[0-9a-fA-F]{2}|\\[ntr0\\'"]|[^"\\])*")"}},
          {{"id", {}},
           {"builtin", builtins},
           {"digits", {"1", "2", "7"}},
           {"real", {"1.5", "1e-3"}},
           {"char", {"'c'", "'\\n'"}},
           {"text", {"\"text\"", "\"\\x41\\\"\""}}},
          [](const std::string& a, const std::string& b) {
            return same_tree(lockstep::snesl::parse_expression(source(a)),
                             lockstep::snesl::parse_expression(source(b)));
          },
          {"there are two functions", "there are two parameters", "is bound twice", "component number",
           "comparisons do not chain"}};
}

inline Grammar grammar_of(const Language& l) { return Grammar(blocks(l.reference, "ebnf").at(0)); }

class Reader {
 public:
  Reader(const Language& language, const Grammar& grammar) : word_(language.word), digits_("[0-9]+[A-Za-z0-9_']*") {
    for (const auto& [kind, pattern] : language.kinds) kinds_.emplace(kind, pattern);
    for (const std::string& t : grammar.texts_of(Kind::Terminal)) symbols_.insert(t);
    std::smatch row;  // "| id | ...; neither `_` alone nor one of `fun let ...` |"
    if (std::regex_search(language.reference, row, std::regex(R"(\n\| id \|[^\n]*`([a-z ]+)` \|\n)"))) {
      std::istringstream words(row[1]);
      for (std::string w; words >> w;) keywords.insert(w);
    }
  }
  std::vector<Word> words(const std::string& text) const {
    std::vector<Word> out;
    for (auto at = text.begin(); at != text.end();) {
      const std::string_view rest(&*at, static_cast<std::size_t>(text.end() - at));
      if (rest.starts_with("--")) {
        at = std::find(at, text.end(), '\n');
        continue;
      }
      if (std::isspace(static_cast<unsigned char>(*at))) {
        ++at;
        continue;
      }
      const bool component = kinds_.contains("digits") && !out.empty() && out.back().text == ".";
      const bool digit = std::isdigit(static_cast<unsigned char>(*at));
      std::smatch match;
      std::size_t n = 1;
      if (std::regex_search(at, text.end(), match, component && digit ? digits_ : word_,
                            std::regex_constants::match_continuous))
        n = static_cast<std::size_t>(match.length());
      else
        for (const std::string& s : symbols_)
          if (s.size() > n && rest.starts_with(s)) n = s.size();
      out.push_back(word(std::string(rest.substr(0, n))));
      at += static_cast<std::ptrdiff_t>(n);
    }
    return out;
  }
  std::set<std::string> keywords;

 private:
  const Word& word(const std::string& text) const {
    const auto [at, fresh] = known_.try_emplace(text, Word{text, {}});
    if (fresh)
      for (const auto& [kind, pattern] : kinds_)
        if (std::regex_match(text, pattern) && (kind != "id" || (text != "_" && !keywords.contains(text))))
          at->second.kinds.insert(kind);
    return at->second;
  }
  std::regex word_, digits_;
  std::map<std::string, std::regex> kinds_;
  std::set<std::string> symbols_;
  mutable std::map<std::string, Word> known_;
};

}  // namespace grammar_test

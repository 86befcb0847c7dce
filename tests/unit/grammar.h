// Grammars as the references write them (```ebnf), their sentences at random, and whether words are a sentence.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "semantics/core/diagnostic.h"

namespace grammar_test {

struct Node {
  enum class Kind { Terminal, Name, Sequence, Choice, Optional, Star, Plus } kind;
  std::string text{};  // of a terminal or a name
  std::vector<int> parts{};
  int rule = -1;  // of a name that has one
};
using Kind = Node::Kind;

// Rules `name ::= ...` of 'terminals', names, ( ) | ? * +; a name without a rule is a kind of word.
class Grammar {
 public:
  explicit Grammar(const std::string& text) {
    for (std::size_t at = 0, next; at < text.size(); at = next) {
      for (next = text.find('\n', at) + 1; next < text.size() && (text[next] == ' ' || text[next] == '\n');)
        next = text.find('\n', next) + 1;
      const std::string rule = text.substr(at, next - at), name = rule.substr(0, rule.find(' '));
      if (start.empty()) start = name;
      rest_ = std::string_view(rule).substr(rule.find("::=") + 3);
      rules_[name] = choice();
    }
    for (Node& n : nodes_)
      if (const int* node = n.kind == Kind::Name ? rule(n.text) : nullptr) n.rule = *node;
  }
  const Node& node(int k) const { return nodes_.at(static_cast<std::size_t>(k)); }
  const int* rule(const std::string& name) const {
    const auto it = rules_.find(name);
    return it == rules_.end() ? nullptr : &it->second;
  }
  const std::map<std::string, int>& rules() const { return rules_; }
  std::size_t node_count() const { return nodes_.size(); }
  std::set<std::string> texts_of(Kind kind) const {
    std::set<std::string> out;
    for (const Node& n : nodes_)
      if (n.kind == kind) out.insert(n.text);
    return out;
  }
  std::string start;

 private:
  char next() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_[0];
  }
  void take() { rest_.remove_prefix(1); }
  int made(Node n) {
    nodes_.push_back(std::move(n));
    return static_cast<int>(nodes_.size()) - 1;
  }
  int choice() {
    std::vector<int> parts{sequence()};
    while (next() == '|') take(), parts.push_back(sequence());
    return parts.size() == 1 ? parts[0] : made({Kind::Choice, "", parts});
  }
  int sequence() {
    std::vector<int> parts;
    for (char c = next(); c != '\0' && c != '|' && c != ')'; c = next()) parts.push_back(repeated());
    return made({Kind::Sequence, "", parts});
  }
  int repeated() {
    const int inside = one();
    const char c = rest_.empty() ? '\0' : rest_[0];
    if (c != '?' && c != '*' && c != '+') return inside;
    take();
    return made({c == '?' ? Kind::Optional : c == '*' ? Kind::Star : Kind::Plus, "", {inside}});
  }
  int one() {
    if (rest_[0] == '(') {
      take();
      const int inside = choice();
      if (next() != ')') throw lockstep::Bug("a grammar whose ( is not closed");
      take();
      return inside;
    }
    const bool quoted = rest_[0] == '\'';
    const std::size_t n = quoted ? rest_.find('\'', 1) : rest_.find_first_of(" \n()?*+");
    if (n == 0 || n == std::string_view::npos) throw lockstep::Bug("a grammar with " + std::string(rest_));
    const std::string text(rest_.substr(quoted, n - quoted));
    rest_.remove_prefix(n + quoted);
    return made({quoted ? Kind::Terminal : Kind::Name, text, {}});
  }

  std::string_view rest_;
  std::vector<Node> nodes_;
  std::map<std::string, int> rules_;
};

struct Word {
  std::string text;
  std::set<std::string> kinds;  // as names of the grammar: "id", "number"
};

// Whether words are a sentence: for each node and place, where it can end.
class Recogniser {
 public:
  Recogniser(const Grammar& grammar, const std::vector<Word>& words)
      : grammar_(grammar), words_(words), known_(grammar.node_count()) {}
  bool sentence() {
    const Places& all = ends(*grammar_.rule(grammar_.start), 0);
    return std::binary_search(all.begin(), all.end(), words_.size());
  }

 private:
  using Places = std::vector<std::size_t>;  // in order, each once
  static Places both(const Places& a, const Places& b) {
    Places out;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    return out;
  }
  // What the reference says of `first` and `head` in words: no |, of a `head` no ? either.
  bool has_outside_brackets(bool question, std::size_t at, std::size_t end) const {
    int depth = 0;
    for (; at < end; ++at) {
      const std::string& w = words_[at].text;
      depth += (w == "(" || w == "[" || w == "{") - (w == ")" || w == "]" || w == "}");
      if (depth == 0 && (w == "|" || (question && w == "?"))) return true;
    }
    return false;
  }
  const Places& ends(int node, std::size_t at) {
    auto& row = known_[static_cast<std::size_t>(node)];
    if (row.empty()) row.resize(words_.size() + 1);
    auto& known = row[at];
    if (!known) known = found(grammar_.node(node), at);  // no rule begins with itself
    return *known;
  }
  Places after(const Places& from, int node) {
    Places out;
    for (const std::size_t at : from) out = both(out, ends(node, at));
    return out;
  }
  Places found(const Node& n, std::size_t at) {
    Places here{at}, out;
    switch (n.kind) {
      case Kind::Terminal:
        return at < words_.size() && words_[at].text == n.text ? Places{at + 1} : out;
      case Kind::Name:
        if (n.rule >= 0) {
          out = ends(n.rule, at);
          if (n.text == "first" || n.text == "head")
            std::erase_if(out, [&](std::size_t end) { return has_outside_brackets(n.text == "head", at, end); });
          return out;
        }
        return at < words_.size() && words_[at].kinds.contains(n.text) ? Places{at + 1} : out;
      case Kind::Sequence:
        for (const int part : n.parts) here = after(here, part);
        return here;
      case Kind::Choice:
        for (const int part : n.parts) out = both(out, ends(part, at));
        return out;
      case Kind::Optional:
        return both(here, ends(n.parts[0], at));
      case Kind::Star:
      case Kind::Plus:
        for (Places last = after(here, n.parts[0]); !last.empty();) {
          const Places more = after(last, n.parts[0]);
          out = both(out, last);
          last.clear();
          std::set_difference(more.begin(), more.end(), out.begin(), out.end(), std::back_inserter(last));
        }
        return n.kind == Kind::Star ? both(here, out) : out;
    }
    throw lockstep::Bug("a node of no kind");
  }
  const Grammar& grammar_;
  const std::vector<Word>& words_;
  std::vector<std::vector<std::optional<Places>>> known_;  // of each node that was asked, place by place
};

// Sentences at random. What the reference says in words: directly inside braces a `first` has no |, a `head` neither |
// nor ? :. A `let` or `if` in the rules `prefix` and `index` is left out: it would end what stands around it.
class Sentences {
 public:
  Sentences(const Grammar& grammar, std::map<std::string, std::vector<std::string>> words, unsigned seed)
      : grammar_(grammar), words_(std::move(words)), random_(seed) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [name, node] : grammar.rules())
        if (const int d = depth(node) + 1; d < far && (!depths_.contains(name) || d < depths_[name]))
          depths_[name] = d, changed = true;
    }
    for (std::size_t k = 0; k < grammar.node_count(); ++k) settled_.push_back(depth_of(static_cast<int>(k)));
  }
  std::string next(int deepest) {
    out_.clear();
    make(*grammar_.rule(grammar_.start), deepest, "");
    return out_;
  }

 private:
  static constexpr int far = 1000;
  struct Surroundings {
    bool no_bar = false, no_question = false;
  };
  // Of the least deep of what it makes; settled once every rule's is known.
  int depth(int node) {
    const auto k = static_cast<std::size_t>(node);
    return k < settled_.size() ? settled_[k] : depth_of(node);
  }
  int depth_of(int node) {
    const Node& n = grammar_.node(node);
    int d = 0;
    switch (n.kind) {
      case Kind::Name:
        return n.rule < 0 ? 0 : depths_.contains(n.text) ? depths_[n.text] : far;
      case Kind::Choice:
        d = far;
        for (const int p : n.parts) d = std::min(d, depth(p));
        return d;
      case Kind::Sequence:
      case Kind::Plus:
        for (const int p : n.parts) d = std::max(d, depth(p));
        return d;
      case Kind::Terminal:
      case Kind::Optional:
      case Kind::Star:
        return 0;
    }
    throw lockstep::Bug("a node of no kind");
  }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  bool allowed(int node, const std::string& rule) {
    const Node& n = grammar_.node(node);
    if (n.kind == Kind::Sequence || n.kind == Kind::Plus) return n.parts.empty() || allowed(n.parts[0], rule);
    if (n.kind == Kind::Name)
      return (n.text != "let" && n.text != "conditional") || (rule != "prefix" && rule != "index");
    return n.kind != Kind::Terminal || ((n.text != "|" || !here_.no_bar) && (n.text != "?" || !here_.no_question));
  }
  void put(const std::string& text) {
    if (!out_.empty()) out_ += ' ';
    out_ += text;
  }
  void make(int node, int left, const std::string& rule) {
    const Node& n = grammar_.node(node);
    switch (n.kind) {
      case Kind::Terminal:
        if (n.text == "(" || n.text == "[" || n.text == "{") outer_.push_back(std::exchange(here_, {}));
        if ((n.text == ")" || n.text == "]" || n.text == "}") && !outer_.empty())
          here_ = outer_.back(), outer_.pop_back();
        return put(n.text);
      case Kind::Name:
        return named(n, left);
      case Kind::Sequence:
        for (const int part : n.parts) make(part, left, rule);
        return;
      case Kind::Choice: {
        std::vector<int> parts;
        for (const int p : n.parts)
          if (allowed(p, rule) && depth(p) <= std::max(left, depth(node))) parts.push_back(p);
        return make(parts.at(below(parts.size())), left, rule);
      }
      case Kind::Optional:
      case Kind::Star:
      case Kind::Plus: {
        const bool may = allowed(n.parts[0], rule) && depth(n.parts[0]) <= left;
        std::size_t times = n.kind == Kind::Plus;
        if (may && below(3) == 0) times = n.kind == Kind::Optional ? 1 : times + 1 + below(2);
        for (std::size_t k = 0; k < times; ++k) make(n.parts[0], left, rule);
        return;
      }
    }
  }
  void named(const Node& n, int left) {
    if (n.rule < 0) {
      const std::vector<std::string>& known = words_.at(n.text);
      return put(n.text == "id" ? "x" + std::to_string(++fresh_) : known.at(below(known.size())));
    }
    const Surroundings before = here_;
    if (n.text == "first" || n.text == "head") here_ = {true, n.text == "head"};
    make(n.rule, left - 1, n.text);
    here_ = before;
  }

  const Grammar& grammar_;
  std::map<std::string, std::vector<std::string>> words_;
  std::mt19937 random_;
  std::map<std::string, int> depths_;  // of rules
  std::vector<int> settled_;           // of nodes
  std::string out_;
  Surroundings here_;
  std::vector<Surroundings> outer_;
  int fresh_ = 0;
};

}  // namespace grammar_test

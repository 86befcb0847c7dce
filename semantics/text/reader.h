// What every recursive-descent reader stands on: words with lookahead, how errors are worded, nesting, recovery, and
// infix operators by their table. A language derives its reader from this one and gives it a Manner; its productions
// throw Abandoned after they have recorded a diagnostic.
#pragma once
#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <string>

#include "semantics/core/launch.h"
#include "semantics/core/ref.h"
#include "semantics/text/lexer.h"
#include "semantics/text/literal.h"
#include "semantics/text/operators.h"

namespace lockstep::reading {

inline constexpr int nesting_limit = 1000;
inline constexpr std::size_t error_limit = 20;
inline constexpr int most_small = 9999;

struct Abandoned {};

// A mistake of those who come from another language, by the word that gives it away.
struct Mistake {
  std::string_view found;
  std::string_view mend;
};
struct Refusal {
  std::string_view message, expected, mend;
};

// The words of a language, and how its errors are told.
struct Manner {
  Words words;
  Operators operators{};
  std::span<const Mistake> stray{};    // what is no word, by its beginning, before the letters that all languages know
  std::span<const Mistake> misused{};  // words that do not fit where they stand
  std::string_view no_suffix{};        // what is written instead of a number with letters after it
  std::string_view opens{};            // what begins a definition, at the start of a line: "fun"
  std::string_view also_opens{};       // another word that does: "sig"
  std::string_view opened{};           // what that is called: "definition"
  std::string_view after_name{};       // after `opens` and a name this begins one anywhere: "("
  std::string_view whole = "file";     // what ends: "the end of the file"
  bool one_line = false;               // places are columns
  std::string_view character = "character";
  Refusal too_deep = {"this is nested too deeply", "at most 1,000 levels of nesting", ""};
  int tree_limit = 10'000;  // what a tree may be high: chains of operators lean to the left, and are no nesting
  Refusal too_high = {"this is nested too deeply", "chains of at most 10,000 operators", ""};
};

// A word as messages show it: in backquotes, its beginning only where it is long.
std::string shown(std::string_view word);

// A name that comes a second time.
struct Twice {
  std::string_view before, after;  // the name, in the message: "there are two functions `f`"
  std::string_view once;           // what is expected
  std::string_view mend = "rename one of them";
};
inline constexpr Twice two_functions{"there are two functions ", "", "one function of a name"};
inline constexpr Twice two_parameters{"there are two parameters ", "", "one of a name"};
inline constexpr Twice bound_twice{"", " is bound twice here", "each name once",
                                   "rename one of them, or write `_` for what is not used"};

class Reader {
 public:
  virtual ~Reader() = default;
  Diagnostics& diagnostics() { return diagnostics_; }

 protected:
  Reader(SourceRef source, const Manner& manner);
  Reader(SourceRef source, const Manner& manner, std::size_t begin, std::size_t end);

  // ---- words
  const Token& peek(std::size_t ahead = 0) { return ahead < ahead_count_ ? ahead_[ahead] : look(ahead); }
  Token take();
  bool at(std::string_view word) { return peek().is(word); }
  bool at_kind(TokenKind kind) { return peek().kind == kind; }
  bool at_end() { return at_kind(TokenKind::End); }
  bool accept(std::string_view word);
  Token expect(std::string_view word, const std::string& mend = "");
  Token name(const std::string& what, const std::string& mend = "");
  int small_number(const std::string& what, int most = most_small);
  Launch launch();              // as show of a launch writes it; the usual one where nothing is said
  void drop_first_character();  // of the next word: `>=` after f32<4 is `>` and `=`
  // What is read again from there, for a grammar that decides late.
  Token mark() const { return previous_; }
  void back_to(const Token& mark);
  // From the next word on, as it is written; what is taken so is no word.
  std::string_view rest();
  void take_raw(std::size_t bytes);

  // ---- brackets
  void close(const Token& opener, std::string_view closer, const std::string& or_else = "");
  // What stands between them, separated by commas, the first one taken; there is at least one.
  template <class Item>
  void items(const Token& opener, std::string_view closer, Item item) {
    do item();
    while (accept(","));
    close(opener, closer, ", or `,`");
  }

  // The same, or nothing between them.
  template <class Item>
  void items_or_none(const Token& opener, std::string_view closer, Item item) {
    if (!accept(closer)) items(opener, closer, item);
  }

  // ---- infix operators
  virtual const Operator* infix_here();  // the next word's, nullptr where it is none here
  int level_here();                      // its level, or 0
  // first (operator operand)*, by the table; operators looser than `least` are left. A stack, not a recursion by level:
  // ten frames a parenthesis would be too many. `combine` gets the operator, the left operand and the right.
  template <class Operand, class Next, class Combine>
  Operand infix(Operand first, Next operand, Combine combine, int least = 1);
  std::vector<Token> signs(std::initializer_list<std::string_view> prefixes);  // as many as stand here

  // ---- nesting
  // Counts levels for as long as it lives.
  class Deeper {
   public:
    explicit Deeper(Reader& reader, int levels = 1);
    ~Deeper() { reader_.depth_ -= levels_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Reader& reader_;
    int levels_;
  };
  [[noreturn]] void too_deep() { refuse(manner_.too_deep); }
  [[noreturn]] void too_high() { refuse(manner_.too_high); }

  // ---- errors
  Region region(std::uint32_t begin, std::uint32_t end) const { return {source_, begin, end}; }
  Region region(const Token& t) const { return region(t.begin, t.end); }
  std::string where(std::uint32_t offset) const;  // "line:column", or "column 3"
  // Stops at the error_limit only.
  void report(Region at, std::string message, std::string expected, std::string mend);
  [[noreturn]] void fail(Region at, std::string message, std::string expected = "", std::string mend = "");
  [[noreturn]] void unexpected(const std::string& expected, const std::string& mend = "");
  // "the name `x`", "`=`", "the end of the file".
  std::string describe(const Token& token) const;
  // What is said to be found, and where it ends.
  struct Found {
    std::string message;
    std::uint32_t end;
  };
  virtual Found found(const Token& token);
  // What the language knows of the place that its tables do not say; "" where that is nothing.
  virtual std::string mend_here() { return ""; }

  // Names of which none comes twice: a second one is reported.
  class EachOnce {
   public:
    EachOnce(Reader& reader, const Twice& twice) : reader_(reader), twice_(twice) {}
    void add(std::string_view name, const Region& at);

   private:
    Reader& reader_;
    const Twice twice_;
    std::map<std::string, std::uint32_t, std::less<>> begins_;
  };

  // Whether an operand ends before the next word: a name, number or bracket; and whether one is the next word.
  bool after_operand() const;
  bool at_operand();

  // ---- literals
  std::string unquoted(const Token& quoted);  // each wrong escape is reported
  unsigned char character(const Token& quoted);

  // ---- definitions
  bool at_definition();
  [[noreturn]] void no_definition(const std::string& form);  // expected: "a definition, `fun name … = …`"
  // One after another to the end of the file, with recovery at the next definition. `definition` takes a word or fails.
  template <class Definition>
  void definitions(Definition definition);
  void recover();

  SourceRef source_;
  const Manner& manner_;
  Token previous_;
  int depth_ = 0;
  Diagnostics diagnostics_;

 private:
  [[noreturn]] void chained(const Token& first);
  [[noreturn]] void refuse(const Refusal& refusal);
  std::string mend_for_stray(std::string_view text, bool name_wanted) const;
  std::string usual_mend();

  Lexer lexer_;
  const Token& look(std::size_t ahead);

  std::array<Token, 4> ahead_;
  std::size_t ahead_count_ = 0;
};

template <class Operand, class Next, class Combine>
Operand Reader::infix(Operand first, Next operand, Combine combine, int least) {
  if (level_here() < least) return first;
  struct Pending {
    Token symbol;
    Operator op;
  };
  std::vector<Operand> operands;
  std::vector<Pending> operators;
  operands.push_back(std::move(first));
  const auto reduce = [&](const Operator& next) {
    for (; !operators.empty() && operators.back().op.level >= next.level; operators.pop_back()) {
      const bool same = operators.back().op.level == next.level;
      if (same && next.chain == Chain::Right) return;
      if (same && next.chain == Chain::None) chained(operators.back().symbol);
      Operand right = std::move(operands.back());
      operands.pop_back();
      operands.back() = combine(operators.back().symbol, std::move(operands.back()), std::move(right));
    }
  };
  while (const Operator* next = infix_here()) {
    if (next->level < least) break;
    reduce(*next);
    operators.push_back({peek(), *next});
    take();
    operands.push_back(operand());
  }
  reduce({"", 0});
  return std::move(operands.back());
}

template <class Definition>
void Reader::definitions(Definition definition) {
  while (!at_end() && diagnostics_.size() < error_limit) {
    try {
      definition();
    } catch (const Abandoned&) {
      recover();
    }
  }
}

// A tree and its height, kept while it grows, so that none is ever too deep to be walked or destroyed.
template <class Tree>
struct Built {
  Tree tree;
  int height;
};

// A reader of trees that are aggregates of a node and a region.
template <class Tree>
class TreeReader : public Reader {
 protected:
  using Reader::Reader;

  template <class Node>
  Built<Tree> built(Node node, std::uint32_t begin, std::uint32_t end, int height) {
    if (height > manner_.tree_limit) too_high();
    return {Tree{std::move(node), region(begin, end)}, height};
  }
  // A node whose fields are these trees.
  template <class Node, class... More>
  Built<Tree> over(std::uint32_t begin, std::uint32_t end, Built<Tree> first, More... more) {
    const int height = 1 + std::max({first.height, more.height...});
    return built(Node{std::move(first.tree), std::move(more.tree)...}, begin, end, height);
  }
  // The same, from where the first begins to where the last ends.
  template <class Node>
  Built<Tree> over(Built<Tree> first, Built<Tree> last) {
    const std::uint32_t begin = first.tree.region.begin, end = last.tree.region.end;
    return over<Node>(begin, end, std::move(first), std::move(last));
  }
  // What stands after commas, each behind one.
  template <class Expression>
  void after_commas(std::vector<Built<Tree>>& found, const char* closer, Expression expression) {
    while (accept(",")) {
      if (at(closer)) unexpected("an expression", "delete the comma before it");
      found.push_back(expression());
    }
  }
  static std::vector<Ref<Tree>> refs(std::vector<Built<Tree>> found) {
    std::vector<Ref<Tree>> result;
    result.reserve(found.size());
    for (Built<Tree>& e : found) result.emplace_back(std::move(e.tree));
    return result;
  }
  static int highest(const std::vector<Built<Tree>>& found) {
    int height = 0;
    for (const Built<Tree>& e : found) height = std::max(height, e.height);
    return height;
  }
  // 'if' expr 'then' expr 'else' expr; the mend is for one without an else.
  template <class Node, class Expression>
  Built<Tree> conditional(Expression expression, const char* no_else) {
    const Deeper deeper(*this);
    const Token start = take();
    Built<Tree> condition = expression();
    if (!at("then")) unexpected("`then`, for the `if` at " + where(start.begin));
    take();
    Built<Tree> yes = expression();
    if (!at("else")) unexpected("`else`, for the `if` at " + where(start.begin), at("=") ? "" : no_else);
    take();
    Built<Tree> no = expression();
    const std::uint32_t end = no.tree.region.end;
    return over<Node>(start.begin, end, std::move(condition), std::move(yes), std::move(no));
  }
};

// One production of a reader over all of its source: what it gives, where nothing was wrong.
template <class Production>
auto read_whole(Reader& reader, Production production) -> Checked<decltype(production())> {
  try {
    auto result = production();
    if (reader.diagnostics().empty()) return result;
  } catch (const Abandoned&) {
  }
  return tl::make_unexpected(std::move(reader.diagnostics()));
}

}  // namespace lockstep::reading

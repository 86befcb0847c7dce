// Strategy files to trees: one function a production of strategy.h.
#include <algorithm>

#include "semantics/text/reader.h"
#include "translate/rewriting/strategy.h"

namespace lockstep::rewriting {
namespace {

using reading::Token, reading::TokenKind;

constexpr std::size_t size_limit = 65536;
constexpr std::string_view keywords = "def try repeat topDown bottomUp all one at id fail assume";
constexpr std::string_view symbols = "( ) { } ; <+ .";
constexpr reading::Manner manner{.words = {.keywords = keywords, .symbols = symbols, .comment = "--"},
                                 .whole = "strategy",
                                 .too_deep = {"the strategy is nested deeper than 1,000", "less", ""}};

class StrategyParser : public reading::Reader {
 public:
  StrategyParser(SourceRef source, const RuleList& rules) : Reader(std::move(source), manner), rules_(rules) {}

  StrategyRef file() {
    if (source_->text.size() > size_limit) fail(region(0, 0), "a strategy of more than 64 KiB", "a shorter one");
    while (at("def")) definition();
    StrategyRef out = sequence();
    if (!at_end()) unexpected("`;`, `<+`, or the end of the strategy");
    return out;
  }

 private:
  // As far as a blank or a bracket.
  Found found(const Token& token) override {
    if (token.kind == TokenKind::End) return Reader::found(token);
    const std::string_view text = rest();
    const std::size_t n = std::max(std::min(text.find_first_of(" \t\n\r(){};"), text.size()), token.text.size());
    return {"found " + reading::shown(text.substr(0, n)), token.begin + static_cast<std::uint32_t>(n)};
  }
  // Of what is read as it stands: up to and with the bracket that closes its first, 0 where none does.
  std::size_t nested_length(std::string_view text) {
    int depth = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
      if (text[k] == '(' && ++depth > reading::nesting_limit) too_deep();
      if (text[k] == ')' && --depth == 0) return k + 1;
    }
    return 0;
  }
  std::string raw(std::size_t length) {
    if (length == 0) return "";
    std::string out(rest().substr(0, length));
    take_raw(length);
    return out;
  }

  void definition() {
    take();
    const Token token = name("the name of a strategy");
    const std::string name(token.text);
    if (defined_.contains(name) || rule(name))
      fail(region(token), "the name " + name + " stands for something already", "another name");
    expect("{");
    const StrategyRef inside = sequence();
    expect("}");
    defined_.emplace(name, inside);
  }

  StrategyRef sequence() {
    const Deeper deeper(*this);
    const std::uint32_t begin = peek().begin;
    std::vector<StrategyRef> parts{choice()};
    while (accept(";")) {
      if (at_end() || at(")") || at("}")) break;
      parts.push_back(choice());
    }
    return parts.size() == 1 ? parts.front() : StrategyRef(Strategy{Sequence{std::move(parts)}, since(begin)});
  }
  Region since(std::uint32_t begin) const { return region(begin, previous_.end); }

  StrategyRef choice() {
    const std::uint32_t begin = peek().begin;
    std::vector<StrategyRef> parts{prefix()};
    while (accept("<+")) parts.push_back(prefix());
    return parts.size() == 1 ? parts.front() : StrategyRef(Strategy{Choice{std::move(parts)}, since(begin)});
  }

  StrategyRef prefix() {
    static const std::pair<std::string_view, Combinator> combinators[] = {
        {"try", Combinator::Try},           {"repeat", Combinator::Repeat}, {"topDown", Combinator::TopDown},
        {"bottomUp", Combinator::BottomUp}, {"all", Combinator::All},       {"one", Combinator::One}};
    const Deeper deeper(*this);
    const std::uint32_t begin = peek().begin;
    for (const auto& [name, combinator] : combinators)
      if (accept(name)) {
        const StrategyRef inside = prefix();
        return Strategy{Combined{combinator, inside}, since(begin)};
      }
    return accept("at") ? place(begin) : atom();
  }

  StrategyRef place(std::uint32_t begin) {
    if (at_kind(TokenKind::Name)) {
      const std::string name(take().text);
      const StrategyRef inside = prefix();
      return Strategy{At{{}, name, inside}, since(begin)};
    }
    Place path;
    if (!accept(".")) {
      if (!at_kind(TokenKind::Number)) unexpected("a path, such as 2.0, or the name of a primitive");
      path.push_back(child());
      while (rest().starts_with('.') && peek().joined && rest().size() > 1 && reading::is_digit(rest()[1])) {
        take_raw(1);
        path.push_back(child());
      }
    }
    const StrategyRef inside = prefix();
    return Strategy{At{path, "", inside}, since(begin)};
  }
  std::size_t child() {
    const std::size_t n = reading::digits_length(rest());
    if (n > 4) fail(region(peek()), "there is no child " + std::string(rest().substr(0, n)), "a small number");
    return std::stoul(raw(n));
  }

  StrategyRef atom() {
    const std::uint32_t begin = peek().begin;
    if (accept("(")) {
      const StrategyRef inside = sequence();
      expect(")");
      return inside;
    }
    if (at("def")) fail(region(peek()), "a definition stands here", "definitions before everything else");
    if (!at_kind(TokenKind::Name) && !at_kind(TokenKind::Keyword))
      unexpected("a strategy: a rule, a combinator, or one in parentheses");
    const Region at = region(take());
    const std::string name(previous_.text);
    if (name == "id") return Strategy{Identity{}, at};
    if (name == "fail") return Strategy{Fail{}, at};
    if (const auto d = defined_.find(name); d != defined_.end()) return d->second;
    const Rule* r = rule(name);
    if (!r) unknown(at, name);
    std::vector<std::string> arguments;
    if (name == "assume") {
      if (std::string f = fact(); !f.empty()) arguments.push_back(std::move(f));
    } else {
      for (std::string a = argument(); !a.empty(); a = argument()) arguments.push_back(a);
    }
    if (arguments.size() != r->parameters.size())
      fail(since(begin),
           name + " takes " + std::to_string(r->parameters.size()) +
               (r->parameters.size() == 1 ? " argument, " : " arguments, ") + std::to_string(arguments.size()) +
               " given",
           r->parameters.empty()                      ? "none"
           : r->parameters[0] == ParameterKind::Size  ? "a size, such as 64 or (n/4)"
           : r->parameters[0] == ParameterKind::Level ? "a level: seq, par, global, workgroup, local or unroll"
           : r->parameters[0] == ParameterKind::Place ? "a place below: (2.0), or the name of a primitive"
                                                      : "a fact, such as n % 64 == 0");
    return Strategy{RuleCall{name, std::move(arguments)}, since(begin)};
  }

  std::string argument() {
    if (at_kind(TokenKind::Number)) return raw(reading::digits_length(rest()));
    if (at("(")) return raw(nested_length(rest()));
    return at_kind(TokenKind::Name) ? std::string(take().text) : "";
  }

  // As it stands, to the end of its line, a `;` or a bracket that is not its own; a comment is none of it.
  std::string fact() {
    const std::string_view text = rest();
    std::size_t n = 0;
    for (std::size_t step = 1; n < text.size() && step > 0; n += step) {
      step = text[n] == '(' ? nested_length(text.substr(n))
                            : std::string_view(";){}\n").find(text[n]) == std::string_view::npos;
    }
    std::string fact = raw(n);
    fact.resize(std::min(fact.find("--"), fact.size()));
    fact.resize(fact.find_last_not_of(" \r\t") + 1);
    return fact;
  }

  const Rule* rule(const std::string& name) const {
    const auto it = std::find_if(rules_.begin(), rules_.end(), [&](const Rule& r) { return r.name == name; });
    return it == rules_.end() ? nullptr : &*it;
  }
  [[noreturn]] void unknown(const Region& at, const std::string& name) {
    std::vector<std::string> names;
    for (const Rule& r : rules_) names.push_back(r.name);
    for (const auto& [n, s] : defined_) names.push_back(n);
    fail(at, "there is no rule or strategy " + name, "a rule, or a strategy defined above",
         did_you_mean(name, names, "'lockstep derive --rules' lists them"));
  }

  const RuleList& rules_;
  std::map<std::string, StrategyRef> defined_;
};

}  // namespace

Checked<StrategyRef> parse_strategy(const SourceRef& source, const RuleList& rules) {
  StrategyParser parser(source, rules);
  return reading::read_whole(parser, [&] { return parser.file(); });
}

std::string show(const Place& path) {
  std::string out;
  for (const std::size_t k : path) out += (out.empty() ? "" : ".") + std::to_string(k);
  return out.empty() ? "." : out;
}

}  // namespace lockstep::rewriting

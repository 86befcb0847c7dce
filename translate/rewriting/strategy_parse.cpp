// Strategy files to trees: PEGTL for the words, one function a production of strategy.h for what they form.
#include <algorithm>
#include <tao/pegtl.hpp>

#include "translate/rewriting/strategy.h"

namespace lockstep::rewriting {
namespace {

namespace peg = tao::pegtl;
using Input = peg::memory_input<peg::tracking_mode::lazy, peg::eol::lf_crlf, const char*>;

struct Comment : peg::seq<peg::string<'-', '-'>, peg::star<peg::not_one<'\n'>>> {};
struct Blank : peg::star<peg::sor<peg::one<' ', '\t', '\n', '\r', '\f'>, Comment>> {};
struct Start : peg::ranges<'a', 'z', 'A', 'Z', '_'> {};
struct Name : peg::seq<Start, peg::star<peg::sor<Start, peg::digit, peg::one<'\''>>>> {};
struct Number : peg::plus<peg::digit> {};
struct Numbers : peg::sor<peg::list<Number, peg::one<'.'>>, peg::one<'.'>> {};
struct Nested;
struct Inside : peg::star<peg::sor<Nested, peg::not_one<'(', ')'>>> {};
struct Nested : peg::seq<peg::one<'('>, Inside, peg::one<')'>> {};
struct Fact : peg::plus<peg::sor<Nested, peg::not_one<';', '(', ')', '{', '}', '\n'>>> {};
struct Stray : peg::plus<peg::not_one<' ', '\t', '\n', '\r', '(', ')', '{', '}', ';'>> {};

constexpr std::size_t size_limit = 65536, nesting_limit = 1000;
struct Abandoned {};

bool is_keyword(std::string_view w) {
  static constexpr std::string_view words[] = {"def", "try", "repeat", "topDown", "bottomUp", "all",
                                               "one", "at",  "id",     "fail",    "assume"};
  return std::find(std::begin(words), std::end(words), w) != std::end(words);
}

class StrategyParser {
 public:
  StrategyParser(SourceRef source, const RuleList& rules) : source_(std::move(source)), rules_(rules) {}

  StrategyRef file() {
    if (text().size() > size_limit) fail(region(0, 0), "a strategy of more than 64 KiB", "a shorter one");
    refuse_deep();
    skip<Blank>();
    while (at_word("def")) definition();
    StrategyRef out = sequence();
    if (at_ < text().size()) fail("found " + found(), "`;`, `<+`, or the end of the strategy");
    return out;
  }
  Diagnostics diagnostics;

 private:
  const std::string& text() const { return source_->text; }

  // Before anything recurses.
  void refuse_deep() {
    std::size_t depth = 0;
    for (std::size_t k = 0; k < text().size(); ++k) {
      const char c = text()[k];
      if (c == '-' && text().compare(k, 2, "--") == 0) k = std::min(text().find('\n', k), text().size() - 1);
      if (c == '(' || c == '{') ++depth;
      if ((c == ')' || c == '}') && depth > 0) --depth;
      if (depth > nesting_limit) fail(region(k, k + 1), "the strategy is nested deeper than 1,000", "less");
    }
  }

  // How many bytes `R` takes here.
  template <class R>
  std::size_t length() const {
    Input input(text().data() + at_, text().data() + text().size(), "");
    return peg::parse<R>(input) ? static_cast<std::size_t>(input.current() - (text().data() + at_)) : 0;
  }
  template <class R>
  std::string skip() {
    const std::size_t n = length<R>();
    std::string out = text().substr(at_, n);
    at_ += n;
    return out;
  }
  template <class R>
  std::string word() {  // and the blanks after it
    std::string out = skip<R>();
    end_ = at_;
    skip<Blank>();
    return out;
  }
  bool at_word(std::string_view w) const { return length<Name>() == w.size() && text().compare(at_, w.size(), w) == 0; }
  bool accept(std::string_view symbol) {
    if (text().compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    end_ = at_;
    skip<Blank>();
    return true;
  }
  std::string found() const {
    if (at_ >= text().size()) return "the end of the file";
    const std::size_t n = std::max({length<Name>(), length<Stray>(), std::size_t{1}});
    return "`" + text().substr(at_, n) + "`";
  }
  Region here() const {
    return region(at_, std::min(text().size(), at_ + std::max({length<Name>(), length<Stray>(), std::size_t{1}})));
  }
  Region region(std::size_t begin, std::size_t end) const {
    return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  [[noreturn]] void fail(std::string message, std::string expected, std::string mend = {}) {
    fail(here(), std::move(message), std::move(expected), std::move(mend));
  }
  [[noreturn]] void fail(Region r, std::string message, std::string expected, std::string mend = {}) {
    diagnostics.push_back({std::move(r), std::move(message), std::move(expected), std::move(mend)});
    throw Abandoned{};
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail("found " + found(), "`" + std::string(symbol) + "`");
  }

  void definition() {
    word<Name>();
    const Region at = here();
    const std::string name = word<Name>();
    if (name.empty() || is_keyword(name))
      fail(at, "found " + (name.empty() ? found() : "`" + name + "`"), "the name of a strategy");
    if (defined_.contains(name) || rule(name))
      fail(at, "the name " + name + " stands for something already", "another name");
    expect("{");
    const StrategyRef inside = sequence();
    expect("}");
    defined_.emplace(name, inside);
  }

  StrategyRef sequence() {
    const std::size_t begin = at_;
    if (++depth_ > nesting_limit) fail("the strategy is nested deeper than 1,000", "less");
    std::vector<StrategyRef> parts{choice()};
    while (accept(";")) {
      if (at_ >= text().size() || text()[at_] == ')' || text()[at_] == '}') break;
      parts.push_back(choice());
    }
    --depth_;
    return parts.size() == 1 ? parts.front() : StrategyRef(Strategy{Sequence{std::move(parts)}, region(begin, end_)});
  }

  StrategyRef choice() {
    const std::size_t begin = at_;
    std::vector<StrategyRef> parts{prefix()};
    while (accept("<+")) parts.push_back(prefix());
    return parts.size() == 1 ? parts.front() : StrategyRef(Strategy{Choice{std::move(parts)}, region(begin, end_)});
  }

  StrategyRef prefix() {
    static const std::pair<std::string_view, Combinator> combinators[] = {
        {"try", Combinator::Try},           {"repeat", Combinator::Repeat}, {"topDown", Combinator::TopDown},
        {"bottomUp", Combinator::BottomUp}, {"all", Combinator::All},       {"one", Combinator::One}};
    const std::size_t begin = at_;
    if (++depth_ > nesting_limit) fail("the strategy is nested deeper than 1,000", "less");
    std::optional<StrategyRef> out;
    for (const auto& [name, combinator] : combinators)
      if (!out && at_word(name)) {
        word<Name>();
        const StrategyRef inside = prefix();
        out = Strategy{Combined{combinator, inside}, region(begin, end_)};
      }
    if (!out && at_word("at")) {
      word<Name>();
      out = place(begin);
    }
    if (!out) out = atom();
    --depth_;
    return *out;
  }

  StrategyRef place(std::size_t begin) {
    const Region at = here();
    if (const std::string name = length<Name>() ? word<Name>() : ""; !name.empty()) {
      if (is_keyword(name)) fail(at, "found `" + name + "`", "a path, such as 2.0, or the name of a primitive");
      return Strategy{At{{}, name, prefix()}, region(begin, end_)};
    }
    const std::string numbers = word<Numbers>();
    if (numbers.empty()) fail("found " + found(), "a path, such as 2.0, or the name of a primitive");
    Place path;
    for (std::size_t k = 0; k < numbers.size() && numbers != ".";) {
      const std::size_t dot = std::min(numbers.find('.', k), numbers.size());
      if (dot - k > 4) fail(at, "there is no child " + numbers.substr(k, dot - k), "a small number");
      path.push_back(std::stoul(numbers.substr(k, dot - k)));
      k = dot + 1;
    }
    return Strategy{At{path, "", prefix()}, region(begin, end_)};
  }

  StrategyRef atom() {
    const std::size_t begin = at_;
    if (accept("(")) {
      const StrategyRef inside = sequence();
      expect(")");
      return inside;
    }
    const Region at = here();
    const std::string name = length<Name>() ? word<Name>() : "";
    if (name.empty()) fail("found " + found(), "a strategy: a rule, a combinator, or one in parentheses");
    if (name == "id") return Strategy{Identity{}, at};
    if (name == "fail") return Strategy{Fail{}, at};
    if (name == "def") fail(at, "a definition stands here", "definitions before everything else");
    if (const auto d = defined_.find(name); d != defined_.end()) return d->second;
    const Rule* r = rule(name);
    if (!r) unknown(at, name);
    std::vector<std::string> arguments;
    if (name == "assume") {
      std::string fact = word<Fact>();
      while (!fact.empty() && (fact.back() == ' ' || fact.back() == '\r' || fact.back() == '\t')) fact.pop_back();
      if (const std::size_t comment = fact.find("--"); comment != std::string::npos) fact.resize(comment);
      if (!fact.empty()) arguments.push_back(fact);
    } else {
      for (std::string a = argument(); !a.empty(); a = argument()) arguments.push_back(a);
    }
    if (arguments.size() != r->parameters.size())
      fail(region(begin, end_),
           name + " takes " + std::to_string(r->parameters.size()) +
               (r->parameters.size() == 1 ? " argument, " : " arguments, ") + std::to_string(arguments.size()) +
               " given",
           r->parameters.empty()                      ? "none"
           : r->parameters[0] == ParameterKind::Size  ? "a size, such as 64 or (n/4)"
           : r->parameters[0] == ParameterKind::Level ? "a level: seq, par, global, workgroup, local or unroll"
                                                      : "a fact, such as n % 64 == 0");
    return Strategy{RuleCall{name, std::move(arguments)}, region(begin, end_)};
  }

  std::string argument() {
    if (length<Number>()) return word<Number>();
    if (length<Nested>()) return word<Nested>();
    const std::size_t n = length<Name>();
    if (n == 0 || is_keyword(text().substr(at_, n))) return "";
    return word<Name>();
  }

  const Rule* rule(const std::string& name) const {
    const auto it = std::find_if(rules_.begin(), rules_.end(), [&](const Rule& r) { return r.name == name; });
    return it == rules_.end() ? nullptr : &*it;
  }
  [[noreturn]] void unknown(const Region& at, const std::string& name) {
    std::vector<std::string> names;
    for (const Rule& r : rules_) names.push_back(r.name);
    for (const auto& [n, s] : defined_) names.push_back(n);
    const std::string near = nearest_name(name, names);
    fail(at, "there is no rule or strategy " + name, "a rule, or a strategy defined above",
         near.empty() ? "'lockstep derive --rules' lists them" : "did you mean " + near + "?");
  }

  SourceRef source_;
  const RuleList& rules_;
  std::size_t at_ = 0, end_ = 0, depth_ = 0;
  std::map<std::string, StrategyRef> defined_;
};

}  // namespace

Checked<StrategyRef> parse_strategy(const SourceRef& source, const RuleList& rules) {
  StrategyParser parser(source, rules);
  try {
    return parser.file();
  } catch (const Abandoned&) {
    return tl::unexpected(std::move(parser.diagnostics));
  }
}

bool operator==(const Strategy& a, const Strategy& b) {
  if (a.node.index() != b.node.index()) return false;
  return std::visit(Cases{
                        [&](const RuleCall& x) {
                          const auto& y = std::get<RuleCall>(b.node);
                          return x.rule == y.rule && x.arguments == y.arguments;
                        },
                        [&](const Sequence& x) { return x.parts == std::get<Sequence>(b.node).parts; },
                        [&](const Choice& x) { return x.parts == std::get<Choice>(b.node).parts; },
                        [&](const Combined& x) {
                          const auto& y = std::get<Combined>(b.node);
                          return x.combinator == y.combinator && x.inside == y.inside;
                        },
                        [&](const At& x) {
                          const auto& y = std::get<At>(b.node);
                          return x.path == y.path && x.name == y.name && x.inside == y.inside;
                        },
                        [](const Identity&) { return true; },
                        [](const Fail&) { return true; },
                    },
                    a.node);
}

std::string show(const Place& path) {
  std::string out;
  for (const std::size_t k : path) out += (out.empty() ? "" : ".") + std::to_string(k);
  return out.empty() ? "." : out;
}

}  // namespace lockstep::rewriting

// Tokens, then each kind of edit (places.h). In: C++; out: edits.
#include "tests/mutate/places.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

#include "tests/mutate/tokens.h"

namespace lockstep::mutate {
namespace {

class Finder {
 public:
  explicit Finder(const std::string& s) : s_(s) { mark_code(); }

  std::vector<Edit> all() && {
    for (std::size_t k = 0; k < s_.size(); ++k) {
      if (!code_[k]) continue;
      condition(k);
      comparison(k);
      one_less(k);
      statement(k);
      arguments(k);
      operands(k);
    }
    return std::move(edits_);
  }

 private:
  std::string_view text(std::size_t k) const { return s_.text(k); }
  bool is_name(std::size_t k) const { return s_.is_name(k); }
  std::string between(std::size_t begin, std::size_t end) const { return s_.between(begin, end); }
  // clang-format sets operators with two operands between blanks, and nothing else so.
  bool is_apart(std::size_t k) const {
    const auto blank = [&](std::size_t at) {
      return at < s_.all().size() && std::isspace(static_cast<unsigned char>(s_.all()[at]));
    };
    return s_.at(k).begin > 0 && blank(s_.at(k).begin - 1) && blank(s_.at(k).end);
  }
  void edit(Kind kind, std::size_t begin, std::size_t end, std::string now) {
    edits_.push_back({kind, begin, end, std::move(now)});
  }
  void mark_code() {
    code_.assign(s_.size(), false);
    for (const auto& [open, close] : s_.brackets())
      if (s_.opens_block(open))
        for (std::size_t k = open + 1; k < close; ++k) code_[k] = true;
  }
  // The places between an opening bracket and its end at which the sign stands, outside of brackets within.
  std::vector<std::size_t> at_top(std::size_t open, std::string_view sign) const {
    std::vector<std::size_t> found;
    for (std::size_t k = open + 1; k < *s_.close(open); ++k) {
      if (text(k) == sign) found.push_back(k);
      if (const auto inner = s_.close(k)) k = *inner;
    }
    return found;
  }

  // if (CONDITION): if (!(CONDITION)); of `if (declaration; CONDITION)` the last part.
  void condition(std::size_t k) {
    if ((text(k) != "if" && text(k) != "while") || text(k + 1) != "(" || !s_.close(k + 1)) return;
    const auto ends = at_top(k + 1, ";");
    const std::size_t first = ends.empty() ? k + 2 : ends.back() + 1, last = *s_.close(k + 1);
    for (const std::size_t assigned : at_top(k + 1, "="))
      if (assigned >= first) return;  // a declaration that is tested
    const std::size_t begin = s_.at(first).begin, end = s_.at(last).begin;
    edit(Kind::Negated, begin, end, "!(" + between(begin, end) + ")");
  }
  void comparison(std::size_t k) {
    static const std::map<std::string_view, std::pair<Kind, std::string>> others{
        {"==", {Kind::Negated, "!="}}, {"!=", {Kind::Negated, "=="}}, {"&&", {Kind::Negated, "||"}},
        {"||", {Kind::Negated, "&&"}}, {"<", {Kind::Shifted, "<="}},  {"<=", {Kind::Shifted, "<"}},
        {">", {Kind::Shifted, ">="}},  {">=", {Kind::Shifted, ">"}}};
    const auto found = others.find(text(k));
    if (found == others.end() || !is_apart(k)) return;
    edit(found->second.first, s_.at(k).begin, s_.at(k).end, found->second.second);
  }
  // n + 1: n + 0
  void one_less(std::size_t k) {
    if ((text(k) == "+" || text(k) == "-") && is_apart(k) && text(k + 1) == "1")
      edit(Kind::Shifted, s_.at(k + 1).begin, s_.at(k + 1).end, "0");
  }
  // A call, an assignment or a step.
  void statement(std::size_t k) {
    static const std::set<std::string_view> before{"{", "}", ";", ")", "else"};
    static const std::set<std::string_view> after{
        ".", "->", "(", "[", "=", "+=", "-=", "*=", "/=", "|=", "&=", "++", "--"};
    if (k == 0 || !before.contains(text(k - 1))) return;
    std::size_t head = k;
    const bool step = text(k) == "++" || text(k) == "--";
    while (!step && is_name(head) && text(head + 1) == "::") head += 2;
    if (!step && (!is_name(head) || !after.contains(text(head + 1)))) return;
    for (std::size_t end = k; end < s_.size(); ++end) {
      if (text(end) == "}" || text(end) == ")" || text(end) == "]") return;
      if (text(end) == ";") return edit(Kind::Dropped, s_.at(k).begin, s_.at(end).end, "{}");
      if (const auto inner = s_.close(end)) end = *inner;
    }
  }
  // f(a, b, ...): f(b, a, ...)
  void arguments(std::size_t k) {
    if (!is_name(k) || text(k + 1) != "(" || s_.at(k + 1).begin != s_.at(k).end || !s_.close(k + 1)) return;
    const auto commas = at_top(k + 1, ",");
    if (commas.empty()) return;
    const std::size_t end = commas.size() > 1 ? commas[1] : *s_.close(k + 1);
    const std::string a = between(s_.at(k + 2).begin, s_.at(commas[0]).begin);
    const std::string b = between(s_.at(commas[0] + 1).begin, s_.at(end).begin);
    if (a != b) edit(Kind::Exchanged, s_.at(k + 2).begin, s_.at(end).begin, b + ", " + a);
  }
  // a - b: b - a, of names and numbers
  void operands(std::size_t k) {
    static const std::set<std::string_view> signs{"-", "/", "%", "<<", "<", "<=", ">", ">="};
    static const std::set<std::string_view> part_of{".", "->", "::", "*", "/", "%", "[", "("};
    if (!signs.contains(text(k)) || !is_apart(k) || k < 2) return;
    const auto simple = [&](std::size_t at) { return is_name(at) || s_.is(at, Token::Number); };
    if (!simple(k - 1) || !simple(k + 1) || part_of.contains(text(k + 2))) return;
    if (text(k - 2) != "(" && part_of.contains(text(k - 2))) return;
    const std::string a(text(k - 1)), b(text(k + 1));
    if (a != b) edit(Kind::Exchanged, s_.at(k - 1).begin, s_.at(k + 1).end, b + " " + std::string(text(k)) + " " + a);
  }

  Source s_;
  std::vector<bool> code_;
  std::vector<Edit> edits_;
};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::Negated:
      return "negated";
    case Kind::Shifted:
      return "shifted";
    case Kind::Dropped:
      return "dropped";
    case Kind::Exchanged:
      return "exchanged";
    case Kind::Changed:
      return "changed";
  }
  throw std::logic_error("a kind without a name");
}

std::vector<Edit> edits_of(const std::string& source) {
  std::vector<Edit> all = Finder(source).all();
  std::stable_sort(all.begin(), all.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  return all;
}

}  // namespace lockstep::mutate

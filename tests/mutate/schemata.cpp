// In: edits; out: a text with all of them (schemata.h).
#include "tests/mutate/schemata.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace lockstep::mutate {
namespace {

bool is_end_of_head(const Source& s, std::size_t closing) {  // if (...) while (...)
  static const std::set<std::string_view> heads{"if", "while", "for", "switch", "constexpr", "catch"};
  const auto open = s.text(closing) == ")" ? s.open(closing) : std::nullopt;
  return open && *open > 0 && heads.contains(s.text(*open - 1));
}
bool is_end_of_block(const Source& s, std::size_t closing) {
  static const std::set<std::string_view> before{")",        "]",    "{",  "}",   ";",       "const",
                                                 "noexcept", "else", "do", "try", "mutable", "override"};
  const auto open = s.text(closing) == "}" ? s.open(closing) : std::nullopt;
  return open && *open > 0 && before.contains(s.text(*open - 1));
}
bool is_bracket(std::string_view t, std::string_view which) {
  return t.size() == 1 && which.find(t[0]) != std::string_view::npos;
}

// Between two of these an expression stands whole.
bool ends_expression(std::string_view t) {
  static const std::set<std::string_view> signs{
      ",", ";", "=", "?", ":", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=", ">>=", "^="};
  return signs.contains(t);
}
bool begins_expression(std::string_view t) {
  static const std::set<std::string_view> words{"return", "throw", "co_return", "else", "do", "case"};
  return ends_expression(t) || words.contains(t);
}

std::size_t first_of_expression(const Source& s, std::size_t first) {
  while (first > 0) {
    const std::size_t k = first - 1;
    if (begins_expression(s.text(k)) || is_bracket(s.text(k), "([{")) break;
    if (is_bracket(s.text(k), ")]}") && (is_end_of_head(s, k) || is_end_of_block(s, k))) break;
    first = is_bracket(s.text(k), ")]}") ? s.open(k).value_or(k) : k;
  }
  return first;
}
std::size_t end_of_expression(const Source& s, std::size_t end) {
  while (end < s.size() && !ends_expression(s.text(end)) && !is_bracket(s.text(end), ")]}"))
    end = s.close(end).value_or(end) + 1;
  return end;
}

// Of several arguments the call.
bool has_comma(const Source& s, std::size_t first, std::size_t end) {
  for (std::size_t k = first; k < end; k = s.close(k).value_or(k) + 1)
    if (s.text(k) == ",") return true;
  return false;
}

// A head in which a value is computed when it is compiled: static_assert(...), constexpr x = ..., case ...
bool is_constant(const Source& s, std::size_t first) {
  static const std::set<std::string_view> words{"static_assert", "constexpr", "case", "consteval", "constinit"};
  for (std::size_t k = first + 1; k > 0 && !is_bracket(s.text(k - 1), "{};:?"); --k)
    if (words.contains(s.text(k - 1))) return true;
  return false;
}

// The tokens on one line; none where a directive or a text of several lines is among them.
std::optional<std::string> on_one_line(const std::string& text) {
  const Source s(text);
  std::string out;
  for (std::size_t k = 0; k < s.size(); ++k) {
    if (k > 0 && s.at(k).begin != s.at(k - 1).end) {
      if (s.between(s.at(k - 1).end, s.at(k).begin).find("\n#") != std::string::npos) return std::nullopt;
      out += ' ';
    }
    if (s.text(k).find('\n') != std::string_view::npos) return std::nullopt;
    out += s.text(k);
  }
  return out;
}

bool contains(const Region& a, const Region& b) { return a.begin <= b.begin && b.end <= a.end; }

struct Placed {
  Region region;
  const Mistake* mistake;
};

class Writer {
 public:
  Writer(const Source& source, const std::vector<Mistake>& mistakes) : s_(source) {
    for (const Mistake& m : mistakes) {
      const auto region = region_of(s_, m.edit);
      if (!region) throw std::logic_error("a mistake without a place");
      all_.push_back({*region, &m});
    }
    std::sort(all_.begin(), all_.end(), [](const Placed& a, const Placed& b) {
      if (a.region.begin != b.region.begin) return a.region.begin < b.region.begin;
      if (a.region.end != b.region.end) return a.region.end > b.region.end;
      return a.mistake->number < b.mistake->number;
    });
  }
  std::string text() && { return within({0, s_.all().size()}); }

 private:
  // The text of a region with the mistakes that stand next, as long as they are in it.
  std::string within(const Region& outer) {
    std::string out;
    std::size_t at = outer.begin;
    while (next_ < all_.size() && contains(outer, all_[next_].region)) {
      const Region region = all_[next_].region;
      out += s_.between(at, region.begin) + choice(region);
      at = region.end;
    }
    return out + s_.between(at, outer.end);
  }
  std::string choice(const Region& region) {
    const std::size_t first = next_;
    while (next_ < all_.size() && all_[next_].region == region) ++next_;
    const std::size_t end = next_;
    std::string right = within(region), out;
    bool statement = false;
    for (std::size_t k = first; k < end; ++k) {
      const Edit& e = all_[k].mistake->edit;
      const std::string asked = "::lockstep_mistakes::planted(" + std::to_string(all_[k].mistake->number) + ")";
      if (e.kind == Kind::Dropped) {
        statement = true;
        out += "if (" + asked + ") {} else ";
        continue;
      }
      const std::string was = s_.between(e.begin, e.end);
      if (e.begin == region.begin && e.end == region.end && e.text == "!(" + was + ")" && end - first == 1)
        return "(static_cast<bool>(" + right + ") != " + asked + ")";  // a condition may be no bool
      const std::string wrong = s_.between(region.begin, e.begin) + e.text + s_.between(e.end, region.end);
      out += asked + " ? " + *on_one_line(wrong) + " : ";
    }
    return statement ? out + right : "(" + out + right + ")";
  }

  const Source& s_;
  std::vector<Placed> all_;
  std::size_t next_ = 0;
};

}  // namespace

std::optional<Region> region_of(const Source& s, const Edit& edit) {
  auto [first, end] = s.tokens_of(edit.begin, edit.end);
  if (first == end || is_constant(s, first)) return std::nullopt;
  if (edit.kind == Kind::Dropped) return Region{s.at(first).begin, s.at(end - 1).end};
  first = first_of_expression(s, first);
  end = end_of_expression(s, end);
  if (has_comma(s, first, end)) {
    while (first > 0 && !is_bracket(s.text(first - 1), "([{")) first = s.open(first - 1).value_or(first - 1);
    const auto close = first > 0 ? s.close(first - 1) : std::nullopt;
    if (!close || *close < end) return std::nullopt;
    first = first_of_expression(s, first - 1);
    end = end_of_expression(s, *close + 1);
  }
  if (first >= end) return std::nullopt;
  const Region region{s.at(first).begin, s.at(end - 1).end};
  if (edit.begin < region.begin || edit.end > region.end ||
      !on_one_line(s.between(region.begin, edit.begin) + edit.text + s.between(edit.end, region.end)))
    return std::nullopt;
  return region;
}

bool fits(const std::vector<Region>& before, const Region& region) {
  return std::all_of(before.begin(), before.end(), [&](const Region& b) {
    return b.end <= region.begin || region.end <= b.begin || contains(b, region) || contains(region, b);
  });
}

std::string with_mistakes(const Source& source, const std::vector<Mistake>& mistakes) {
  return Writer(source, mistakes).text();
}

}  // namespace lockstep::mutate

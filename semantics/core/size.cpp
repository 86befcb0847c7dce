// Normal forms of symbolic sizes: sums of coefficient * atoms, sorted; what they rewrite to is stated at each rule.
#include "semantics/core/size.h"

#include <algorithm>
#include <numeric>

#include "semantics/core/diagnostic.h"
#include "semantics/core/size_limit.h"
#include "semantics/core/size_terms.h"

namespace lockstep {

Size SizeMaker::make(SizeTerms terms) { return Size(std::move(terms)); }

// Atoms are in normal form.
Size value_of(const SizeAtom& a) { return SizeMaker::make({{1, {{a, 1}}}}); }
Size product_of(std::int64_t coefficient, const SizeTerm& t) {
  return coefficient == 0 ? Size(0) : SizeMaker::make({{coefficient, t.powers}});
}

bool has_negative(const Size& s) {
  return std::any_of(s.terms().begin(), s.terms().end(), [](const SizeTerm& t) { return t.coefficient < 0; });
}

Size positive_part(const Size& s) {
  SizeTerms out;
  std::copy_if(s.terms().begin(), s.terms().end(), std::back_inserter(out),
               [](const SizeTerm& t) { return t.coefficient > 0; });
  return SizeMaker::make(std::move(out));
}

std::optional<SizePowers> divide(const SizePowers& a, const SizePowers& b) {
  SizePowers out;
  std::size_t j = 0;
  for (const auto& [atom, power] : a) {
    int left = power;
    if (j < b.size() && compare(b[j].first, atom) == 0) left -= b[j++].second;
    if (left < 0) return {};
    if (left > 0) out.emplace_back(atom, left);
  }
  if (j != b.size()) return {};
  return out;
}

std::int64_t floor_quotient(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

namespace {

using Terms = SizeTerms;
using Powers = SizePowers;

std::int64_t checked(__int128 v) {
  if (v > INT64_MAX || v < -INT64_MAX) throw SizeTooLarge();
  return static_cast<std::int64_t>(v);
}

int compare_powers(const Powers& a, const Powers& b) {
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (const int c = compare(a[i].first, b[i].first)) return c;
    if (a[i].second != b[i].second) return a[i].second > b[i].second ? -1 : 1;
  }
  return a.size() == b.size() ? 0 : a.size() > b.size() ? -1 : 1;  // longer products first, the constant last
}

// Sorted, equal products joined, zeros dropped.
Terms normal(Terms terms) {
  std::sort(terms.begin(), terms.end(),
            [](const SizeTerm& x, const SizeTerm& y) { return compare_powers(x.powers, y.powers) < 0; });
  Terms out;
  for (SizeTerm& t : terms) {
    if (!out.empty() && compare_powers(out.back().powers, t.powers) == 0) {
      out.back().coefficient = checked(static_cast<__int128>(out.back().coefficient) + t.coefficient);
    } else {
      if (!out.empty() && out.back().coefficient == 0) out.pop_back();
      out.push_back(std::move(t));
    }
  }
  if (!out.empty() && out.back().coefficient == 0) out.pop_back();
  return out;
}

Powers multiply(const Powers& a, const Powers& b) {
  Powers out;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const int c = i == a.size() ? 1 : j == b.size() ? -1 : compare(a[i].first, b[j].first);
    if (c < 0) {
      out.push_back(a[i++]);
    } else if (c > 0) {
      out.push_back(b[j++]);
    } else {
      out.emplace_back(a[i].first, a[i].second + b[j].second);
      ++i, ++j;
    }
  }
  return out;
}

SizeAtom division_atom(const Size& a, const Size& b) {
  return {"", std::make_shared<const std::pair<Size, Size>>(a, b)};
}

std::int64_t content(const Terms& terms) {
  std::int64_t g = 0;
  for (const SizeTerm& t : terms) g = std::gcd(g, t.coefficient);
  return g;
}

}  // namespace

Size::Size(std::int64_t constant)
    : terms_(std::make_shared<const Terms>(constant == 0 ? Terms{} : Terms{{constant, {}}})) {}
Size::Size(Terms terms) : terms_(std::make_shared<const Terms>(std::move(terms))) {}
Size Size::name(std::string n) { return Size(Terms{{1, {{SizeAtom{std::move(n), nullptr}, 1}}}}); }
const std::vector<SizeTerm>& Size::terms() const { return *terms_; }

std::optional<std::int64_t> Size::constant() const {
  if (terms_->empty()) return 0;
  if (terms_->size() == 1 && terms_->front().powers.empty()) return terms_->front().coefficient;
  return {};
}

std::optional<std::string> Size::as_name() const {
  if (terms_->size() != 1) return {};
  const SizeTerm& t = terms_->front();
  if (t.coefficient != 1 || t.powers.size() != 1 || t.powers[0].second != 1 || t.powers[0].first.division) return {};
  return t.powers[0].first.name;
}

int compare(const SizeAtom& a, const SizeAtom& b) {
  if (!a.division != !b.division) return a.division ? 1 : -1;
  if (!a.division) return a.name.compare(b.name);
  if (a.division == b.division) return 0;
  if (const int c = compare(a.division->first, b.division->first)) return c;
  return compare(a.division->second, b.division->second);
}

int compare(const Size& a, const Size& b) {
  if (a.terms_ == b.terms_) return 0;
  const Terms &x = *a.terms_, &y = *b.terms_;
  const std::size_t n = std::min(x.size(), y.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (const int c = compare_powers(x[i].powers, y[i].powers)) return c;
    if (x[i].coefficient != y[i].coefficient) return x[i].coefficient < y[i].coefficient ? -1 : 1;
  }
  return x.size() == y.size() ? 0 : x.size() < y.size() ? -1 : 1;
}
bool operator==(const Size& a, const Size& b) { return compare(a, b) == 0; }

// a + sign*b, of normal forms.
static Terms sum(const Terms& a, const Terms& b, int sign) {
  Terms out;
  out.reserve(a.size() + b.size());
  for (auto x = a.begin(), y = b.begin(); x != a.end() || y != b.end();) {
    const int order = x == a.end() ? 1 : y == b.end() ? -1 : compare_powers(x->powers, y->powers);
    const __int128 left = order <= 0 ? x->coefficient : 0, right = order >= 0 ? y->coefficient : 0;
    if (const std::int64_t c = checked(left + sign * right)) out.push_back({c, order <= 0 ? x->powers : y->powers});
    x += order <= 0, y += order >= 0;
  }
  return out;
}

Size operator+(const Size& a, const Size& b) { return SizeMaker::make(sum(a.terms(), b.terms(), 1)); }
Size operator-(const Size& a, const Size& b) { return SizeMaker::make(sum(a.terms(), b.terms(), -1)); }

Size operator*(const Size& a, const Size& b) {
  Terms out;
  for (const SizeTerm& x : a.terms())
    for (const SizeTerm& y : b.terms())
      out.push_back({checked(static_cast<__int128>(x.coefficient) * y.coefficient), multiply(x.powers, y.powers)});
  return SizeMaker::make(normal(std::move(out)));
}

// floor((q*b + r) / b) = q + floor(r / b) for every integer r, b >= 1; a single-term b takes out all that it divides.
// floor(floor(x / c) / d) = floor(x / (c*d)); a common factor of r and b cancels.
Size floor_div(const Size& a, const Size& b) {
  const auto cb = b.constant();
  if (cb == 1) return a;
  if (cb && *cb <= 0) return SizeMaker::make({{1, {{division_atom(a, b), 1}}}});  // refuted where it is checked
  if (a.terms().empty()) return 0;
  Terms whole, rest;
  if (b.terms().size() == 1) {
    const SizeTerm& divisor = b.terms().front();
    for (const SizeTerm& t : a.terms()) {
      const auto powers = divide(t.powers, divisor.powers);
      if (!powers) {
        rest.push_back(t);
        continue;
      }
      const std::int64_t q = floor_quotient(t.coefficient, divisor.coefficient);
      const std::int64_t r = t.coefficient - q * divisor.coefficient;
      if (q != 0) whole.push_back({q, *powers});
      if (r != 0) rest.push_back({r, t.powers});
    }
  } else if (a == b) {
    return 1;
  } else {
    rest = a.terms();
    // (k*b) / b with b a sum: try the quotient of the leading terms.
    const auto q = divide(a.terms().front().powers, b.terms().front().powers);
    if (q && a.terms().front().coefficient % b.terms().front().coefficient == 0) {
      const Size k = SizeMaker::make({{a.terms().front().coefficient / b.terms().front().coefficient, *q}});
      const Size left = a - k * b;
      const bool positive =
          std::none_of(left.terms().begin(), left.terms().end(), [](const SizeTerm& t) { return t.coefficient < 0; });
      if (positive && left.terms().size() < a.terms().size()) return k + floor_div(left, b);
    }
  }
  // A numerator must stay natural where the program divides naturals: (n-1)/n is not 1 + (-1)/n in C.
  if (std::any_of(rest.begin(), rest.end(), [](const SizeTerm& t) { return t.coefficient < 0; }))
    return SizeMaker::make({{1, {{division_atom(a, b), 1}}}});
  const Size quotient = SizeMaker::make(normal(std::move(whole)));
  Size remainder = SizeMaker::make(normal(std::move(rest)));
  Size divisor = b;
  if (remainder.terms().empty()) return quotient;
  if (const auto r = remainder.constant(); r && cb) return quotient + floor_quotient(*r, *cb);
  if (cb) {  // cancel the common factor of the symbolic terms: floor((g*x + c) / (g*d)) = floor((x + floor(c/g)) / d)
    Terms symbolic;
    std::int64_t c = 0;
    for (const SizeTerm& t : remainder.terms()) t.powers.empty() ? void(c = t.coefficient) : symbolic.push_back(t);
    const std::int64_t g = std::gcd(content(symbolic), *cb);
    if (g > 1) {
      for (SizeTerm& t : symbolic) t.coefficient /= g;
      return quotient + floor_div(SizeMaker::make(std::move(symbolic)) + Size(floor_quotient(c, g)), Size(*cb / g));
    }
  } else {
    const std::int64_t g = std::gcd(content(remainder.terms()), content(b.terms()));
    if (g > 1) {
      Terms x = remainder.terms(), y = b.terms();
      for (SizeTerm& t : x) t.coefficient /= g;
      for (SizeTerm& t : y) t.coefficient /= g;
      return quotient + floor_div(SizeMaker::make(std::move(x)), SizeMaker::make(std::move(y)));
    }
  }
  if (remainder.terms().size() == 1) {  // a nested division
    const SizeTerm& t = remainder.terms().front();
    if (t.coefficient == 1 && t.powers.size() == 1 && t.powers[0].second == 1 && t.powers[0].first.division) {
      const auto& [x, c] = *t.powers[0].first.division;
      return quotient + floor_div(x, c * divisor);
    }
  }
  return quotient + SizeMaker::make({{1, {{division_atom(remainder, divisor), 1}}}});
}

Size modulo(const Size& a, const Size& b) { return a - b * floor_div(a, b); }

std::optional<Size> combined(char symbol, const Size& a, const Size& b) {
  try {
    switch (symbol) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return floor_div(a, b);
      case '%':
        return modulo(a, b);
    }
    throw Bug("sizes have no operator " + std::string(1, symbol));
  } catch (const SizeTooLarge&) {
    return std::nullopt;
  }
}

}  // namespace lockstep

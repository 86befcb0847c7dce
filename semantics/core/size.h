// Symbolic natural numbers (Fig. 1, kind nat): polynomials with integer coefficients over atoms, an atom being a name
// or a floor division. a % b is written a - b*(a/b), so that n/64*64 + n%64 and n have one normal form.
// The same type carries index arithmetic, loop variables being names with a known range.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

class Size;
struct SizeTerm;  // coefficient * product of atoms
struct SizeAtom;

class Size {
 public:
  Size(std::int64_t constant = 0);
  static Size name(std::string n);

  const std::vector<SizeTerm>& terms() const;  // sorted, no zero coefficient; empty for 0
  std::optional<std::int64_t> constant() const;
  std::optional<std::string> as_name() const;

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  friend Size floor_div(const Size& a, const Size& b);  // b >= 1 wherever it is evaluated
  friend Size modulo(const Size& a, const Size& b);
  friend bool operator==(const Size& a, const Size& b);
  friend int compare(const Size& a, const Size& b);  // a total order on normal forms

 private:
  explicit Size(std::vector<SizeTerm> terms);
  std::shared_ptr<const std::vector<SizeTerm>> terms_;
  friend struct SizeMaker;
};

struct SizeAtom {
  std::string name;                                       // "" for a division
  std::shared_ptr<const std::pair<Size, Size>> division;  // numerator, denominator
};
int compare(const SizeAtom& a, const SizeAtom& b);

struct SizeTerm {
  std::int64_t coefficient;
  std::vector<std::pair<SizeAtom, int>> powers;  // sorted by atom, powers >= 1
};

Size value_of(const SizeAtom& a);                              // the name, or the division
Size product_of(std::int64_t coefficient, const SizeTerm& t);  // of the term's atoms, with another coefficient
bool has_negative(const Size& s);                              // a coefficient below 0
Size positive_part(const Size& s);                             // without them: at least s, where each atom is natural
Size operator+(const Size& a, const Size& b);
Size operator-(const Size& a, const Size& b);
Size operator*(const Size& a, const Size& b);
Size floor_div(const Size& a, const Size& b);
Size modulo(const Size& a, const Size& b);
bool operator==(const Size& a, const Size& b);
int compare(const Size& a, const Size& b);

// One of + - * / % applied; nothing where a coefficient would exceed 64 bits.
std::optional<Size> combined(char symbol, const Size& a, const Size& b);

using SizeSubstitution = std::map<std::string, Size>;
Size substitute(const Size& s, const SizeSubstitution& by);
void collect_names(const Size& s, std::set<std::string>& into);
bool mentions(const Size& s, const std::string& name);

// The value, or nothing where it overflows 64 bits, divides by less than one, or a name has no value.
using SizeValues = std::map<std::string, std::int64_t>;
std::optional<std::int64_t> evaluate(const Size& s, const SizeValues& values);
std::string show(const SizeValues& values);  // "m = 2, n = 3"

// As source text, with % recognised; parses back to the same normal form.
std::string show(const Size& s);
// As above but without a space, and in parentheses unless it is a name or number.
std::string show_atomic(const Size& s);

// A fact or goal about sizes, all names ranging over the naturals.
enum class SizeRelation { Equal, NotEqual, LessEqual, Less };
struct SizeFact {
  Size left;
  SizeRelation relation;
  Size right;
  friend bool operator==(const SizeFact&, const SizeFact&) = default;
};
std::string show(const SizeFact& f);
std::string_view show(SizeRelation r);
SizeFact substitute(const SizeFact& f, const SizeSubstitution& by);
// Whether the facts imply a goal; who asks decides what normal forms do by itself.
using SizeImplication = std::function<bool(const std::vector<SizeFact>& facts, const SizeFact& goal)>;
std::optional<bool> evaluate(const SizeFact& f, const SizeValues& values);

// What is known of the names in scope: facts, and half-open ranges [0, bound) of loop variables.
class SizeContext {
 public:
  void assume(SizeFact fact);
  void range(const std::string& name, Size bound);  // 0 <= name < bound
  const std::vector<SizeFact>& facts() const { return facts_; }
  const std::map<std::string, Size>& ranges() const { return ranges_; }

  // Normal form under the equalities and ranges known: n -> 64*(n/64) when n % 64 == 0, (i*m+j)/m -> i when j < m.
  Size simplify(const Size& s) const;
  // True only where it follows by normalisation: no search, no solver.
  bool proves(const SizeFact& goal) const;
  bool proves_nonnegative(const Size& s) const;

 private:
  Size settle(const Size& s) const;
  Size settle(const Size& x, const Size& b) const;

  std::vector<SizeFact> facts_;
  std::map<std::string, Size> ranges_;
  SizeSubstitution rewrites_;
};

}  // namespace lockstep

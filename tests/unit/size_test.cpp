// Sizes: normal forms, facts and ranges. The oracle is evaluation on all small values.
#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "semantics/core/diagnostic.h"
#include "semantics/core/size.h"

namespace size_test {
using namespace lockstep;

namespace {

// The same trees in every run; RC_PARAMS from outside goes before.
const int configured = setenv("RC_PARAMS", "seed=1 max_success=3000", 0);

const Size n = Size::name("n"), m = Size::name("m"), i = Size::name("i"), j = Size::name("j");

// The same expression as a tree, evaluated directly.
struct Tree {
  char op;  // 'n' 'm' 'i' 'c' '+' '-' '*' '/' '%'
  std::int64_t constant = 0;
  std::shared_ptr<Tree> left, right;
};
using TreeRef = std::shared_ptr<Tree>;

rc::Gen<TreeRef> trees(const std::string& leaves, const std::string& operators, int depth) {
  const auto leaf = rc::gen::apply(
      [](char op, std::int64_t c) {
        return std::make_shared<Tree>(Tree{op, c, nullptr, nullptr});
      },
      rc::gen::elementOf(leaves), rc::gen::inRange<std::int64_t>(1, 7));
  if (depth == 0) return leaf;
  // What divides, mostly above 0: a leaf, a multiple of one, a product, one more than a leaf.
  const auto divisors =
      rc::gen::oneOf(leaf, rc::gen::apply(
                               [](char op, const TreeRef& l, const TreeRef& r, std::int64_t c) {
                                 const auto k = std::make_shared<Tree>(Tree{'c', c, nullptr, nullptr});
                                 const auto one = std::make_shared<Tree>(Tree{'c', 1, nullptr, nullptr});
                                 return std::make_shared<Tree>(op == '+'   ? Tree{'+', 0, l, one}
                                                               : op == 'k' ? Tree{'*', 0, k, l}
                                                                           : Tree{'*', 0, l, r});
                               },
                               rc::gen::element('+', '+', 'k', '*'), leaf, leaf, rc::gen::inRange<std::int64_t>(2, 5)));
  const auto below = trees(leaves, operators, depth - 1);
  const auto inner = rc::gen::apply(
      [](char op, const TreeRef& l, const TreeRef& r, const TreeRef& divisor) {
        return std::make_shared<Tree>(Tree{op, 0, l, op == '/' || op == '%' ? divisor : r});
      },
      rc::gen::elementOf(operators), below, below, divisors);
  return rc::gen::weightedOneOf<TreeRef>({{2, leaf}, {3, inner}});
}

std::int64_t floor_of(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

struct At {
  std::int64_t n, m, i = 0;
};
std::int64_t value_of(const Tree& t, const At& at) {
  const auto l = [&] { return value_of(*t.left, at); };
  const auto r = [&] { return value_of(*t.right, at); };
  switch (t.op) {
    case 'n':
      return at.n;
    case 'm':
      return at.m;
    case 'i':
      return at.i;
    case 'c':
      return t.constant;
    case '+':
      return l() + r();
    case '-':
      return l() - r();
    case '*':
      return l() * r();
    case '/':
      return floor_of(l(), r());
    default:
      return l() - floor_of(l(), r()) * r();
  }
}
Size size_of(const Tree& t) {
  const auto l = [&] { return size_of(*t.left); };
  const auto r = [&] { return size_of(*t.right); };
  switch (t.op) {
    case 'n':
      return n;
    case 'm':
      return m;
    case 'i':
      return i;
    case 'c':
      return t.constant;
    case '+':
      return l() + r();
    case '-':
      return l() - r();
    case '*':
      return l() * r();
    case '/':
      return floor_div(l(), r());
    default:
      return modulo(l(), r());
  }
}
bool divides(const Tree& t) { return t.op == '/' || t.op == '%'; }
// Whether nothing divides that is not positive: what inference asks of every size and index.
bool defined(const Tree& t, const At& at) {
  return !t.left || (defined(*t.left, at) && defined(*t.right, at) && (!divides(t) || value_of(*t.right, at) > 0));
}
// Whether what is divided is natural: `proves` may rely on that, as sizes and indices are.
bool natural(const Tree& t, const At& at) {
  if (!t.left) return true;
  return natural(*t.left, at) && natural(*t.right, at) && !(divides(t) && value_of(*t.left, at) < 0);
}
// The same of a normal form: C divides toward zero, so that what was natural must stay so.
bool natural(const Size& s, const SizeValues& values) {
  for (const SizeTerm& t : s.terms())
    for (const auto& [atom, power] : t.powers) {
      if (!atom.division) continue;
      const auto numerator = evaluate(atom.division->first, values);
      if (!numerator || *numerator < 0 || !natural(atom.division->first, values) ||
          !natural(atom.division->second, values))
        return false;
    }
  return true;
}
std::string text_of(const Tree& t) {
  if (!t.left) return t.op == 'c' ? std::to_string(t.constant) : std::string(1, t.op);
  return "(" + text_of(*t.left) + " " + t.op + " " + text_of(*t.right) + ")";
}

// Every i < n is tried where the expression has one.
void for_small(const std::function<void(const At&)>& f, bool with_i, std::int64_t least_m = 0) {
  for (std::int64_t vn = 0; vn < 6; ++vn)
    for (std::int64_t vm = least_m; vm < 6; ++vm)
      for (std::int64_t vi = 0; vi < (with_i ? vn : 1); ++vi) f({vn, vm, vi});
}

const std::string numbers = "nmc", with_index = "nmic", operators = "+-*/%";

}  // namespace

namespace {
// Where the form is not the tree's, at small sizes; "" where it is.
std::string what_is_wrong(const Tree& t, const Size& s) {
  std::string wrong;
  for_small(
      [&](const At& at) {
        if (!defined(t, at)) return;
        const SizeValues values{{"n", at.n}, {"m", at.m}};
        const auto got = evaluate(s, values);
        if (!got) {  // numbers this small stay within 64 bits
          wrong = text_of(t) + " has a value, and " + show(s) + " has none";
          return;
        }
        if (natural(t, at) && !natural(s, values)) wrong = text_of(t) + " divides naturals, " + show(s) + " does not";
        if (*got != value_of(t, at))
          wrong =
              text_of(t) + " is not " + show(s) + " at n = " + std::to_string(at.n) + ", m = " + std::to_string(at.m);
      },
      false);
  return wrong;
}
}  // namespace

TEST_CASE("a normal form has the value of what it was made from") {
  CHECK(rc::check("normal forms", [] {
    const TreeRef t = *trees(numbers, operators, 4);
    if (const std::string wrong = what_is_wrong(*t, size_of(*t)); !wrong.empty()) RC_FAIL(wrong);
  }));
}

TEST_CASE("what ranges and facts simplify keeps its value wherever they hold") {
  CHECK(rc::check("simplify", [] {
    const TreeRef t = *trees(with_index, operators, 4);
    SizeContext c;
    c.assume({1, SizeRelation::LessEqual, m});
    c.range("i", n);
    const Size s = size_of(*t), simple = c.simplify(s);
    for_small(
        [&](const At& at) {
          if (!defined(*t, at)) return;
          const SizeValues values{{"n", at.n}, {"m", at.m}, {"i", at.i}};
          const auto before = evaluate(s, values), after = evaluate(simple, values);
          if (!before || !after) RC_DISCARD("leaves 64 bits");
          if (natural(s, values) && !natural(simple, values))
            RC_FAIL(show(s) + " divides naturals, " + show(simple) + " does not");
          if (*before != *after)
            RC_FAIL(show(s) + " was simplified to " + show(simple) + ", which differs at n = " + std::to_string(at.n) +
                    ", m = " + std::to_string(at.m) + ", i = " + std::to_string(at.i));
        },
        true, 1);
  }));
}

TEST_CASE("what proves says holds wherever the facts do") {
  int proved = 0;
  CHECK(rc::check("proves", [&] {
    SizeContext c;
    c.assume({1, SizeRelation::LessEqual, m});
    c.range("i", n);
    const auto relation =
        *rc::gen::element(SizeRelation::Equal, SizeRelation::NotEqual, SizeRelation::LessEqual, SizeRelation::Less);
    const TreeRef left = *trees(with_index, operators, 3), right = *trees(with_index, operators, 3);
    const SizeFact goal{size_of(*left), relation, size_of(*right)};
    if (!c.proves(goal)) return;
    ++proved;
    for_small(
        [&](const At& at) {
          if (!defined(*left, at) || !defined(*right, at) || !natural(*left, at) || !natural(*right, at)) return;
          const auto holds = evaluate(goal, {{"n", at.n}, {"m", at.m}, {"i", at.i}});
          if (holds == false)
            RC_FAIL(show(goal) + " is said to hold, and does not at n = " + std::to_string(at.n) +
                    ", m = " + std::to_string(at.m) + ", i = " + std::to_string(at.i));
        },
        true, 1);
  }));
  CHECK(configured == 0);
  CHECK(proved > 10);
}

TEST_CASE("a normal form that is wrong is told from one that is right") {
  const auto leaf = [](char op) { return std::make_shared<Tree>(Tree{op, 2, nullptr, nullptr}); };
  const auto three = std::make_shared<Tree>(Tree{'c', 3, nullptr, nullptr});
  const Tree t{'/', 0, std::make_shared<Tree>(Tree{'-', 0, leaf('n'), leaf('m')}), three};  // (n - m) / 3
  CHECK(what_is_wrong(t, size_of(t)) == "");
  CHECK(what_is_wrong(t, size_of(t) + Size(1)) != "");
  CHECK(what_is_wrong(t, floor_div(n, 3) - floor_div(m, 3)) != "");
  // Equal everywhere, and wrong in C, which divides toward zero.
  CHECK(what_is_wrong(*leaf('m'), m) == "");
  CHECK(what_is_wrong(*leaf('m'), m + Size(1) + floor_div(Size(-1), n + Size(1))) != "");
}

TEST_CASE("nothing is taken out of a quotient that leaves less than nothing") {
  // Found by the property above: 1 + (m/(m + 1) - 2)/(m + 1) is 1 in C where m is 2.
  const Size s = floor_div(floor_div(m, m + Size(1)) + m - Size(1), m + Size(1));
  CHECK(natural(s, {{"m", 2}}));
  CHECK(evaluate(s, {{"m", 2}}) == 0);
}

TEST_CASE("two sizes that bound each other are equal") {
  SizeContext c;
  c.assume({n, SizeRelation::LessEqual, m});
  CHECK_FALSE(c.proves({n, SizeRelation::Equal, m}));
  CHECK(c.proves({n * Size(4), SizeRelation::LessEqual, m * Size(4)}));  // found by the campaign
  CHECK_FALSE(c.proves({m * Size(4), SizeRelation::LessEqual, n * Size(4)}));
  c.assume({m, SizeRelation::LessEqual, n});
  CHECK(c.proves({n, SizeRelation::Equal, m}));
}

TEST_CASE("one size that bounds another is not it, where more is known than values are tried for") {
  SizeContext c;
  for (int i = 0; i < 40; ++i) c.range("i" + std::to_string(i), n + Size(i));
  c.assume({n, SizeRelation::LessEqual, m});
  CHECK_FALSE(c.proves({n, SizeRelation::Equal, m}));
  CHECK_FALSE(c.proves({m, SizeRelation::Equal, n}));
  CHECK(c.proves({n, SizeRelation::LessEqual, m}));
}

TEST_CASE("quotient and remainder join again") {
  CHECK(floor_div(n, 64) * Size(64) + modulo(n, 64) == n);
  CHECK(floor_div(floor_div(n, 4), 8) == floor_div(n, 32));
  CHECK(floor_div(n + m * Size(3), m) == floor_div(n, m) + Size(3));
  CHECK_FALSE(floor_div(n, 64) * Size(64) == n);
}

TEST_CASE("ranges of loop variables settle their indices") {
  SizeContext c;
  c.range("i", n);
  c.range("j", m);
  CHECK(c.simplify(floor_div(i * m + j, m)) == i);
  CHECK(c.simplify(modulo(i * m + j, m)) == j);
  CHECK(c.proves({i * m + j, SizeRelation::Less, n * m}));
  CHECK_FALSE(c.proves({i * m + j, SizeRelation::Less, n * m - Size(1)}));
  CHECK_FALSE(c.proves({i, SizeRelation::Less, m}));
}

TEST_CASE("a divisibility fact rewrites, and without it nothing is claimed") {
  SizeContext c;
  c.assume({modulo(n, 64), SizeRelation::Equal, 0});
  CHECK(c.proves({floor_div(n, 64) * Size(64), SizeRelation::Equal, n}));
  CHECK(c.proves({modulo(n, 32), SizeRelation::Equal, 0}));
  CHECK_FALSE(c.proves({modulo(n, 128), SizeRelation::Equal, 0}));
  CHECK_FALSE(SizeContext().proves({floor_div(n, 64) * Size(64), SizeRelation::Equal, n}));
}

TEST_CASE("a divisibility fact rewrites, on whichever side the name stands") {
  const Size n = Size::name("n"), d = Size::name("d");
  for (const bool turned : {false, true}) {
    SizeContext context;
    context.assume({1, SizeRelation::LessEqual, d});
    const Size multiple = d * floor_div(n, d);
    context.assume(turned ? SizeFact{multiple, SizeRelation::Equal, n} : SizeFact{n, SizeRelation::Equal, multiple});
    CHECK(context.simplify(n) == multiple);
    CHECK(context.proves({n, SizeRelation::LessEqual, multiple}));
  }
}

TEST_CASE("a product of remainders is natural, however it is written") {
  const Size n = Size::name("n"), m = Size::name("m"), k = Size::name("k");
  const SizeContext c;
  const Size square = modulo(n, 4) * modulo(n, 4);
  CHECK(show(square) == "n*n + 16*(n/4)*(n/4) - 8*n*(n/4)");
  CHECK(c.proves({0, SizeRelation::LessEqual, square}));
  CHECK(c.proves({n * floor_div(n, 4) * Size(8), SizeRelation::LessEqual, square + n * floor_div(n, 4) * Size(8)}));
  CHECK(c.proves_nonnegative(modulo(n, 4) * modulo(m, 3)));
  CHECK(c.proves_nonnegative(modulo(n, k) * modulo(m, k) * modulo(n, k)));
  CHECK_FALSE(c.proves_nonnegative(square - Size(1)));
  CHECK_FALSE(c.proves_nonnegative(modulo(n, 4) * (modulo(n, 4) - Size(3))));
}

TEST_CASE("a size is evaluated as long as all of it is within 64 bits, the least number too") {
  const Size n = Size::name("n");
  const auto at = [&](const Size& s, std::int64_t value) { return evaluate(s, {{"n", value}}); };
  const std::int64_t half = std::int64_t{1} << 31;
  CHECK(at(Size(-2) * n * n, half) == std::numeric_limits<std::int64_t>::min());
  CHECK(at(Size(2) * n * n - Size(1), half) == std::nullopt);
  CHECK(at(Size(-2) * n * n - Size(1), half) == std::nullopt);
}

}  // namespace size_test

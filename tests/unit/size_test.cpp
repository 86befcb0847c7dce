// Sizes: normal forms, facts and ranges. The oracle is evaluation on all small values.
#include <catch2/catch.hpp>
#include <random>

#include "semantics/core/diagnostic.h"
#include "semantics/core/size.h"

using namespace lockstep;

namespace {

const Size n = Size::name("n"), m = Size::name("m"), i = Size::name("i"), j = Size::name("j");

// The same expression as a tree, evaluated directly.
struct Tree {
  char op;  // 'n' 'm' 'c' '+' '*' '/' '%'
  std::int64_t constant = 0;
  std::shared_ptr<Tree> left, right;
};
std::shared_ptr<Tree> random_tree(std::mt19937& random, int depth) {
  auto t = std::make_shared<Tree>();
  const unsigned pick = random() % (depth == 0 ? 3 : 7);
  t->op = "nmc+*/%"[pick];
  if (t->op == 'c') t->constant = 1 + random() % 6;
  if (pick > 2) t->left = random_tree(random, depth - 1), t->right = random_tree(random, depth - 1);
  return t;
}
Size size_of(const Tree& t) {
  switch (t.op) {
    case 'n': return n;
    case 'm': return m;
    case 'c': return t.constant;
    case '+': return size_of(*t.left) + size_of(*t.right);
    case '*': return size_of(*t.left) * size_of(*t.right);
    case '/': return floor_div(size_of(*t.left), size_of(*t.right) + Size(1));
    default: return modulo(size_of(*t.left), size_of(*t.right) + Size(1));
  }
}
std::int64_t value_of(const Tree& t, std::int64_t vn, std::int64_t vm) {
  const auto l = [&] { return value_of(*t.left, vn, vm); };
  const auto r = [&] { return value_of(*t.right, vn, vm); };
  switch (t.op) {
    case 'n': return vn;
    case 'm': return vm;
    case 'c': return t.constant;
    case '+': return l() + r();
    case '*': return l() * r();
    case '/': return l() / (r() + 1);
    default: return l() % (r() + 1);
  }
}

}  // namespace

TEST_CASE("a normal form has the value of what it was made from, on 2,000 random expressions") {
  std::mt19937 random(1);
  for (int k = 0; k < 2000; ++k) {
    const auto t = random_tree(random, 4);
    const Size s = size_of(*t);
    for (std::int64_t vn = 0; vn < 6; ++vn)
      for (std::int64_t vm = 0; vm < 6; ++vm) {
        const auto got = evaluate(s, {{"n", vn}, {"m", vm}});
        REQUIRE(got.has_value());
        INFO(show(s) << " at n = " << vn << ", m = " << vm);
        REQUIRE(*got == value_of(*t, vn, vm));
      }
  }
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

TEST_CASE("what proves says holds on all small values, on random goals") {
  std::mt19937 random(2);
  SizeContext c;
  c.assume({1, SizeRelation::LessEqual, m});
  c.range("i", n);
  int proved = 0;
  for (int k = 0; k < 3000; ++k) {
    const auto t = random_tree(random, 3), u = random_tree(random, 3);
    const Size a = size_of(*t) + (random() % 2 ? i : Size(0)), b = size_of(*u);
    const SizeFact goal{a, static_cast<SizeRelation>(random() % 4), b};
    if (!c.proves(goal)) continue;
    ++proved;
    for (std::int64_t vn = 0; vn < 6; ++vn)
      for (std::int64_t vm = 1; vm < 6; ++vm)
        for (std::int64_t vi = 0; vi < vn; ++vi) {
          INFO(show(goal) << " at n = " << vn << ", m = " << vm << ", i = " << vi);
          REQUIRE(evaluate(goal, {{"n", vn}, {"m", vm}, {"i", vi}}) == true);
        }
  }
  CHECK(proved > 100);
}

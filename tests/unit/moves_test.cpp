// Loops that only move elements, by short vectors: transposes in blocks, rows by lines. Which loops are, that each
// element comes to its place at every length, and that what proves it for all lengths refuses every mistake.
#include <catch2/catch.hpp>

#include "proofs/kernel/obligations.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace moves_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

Program of(const std::string& body, const std::string& type = "i32", const std::string& facts = "") {
  Program p = program_from("kernel p(n, m, k) " + facts + "input " + type + " d[n * m * k]; output " + type +
                           " r[n * m * k]; { " + body + " }");
  CHECK(check(p).empty());
  return p;
}
const char* const transposed = "for (i < n) for (j < m) { store r[i * m + j] = d[j * n + i]; }";

bool is_in_blocks(const Program& p) { return !(with_moves_in_lanes(p) == p); }

std::vector<std::uint64_t> bits(const std::vector<Scalar>& xs) {
  std::vector<std::uint64_t> out;
  for (const Scalar& x : xs) out.push_back(x.bits);
  return out;
}

std::vector<proofs::kernels::ProgramObligation> moves(const Program& before, const Program& after) {
  static proofs::kernels::Prover prover;
  return proofs::kernels::moves_obligations(before, after, prover);
}

}  // namespace

TEST_CASE("a nest that only transposes moves blocks of vectors, at every length") {
  for (const char* type : {"i32", "f64", "i8"}) {
    const Program before = of(transposed, type), after = with_moves_in_lanes(before);
    REQUIRE(check(after).empty());
    int width = 0;
    each_statement(after.body, [&](const Stmt& s) {
      if (const auto* store = std::get_if<Store>(&s.node)) width = std::max(width, store->value.type.width);
    });
    CHECK(width == (std::string(type) == "f64" ? 4 : 8));
    for (std::int64_t n = 0; n < 20; ++n)
      for (const std::int64_t m : {0, 1, 7, 8, 15, 16, 17, 31, 32, 50}) {
        INFO(type << ", " << n << " of " << m);
        std::vector<Scalar> d;
        for (std::int64_t k = 0; k < n * m; ++k)
          d.push_back(Scalar{before.inputs[0].type.scalar, static_cast<std::uint64_t>(k * 7 + 3) & 0x7f});
        std::vector<std::uint64_t> expected;
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = 0; j < m; ++j) expected.push_back(d[static_cast<std::size_t>(j * n + i)].bits);
        const auto found = run(after, {{"n", n}, {"m", m}, {"k", 1}}, {{"d", d}}, ieee_domain());
        REQUIRE(found);
        CHECK(bits(found->at("r")) == expected);
      }
  }
}

TEST_CASE("arrays that no cache holds are written past the caches") {
  const std::string text = print(with_moves_in_lanes(of(transposed)));
  CHECK(text.find("if (8388608 <= k * m * n)") != std::string::npos);
  CHECK(text.find("stream r[") != std::string::npos);
  const std::string own = print(with_moves_in_lanes(
      of("alloc i32 t[n * m] @global; for (i < n) for (j < m) { store t[i * m + j] = d[j * n + i]; } "
         "for (i < n * m) { store r[i] = t[i] +.i32 1i32; }")));
  CHECK(own.find("lanes") != std::string::npos);
  CHECK(own.find("stream") == std::string::npos);
}

TEST_CASE("what does anything else stays as it is") {
  for (const char* body :
       {"for (i < n) for (j < m) { store r[i * m + j] = d[i * m + j * 2]; }",                    // a copy
        "for (i < n) for (j < m) { store r[i * m + j] = d[j * n + i] +.i32 d[0]; }",             // not only moved
        "for (i < n) for (j < m) { store r[i + j] = d[j * n + i]; }",                            // two to one place
        "for (i < n) for (j < m) { store r[i * k + j] = d[j * n + i]; }",                        // k may be below m
        "for (i < n) for (j < m) { store r[i * i * m + j] = d[j * n + i]; }",                    // further and further
        "for (i < n) for (j < m) { store r[i * m + j] = r[j * n + i]; }",                        // onto itself
        "for (i < n) for (j < i) { store r[i * n + j] = d[j * n + i]; }",                        // a triangle
        "for (i < n) for (j < m) { store r[i * m + j] = d[j * n + i * 2]; }",                    // every second
        "for (i < n) for (j < m) { store r[i * m + j * 2] = d[j * n + i]; }",                    // every second
        "for (i < n) for (j < m) { store r[i * m + j] = d[j * n + i]; store r[0] = d[0]; }",     // two stores
        "var i64 t = 0; for (i < n) for (j < m) { t = j; store r[i * m + j] = d[j * n + i]; }",  // and t
        "parallel par (i < n) { for (j < m) { store r[i * m + j] = d[j * n + i]; } }",           // in parallel
        "for (i < n) for (j < m) { if (i < j) { store r[i * m + j] = d[j * n + i]; } else { } }",  // some of them
        "for (i < 7) for (j < m) { store r[i * m + j] = d[j * 7 + i]; }",                          // no vector
        "for (i < n) for (j < 15) { store r[i * 15 + j] = d[j * n + i]; }"}) {                     // no block
    INFO(body);
    CHECK_FALSE(is_in_blocks(of(body)));
  }
  CHECK_FALSE(is_in_blocks(of(transposed, "bool")));
}

TEST_CASE("a row that is copied, ahead or back, is written past the caches by whole lines") {
  for (const char* type : {"i32", "f64", "i8"})
    for (const bool back : {false, true}) {
      const std::string from = back ? "d[i * m + (m - j - 1)]" : "d[i * m + j]";
      const Program before = of("for (i < n) for (j < m) { store r[i * m + j] = " + from + "; }", type);
      const Program after = with_moves_in_lanes(before);
      REQUIRE(check(after).empty());
      const std::string text = print(after);
      CHECK(text.find("stream r[") != std::string::npos);
      const int line = std::string(type) == "i8" ? 64 : std::string(type) == "f64" ? 8 : 16;
      const std::int64_t many = (std::int64_t{1} << 19) * line;
      CHECK(text.find("if (" + std::to_string(many) + " <= k * m * n && m % " + std::to_string(line) + " == 0)") !=
            std::string::npos);
      // every array taken for a large one
      Program large = after;
      large.body =
          rewritten(after.body, ExprChange([&](const Expr& e) { return e == constant(many) ? constant(0) : e; }));
      REQUIRE_FALSE(large == after);
      for (const std::int64_t n : {0, 1, 3})
        for (const std::int64_t m : {0, 1, 8, 15, 16, 17, 32, 48, 64, 128}) {
          INFO(type << ", " << n << " of " << m);
          std::vector<Scalar> d;
          for (std::int64_t k = 0; k < n * m; ++k)
            d.push_back(Scalar{before.inputs[0].type.scalar, static_cast<std::uint64_t>(k * 7 + 3) & 0x7f});
          std::vector<std::uint64_t> expected;
          for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < m; ++j)
              expected.push_back(d[static_cast<std::size_t>(i * m + (back ? m - 1 - j : j))].bits);
          const auto found = run(large, {{"n", n}, {"m", m}, {"k", 1}}, {{"d", d}}, ieee_domain());
          REQUIRE(found);
          CHECK(bits(found->at("r")) == expected);
        }
    }
  for (const char* body : {"alloc i32 t[n * m] @global; for (i < n) for (j < m) { store t[i * m + j] = d[i * m + j]; }",
                           "for (j < n) { store r[j] = d[j]; } for (i < n) { store r[i] = r[i] +.i32 1i32; }",
                           "for (i < n) for (j < 24) { store r[i * 24 + j] = d[i * 24 + j]; }",
                           "for (i < n) for (j < 8) { store r[i * 8 + j] = d[i * 8 + j]; }",
                           "for (i < n) for (j < m) { store r[i * m + j] = d[i * m + j * 3]; }",
                           "for (i < n) for (j < m) { store r[i * m + j * 2] = d[i * m + j]; }"}) {
    INFO(body);
    CHECK_FALSE(is_in_blocks(of(body)));
  }
  const Program small =
      program_from("kernel p(n) input i32 d[n]; output i32 r[64]; { for (i < 64) { store r[i] = d[i]; } }");
  CHECK(with_moves_in_lanes(small) == small);
}

TEST_CASE("that the moves are the same is proved for all lengths, and of no mistake") {
  const auto all_proved = [](const std::vector<proofs::kernels::ProgramObligation>& all) {
    return std::all_of(all.begin(), all.end(), [](const auto& o) { return o.standing == Standing::Proved; });
  };
  const std::pair<const char*, int> all_places[] = {
      {transposed, 300},
      {"for (i < 9) for (j < 17) { store r[i * 17 + j] = d[j * 9 + i]; }", 300},
      {"parallel par (b < k) { for (i < n) for (j < m) { var i64 t; t = (j *.i64 n) +.i64 i; "
       "store r[b * m * n + i * m + j] = d[b * m * n + t]; } }",
       300},
      {"parallel par (i < n) { for (j < m) { store r[i * m + j] = d[i * m + j]; } }", 10},
      {"for (i < n) for (j < m) { var i64 t; t = m - j - 1; store r[i * m + j] = d[i * m + t]; }", 30}};
  for (const auto& [body, least] : all_places) {
    INFO(body);
    const Program before = of(body), after = with_moves_in_lanes(before);
    REQUIRE_FALSE(after == before);
    const auto sound = moves(before, after);
    CHECK(sound.size() == 1);
    CHECK(all_proved(sound));

    // each load, store, lane, extent and condition changed by itself
    int at = 0, places = 0;
    const auto broken = [&](int which, const Program& p) {
      at = 0;
      Program out = p;
      const auto here = [&] { return at++ == which; };
      out.body = rewritten(p.body, ExprChange([&](const Expr& e) -> Expr {
                             const auto off = [](const Expr& x) { return arith(ArithOp::Add, x, constant(1)); };
                             if (const auto* l = std::get_if<Load>(&e.node))
                               return here() ? Expr{e.type, Load{l->buffer, off(*l->index)}} : e;
                             if (const auto* l = std::get_if<VectorLoad>(&e.node))
                               return here() ? Expr{e.type, VectorLoad{l->buffer, l->width, off(*l->index)}} : e;
                             if (const auto* a = std::get_if<Arith>(&e.node); a && a->op == ArithOp::Equal)
                               return here() ? arith(a->op, off(*a->left), *a->right) : e;
                             if (const auto* a = std::get_if<Arith>(&e.node); a && a->op == ArithOp::Modulo)
                               return here() ? arith(a->op, *a->left, off(*a->right)) : e;
                             if (const auto* l = std::get_if<Lane>(&e.node)) {
                               const auto other = (constant_of(*l->lane).value() + 1) % l->vector->type.width;
                               return here() ? Expr{e.type, Lane{l->vector, constant(other)}} : e;
                             }
                             return e;
                           }));
      out.body = rewritten(out.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                             Stmt changed = s;
                             if (auto* store = std::get_if<Store>(&changed.node)) {
                               if (here()) store->index = arith(ArithOp::Add, store->index, constant(1));
                               if (here()) return {};
                             }
                             if (auto* loop = std::get_if<For>(&changed.node))
                               if (here()) loop->extent = arith(ArithOp::Subtract, loop->extent, constant(1));
                             if (auto* branch = std::get_if<If>(&changed.node)) {
                               const auto* c = std::get_if<Arith>(&branch->condition.node);
                               const bool parts = !constant_of(*c->left);  // into strips that are whole or not
                               if (parts && here()) branch->condition = arith(ArithOp::Less, *c->left, *c->right);
                               if (parts && here()) std::swap(branch->then, branch->otherwise);
                             }
                             return {changed};
                           }));
      places = at;
      return out;
    };
    CHECK(broken(-1, after) == after);
    const int all = places;
    CHECK(all >= least);
    for (int k = 0; k < all; ++k) {
      INFO(k);
      CHECK_FALSE(all_proved(moves(before, broken(k, after))));
    }
  }
  // where two iterations write one place, another order leaves another element there
  Program before = of("for (i < n) for (j < m) { store r[i * k + j] = d[j * n + i]; }", "i32", "where m <= k ");
  Program after = with_moves_in_lanes(before);
  CHECK(all_proved(moves(before, after)));
  before.facts.clear(), after.facts.clear();
  CHECK_FALSE(all_proved(moves(before, after)));
  const Program twice = of(transposed);
  CHECK(moves(twice, twice).empty());
}

}  // namespace moves_test

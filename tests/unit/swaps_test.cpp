// States that are swapped: which loops are, that they give what they gave in fewer accesses, and that what proves it
// for all lengths refuses every mistake.
#include <catch2/catch.hpp>

#include "proofs/kernel/obligations.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/gpu_cost.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace swaps_test {
using namespace lockstep;
using namespace lockstep::kernel;

namespace {

Program of(const std::string& body) {
  Program p = program_from("kernel p(n, k) where 1 <= n input i32 d[n]; output i32 r[n]; { " + body + " }");
  CHECK(check(p).empty());
  return p;
}
const std::string arrays = "alloc i32 s[n] @global; alloc i32 t[n] @global; for (i < n) { store s[i] = d[i]; } ";
const std::string step = "for (i < n) { store t[i] = s[n - 1 - i] +.i32 s[0]; } ";
const std::string copy = "for (i < n) { store s[i] = t[i]; } ";
const std::string result = " for (i < n) { store r[i] = s[i]; }";
std::string until(const std::string& round) {
  return arrays + "var bool go; go = s[0] <.i32 100i32; while (go) { " + round + "go = s[0] <.i32 100i32; } " + result;
}
std::string counted(const std::string& extent, const std::string& round) {
  return arrays + "for (j < " + extent + ") { " + round + " } " + result;
}
const std::string with_number = "for (i < n) { store t[i] = s[n - 1 - i] +.i32 i32.i64(j); } " + copy;

// In a block's memory.
Program in_block() {
  Program p = program_from(
      "kernel p(k) block 8 warp 4 input i32 d[8]; output i32 r[k][8]; { parallel workgroup (b < k) { alloc i32 s[8] "
      "@local; alloc i32 t[8] @local; parallel local (i < 8) { store s[i] = d[i]; } var bool go; go = s[0] <.i32 "
      "100i32; while (go) { parallel local (i < 8) { store t[i] = s[7 - i] +.i32 s[0]; } parallel local (i < 8) { "
      "store s[i] = t[i]; } go = s[0] <.i32 100i32; } parallel local (i < 8) { store r[b * 8 + i] = s[i]; } } }");
  CHECK(check(p).empty());
  return p;
}

bool is_swapped(const Program& p) { return !(with_swapped_states(p) == p); }

struct Ran {
  std::vector<std::uint64_t> bits;
  Counted counted;
};
Ran ran(const Program& p, std::int64_t k, std::int32_t first) {
  Ran out;
  RunOptions options;
  options.counted = &out.counted;
  std::vector<Scalar> d;
  for (int i = 0; i < 5; ++i) d.push_back(Scalar{ScalarType::I32, static_cast<std::uint64_t>(first + 3 * i)});
  const auto found = run(p, {{"n", 5}, {"k", k}}, {{"d", d}}, ieee_domain(), options);
  REQUIRE(found);
  for (const Scalar& x : found->at("r")) out.bits.push_back(x.bits);
  return out;
}

std::vector<proofs::kernels::ProgramObligation> owed(const Program& before, const Program& after) {
  static proofs::kernels::Prover prover;
  return proofs::kernels::swaps_obligations(before, after, prover);
}
bool all_proved(const std::vector<proofs::kernels::ProgramObligation>& all) {
  return std::all_of(all.begin(), all.end(), [](const auto& o) { return o.standing == Standing::Proved; });
}

}  // namespace

TEST_CASE("a while loop of two rounds gives what it gave, and copies at most once") {
  const Program before = of(until(step + copy)), after = with_swapped_states(before);
  REQUIRE_FALSE(after == before);
  CHECK(check(after).empty());
  for (const int first : {200, 99, 40, 20, 11, 5, 2, 1}) {
    INFO(first);
    const Ran x = ran(before, 0, first), y = ran(after, 0, first);
    CHECK(x.bits == y.bits);
    // A round reads s twice, adds, and writes t for each of five elements, and then looks: two more. A copy moves five.
    const std::int64_t start = 20 + 2, round = 5 * 4 + 2, rounds = (x.counted.work - start) / (round + 10);
    CHECK(x.counted.work == start + rounds * (round + 10));
    CHECK(y.counted.work == start + rounds * round + rounds % 2 * 10);
    CHECK(y.counted.space == x.counted.space);
    CHECK(evaluate(cost(after).work, {{"n", 5}, {"k", 0}, {"#iterations_1", rounds}}) == y.counted.work);
  }
  const Size n = Size::name("n"), rounds = Size::name("#iterations_1");
  CHECK(cost(before).work == Size(4) * n + 2 + rounds * (Size(6) * n + 2));
  CHECK(cost(after).work == Size(4) * n + 2 + rounds * (Size(4) * n + 2) + modulo(rounds, 2) * Size(2) * n);
}

TEST_CASE("a counted loop goes by pairs of rounds, and what is left is one as before") {
  for (const std::string& round : std::vector{step + copy, with_number}) {
    const Program before = of(counted("k", round)), after = with_swapped_states(before);
    REQUIRE_FALSE(after == before);
    CHECK(check(after).empty());
    for (std::int64_t k = 0; k < 7; ++k) {
      INFO(k);
      const Ran x = ran(before, k, 1), y = ran(after, k, 1);
      CHECK(x.bits == y.bits);
      CHECK(y.counted.work == x.counted.work - k / 2 * 2 * 10);
      CHECK(evaluate(cost(after).work, {{"n", 5}, {"k", k}}) == y.counted.work);
    }
  }
  for (const char* extent : {"1", "2", "3", "4"}) {
    INFO(extent);
    const Program before = of(counted(extent, with_number)), after = with_swapped_states(before);
    CHECK(ran(before, 0, 1).bits == ran(after, 0, 1).bits);
    CHECK(is_swapped(before) == (std::string(extent) != "1"));
    std::size_t copies = 0;
    each_statement(after.body, [&](const Stmt& s) {
      const auto* st = std::get_if<Store>(&s.node);
      copies += st && st->buffer == "s" && std::holds_alternative<Load>(st->value.node);
    });
    CHECK(copies == 1 + std::stoul(extent) % 2);  // one to begin with
  }
}

TEST_CASE("loops in the rounds of others, leaves of tuples, results, a block's arrays are swapped, too") {
  const std::string two = "alloc i32 u[n] @global; alloc i32 v[n] @global; for (i < n) { store u[i] = 1i32; } ";
  const std::string inner =
      "for (l < k) { for (i < n) { store v[i] = u[n - 1 - i] +.i32 s[i]; } "
      "for (i < n) { store u[i] = v[i]; } } ";
  const std::string outer = "for (i < n) { store t[i] = s[n - 1 - i] +.i32 u[i]; } " + copy;
  const std::string tuples =
      "for (i < n) { store t[i] = s[n - 1 - i] +.i32 u[i]; store v[i] = u[n - 1 - i] +.i32 s[i]; } "
      "for (i < n) { store s[i] = t[i]; store u[i] = v[i]; } ";
  for (const std::string& body : std::vector<std::string>{
           two + counted("k", inner + outer), two + until(inner + outer), two + until(tuples),
           two + counted("k", tuples),
           "alloc i32 t[n] @global; for (i < n) { store r[i] = d[i]; } for (j < k) { for (i < n) { "
           "store t[i] = r[n - 1 - i]; } for (i < n) { store r[i] = t[i]; } }"}) {
    INFO(body);
    const Program before = of(body), after = with_swapped_states(before);
    REQUIRE_FALSE(after == before);
    CHECK(check(after).empty());
    for (std::int64_t k = 0; k < 5; ++k) CHECK(ran(before, k, 3).bits == ran(after, k, 3).bits);
    const auto all = owed(before, after);
    CHECK(all.size() == (body.find('u') == std::string::npos ? 1 : 2));
    CHECK(all_proved(all));
  }
  const Program block = in_block();
  REQUIRE(is_swapped(block));
  CHECK(all_proved(owed(block, with_swapped_states(block))));
}

TEST_CASE("what is more than a state that is copied back stays as it is") {
  for (const std::string& body : std::vector<std::string>{
           until(step),                                                  // no copy
           until(step + "for (i < n - 1) { store s[i] = t[i]; } "),      // of a part
           until(step + "for (i < n) { store s[n - 1 - i] = t[i]; } "),  // to other places
           until(step + copy + "store s[0] = t[0]; "),                   // used behind the copy
           until(step + copy) + " store r[0] = t[0];",                   // used behind the loop
           counted("i64.i32(d[0])", step + copy),                        // as often as data say
           counted("k", "for (l < i64.i32(d[0])) { } " + step + copy),   // so in it
           counted("k", "while (s[0] <.i32 0i32) { store s[0] = 1i32; } " + step + copy),
           "for (j < k) { alloc i32 s[n] @global; alloc i32 t[n] @global; for (i < n) { store t[i] = 1i32; } "
           "for (i < n) { store s[i] = t[i]; } } for (i < n) { store r[i] = d[i]; }",  // an array of the round's own
           arrays + "while (s[0] <.i32 100i32) { " + step + copy + "} " + result,      // the condition reads it
           "alloc i32 s[n] @global; alloc i32 t[n + 1] @global; for (i < n) { store s[i] = d[i]; } for (j < k) { " +
               step + copy + "} " + result}) {  // an array of another length
    INFO(body);
    CHECK_FALSE(is_swapped(of(body)));
  }
  std::string text = step + copy;
  for (int k = 0; k < 300; ++k) text += "x = x +.i32 1i32; ";
  CHECK_FALSE(is_swapped(of("var i32 x; x = 0i32; " + until(text))));  // a long round
}

TEST_CASE("that rounds swap is proved, and of no mistake") {
  for (const std::string& body :
       std::vector{until(step + copy), counted("k", with_number), counted("5", with_number), std::string()}) {
    INFO(body);
    const Program before = body.empty() ? in_block() : of(body), after = with_swapped_states(before);
    REQUIRE_FALSE(after == before);
    const auto sound = owed(before, after);
    CHECK(sound.size() == 1);
    CHECK(all_proved(sound));
    // each array, extent, index, number, condition and statement by itself
    int at = 0;
    const auto broken = [&](int which) {
      at = 0;
      Program out = after;
      const auto here = [&] { return at++ == which; };
      const auto other = [](const std::string& name) { return name == "s" ? "t" : "s"; };
      const auto off = [](const Expr& x) { return arith(ArithOp::Add, x, constant(1)); };
      out.body = rewritten(after.body, ExprChange([&](const Expr& e) -> Expr {
                             const auto* l = std::get_if<Load>(&e.node);
                             if (l && here()) return {e.type, Load{l->buffer, off(*l->index)}};
                             if (l && l->buffer != "d" && here()) return {e.type, Load{other(l->buffer), l->index}};
                             const auto* v = std::get_if<Var>(&e.node);
                             if (v && e.type == KType{} && here()) return off(e);
                             return e;
                           }));
      out.body = rewritten(out.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                             Stmt changed = s;
                             if (auto* store = std::get_if<Store>(&changed.node)) {
                               if (store->buffer != "r" && here()) store->buffer = other(store->buffer);
                               if (here()) return {};
                             }
                             if (auto* branch = std::get_if<If>(&changed.node))
                               if (here()) std::swap(branch->then, branch->otherwise);
                             if (auto* loop = std::get_if<While>(&changed.node))
                               if (here()) loop->condition = constant(Scalar{ScalarType::Bool, 1});
                             return {changed};
                           }));
      return out;
    };
    CHECK(broken(-1) == after);
    const int all = at;
    CHECK(all > 20);
    for (int k = 0; k < all; ++k) {
      const Program wrong = broken(k);
      INFO(print(wrong));
      CHECK_FALSE(all_proved(owed(before, wrong)));
    }
  }
  // what a round leaves in t another one would find in s
  const Program kept = of(counted("k", "for (i < n) { if (0 < j) { } else { store t[i] = s[n - 1 - i]; } } " + copy));
  REQUIRE(is_swapped(kept));
  CHECK_FALSE(all_proved(owed(kept, with_swapped_states(kept))));
  // what is not copied stands in one of the two
  const auto in_part = [](Program p) {
    p.body = rewritten(p.body, StmtChange([](const Stmt& s) {
                         Stmt out = s;
                         auto* loop = std::get_if<For>(&out.node);
                         const auto* body = loop ? std::get_if<Block>(&loop->body->node) : nullptr;
                         const auto* store = body ? std::get_if<Store>(&body->statements[0].node) : nullptr;
                         const auto* l = store ? std::get_if<Load>(&store->value.node) : nullptr;
                         if (l && store->buffer == "s" && l->buffer == "t")
                           loop->extent = arith(ArithOp::Subtract, loop->extent, constant(1));
                         return std::vector{out};
                       }));
    return p;
  };
  const Program whole = of(until(step + copy));
  CHECK_FALSE(in_part(whole) == whole);
  CHECK_FALSE(all_proved(owed(in_part(whole), in_part(with_swapped_states(whole)))));
  const Program same = of(until(step));
  CHECK(owed(same, same).empty());
}

TEST_CASE("a loop is of two rounds where its last branch leaves the condition as it is") {
  const auto work = [](const std::string& last) {
    return show(cost(of("var bool go; go = d[0] <.i32 1i32; var i32 x; x = 0i32; while (go) { while (go && (k < 1)) { "
                        "go = d[0] <.i32 1i32; } if (go) { while (go && (k < 2)) { go = d[0] <.i32 1i32; } } else { " +
                        last + " } } while (go) { go = d[0] <.i32 1i32; } for (i < n) { store r[i] = x; }"))
                    .work);
  };
  CHECK(work("x = d[0];") == "2*#iterations_1*#iterations_2 + 2*#iterations_3 + n + 2 + #iterations_1%2");
  CHECK(work("go = d[0] <.i32 1i32;") ==
        "2*#iterations_1*#iterations_2 + 2*#iterations_1*#iterations_3 + 2*#iterations_1 + 2*#iterations_4 + n + 2");
}

TEST_CASE("a round of a block has one barrier where it had two, and what ends the loop has none") {
  const auto barriers = [](const Program& p) {
    const Program made = with_barriers(p);
    CHECK(check(made).empty());
    proofs::kernels::Prover prover;
    for (const auto& o : proofs::kernels::kernel_obligations(made, prover))
      if (o.kind == proofs::kernels::ObligationKind::Races || o.kind == proofs::kernels::ObligationKind::Barriers) {
        INFO(o.name << ": " << o.detail);
        CHECK(o.standing == Standing::Proved);
      }
    return gpu_cost(made).kernels.at(0).barriers.n;
  };
  const Program before = in_block();
  CHECK(show(barriers(before)) == "2*#iterations_1 + 1");
  CHECK(show(barriers(with_swapped_states(before))) == "#iterations_1 + 1");
}

}  // namespace swaps_test

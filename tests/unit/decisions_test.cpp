// Decisions that only large programs depended on, each on a program as small as it can be (tests/mutate/decisions says
// which mistakes these find).
#include <catch2/catch.hpp>

#include "codegen/targets/hip.h"
#include "semantics/functional/cost.h"
#include "semantics/imperative/check.h"
#include "semantics/imperative/parse.h"
#include "semantics/imperative/print.h"
#include "semantics/kernel/interleave.h"
#include "semantics/kernel/print.h"
#include "tests/unit/dpia_program.h"
#include "tests/unit/kernel_program.h"
#include "translate/dpia/stage.h"

namespace decisions_test {
using namespace lockstep;
using namespace lockstep::test;
using kernel::dealt_out_from;
using kernel::program_from;
using kernel::Store;

namespace {

PhraseProgram written(const std::string& text) {
  auto p = parse_phrase_program(text, calculus());
  if (!p) FAIL(render(p.error().front()));
  return *std::move(p);
}

DpiaLanguages languages() { return dpia_languages(std::make_shared<const Calculus>(calculus())); }

// Its r, by iterations one after the other with races looked for; or what went wrong.
std::string result(const kernel::Program& p, const SizeValues& sizes, const kernel::Buffers& inputs = {}) {
  const auto out = kernel::run(p, sizes, inputs, ieee_domain(), {.detect_races = true});
  if (!out) {
    const auto* fault = std::get_if<kernel::Fault>(&out.error());
    return fault ? "fault: " + fault->message : "trap: " + std::get<Trap>(out.error()).primitive;
  }
  std::string text;
  for (const Scalar& s : out->at("r")) text += (text.empty() ? "" : " ") + show(s, ieee_domain());
  return text;
}

// Statements of blocks, in order: what an order of barriers is about.
std::string skeleton(const kernel::Stmt& s) {
  using namespace kernel;
  const auto within = [](const char* head, const Stmt& body) {
    return std::string(head) + "{" + skeleton(body) + "} ";
  };
  return match(
      s.node,
      [](const Block& b) {
        std::string out;
        for (const Stmt& x : b.statements) out += skeleton(x);
        return out;
      },
      [](const Declare&) { return std::string("var "); }, [](const kernel::Assign&) { return std::string("assign "); },
      [](const Store&) { return std::string("store "); }, [](const kernel::Atomic&) { return std::string("atomic "); },
      [&](const For& f) { return within("for", *f.body); }, [](const Allocate&) { return std::string(); },
      [&](const ParallelFor& p) {
        return p.level == Level::Local ? std::string("threads ") : within("blocks", *p.body);
      },
      [&](const If& i) { return within("if", *i.then) + within("else", *i.otherwise); },
      [&](const While& w) { return within("while", *w.body); }, [](const Check&) { return std::string("check "); },
      [](const Barrier&) { return std::string("| "); }, [](const Comment&) { return std::string(); },
      [](const Shuffle&) { return std::string("shuffle "); });
}

// The body of a loop over blocks, with t[k] shared by a block's threads, after the stage.
std::string with_barriers(const std::string& body) {
  const std::string text =
      "kernel p(b, k) where 2 <= k input i64 xs[b]; output i64 r[b][k]; { parallel workgroup (g < b) { alloc i64 t[k] "
      "@local; alloc i64 q[k] @private; " +
      body + " } }";
  const kernel::Program p = apply<kernel::Program>(barriers(languages()), program_from(text));
  const std::string found =
      result(p, {{"b", 2}, {"k", 3}}, {{"xs", {make_integer(ScalarType::I64, 1), make_integer(ScalarType::I64, 2)}}});
  if (found.starts_with("fault") && found.find("race") != std::string::npos) return found;
  const std::string all = skeleton(p.body);
  return all.substr(7, all.size() - 10);  // blocks{ }
}

}  // namespace

// ------------------------------------------------------------------------------------------------------ barriers

TEST_CASE("what the first thread stores and all read in a loop has barriers within the loop") {
  CHECK(with_barriers("store t[0] = g; for (i < k) { var i64 a = t[0]; store t[0] = a +.i64 i; }") ==
        "store for{| var | store }");
}

TEST_CASE("a loop or a branch that only reads what threads wrote is one piece behind a barrier") {
  CHECK(with_barriers("parallel local (l < k) { store t[l] = l; } for (i < k) { store r[g * k + i] = t[i]; }") ==
        "threads | for{store }");
  CHECK(with_barriers("parallel local (l < k) { store t[l] = l; } if (xs[g] <.i64 1) { store r[g * k] = t[1]; } else { "
                      "store r[g * k] = t[0]; }") == "threads | if{store } else{store }");
}

TEST_CASE("a loop with threads within has its own barriers") {
  CHECK(with_barriers("for (q < k) { parallel local (l < k) { store t[l] = q; } store r[g * k + q] = t[1]; }") ==
        "for{| threads | store }");
  // The first thread reads what it wrote itself.
  CHECK(with_barriers("for (q < k) { parallel local (l < k) { store t[l] = q; } store r[g * k + q] = t[0]; }") ==
        "for{threads store }");
}

TEST_CASE("threads that touch other memory need no barrier between them") {
  CHECK(
      with_barriers("parallel local (l < k) { store t[l] = l; } parallel local (l < k) { store r[g * k + l] = l; }") ==
      "threads threads");
  CHECK(with_barriers(
            "parallel local (l < k) { store t[l] = l; } parallel local (l < k) { store r[g * k + l] = t[k - l - 1]; "
            "}") == "threads | threads");
  CHECK(with_barriers(
            "parallel local (l < k) { store t[l] = l; } parallel local (l < k) { store r[g * k + l] = t[l]; }") ==
        "threads threads");
}

TEST_CASE("a thread's own memory is nobody else's") {
  CHECK(with_barriers("store q[0] = g; for (i < k) { store q[0] = q[0] +.i64 1; } store r[g * k] = q[0];") ==
        "store for{store } store");
}

// ------------------------------------------------------------------------------------------------- lift, hoist, paths

TEST_CASE("what is allocated within two loops has a part for each pair of their iterations") {
  const kernel::Program p = apply<kernel::Program>(
      lift(languages().kernel),
      program_from(
          "kernel p(n, m) output i64 r[n][m]; parallel par (i < n) parallel par (j < m) { alloc i64 t[2] @global; "
          "store t[0] = i * 10 + j; store t[1] = 7; store r[i * m + j] = t[0]; }"));
  CHECK(result(p, {{"n", 2}, {"m", 3}}) == "0 1 2 10 11 12");
}

TEST_CASE("a number outside the lanes of a variable, which only code after a trap reads, becomes a lane") {
  for (const std::string lane : {"3", "4", "7"}) {
    const PhraseProgram p = written(
        "program f (x : i32) : i32 -> output =\n  new{}{i32<4>}(\\v. v.1 := splat{4}{i32}(x); output := "
        "idx{4}{i32}(lanes{4}{i32}(v.2), {" +
        lane + " < 8}))");
    const std::string text = kernel::print(apply<kernel::Program>(paths(languages(), Machine::Cpu), p));
    INFO(text);
    CHECK(text.find(lane == "3" ? "lane(v, 3)" : "lane(v, 0)") != std::string::npos);
  }
}

TEST_CASE("an array that a block's threads write is the block's as long as it fits, and then the machine's") {
  const auto hoisted = [](const std::string& size) {
    const DpiaTrace t = dpia_trace(entry("fun f [n] (xs : [n*" + size + "]f32) : [n*" + size +
                                         "]f32 = join (mapWorkgroup (\\row -> let t = mapLocal (\\x -> x + 1) row in "
                                         "mapLocal (\\x -> x * 2) (reverse "
                                         "t)) (split " +
                                         size + " xs))"),
                                   calculus(), Machine::Gpu);
    return print(t.after("hoist")->as<PhraseProgram>());
  };
  CHECK(hoisted("1024").find("newLocal [1024]f32") != std::string::npos);
  CHECK(hoisted("1025").find("newGlobal [n][1025]f32") != std::string::npos);
}

// -------------------------------------------------------------------------------------------- what may stop a program

TEST_CASE("soundness A2: a branch with a division of short vectors is taken only where it is chosen") {
  const PhraseProgram p = entry(
      "fun f [n] (b : bool) (xs : [4*n]i32) : [4*n]i32 =\n"
      "  asScalar (map (\\v -> if b then v / v else v) (asVector 4 xs))");
  const kernel::Program k = dpia_trace(p, calculus(), Machine::Cpu).kernel();
  const std::vector<Scalar> zeros(4, make_integer(ScalarType::I32, 0));
  const auto at = [&](bool b) {
    const auto out = kernel::run(k, {{"n", 1}}, {{"xs", zeros}, {"b", {make_bool(b)}}}, ieee_domain(), {});
    return out.has_value();
  };
  CHECK(at(false));
  CHECK_FALSE(at(true));
}

TEST_CASE("after a trap no other iteration begins") {
  const kernel::Program p = program_from(
      "kernel p(n) output i64 r[n]; parallel par (i < n) { check (1 <= i) \"!\" \"index {0}\" (i); store r[i + n] = i; "
      "}");
  for (const kernel::Interleaving order : {kernel::Interleaving::Forward, kernel::Interleaving::Turns}) {
    kernel::InterleaveOptions one_at_a_time;
    one_at_a_time.order = order;
    one_at_a_time.live = 1;
    const auto out = kernel::run_interleaved(p, {{"n", 3}}, {}, ieee_domain(), one_at_a_time);
    REQUIRE_FALSE(out);
    CHECK(std::holds_alternative<Trap>(out.error()));
  }
}

TEST_CASE("a scatter outside tells the length of what it writes to, not of its indices") {
  const PhraseProgram p = entry("fun f [n] (is : [n]i64) (xs : [n]i32) : [7]i32 = scatter (replicate 7 0) is xs");
  const kernel::Program k = dpia_trace(p, calculus(), Machine::Cpu).kernel();
  const auto out = kernel::run(k, {{"n", 1}},
                               {{"is", {make_integer(ScalarType::I64, 9)}}, {"xs", {make_integer(ScalarType::I32, 1)}}},
                               ieee_domain(), {});
  REQUIRE_FALSE(out);
  CHECK(std::get<Trap>(out.error()).message == "index 9 is outside [0, 7)");
}

// ------------------------------------------------------------------------------------------------------ types, costs

TEST_CASE("DPIA Fig. 3: a function that is passive is not written as one that need not be") {
  const PhraseType number = exp_type(scalar(ScalarType::F32)), passive = phrase_function(number, number, true),
                   active = phrase_function(number, number);
  PhraseProgram p = written("program f (x : f32) : f32 -> output = output := x");
  const auto with = [&](const PhraseType& carried) {
    const PhraseRef body = apply(ident("g", carried), ident("x", number));
    const PhraseRef g = lambda("g", passive, body), identity = lambda("y", number, ident("y", number), true);
    PhraseProgram q = p;
    q.body = assign(ident("output", acc_type(scalar(ScalarType::F32))),
                    PhraseRef(Phrase{number, ApplyPhrase{g, identity}, {}}));
    const auto checked = check_program(q, {});
    return checked ? std::string() : checked.error().front().message;
  };
  CHECK(with(passive) == "");
  CHECK(with(active).starts_with("the phrase carries the type"));
}

namespace {
void collect_binders(const Phrase& p, std::multiset<std::string>& into) {
  if (const auto* l = as<LambdaPhrase>(p)) into.insert(l->name);
  for_each_child(p, [&](const PhraseRef& c) { collect_binders(*c, into); });
}
}  // namespace

TEST_CASE("a condition that stands before its loop and in it binds other names each time") {
  const DpiaTrace t =
      dpia_trace(entry("fun f [n] (xs : [n]i32) (x : i32) : i32 =\n"
                       "  while (\\y -> reduce (+) 0 (reverse (map (\\z -> z * y) xs)) < 9) (\\y -> y + 1) x"),
                 calculus(), Machine::Cpu);
  std::multiset<std::string> names;
  collect_binders(*t.after("loops")->as<PhraseProgram>().body, names);
  CHECK(names.size() >= 6);
  for (const std::string& n : names) {
    INFO(n);
    CHECK(names.count(n) == 1);
  }
}

TEST_CASE("a gather is read through its indices, and its check looks at each of them") {
  const auto of = [](const std::string& body) {
    return show(cost(entry("fun f [n] (is : [n]i64) (xs : [n]f32) : [n]f32 = map (\\x -> x + 1) (" + body + ")")).work);
  };
  const std::string plain = of("xs"), gathered = of("gather is xs");
  INFO(plain << " and " << gathered);
  CHECK(gathered == "10*n");  // the check: three operators, two reads; the copy reads through the indices
  CHECK(plain == "3*n");
}

TEST_CASE("the depth of a while loop counts its condition") {
  const auto depth = [](const std::string& condition) {
    return show(cost(entry("fun f (x : i32) : i32 = while (\\y -> " + condition + ") (\\y -> y + 1) x")).depth);
  };
  CHECK(depth("y < 9") != depth("y * y < 9"));
}

// ------------------------------------------------------------------------------------------------------------ HIP

TEST_CASE("soundness A14: a loop on the host ends where its condition does not hold") {
  const HipText t = hip_text(hosted(dealt_out_from(
      "kernel p(n) input bool b[1]; output f32 r[n]; while (b[0]) parallel global (i < n) store r[i] = 1f32;")));
  const std::size_t loop = t.host.find("while (true)"), leaves = t.host.find("break;", loop);
  REQUIRE(leaves != std::string::npos);
  const std::string test = t.host.substr(t.host.rfind('\n', leaves) + 1);
  INFO(t.host.substr(loop, leaves - loop));
  CHECK(test.find("if (!") == test.find_first_not_of(' '));
}

TEST_CASE("soundness A14: the threads of a block do not leave an iteration before its barrier") {
  const HipText t = hip_text(
      hosted(dealt_out_from("kernel p(n) input f32 xs[n]; output f32 r[n]; parallel workgroup (g < n) { check (g < 9) "
                            "\"!\" \"\" (g); parallel "
                            "local (l < 4) { check (l < 9) \"!\" \"\" (l); store r[g] = xs[l]; } }")));
  const std::string stops = "if (is_stopped(trap)) continue;";
  const std::size_t blocks = t.kernel.find("for (int64_t g_"), threads = t.kernel.find("for (int64_t l_");
  REQUIRE(blocks < threads);
  CHECK(t.kernel.find(stops) > threads);
  CHECK(t.kernel.find(stops) != std::string::npos);
}

}  // namespace decisions_test

// The located machine of FCL (Dybdal et al., §5.2; fcl.md §2): under every schedule and on machines of every size it
// gives what the meaning without levels gives; every term on the way has the type of the first (Prop. 1), and each that
// is no value goes on, or traps (Prop. 2).
#include <catch2/catch.hpp>

#include "props/fcl/propositions.h"
#include "semantics/fcl/step.h"
#include "tests/unit/fcl_program.h"

namespace fcl_step_test {
using namespace lockstep;
using fcl::Expr;

namespace {

std::vector<Expr> terms_of(const std::vector<std::string>& arguments) {
  std::vector<Expr> out;
  for (const std::string& a : arguments)
    out.push_back(*fcl::parse_program(test::fcl_source("fun a = " + a))->definitions[0].body);
  return out;
}

std::string on_one_line(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  return out;
}

struct Outcome {
  std::string text;
  std::size_t steps = 0;
  std::string trap{};  // which
};
Outcome run(const std::string& text, const std::vector<std::string>& arguments, const fcl::Machine& machine,
            const fcl::Schedule& schedule, Launch launch, bool types, const fcl::PrintedRules& printed = {}) {
  const fcl::Inferred program = test::fcl_program(text);
  const std::string name = program.program.definitions.back().name;
  std::map<std::string, fcl::Level> levels;
  for (const fcl::Parameter& p : program.program.definitions.back().parameters)
    if (p.is_level) levels[p.name] = fcl::block_level;
  fcl::Stepping m(program, name, terms_of(arguments), levels, launch, machine, schedule, printed);
  Outcome out;
  if (types) {
    fcl::Stepping again(program, name, terms_of(arguments), levels, launch, machine, schedule, printed);
    props::fcl::TermTypes of(program);
    const props::fcl::TypedRun typed = props::fcl::typed_run(again, of, 100'000);
    INFO(typed.wrong);
    CHECK(typed.property.empty());
  }
  try {
    for (; !m.is_value(); ++out.steps) {
      if (out.steps > 100'000 || !m.step()) return {"stuck at " + fcl::print(m.term()), out.steps};
    }
    out.text = on_one_line(fcl::print(m.term()));
  } catch (const TrapSignal& s) {
    out.text = "trap", out.trap = s.trap.primitive;
  }
  return out;
}

// What it gives under all schedules and on several machines; "differs" where that is not one.
std::string everywhere(const std::string& text, const std::vector<std::string>& arguments = {}, Launch launch = {}) {
  std::string expected = test::fcl_run(text, arguments, {.launch = launch});
  if (expected.starts_with("trap")) expected = "trap";
  bool types = true;
  for (const fcl::Machine machine : {fcl::Machine{1, 1, 1}, {2, 1, 1}, {2, 2, 1}, {1, 2, 2}, {3, 2, 2}})
    for (const fcl::Order order :
         {fcl::Order::LockStep, fcl::Order::FirstAhead, fcl::Order::Reverse, fcl::Order::Drawn}) {
      const Outcome found = run(text, arguments, machine, {order, 7}, launch, std::exchange(types, false));
      INFO(text);
      CHECK(found.text == expected);
    }
  return expected;
}

}  // namespace

TEST_CASE("the paper's programs give the same under every schedule, and keep their types") {
  CHECK(everywhere(test::fcl_example("reverse"), {"2", "[1,2,3,4]"}) == "[4, 3, 2, 1]");
  CHECK(everywhere(test::fcl_example("reverse"), {"2", "[1,2,3]"}) == "trap");
  CHECK(everywhere(test::fcl_example("transpose"), {"1", "3", "2", "[0,1,2,3,4,5]"}) == "[0, 3, 1, 4, 2, 5]");
  CHECK(everywhere(test::fcl_example("reduction"), {"[1,2,3,4,5,6,7,8]"}, {.block = 2}) == "[10, 26]");
}

TEST_CASE("every construct goes on") {
  CHECK(everywhere("fun f xs = foldl (fn a b => a * 10 + b) 0 xs", {"[1,2,3]"}) == "[123]");
  CHECK(everywhere("fun f xs = scanl (+) 1 xs", {"[1,2]"}) == "[1, 2, 4]");
  CHECK(everywhere("fun f xs = reduce <block> (+) 0 xs", {"[1,2,3]"}) == "[6]");
  CHECK(everywhere("fun f xs = push <grid> (map (fn x => index (force (push <thread> [x, x * 2])) 1) xs)", {"[1,2]"}) ==
        "[2, 4]");
  CHECK(everywhere(
            "fun f xs = splitUp 2 xs |> map (fn c => push <warp> (force (push <warp> (reverse c)))) |> concat 2 |> "
            "mapPush (fn x => (x, x > 2))",
            {"[1,2,3,4]"}) == "[(2, false), (1, false), (4, true), (3, true)]");
  CHECK(everywhere("fun f c xs = if c && length xs > 1 then push <grid> xs else push <grid> (reverse xs)",
                   {"true", "[1,2]"}) == "[1, 2]");
  CHECK(everywhere("fun f xs = push <grid> (map (fn x => double x / 2.0 - abs (-1.5)) xs)", {"[1,2]"}) ==
        "[-1.0, -0.5]");
  CHECK(everywhere("fun f xs = push <grid> (map (fn x => 7 / x) xs)", {"[1,0]"}) == "trap");
  CHECK(everywhere("fun f n = concat 1 (generate n (fn i => push <block> (generate 1 (fn j => #BlockSize + i))))",
                   {"2"}) == "[256, 257]");
  CHECK(everywhere("fun f n = concat 1 (generate n (fn i => push <block> (generate 1 (fn j => j))))", {"0"}) == "[]");
}

TEST_CASE("errata: terms that the paper's rules leave stuck (Prop. 2)") {
  // 5: an element that is a value beside one that is none; more elements than threads; a literal chunk
  CHECK(everywhere("fun f = push <warp> [1, 1 + 1]") == "[1, 2]");
  CHECK(everywhere("fun f = push <warp> (generate 33 (fn i => i))").ends_with("31, 32]"));
  CHECK(everywhere("fun f = concat 1 [push <thread> [7]]") == "[7]");
  // 6: an element that is materialised by a warp is no element of one: what is of one thread is
  CHECK(everywhere("fun f = push <warp> [index (force (push <thread> [1 + 0])) 0]") == "[1]");
  // 4: chunks of other lengths
  CHECK(everywhere("fun f = concat 1 [push <thread> [7, 8], push <thread> [9]]") == "trap");
  CHECK(everywhere("fun f = concat 2 [push <thread> [7]]") == "trap");
}

TEST_CASE("the rules as the paper prints them are refuted by these terms") {
  const auto printed = [](const std::string& text, const fcl::PrintedRules& rules) {
    return run(text, {}, {2, 2, 2}, {}, {}, false, rules).text;
  };
  // (41)
  CHECK(printed("fun f = push <warp> [0 + 1, 1 + 1]", {.elements = true}) == "[1, 2]");
  CHECK(printed("fun f = push <warp> [1, 1 + 1]", {.elements = true}).starts_with("stuck"));
  CHECK(printed("fun f = push <warp> (generate 33 (fn i => i))", {.elements = true}).starts_with("stuck"));
  CHECK(printed("fun f = push <block> (generate 4 (fn i => i))", {.elements = true}).starts_with("stuck"));  // 2 warps
  // (42): two writes to place 1 in code
  CHECK(printed("fun f = concat 1 [push <thread> [7, 8], push <thread> [9]]", {.chunks = true}) == "[7, 8, 9]");
  CHECK(printed("fun f = concat 1 [push <thread> [7, 8], push <thread> [9]]", {}) == "trap");
}

TEST_CASE("terms that keep no type, or stand too low, refute a proposition") {
  const auto refuted = [](const std::string& text, const fcl::PrintedTypes& printed = {}) {
    const auto program = fcl::typed(*fcl::parse_program(test::fcl_source("fun f = " + text)), printed);
    INFO((program ? "" : program.error().front().message));
    REQUIRE(program);
    fcl::Stepping machine(*program, "f", {}, {}, {}, {2, 2, 2}, {});
    props::fcl::TermTypes types(*program, printed);
    return props::fcl::typed_run(machine, types, 1000).property;
  };
  CHECK(refuted("push <grid> [1 + 1]") == "");
  CHECK(refuted("push <grid> [index [1] 2]") == "");  // a trap
  // 7: a grid in a block, 6: a warp in a thread
  CHECK(refuted("let g = fn a => force (push <grid> a) in concat 1 (map (fn x => push <block> (g [x])) [1])") ==
        "preservation");
  CHECK(refuted("push <warp> [index (force (push <warp> [1 + 0])) 0]") == "preservation");
  CHECK(refuted("concat 1 [push <block> (force (push <block> [1]))]") == "");
  CHECK(refuted("let g = fn x => let y = x in (y + 1, !y) in push <grid> [fst (g 1)]", {.environment = true}) ==
        "preservation");
  CHECK(refuted("let fs = force (push <grid> [fn x => x]) in push <grid> [index fs 0 1]", {.formation = true}) ==
        "progress");
}

TEST_CASE("a loop's rounds have no more elements than the first, and may have as many as that again") {
  CHECK(
      everywhere("fun f = let a = while (fn a => length a < 5) (fn a => push <grid> (append a a)) (push <grid> [1]) in "
                 "push <grid> [index a 0]") == "trap");
  CHECK(
      everywhere("fun f = let a = while (fn a => index a 0 < 3) (fn a => push <grid> (if length a == 2 then [1 + index "
                 "a 0] else [1 + index a 0, 7])) (push <grid> [1, 1]) in push <grid> a") == "[3, 7]");
}

TEST_CASE("an assertion fails before what it is of is evaluated") {
  CHECK(run("fun f n = push <grid> [assert (n > 0) (1 / n)]", {"0"}, {}, {}, {}, true).trap == "assert");
  CHECK(run("fun f n = push <grid> [assert (n == 0) (1 / n)]", {"0"}, {}, {}, {}, true).trap == "/");
}

TEST_CASE("what stands too low has no rule") {
  const auto stuck = [](const std::string& text) { return run(text, {}, {2, 2, 2}, {}, {}, false).text; };
  CHECK(stuck("fun f = push <warp> [index (force (push <warp> [1 + 0])) 0]").starts_with("stuck"));
  CHECK(stuck("fun f = push <warp> [index (force (concat 1 [push <thread> [1 + 0]])) 0]").starts_with("stuck"));
  CHECK(stuck("fun f = concat 1 [push <block> (force (push <grid> [1 + 0]))]").starts_with("stuck"));
  CHECK(stuck("fun f = concat 1 [push <block> (force (push <block> [1 + 0]))]") == "[1]");
}

TEST_CASE("in lock step threads go on together, so that there are fewer steps") {
  const std::string text = "fun f xs = push <grid> (map (fn x => x * x + 1) xs)";
  const std::vector<std::string> xs = {"[1,2,3,4,5,6,7,8]"};
  const auto steps = [&](const fcl::Machine& m, fcl::Order o) { return run(text, xs, m, {o, 1}, {}, false).steps; };
  const std::size_t alone = steps({1, 1, 1}, fcl::Order::LockStep);
  CHECK(steps({2, 1, 1}, fcl::Order::LockStep) < alone);
  CHECK(steps({2, 2, 2}, fcl::Order::LockStep) < steps({2, 1, 1}, fcl::Order::LockStep));
  CHECK(steps({2, 2, 2}, fcl::Order::FirstAhead) == alone);
}

}  // namespace fcl_step_test

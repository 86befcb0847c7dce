// Fig. 3: what the rules accept, and each rule refusing once.
#include <catch2/catch.hpp>

#include "semantics/imperative/check.h"
#include "semantics/imperative/parse.h"
#include "semantics/imperative/print.h"

namespace imperative_check_test {
using namespace lockstep;

namespace {

const Calculus& calculus() {
  static const Calculus c = standard_calculus();
  return c;
}

PhraseProgram parsed(const std::string& text) {
  auto p = parse_phrase_program(text, calculus());
  if (!p) FAIL(render(p.error().front()));
  return *p;
}

// The first complaint, or "" where there is none.
std::string complaint(const PhraseProgram& p, const CheckOptions& options = {}) {
  const auto result = check_program(p, options);
  return result ? "" : result.error().front().message;
}
std::string complaint(const std::string& text, const CheckOptions& options = {}) {
  return complaint(parsed(text), options);
}

}  // namespace

TEST_CASE("the loops of a dot product are well typed") {
  CHECK(complaint(R"(program dot [n] (xs : [n]f32) (ys : [n]f32) : f32 -> output =
    new{}{[n]f32}(\tmp.
      parforPar{n}{f32}(tmp.1, \i o. o := idx{n}{f32}(xs, i) * idx{n}{f32}(ys, i));
      new{}{f32}(\acc.
        acc.1 := 0f32;
        for{n}{}(\j. new{}{f32}(\next. next.1 := idx{n}{f32}(tmp.2, j) + acc.2; acc.1 := next.2));
        output := acc.2)))") == "");
}

TEST_CASE("a parallel loop that writes one place from every iteration breaks Promote") {
  CHECK(complaint(R"(program racy [n] (xs : [n]f32) : f32 -> b =
    new{}{[n]f32}(\a. parforPar{n}{f32}(a.1, \i o. b := idx{n}{f32}(xs, i))))") ==
        "Promote: `b` is used actively by a function that must be passive (->p)");
}

TEST_CASE("the same body is fine in a sequential loop, and where the machine runs the level sequentially") {
  CHECK(complaint(R"(program last [n] (xs : [n]f32) : f32 -> b =
    for{n}{}(\i. b := idx{n}{f32}(xs, i)))") == "");
  const std::string local = R"(program last [n] (xs : [n]f32) : f32 -> b =
    new{}{[n]f32}(\a. parforLocal{n}{f32}(a.1, \i o. b := idx{n}{f32}(xs, i))))";
  CHECK(complaint(local) != "");
  CHECK(complaint(local, {.sequential = {Level::Local}}) == "");
}

TEST_CASE("reduceI of the paper, its step a function phrase on one variable, breaks App") {
  CHECK(complaint(R"(program sum [n] (xs : [n]f32) : f32 -> output =
    (\(f : exp[f32] -> exp[f32] -> acc[f32] -> comm).
      new{}{f32}(\acc.
        acc.1 := 0f32;
        for{n}{}(\i. f idx{n}{f32}(xs, i) acc.2 acc.1);
        output := acc.2))
    (\(x : exp[f32]) (y : exp[f32]) (o : acc[f32]). o := x + y))") ==
        "App: `acc` is used actively by its argument and also by the function");
}

TEST_CASE("after beta it breaks mapI where the state is an array, and is a product where it is a scalar") {
  CHECK(complaint(R"(program sum [n m] (xs : [n][m]f32) : [m]f32 -> output =
    new{}{[m]f32}(\acc. for{n}{}(\i. mapI{m}{f32, f32}(\x o. o := x, acc.2, acc.1))))") ==
        "mapI: `acc` is used actively by argument 3 and also by argument 2");
  CHECK(complaint(R"(program sum [n] (xs : [n]f32) : f32 -> output =
    new{}{f32}(\acc. for{n}{}(\i. acc.1 := idx{n}{f32}(xs, i) + acc.2); output := acc.2))") == "");
}

TEST_CASE("two groups of arguments must not share what one of them writes") {
  CHECK(complaint(R"(program twice [n] (is : [n]i64) : [n]f32 -> output =
    new{}{[n]f32}(\tmp. scatterI{n, n}{f32}(is, tmp.2, tmp.1)))") ==
        "scatterI: `tmp` is used actively by argument 3 and also by argument 2");
}

TEST_CASE("if chooses between expressions of its type, by a bool") {
  const auto chosen = [](const std::string& parts) {
    return complaint("program f (b : bool) (x : f32) (n : i32) : f32 -> o = o := if{}{f32}(" + parts + ")");
  };
  CHECK(chosen("b, x, x") == "");
  CHECK(chosen("n, x, x") == "If: the condition has the type exp[i32]");
  CHECK(chosen("b, n, x") == "If: the branch after then has the type exp[i32]");
  CHECK(chosen("b, x, n") == "If: the branch after else has the type exp[i32]");
}

TEST_CASE("an acceptor of another type is refused") {
  CHECK(complaint(R"(program swap [n] (xs : [n]f32) : [n]f32 -> output =
    mapI{n}{f32, f32}(\x o. o := x, xs, zipAcc1{n}{f32, f32}(output)))") ==
        "Prim: argument 1 of `zipAcc1` has the type acc[[n]f32]");
}

TEST_CASE("a type that stands in a node and is not the phrase's is reported") {
  PhraseProgram p = parsed("program id (x : f32) : f32 -> output = output := x + 1f32");
  const auto& assignment = *as<ImpPhrase>(*p.body);
  ImpPhrase changed = assignment;
  changed.arguments[1] = Phrase{exp_type(scalar(ScalarType::F64)), assignment.arguments[1]->node};
  p.body = phrase_of(std::move(changed));
  CHECK(complaint(p) == "the phrase carries the type exp[f64] but has the type exp[f32]");
}

TEST_CASE("an identifier that nothing binds is reported") {
  PhraseProgram p = parsed("program id (x : f32) : f32 -> output = output := x");
  p.parameters.clear();
  CHECK(complaint(p) == "Var: the identifier `x` is not bound");
}

TEST_CASE("assignment is at scalars") {
  CHECK(complaint("program id [n] (x : [n]f32) : [n]f32 -> output = output := x") == ":= at the type [n]f32");
}

TEST_CASE("types are equal when their sizes are equal under the facts") {
  const std::string body =
      R"( -> output = mapI{n}{f32, f32}(\x o. o := x, join{n/4, 4}{f32}(split{4, n/4}{f32}(xs)), output))";
  CHECK(complaint("program id [n] (xs : [n]f32) : [n]f32 where n % 4 == 0" + body) == "");
  CHECK(complaint("program id [n] (xs : [n]f32) : [n]f32" + body) != "");
}

TEST_CASE("a hoisted array is written at the loop's own index only") {
  const auto program = [](const std::string& write, const std::string& read) {
    return "program hoisted [n] (xs : [n]f32) : [n]f32 -> output =\n"
           "  new{}{[n]f32}(\\tmp. parforPar{n}{f32}(output, \\i o. idxAcc{n}{f32}(" +
           write + ") := 1f32; o := idx{n}{f32}(" + read + ")))";
  };
  CHECK(complaint(program("tmp.1, i", "tmp.2, i")) != "");
  CHECK(complaint(program("tmp.1, i", "tmp.2, i"), {.own_elements = true}) == "");
  CHECK(complaint(program("tmp.1, i", "reverse{n}{f32}(tmp.2), i"), {.own_elements = true}) != "");
  CHECK(complaint(program("reverseAcc{n}{f32}(tmp.1), i", "tmp.2, i"), {.own_elements = true}) != "");
}

TEST_CASE("an element of the data is no place of its own, even where it is an index") {
  CHECK(complaint(R"(program mapped [n] (xs : [n]idx(n)) : [n]f32 -> output =
    new{}{[n]f32}(\tmp. mapIPar{n}{idx(n), f32}(\i o. idxAcc{n}{f32}(tmp.1, i) := 1f32; o := 1f32, xs, output)))",
                  {.own_elements = true}) != "");
}

// ------------------------------------------------------------------------------------------ spaces and levels
namespace {

// A program of a matrix a to a matrix out, after hoisting.
std::string placed(const std::string& body) {
  return complaint("program p [n] (a : [n][4]f32) : [n][4]f32 -> out =\n" + body,
                   {.own_elements = true, .chosen_spaces = true});
}
// A block writes its row, what it has in `space` before that.
std::string in_block(const std::string& before, const std::string& read) {
  return placed("parforWorkgroup{n}{[4]f32}(out, \\g o. " + before + " parforLocal{4}{f32}(o, \\l p. p := " + read +
                "))");
}
const std::string row = "idx{4}{f32}(idx{n}{[4]f32}(a, g), l)";
// Each of a block's threads writes its element of v.
std::string threads_write(const std::string& v) {
  return "parforLocal{4}{f32}(" + v + ".1, \\k q. q := idx{4}{f32}(idx{n}{[4]f32}(a, g), k)); ";
}

}  // namespace

TEST_CASE("a block's array is local, a thread's private, and what blocks read is global") {
  CHECK(in_block("newLocal{}{[4]f32}(\\t. " + threads_write("t"), "idx{4}{f32}(t.2, l))") == "");
  CHECK(in_block("newPrivate{}{f32}(\\t. t.1 := 2f32;", "t.2)") == "");
  CHECK(in_block("", row) == "");
  CHECK(placed("newGlobal{}{f32}(\\s. s.1 := 2f32; parforGlobal{n}{[4]f32}(out, \\g o. for{4}{}(\\k. "
               "idxAcc{4}{f32}(o, k) := s.2)))") == "");
  CHECK(placed("newPrivate{}{f32}(\\s. s.1 := 2f32; parforPar{n}{[4]f32}(out, \\g o. for{4}{}(\\k. "
               "idxAcc{4}{f32}(o, k) := s.2)))") == "");  // the threads of a CPU have one memory
}

TEST_CASE("what is local outlives no block") {
  const auto outside = [](const std::string& read) {
    return placed("newLocal{}{[4]f32}(\\t. parforWorkgroup{n}{[4]f32}(out, \\g o. parforLocal{4}{f32}(o, \\l p. p := " +
                  read + ")))");
  };
  CHECK(
      outside(row) ==
      "Space: newLocal is in the memory of a block, but stands outside every parallel loop: newGlobal could stand, or "
      "parforWorkgroup around it");
  CHECK(outside("idx{4}{f32}(t.2, l)") ==
        "Space: `t` is in the memory of a block, which ends before parforWorkgroup over `g` begins others: newGlobal "
        "could stand");
  CHECK(placed("parforGlobal{n}{[4]f32}(out, \\g o. newLocal{}{f32}(\\t. t.1 := 1f32; for{4}{}(\\k. idxAcc{4}{f32}(o, "
               "k) := t.2)))") ==
        "Space: newLocal is in the memory of a block, but stands in parforGlobal over `g` and in no block: newGlobal "
        "could stand, or parforWorkgroup around it");
}

TEST_CASE("a variable that is given to a loop over blocks is in no block's memory") {
  const auto blocks = [](const std::string& space) {
    return complaint("program p [n] (a : [n]f32) : [n]f32 -> out =\n(\\(v : var@" + space +
                         "[[n]f32]). parforWorkgroup{n}{f32}(v.1, \\g o. o := idx{n}{f32}(a, g))) (< out, a >)",
                     {.own_elements = true, .chosen_spaces = true});
  };
  CHECK(
      blocks("Local").find("Space: `v` is in the memory of a block, which ends before parforWorkgroup over `g` begins "
                           "others: newGlobal could stand") == 0);
  CHECK(blocks("Global").find("Space:") == std::string::npos);
}

TEST_CASE("what is private is used by no other thread") {
  CHECK(placed("newPrivate{}{f32}(\\s. s.1 := 2f32; parforGlobal{n}{[4]f32}(out, \\g o. for{4}{}(\\k. "
               "idxAcc{4}{f32}(o, k) := s.2)))") ==
        "Space: `s` is private to the thread outside parforGlobal over `g`, whose threads read it: newGlobal could "
        "stand");
  CHECK(in_block("newPrivate{}{[4]f32}(\\t. " + threads_write("t"), "idx{4}{f32}(t.2, l))") ==
        "Space: `t` is private, each thread has its own, and parforLocal over `k` writes it for the others: newLocal "
        "could stand");
  // Before hoisting it is a wish.
  CHECK(complaint("program p [n] (a : [n]f32) : [n]f32 -> out = newPrivate{}{f32}(\\s. s.1 := 2f32; "
                  "parforGlobal{n}{f32}(out, \\g o. o := s.2))") == "");
}

TEST_CASE("a pointer of one space is not read as one of another") {
  const auto read_as = [](const std::string& parameter) {
    return in_block("newLocal{}{[4]f32}(\\t. " + threads_write("t") + "(\\(v : exp" + parameter +
                        "[[4]f32]). parforLocal{4}{f32}(o, \\m r. r := idx{4}{f32}(v, m))) t.2; ",
                    "idx{4}{f32}(t.2, l))");
  };
  CHECK(read_as("@Local") == "");
  CHECK(read_as("@Global") == "App: the argument has the type exp@Local[[4]f32]");
  CHECK(read_as("") ==
        "App: the argument has the type exp@Local[[4]f32], the parameter exp[[4]f32], which says no space");
  CHECK(placed("newLocal{}{f32}(\\(t : var@Global[f32]). t.1 := 1f32)").find("Prim: argument 1 of `new`") == 0);
  CHECK(in_block("newLocal{}{f32}(\\(t : var[f32]). t.1 := 1f32);", row) ==
        "Space: the variable of newLocal is acc@Local[f32] x exp@Local[f32], and its binder says no space: acc[f32] x "
        "exp[f32]");
}

TEST_CASE("loops nest as the machine does") {
  const auto nested = [](const std::string& outer, const std::string& inner) {
    return placed(outer + "{n}{[4]f32}(out, \\g o. " + inner + "{4}{f32}(o, \\l p. p := " + row + "))");
  };
  CHECK(nested("parforWorkgroup", "parforLocal") == "");
  CHECK(nested("parforWorkgroup", "parforWorkgroup") ==
        "Level: parforWorkgroup over `l` stands in parforWorkgroup over `g`, where parforWarp, parforLocal, or a "
        "sequential loop could stand");
  CHECK(nested("parforGlobal", "parforLocal") ==
        "Level: parforLocal over `l` stands in parforGlobal over `g`, where a sequential loop could stand");
  CHECK(placed("parforWarp{n}{[4]f32}(out, \\g o. for{4}{}(\\k. idxAcc{4}{f32}(o, k) := 1f32))")
            .find("Level: parforWarp over `g` runs over the warps of a block, but stands in no block") == 0);
}

TEST_CASE("spaces are printed and read back") {
  for (const char* type : {"exp@Local[[n]f32]", "acc@Global[f32]", "exp@Private[i64]", "exp[f32]"}) {
    const PhraseProgram p = parsed("program p [n] : f32 -> out = (\\(f : (" + std::string(type) +
                                   ") -> comm). skip{}{}()) (\\(v : " + type + "). skip{}{}())");
    const std::string text = print(p, {.annotate = true});
    CHECK(text.find(type) != std::string::npos);
    CHECK(*parsed(text).body == *p.body);
  }
  const std::string var =
      print(parsed("program p : f32 -> out = (\\(v : var@Local[f32]). skip{}{}()) (< out, out >)"), {.annotate = true});
  CHECK(var.find("(v : var@Local[f32])") != std::string::npos);
}

}  // namespace imperative_check_test

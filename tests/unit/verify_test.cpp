// verify on programs that are right, and on calculi with one rule wrong: it must say no, and name the stage.
#include <catch2/catch.hpp>

#include "props/verify.h"
#include "tests/unit/dpia_program.h"

using namespace lockstep;

namespace {

props::VerifyReport verified(const std::string& text, const Calculus& calculus) {
  const auto e = test::elaborated(text, calculus);
  REQUIRE(e.has_value());
  return props::verify(e->entries.back(), calculus, {.targets = {}});
}

std::string first_wrong_stage(const props::VerifyReport& r) {
  for (const props::StageVerdict& s : r.stages)
    if (s.disagreement || s.types == props::StageVerdict::Types::Wrong) return s.name;
  return "";
}

// The standard calculus with one view changed.
Calculus with_view(const std::string& name, const std::function<void(View&)>& change) {
  Calculus c = standard_calculus();
  Primitive p = *c.primitive(name);
  change(std::get<View>(p.kind));
  c.add(std::make_shared<const Primitive>(std::move(p)));
  return c;
}

const std::string pairs =
    "fun f [n] (xs : [n]i32) (ys : [n]i32) : [n](i32, i32) = map (\\(x, y) -> (x - y, x + y)) (zip xs ys)";

}  // namespace

TEST_CASE("a right program agrees at every stage") { CHECK(verified(pairs, standard_calculus()).agrees()); }

TEST_CASE("a read path with its components swapped is found at the stage that uses paths") {
  const Calculus wrong = with_view("zip", [](View& v) {
    v.read = [](PathReader& r, const Instance&, Path p) {
      const PathStep i = p.at(0);
      const int k = std::get<PathProjection>(p.at(1)).component;
      Path rest{i};
      rest.insert(rest.end(), p.begin() + 2, p.end());
      return r.read(static_cast<std::size_t>(2 - k), rest);
    };
  });
  const props::VerifyReport r = verified(pairs, wrong);
  CHECK_FALSE(r.agrees());
  CHECK(first_wrong_stage(r) == "paths");
  for (const props::StageVerdict& s : r.stages) {  // with the programs before and after it
    if (s.name != "paths") continue;
    CHECK(s.before.find("parfor") != std::string::npos);
    CHECK(s.after.find("kernel f(n)") != std::string::npos);
  }
}

TEST_CASE("a view that reads outside its array is found") {
  const Calculus wrong = with_view("reverse", [](View& v) {
    v.read = [](PathReader& r, const Instance& at, Path p) {
      p[0] = PathIndex{at.size(0) - std::get<PathIndex>(p[0]).index};
      return r.read(0, std::move(p));
    };
  });
  const props::VerifyReport r = verified("fun f [n] (xs : [n]i32) : [n]i32 = map (\\x -> x + 1) (reverse xs)", wrong);
  CHECK_FALSE(r.agrees());
  CHECK(first_wrong_stage(r) == "paths");
}

TEST_CASE("stages run with iterations and threads that change places, small inputs in every order") {
  const props::VerifyReport r = verified(pairs, standard_calculus());
  std::size_t imperative = 0, kernels = 0, explored = 0;
  for (const props::StageVerdict& s : r.stages) {
    if (s.language == props::StageVerdict::Language::Imperative) imperative += s.interleaved;
    if (s.language == props::StageVerdict::Language::Kernel) kernels += s.interleaved, explored += s.explored;
    CHECK(s.interleaved <= s.runs);
  }
  CHECK(imperative > 0);
  CHECK(kernels > 0);
  CHECK(explored > 0);
}

namespace {

std::string combining(const std::string& type, const std::string& f) {
  return "fun f [n] (xs : [n]" + type + ") : [2]" + type + " = permute " + f +
         " (replicate 2 1) (map (\\i -> i % 2) (iota n)) xs";
}
std::size_t reassociated(const props::VerifyReport& r) {
  std::size_t n = 0;
  for (const props::StageVerdict& s : r.stages) n += s.reassociated;
  return n;
}

}  // namespace

TEST_CASE("floats that permute adds up in another order are reassociated, within the bound") {
  const props::VerifyReport floats = verified(combining("f32", "(\\x acc -> x + acc)"), standard_calculus());
  CHECK(floats.ok());
  CHECK(reassociated(floats) > 0);
  for (const props::StageVerdict& s : floats.stages) {
    CHECK(s.error <= s.bound);
    if (s.language != props::StageVerdict::Language::Imperative) CHECK(s.reassociated == 0);
  }
  const props::VerifyReport whole = verified(combining("i32", "(\\x acc -> x + acc)"), standard_calculus());
  CHECK(whole.ok());
  CHECK(reassociated(whole) == 0);
}

TEST_CASE("a permute whose function needs its order is found") {
  for (const char* type : {"f32", "i32"}) {
    const props::VerifyReport r = verified(combining(type, "(\\x acc -> x - acc)"), standard_calculus());
    CHECK_FALSE(r.agrees());
    std::string found;
    for (const props::StageVerdict& s : r.stages)
      if (s.disagreement && found.empty()) found = s.disagreement->found;
    CHECK(found.find("has to be associative and commutative") != std::string::npos);
  }
}

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

const std::string pairs = "fun f [n] (xs : [n]i32) (ys : [n]i32) : [n](i32, i32) = map (\\(x, y) -> (x - y, x + y)) (zip xs ys)";

}  // namespace

TEST_CASE("a right program agrees at every stage") {
  CHECK(verified(pairs, standard_calculus()).agrees());
}

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

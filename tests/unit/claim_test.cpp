// Claims, and the one engine of verify on a language of numbers: what is said is about what ran.
#include <catch2/catch.hpp>

#include "props/engine/verify.h"

namespace claim_test {
using namespace lockstep;
using Catch::Matchers::Contains;
using props::Row;

namespace {

Claim claim(const std::string& statement, Standing standing, std::vector<std::string> rests_on = {}) {
  Claim c{"it", statement, standing};
  c.rests_on = std::move(rests_on);
  return c;
}

// A program that adds one, on inputs 0, 1, 2 ...; `wrong_at` an input.
class Adds : public props::Subject {
 public:
  Adds(Row row, int by, std::optional<std::size_t> same = {}) : Subject(std::move(row)), by_(by), same_(same) {}
  void check(Row& row) override {
    if (by_ < 0) row.ill_formed = {"negative"};
  }
  std::optional<std::size_t> same_runs_as(const std::vector<Row>&) override { return same_; }
  void test(Row& row, std::size_t input) override {
    ++row.runs;
    ++tested;
    if (by_ != 1 && input > 0)
      row.disagreement = Disagreement{"n = " + std::to_string(input), std::to_string(input + 1), "another"};
  }
  std::string text() const override { return "x + " + std::to_string(by_); }
  void finish(Row& row) override {
    row.related.push_back({"work <= 1", row.tested, {}, {}});
    if (by_ > 5) row.related.back().wrong = Disagreement{"n = 0", "", "7"};
  }
  std::pair<std::string, std::string> around() const override { return {"before", "after"}; }
  static inline int tested = 0;

 private:
  int by_;
  std::optional<std::size_t> same_;
};

Row stage(const std::string& name) {
  Row row{name, "here", "the program after " + name, "numbers"};
  row.well_formed = "is positive";
  return row;
}
Row target() {
  Row row{"machine", "", "the target machine", "machine"};
  row.is_target = true;
  return row;
}

props::Case of(std::vector<std::pair<int, std::optional<std::size_t>>> stages) {
  props::Case c;
  c.inputs = 3;
  c.gives_values = {true, false, true};
  c.report.inputs.seeds = {1, 2, 3};
  c.report.inputs.values = 2;
  c.report.inputs.needed = 2;
  int k = 0;
  for (const auto& [by, same] : stages)
    c.stages.push_back(std::make_unique<Adds>(stage("s" + std::to_string(k++)), by, same));
  c.targets.push_back(std::make_unique<Adds>(target(), 1));
  return c;
}

}  // namespace

TEST_CASE("no claim stands higher than what it rests on") {
  std::vector<Claim> all{claim("a", Standing::Proved, {"b"}),    claim("b", Standing::Proved, {"c"}),
                         claim("c", Standing::Tested),           claim("d", Standing::Proved),
                         claim("e", Standing::Tested, {"none"}), claim("f", Standing::Proved, {"g"}),
                         claim("g", Standing::Refuted)};
  settle(all);
  CHECK(all[0].standing == Standing::Tested);
  CHECK(all[1].standing == Standing::Tested);
  CHECK(all[2].standing == Standing::Tested);
  CHECK(all[3].standing == Standing::Proved);
  CHECK(all[4].standing == Standing::Unknown);  // nothing says what it rests on
  CHECK(all[5].standing == Standing::Unknown);  // ... and not refuted by what is below it
  CHECK(all[6].standing == Standing::Refuted);
  CHECK(first_refuted(all) == &all[6]);
}

TEST_CASE("the trusted base is named, and none of it is said to be proved") {
  REQUIRE(trusted_base().size() == 2);
  for (const Claim& c : trusted_base()) CHECK(c.standing < Standing::Proved);
}

TEST_CASE("every stage and target is tested on every input, and claimed") {
  props::Case c = of({{1, {}}, {1, {}}});
  const props::Report r = verify(c, {});
  CHECK(r.ok());
  REQUIRE(r.stages.size() == 2);
  CHECK(r.stages[1].tested == 3);
  CHECK(r.stages[1].values == 2);
  CHECK(r.stages[1].runs == 3);
  REQUIRE(r.targets.size() == 1);
  CHECK(r.targets[0].ran());
  std::size_t tested = 0, proved = 0;
  for (const Claim& k : r.all_claims())
    tested += k.standing == Standing::Tested, proved += k.standing == Standing::Proved;
  CHECK(tested == 6);  // meaning and cost of each row
  CHECK(proved == 2);  // that the stages' programs are positive
}

TEST_CASE("the first wrong stage is named with its input, and no target runs after it") {
  props::Case c = of({{1, {}}, {2, {}}, {1, {}}});
  const props::Report r = verify(c, {});
  CHECK_FALSE(r.ok());
  CHECK(r.stages[1].tested == 1);  // up to the input on which it differs
  CHECK(r.targets[0].unavailable == "the program is wrong before it");
  CHECK(r.targets[0].runs == 0);
  const std::vector<Claim> claims = r.all_claims();
  const Claim* wrong = first_refuted(claims);
  REQUIRE(wrong);
  CHECK(wrong->refuted_as == "the program after s1 differs from the source");
  CHECK(wrong->shown_by->input == "n = 1");
  CHECK(wrong->before == "before");
}

TEST_CASE("a program that is ill formed is not run, and one that costs too much is refuted") {
  props::Case negative = of({{1, {}}, {-1, {}}});
  const props::Report r = verify(negative, {});
  CHECK(r.stages[1].runs == 0);
  CHECK(r.stages[1].ill_formed == std::vector<std::string>{"negative"});
  CHECK_FALSE(r.ok());

  Row row = stage("s");
  row.related.push_back({"work <= 1", 3, {}, Disagreement{"n = 0", "", "7"}});
  props::Report dear;
  dear.stages.push_back(row);
  CHECK_FALSE(dear.agrees());
  CHECK_THAT(first_refuted(dear.all_claims())->refuted_as, Contains("does not cost what it may: work <= 1"));
}

TEST_CASE("runs that are the same are not repeated") {
  Adds::tested = 0;
  props::Case c = of({{1, {}}, {1, 0}});
  const props::Report r = verify(c, {});
  CHECK(Adds::tested == 6);  // the first stage and the target
  CHECK(r.stages[1].tested == 3);
  CHECK(r.stages[1].runs == 3);
  REQUIRE(r.stages[1].related.size() == 1);
}

TEST_CASE("where too few inputs give values nothing is said to be tested") {
  props::Case c = of({{1, {}}});
  c.report.inputs.needed = 3;
  const props::Report r = verify(c, {});
  CHECK_FALSE(r.ok());
  const std::vector<Claim> claims = r.all_claims();
  for (const Claim& k : claims) CHECK((k.standing != Standing::Tested || k.statement == "work <= 1"));
  CHECK_THAT(first_refuted(claims)->refuted_as, Contains("2 of 3 inputs gave values, 3 have to"));
}

TEST_CASE("a target that did not run is no evidence") {
  props::Case c = of({{1, {}}});
  Row absent = target();
  absent.unavailable = "no compiler";
  c.targets.clear();
  c.targets.push_back(std::make_unique<Adds>(absent, 1));
  const props::Report r = verify(c, {});
  CHECK(r.ok());
  CHECK_FALSE(r.targets[0].ran());
  for (const Claim& k : r.all_claims()) CHECK(k.subject != "the target machine");
}

}  // namespace claim_test

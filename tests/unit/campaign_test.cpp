// The campaign: nothing is found in the calculus as it stands, and what is found in a mutant is shrunk and written
// down.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "props/dpia/shrink.h"
#include "props/engine/side_by_side.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/mutant_named.h"

namespace campaign_test {
using namespace lockstep;
using namespace lockstep::props;

namespace {

CampaignOptions quiet(std::size_t programs, std::uint64_t seed) {
  CampaignOptions o;
  o.programs = programs;
  o.seed = seed;
  o.folder = "";
  return o;
}

std::string all_failures(const CampaignReport& r) {
  std::string out;
  for (const CampaignFailure& f : r.failures)
    out += f.finding.property + " at " + f.finding.stage + ": " + f.finding.detail + "\n" + f.finding.input + "\n" +
           f.text + "\n";
  return out;
}

}  // namespace

TEST_CASE("every stage agrees with the source on random programs") {
  const CampaignReport r = run_campaign(quiet(400, 11));
  INFO(all_failures(r));
  CHECK(r.failures.empty());
  CHECK(r.programs == 400);
  CHECK(r.inputs >= 800);
  CHECK(r.traps > 5);
  CHECK(r.traps * 4 < r.inputs);
}

TEST_CASE("the OpenMP target agrees with the source on random programs, bit for bit") {
  CampaignOptions o = quiet(60, 12);
  o.compiled_programs = o.programs;
  o.batch = 30;
  const CampaignReport r = run_campaign(o);
  INFO(all_failures(r));
  CHECK(r.failures.empty());
  CHECK(r.compiled == 60);
}

TEST_CASE("a compiled program that differs is found") {
  const auto parsed =
      parse_program(std::make_shared<Source>(Source{"t.dpia", "fun f [n] (xs : [n+2]i32) : [n]i32 = drop 2 xs\n"}));
  REQUIRE(parsed);
  const auto compiled = [&](const Calculus& calculus) {
    CampaignOptions o = quiet(1, 1), no_stages = o;  // no stage is checked before the compiler sees the program
    no_stages.tools.stages = [](const DpiaLanguages&, Machine) { return std::vector<Stage>{}; };
    CampaignReport report;
    const ProgramCheck check = check_program_at_stages({*parsed}, 5, no_stages, calculus, report);
    REQUIRE_FALSE(check.finding);
    return check_compiled({{*check.source, 5}}, o, calculus, report).front();
  };
  CHECK_FALSE(compiled(standard_calculus()));
  const auto found = compiled(mutant_named("drop-read").calculus());
  REQUIRE(found);
  CHECK(found->property == "meaning");
}

TEST_CASE("shards share the programs out among themselves") {
  CampaignOptions o = quiet(20, 5);
  std::size_t programs = 0, nodes = 0;
  o.shards = 3;
  for (o.shard = 1; o.shard <= 3; ++o.shard) {
    const CampaignReport r = run_campaign(o);
    programs += r.programs;
    nodes += r.nodes;
  }
  CHECK(programs == 20);
  CHECK(nodes == run_campaign(quiet(20, 5)).nodes);
}

TEST_CASE("a failure is shrunk, still fails, and is written with its input and the command to repeat it") {
  const std::string folder = (std::filesystem::temp_directory_path() / "lockstep-campaign-test").string();
  std::filesystem::remove_all(folder);
  const Mutant& m = mutant_named("pad-read");
  const Calculus calculus = m.calculus();
  CampaignOptions o = quiet(3000, 2);
  o.folder = folder;
  o.calculus = &calculus;
  o.stop_after = 1;
  const CampaignReport r = run_campaign(o);
  REQUIRE(r.failures.size() == 1);
  const CampaignFailure& f = r.failures.front();
  const auto parsed = parse_program(std::make_shared<Source>(Source{"small.dpia", f.text}));
  REQUIRE(parsed);
  INFO(f.text);
  CHECK(node_count(*parsed) <= 12);
  std::ifstream file(f.file);
  std::ostringstream text;
  text << file.rdbuf();
  CHECK(text.str().find(f.text) != std::string::npos);
  CHECK(text.str().find(f.command) != std::string::npos);
  CHECK(text.str().find("-- input: ") != std::string::npos);
  // The program before the first wrong stage and after it: pad is read on the way to the kernel.
  CHECK(f.finding.before.find("pad ") != std::string::npos);
  CHECK(f.finding.after.find("kernel main") != std::string::npos);
  CHECK(text.str().find("-- the stage, before and after:\n-- before") != std::string::npos);
  CHECK(text.str().find("kernel main") != std::string::npos);
  CHECK(parse_program(std::make_shared<Source>(Source{f.file, text.str()})));
  // Its command draws the same program alone.
  CampaignOptions again = o;
  again.folder = "";
  again.programs = f.program + 1;
  again.shard = again.shards = f.program + 1;
  const CampaignReport repeated = run_campaign(again);
  CHECK(repeated.programs == 1);
  REQUIRE(repeated.failures.size() == 1);
  CHECK(repeated.failures.front().text == f.text);
  std::filesystem::remove_all(folder);
}

TEST_CASE("shrinking keeps what fails and stops at its limits") {
  const Calculus calculus = standard_calculus();
  CampaignReport unused;
  const Trials<Sample> trials = trials_of({}, calculus, unused);
  const Sample p{generate_program(seed_of(1, 3))};
  CHECK(shrunk_program<Sample>(p, trials, [](const Sample&) { return false; }).program == p.program);
  std::size_t asked = 0;
  shrunk_program<Sample>(p, trials, [&](const Sample&) { return ++asked > 1000000; }, {10, 30});
  CHECK(asked <= 10);
}

TEST_CASE("two programs stand beside each other where there is room, else one below the other") {
  CHECK(side_by_side("a\nbcd\n", "xyz\nu\nv\n", 20) == "before | after\na      | xyz\nbcd    | u\n       | v\n");
  CHECK(side_by_side("a\nbcd\n", "xyz", 10) == "before:\na\nbcd\n\nafter:\nxyz\n");
  CHECK(side_by_side("é\n", "u\n", 20, "l", "r") == "l | r\né | u\n");
}

}  // namespace campaign_test

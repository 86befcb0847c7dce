// The campaign for SNESL: what its programs are like, what it checks, and that what fails is made small.
#include <catch2/catch.hpp>

#include "props/snesl/mutants.h"
#include "props/snesl/shrink.h"
#include "props/snesl/tree.h"
#include "semantics/snesl/elaborate.h"
#include "semantics/snesl/parse.h"

namespace snesl_campaign_test {
using namespace lockstep;
using namespace lockstep::props::stream;
using props::stream::CheckOptions;

namespace {

CampaignOptions quick(std::size_t programs, std::uint64_t seed) {
  CampaignOptions o;
  o.programs = programs;
  o.seed = seed;
  o.folder = "";
  return o;
}
GeneratedProgram of_text(const std::string& text) {
  auto p = snesl::parse_program(std::make_shared<const Source>(Source{"test.snesl", text}));
  REQUIRE(p);
  return {std::move(*p), {}};
}
std::optional<Finding> check(const std::string& text, const Toolchain& tools = Toolchain::standard()) {
  CheckCounts counts;
  return check_program(of_text(text), 1, tools, {}, counts);
}

}  // namespace

TEST_CASE("a program is a function of its seed, and 1,000 programs have every built-in, operator and form") {
  SourceCoverage coverage;
  std::size_t nodes = 0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const std::uint64_t seed = props::seed_of(1, k);
    const GeneratedProgram p = generate_program(seed);
    if (k < 20) CHECK(p.program == generate_program(seed).program);
    coverage.count(p.program);
    nodes += node_count(p.program);
  }
  CHECK(coverage.missing() == std::vector<std::string>{});
  CHECK(nodes / 1000 >= 10);
  CHECK(nodes / 1000 <= 40);
  CHECK(SourceCoverage{}.missing().size() > 80);
}

TEST_CASE("random programs agree at every stage, most of them run, some trap, some are refused") {
  const CampaignReport r = run_campaign(quick(250, 1));
  for (const CampaignFailure& f : r.failures)
    FAIL_CHECK(f.finding.stage << " / " << f.finding.property << "\n"
                               << f.text << f.finding.input << "\n"
                               << f.finding.detail);
  CHECK(r.programs == 250);
  CHECK(r.counts.traps > 0);
  CHECK(r.counts.traps * 4 < r.counts.inputs);
  CHECK(r.counts.accepted > 200);
  CHECK(r.counts.refused > 0);
}

TEST_CASE("shards are the whole campaign, each program once") {
  CampaignOptions o = quick(30, 5);
  const CampaignReport whole = run_campaign(o);
  std::size_t programs = 0, runs = 0;
  for (o.shard = 1, o.shards = 4; o.shard <= 4; ++o.shard) {
    const CampaignReport part = run_campaign(o);
    programs += part.programs;
    runs += part.counts.runs;
  }
  CHECK(programs == whole.programs);
  CHECK(runs == whole.counts.runs);
}

TEST_CASE("a refused program is checked up to the eager interpreter, and a trap is the same everywhere") {
  CheckCounts counts;
  const auto refused = of_text("fun main() = let s = &9; m = sum(s) in {x - m : x in s}");
  CHECK_FALSE(check_program(refused, 1, Toolchain::standard(), {}, counts));
  CHECK(counts.refused == 1);
  CHECK(counts.runs > 5);
  CHECK_FALSE(check("fun main() = {10 / x : x in &3}"));
  CHECK_FALSE(check("fun main() = zip(&3, &4)"));
}

TEST_CASE("a trap is the same in pieces, whose head lacks the check that its lengths stand on") {
  GeneratedProgram p = of_text("fun main(s) = {0 : x in &(the(the(s)) % 0) | x > 0}");
  p.types = {{"s", snesl::sequence_of(snesl::sequence_of(snesl::prim(snesl::Prim::Int)))}};
  CheckCounts counts;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    if (const auto found = check_program(p, seed, Toolchain::standard(), {}, counts))
      FAIL_CHECK(found->stage << ": " << found->detail << "\n" << found->input);
  CHECK(counts.traps > 10);
}

TEST_CASE("what a wrong stage does is named after the stage and what is wrong there") {
  const auto with = [](const auto& change) {
    Toolchain t = Toolchain::standard();
    change(t);
    return t;
  };
  const std::string text = "fun main() = {x + 1 : x in &5}";
  CHECK_FALSE(check(text));
  const auto wrong_value = check(text, with([](Toolchain& t) {
                                   t.alter("flatten", [](svcode::Program r) {
                                     for (auto& i : r.instructions)
                                       if (i.op() == scalars::row<"+">()) i.payload = scalars::row<"-">();
                                     return r;
                                   });
                                 }));
  REQUIRE(wrong_value);
  CHECK(wrong_value->stage == "flatten");
  CHECK(wrong_value->property == "result");
  const auto ill_typed = check(text, with([](Toolchain& t) {
                                 t.alter("flatten", [](svcode::Program r) {
                                   r.instructions.back().arguments = {9999};
                                   return r;
                                 });
                               }));
  REQUIRE(ill_typed);
  CHECK(ill_typed->property == "types");
  const auto thrown =
      check(text, with([](Toolchain& t) {
              t.analyse = [](const svcode::Program&) -> Checked<svcode::Slack> { throw Bug("planted"); };
            }));
  REQUIRE(thrown);
  CHECK(thrown->property == "no bug");
}

TEST_CASE("random programs agree on the engine, and one that does not is found") {
  CampaignOptions o = quick(60, 4);
  o.compiled_programs = o.programs;
  const CampaignReport r = run_campaign(o);
  for (const CampaignFailure& f : r.failures) FAIL_CHECK(f.text << f.finding.input << "\n" << f.finding.detail);
  CHECK(r.engine.programs > 40);
  CHECK(r.engine.runs > 200);
  Toolchain wrong = Toolchain::standard();
  wrong.alter("flatten", [](svcode::Program q) {
    for (auto& i : q.instructions)
      if (i.op() == scalars::row<"+">()) i.payload = scalars::row<"-">();
    return q;
  });
  const std::vector<EngineSubject> batch = {{of_text("fun main() = {x * 2 : x in &5}"), 1, 0},
                                            {of_text("fun main() = {x + 1 : x in &5}"), 1, 0}};
  EngineCounts counts;
  const auto findings = check_engine(batch, wrong, counts);
  CHECK_FALSE(findings[0]);
  REQUIRE(findings[1]);
  CHECK(findings[1]->stage == "engine");
  CHECK(findings[1]->property == "result");
}

TEST_CASE("random programs ask vectors seldom, and find it where such vectors stay in memory") {
  const std::vector<Mutant> all = interpreter_mutants();
  const auto stay =
      std::find_if(all.begin(), all.end(), [](const Mutant& m) { return m.name.find("groups wait") < m.name.size(); });
  REQUIRE(stay != all.end());
  CHECK(stay->directed.empty());
  const MutantRun r = try_mutant(*stay, 2, 100);
  REQUIRE(r.caught);
  CHECK(r.caught->finding.property == name_of(Bound::SequentialSpace));
}

TEST_CASE("what fails is shrunk to a few nodes that fail in the same way") {
  const auto multiplies = [](const GeneratedProgram& g) {
    if (!snesl::elaborate(g.program, "", g.types)) return false;
    return snesl::print(g.program).find(" * ") != std::string::npos;
  };
  std::size_t tried = 0;
  for (std::uint64_t k = 0; tried < 3; ++k) {
    const GeneratedProgram p = generate_program(props::seed_of(3, k));
    if (!multiplies(p)) continue;
    ++tried;
    CampaignReport unused;
    const GeneratedProgram small = shrunk_program<GeneratedProgram>(p, trials_of({}, unused), multiplies, {4000, 20});
    CHECK(multiplies(small));
    INFO(snesl::print(small.program));
    CHECK(node_count(small.program) <= 2 + small.program.functions.size());
  }
}

TEST_CASE("a failure says its program, its input and how to repeat it") {
  CampaignOptions o = quick(40, 1);
  o.stop_after = 1;
  o.tools.analyse = [right = o.tools.analyse](const svcode::Program& p) -> Checked<svcode::Slack> {
    for (const auto& i : p.instructions)
      if (i.opcode == svcode::Opcode::Segmerge) throw Bug("planted");
    return right(p);
  };
  const CampaignReport r = run_campaign(o);
  REQUIRE(r.failures.size() == 1);
  const CampaignFailure& f = r.failures[0];
  CHECK(f.finding.property == "no bug");
  CHECK(f.text.find("main") != std::string::npos);
  CHECK(f.command.find("--language snesl --seed 1") != std::string::npos);
}

TEST_CASE("the deadlocks and other traps that the campaign has found stay refused or mended") {
  const std::map<std::string, std::string> mended{
      {"clocks around each other",
       "fun main() = seq(let v = if false then [[0.5]] else [[1.0]] in if #v > 0 then v ! 0 else [2.5, 0.0, 1.5])"},
      {"the trap of an element too many", "fun main() = let s = &3 in min(#s, the({0 : _ in s}))"},
      {"a negative length known at compile time", "fun main() = {0 : n in &(-1)}"},
      {"dead code that shows a pace", "fun main() = {0 : y in {{0.0 | true}}} ++ (if false then {} else {})"},
      {"a constant branch", "fun main() = if false then 0 else 0"},
      {"guards of one constant", "fun main() = {{'a' | false}, {'b' | false}}"},
      {"an argument that a function ignores, under a guard",
       "fun f(p) = false fun main() = let s = &2 in {f(s) | false}"},
      {"elements that nothing picks", "fun main() = let s = &3 in flagpart(s, {false : x in s | false})"},
      {"a sequence in a literal after another",
       "fun main() = let s = &3 in {} ++ {({}, s)} ++ zip({{} : x in s}, {{} : x in s})"},
      {"a maximum before its sequence", "fun main() = sep({(maximum({1.0, 2.0}), false)}) ++ {{1.0, 2.0}}"},
      {"a part that meets what it is a part of",
       "fun main() = if empty({scan-plus(s) : s in if true then {{1.0, 3.0} | false} else {{0.1 | true}, {0.3, 0.1, "
       "1.5}, "
       "{2.5, 0.3, 0.0}}}) then (tab({[false], [false, false, false]}), let t = {-0.0 | true} in flagpart(t, {false : "
       "_ "
       "in t} ++ {true})) else ([[false]], {{0.1, 0.3, -2.25} : x in &2})"},
      {"a sequence in a literal of literals", "fun main() = let s = &3 in {{{s}}, {{s | true}}}"},
      {"what a constant never picks is known at the end",
       "fun main() = let s = &3 in ({s | empty({0 : _ in s | false})}, "
       "if reduce-and({false : _ in s | false}) then {} else s)"},
      {"the minimum of nothing, and what is computed of it", "fun main() = int(minimum({real(x) : x in &3 | x > 5}))"},
      {"the maximum of nothing, and an element at it", "fun main() = \"a\" ! maximum(&(#{1} & 0))"},
      {"a negative length that nothing is picked from", "fun main() = the({0 : y in &-1 | false})"},
      {"pieces that flags count, of what there is not",
       "fun main() = the(flagpart({'a' | false}, {true}) ++ flagpart(read_file(\"missing\"), {true}))"},
      {"an index that a check of its own stands before", "fun main() = \"a\" ! ([1] ! 1)"},
      {"a flag that a check stands before", "fun main() = flagpart({1}, {[] ! 0 : _ in {0}})"},
      {"a condition that a check stands before", "fun main() = {zip({}, {0}) : i in &#{0 : _ in {1, 2} | [true] ! 1}}"},
      {"a condition of one, and a divisor", "fun main() = let v = [7] in {1 / (#v - 1) : _ in {0} | [true] ! #v}"},
      {"lengths that differ in a piece, as its tail finds", "fun main() = {{i : _ in &0; v in {0}} : i in &1}"},
      {"nothing in a piece, as its tail finds", "fun main() = {{0} ++ the(concat({{{0}} | 0 > 1})) : i in &2}"},
      {"lengths that differ in a cluster, as a check finds",
       "fun main() = {{0 : c in read_file(\"words\"); n in {0}} : _ in {0}}"},
      {"a vector's base beside its index",
       "fun main() = {false : _ in &1 | reduce-and({[false, false] ! 1 : i in {0}} ++ {false, false})}"}};
  for (const auto& [name, text] : mended) {
    const auto f = check(text);
    INFO(name << ": " << (f ? f->stage + " / " + f->property + "\n" + f->detail : ""));
    CHECK_FALSE(f);
  }
  const auto of_int = [](snesl::Type (*of)(snesl::Type)) { return of(snesl::prim(snesl::Prim::Int)); };
  const std::vector<std::pair<std::string, snesl::Type>> of_a_parameter{
      {"fun main(p) = {p} ++ {p | true}", snesl::sequence_of(of_int(snesl::sequence_of))},
      {"fun main(p) = (tab({p, p}), tab({p, p}))", of_int(snesl::vector_of)}};
  for (const auto& [text, type] : of_a_parameter) {
    GeneratedProgram program = of_text(text);
    program.types.emplace("p", type);
    CheckOptions options;
    options.inputs = 20;
    CheckCounts counts;
    const auto f = check_program(program, 1, Toolchain::standard(), options, counts);
    INFO(text << ": " << (f ? f->input + "\n" + f->detail : ""));
    CHECK_FALSE(f);
  }
}

}  // namespace snesl_campaign_test

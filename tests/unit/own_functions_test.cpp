// A target whose functions of floats are its own, as a GPU's are, is held to the error bound where a program calls one,
// and to the bits of its kernel's interpreter where none does.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "codegen/targets/openmp.h"
#include "driver/languages/dpia/dpia.h"
#include "props/dpia/campaign.h"
#include "props/dpia/verify.h"
#include "tests/unit/dpia_program.h"

namespace own_functions_test {
using namespace lockstep;
using Catch::Matchers::Contains;

namespace {

// C++ whose functions are the C library's, or one that is about a hundred units in the last place away.
const Dialect& far_dialect() {
  static const Dialect dialect = [] {
    Dialect d = hip_dialect();
    d.written = {{"exp", ScalarType::F32, "far_exp",
                  "static inline float far_exp(float x) { return __builtin_expf(x) * 1.00001f; }\n"}};
    return d;
  }();
  return dialect;
}

template <const Dialect& dialect()>
Target with_functions_of(const std::string& name, bool own_functions = true) {
  const auto load = [](const AnyProgram& any, const Type& result) -> tl::expected<Executable, CompileFailure> {
    const auto& program = any.as<kernel::Program>();
    auto library = compile_cached({openmp_source(program, dialect()), openmp_flags(), entry_name(program), true});
    if (!library) return tl::unexpected(library.error());
    return Executable(program, result, std::move(*library));
  };
  const auto text = [](const AnyProgram& p) {
    return std::vector<TextFile>{{"p.cpp", openmp_source(p.as<kernel::Program>(), dialect())}};
  };
  return {name,          "one CPU", Machine::Cpu, [] { return std::string(); }, always_fits, "C++", text, load,
          own_functions, {}};
}

const std::string exponentials = "fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> exp (x / 8)) xs";
const std::string halves = "fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> sqrt x / 2) xs";

props::VerifyReport verified(const std::string& text, const Target& target) {
  props::VerifyOptions how;
  how.inputs = 6;
  how.asked.given["n"] = 500;
  how.targets = {&target};
  return props::verify(test::entry(text), test::calculus(), how);
}

}  // namespace

TEST_CASE("what calls a target's own functions is held to the error bound, and the report says so") {
  const Target toy = with_functions_of<hip_dialect>("toy");
  const props::VerifyReport r = verified(exponentials, toy);
  REQUIRE(r.targets.size() == 1);
  const props::Row& row = r.targets[0];
  INFO((row.disagreement ? row.disagreement->expected + " / " + row.disagreement->found : ""));
  CHECK(r.ok());
  CHECK(row.own_functions == "exp");
  CHECK(row.tested == 6);
  CHECK(row.same_bits == 0);
  CHECK(row.compared >= 500);
  CHECK(row.wide * 20 < row.compared);
  CHECK(row.rounding.error > 0);
  CHECK(std::any_of(r.notes.begin(), r.notes.end(), [](const std::string& n) {
    return n.find("toy has its own exp") != std::string::npos && n.find("error bound") != std::string::npos;
  }));
  const std::vector<Claim> claims = r.all_claims();
  CHECK(std::any_of(claims.begin(), claims.end(), [](const Claim& c) {
    return c.subject == "the target toy" && c.standing == Standing::Tested &&
           c.statement == "computes what the source does, with its own exp, within the error bound";
  }));
}

TEST_CASE("the same target is refuted by its bits where it says that its functions are the interpreters'") {
  const Target toy = with_functions_of<hip_dialect>("toy", false);
  const props::VerifyReport r = verified(exponentials, toy);
  REQUIRE(r.targets[0].disagreement);
  CHECK_THAT(r.targets[0].disagreement->expected, Contains("the interpreter of the kernel"));
}

TEST_CASE("a function of a target's own that is beyond its units in the last place is refuted") {
  const Target toy = with_functions_of<far_dialect>("toy");
  const props::VerifyReport r = verified(exponentials, toy);
  CHECK_FALSE(r.ok());
  REQUIRE(r.targets[0].disagreement);
  CHECK_THAT(r.targets[0].disagreement->expected, !Contains("interpreter"));
}

TEST_CASE("what calls none of a target's own functions is held to bits") {
  const Target toy = with_functions_of<hip_dialect>("toy");
  const props::VerifyReport r = verified(halves, toy);
  CHECK(r.ok());
  CHECK(r.targets[0].own_functions.empty());
  CHECK(r.targets[0].same_bits == r.targets[0].tested);
  for (const std::string& n : r.notes) CHECK_THAT(n, !Contains("its own"));
}

TEST_CASE("run --compare holds a target's own functions to the error bound, and says so") {
  const std::string file = (std::filesystem::temp_directory_path() / "own_functions_test.dpia").string();
  std::ofstream(file) << exponentials << "\n";
  const driver::LoadedProgram loaded = driver::load_program(file, test::calculus());
  const PhraseProgram program = driver::entry_point(loaded, {file, ""});
  driver::Options options;
  std::string values;
  for (int k = 0; k < 500; ++k) values += (k ? "," : "") + std::to_string(0.37 * k - 90);
  options.arguments = {"xs=[" + values + "]"};
  const auto compared = [&](const Target& target) {
    const auto execution = driver::execution_on(loaded, program, &target, options, false);
    REQUIRE_FALSE(execution->run());
    return execution->compare();
  };
  const auto own = compared(with_functions_of<hip_dialect>("toy"));
  INFO(own.text);
  CHECK(own.agrees);
  CHECK_THAT(own.text, Contains("within the error bound"));
  CHECK_THAT(own.also, Contains("its own exp"));
  const auto far = compared(with_functions_of<far_dialect>("toy"));
  CHECK_FALSE(far.agrees);
  CHECK_THAT(far.text, Contains("expected") && !Contains("interpreter of the kernel"));
  const auto bits = compared(with_functions_of<hip_dialect>("toy", false));
  CHECK_FALSE(bits.agrees);
  CHECK_THAT(bits.text, Contains("interpreter of the kernel"));
}

TEST_CASE("compiled programs of a campaign are held to the error bound where their functions are their own") {
  const PhraseProgram source = test::entry("fun f [n] (xs : [n+30]f32) : [n+30]f32 = map (\\x -> exp (x / 8)) xs");
  const auto found = [&](const Dialect& dialect, bool own) {
    Target target = *find_target("openmp");
    target.own_functions = own;
    props::CampaignOptions o;
    o.inputs = 8;
    o.target = &target;
    o.tools.compiled = [&dialect](const AnyProgram& p) { return openmp_text(p.as<kernel::Program>(), dialect).source; };
    props::CampaignReport report;
    auto out = props::check_compiled({{source, 5}}, o, test::calculus(), report).front();
    CHECK(report.by_bound == (own ? 1 : 0));
    return out;
  };
  CHECK_FALSE(found(hip_dialect(), true));
  const auto bits = found(hip_dialect(), false);
  REQUIRE(bits);
  CHECK(bits->property == "meaning");
  const auto far = found(far_dialect(), true);
  REQUIRE(far);
  CHECK_THAT(far->detail, Contains("expected"));
}

}  // namespace own_functions_test

// The strategy language: what it reads, where it applies rules, how it fails; and that wrong rules are caught.
#include <catch2/catch.hpp>

#include "props/dpia/generate.h"
#include "tests/unit/derivation.h"
#include "translate/rewriting/terms.h"

namespace strategy_test {
using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::rewriting;
using Catch::Matchers::Contains;
using rewriting::Site;

namespace {

const char* const three =
    "fun f [n] (xs : [n]f32) : f32 = reduce (+) 0 (map (\\x -> x + 1) (map (\\x -> x * 2) (map (\\x -> x - 3) xs)))";

// The rules applied and where: "mapFusion@2 reduceSeq@."
std::string trace(const std::string& program, const std::string& by) {
  const Run r = derived(program, by);
  if (!r.steps) return show(r.steps.error());
  REQUIRE(r.report.agrees());
  std::string out;
  for (const Derived& s : *r.steps) out += (out.empty() ? "" : " ") + s.rule + "@" + show(s.path);
  return out;
}

std::string parse_error(const std::string& text) {
  const auto s = parse_strategy(std::make_shared<const Source>(Source{"s.strat", text}), all_rules());
  return s ? "" : render(s.error().front());
}

RuleList with(Rule wrong) {
  RuleList rules = all_rules();
  for (Rule& r : rules)
    if (r.name == wrong.name) r = wrong;
  return rules;
}
Rule rule_named(const std::string& name) {
  for (const Rule& r : all_rules())
    if (r.name == name) return r;
  throw Bug(name);
}

}  // namespace

TEST_CASE("topDown takes the first place from the top, bottomUp the first from the bottom") {
  CHECK(trace(three, "topDown mapFusion") == "mapFusion@2");
  CHECK(trace(three, "bottomUp mapFusion") == "mapFusion@2.1");
}

TEST_CASE("repeat goes on until nothing applies, also not at once") {
  CHECK(trace(three, "repeat (topDown mapFusion)") == "mapFusion@2 mapFusion@2");
  CHECK(trace(three, "repeat reduceMap") == "reduceMap@. reduceMap@. reduceMap@.");
  CHECK(trace(three, "repeat joinSplit") == "");
  CHECK(trace(three, "repeat id") == "");
}

TEST_CASE("a choice takes the first that applies, and a failed try leaves nothing behind") {
  CHECK(trace(three, "joinSplit <+ reduceMap <+ reduceSeq") == "reduceMap@.");
  CHECK(trace(three, "(reduceMap ; joinSplit) <+ reduceSeq") == "reduceSeq@.");
  CHECK(trace(three, "try (reduceSeq ; fail) ; reduceMap") == "reduceMap@.");
}

TEST_CASE("one and all go to the children, at to a path or a name") {
  CHECK(trace(three, "one mapFusion") == "mapFusion@2");
  CHECK(trace(three, "all (try mapFusion)") == "mapFusion@2");
  CHECK_THAT(trace(three, "all mapFusion"), Contains("mapFusion does not apply at 0"));
  CHECK(trace(three, "at 2.1 mapFusion") == "mapFusion@2.1");
  CHECK(trace(three, "at . reduceSeq") == "reduceSeq@.");
  CHECK(trace(three, "at map at map mapLevel seq") == "mapLevel@2");
  CHECK(trace(three, "at map one mapFusion") == "mapFusion@2.1");
  CHECK_THAT(trace(three, "at 7 mapFusion"), Contains("no such place"));
  CHECK_THAT(trace(three, "at split mapFusion"), Contains("there is no split there"));
}

TEST_CASE("a strategy that does not apply names the rule, the place and the reason") {
  CHECK(trace(three, "topDown (splitJoin 4)") ==
        "splitJoin does not apply at 2 (map): it needs n % 4 == 0 for all sizes, which does not follow from the facts; "
        "'assume' states one, and a rule for "
        "the rest, where there is one, needs none");
  CHECK_THAT(trace(three, "reduceMap ; mapFusion"),
             Contains("mapFusion does not apply at . (reduce): it is no map of a map"));
}

TEST_CASE("definitions, comments, sizes in parentheses and a last semicolon are read") {
  CHECK(trace("fun f [n] (xs : [4*n]f32) : [4*n]f32 = map (\\x -> x + 1) xs",
              "def cut { splitJoin (2 * 2) -- four\n ; }\n def all_of { cut }\n all_of ;") == "splitJoin@.");
  CHECK(trace("fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> x + 1) xs", "assume n % (4) == 0 ; splitJoin (4)") ==
        "assume@. splitJoin@.");
}

TEST_CASE("errors of a strategy have their position") {
  CHECK_THAT(parse_error("reduceMap ;\n  mapFuson"), Contains("s.strat:2:3") && Contains("did you mean mapFusion?"));
  CHECK_THAT(parse_error("splitJoin"), Contains("s.strat:1:1") && Contains("takes 1 argument, 0 given"));
  CHECK_THAT(parse_error("mapFusion 3"), Contains("takes 0 arguments, 1 given"));
  CHECK_THAT(parse_error("(reduceMap"), Contains("s.strat:1:11") && Contains("`)`"));
  CHECK_THAT(parse_error("reduceMap )"), Contains("found `)`"));
  CHECK_THAT(parse_error(""), Contains("a strategy: a rule"));
  CHECK_THAT(parse_error("def try { id } id"), Contains("the name of a strategy"));
  CHECK_THAT(parse_error("def mapFusion { id } id"), Contains("stands for something already"));
  CHECK_THAT(parse_error("at 2..1 id"), Contains("s.strat:1:5") && Contains("found `..1`"));
  CHECK_THAT(parse_error("assume ; id"), Contains("a fact"));
  CHECK_THAT(parse_error(std::string(2000, '(')), Contains("nested deeper than 1,000"));
  CHECK_THAT(parse_error("splitJoin " + std::string(60000, '(')), Contains("nested deeper than 1,000"));
  std::string tries;
  for (int k = 0; k < 3000; ++k) tries += "try ";
  CHECK_THAT(parse_error(tries + "id"), Contains("nested deeper than 1,000"));
  CHECK_THAT(parse_error(std::string(70000, ' ')), Contains("64 KiB"));
}

TEST_CASE("any words are a strategy or an error, and a strategy gives steps or a reason") {
  const std::vector<std::string> words = {"topDown",
                                          "bottomUp",
                                          "try",
                                          "repeat",
                                          "one",
                                          "all",
                                          "at",
                                          "map",
                                          "2",
                                          "1.0",
                                          ".",
                                          ";",
                                          "<+",
                                          "(",
                                          ")",
                                          "{",
                                          "}",
                                          "def",
                                          "a",
                                          "id",
                                          "fail",
                                          "assume",
                                          "n > 2",
                                          "mapFusion",
                                          "reduceMap",
                                          "reduceSeq",
                                          "mapLevel seq",
                                          "splitJoinRest 2",
                                          "reduceBlocksRest 3",
                                          "toGlobal",
                                          "vectorise 2",
                                          "--x\n",
                                          "'",
                                          "9"};
  props::Random random(5);
  std::size_t parsed = 0, ran = 0;
  const SizeSolver sizes = proofs::z3_size_solver();
  const LawOracle laws = proofs::law_oracle();
  const RuleList rules = all_rules();
  const PhraseProgram program = entry(three);
  for (int k = 0; k < 4000; ++k) {
    std::string text;
    for (int n = 1 + random.below(7); n > 0; --n) text += random.among(words) + " ";
    const auto s = parse_strategy(std::make_shared<const Source>(Source{"s.strat", text}), rules);
    if (!s) {
      CHECK(s.error().size() == 1);
      CHECK(!render(s.error().front()).empty());
      continue;
    }
    ++parsed;
    const auto steps = derive(program, **s, {calculus(), rules, sizes, laws});
    if (!steps)
      CHECK(!steps.error().why.empty());
    else
      ran += !steps->empty();
  }
  CHECK(parsed > 100);
  CHECK(ran > 20);
}

TEST_CASE("a strategy without an end is stopped") {
  RuleList rules = all_rules();
  rules.push_back(
      {"turn",
       {},
       "p",
       "p",
       "",
       "",
       [](const PhraseRef& p, const std::vector<std::string>&, Site&) -> rewriting::Outcome { return Rewritten{p}; }});
  const Run r = derived("fun f (x : f32) : f32 = x", "repeat turn", rules);
  REQUIRE(!r.steps.has_value());
  CHECK_THAT(show(r.steps.error()), Contains("2000 steps"));
}

TEST_CASE("a rule that changes the meaning is caught, at its step") {
  Rule wrong = rule_named("mapFusion");  // g (f x) for f (g x)
  wrong.apply = [](const PhraseRef& p, const std::vector<std::string>&, Site& s) -> rewriting::Outcome {
    const PrimPhrase* outer = as_map(*p);
    const PrimPhrase* inner = outer ? as_map(*outer->arguments[1]) : nullptr;
    if (!inner) return no("");
    const LambdaPhrase* first = as_lambda(*outer->arguments[0]);
    return Rewritten{map_of(s, "map",
                            lambda(first->name, first->parameter, call_function(s, inner->arguments[0], first->body)),
                            inner->arguments[1])};
  };
  const Run r = derived(three, "reduceSeq ; topDown mapFusion ; topDown mapFusion", with(wrong));
  REQUIRE(r.steps.has_value());
  CHECK(!r.report.agrees());
  REQUIRE(r.report.steps.size() == 2);  // what comes after is not looked at
  CHECK(!r.report.steps[0].disagreement);
  CHECK(r.report.steps[1].disagreement);
}

TEST_CASE("blocks that start from what is not neutral are caught") {
  Rule wrong = rule_named("reduceBlocksRest");
  const auto right = wrong.apply;
  wrong.apply = [right](const PhraseRef& p, const std::vector<std::string>& words, Site& s) -> rewriting::Outcome {
    const LawOracle credulous = [](const LawQuestion&) {
      return LawAnswer{true, Knowledge::Tested, false, "believed"};
    };
    Site believing{s.calculus, s.facts, s.sizes, s.context, s.solver, credulous, s.around, s.names};
    return right(p, words, believing);
  };
  const std::string five = "fun f [n] (xs : [n]i32) : i32 = reduce (+) 5 xs";
  CHECK(!derived(five, "reduceBlocksRest 4", with(wrong)).report.agrees());
  CHECK(derived(five, "reduceBlocksRest 4").report.agrees());
}

TEST_CASE("a reordering that floats would hide in their bound is caught on the reals") {
  Rule wrong = rule_named("reduceSeq");  // leaves the first element out, and says that it only reorders
  wrong.apply = [](const PhraseRef& p, const std::vector<std::string>&, Site& s) -> rewriting::Outcome {
    const PrimPhrase* r = as_call(*p, "reduce");
    if (!r) return no("");
    Rewritten out{reduce_of(s, "reduceSeq", r->arguments[0], r->arguments[1], drop_of(s, 1, r->arguments[2]))};
    out.rounding = true;
    return out;
  };
  const Run r = derived("fun f (xs : [20000]f32) : f32 = reduce (+) 0 xs", "reduceSeq", with(wrong));
  REQUIRE(r.steps.has_value());
  REQUIRE(r.report.steps[0].disagreement);
  CHECK_THAT(r.report.steps[0].disagreement->found, Contains("on the reals"));
}

TEST_CASE("a rule that gives a wrongly typed program is caught by inference") {
  Rule wrong = rule_named("mapId");
  wrong.apply = [](const PhraseRef& p, const std::vector<std::string>&, Site& s) -> rewriting::Outcome {
    if (!as_map(*p)) return no("");
    return Rewritten{take_of(s, 1, as_map(*p)->arguments[1])};
  };
  const Run r = derived("fun f [n] (xs : [n]f32) : [n]f32 = map (\\x -> x) xs", "mapId", with(wrong));
  REQUIRE(r.steps.has_value());
  CHECK(!r.report.agrees());
  CHECK(!r.report.steps[0].type_errors.empty());
}

TEST_CASE("a rule that forgets a trap is caught") {
  Rule wrong = rule_named("dropLet");
  wrong.apply = [](const PhraseRef& p, const std::vector<std::string>&, Site&) -> rewriting::Outcome {
    const auto* l = as<LetPhrase>(*p);
    if (!l) return no("");
    return Rewritten{l->body};
  };
  const Run r = derived("fun f (x : u8) : u8 = let y = 1 / (x - x) in x", "dropLet", with(wrong));
  REQUIRE(r.steps.has_value());
  CHECK(!r.report.agrees());
}

}  // namespace strategy_test

// Reports of shards are joined field by field, in one way for every language; what is no report of a language is found.
#include <catch2/catch.hpp>

#include "driver/campaign_reports.h"

namespace campaign_reports_test {
using namespace lockstep;
using namespace lockstep::driver;

namespace {

RandomPrograms language() {
  RandomPrograms out{.language = "made",
                     .fields = {{"inputs"},
                                {"kinds"},
                                {"missing", Join::Common},
                                {"first", Join::First},
                                {"share", Join::Worst, {"program"}},
                                {"laws", Join::EachWorst, {"law", "ratio"}}}};
  out.wrong = [](const Json& r) { return r.at("inputs") == 13 ? "thirteen" : ""; };
  return out;
}

Json laws(double a, double b, const std::string& program) {
  return Json::array({{{"law", "a"}, {"ratio", a}, {"program", program}}, {{"law", "b"}, {"ratio", b}}});
}

Json report(std::size_t inputs, Json kinds, Json missing, const std::string& first, double share, Json laws,
            const std::vector<std::uint64_t>& failures = {}) {
  CampaignRan ran;
  ran.statistics.count("program", "a loop", inputs > 3);
  ran.statistics.count("program", "a view", true);
  if (inputs > 3) ran.statistics.count("input", "traps", false);
  ran.totals.programs = 10, ran.totals.nodes = 100, ran.totals.compiled = 2, ran.totals.seconds = 0.5;
  for (const std::uint64_t k : failures) {
    ran.totals.failures.push_back({{"meaning", "loops", "n = 1", "1 and 2"}, k, 9, "text", "again", ""});
  }
  ran.own = Json{{"inputs", inputs},
                 {"kinds", std::move(kinds)},
                 {"missing", std::move(missing)},
                 {"first", first},
                 {"share", share},
                 {"program", "of " + std::to_string(share)},
                 {"laws", std::move(laws)}};
  return report_of(language(), std::move(ran));
}

Json one() { return report(3, {{"view", 1}, {"loop", 2}}, {"zip", "join"}, "", 0.5, laws(1, 5, "p")); }
Json other() { return report(4, {{"loop", 5}, {"size", 1}}, {"map", "zip"}, "x", 0.25, laws(2, 4, "q"), {8, 3}); }

}  // namespace

TEST_CASE("counts are added, worst ratios stay with their programs, and failures are listed in order") {
  Json sum = one();
  CHECK(sum.at("ok") == true);
  join(sum, other(), language());
  CHECK(sum.at("ok") == false);
  CHECK(sum.at("programs") == 20);
  CHECK(sum.at("nodes") == 200);
  CHECK(sum.at("compiled") == 4);
  CHECK(sum.at("seconds") == 1.0);
  CHECK(sum.at("inputs") == 7);
  CHECK(sum.at("kinds") == Json{{"view", 1}, {"loop", 7}, {"size", 1}});
  CHECK(sum.at("missing") == Json{"zip"});
  CHECK(sum.at("first") == "x");
  CHECK(sum.at("statistics") ==
        Json{{"input", {{"traps", {{"count", 0}, {"all", 1}}}}},
             {"program", {{"a loop", {{"count", 1}, {"all", 2}}}, {"a view", {{"count", 2}, {"all", 2}}}}}});
  CHECK(sum.at("share") == 0.5);
  CHECK(sum.at("program") == "of 0.500000");
  CHECK(sum.at("laws")[0] == Json{{"law", "a"}, {"ratio", 2.0}, {"program", "q"}});
  CHECK(sum.at("laws")[1] == Json{{"law", "b"}, {"ratio", 5.0}});
  CHECK(sum.at("failures").size() == 2);
  CHECK(sum.at("failures")[0].at("program") == 3);
  const std::string text = text_of(other(), [] {
    RandomPrograms l = language();
    l.text = [](const Json&) { return "statistics\n"; };
    return l;
  }());
  CHECK(text.find("program 8 fails: meaning, at loops\n  on n = 1\n  1 and 2\n\ntext\n  again: again") != text.npos);
  CHECK(text.find("statistics\n2 failures\n") != text.npos);
}

TEST_CASE("in whatever order, the same statistics") {
  Json ab = one(), ba = other();
  join(ab, other(), language());
  join(ba, one(), language());
  for (const char* name :
       {"programs", "inputs", "kinds", "missing", "first", "share", "program", "laws", "statistics", "failures"}) {
    CAPTURE(name);
    if (std::string(name) == "kinds")
      for (const auto& [kind, n] : ab.at("kinds").items()) CHECK(ba.at("kinds").at(kind) == n);
    else
      CHECK(ab.at(name) == ba.at(name));
  }
}

TEST_CASE("an infinite ratio, which JSON writes as null, is the worst") {
  Json with = one();
  with["share"] = nullptr;
  Json sum = one();
  sum["program"] = "finite";
  join(sum, with, language());
  CHECK(sum.at("share").is_null());
  CHECK(sum.at("program") == with.at("program"));
  join(sum, one(), language());
  CHECK(sum.at("share").is_null());
}

TEST_CASE("what is wrong beside failures is judged of the whole") {
  Json a = report(6, Json::object(), Json::array(), "", 0, laws(0, 0, "")), b = a;
  b["inputs"] = 7;
  CHECK(a.at("ok") == true);
  join(a, b, language());
  CHECK(a.at("ok") == false);
}

TEST_CASE("a report without one of its fields, or with something else in its place, is found") {
  CHECK(unfit(other(), language()).empty());
  const Json whole = other();
  for (const auto& [name, value] : whole.items()) {
    if (name == "ok" || name == "language") continue;
    CAPTURE(name);
    Json without = other(), wrong = other();
    without.erase(name);
    CHECK(unfit(without, language()).find("'" + name + "'") == 0);
    if (name == "program") continue;  // goes with its ratio, whatever it is
    wrong[name] = true;
    CHECK(unfit(wrong, language()).find("'" + name + "'") == 0);
  }
  const auto refused = [](const std::function<void(Json&)>& edit) {
    Json j = other();
    edit(j);
    return unfit(j, language());
  };
  CHECK(refused([](Json& j) { j["inputs"] = -1; }) == "'inputs' is no count");
  CHECK(refused([](Json& j) { j["kinds"]["loop"] = "five"; }) == "'kinds' is no count");
  for (const char* name : {"count", "all"})
    CHECK(refused([&](Json& j) { j["statistics"]["program"]["a view"].erase(name); }) ==
          "'statistics' is nothing in shares");
  CHECK(refused([](Json& j) { j["statistics"]["program"]["a view"]["count"] = 2; }) ==
        "'statistics' is nothing in shares");
  CHECK(refused([](Json& j) { j["statistics"]["program"] = 1; }) == "'statistics' is nothing in shares");
  CHECK(refused([](Json& j) { j["missing"][0] = 1; }) == "'missing' is no list of texts");
  CHECK(refused([](Json& j) { j["laws"][0].erase("ratio"); }) == "'laws' is no list of ratios");
  CHECK(refused([](Json& j) { j["failures"][0].erase("text"); }) == "'failures' lists no failures");
  CHECK(refused([](Json& j) { j["failures"][0]["program"] = "3"; }) == "'failures' lists no failures");
  CHECK(refused([](Json& j) { j["more"] = 1; }) == "'more' is nothing that is said of .made");
}

TEST_CASE("a language whose report has a field that says nothing of how it is joined is a bug") {
  CampaignRan ran;
  ran.own = one();
  for (const char* name : {"ok", "language", "programs", "nodes", "compiled", "statistics", "seconds", "failures"})
    ran.own.erase(name);
  CHECK_NOTHROW(report_of(language(), ran));
  ran.own["new"] = 1;
  CHECK_THROWS_AS(report_of(language(), ran), Bug);
}

}  // namespace campaign_reports_test

// Every rule at every place of random programs: what it gives is well-typed and means the same. And random programs
// printed from their phrases are read back as they were.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "props/dpia/generate.h"
#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "tests/unit/derivation.h"

namespace rewriting_random_test {
using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::rewriting;

namespace {

const SizeSolver& solver() {
  static const SizeSolver s = proofs::z3_size_solver();
  return s;
}

std::optional<PhraseProgram> random_program(std::uint64_t k) {
  const auto parsed = parse_program(
      std::make_shared<const Source>(Source{"random.dpia", print(props::generate_program(props::seed_of(11, k)))}));
  if (!parsed) return {};
  const auto e = infer(*parsed, calculus(), solver());
  if (!e || e->entries.empty()) return {};
  return e->entries.back();
}

std::vector<std::vector<std::string>> arguments_of(const Rule& r) {
  if (r.parameters.empty()) return {{}};
  if (r.parameters[0] == ParameterKind::Size) return {{"1"}, {"2"}, {"4"}};
  if (r.parameters[0] == ParameterKind::Level) return {{"seq"}, {"par"}};
  if (r.parameters[0] == ParameterKind::Place) return {{"map"}, {"zip"}, {"(0)"}, {"(1)"}, {"(0.0)"}};
  return {};
}

void each_place(const PhraseRef& p, const Place& at, const std::function<void(const Place&)>& f) {
  f(at);
  std::size_t k = 0;
  for_each_child(*p, [&](const PhraseRef& c) {
    Place below = at;
    below.push_back(k++);
    each_place(c, below, f);
  });
}

std::size_t programs() {  // LOCKSTEP_PROGRAMS=5000 for a long run
  const char* n = std::getenv("LOCKSTEP_PROGRAMS");
  return n ? std::strtoul(n, nullptr, 10) : 250;
}

}  // namespace

TEST_CASE("a random program printed from its phrases is the same program") {
  for (std::uint64_t k = 0; k < programs(); ++k) {
    const auto p = random_program(k);
    if (!p) continue;
    const auto back = props::read_back(*p, calculus(), solver());
    CAPTURE(k, show(p->result));
    if (!back) FAIL(render(back.error().front()));
    CAPTURE(back->text);
    CHECK(literals_of(*back->program.body) == literals_of(*p->body));
    const auto again = props::read_back(back->program, calculus(), solver());
    REQUIRE(again.has_value());
    CHECK(alpha_equal(*again->program.body, *back->program.body));
  }
}

TEST_CASE("every rule keeps the types and the meaning of random programs") {
  const RuleList rules = all_rules();
  // Each operation's laws are asked once.
  std::map<std::string, LawAnswer> known;
  const LawOracle laws = [&, ask = proofs::law_oracle({500, 200, 1})](const LawQuestion& q) {
    std::string key = std::string(show(q.law)) + print(source_of(*q.operation, calculus(), Suffixes::Always)) +
                      show(q.operation->type);
    if (q.element) key += " " + print(source_of(**q.element, calculus(), Suffixes::Always));
    const auto it = known.find(key);
    return it != known.end() ? it->second : known.emplace(key, ask(q)).first->second;
  };
  const Tools tools{calculus(), rules, solver(), laws};
  std::map<std::string, std::size_t> checked;
  const std::size_t enough = programs() / 5;  // of one rule
  for (std::uint64_t k = 0; k < programs(); ++k) {
    const auto p = random_program(k);
    if (!p) continue;
    for (const Rule& r : rules)
      for (const auto& arguments : arguments_of(r))
        each_place(p->body, {}, [&](const Place& at) {
          if (checked[r.name] >= enough || !phrase_at(p->body, at)) return;
          const auto source = [&] { return props::read_back(*p, calculus(), solver())->text; };
          props::DerivationReport report;
          try {
            auto step = apply_rule(*p, {r.name, arguments}, at, tools);
            if (!step) return;
            ++checked[r.name];
            report = props::check_derivation(*p, {*step}, calculus(), solver(), {k, 4, 200, {}});
          } catch (const Bug& bug) {
            CAPTURE(k, r.name, arguments, show(at), source());
            FAIL_CHECK(bug.what());
            return;
          }
          if (report.agrees()) return;
          const props::StepVerdict& v = report.steps[0];
          CAPTURE(k, r.name, arguments, show(at), source(), v.program.text);
          if (!v.type_errors.empty())
            FAIL_CHECK(v.type_errors.front());
          else
            FAIL_CHECK(v.disagreement->input << "\n" << v.disagreement->expected << "\n" << v.disagreement->found);
        });
  }
  for (const auto& [name, n] : checked) UNSCOPED_INFO(name << ": " << n);
  CHECK(checked.size() >= 15);
}

}  // namespace rewriting_random_test

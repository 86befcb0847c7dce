// A program of the trace beside the source.
#include "props/l0/subjects.h"

#include "props/l0/compiled.h"
#include "semantics/language/obligation.h"
#include "translate/l0/normalise.h"

namespace lockstep::props::l0 {

std::pair<std::string, std::string> wrong_with(const Trace& trace, std::size_t k) {
  const AnyProgram& p = trace.steps[k].program;
  for (const std::string& wrong : p.language().check(p, {})) return {wrong, "types"};
  if (const std::string wrong = wrong_read_back(p); !wrong.empty()) return {wrong, "round trip"};
  bool is_normal = false;
  for (std::size_t j = 0; j <= k; ++j) is_normal = is_normal || trace.steps[j].name == "normalise";
  if (is_normal)
    if (const std::string wrong = language::why_not_normal(p.as<language::Entry>().program); !wrong.empty())
      return {wrong, "normal form"};
  return {};
}

namespace {

class StageSubject : public Subject {
 public:
  StageSubject(Tests& tests, std::size_t k) : Subject(planned_row(tests, k)), tests_(tests), k_(k) {
    tests.work.resize(std::max(tests.work.size(), k + 1));
    tests.work[k].assign(tests.inputs.size(), -1);
  }

  void check(Row& row) override {
    const auto [wrong, kind] = wrong_with(tests_.trace, k_);
    if (wrong.empty()) return;
    row.ill_formed = {wrong};
    row.ill_as = kind;
  }
  void test(Row& row, std::size_t i) override {
    const Input& in = tests_.inputs[i];
    for (const bool poisons : {false, true}) {
      language::Counts cost;
      const auto ran = outcome_within_memory(
          program(), in.leaves, {.counts = &cost, .poisons = poisons, .most_scalars = tests_.most_scalars});
      ++row.runs;
      // what the source traps before, another order may come to first
      if (!ran && !in.expected) continue;
      if (!ran) throw std::bad_alloc();
      const Outcome& found = *ran;
      if (!row.disagreement && !same(found, in.expected))
        row.disagreement = Disagreement{in.text + (poisons ? ", what is consumed overwritten" : ""),
                                        shown(in.expected, tests_.function), shown(found, tests_.function)};
      if (!poisons && found) relate(in, i, cost);
    }
  }
  void finish(Row& row) override {
    row.costs = {cell()};
    if (k_ > 0) row.related.push_back(added_);
  }
  std::pair<std::string, std::string> around() const override {
    return {k_ > 0 ? tests_.trace.steps[k_ - 1].program.language().print(tests_.trace.steps[k_ - 1].program) : "",
            text()};
  }
  std::string text() const override { return program().language().print(program()); }

 private:
  static Row planned_row(const Tests& tests, std::size_t k) {
    const Step& step = tests.trace.steps[k];
    Row row{step.name, step.cite, "the program after " + step.name + " (" + step.cite + ")", "L0"};
    if (k == 0) row.subject = "the source";
    row.nodes = step.program.language().nodes(step.program);
    row.well_formed = "has types and right uses, prints and parses to itself";
    row.same =
        k == 0 ? "gives the same where what it consumes is overwritten"
               : "gives what the source does, bit for bit, traps included, and where what it consumes is overwritten";
    row.reference = k == 0;
    row.costs = {"999999 to 999999"};
    return row;
  }
  const AnyProgram& program() const { return tests_.trace.steps[k_].program; }
  void relate(const Input& in, std::size_t i, const language::Counts& cost) {
    std::int64_t& work = tests_.work[k_][i];
    work = cost.work - cost.views;
    if (k_ == 0 || tests_.work[k_ - 1][i] < 0) return;
    ++added_.inputs;
    const std::int64_t before = tests_.work[k_ - 1][i];
    if (work > before && !added_.wrong)
      added_.wrong =
          Disagreement{in.text, "", "work grew from " + std::to_string(before) + " to " + std::to_string(work)};
  }
  std::string cell() const {
    std::int64_t least = -1, most = -1;
    for (const std::int64_t w : tests_.work[k_]) {
      if (w < 0) continue;
      least = least < 0 ? w : std::min(least, w);
      most = std::max(most, w);
    }
    if (most < 0) return "";
    return least == most ? std::to_string(least) : std::to_string(least) + " to " + std::to_string(most);
  }

  Tests& tests_;
  const std::size_t k_;
  Related added_{"adds no work", 0, {}, {}, "work"};
};

}  // namespace

std::unique_ptr<Subject> subject(Tests& tests, std::size_t k) { return std::make_unique<StageSubject>(tests, k); }

LoweredSource lowered_source(const Tests& tests) {
  LoweredSource out{tests.trace.last(), {}, [&f = tests.function](const LeafOutcome& o) {
                      return o ? shown(values_from(*o), f) : shown(tl::unexpected(o.error()), f);
                    }};
  for (const Input& in : tests.inputs)
    out.inputs.push_back(
        {in.text, leaves_from(in.leaves), in.expected.map([](const auto& v) { return leaves_from(v); })});
  return out;
}

}  // namespace lockstep::props::l0

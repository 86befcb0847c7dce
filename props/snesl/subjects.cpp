// What of a program of SVCODE is checked, run and costed.
#include "props/snesl/subjects.h"

#include <cstdio>

#include "semantics/core/table.h"
#include "semantics/svcode/text.h"

namespace lockstep::props::stream {
namespace {

std::string number(const char* format, double x) {
  char out[64];
  std::snprintf(out, sizeof out, format, x);
  return out;
}

// The measure of a theorem, in a word, where c is the greatest found on the inputs.
std::string measure_of(Bound b) {
  static constexpr auto rows = table<Bound>({{Bound::Work, "work"},
                                             {Bound::Depth, "depth"},
                                             {Bound::ParallelSpace, "space"},
                                             {Bound::SequentialSpace, "space at 1"},
                                             {Bound::SpaceOnP, "space on P"}});
  return std::string(rows[b]);
}

// "work <= 48 (1 + W) (SNESL ch. 5)"
std::string theorem_of(Bound b) {
  std::string text(name_of(b));
  return text.replace(text.find(" c "), 2, number(" %g", fixed_constant(b))) + " (SNESL ch. 5)";
}

class SvcodeSubject : public Subject {
 public:
  SvcodeSubject(StreamTests& tests, std::size_t k) : Subject(planned_row(tests, k)), tests_(tests), k_(k) {
    tests.work.resize(std::max(tests.work.size(), k + 1));
    tests.work[k].assign(tests.inputs.size(), -1);
  }

  void check(Row& row) override {
    const svcode::Program& p = program();
    if (const std::string wrong = svcode::check(p); !wrong.empty()) {
      row.ill_formed = {wrong};
    } else if (const auto slack = tests_.analyse(p); tests_.streams && !slack) {
      row.ill_formed = {"it does not stream, which the program before it does: " + slack.error().front().message};
      row.ill_as = "streamability";
    } else if (slack && slack->size() != p.instructions.size()) {
      row.ill_formed = {"not one for each instruction"};
      row.ill_as = "slack";
    } else if (tests_.read_back) {
      row.ill_as = "round trip";
      if (const std::string wrong = wrong_read_back(tests_.trace.steps[k_].program); !wrong.empty())
        row.ill_formed = {wrong};
    }
  }

  void test(Row& row, std::size_t k) override {
    StreamInput& in = tests_.inputs[k];
    const auto r = attempted(row, in, "", [&] { return run_eagerly(tests_.tools, program(), in.values, in.files); });
    if (!r) return;
    compare(tests_, row, in, *r, "");
    if (!r->value) return;
    relate(in, measured_eagerly(in.cost, r->counts, program().instructions.size(), tests_.contained && has_theorem()));
    std::int64_t& work = tests_.work[k_][k] = r->counts.work;
    const std::int64_t before = adds_no_work() ? tests_.work[k_ - 1][k] : -1;
    relate_work(added_, in, before, work);
  }
  void finish(Row& row) override {
    costs_.say(row, tests_.held);
    if (adds_no_work()) row.related.push_back(added_);
  }

  std::pair<std::string, std::string> around() const override {
    const AnyProgram& before = tests_.trace.steps[k_ - 1].program;
    return {before.as_if<svcode::Program>() ? before.language().print(before) : "", text()};
  }
  std::string text() const override { return svcode::print(program()); }

 private:
  static Row planned_row(const StreamTests& tests, std::size_t k) {
    const Step& step = tests.trace.steps[k];
    Row row = svcode_row(step.name, step.cite);
    row.well_formed = "is well typed, prints and parses to itself, and is accepted by the analysis of clocks and lags";
    row.nodes = step.program.language().nodes(step.program);
    row.costs = {planned_costs(k == 1 ? std::vector{Bound::Work, Bound::Depth, Bound::ParallelSpace}
                                      : std::vector{Bound::Work, Bound::ParallelSpace})};
    return row;
  }
  const svcode::Program& program() const { return tests_.trace.steps[k_].program.as<svcode::Program>(); }
  const CostRelation& relation() const { return tests_.trace.steps[k_].cost; }
  bool has_theorem() const { return relation().depth == CostRelation::Change::Theorem; }
  bool adds_no_work() const { return relation().work == CostRelation::Change::NotMore; }
  void relate(const StreamInput& in, const std::vector<Measured>& all) {
    costs_.relate(in, all);
    if (tests_.counted) tests_.counted(in, all);
  }

  StreamTests& tests_;
  const std::size_t k_;
  Costs costs_;
  Related added_ = no_work_added();
};

class ChunkedSubject : public Subject {
 public:
  ChunkedSubject(StreamTests& tests, std::size_t k, const std::string& name,
                 std::function<Chunks(const StreamInput&)> chunks)
      : Subject(target_row(name, "SNESL §5.3.1")),
        tests_(tests),
        program_(tests.trace.steps[k].program.as<svcode::Program>()),
        chunks_(std::move(chunks)) {}

  void load(Row& row) override {
    if (const auto slack = tests_.analyse(program_))
      how_.slack = *slack;
    else
      row.unavailable = "it does not stream";
  }
  void test(Row& row, std::size_t k) override {
    using Order = svcode::ChunkOptions::Order;
    StreamInput& in = tests_.inputs[k];
    how_.seed = in.seed;
    for (const auto& [chunk, order] : chunks_(in)) {
      how_.chunk = chunk, how_.order = order;
      const std::string how = ", chunk size " + std::to_string(chunk) + ", transducers " +
                              (order == Order::Loop      ? "in order"
                               : order == Order::Reverse ? "in reverse"
                                                         : "at random");
      const auto r =
          attempted(row, in, how, [&] { return run_in_chunks(tests_.tools, program_, in.values, in.files, how_); });
      if (!r) return;
      compare(tests_, row, in, *r, how);
      if (r->value && (order == Order::Loop || !tests_.in_order_only)) {
        const std::vector<Measured> all = measured_in_chunks(in.cost, r->counts, chunk);
        costs_.relate(in, all);
        if (tests_.counted) tests_.counted(in, all);
      }
    }
  }
  void finish(Row& row) override { costs_.say(row, tests_.held); }
  std::pair<std::string, std::string> around() const override { return {"", text()}; }
  std::string text() const override { return svcode::print(program_); }

 private:
  StreamTests& tests_;
  const svcode::Program& program_;
  const std::function<Chunks(const StreamInput&)> chunks_;
  svcode::ChunkOptions how_;
  Costs costs_;
};

}  // namespace

void Costs::relate(const StreamInput& in, const std::vector<Measured>& all) {
  for (const Measured& m : all) {
    auto it = std::find_if(greatest_.begin(), greatest_.end(), [&](const Greatest& g) { return g.m.bound == m.bound; });
    if (it == greatest_.end()) it = greatest_.insert(it, {m, in.text, 0});
    ++it->inputs;
    if (m.ratio() > it->m.ratio()) it->m = m, it->input = in.text;
  }
}

void Costs::say(Row& row, bool held) const {
  std::string cell;
  for (const Greatest& g : greatest_) {
    Related r{theorem_of(g.m.bound), row.tested, g.m.ratio(), {}, std::string(name_of(g.m.bound))};
    if (held && !g.m.holds())
      r.wrong = Disagreement{g.input, "",
                             std::to_string(g.m.measured) + " counted against " + std::to_string(g.m.cost) +
                                 ", which is " + number("%.3g", g.m.ratio()) + " times as much"};
    row.related.push_back(std::move(r));
    cell += (cell.empty() ? "" : ", ") + measure_of(g.m.bound) + number(" %.3g", g.m.ratio()) +
            (g.m.holds() ? " ≤ " : " > ") + number("%g", fixed_constant(g.m.bound));
  }
  row.costs = {cell};
}

std::string planned_costs(const std::vector<Bound>& bounds) {
  std::string cell;
  for (const Bound b : bounds)
    cell += (cell.empty() ? "" : ", ") + measure_of(b) + " 9.999 ≤ " + number("%g", fixed_constant(b));
  return cell;
}

Related no_work_added() { return {"adds no work", 0, {}, {}, "work"}; }
void relate_work(Related& added, const StreamInput& in, std::int64_t before, std::int64_t work) {
  if (before < 0) return;
  ++added.inputs;
  if (work > before && !added.wrong)
    added.wrong = Disagreement{in.text, "", "work grew from " + std::to_string(before) + " to " + std::to_string(work)};
}

Row svcode_row(const std::string& name, const std::string& cite) {
  Row row{name, cite, "the program after " + name + " (" + cite + ")", "SVCODE"};
  row.same = "gives what the source does, bit for bit, and fails where it does";
  return row;
}

Row target_row(const std::string& name, const std::string& cite) {
  Row row = svcode_row(name, cite);
  row.subject = "the target " + name, row.language = name;
  row.is_target = true;
  return row;
}

std::unique_ptr<Subject> svcode_subject(StreamTests& tests, std::size_t k) {
  return std::make_unique<SvcodeSubject>(tests, k);
}
std::unique_ptr<Subject> chunked_subject(StreamTests& tests, std::size_t k, const std::string& name,
                                         std::function<Chunks(const StreamInput&)> chunks) {
  return std::make_unique<ChunkedSubject>(tests, k, name, std::move(chunks));
}

void compare(Row& row, const StreamInput& in, const StreamingResult& got, const std::string& how) {
  ++row.runs;
  if (row.disagreement || agree(got, in.expected)) return;
  row.disagreement = Disagreement{in.text + how, show(in.expected), show(got)};
}

void compare(const StreamTests& tests, Row& row, const StreamInput& in, const StreamingResult& got,
             const std::string& how) {
  compare(row, in, got, how);
  if (!got.value && !row.disagreement && tests.trapped) tests.trapped(in, got.value.error());
}

void gives_nothing(Row& row, StreamInput& in, const Bug& bug, const std::string& how) {
  ++row.runs;
  in.files.take_written();
  if (!row.disagreement) row.disagreement = Disagreement{in.text + how, show(in.expected), "nothing: " + bug.reason};
}

}  // namespace lockstep::props::stream

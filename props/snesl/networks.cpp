// What of a network of transducers is checked and run.
#include <utility>

#include "props/snesl/subjects.h"

namespace lockstep::props::stream {
namespace {

class NetworkSubject : public Subject {
 public:
  NetworkSubject(StreamTests& tests, const Trace& networks, std::size_t k)
      : Subject(planned_row(networks.steps[k])), tests_(tests), networks_(networks), k_(k) {}

  void check(Row& row) override {
    const AnyProgram& p = networks_.steps[k_].program;
    row.ill_formed = p.language().check(p, {});
  }
  void test(Row& row, std::size_t k) override {
    StreamInput& in = tests_.inputs[k];
    const auto run = [&](const transducer::RunOptions& options, const std::string& how) {
      if (row.disagreement) return std::optional<StreamingResult>();
      auto r = attempted(row, in, how, [&] { return run_network(program(), in.values, in.files, options); });
      if (r) compare(tests_, row, in, *r, how);
      return r;
    };
    if (const auto whole = run({}, ""); whole && whole->value) relate(in, k, whole->counts);
    if (in.cost.work > largest) return;
    const bool in_chunks = transducer::runs_in_chunks(program());
    if (in_chunks)
      for (const std::int64_t chunk : in.large ? Sizes{1, 64} : Sizes{1, 5})
        relate_chunks(in, run({chunk}, ", chunk size " + std::to_string(chunk)), chunk);
    if (program().pieces)
      for (const std::int64_t piece : in.large ? Sizes{100} : Sizes{1, 7}) {
        const std::string how = ", in pieces of " + std::to_string(piece);
        run({0, piece}, how);
        const std::int64_t chunk = in.large ? 64 : 1;
        if (in_chunks) relate_chunks(in, run({chunk, piece}, how + ", chunk size " + std::to_string(chunk)), chunk);
      }
  }
  void finish(Row& row) override {
    costs_.say(row, tests_.held);
    if (adds_no_work()) row.related.push_back(added_);
  }
  std::pair<std::string, std::string> around() const override {
    const AnyProgram& before = networks_.steps[k_ - 1].program;
    return {before.language().print(before), text()};
  }
  std::string text() const override {
    const AnyProgram& p = networks_.steps[k_].program;
    return p.language().print(p);
  }

 private:
  using Sizes = std::vector<std::int64_t>;
  static constexpr std::int64_t largest = 100'000;  // larger ones run whole only
  static Row planned_row(const Step& step) {
    Row row = svcode_row(step.name, step.cite);
    row.language = step.program.language().name;
    row.well_formed = "is a network: every step reads what a step before it gives, and lets go of what it has read";
    row.costs = {planned_costs({Bound::Work, Bound::ParallelSpace, Bound::SequentialSpace, Bound::SpaceOnP})};
    row.nodes = step.program.language().nodes(step.program);
    return row;
  }
  // Before there are steps whole groups grow in buffers that later stages do not have.
  bool is_scheduled() const { return !program().whole.steps.empty(); }
  bool adds_no_work() const { return networks_.steps[k_].cost.work == CostRelation::Change::NotMore; }
  void relate_chunks(const StreamInput& in, const std::optional<StreamingResult>& r, std::int64_t chunk) {
    if (!r || !r->value || !is_scheduled()) return;
    const std::vector<Measured> measured = measured_in_chunks(in.cost, r->counts, chunk);
    costs_.relate(in, measured);
    if (tests_.counted) tests_.counted(in, measured);
  }
  void relate(const StreamInput& in, std::size_t k, const svcode::Counts& counts) {
    const std::vector<Measured> measured =
        measured_eagerly(in.cost, counts, program().whole.code->instructions.size(), false);
    costs_.relate(in, measured);
    if (tests_.counted) tests_.counted(in, measured);
    std::vector<std::int64_t>& all = tests_.network_work;
    all.resize(tests_.inputs.size(), -1);
    const std::int64_t before = std::exchange(all[k], counts.work);
    if (adds_no_work()) relate_work(added_, in, before, counts.work);
  }
  const transducer::Program& program() const { return networks_.steps[k_].program.as<transducer::Program>(); }

  StreamTests& tests_;
  const Trace& networks_;
  const std::size_t k_;
  Costs costs_;
  Related added_ = no_work_added();
};

}  // namespace

std::unique_ptr<Subject> network_subject(StreamTests& tests, const Trace& networks, std::size_t k) {
  return std::make_unique<NetworkSubject>(tests, networks, k);
}

}  // namespace lockstep::props::stream

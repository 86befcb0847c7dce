// The rows of .dpia, on those of the source's inputs that are theirs.
#include "props/dpia/lowered.h"

#include <algorithm>

#include "props/dpia/verify.h"
#include "semantics/functional/denote.h"

namespace lockstep::props {
namespace {

// Most rounds of `while` that the lowered program may take where the source has ended.
constexpr std::uint64_t most_rounds = 10'000'000;

double weight(const Arguments& arguments) {
  double n = 0;
  for (const Leaves& leaves : arguments.values)
    for (const LeafArray& leaf : leaves) n += static_cast<double>(count_of(leaf));
  return n;
}

bool same_leaf(const LeafArray& a, const LeafArray& b) {
  if (a.type != b.type || a.shape != b.shape) return false;
  for (std::int64_t k = 0, n = count_of(a); k < n; ++k)
    if (!same_scalar(scalar_at(a, k), scalar_at(b, k))) return false;
  return true;
}

}  // namespace

bool same_leaves(const LeafOutcome& a, const LeafOutcome& b) {
  if (!a || !b) return !a && !b;
  return std::equal(a->begin(), a->end(), b->begin(), b->end(), same_leaf);
}

// As the rows before it have it.
static Row with_work_only(Row row) {
  row.costs.resize(std::min<std::size_t>(row.costs.size(), 1));
  return row;
}

// The program of the calculus itself.
class LowerSubject : public Subject {
 public:
  LowerSubject(Row row, Lowered& lowered) : Subject(std::move(row)), lowered_(lowered) {}

  void check(Row& row) override {
    row.ill_formed = program().language().check(program(), lowered_.tests_.effort.implied);
  }
  bool takes(std::size_t input) const override { return lowered_.number_[input].has_value(); }
  void test(Row& row, std::size_t input) override {
    const LoweredSource::Input& in = lowered_.source_.inputs[input];
    const LeafOutcome& found = lowered_.outcomes_[*lowered_.number_[input]];
    ++row.runs;
    if (!row.disagreement && !same_leaves(found, in.expected))
      row.disagreement = Disagreement{in.text, lowered_.source_.shown(in.expected), lowered_.source_.shown(found)};
  }
  std::pair<std::string, std::string> around() const override {
    const AnyProgram& before = lowered_.source_.last;
    return {before.language().print(before), text()};
  }
  std::string text() const override { return program().language().print(program()); }

 private:
  const AnyProgram& program() const { return lowered_.tests_.traces[0].steps[0].program; }
  Lowered& lowered_;
};

// What .dpia makes of one of its programs, by the numbers that inputs and rows have there.
class LaterSubject : public Subject {
 public:
  LaterSubject(std::unique_ptr<Subject> inner, const Lowered& lowered, std::size_t rows_before)
      : Subject(with_work_only(inner->planned)),
        inner_(std::move(inner)),
        lowered_(lowered),
        rows_before_(rows_before) {}

  void check(Row& row) override { inner_->check(row); }
  std::optional<std::size_t> same_runs_as(const std::vector<Row>& before) override {
    const auto found = inner_->same_runs_as({before.begin() + static_cast<std::ptrdiff_t>(rows_before_), before.end()});
    return found ? std::optional(*found + rows_before_) : std::nullopt;
  }
  void take_over(std::size_t row) override { inner_->take_over(row - rows_before_); }
  void load(Row& row) override { inner_->load(row); }
  bool takes(std::size_t input) const override { return lowered_.number_[input].has_value(); }
  void test(Row& row, std::size_t input) override { inner_->test(row, *lowered_.number_[input]); }
  void finish(Row& row) override { inner_->finish(row); }
  std::pair<std::string, std::string> around() const override { return inner_->around(); }
  std::string text() const override { return inner_->text(); }

 private:
  const std::unique_ptr<Subject> inner_;
  const Lowered& lowered_;
  const std::size_t rows_before_;
};

Lowered::Lowered(LoweredSource source, const InCalculus& program, const Calculus& calculus, Effort effort,
                 const std::vector<Machine>& machines, bool whole, const StageList& stages)
    : whole_(whole),
      source_(std::move(source)),
      program_(program),
      tally_(calculus),
      counted_(tally_.counting(program.program)),
      tests_(tally_, counted_, std::move(effort)) {
  for (const LoweredSource::Input& in : source_.inputs) take(in);
  tests_.traces.reserve(machines.size());
  for (const Machine m : machines)
    tests_.traces.push_back(dpia_trace(counted_, dpia_languages(tally_.calculus()), m, whole_, stages));
}

void Lowered::take(const LoweredSource::Input& in) {
  auto arguments = arguments_in_calculus(program_, in.arguments);
  if (!arguments) return number_.push_back(std::nullopt);
  number_.push_back(drawn_.size());
  DrawnInput& d = drawn_.emplace_back();
  d.arguments = std::move(*arguments);
  d.load = weight(d.arguments);
  d.gives_values = in.expected.has_value();
  const SizeValues& sizes = d.arguments.sizes;
  TestedInput e{
      {sizes, [this, &d] { return values_of(counted_, d.arguments); }, [&d] { return scalars_of(d.arguments); }},
      [&in] { return in.text; }};
  const AnyProgram counting(functional_language(tally_.calculus()), tests_.rounds.counted(counted_));
  tally_.restart();
  e.rounds = most_rounds;
  const Attempt got = attempt(counting, e, {}, tests_.rounds);
  d.rounds = e.rounds = tests_.rounds.taken();
  e.load = d.load += static_cast<double>(d.rounds);
  if (!got)
    outcomes_.push_back(tl::unexpected(Trap{"while", got.error(), {}}));
  else if (!*got)
    outcomes_.push_back(tl::unexpected(got->error()));
  else
    outcomes_.push_back(leaves_from(**got, counted_.result, sizes));
  tests_.applied.push_back(got && *got ? std::optional(Spent{tally_.counts(), {}}) : std::nullopt);
  if (in.expected) {
    d.ieee = scalars_of(*in.expected);
    if (whole_) d.bounded = in_exact_arithmetic(d.arguments);
  } else {
    d.ieee = tl::unexpected(in.expected.error());
    if (got) d.traps = traps_of(counted_, sizes, values_of(counted_, d.arguments), ieee_domain());
  }
  e.expected = d.ieee, e.traps = d.traps;
  tests_.inputs.push_back(std::move(e));
}

std::optional<Outcome> Lowered::in_exact_arithmetic(const Arguments& arguments) const {
  const PhraseProgram& p = program_.program;
  try {
    const auto found = denote(p, arguments.sizes, values_of(p, arguments), bounded_domain());
    if (!found) return Outcome(tl::unexpected(found.error()));
    return Outcome(flatten(*found, p.result, arguments.sizes));
  } catch (const UndecidedSignal&) {
    return {};
  }
}

void Lowered::add(Case& c) {
  Case later;
  const std::size_t rows_before = c.stages.size();
  const std::size_t traces = tests_.traces.size();
  std::vector<DpiaTrace> all = std::move(tests_.traces);
  tests_.traces.clear();
  tests_.traces.reserve(traces);
  for (DpiaTrace& t : all) {
    tests_.traces.push_back(std::move(t));
    tests_.add_rows(later, 0);
  }
  bool first = true;
  for (auto& s : later.stages) {
    if (std::exchange(first, false)) {
      Row row = with_work_only(s->planned);
      row.name = "lower", row.cite = "into the calculus, DPIA Fig. 4";
      row.subject = "the program after lower (" + row.cite + ")";
      row.reference = false;
      row.well_formed = "is well typed";
      row.same = "gives what the source does, bit for bit, shapes too; it traps where the source does";
      c.stages.push_back(std::make_unique<LowerSubject>(std::move(row), *this));
      continue;
    }
    c.stages.push_back(std::make_unique<LaterSubject>(std::move(s), *this, rows_before));
  }
}

std::vector<std::string> Lowered::notes() const {
  std::vector<std::string> out = notes_of_blocks(tests_);
  if (tests_.orders.every) out.insert(out.begin(), tests_.orders.text());
  return out;
}

void Lowered::add_target(Case& c, const Target& target) {
  c.targets.push_back(std::make_unique<LaterSubject>(target_subject(target, tests_, drawn_), *this, 0));
}

}  // namespace lockstep::props

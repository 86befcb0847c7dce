// What of a phrase and of a kernel is checked, run and costed.
#include "props/dpia/subjects.h"

#include "props/dpia/generate.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/imperative/check.h"
#include "semantics/imperative/cost.h"
#include "semantics/imperative/print.h"
#include "semantics/imperative/run.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/constant.h"

namespace lockstep::props {

Attempt attempt(const PhraseProgram& program, const TestedInput& e, RunOptions options, const Rounds& rounds,
                const Type& result) {
  options.iteration_limit = static_cast<std::int64_t>(rounds_allowed(e.rounds));
  rounds.restart(any_rounds, rounds_allowed(e.rounds));
  try {
    const auto value = run(program, e.sizes, e.values(), ieee_domain(), options);
    if (value) return Outcome(flatten(*value, result, e.sizes));
    if (const auto* trap = std::get_if<Trap>(&value.error())) return Outcome(tl::unexpected(*trap));
    return tl::unexpected(render(value.error()));
  } catch (const EndlessSignal&) {
    return tl::unexpected("more than " + std::to_string(rounds_allowed(e.rounds)) + " rounds of `while`, the source " +
                          std::to_string(e.rounds));
  }
}

Attempt attempt_of(const kernel::Program& program, const tl::expected<kernel::Buffers, kernel::Stop>& outputs) {
  if (outputs) {
    Scalars out;
    for (const kernel::Buffer& b : program.outputs) out.push_back(outputs->at(b.name));
    return Outcome(std::move(out));
  }
  if (const auto* trap = std::get_if<Trap>(&outputs.error())) return Outcome(tl::unexpected(*trap));
  if (const auto* fault = std::get_if<kernel::Fault>(&outputs.error()))
    return tl::unexpected(std::string(kernel::show(fault->kind)) + ": " + fault->message);
  throw Bug("the IEEE domain cannot decide");
}

namespace {
kernel::Buffers buffers_of(const kernel::Program& program, const TestedInput& e) {
  kernel::Buffers out;
  std::size_t k = 0;
  for (std::vector<Scalar>& scalars : e.leaves()) out[program.inputs.at(k++).name] = std::move(scalars);
  return out;
}
}  // namespace

Attempt attempt(const kernel::Program& program, const TestedInput& e, kernel::RunOptions options) {
  options.while_limit = rounds_allowed(e.rounds);
  return attempt_of(program, kernel::run(program, e.sizes, buffers_of(program, e), ieee_domain(), options));
}

Disagreement Tests::disagreement(const TestedInput& e, std::string found) const {
  return {e.shown(), lockstep::props::shown(e.expected, source.result, e.sizes), std::move(found)};
}

std::optional<Disagreement> Tests::differs(const TestedInput& e, const Attempt& got) const {
  if (!got) return disagreement(e, got.error());
  if (same_outcome(*got, e.expected)) return {};
  return disagreement(e, lockstep::props::shown(*got, source.result, e.sizes));
}

namespace {

// ------------------------------------------------------------------------------------------------ programs
bool same_program(const PhraseProgram& a, const PhraseProgram& b) {
  return a.output == b.output && (*a.body == *b.body || alpha_equal(*a.body, *b.body));
}
// Up to spaces, and to which level a parallel loop is of: runs know nothing of them.
PhraseRef without_places(const PhraseRef& p) {
  const PhraseRef q = map_children(p, without_places);
  const auto* x = as<ImpPhrase>(*q);
  const Level level = x && is_parallel(x->level) ? Level::Par : x ? x->level : Level::Auto;
  if (!x || (x->space == Space::Auto && x->level == level)) return q;
  Phrase out = *q;
  std::get<ImpPhrase>(out.node).space = Space::Auto;
  std::get<ImpPhrase>(out.node).level = level;
  return out;
}
bool same_runs(const PhraseProgram& a, const PhraseProgram& b) {
  return a.output == b.output && alpha_equal(*without_places(a.body), *without_places(b.body));
}
bool combines(const Phrase& p) {
  const auto* x = as<ImpPhrase>(p);
  const auto* y = as<PrimPhrase>(p);
  const auto* loop = y ? std::get_if<Loop>(&y->primitive->kind) : nullptr;
  bool found = (x && x->own && x->own->facets->any_order) || (loop && loop->any_order);
  for_each_child(p, [&](const PhraseRef& c) { found = found || combines(*c); });
  return found;
}

class Step : public Subject {
 public:
  // The k-th phrase, or kernel, of a pipeline.
  Step(Row row, Tests& tests, std::size_t pipeline, std::size_t k)
      : Subject(std::move(row)),
        tests_(tests),
        pipeline_(pipeline),
        k_(k),
        row_(tests.spent.size()),
        spent_(tests.inputs.size()) {
    tests.spent.emplace_back();
  }

  void take_over(std::size_t row) override { spent_ = tests_.spent.at(row); }
  void finish(Row& row) override {
    tests_.spent[row_] = spent_;
    const auto& costs = tests_.costs[pipeline_];
    Related related{"what is counted stands to its costs as the stage's relation says"};
    for (std::size_t i = 0; costs && i < spent_.size() && !related.wrong; ++i) {
      if (!spent_[i] || !tests_.applied[i]) continue;
      ++related.inputs;
      const TestedInput& e = tests_.inputs[i];
      if (const auto d = relate(*costs, e.sizes, tests_.applied[i]->applied, *spent_[i]))
        related.wrong = Disagreement{e.shown(), "", *d};
    }
    row.related.push_back(std::move(related));
  }

 protected:
  virtual std::optional<std::string> relate(const CostRelation& costs, const SizeValues& sizes,
                                            const OperatorTally::Counts& by_source, const Spent& spent) const = 0;
  const Pipeline& pipeline() const { return tests_.pipelines[pipeline_]; }
  // One order is enough for what is large.
  static std::size_t orders_for(const TestedInput& e, std::size_t all) {
    return std::min<std::size_t>(all, e.load > load_limit ? 1 : e.load > interleaved_limit ? 3 : all);
  }

  Tests& tests_;
  const std::size_t pipeline_, k_, row_;
  SpentByInput spent_;
};

class PhraseSubject : public Step {
 public:
  using Step::Step;

  void check(Row& row) override {
    if (functional() && (!tests_.effort.check_functional || k_ == 0)) return;
    // Hoisting makes bodies that write their own element of an outer array.
    if (const auto checked = check_program(program(), {{}, true, tests_.effort.implied}); !checked)
      for (const Diagnostic& d : checked.error()) row.ill_formed.push_back(d.message);
  }

  std::optional<std::size_t> same_runs_as(const std::vector<Row>& before) override {
    if (functional() || tests_.effort.over_again) return {};
    const auto is = [&](const Row& r) { return r.ill_formed.empty() && r.well_formed == planned.well_formed; };
    if (k_ > 0 && same_runs(program(), pipeline().phrases[k_ - 1].program) &&
        before.back().name == pipeline().phrases[k_ - 1].name)
      return is(before.back()) ? std::optional(before.size() - 1) : std::nullopt;
    const Pipeline& cpu = tests_.pipelines[0];
    if (pipeline_ > 0 && k_ < cpu.phrases.size() && cpu.phrases[k_].name == planned.name &&
        same_runs(program(), cpu.phrases[k_].program) && is(before.at(k_)))
      return k_;
    return {};
  }

  void test(Row& row, std::size_t input) override {
    const TestedInput& e = tests_.inputs[input];
    if (planned.reference || (functional() && !tests_.effort.over_again && is_source())) {  // the source's own
      spent_[input] = tests_.applied[input];
      row.runs += !planned.reference;
      return;
    }
    if (functional() && !counted_) counted_ = tests_.rounds.counted(program());
    const bool any_order = !functional() && combines(*program().body);
    const std::size_t all = functional() ? 1 : tests_.effort.orders;
    for (std::size_t order = 0; order < orders_for(e, all) && !row.disagreement; ++order) {
      if (order == 0) tests_.tally.restart();
      const Attempt got =
          attempt(functional() ? *counted_ : program(), e, how(order), tests_.rounds, tests_.source.result);
      if (order == 0 && got && *got) spent_[input] = Spent{tests_.tally.counts(), {}};
      row.disagreement = tests_.differs(e, got);
      if (row.disagreement && any_order && order > 0) reassociated(row, e, got);
      ++row.runs;
      row.interleaved += order > 2;  // from the fourth on, iterations take turns
    }
  }

  std::pair<std::string, std::string> around() const override {
    if (k_ == 0) return {};
    return {lockstep::print(pipeline().phrases[k_ - 1].program), lockstep::print(program())};
  }

 private:
  const PhraseProgram& program() const { return pipeline().phrases[k_].program; }
  bool functional() const { return program().output.empty(); }
  bool is_source() {
    if (!is_source_) is_source_ = same_program(program(), tests_.source);
    return *is_source_;
  }
  RunOptions how(std::size_t order) const {
    RunOptions o;
    if (functional()) return o;
    o.order = static_cast<Order>(order);
    o.seed = tests_.effort.seed;
    return o;
  }
  std::optional<std::string> relate(const CostRelation& costs, const SizeValues& sizes,
                                    const OperatorTally::Counts& by_source, const Spent& spent) const override {
    return k_ == 0 ? costs.source(sizes, by_source) : costs.phrase(k_, sizes, by_source, spent.applied);
  }

  // Takes the disagreement back where the result lies within the error bound of every order of additions.
  void reassociated(Row& row, const TestedInput& e, const Attempt& got) const {
    if (!got || !*got || !e.bounded || !*e.bounded) return;
    const Comparison c = compare_within_bound(**e.bounded, **got, tests_.source.result, e.sizes);
    if (!c.agrees || c.unbounded > 0 || too_many_undecided(c.wide, c.floats)) {
      row.disagreement->found +=
          ", where permute combined its values in another order: its function has to be associative and commutative";
      return;
    }
    row.disagreement.reset();
    ++row.reassociated;
    if (c.bound > 0 && (row.bound == 0 || c.error * row.bound > row.error * c.bound))
      row.error = c.error, row.bound = c.bound;
  }

  std::optional<PhraseProgram> counted_;
  std::optional<bool> is_source_;
};

class KernelSubject : public Step {
 public:
  using Step::Step;

  void check(Row& row) override {
    if (const std::string wrong = tests_.effort.read_back ? tests_.effort.read_back(step().program) : "";
        !wrong.empty()) {
      row.ill_formed = {wrong};
      row.ill_as = "round trip";
    } else {
      row.ill_formed = kernel::check(step().program);
    }
  }

  std::optional<std::size_t> same_runs_as(const std::vector<Row>& before) override {
    if (k_ == 0 || before.back().wrong() || tests_.effort.over_again) return {};
    const Pipeline::KernelStep& last = pipeline().kernels[k_ - 1];
    if (last.synchronised != step().synchronised || !(last.program == step().program)) return {};
    return before.size() - 1;
  }

  void test(Row& row, std::size_t input) override {
    const TestedInput& e = tests_.inputs[input];
    for (std::size_t order = 0; order < orders_for(e, 3) && !row.disagreement; ++order) {
      if (order == 0) tests_.tally.restart();
      kernel::Counted counted{};
      kernel::RunOptions how{static_cast<kernel::Schedule>(order), tests_.effort.seed,
                             order == 0 && step().synchronised, 0, 0};
      how.counted = &counted;
      const Attempt got = attempt(step().program, e, how);
      if (order == 0 && got && *got) spent_[input] = Spent{tests_.tally.counts(), counted};
      row.disagreement = tests_.differs(e, got);
      ++row.runs;
    }
  }

  void finish(Row& row) override {
    if (!took_over_ && tests_.effort.adversarial && step().synchronised) interleave(row);
    Step::finish(row);
  }
  void take_over(std::size_t row) override {
    took_over_ = true;
    Step::take_over(row);
  }

  std::pair<std::string, std::string> around() const override {
    return {k_ == 0 ? lockstep::print(pipeline().phrases.back().program)
                    : kernel::print(pipeline().kernels[k_ - 1].program),
            kernel::print(step().program)};
  }

 private:
  const Pipeline::KernelStep& step() const { return pipeline().kernels[k_]; }
  std::optional<std::string> relate(const CostRelation& costs, const SizeValues& sizes,
                                    const OperatorTally::Counts& by_source, const Spent& spent) const override {
    return costs.kernel(k_, sizes, by_source, spent.applied, spent.counted);
  }

  // The small inputs again, threads changing places at every access.
  void interleave(Row& row) const {
    for (std::size_t k = 0; k < tests_.inputs.size() && !row.disagreement; ++k) {
      const TestedInput& e = tests_.inputs[k];
      const auto how = tests_.effort.adversarial(e, k);
      if (!how) continue;
      const OrdersTried tried =
          try_orders(step().program, e.sizes, buffers_of(step().program, e), *how, [&](const auto& outputs) {
            const auto d = tests_.differs(e, attempt_of(step().program, outputs));
            return d ? std::optional(d->found) : std::nullopt;
          });
      row.runs += tried.runs;
      row.interleaved += tried.runs;
      row.explored += tried.every;
      if (tried.wrong) row.disagreement = tests_.disagreement(e, *tried.wrong);
    }
  }

  bool took_over_ = false;
};

// Of a program that may be wrongly typed, and have no cost.
Cost costed(const std::function<Cost()>& of) {
  try {
    return of();
  } catch (const Bug&) {
    return {};
  }
}

// None of a program that is wrongly typed, and has no cost.
std::optional<CostRelation> relation_of(const Pipeline& pipeline, const CostModels& models,
                                        const OperatorTally& tally) {
  try {
    return CostRelation(pipeline, pipeline.machine, models, tally);
  } catch (const Bug&) {
    return {};
  }
}

Row row_of(const std::string& name, const std::string& cite, Machine machine, double seconds) {
  const bool gpu = machine == Machine::Gpu;
  Row row{name, cite, "the program after " + name + " (" + cite + (gpu ? ", for the GPU)" : ")"), "functional"};
  if (gpu) row.heading = "for the GPU, run by the interpreters";
  row.seconds = seconds;
  return row;
}
std::vector<std::string> cells(const Cost& c) {
  return {lockstep::show(c.work), lockstep::show(c.depth), lockstep::show(c.space)};
}
}  // namespace

void Tests::add_rows(Case& c, const CostModels& models, double source_seconds) {
  const std::size_t pipeline = pipelines.size() - 1;
  const Pipeline& p = pipelines.back();
  costs.push_back(relation_of(p, models, tally));
  const auto leaves = leaves_of(source.result);
  const bool floats = std::any_of(leaves.begin(), leaves.end(), [](const Leaf& l) { return is_float(l.scalar); });
  const bool may_reassociate = floats && combines(*source.body);
  for (std::size_t k = 0; k < p.phrases.size(); ++k) {
    const Pipeline::PhraseStep& s = p.phrases[k];
    if (pipeline > 0 && same_program(s.program, pipelines[0].phrases[k].program)) continue;
    Row row = row_of(s.name, s.cite, p.machine, s.seconds);
    const bool functional = s.program.output.empty();
    row.reference = pipeline == 0 && k == 0;
    if (row.reference) row.seconds += source_seconds;
    row.checked_as = functional ? "inferred" : "Fig. 3";
    if (!functional) row.language = "imperative";
    if (!functional || effort.check_functional) row.well_formed = "is well typed";
    row.may_reassociate = !functional && may_reassociate;
    row.nodes = node_count(*s.program.body);
    if (!effort.over_again)
      row.costs = cells(costed([&] { return functional ? cost(s.program) : imperative::cost(s.program); }));
    c.stages.push_back(std::make_unique<PhraseSubject>(std::move(row), *this, pipeline, k));
  }
  for (std::size_t k = 0; k < p.kernels.size(); ++k) {
    const Pipeline::KernelStep& s = p.kernels[k];
    Row row = row_of(s.name, s.cite, p.machine, s.seconds);
    row.language = row.checked_as = "kernel";
    row.well_formed = "is well typed";
    row.nodes = kernel::node_count(s.program);
    if (!effort.over_again) row.costs = cells(costed([&] { return kernel::cost(s.program); }));
    c.stages.push_back(std::make_unique<KernelSubject>(std::move(row), *this, pipeline, k));
  }
}

}  // namespace lockstep::props

// The subjects of a verification of .dpia: what of a phrase, a kernel and a target is checked, run and costed.
// E: an input, with what the source gives on it in the IEEE and the bounded domain.
#include "props/dpia/verify.h"

#include <chrono>

#include "codegen/targets/target.h"
#include "props/dpia/generate.h"
#include "props/dpia/orders.h"
#include "props/dpia/strategy_nest.h"
#include "props/engine/watched.h"
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
#include "translate/dpia/kernel_walk.h"

namespace lockstep::props {
namespace {

// What is compared, small enough that an interpreter runs it often.
constexpr double load_limit = 25000;
// Adversarial orders, by a slower interpreter: all of them and exploration, all of them, one.
constexpr double explored_limit = 24, interleaved_limit = 300, one_order_limit = 3000;
// More than a compiled program needs on any input that an interpreter is done with.
constexpr double target_seconds = 60;

// ------------------------------------------------------------------------------------------------ runs
Attempt attempt(const PhraseProgram& program, const DrawnInput& e, RunOptions options, const Rounds& rounds) {
  options.iteration_limit = static_cast<std::int64_t>(rounds_allowed(e.rounds));
  rounds.restart(any_rounds, rounds_allowed(e.rounds));
  try {
    const auto value = run(program, e.arguments.sizes, values_of(program, e.arguments), ieee_domain(), options);
    if (value) return Outcome(flatten(*value, program.result, e.arguments.sizes));
    if (const auto* trap = std::get_if<Trap>(&value.error())) return Outcome(tl::unexpected(*trap));
    return tl::unexpected(render(value.error()));
  } catch (const EndlessSignal&) {
    return tl::unexpected("more than " + std::to_string(rounds_allowed(e.rounds)) + " rounds of `while`, the source " +
                          std::to_string(e.rounds));
  }
}

kernel::Buffers inputs_of(const kernel::Program& program, const Arguments& arguments) {
  kernel::Buffers inputs;
  std::size_t k = 0;
  for (const Leaves& leaves : arguments.values)
    for (std::vector<Scalar>& scalars : scalars_of(leaves)) inputs[program.inputs.at(k++).name] = std::move(scalars);
  return inputs;
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

Attempt attempt(const kernel::Program& program, const DrawnInput& e, kernel::RunOptions options) {
  options.while_limit = rounds_allowed(e.rounds);
  return attempt_of(program,
                    kernel::run(program, e.arguments.sizes, inputs_of(program, e.arguments), ieee_domain(), options));
}

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
  bool found = (x && x->op == Imp::PermuteI) || (y && y->primitive->name == "permute");
  for_each_child(p, [&](const PhraseRef& c) { found = found || combines(*c); });
  return found;
}

// What a subject's program applied and, of a kernel, spent, by input; nothing where it was not run, or trapped.
struct Spent {
  OperatorTally::Counts applied;
  kernel::Counted counted;
};
using SpentByInput = std::vector<std::optional<Spent>>;

// What the subjects of one verification share.
struct Shared {
  Shared(const PhraseProgram& program, const Calculus& calculus, const VerifyOptions& how)
      : tally(calculus), source(tally.counting(program)), options(how) {}

  OperatorTally tally;
  const PhraseProgram source;  // its operators count
  const VerifyOptions options;
  const Rounds rounds;
  std::vector<DrawnInput> expected;
  SpentByInput applied;             // by the source
  std::vector<SpentByInput> spent;  // by row
  std::vector<Pipeline> pipelines;
  std::vector<std::optional<CostRelation>> costs;  // by pipeline

  Disagreement disagreement(const DrawnInput& e, std::string found) const {
    return {shown(source, e.arguments), shown(e.ieee, source.result, e.arguments.sizes), std::move(found)};
  }
  std::optional<Disagreement> differs(const DrawnInput& e, const Attempt& got) const {
    if (!got) return disagreement(e, got.error());
    if (same_outcome(*got, e.ieee)) return {};
    return disagreement(e, shown(*got, source.result, e.arguments.sizes));
  }
};

class Step : public Subject {
 public:
  // The k-th phrase, or kernel, of a pipeline.
  Step(Row row, Shared& shared, std::size_t pipeline, std::size_t k)
      : Subject(std::move(row)),
        shared_(shared),
        pipeline_(pipeline),
        k_(k),
        row_(shared.spent.size()),
        spent_(shared.expected.size()) {
    shared.spent.emplace_back();
  }

  void take_over(std::size_t row) override { spent_ = shared_.spent.at(row); }
  void finish(Row& row) override {
    shared_.spent[row_] = spent_;
    const auto& costs = shared_.costs[pipeline_];
    Related related{"what is counted stands to its costs as the stage's relation says"};
    for (std::size_t i = 0; costs && i < spent_.size() && !related.wrong; ++i) {
      if (!spent_[i] || !shared_.applied[i]) continue;
      ++related.inputs;
      const DrawnInput& e = shared_.expected[i];
      if (const auto d = relate(*costs, e.arguments.sizes, shared_.applied[i]->applied, *spent_[i]))
        related.wrong = Disagreement{shown(shared_.source, e.arguments), "", *d};
    }
    row.related.push_back(std::move(related));
  }

 protected:
  virtual std::optional<std::string> relate(const CostRelation& costs, const SizeValues& sizes,
                                            const OperatorTally::Counts& by_source, const Spent& spent) const = 0;
  const Pipeline& pipeline() const { return shared_.pipelines[pipeline_]; }
  // One order is enough for what is large.
  static std::size_t orders_for(const DrawnInput& e, std::size_t all) {
    return std::min<std::size_t>(all, e.load > load_limit ? 1 : e.load > interleaved_limit ? 3 : all);
  }

  Shared& shared_;
  const std::size_t pipeline_, k_, row_;
  SpentByInput spent_;
};

class PhraseSubject : public Step {
 public:
  using Step::Step;

  std::vector<std::string> check() override {
    if (functional()) return {};
    // Hoisting makes bodies that write their own element of an outer array.
    std::vector<std::string> out;
    if (const auto checked = check_program(program(), {{}, true, shared_.options.implied}); !checked)
      for (const Diagnostic& d : checked.error()) out.push_back(d.message);
    return out;
  }

  std::optional<std::size_t> same_runs_as(const std::vector<Row>& before) override {
    if (functional()) return {};
    const auto is = [&](const Row& r) { return r.ill_formed.empty() && r.well_formed == planned.well_formed; };
    if (k_ > 0 && same_runs(program(), pipeline().phrases[k_ - 1].program) &&
        before.back().name == pipeline().phrases[k_ - 1].name)
      return is(before.back()) ? std::optional(before.size() - 1) : std::nullopt;
    const Pipeline& cpu = shared_.pipelines[0];
    if (pipeline_ > 0 && k_ < cpu.phrases.size() && cpu.phrases[k_].name == planned.name &&
        same_runs(program(), cpu.phrases[k_].program) && is(before.at(k_)))
      return k_;
    return {};
  }

  void test(Row& row, std::size_t input) override {
    const DrawnInput& e = shared_.expected[input];
    if (planned.reference || (functional() && is_source())) {  // the source's own
      spent_[input] = shared_.applied[input];
      row.runs += !planned.reference;
      return;
    }
    if (functional() && !counted_) counted_ = shared_.rounds.counted(program());
    const bool any_order = !functional() && combines(*program().body);
    const std::size_t all = functional() ? 1 : shared_.options.interleave ? 5 : 3;
    for (std::size_t order = 0; order < orders_for(e, all) && !row.disagreement; ++order) {
      if (order == 0) shared_.tally.restart();
      const Attempt got = attempt(functional() ? *counted_ : program(), e, how(order), shared_.rounds);
      if (order == 0 && got && *got) spent_[input] = Spent{shared_.tally.counts(), {}};
      row.disagreement = shared_.differs(e, got);
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
    if (!is_source_) is_source_ = same_program(program(), shared_.source);
    return *is_source_;
  }
  RunOptions how(std::size_t order) const {
    RunOptions o;
    if (functional()) return o;
    o.order = static_cast<Order>(order);
    o.seed = shared_.options.seed;
    return o;
  }
  std::optional<std::string> relate(const CostRelation& costs, const SizeValues& sizes,
                                    const OperatorTally::Counts& by_source, const Spent& spent) const override {
    return k_ == 0 ? costs.source(sizes, by_source) : costs.phrase(k_, sizes, by_source, spent.applied);
  }

  // Takes the disagreement back where the result lies within the error bound of every order of additions.
  void reassociated(Row& row, const DrawnInput& e, const Attempt& got) const {
    if (!got || !*got || !e.bounded || !*e.bounded) return;
    const Comparison c = compare_within_bound(**e.bounded, **got, shared_.source.result, e.arguments.sizes);
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

  std::vector<std::string> check() override { return kernel::check(step().program); }

  std::optional<std::size_t> same_runs_as(const std::vector<Row>& before) override {
    if (k_ == 0 || before.back().wrong()) return {};
    const Pipeline::KernelStep& last = pipeline().kernels[k_ - 1];
    if (last.synchronised != step().synchronised || !(last.program == step().program)) return {};
    return before.size() - 1;
  }

  void test(Row& row, std::size_t input) override {
    const DrawnInput& e = shared_.expected[input];
    for (std::size_t order = 0; order < orders_for(e, 3) && !row.disagreement; ++order) {
      if (order == 0) shared_.tally.restart();
      kernel::Counted counted{};
      kernel::RunOptions how{static_cast<kernel::Schedule>(order), shared_.options.seed,
                             order == 0 && step().synchronised, 0, 0};
      how.counted = &counted;
      const Attempt got = attempt(step().program, e, how);
      if (order == 0 && got && *got) spent_[input] = Spent{shared_.tally.counts(), counted};
      row.disagreement = shared_.differs(e, got);
      ++row.runs;
    }
  }

  void finish(Row& row) override {
    if (!took_over_ && shared_.options.interleave && step().synchronised) interleave(row);
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
    for (std::size_t k = 0; k < shared_.expected.size() && !row.disagreement; ++k) {
      const DrawnInput& e = shared_.expected[k];
      if (e.load > one_order_limit) continue;
      OrdersOptions how;
      how.seed = shared_.options.seed + k;
      how.explore = e.load <= explored_limit;
      if (e.load > interleaved_limit) how.orders = 1;
      how.while_limit = rounds_allowed(e.rounds);
      const OrdersTried tried = try_orders(step().program, e.arguments.sizes, inputs_of(step().program, e.arguments),
                                           how, [&](const auto& outputs) {
                                             const auto d = shared_.differs(e, attempt_of(step().program, outputs));
                                             return d ? std::optional(d->found) : std::nullopt;
                                           });
      row.runs += tried.runs;
      row.interleaved += tried.runs;
      row.explored += tried.every;
      if (tried.wrong) row.disagreement = shared_.disagreement(e, *tried.wrong);
    }
  }

  bool took_over_ = false;
};

class TargetSubject : public Subject {
 public:
  TargetSubject(Row row, const Shared& shared) : Subject(std::move(row)), shared_(shared) {}

  void load(Row& row) override {
    const lockstep::Target* found = find_target(row.name);
    if (!found) throw Bug("there is no target " + row.name);
    program_ = &shared_.pipelines[found->machine == Machine::Gpu ? 1 : 0].kernels.back().program;
    auto made = load_on(*found, *program_, shared_.source.result);
    if (!made) {
      row.unavailable = made.error().message;
      return;
    }
    compiled_ = std::make_shared<const Executable>(std::move(*made));
    row.cached = compiled_->library().cached;
    row.compile_seconds = compiled_->library().seconds;
  }

  void test(Row& row, std::size_t input) override {
    const DrawnInput& e = shared_.expected[input];
    const Attempt kernel = attempt(*program_, e, kernel::RunOptions{});
    const auto got = watched<tl::expected<Leaves, Stop>>(
        target_seconds, [compiled = compiled_, arguments = e.arguments] { return compiled->run(arguments); });
    if (!got) {
      row.disagreement = shared_.disagreement(
          e, "nothing: it has not ended after " + std::to_string(static_cast<int>(target_seconds)) + " s");
      return;
    }
    if (!*got && std::holds_alternative<MachineFailure>(got->error())) throw std::bad_alloc();
    ++row.runs;
    judge(row, shared_.source, e, &kernel,
          *got ? Outcome(scalars_of(**got)) : Outcome(tl::unexpected(std::get<Trap>(got->error()))));
  }

 private:
  const Shared& shared_;
  const kernel::Program* program_ = nullptr;
  std::shared_ptr<const Executable> compiled_;
};

// ------------------------------------------------------------------------------------------------ the case
// Of a program that may be wrongly typed, and have no cost.
Cost costed(const std::function<Cost()>& of) {
  try {
    return of();
  } catch (const Bug&) {
    return {};
  }
}

class Verification {
 public:
  Verification(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options)
      : shared_(source, calculus, options) {}

  VerifyReport all() {
    const auto start = std::chrono::steady_clock::now();
    case_.report.titles = {"nodes", "types", {"work", "depth", "space"}, true};
    Draws drawn = draw_inputs(shared_.source, shared_.source,
                              {.seed = shared_.options.seed,
                               .inputs = shared_.options.inputs,
                               .sizes = shared_.options.sizes,
                               .limit = shared_.options.limit,
                               .elements = load_limit,
                               .progress = shared_.options.listener.progress});
    shared_.expected = std::move(drawn.inputs);
    case_.report.inputs = std::move(drawn.tried);
    case_.inputs = shared_.expected.size();
    for (const DrawnInput& e : shared_.expected) case_.gives_values.push_back(e.gives_values);
    shared_.applied = applied_by_source();
    source_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    shared_.pipelines.reserve(2);  // what is related to them stays where it is
    for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
      shared_.pipelines.push_back(run_pipeline_with_paths(shared_.source, shared_.tally.calculus(), machine));
      shared_.costs.push_back(relation_of(shared_.pipelines.back(), machine));
      add_rows(shared_.pipelines.size() - 1, machine);
    }
    for (const std::string& name : shared_.options.targets) add_target(name);
    case_.conclude = [&](Report& report) { conclude(report); };
    VerifyReport out{verify(case_, shared_.options.listener), {}};
    out.pipelines = std::move(shared_.pipelines);
    return out;
  }

 private:
  SpentByInput applied_by_source() {
    SpentByInput out;
    const PhraseProgram counted = shared_.rounds.counted(shared_.source);
    for (const DrawnInput& e : shared_.expected) {
      shared_.tally.restart();
      const bool ran = e.ieee && attempt(counted, e, RunOptions{}, shared_.rounds);
      out.push_back(ran ? std::optional(Spent{shared_.tally.counts(), {}}) : std::nullopt);
    }
    return out;
  }
  // None of a program that is wrongly typed, and has no cost.
  std::optional<CostRelation> relation_of(const Pipeline& pipeline, Machine machine) const {
    try {
      return CostRelation(pipeline, machine, shared_.options.costs, shared_.tally);
    } catch (const Bug&) {
      return {};
    }
  }

  static Row row_of(const std::string& name, const std::string& cite, Machine machine, double seconds) {
    const bool gpu = machine == Machine::Gpu;
    Row row{name, cite, "the program after " + name + " (" + cite + (gpu ? ", for the GPU)" : ")"), "functional"};
    if (gpu) row.heading = "for the GPU, run by the interpreters";
    row.seconds = seconds;
    return row;
  }
  static std::vector<std::string> cells(const Cost& c) {
    return {lockstep::show(c.work), lockstep::show(c.depth), lockstep::show(c.space)};
  }
  // What both machines have in common stands once.
  void add_rows(std::size_t pipeline, Machine machine) {
    const Pipeline& p = shared_.pipelines[pipeline];
    const auto leaves = leaves_of(shared_.source.result);
    const bool floats = std::any_of(leaves.begin(), leaves.end(), [](const Leaf& l) { return is_float(l.scalar); });
    const bool may_reassociate = floats && combines(*shared_.source.body);
    for (std::size_t k = 0; k < p.phrases.size(); ++k) {
      const Pipeline::PhraseStep& s = p.phrases[k];
      if (pipeline > 0 && same_program(s.program, shared_.pipelines[0].phrases[k].program)) continue;
      Row row = row_of(s.name, s.cite, machine, s.seconds);
      const bool functional = s.program.output.empty();
      row.reference = pipeline == 0 && k == 0;
      if (row.reference) row.seconds += source_seconds_;
      row.checked_as = functional ? "inferred" : "Fig. 3";
      if (!functional) row.language = "imperative", row.well_formed = "is well typed";
      row.may_reassociate = !functional && may_reassociate;
      row.nodes = node_count(*s.program.body);
      row.costs = cells(costed([&] { return functional ? cost(s.program) : imperative::cost(s.program); }));
      case_.stages.push_back(std::make_unique<PhraseSubject>(std::move(row), shared_, pipeline, k));
    }
    for (std::size_t k = 0; k < p.kernels.size(); ++k) {
      const Pipeline::KernelStep& s = p.kernels[k];
      Row row = row_of(s.name, s.cite, machine, s.seconds);
      row.language = row.checked_as = "kernel";
      row.well_formed = "is well typed";
      row.nodes = kernel::node_count(s.program);
      row.costs = cells(costed([&] { return kernel::cost(s.program); }));
      case_.stages.push_back(std::make_unique<KernelSubject>(std::move(row), shared_, pipeline, k));
    }
  }
  void add_target(const std::string& name) {
    Row row{name, "", "the target " + name, name};
    row.is_target = true;
    row.same = "computes what the source does";
    for (const Leaf& leaf : leaves_of(shared_.source.result)) row.floats = row.floats || is_float(leaf.scalar);
    case_.targets.push_back(std::make_unique<TargetSubject>(std::move(row), shared_));
  }

  void conclude(Report& report) const {
    const std::string nest =
        "the nest of loops that was written, by level and extent, is in the kernels for CPU and GPU";
    bool lost = false;
    for (const Pipeline& p : shared_.pipelines) {
      const auto loop = lost_loop(p, p.machine, shared_.options.implied);
      if (!loop) continue;
      lost = true;
      const std::string found = show(*loop) + (p.machine == Machine::Gpu ? ", on the GPU" : ", on the CPU");
      Claim c{"the program", nest, Standing::Refuted, "matching of the programs' loops"};
      c.refuted_as = "a loop that was written has not come out: " + found;
      report.claims.push_back(std::move(c));
    }
    if (!lost) {
      report.claims.push_back({"the program", nest, Standing::Proved, "matching of the programs' loops"});
      report.notes.push_back("the loops that were written came out, by level and extent, on both machines");
    }
    std::size_t least = report.inputs.sizes.size();
    for (const Row& r : report.stages)
      least = std::min(least, r.related.empty() || r.wrong() ? 0 : r.related[0].inputs);
    if (least > 0)
      report.notes.push_back("what was counted on " + std::to_string(least) + (least == 1 ? " input" : " inputs") +
                             " stands to the costs of every stage as its relation says (props/dpia/README.md)");
    if (shared_.options.prove) shared_.options.prove(shared_.pipelines, report);
  }

  Shared shared_;
  Case case_;
  double source_seconds_ = 0;
};

}  // namespace

Attempt run_kernel(const kernel::Program& program, const Arguments& arguments) {
  return attempt_of(program, kernel::run(program, arguments.sizes, inputs_of(program, arguments), ieee_domain()));
}

void judge(Row& v, const PhraseProgram& source, const DrawnInput& input, const Attempt* kernel, const Outcome& found) {
  const SizeValues& sizes = input.arguments.sizes;
  const auto disagree = [&](std::string expected, std::string got) {
    v.disagreement = Disagreement{shown(source, input.arguments), std::move(expected), std::move(got)};
  };
  if (kernel && !*kernel) throw Bug("the kernel that the target compiles cannot be run: " + kernel->error());
  if (kernel && !same_outcome(**kernel, found)) {
    const std::string by = ", by the interpreter of the kernel that it compiles";
    if (!found || !**kernel)
      return disagree(shown(**kernel, source.result, sizes) + by, shown(found, source.result, sizes));
    const Difference d = first_difference(***kernel, *found, source.result, sizes);
    return disagree(d.expected + by, d.found);
  }
  v.same_bits += kernel != nullptr;
  v.undecided += !input.bounded;
  const bool same = same_outcome(input.ieee, found);
  if (!input.bounded || !*input.bounded || !found) {
    // Where the bound decides nothing, only the bits can.
    if (!same && (kernel || input.bounded))
      disagree(shown(input.bounded ? *input.bounded : input.ieee, source.result, sizes),
               shown(found, source.result, sizes));
    return;
  }
  const Comparison c = compare_within_bound(**input.bounded, *found, source.result, sizes);
  if (!c.agrees && same)
    throw Bug("the source's own result, " + c.found + ", is outside its error bound: " + c.expected);
  if (!c.agrees) return disagree(c.expected, c.found);
  v.compared += c.floats;
  v.wide += c.wide + c.unbounded;
  if (c.wide + c.unbounded > 0 && v.first_wide.empty()) v.first_wide = shown(source, input.arguments);
  if (c.bound > 0 && (v.bound == 0 || c.error * v.bound > v.error * c.bound)) v.error = c.error, v.bound = c.bound;
}

VerifyReport verify(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options) {
  return Verification(source, calculus, options).all();
}

}  // namespace lockstep::props

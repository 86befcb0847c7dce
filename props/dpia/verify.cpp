// The verification engine. E: an input, with what the source gives on it in the IEEE and the bounded domain.
#include "props/dpia/verify.h"

#include <chrono>

#include "codegen/targets/target.h"
#include "props/dpia/generate.h"
#include "props/dpia/orders.h"
#include "props/dpia/strategy_nest.h"
#include "props/engine/watched.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/syntax/print.h"
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

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What is compared, small enough that an interpreter runs it often.
constexpr double load_limit = 25000;
// Adversarial orders, by a slower interpreter: all of them and exploration, all of them, one.
constexpr double explored_limit = 24, interleaved_limit = 300, one_order_limit = 3000;
// More than a compiled program needs on any input that an interpreter is done with.
constexpr double target_seconds = 60;

// ------------------------------------------------------------------------------------------------ stages
std::optional<Disagreement> differs(const PhraseProgram& source, const DrawnInput& e, const Attempt& got) {
  const auto report = [&](std::string found) {
    return Disagreement{shown(source, e.arguments), shown(e.ieee, source.result, e.arguments.sizes), std::move(found)};
  };
  if (!got) return report(got.error());
  if (same_outcome(*got, e.ieee)) return {};
  return report(shown(*got, source.result, e.arguments.sizes));
}

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

class Verifier {
 public:
  Verifier(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options)
      : tally_(calculus), source_(tally_.counting(source)), options_(options) {}

  VerifyReport all() {
    const auto start = std::chrono::steady_clock::now();
    Draws drawn = draw_inputs(source_, source_,
                              {.seed = options_.seed,
                               .inputs = options_.inputs,
                               .sizes = options_.sizes,
                               .limit = options_.limit,
                               .elements = load_limit,
                               .progress = options_.progress});
    expected_ = std::move(drawn.inputs);
    report_.inputs = std::move(drawn.tried);
    applied_ = applied_by_source();
    source_seconds_ = since(start);
    report_.pipelines.reserve(2);  // what is related to them stays where it is
    for (const Machine machine : {Machine::Cpu, Machine::Gpu}) {
      report_.pipelines.push_back(run_pipeline_with_paths(source_, tally_.calculus(), machine));
      costs_.push_back(relation_of(report_.pipelines.back(), machine));
    }
    const Pipeline &cpu = report_.pipelines[0], &gpu = report_.pipelines[1];
    plan(cpu, gpu);
    if (options_.planned) options_.planned(report_.inputs, planned_);
    for (std::size_t k = 0; k < cpu.phrases.size(); ++k) phrase_stage(cpu, k);
    for (std::size_t k = 0; k < cpu.kernels.size(); ++k) kernel_stage(cpu, k);
    for (std::size_t k = 0; k < gpu.phrases.size(); ++k)
      if (!same_program(gpu.phrases[k].program, cpu.phrases[k].program)) phrase_stage(gpu, k, &cpu);
    for (std::size_t k = 0; k < gpu.kernels.size(); ++k) kernel_stage(gpu, k);
    for (const auto& [pipeline, machine] : {std::pair(&cpu, Machine::Cpu), std::pair(&gpu, Machine::Gpu)})
      if (const auto lost = lost_loop(*pipeline, machine, options_.implied))
        report_.lost_loops.push_back(show(*lost) + (machine == Machine::Gpu ? ", on the GPU" : ", on the CPU"));
    for (const std::string& name : options_.targets) {
      const Target* t = find_target(name);
      target(name, (t && t->machine == Machine::Gpu ? gpu : cpu).kernels.back().program);
    }
    return std::move(report_);
  }

 private:
  void progress(const std::string& what) {
    if (options_.progress)
      options_.progress(what, report_.stages.size() + report_.targets.size(),
                        planned_.size() + options_.targets.size());
  }

  static bool same_program(const PhraseProgram& a, const PhraseProgram& b) {
    return a.output == b.output && (*a.body == *b.body || alpha_equal(*a.body, *b.body));
  }

  // Up to spaces, and to which level a parallel loop is of: runs know nothing of them.
  static bool same_runs(const PhraseProgram& a, const PhraseProgram& b) {
    return a.output == b.output && alpha_equal(*without_places(a.body), *without_places(b.body));
  }
  static PhraseRef without_places(const PhraseRef& p) {
    const PhraseRef q = map_children(p, without_places);
    const auto* x = as<ImpPhrase>(*q);
    const Level level = x && is_parallel(x->level) ? Level::Par : x ? x->level : Level::Auto;
    if (!x || (x->space == Space::Auto && x->level == level)) return q;
    Phrase out = *q;
    std::get<ImpPhrase>(out.node).space = Space::Auto;
    std::get<ImpPhrase>(out.node).level = level;
    return out;
  }

  static bool wrong(const StageVerdict& v) { return v.disagreement || !v.type_errors.empty() || v.cost_wrong; }

  // What a stage's program applied and, of a kernel, spent, by input; nothing where it was not run, or trapped.
  struct Spent {
    OperatorTally::Counts applied;
    kernel::Counted counted;
  };
  using SpentByInput = std::vector<std::optional<Spent>>;

  SpentByInput applied_by_source() {
    SpentByInput out;
    const PhraseProgram counted = rounds_.counted(source_);
    for (const DrawnInput& e : expected_) {
      tally_.restart();
      const bool ran = e.ieee && attempt(counted, e, RunOptions{}, rounds_);
      out.push_back(ran ? std::optional(Spent{tally_.counts(), {}}) : std::nullopt);
    }
    return out;
  }
  // None of a program that is wrongly typed, and has no cost.
  std::optional<CostRelation> relation_of(const Pipeline& pipeline, Machine machine) const {
    try {
      return CostRelation(pipeline, machine, options_.costs, tally_);
    } catch (const Bug&) {
      return {};
    }
  }

  // `check` says what is wrong with what was spent on an input. What a row took over it is held to as well.
  template <class Relation>
  void relate(StageVerdict& v, const SpentByInput& spent, const Relation& check) {
    for (std::size_t k = 0; k < spent.size() && !v.cost_wrong; ++k) {
      if (!spent[k] || !applied_[k]) continue;
      ++v.related;
      const DrawnInput& e = expected_[k];
      if (const auto d = check(e.arguments.sizes, applied_[k]->applied, *spent[k]))
        v.cost_wrong = Disagreement{shown(source_, e.arguments), "costs as the stage's relation allows", *d};
    }
  }
  void relate(StageVerdict& v, const Pipeline& pipeline, std::size_t k, bool is_kernel, SpentByInput spent) {
    spent_.push_back(std::move(spent));
    const auto& costs = costs_.at(&pipeline == &report_.pipelines[0] ? 0 : 1);
    if (!costs) return;
    relate(v, spent_.back(), [&](const SizeValues& sizes, const OperatorTally::Counts& by_source, const Spent& s) {
      if (is_kernel) return costs->kernel(k, sizes, by_source, s.applied, s.counted);
      return k == 0 ? costs->source(sizes, by_source) : costs->phrase(k, sizes, by_source, s.applied);
    });
  }

  // The rows, in their order, without what checking them finds.
  void plan(const Pipeline& cpu, const Pipeline& gpu) {
    for (const Pipeline::PhraseStep& s : cpu.phrases) plan(s, Machine::Cpu);
    for (const Pipeline::KernelStep& s : cpu.kernels) plan(s, Machine::Cpu);
    for (std::size_t k = 0; k < gpu.phrases.size(); ++k)
      if (!same_program(gpu.phrases[k].program, cpu.phrases[k].program)) plan(gpu.phrases[k], Machine::Gpu);
    for (const Pipeline::KernelStep& s : gpu.kernels) plan(s, Machine::Gpu);
  }
  void plan(const Pipeline::PhraseStep& step, Machine machine) {
    const bool functional = step.program.output.empty();
    StageVerdict v{step.name, step.cite,
                   functional ? StageVerdict::Language::Functional : StageVerdict::Language::Imperative, machine};
    v.nodes = node_count(*step.program.body);
    v.seconds = step.seconds;
    v.cost = costed([&] { return functional ? cost(step.program) : imperative::cost(step.program); });
    planned_.push_back(std::move(v));
  }
  void plan(const Pipeline::KernelStep& step, Machine machine) {
    StageVerdict v{step.name, step.cite, StageVerdict::Language::Kernel, machine};
    v.nodes = kernel::node_count(step.program);
    v.seconds = step.seconds;
    v.cost = costed([&] { return kernel::cost(step.program); });
    planned_.push_back(std::move(v));
  }
  // Of a program that may be wrongly typed, and have no cost.
  static Cost costed(const std::function<Cost()>& of) {
    try {
      return of();
    } catch (const Bug&) {
      return {};
    }
  }

  void known(StageVerdict v) {
    report_.stages.push_back(std::move(v));
    if (options_.stage) options_.stage(report_.stages.back());
  }

  // A row whose runs are those of this one: the stage before, or the same stage for the other machine.
  const StageVerdict* same_as(const Pipeline& pipeline, std::size_t k, const Pipeline* other) const {
    const Pipeline::PhraseStep& step = pipeline.phrases[k];
    if (k > 0 && same_runs(step.program, pipeline.phrases[k - 1].program))
      if (const StageVerdict& before = report_.stages.back(); before.name == pipeline.phrases[k - 1].name)
        return &before;
    if (other && k < other->phrases.size() && other->phrases[k].name == step.name &&
        same_runs(step.program, other->phrases[k].program))
      return &report_.stages.at(k);
    return nullptr;
  }

  void phrase_stage(const Pipeline& pipeline, std::size_t k, const Pipeline* other = nullptr) {
    const Pipeline::PhraseStep& step = pipeline.phrases[k];
    progress("checking " + step.name);
    StageVerdict v = planned_.at(report_.stages.size());
    const auto start = std::chrono::steady_clock::now();
    const bool functional = step.program.output.empty();
    if (!functional) {
      // Hoisting makes bodies that write their own element of an outer array.
      const auto checked = check_program(step.program, {{}, true, options_.implied});
      v.type_seconds = since(start);
      v.types = checked ? StageVerdict::Types::Checked : StageVerdict::Types::Wrong;
      if (!checked)
        for (const Diagnostic& d : checked.error()) v.type_errors.push_back(d.message);
    }
    SpentByInput spent;
    // The source is what the others are compared with.
    if (report_.stages.empty()) {
      spent = applied_;
      v.tested = expected_.size();
      v.values = report_.inputs.values;
    } else if (functional && k > 0 && same_program(step.program, source_)) {
      spent = applied_;
      v.tested = v.runs = expected_.size();  // the source's own
      v.values = report_.inputs.values;
    } else if (functional) {
      const PhraseProgram counted = rounds_.counted(step.program);
      spent = test(
          v, [&](const DrawnInput& e, std::size_t) { return attempt(counted, e, RunOptions{}, rounds_); }, 1, false);
    } else if (const StageVerdict* same = same_as(pipeline, k, other); same && same->types == v.types) {
      spent = take_over(v, *same);
    } else {
      spent = test(
          v, [&](const DrawnInput& e, std::size_t order) { return attempt(step.program, e, orders(order), rounds_); },
          options_.interleave ? 5 : 3, combines(*step.program.body));
    }
    relate(v, pipeline, k, false, std::move(spent));
    v.test_seconds = report_.stages.empty() ? source_seconds_ : since(start);
    if (wrong(v) && k > 0)
      v.before = lockstep::print(pipeline.phrases[k - 1].program), v.after = lockstep::print(step.program);
    known(std::move(v));
  }

  // The same program does the same again.
  SpentByInput take_over(StageVerdict& v, const StageVerdict& same) const {
    v.tested = same.tested, v.values = same.values;
    v.runs = same.runs, v.interleaved = same.interleaved, v.explored = same.explored;
    v.reassociated = same.reassociated, v.error = same.error, v.bound = same.bound;
    v.disagreement = same.disagreement;
    return spent_.at(static_cast<std::size_t>(&same - report_.stages.data()));
  }

  void kernel_stage(const Pipeline& pipeline, std::size_t k) {
    const Pipeline::KernelStep& step = pipeline.kernels[k];
    progress("checking " + step.name);
    StageVerdict v = planned_.at(report_.stages.size());
    const auto start = std::chrono::steady_clock::now();
    v.type_errors = kernel::check(step.program);
    v.type_seconds = since(start);
    v.types = v.type_errors.empty() ? StageVerdict::Types::Checked : StageVerdict::Types::Wrong;
    const auto same = [&](const Pipeline::KernelStep& before) {
      return before.synchronised == step.synchronised && before.program == step.program;
    };
    SpentByInput spent;
    if (v.type_errors.empty() && k > 0 && same(pipeline.kernels[k - 1])) {
      spent = take_over(v, report_.stages.back());
    } else if (v.type_errors.empty()) {
      spent = test(
          v,
          [&](const DrawnInput& e, std::size_t order) {
            kernel::RunOptions how{static_cast<kernel::Schedule>(order), options_.seed, order == 0 && step.synchronised,
                                   0, 0};
            counted_ = {};
            how.counted = &counted_;
            return attempt(step.program, e, how);
          },
          3, false);
      if (options_.interleave && step.synchronised && !v.disagreement) interleave(v, step.program);
    }
    relate(v, pipeline, k, true, std::move(spent));
    v.test_seconds = since(start);
    if (wrong(v)) {
      v.before =
          k == 0 ? lockstep::print(pipeline.phrases.back().program) : kernel::print(pipeline.kernels[k - 1].program);
      v.after = kernel::print(step.program);
    }
    known(std::move(v));
  }

  // The small inputs again, threads changing places at every access.
  void interleave(StageVerdict& v, const kernel::Program& program) {
    for (std::size_t k = 0; k < expected_.size() && !v.disagreement; ++k) {
      const DrawnInput& e = expected_[k];
      if (e.load > one_order_limit) continue;
      OrdersOptions how;
      how.seed = options_.seed + k;
      how.explore = e.load <= explored_limit;
      if (e.load > interleaved_limit) how.orders = 1;
      how.while_limit = rounds_allowed(e.rounds);
      const OrdersTried tried =
          try_orders(program, e.arguments.sizes, inputs_of(program, e.arguments), how, [&](const auto& outputs) {
            const auto d = differs(source_, e, attempt_of(program, outputs));
            return d ? std::optional(d->found) : std::nullopt;
          });
      v.runs += tried.runs;
      v.interleaved += tried.runs;
      v.explored += tried.every;
      if (tried.wrong)
        v.disagreement =
            Disagreement{shown(source_, e.arguments), shown(e.ieee, source_.result, e.arguments.sizes), *tried.wrong};
    }
  }

  RunOptions orders(std::size_t order) const {
    RunOptions o;
    o.order = static_cast<Order>(order);
    o.seed = options_.seed;
    return o;
  }

  static bool combines(const Phrase& p) {
    const auto* x = as<ImpPhrase>(p);
    bool found = x && x->op == Imp::PermuteI;
    for_each_child(p, [&](const PhraseRef& c) { found = found || combines(*c); });
    return found;
  }

  // Orders from the fourth on are interleaved. `any_order`: permute combines in any, and floats may differ within the
  // bound.
  template <class Try>
  SpentByInput test(StageVerdict& v, const Try& attempt_on, std::size_t orders, bool any_order) {
    SpentByInput spent(expected_.size());
    for (std::size_t k = 0; k < expected_.size(); ++k) {
      const DrawnInput& e = expected_[k];
      // One order is enough for what is large.
      const std::size_t most = e.load > load_limit ? 1 : e.load > interleaved_limit ? 3 : orders;
      for (std::size_t order = 0; order < std::min(orders, most); ++order) {
        if (order == 0) tally_.restart();
        const Attempt got = attempt_on(e, order);
        if (order == 0 && got && *got) spent[k] = Spent{tally_.counts(), counted_};
        v.disagreement = differs(source_, e, got);
        if (v.disagreement && any_order && order > 0) reassociated(v, e, got);
        ++v.runs;
        v.interleaved += order > 2;
        if (v.disagreement) return spent;
      }
      ++v.tested;
      v.values += e.gives_values;
    }
    return spent;
  }

  // Takes the disagreement back where the result lies within the error bound of every order of additions.
  void reassociated(StageVerdict& v, const DrawnInput& e, const Attempt& got) const {
    if (!got || !*got || !e.bounded || !*e.bounded) return;
    const Comparison c = compare_within_bound(**e.bounded, **got, source_.result, e.arguments.sizes);
    if (!c.agrees || c.unbounded > 0 || too_many_undecided(c.wide, c.floats)) {
      v.disagreement->found +=
          ", where permute combined its values in another order: its function has to be associative and commutative";
      return;
    }
    v.disagreement.reset();
    ++v.reassociated;
    if (c.bound > 0 && (v.bound == 0 || c.error * v.bound > v.error * c.bound)) v.error = c.error, v.bound = c.bound;
  }

  void target(const std::string& name, const kernel::Program& program) {
    progress("running on " + name);
    TargetVerdict v{name};
    for (const Leaf& leaf : leaves_of(source_.result)) v.floats = v.floats || is_float(leaf.scalar);
    // Text made of a wrong program may do anything.
    if (!report_.agrees())
      v.unavailable = "the program is wrong before it";
    else
      run_target(v, program);
    report_.targets.push_back(std::move(v));
    if (options_.target) options_.target(report_.targets.back());
  }

  void run_target(TargetVerdict& v, const kernel::Program& program) {
    const lockstep::Target* found = find_target(v.name);
    if (!found) throw Bug("there is no target " + v.name);
    auto made = load_on(*found, program, source_.result);
    if (!made) {
      v.unavailable = made.error().message;
      return;
    }
    const auto compiled = std::make_shared<const Executable>(std::move(*made));
    v.cached = compiled->library().cached;
    v.compile_seconds = compiled->library().seconds;
    const auto start = std::chrono::steady_clock::now();
    for (const DrawnInput& e : expected_) {
      const Attempt kernel = attempt(program, e, kernel::RunOptions{});
      const auto got = watched<tl::expected<Leaves, Stop>>(
          target_seconds, [compiled, arguments = e.arguments] { return compiled->run(arguments); });
      if (!got) {
        v.disagreement =
            Disagreement{shown(source_, e.arguments), shown(e.ieee, source_.result, e.arguments.sizes),
                         "nothing: it has not ended after " + std::to_string(static_cast<int>(target_seconds)) + " s"};
        break;
      }
      if (!*got && std::holds_alternative<MachineFailure>(got->error())) throw std::bad_alloc();
      judge(v, source_, e, &kernel,
            *got ? Outcome(scalars_of(**got)) : Outcome(tl::unexpected(std::get<Trap>(got->error()))));
      if (v.disagreement) break;
      ++v.tested;
      v.values += e.gives_values;
    }
    v.seconds = since(start);
  }

  OperatorTally tally_;
  const PhraseProgram source_;  // its operators count
  const VerifyOptions& options_;
  const Rounds rounds_;
  std::vector<DrawnInput> expected_;
  std::vector<StageVerdict> planned_;
  SpentByInput applied_;                            // by the source
  std::vector<SpentByInput> spent_;                 // by row
  kernel::Counted counted_;                         // of the run under way
  std::vector<std::optional<CostRelation>> costs_;  // by pipeline
  double source_seconds_ = 0;
  VerifyReport report_;
};

}  // namespace

Attempt run_kernel(const kernel::Program& program, const Arguments& arguments) {
  return attempt_of(program, kernel::run(program, arguments.sizes, inputs_of(program, arguments), ieee_domain()));
}

void judge(TargetVerdict& v, const PhraseProgram& source, const DrawnInput& input, const Attempt* kernel,
           const Outcome& found) {
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

std::optional<std::string> TargetVerdict::groundless() const {
  if (disagreement || same_bits == tested || !too_many_undecided(wide, compared)) return {};
  return "on the target " + name + " the error bound is wider than the result for " + std::to_string(wide) + " of " +
         std::to_string(compared) +
         " floats, more than 5%, and there are no bits to compare; the first input: " + first_wide;
}

std::optional<std::string> VerifyReport::too_undecided() const {
  if (too_many_undecided(inputs.undecided, inputs.all()))
    return std::to_string(inputs.undecided) + " of " + std::to_string(inputs.all()) +
           " inputs are left undecided by rounding, more than 5%; the first: " + inputs.first_undecided +
           inputs.what_to_give();
  for (const TargetVerdict& t : targets)
    if (!t.disagreement && t.same_bits < t.tested && too_many_undecided(t.undecided, t.tested))
      return std::to_string(t.undecided) + " of " + std::to_string(t.tested) +
             " inputs are left undecided by rounding on the target " + t.name + ", more than 5%";
  return {};
}

std::optional<std::string> VerifyReport::insufficient() const {
  if (auto few = inputs.not_tested()) return few;
  if (auto undecided = too_undecided()) return undecided;
  for (const TargetVerdict& t : targets)
    if (auto why = t.groundless()) return why;
  return {};
}

bool VerifyReport::agrees() const {
  if (!lost_loops.empty()) return false;
  for (const StageVerdict& s : stages)
    if (s.disagreement || s.cost_wrong || !s.type_errors.empty()) return false;
  for (const TargetVerdict& t : targets)
    if (t.disagreement) return false;
  return true;
}

VerifyReport verify(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options) {
  return Verifier(source, calculus, options).all();
}

}  // namespace lockstep::props

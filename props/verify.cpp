// The verification engine. E: what the source gives on one input, in the IEEE and the bounded domain.
#include "props/verify.h"

#include <chrono>
#include <cmath>
#include <limits>

#include "codegen/runtime/compiler.h"
#include "codegen/runtime/sha256.h"
#include "props/generate.h"
#include "props/orders.h"
#include "props/shown.h"
#include "props/strategy_nest.h"
#include "semantics/functional/cost.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/print.h"
#include "semantics/imperative/cost.h"
#include "semantics/imperative/print.h"
#include "semantics/imperative/run.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/run.h"
#include "translate/kernel_walk.h"

namespace lockstep::props {
namespace {

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Expected {
  Arguments arguments;
  std::uint64_t seed = 0;
  Outcome ieee = Scalars{};
  std::optional<Outcome> bounded;  // nothing: undecided
  std::string undecided;           // what could not be decided, and where
};

// What is compared, small enough that an interpreter runs it often.
constexpr double element_limit = 25000, work_limit = 80000;
constexpr int redraws = 6;
// Adversarial orders, by a slower interpreter: all of them and exploration, all of them, one.
constexpr double explored_limit = 24, interleaved_limit = 300, one_order_limit = 3000;

// Every bit, NaNs being one.
std::string digest(const Outcome& o) {
  if (!o) return sha256("trap " + o.error().primitive + ": " + o.error().message);
  std::string bytes;
  for (const std::vector<Scalar>& leaf : *o) {
    bytes += std::to_string(leaf.size()) + ":";
    for (const Scalar& s : leaf) {
      const bool nan = is_float(s.type) && std::isnan(s.ieee());
      bytes += nan ? "nan" : std::to_string(s.bits);
      bytes += ',';
    }
  }
  return sha256(bytes);
}

// ------------------------------------------------------------------------------------------------ the source's results
class Source {
 public:
  Source(const PhraseProgram& program, const VerifyOptions& options) : program_(program), options_(options) {}

  std::vector<Expected> draw(Tried& tried) {
    const std::vector<SizeValues> sizes = choose(tried);
    std::vector<Expected> out;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      if (options_.progress) options_.progress("evaluating the source", k, sizes.size());
      out.push_back(one(sizes[k], k, tried));
      tried.sizes.push_back(out.back().arguments.sizes);
      tried.seeds.push_back(out.back().seed);
      tried.results.push_back(digest(out.back().ieee));
      tried.trapped += !out.back().ieee;
      tried.undecided += !out.back().bounded;
      if (!out.back().bounded && tried.first_undecided.empty())
        tried.first_undecided = out.back().undecided + ", on " + shown(program_, out.back().arguments);
    }
    return out;
  }

 private:
  // Where there are few light sizes they come again with other values, unless there are no values at all.
  std::vector<SizeValues> choose(Tried& tried) const {
    const Cost work = cost(program_);
    const Weight weight = [&](SizeValues sizes) {
      const double elements = element_count(program_, sizes);
      sizes.emplace("#iterations", 10);
      const auto steps = evaluate(work.work, sizes);
      return std::max(elements, static_cast<double>(steps.value_or(0)) * element_limit / work_limit);
    };
    const SizeSearch found =
        search_sizes(program_, options_.sizes, options_.inputs, weight, element_limit, options_.seed);
    std::vector<SizeValues> out = found.sizes;
    for (std::size_t k = 0; !found.sizes.empty() && k < options_.inputs && out.size() < options_.inputs; ++k) {
      const SizeValues& again = found.sizes[found.sizes.size() - 1 - k % found.sizes.size()];
      std::uint64_t input = 0;
      for (const auto& [name, type] : program_.parameters) input += bytes_of(type, again);
      if (input > 0) out.push_back(again);
    }
    tried.huge = found.heavy.has_value();
    if (found.heavy) out.push_back(*found.heavy);
    return out;
  }

  Expected one(const SizeValues& sizes, std::size_t k, Tried& tried) {
    // Integers that are often indexes come in four kinds; a kind that does not trap is preferred, one input in six
    // keeps its trap.
    static constexpr Integers kinds[] = {Integers::Small, Integers::Inside, Integers::Sorted, Integers::Distinct};
    std::optional<Expected> best;
    std::size_t again = 0;
    for (int attempt = 0; attempt < redraws; ++attempt) {
      Expected e = evaluate_on(sizes, seed_of(options_.seed, k * 100 + static_cast<std::size_t>(attempt)),
                               kinds[(k + static_cast<std::size_t>(attempt)) % 4]);
      const bool good = e.bounded && (e.ieee || k % 6 == 5);
      const bool better = !best || (e.bounded && !best->bounded) ||
                          (e.ieee && !best->ieee && e.bounded.has_value() == best->bounded.has_value());
      again += !e.bounded;
      if (better) best = std::move(e);
      if (good) break;
    }
    tried.drawn_again += again - (best->bounded ? 0 : 1);
    return std::move(*best);
  }

  Expected evaluate_on(const SizeValues& sizes, std::uint64_t seed, Integers kind) const {
    auto arguments = random_inputs(program_, sizes, seed, kind);
    if (!arguments) throw std::bad_alloc();
    Expected e{std::move(*arguments), seed, Scalars{}, std::nullopt, ""};
    const std::vector<Value> values = values_of(program_, e.arguments);
    const auto in = [&](const Domain& domain) -> Outcome {
      const auto value = denote(program_, sizes, values, domain);
      if (!value) return tl::unexpected(value.error());
      return flatten(*value, program_.result, sizes);
    };
    e.ieee = in(ieee_domain());
    try {
      e.bounded = in(bounded_domain());
    } catch (const UndecidedSignal& u) {
      e.undecided = u.what;
    }
    return e;
  }

  const PhraseProgram& program_;
  const VerifyOptions& options_;
};

// ------------------------------------------------------------------------------------------------ stages
// What one program gave on one input, and why it gave nothing.
using Attempt = tl::expected<Outcome, std::string>;

std::optional<Disagreement> differs(const PhraseProgram& source, const Expected& e, const Attempt& got) {
  const auto report = [&](std::string found) {
    return Disagreement{shown(source, e.arguments), shown(e.ieee, source.result, e.arguments.sizes), std::move(found)};
  };
  if (!got) return report(got.error());
  if (got->has_value() != e.ieee.has_value()) return report(shown(*got, source.result, e.arguments.sizes));
  if (!e.ieee) return {};
  for (std::size_t k = 0; k < e.ieee->size(); ++k)
    if (!std::equal((*e.ieee)[k].begin(), (*e.ieee)[k].end(), (**got)[k].begin(), (**got)[k].end(), same_scalar))
      return report(shown(*got, source.result, e.arguments.sizes));
  return {};
}

Attempt attempt(const PhraseProgram& program, const Expected& e, RunOptions options) {
  const auto value = run(program, e.arguments.sizes, values_of(program, e.arguments), ieee_domain(), options);
  if (value) return Outcome(flatten(*value, program.result, e.arguments.sizes));
  if (const auto* trap = std::get_if<Trap>(&value.error())) return Outcome(tl::unexpected(*trap));
  return tl::unexpected(render(value.error()));
}

kernel::Buffers inputs_of(const kernel::Program& program, const Expected& e) {
  kernel::Buffers inputs;
  std::size_t k = 0;
  for (const Leaves& leaves : e.arguments.values)
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

Attempt attempt(const kernel::Program& program, const Expected& e, const kernel::RunOptions& options) {
  return attempt_of(program, kernel::run(program, e.arguments.sizes, inputs_of(program, e), ieee_domain(), options));
}

class Verifier {
 public:
  Verifier(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options)
      : source_(source), calculus_(calculus), options_(options) {}

  VerifyReport all() {
    const auto start = std::chrono::steady_clock::now();
    expected_ = Source(source_, options_).draw(report_.inputs);
    source_seconds_ = since(start);
    const Pipeline cpu = run_pipeline(source_, calculus_, Machine::Cpu),
                   gpu = run_pipeline(source_, calculus_, Machine::Gpu);
    steps_ =
        cpu.phrases.size() + cpu.kernels.size() + gpu.phrases.size() + gpu.kernels.size() + options_.targets.size();
    for (std::size_t k = 0; k < cpu.phrases.size(); ++k) phrase_stage(cpu, k, Machine::Cpu);
    for (std::size_t k = 0; k < cpu.kernels.size(); ++k) kernel_stage(cpu, k, Machine::Cpu);
    for (std::size_t k = 0; k < gpu.phrases.size(); ++k)
      if (!same_program(gpu.phrases[k].program, cpu.phrases[k].program)) phrase_stage(gpu, k, Machine::Gpu);
    for (std::size_t k = 0; k < gpu.kernels.size(); ++k) kernel_stage(gpu, k, Machine::Gpu);
    for (const auto& [pipeline, machine] : {std::pair(&cpu, Machine::Cpu), std::pair(&gpu, Machine::Gpu)})
      if (const auto lost = lost_loop(*pipeline, machine, options_.implied))
        report_.lost_loops.push_back(show(*lost) + (machine == Machine::Gpu ? ", on the GPU" : ", on the CPU"));
    for (const std::string& name : options_.targets) target(name, cpu.kernels.back().program);
    return std::move(report_);
  }

 private:
  void progress(const std::string& what) {
    if (options_.progress) options_.progress(what, report_.stages.size() + report_.targets.size(), steps_);
  }

  static bool same_program(const PhraseProgram& a, const PhraseProgram& b) {
    return a.output == b.output && *a.body == *b.body;
  }

  static bool wrong(const StageVerdict& v) { return v.disagreement || !v.type_errors.empty(); }

  void phrase_stage(const Pipeline& pipeline, std::size_t k, Machine machine) {
    const Pipeline::PhraseStep& step = pipeline.phrases[k];
    progress("checking " + step.name);
    StageVerdict v{
        step.name, step.cite,
        step.program.output.empty() ? StageVerdict::Language::Functional : StageVerdict::Language::Imperative, machine};
    v.nodes = node_count(*step.program.body);
    v.seconds = step.seconds;
    const auto start = std::chrono::steady_clock::now();
    const bool functional = step.program.output.empty();
    if (!functional) {
      // Hoisting makes bodies that write their own element of an outer array.
      const auto checked = check_program(step.program, {{}, true, options_.implied});
      v.type_seconds = since(start);
      v.types = checked ? StageVerdict::Types::Checked : StageVerdict::Types::Wrong;
      if (!checked)
        for (const Diagnostic& d : checked.error()) v.type_errors.push_back(d.message);
      v.cost = imperative::cost(step.program);
    } else {
      v.cost = cost(step.program);
    }
    // The source is what the others are compared with.
    if (report_.stages.empty())
      v.tested = expected_.size();
    else if (functional)
      test(
          v, [&](const Expected& e, std::size_t) { return attempt(step.program, e, RunOptions{}); }, 1, false);
    else
      test(
          v, [&](const Expected& e, std::size_t order) { return attempt(step.program, e, orders(order)); },
          options_.interleave ? 5 : 3, combines(*step.program.body));
    v.test_seconds = report_.stages.empty() ? source_seconds_ : since(start);
    if (wrong(v) && k > 0)
      v.before = lockstep::print(pipeline.phrases[k - 1].program), v.after = lockstep::print(step.program);
    report_.stages.push_back(std::move(v));
  }

  void kernel_stage(const Pipeline& pipeline, std::size_t k, Machine machine) {
    const Pipeline::KernelStep& step = pipeline.kernels[k];
    progress("checking " + step.name);
    StageVerdict v{step.name, step.cite, StageVerdict::Language::Kernel, machine};
    v.nodes = kernel::node_count(step.program);
    v.seconds = step.seconds;
    const auto start = std::chrono::steady_clock::now();
    v.type_errors = kernel::check(step.program);
    v.type_seconds = since(start);
    v.types = v.type_errors.empty() ? StageVerdict::Types::Checked : StageVerdict::Types::Wrong;
    if (v.type_errors.empty()) {
      v.cost = kernel::cost(step.program);
      test(
          v,
          [&](const Expected& e, std::size_t order) {
            return attempt(step.program, e,
                           kernel::RunOptions{static_cast<kernel::Schedule>(order), options_.seed,
                                              order == 0 && step.synchronised, 0, 0});
          },
          3, false);
      if (options_.interleave && step.synchronised && !v.disagreement) interleave(v, step.program);
    }
    v.test_seconds = since(start);
    if (wrong(v)) {
      v.before =
          k == 0 ? lockstep::print(pipeline.phrases.back().program) : kernel::print(pipeline.kernels[k - 1].program);
      v.after = kernel::print(step.program);
    }
    report_.stages.push_back(std::move(v));
  }

  // The small inputs again, threads changing places at every access.
  void interleave(StageVerdict& v, const kernel::Program& program) {
    for (std::size_t k = 0; k < expected_.size() && !v.disagreement; ++k) {
      const Expected& e = expected_[k];
      const double elements = element_count(source_, e.arguments.sizes);
      if (elements > one_order_limit) continue;
      OrdersOptions how;
      how.seed = options_.seed + k;
      how.explore = elements <= explored_limit;
      if (elements > interleaved_limit) how.orders = 1;
      const OrdersTried tried =
          try_orders(program, e.arguments.sizes, inputs_of(program, e), how, [&](const auto& outputs) {
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
  void test(StageVerdict& v, const Try& attempt_on, std::size_t orders, bool any_order) {
    for (const Expected& e : expected_) {
      // One order is enough for what is large.
      const double elements = element_count(source_, e.arguments.sizes);
      const std::size_t most = elements > element_limit ? 1 : elements > interleaved_limit ? 3 : orders;
      for (std::size_t order = 0; order < std::min(orders, most); ++order) {
        const Attempt got = attempt_on(e, order);
        v.disagreement = differs(source_, e, got);
        if (v.disagreement && any_order && order > 0) reassociated(v, e, got);
        ++v.runs;
        v.interleaved += order > 2;
        if (v.disagreement) return;
      }
      ++v.tested;
    }
  }

  // Takes the disagreement back where the result lies within the error bound of every order of additions.
  void reassociated(StageVerdict& v, const Expected& e, const Attempt& got) const {
    if (!got || !*got || !e.bounded || !*e.bounded) return;
    const Comparison c = compare_within_bound(**e.bounded, **got, source_.result, e.arguments.sizes);
    if (!c.agrees || c.unbounded > 0) {
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
    else if (const auto compiler = find_compiler(); !compiler)
      v.unavailable = compiler.error();
    else
      run_target(v, program);
    report_.targets.push_back(std::move(v));
  }

  void run_target(TargetVerdict& v, const kernel::Program& program) {
    const auto compiled = CompiledProgram::openmp(source_, program);
    if (!compiled) {
      v.unavailable = compiled.error().message;
      if (compiled.error().kind == CompileFailure::Kind::Failed)
        throw Bug("the generated code does not compile: " + v.unavailable);
      return;
    }
    v.cached = compiled->library().cached;
    v.compile_seconds = compiled->library().seconds;
    const auto start = std::chrono::steady_clock::now();
    for (const Expected& e : expected_) {
      target_on(v, *compiled, e);
      if (v.disagreement) break;
      ++v.tested;
    }
    v.seconds = since(start);
  }

  void target_on(TargetVerdict& v, const CompiledProgram& compiled, const Expected& e) const {
    const SizeValues& sizes = e.arguments.sizes;
    const auto got = compiled.run(e.arguments);
    if (!got && std::holds_alternative<MachineFailure>(got.error())) throw std::bad_alloc();
    const Outcome outcome = got ? Outcome(scalars_of(*got)) : Outcome(tl::unexpected(std::get<Trap>(got.error())));
    if (!differs(source_, e, outcome)) {
      // Equal bits are right whatever the bound is; how far they are from the exact result is worth knowing.
      if (outcome && e.bounded && *e.bounded) {
        const Comparison c = compare_within_bound(**e.bounded, *outcome, source_.result, sizes);
        if (!c.agrees) throw Bug("the source's own result, " + c.found + ", is outside its error bound: " + c.expected);
        note(v, c);
      }
      v.undecided += !e.bounded;
      return;
    }
    const auto disagree = [&](std::string expected, std::string found) {
      v.disagreement = Disagreement{shown(source_, e.arguments), std::move(expected), std::move(found)};
    };
    // No target reorders floats yet: where the bound decides nothing, bits must be equal.
    if (!e.bounded) return disagree(shown(e.ieee, source_.result, sizes), shown(outcome, source_.result, sizes));
    if (!outcome || !*e.bounded)
      return disagree(shown(*e.bounded, source_.result, sizes), shown(outcome, source_.result, sizes));
    const Comparison c = compare_within_bound(**e.bounded, *outcome, source_.result, sizes);
    note(v, c);
    v.undecided += c.unbounded > 0;
    if (c.unbounded > 0 && v.first_undecided.empty())
      v.first_undecided = std::to_string(c.unbounded) + " floats of unbounded error, on " + shown(source_, e.arguments);
    if (!c.agrees) disagree(c.expected, c.found);
  }

  static void note(TargetVerdict& v, const Comparison& c) {
    if (c.bound > 0 && (v.bound == 0 || c.error * v.bound > v.error * c.bound)) v.error = c.error, v.bound = c.bound;
  }

  const PhraseProgram& source_;
  const Calculus& calculus_;
  const VerifyOptions& options_;
  std::vector<Expected> expected_;
  double source_seconds_ = 0;
  std::size_t steps_ = 0;
  VerifyReport report_;
};

std::string place(const Type& result, std::size_t leaf, std::size_t index, const SizeValues& sizes) {
  const std::vector<Leaf> leaves = leaves_of(result);
  std::string out = leaves.size() > 1 ? "result." + std::to_string(leaf) : "result";
  std::vector<std::int64_t> shape = shape_of(leaves[leaf], sizes);
  std::string indexes;
  for (std::size_t d = shape.size(); d-- > 0; index /= static_cast<std::size_t>(shape[d]))
    indexes = "[" + std::to_string(index % static_cast<std::size_t>(shape[d])) + "]" + indexes;
  return out + indexes;
}

}  // namespace

bool same_scalar(const Scalar& a, const Scalar& b) {
  return a.bits == b.bits || (is_float(a.type) && std::isnan(a.ieee()) && std::isnan(b.ieee()));
}

std::vector<std::vector<Scalar>> scalars_of(const Leaves& leaves) {
  Scalars out;
  for (const LeafArray& leaf : leaves) {
    std::vector<Scalar>& scalars = out.emplace_back();
    const std::int64_t n = count_of(leaf);
    scalars.reserve(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) scalars.push_back(scalar_at(leaf, i));
  }
  return out;
}

Comparison compare_within_bound(const Scalars& bounded, const Scalars& got, const Type& result,
                                const SizeValues& sizes) {
  const Domain& d = bounded_domain();
  Comparison out;
  for (std::size_t k = 0; k < bounded.size(); ++k)
    for (std::size_t i = 0; i < bounded[k].size(); ++i) {
      const Scalar &e = bounded[k][i], &g = got[k][i];
      if (!is_float(g.type)) {
        if (e.bits == g.bits) continue;
        return {
            false,        place(result, k, i, sizes) + " = " + show(e, d), show(g, ieee_domain()), out.error, out.bound,
            out.unbounded};
      }
      const double exact = d.to_ieee(e), bound = d.error_bound(e), x = g.ieee();
      if (same_scalar(make_ieee(g.type, exact), g) && bound == 0) continue;
      if (!(bound <= std::numeric_limits<double>::max())) {
        ++out.unbounded;
        continue;
      }
      const double error = x == exact || (std::isnan(x) && std::isnan(exact)) ? 0 : std::abs(x - exact);
      // The exact value was rounded to be shown: that much may be between them.
      const double rounding = std::ldexp(std::abs(exact), g.type == ScalarType::F32 ? -24 : -53);
      if (!(error <= bound + rounding))
        return {false,
                place(result, k, i, sizes) + " = " + show(e, d) + ", with an error of " +
                    show(make_ieee(ScalarType::F64, bound), ieee_domain()) + " at most",
                show(g, ieee_domain()),
                out.error,
                out.bound,
                out.unbounded};
      if (bound > 0 && (out.bound == 0 || error * out.bound > out.error * bound)) out.error = error, out.bound = bound;
    }
  return out;
}

bool too_many_undecided(std::size_t undecided, std::size_t all) {
  // One is no share.
  return undecided > 1 && static_cast<double>(undecided) > undecided_at_most * static_cast<double>(all);
}

std::optional<std::string> VerifyReport::too_undecided() const {
  const auto say = [](std::size_t undecided, std::size_t all, const std::string& whose, const std::string& first) {
    const auto percent = [](double share) { return std::to_string(static_cast<int>(share * 100)) + "%"; };
    return std::to_string(undecided) + " of " + std::to_string(all) + " inputs are left undecided by rounding" + whose +
           ", more than " + percent(undecided_at_most) + "; the first: " + first;
  };
  if (too_many_undecided(inputs.undecided, inputs.sizes.size()))
    return say(inputs.undecided, inputs.sizes.size(), "", inputs.first_undecided);
  for (const TargetVerdict& t : targets)
    if (!t.disagreement && t.undecided > inputs.undecided && too_many_undecided(t.undecided, t.tested))
      return say(t.undecided, t.tested, " on the target " + t.name, t.first_undecided);
  return {};
}

bool VerifyReport::agrees() const {
  if (!lost_loops.empty()) return false;
  for (const StageVerdict& s : stages)
    if (s.disagreement || !s.type_errors.empty()) return false;
  for (const TargetVerdict& t : targets)
    if (t.disagreement) return false;
  return true;
}

VerifyReport verify(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options) {
  return Verifier(source, calculus, options).all();
}

}  // namespace lockstep::props

// A verification of .dpia: the inputs, the subjects of both machines' pipelines, and the targets.
#include "props/dpia/verify.h"

#include <chrono>

#include "props/dpia/strategy_nest.h"
#include "props/dpia/subjects.h"
#include "props/engine/watched.h"
#include "semantics/imperative/run.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/run.h"

namespace lockstep::props {
namespace {

// More than a compiled program needs on any input that an interpreter is done with.
constexpr double target_seconds = 60;

class TargetSubject : public Subject {
 public:
  TargetSubject(Row row, const lockstep::Target& target, const Tests& tests, const std::deque<DrawnInput>& inputs)
      : Subject(std::move(row)), tests_(tests), inputs_(inputs), target_(target) {}

  void load(Row& row) override {
    program_ = &tests_.traces[target_.machine == Machine::Gpu ? 1 : 0].last();
    auto made = load_on(target_, *program_, tests_.source.result);
    if (!made) {
      row.unavailable = made.error().message;
      return;
    }
    compiled_ = std::make_shared<const Executable>(std::move(*made));
    row.own_functions = own_functions_in(compiled_->program(), target_);
    row.device = compiled_->device();
    row.cached = compiled_->library().cached;
    row.compile_seconds = compiled_->library().seconds;
  }

  bool takes(std::size_t input) const override { return !tests_.inputs[input].lost; }
  void test(Row& row, std::size_t input) override {
    const DrawnInput& e = inputs_[input];
    const TestedInput& tested = tests_.inputs[input];
    const bool bits = row.own_functions.empty();
    std::optional<Attempt> kernel;
    if (bits) kernel = attempt(*program_, tested, {.watched = false}, tests_.rounds);
    const auto got = watched<tl::expected<Leaves, Stop>>(
        target_seconds, [compiled = compiled_, arguments = e.arguments] { return compiled->run(arguments); });
    if (!got) {
      row.disagreement = tests_.disagreement(
          tested, "nothing: it has not ended after " + std::to_string(static_cast<int>(target_seconds)) + " s");
      return;
    }
    if (const auto* failed = *got ? nullptr : std::get_if<MachineFailure>(&got->error()))
      throw std::runtime_error(target_.name + " failed: " + failed->message);
    ++row.runs;
    judge(row, tests_.source, e, tested.expected, bits ? &*kernel : nullptr,
          *got ? Outcome(scalars_of(**got)) : Outcome(tl::unexpected(std::get<Trap>(got->error()))),
          [this](std::size_t leaf) { return compiled_->writer_of(leaf); });
  }

  std::string text() const override {
    std::string all;
    for (const TextFile& f : target_.text(*program_)) all += f.name + "\n" + f.contents;
    return all;
  }

 private:
  const Tests& tests_;
  const std::deque<DrawnInput>& inputs_;
  const lockstep::Target& target_;
  const AnyProgram* program_ = nullptr;
  std::shared_ptr<const Executable> compiled_;
};

class Verification {
 public:
  Verification(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options)
      : options_(options), tally_(calculus), source_(tally_.counting(source)), tests_(tally_, source_, effort()) {}

  VerifyReport all() {
    const auto start = std::chrono::steady_clock::now();
    case_.report.titles = {"nodes", "types", {"work", "depth", "space"}, true};
    tests_.traces.reserve(2);
    const DpiaLanguages languages = options_.languages(tally_.calculus());
    DpiaTrace cpu = dpia_trace(source_, languages, Machine::Cpu, true);
    // At sizes that are around those of its blocks, too.
    Draws drawn = draw_inputs(source_, cpu.steps[cpu.held_to()].program.as<PhraseProgram>(),
                              {.seed = options_.seed,
                               .inputs = options_.inputs,
                               .asked = options_.asked,
                               .limit = options_.limit,
                               .elements = load_limit,
                               .progress = options_.listener.progress});
    for (DrawnInput& e : drawn.inputs) inputs_.push_back(std::move(e));
    case_.report.inputs = std::move(drawn.tried);
    case_.inputs = inputs_.size();
    for (const DrawnInput& e : inputs_) {
      case_.gives_values.push_back(e.gives_values);
      tests_.inputs.push_back(tested(e));
    }
    tests_.applied = applied_by_source();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    tests_.traces.push_back(std::move(cpu));
    tests_.add_rows(case_, seconds);
    tests_.traces.push_back(dpia_trace(source_, languages, Machine::Gpu, true));
    tests_.add_rows(case_, seconds);
    for (const Target* t : options_.targets) case_.targets.push_back(target_subject(*t, tests_, inputs_));
    case_.conclude = [&](Report& report) { conclude(report); };
    case_.texts = true;
    VerifyReport out{verify(case_, options_.listener), {}};
    out.traces = std::move(tests_.traces);
    return out;
  }

 private:
  Effort effort() const {
    Effort out;
    out.seed = options_.seed;
    out.orders = options_.interleave ? 5 : 3;
    out.implied = options_.implied;
    if (options_.interleave) out.adversarial = orders_by_load(options_.seed);
    return out;
  }
  TestedInput tested(const DrawnInput& e) const {
    return {{e.arguments.sizes, [this, &e] { return values_of(source_, e.arguments); },
             [&e] { return scalars_of(e.arguments); }},
            [this, &e] { return shown(source_, e.arguments); },
            e.ieee,
            e.traps,
            e.bounded,
            e.rounds,
            e.load};
  }
  SpentByInput applied_by_source() {
    SpentByInput out;
    const AnyProgram counted(functional_language(tally_.calculus()), tests_.rounds.counted(source_));
    for (const TestedInput& e : tests_.inputs) {
      tally_.restart();
      const bool ran = e.expected && attempt(counted, e, {}, tests_.rounds);
      out.push_back(ran ? std::optional(Spent{tally_.counts(), {}}) : std::nullopt);
    }
    return out;
  }
  void conclude(Report& report) const {
    const std::string nest =
        "the nest of loops that was written, by level and extent, is in the kernels for CPU and GPU";
    bool lost = false;
    for (const DpiaTrace& t : tests_.traces) {
      const auto loop = lost_loop(t, options_.implied);
      if (!loop) continue;
      lost = true;
      const std::string found = show(*loop) + (t.machine == Machine::Gpu ? ", on the GPU" : ", on the CPU");
      Claim c{"the program", nest, Standing::Refuted, "matching of the programs' loops"};
      c.refuted_as = "a loop that was written has not come out: " + found;
      report.claims.push_back(std::move(c));
    }
    if (!lost) {
      report.claims.push_back({"the program", nest, Standing::Proved, "matching of the programs' loops"});
      report.notes.push_back("the loops that were written came out, by level and extent, on both machines");
    }
    for (std::string& note : notes_of_blocks(tests_)) report.notes.push_back(std::move(note));
    if (tests_.orders.every) report.notes.insert(report.notes.begin(), tests_.orders.text());
    std::size_t least = report.inputs.sizes.size();
    for (const Row& r : report.stages)
      least = std::min(least, r.related.empty() || r.wrong() ? 0 : r.related[0].inputs);
    if (least > 0)
      report.notes.push_back("what was counted on " + std::to_string(least) + (least == 1 ? " input" : " inputs") +
                             " stands to the costs of every stage as its relation says (props/dpia/README.md)");
    for (const Target* t : options_.targets) {
      if (!t->unavailable().empty()) continue;
      const std::string own = own_functions_in(tests_.traces[t->machine == Machine::Gpu ? 1 : 0].kernel(), *t);
      if (!own.empty())
        report.notes.push_back(t->name + " has its own " + own +
                               ", with other last bits: its results are held to the error bound, not to the bits of "
                               "the kernel's interpreter");
    }
    if (options_.prove) options_.prove(tests_.traces, report);
  }

  const VerifyOptions& options_;
  OperatorTally tally_;
  const PhraseProgram source_;  // its operators count
  std::deque<DrawnInput> inputs_;
  Tests tests_;
  Case case_;
};

}  // namespace

std::unique_ptr<Subject> target_subject(const Target& target, const Tests& tests,
                                        const std::deque<DrawnInput>& inputs) {
  Row row{target.name, "", "the target " + target.name, target.name};
  row.is_target = true;
  row.same = "computes what the source does";
  for (const Leaf& leaf : leaves_of(tests.source.result)) row.floats = row.floats || is_float(leaf.scalar);
  return std::make_unique<TargetSubject>(std::move(row), target, tests, inputs);
}

Attempt run_kernel(const kernel::Program& program, const Arguments& arguments) {
  const kernel::Buffers inputs =
      kernel::buffers_of(program, {arguments.sizes, {}, [&] { return scalars_of(arguments); }});
  kernel::RunOptions how;
  how.block_bytes = kernel::GpuModel{}.block_bytes;
  return kernel::attempt_of(program, kernel::run(program, arguments.sizes, inputs, ieee_domain(), how));
}

void judge(Row& v, const PhraseProgram& source, const DrawnInput& input, const Outcome& ieee, const Attempt* kernel,
           const Outcome& found, const std::function<std::string(std::size_t)>& writer_of) {
  const SizeValues& sizes = input.arguments.sizes;
  const auto disagree = [&](std::string expected, std::string got) {
    v.disagreement = Disagreement{shown(source, input.arguments), std::move(expected), std::move(got)};
  };
  const auto disagree_in = [&](std::size_t leaf, std::string expected, std::string got) {
    const std::string by = writer_of ? writer_of(leaf) : "";
    disagree(std::move(expected), std::move(got) + (by.empty() ? "" : ", written by " + by));
  };
  if (kernel && !*kernel) throw Bug("the kernel that the target compiles cannot be run: " + kernel->error());
  if (kernel && !same_outcome(**kernel, input.traps, found)) {
    const std::string by = ", by the interpreter of the kernel that it compiles";
    if (!found || !**kernel)
      return disagree(shown(**kernel, source.result, sizes) + by, shown(found, source.result, sizes));
    const Difference d = first_difference(***kernel, *found, source.result, sizes);
    return disagree_in(d.leaf, d.expected + by, d.found);
  }
  v.same_bits += kernel != nullptr;
  v.undecided += !input.bounded;
  const bool same = same_outcome(ieee, input.traps, found);
  if (!input.bounded || !*input.bounded || !found) {
    // Where the bound decides nothing, only the bits can.
    if (!same && (kernel || input.bounded))
      disagree(shown(input.bounded ? *input.bounded : ieee, source.result, sizes), shown(found, source.result, sizes));
    return;
  }
  const Comparison c = compare_within_bound(**input.bounded, *found, source.result, sizes);
  if (!c.agrees && same)
    throw Bug("the program's own result, " + c.found + ", is outside its error bound: " + c.expected);
  if (!c.agrees) return disagree_in(c.leaf, c.expected, c.found);
  v.compared += c.floats;
  v.wide += c.wide + c.unbounded;
  if (c.wide + c.unbounded > 0 && v.first_wide.empty()) v.first_wide = shown(source, input.arguments);
  v.rounding.add(c.rounding);
}

VerifyReport verify(const PhraseProgram& source, const Calculus& calculus, const VerifyOptions& options) {
  return Verification(source, calculus, options).all();
}

}  // namespace lockstep::props

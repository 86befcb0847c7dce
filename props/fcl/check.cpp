// The stages of one program in order. The source's meaning is asked before any stage has run.
#include "props/fcl/check.h"

#include "props/fcl/costs.h"
#include "props/fcl/propositions.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"

namespace lockstep::props::fcl {
namespace {

class Check {
 public:
  Check(const language::Program& program, std::uint64_t seed, const Toolchain& tools, const CheckOptions& options,
        CheckCounts& counts, const Target* target = nullptr)
      : program_(program), seed_(seed), tools_(tools), options_(options), counts_(counts), target_(target) {}

  std::optional<Finding> run() {
    return first_finding([&] { all(); }, stage_, input_);
  }

 private:
  [[noreturn]] void fail(const std::string& property, std::string detail) {
    throw FindingSignal{{property, stage_, input_, std::move(detail)}};
  }

  void all() {
    stage_ = "print";
    const std::string text = language::print(program_);
    const auto again = language::parse_program(std::make_shared<const Source>(Source{"program.fcl", text}));
    if (!again) fail("parses", render(again.error().front()));
    if (!(*again == program_)) fail("round trip", "read back it prints as\n" + language::print(*again));
    stage_ = "check";
    const auto typed = language::typed(*again, tools_.printed_types);
    if (!typed && tools_.may_refuse) return;
    if (!typed) fail("types", render(typed.error().front()));
    language::Entry entry{*typed, again->definitions.back().name, {}, launch()};
    for (const language::Scheme::Open& o : language::scheme_of(entry).types)
      entry.instance.types.emplace(o.name, language::int_type);
    const AnyProgram source(language::language(), entry);
    const Signature signature = signature_of(entry);
    if (!target_ && seed_ % options_.typed_every == 0) propositions(entry, signature);
    draw(source, signature);
    stage_ = "trace";
    language::Traced traced = tools_.trace(entry);
    counts_.statistics.count("program", "stands where its levels may", !traced.misplaced);
    counts_.statistics.count("program", "is brought to normal form", !traced.stopped);
    const bool whole = !traced.misplaced && !traced.stopped;
    const Tests tests{signature, std::move(traced.trace), inputs_, 2 * rounds};
    if (target_) {
      if (whole && tools_.solver) on_target(tests);
      return;
    }
    for (std::size_t k = 0; k < tests.trace.steps.size(); ++k) {
      row(tests.trace.steps[k].name, [&] { return subject(tests, k); });
      if (k == 0 && !traced.misplaced) machine(tests);
    }
    if (whole) costs(tests);
    if (whole && tools_.solver && seed_ % options_.lowered_every == 0) lowered(tests);
  }

  void costs(const Tests& tests) {
    for (const Input& in : inputs_) {
      input_ = in.text;
      stage_ = "cost";
      ++counts_.costed;
      const auto wrong = wrong_cost(tests, in);
      if (!wrong) continue;
      stage_ = wrong->stage;
      fail(wrong->property, wrong->detail);
    }
    input_ = "";
  }

  // Blocks and warps of the program's, which it can see.
  Launch launch() const {
    static constexpr int blocks[] = {1, 2, 3, 4, 8, 33}, warps[] = {1, 2, 4, 32};
    Random random(seed_of(seed_, 7));
    Launch out;
    out.block = blocks[random.below(6)];
    out.warp = warps[random.below(4)];
    return out;
  }
  static Signature signature_of(const language::Entry& entry) {
    Signature out;
    language::Type t = language::scheme_of(entry).type;
    for (const language::Parameter& p : language::definition_of(entry).parameters) {
      const auto* a = language::as<language::Arrow>(t);
      if (!a) throw Bug("a definition that takes a level");
      out.parameters.push_back({p.name, language::closed(*a->from, {})});
      t = language::Type(*a->to);
    }
    out.result = language::closed(t, {});
    return out;
  }

  void draw(const AnyProgram& source, const Signature& s) {
    const std::vector<std::optional<Leaves>> nothing(s.parameters.size());
    for (std::size_t k = 0; k < options_.inputs; ++k) {
      Input in;
      in.seed = seed_of(seed_, 1000 + k);
      in.arguments = random_arguments(s, nothing, source.as<language::Entry>().launch, longest, in.seed);
      in.text = input_ = shown_arguments(s, in.arguments);
      in.expected = outcome(source, s, in.arguments, rounds);
      if (!target_) ++counts_.inputs, counts_.traps += in.expected ? 0 : 1;
      if (is_endless(in.expected)) continue;  // a stage may go on for ever
      inputs_.push_back(std::move(in));
    }
    input_ = "";
  }

  // On one small input, under a schedule and on a machine that are drawn.
  void propositions(const language::Entry& entry, const Signature& s) {
    stage_ = "terms";
    const std::vector<std::optional<Leaves>> nothing(s.parameters.size());
    Random random(seed_of(seed_, 5));
    const Arguments arguments = random_arguments(s, nothing, entry.launch, longest_typed, random.next());
    input_ = shown_arguments(s, arguments);
    const language::Machine machine = drawn_machine(random);
    const auto order = static_cast<language::Order>(random.below(4));
    language::Stepping stepping(entry.program, entry.definition, terms_of(s, arguments), entry.instance.levels,
                                entry.launch, machine, {order, random.next()}, tools_.printed);
    TermTypes types(entry.program, tools_.printed_types);
    const TypedRun run = typed_run(stepping, types, most_typed);
    counts_.steps += run.steps, counts_.typed += run.steps;
    if (!run.property.empty() && stands(entry)) fail(run.property, run.wrong);
    input_ = "";
  }
  // Where its levels may; so does what the stages do not take, as it has no type.
  bool stands(const language::Entry& entry) const {
    try {
      return !tools_.trace(entry).misplaced;
    } catch (const std::exception&) {
      return true;
    }
  }

  template <class Make>
  void row(const std::string& stage, const Make& make) {
    stage_ = stage;
    Case c;
    c.stages.push_back(make());
    rows(c);
  }
  void rows(Case& c) {
    c.first_only = true;
    c.inputs = inputs_.size();
    c.gives_values.assign(inputs_.size(), true);
    const Report r = verify(c, {});
    for (const std::vector<Row>* all : {&r.stages, &r.targets})
      for (const Row& row : *all) {
        counts_.runs += row.runs;
        if (!row.unavailable.empty()) fail("available", row.unavailable);
        if (row.wrong()) throw FindingSignal{finding_of(row, row.name, "meaning")};
      }
  }

  void machine(const Tests& tests) {
    StepOptions how;
    how.seed = seed_;
    how.runs = 1;
    how.least_inputs = 0;
    how.most_elements = 60;
    how.most_steps = 5'000;
    how.steps_taken = &counts_.steps;
    how.printed = tools_.printed;
    row("step", [&] { return step_subject(tests, how); });
  }

  static const Calculus& calculus() {
    static const Calculus it = standard_calculus();
    return it;
  }
  tl::expected<InCalculus, NotLowered> made_in_calculus(const Tests& tests) {
    stage_ = "lower";
    return tools_.lower(tests.trace.last().as<language::Entry>(), calculus(), tools_.solver);
  }

  void on_target(const Tests& tests) {
    const auto made = made_in_calculus(tests);
    if (!made) return;
    stage_ = target_->name;
    Case c;
    Effort effort;
    effort.seed = seed_;
    const LoweredSource source = lowered_source(tests);
    Lowered later(source, *made, calculus(), std::move(effort), {Machine::Cpu, Machine::Gpu}, true);
    later.add_target(c, *target_);
    rows(c);
    ++counts_.ran;
  }

  // The last program in the calculus, for one machine.
  void lowered(const Tests& tests) {
    const auto made = made_in_calculus(tests);
    counts_.statistics.count("program", "lowered", made.has_value());
    if (!made) return;
    ++counts_.lowered;
    Effort effort;
    effort.seed = seed_;
    effort.orders = 3;
    effort.check_functional = effort.over_again = true;
    effort.implied = implied_by(tools_.solver);
    // on one input its threads change places
    effort.adversarial = [this](const TestedInput& e, std::size_t k) -> std::optional<OrdersOptions> {
      if (e.load > interleaved_limit || k != 0) return {};
      OrdersOptions how;
      how.seed = seed_, how.orders = 1, how.while_limit = rounds_allowed(e.rounds);
      return how;
    };
    Case c;
    const LoweredSource source = lowered_source(tests);
    const Machine machine = tools_.machine.value_or(seed_ % 2 == 0 ? Machine::Cpu : Machine::Gpu);
    Lowered later(source, *made, calculus(), std::move(effort), {machine}, false, tools_.stages);
    later.add(c);
    counts_.met += later.inputs();
    rows(c);
  }

  static constexpr std::uint64_t rounds = 1000;  // of `while`
  static constexpr std::int64_t longest = 8;     // array
  static constexpr std::int64_t longest_typed = 6;
  static constexpr std::size_t most_typed = 400;  // steps

  const language::Program& program_;
  const std::uint64_t seed_;
  const Toolchain& tools_;
  const CheckOptions& options_;
  CheckCounts& counts_;
  const Target* const target_;  // alone
  std::string stage_, input_;
  std::vector<Input> inputs_;
};

}  // namespace

std::optional<Finding> check_program(const language::Program& program, std::uint64_t seed, const Toolchain& tools,
                                     const CheckOptions& options, CheckCounts& counts) {
  return Check(program, seed, tools, options, counts).run();
}

std::optional<Finding> check_on_target(const language::Program& program, std::uint64_t seed, const Toolchain& tools,
                                       const CheckOptions& options, const Target& target, CheckCounts& counts) {
  return Check(program, seed, tools, options, counts, &target).run();
}

}  // namespace lockstep::props::fcl

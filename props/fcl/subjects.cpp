// A program of the trace beside the source.
#include "props/fcl/subjects.h"

#include "semantics/fcl/parse.h"
#include "semantics/language/obligation.h"
#include "translate/fcl/normal_form.h"

namespace lockstep::props::fcl {
namespace {

// Traps too have to be the same, by name: no stage moves one before another.
bool same(const LeafOutcome& a, const LeafOutcome& b) {
  return same_leaves(a, b) && (a || a.error().primitive == b.error().primitive);
}

class StageSubject : public Subject {
 public:
  StageSubject(const Tests& tests, std::size_t k) : Subject(planned_row(tests, k)), tests_(tests), k_(k) {}

  void check(Row& row) override {
    const auto [wrong, kind] = wrong_with(tests_.trace, k_);
    if (wrong.empty()) return;
    row.ill_formed = {wrong};
    row.ill_as = kind;
  }
  void test(Row& row, std::size_t i) override {
    const Input& in = tests_.inputs[i];
    const LeafOutcome found = outcome(program(), tests_.signature, in.arguments, tests_.rounds);
    ++row.runs;
    if (!row.disagreement && !same(found, in.expected))
      row.disagreement = Disagreement{in.text, shown(in.expected, tests_.signature), shown(found, tests_.signature)};
  }
  std::pair<std::string, std::string> around() const override {
    return {k_ > 0 ? tests_.trace.steps[k_ - 1].program.language().print(tests_.trace.steps[k_ - 1].program) : "",
            text()};
  }
  std::string text() const override { return program().language().print(program()); }

 private:
  static Row planned_row(const Tests& tests, std::size_t k) {
    const Step& step = tests.trace.steps[k];
    Row row{step.name, step.cite, "the program after " + step.name + " (" + step.cite + ")", "FCL"};
    if (k == 0) row.subject = "the source";
    row.nodes = step.program.language().nodes(step.program);
    row.well_formed = "has types, prints and parses to itself";
    if (k > 0) row.same = "gives what the source does, bit for bit, traps by name included";
    row.reference = k == 0;
    return row;
  }
  const AnyProgram& program() const { return tests_.trace.steps[k_].program; }

  const Tests& tests_;
  const std::size_t k_;
};

// A value as a term of the machine, and back.
language::Expr term_of(const Value& v) {
  return match(
      force(v).node, [](const Scalar& s) { return language::Expr{language::Literal{s}}; },
      [](const std::shared_ptr<const PairValue>& p) {
        return language::Expr{language::PairExpr{term_of(p->first), term_of(p->second)}};
      },
      [&](const std::shared_ptr<const ArrayValue>& a) {
        language::ArrayExpr out;
        for (std::int64_t k = 0; k < a->length; ++k) out.items.emplace_back(term_of(element_of(v, k)));
        return language::Expr{std::move(out)};
      },
      [](const auto&) -> language::Expr { throw Bug("a value of FCL that is no data"); });
}
Value value_of(const language::Expr& term) {
  if (const auto* l = language::as<language::Literal>(term)) return scalar_value(l->value);
  if (const auto* p = language::as<language::PairExpr>(term))
    return pair_value(value_of(*p->first), value_of(*p->second));
  std::vector<Value> items;
  for (const language::ExprRef& i : std::get<language::ArrayExpr>(term.node).items) items.push_back(value_of(*i));
  return array_value(std::move(items));
}

class StepSubject : public Subject {
 public:
  StepSubject(const Tests& tests, const StepOptions& options)
      : Subject(planned_row()), tests_(tests), options_(options) {}

  bool takes(std::size_t input) const override { return is_small(tests_.inputs[input]); }
  void test(Row& row, std::size_t i) override { run(row, tests_.inputs[i], source(), i); }
  // Where blocks are too long for that, in blocks of two threads, on inputs of its own.
  void finish(Row& row) override {
    if (row.tested >= std::min(tests_.inputs.size(), options_.least_inputs)) return;
    language::Entry entry = source();
    entry.launch.block = entry.launch.warp = 2;
    const AnyProgram small(language::language(), entry);
    const std::vector<std::optional<Leaves>> nothing(tests_.signature.parameters.size());
    std::size_t left = options_.least_inputs;
    for (std::uint64_t draw = 0; draw < 20 * options_.least_inputs && left > 0 && !row.disagreement; ++draw) {
      Input in{random_arguments(tests_.signature, nothing, entry.launch,
                                static_cast<std::int64_t>(options_.most_elements),
                                seed_of(options_.seed, 1000 + draw))};
      if (!is_small(in)) continue;
      in.text = shown_arguments(tests_.signature, in.arguments) + ", in blocks of two threads";
      in.expected = outcome(small, tests_.signature, in.arguments, tests_.rounds);
      if (!in.expected && draw < 10 * options_.least_inputs) continue;  // traps are for where there is nothing else
      const std::size_t runs_before = row.runs;
      run(row, in, entry, 1000 + draw);
      if (row.runs == runs_before) continue;
      ++row.tested, --left;
      row.values += in.expected.has_value();
    }
  }
  std::pair<std::string, std::string> around() const override { return {text(), text()}; }
  std::string text() const override {
    const AnyProgram& source = tests_.trace.steps[0].program;
    return source.language().print(source);
  }

 private:
  const language::Entry& source() const { return tests_.trace.steps[0].program.as<language::Entry>(); }
  bool is_small(const Input& in) const {
    std::size_t n = 0;
    for (const Leaves& leaves : in.arguments)
      for (const LeafArray& leaf : leaves) n += static_cast<std::size_t>(count_of(leaf));
    return n <= options_.most_elements;
  }
  void run(Row& row, const Input& in, const language::Entry& entry, std::size_t i) const {
    const std::vector<language::Expr> arguments = terms_of(tests_.signature, in.arguments);
    Random random(seed_of(options_.seed, i));
    for (std::size_t run = 0; run < options_.runs && !row.disagreement; ++run) {
      const language::Machine machine = drawn_machine(random);
      language::Stepping stepping(entry.program, entry.definition, arguments, entry.instance.levels, entry.launch,
                                  machine, {static_cast<language::Order>(run % 4), random.next()}, options_.printed);
      const auto found = ended(stepping);
      if (!found) return;  // too long
      ++row.runs;
      if (found->stuck.empty() && same_leaves(found->outcome, in.expected)) continue;
      row.disagreement = Disagreement{in.text, shown(in.expected, tests_.signature),
                                      found->stuck.empty() ? shown(found->outcome, tests_.signature) : found->stuck};
    }
  }
  struct Ended {
    LeafOutcome outcome{};
    std::string stuck{};
  };
  std::optional<Ended> ended(language::Stepping& machine) const {
    try {
      for (std::size_t k = 0; !machine.is_value(); ++k) {
        if (k >= options_.most_steps) return std::nullopt;
        if (!machine.step()) return Ended{{}, "stuck at " + language::print(machine.term())};
        if (options_.steps_taken) ++*options_.steps_taken;
      }
    } catch (const TrapSignal& s) {
      return Ended{tl::unexpected(s.trap)};
    }
    return Ended{leaves_of(tests_.signature.result, value_of(machine.term()))};
  }
  static Row planned_row() {
    const std::string cite = "FCL §5.2, (36) to (42), amended";
    Row row{"step", cite, "the source in small steps (" + cite + ")", "FCL"};
    row.same = "gives what the source does in big steps, bit for bit, on every machine and under every schedule drawn";
    return row;
  }

  const Tests& tests_;
  const StepOptions options_;
};

}  // namespace

std::vector<language::Expr> terms_of(const Signature& s, const Arguments& arguments) {
  std::vector<language::Expr> out;
  for (std::size_t k = 0; k < arguments.size(); ++k)
    out.push_back(term_of(fcl::value_of(s.parameters[k].type, arguments[k])));
  return out;
}
language::Machine drawn_machine(Random& random) {
  return {1 + random.below(3), 1 + random.below(2), 1 + random.below(2)};
}

std::pair<std::string, std::string> wrong_with(const Trace& trace, std::size_t k) {
  const AnyProgram& p = trace.steps[k].program;
  // What is read back is typed on the way: where it is the same program, that has types too.
  if (const std::string wrong = wrong_read_back(p); !wrong.empty()) {
    for (const std::string& untyped : p.language().check(p, {})) return {untyped, "types"};
    return {wrong, "round trip"};
  }
  bool is_fused = false;
  for (std::size_t j = 0; j <= k; ++j) is_fused = is_fused || trace.steps[j].name == "fuse";
  if (is_fused)
    if (const std::string wrong = language::why_not_normal(*language::definition_of(p.as<language::Entry>()).body);
        !wrong.empty())
      return {wrong, "normal form"};
  return {};
}

std::unique_ptr<Subject> subject(const Tests& tests, std::size_t k) { return std::make_unique<StageSubject>(tests, k); }

std::unique_ptr<Subject> step_subject(const Tests& tests, const StepOptions& options) {
  return std::make_unique<StepSubject>(tests, options);
}

LoweredSource lowered_source(const Tests& tests) {
  LoweredSource out{tests.trace.last(), {}, [&s = tests.signature](const LeafOutcome& o) { return shown(o, s); }};
  for (const Input& in : tests.inputs) out.inputs.push_back({in.text, one_after_the_other(in.arguments), in.expected});
  return out;
}

}  // namespace lockstep::props::fcl

// The subjects of a verification of .snesl: what of the source, the core, SVCODE and the targets is checked and run.
#include "driver/languages/snesl/verification.h"

#include <fmt/format.h>

#include "codegen/runtime/sha256.h"
#include "driver/languages/snesl/engine.h"
#include "driver/languages/snesl/snesl.h"
#include "props/snesl/reals.h"
#include "props/snesl/subjects.h"
#include "semantics/snesl/parse.h"

namespace lockstep::driver {
namespace {

using props::Row;
using Input = props::stream::StreamInput;

constexpr std::int64_t verified_chunks[] = {1, 2, 3, 7, 64, 1000};
constexpr std::int64_t engine_chunks[] = {0, 1, 7, 64};

// Names of files among the values that the user gave.
std::set<std::string> named_files(const BoundArguments& bound, const std::vector<snesl::Value>& values) {
  std::set<std::string> out;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!bound.drawn_anew(k) && is_text(bound.program.parameters[k].type)) out.insert(characters_of(values[k]));
  return out;
}

// Files that the user named are the machine's; the others are made up.
KeptFiles files_of(const BoundArguments& bound, const std::vector<snesl::Value>& values, std::uint64_t seed,
                   const std::shared_ptr<KeptFiles>& machine) {
  const std::set<std::string> given = named_files(bound, values);
  return KeptFiles(
      [given, machine, made_up = std::make_shared<KeptFiles>(made_up_files(seed))](const std::string& name,
                                                                                   const Region& region) {
        const auto& files = given.contains(name) ? machine : made_up;
        std::string content = files->read(name, region);
        files->take_written();  // which of them can be read only once is this one's to say
        return content;
      },
      [given](const std::string& name) -> std::optional<std::string> {
        if (given.contains(name)) return snesl::read_once(name);
        return name == "-" ? std::optional(name) : std::nullopt;
      });
}

std::string text_of(const BoundArguments& bound, const snesl::Values& values, std::uint64_t seed) {
  std::string out;
  for (std::size_t k = 0; k < values.size(); ++k)
    out += (k ? ", " : "") + bound.program.parameters[k].name + " = " + shortened(snesl::show(values[k]), 120);
  return (out.empty() ? "no arguments" : out) + " (seed " + std::to_string(seed) + ")";
}

// Random texts that turned out to be files' names become names that a folder can hold, for the engine; true if any did.
bool name_files(const BoundArguments& bound, Input& in) {
  bool any = false;
  for (std::size_t k = 0; k < in.values.size(); ++k) {
    if (!bound.drawn_anew(k) || !is_text(bound.program.parameters[k].type)) continue;
    const std::string name = characters_of(in.values[k]);
    if (!in.files.all_read().contains(name) && !in.expected.written.contains(name)) continue;
    in.values[k] = snesl::text_value("file" + std::to_string(k));
    any = true;
  }
  return any;
}

Input input_of(const BoundArguments& bound, std::uint64_t seed, std::size_t k, std::size_t all,
               const std::shared_ptr<KeptFiles>& machine) {
  const int longest = k == 0 ? 0 : k == 1 ? 1 : k + 1 == all ? 20 : 6;
  Input in{drawn_again(bound, seed, longest), KeptFiles({}), {tl::unexpected(Trap{})}, {}, "", seed};
  const auto evaluate = [&] {
    in.files = files_of(bound, in.values, seed, machine);
    in.expected = evaluated(bound.program, in.values, in.files, &in.cost);
    std::size_t leaves = 0;
    for (std::size_t p = 0; p < in.values.size(); ++p)
      leaves += svcode::represent({in.values[p]}, bound.program.parameters[p].type).size();
    in.cost = props::stream::cost_with_arguments(in.cost, in.values, leaves);
  };
  evaluate();
  if (name_files(bound, in)) evaluate();
  in.text = text_of(bound, in.values, seed);
  return in;
}

// What the subjects of one verification share.
struct Shared {
  const StreamingFile& file;
  BoundArguments bound;
  streaming::SneslTrace trace;
  Trace networks;
  const svcode::Program& last() const { return trace.last().as<svcode::Program>(); }
  std::vector<Input> inputs{};
};

class SourceSubject : public props::Subject {
 public:
  explicit SourceSubject(const StreamingFile& file) : Subject(planned_row()), file_(file) {}

  void check(Row& row) override { row.ill_formed = wrong(); }
  std::vector<std::string> wrong() const {
    const auto again =
        snesl::parse_program(std::make_shared<const Source>(Source{"printed", snesl::print(file_.program)}));
    if (!again) return {"its printed text does not parse: " + again.error().front().message};
    if (!(*again == file_.program)) return {"its printed text parses to another program"};
    return {};
  }
  void test(Row&, std::size_t) override {}
  std::string text() const override { return snesl::print(file_.program); }

 private:
  static Row planned_row() {
    Row row = props::stream::svcode_row("source", "semantics/snesl");
    row.language = "SNESL";
    row.well_formed = "prints and parses to itself";
    row.same = "";
    return row;
  }
  const StreamingFile& file_;
};

// What the others are compared with.
class CoreSubject : public props::Subject {
 public:
  CoreSubject(const Step& core, const Shared& shared, const props::stream::Toolchain& tools)
      : Subject(planned_row(core)), core_(core.program), shared_(shared), tools_(tools) {}

  void check(Row& row) override { row.ill_formed = core_.language().check(core_, {}); }
  // Against itself on the reals.
  void test(Row& row, std::size_t k) override {
    const Input& in = shared_.inputs[k];
    if (row.disagreement) return;
    const auto r = props::stream::on_reals(tools_, shared_.bound.program, in.values, in.files, in.expected);
    const props::Comparison& c = r.comparison;
    if (!c.agrees) row.disagreement = Disagreement{in.text, c.expected, c.found};
    row.undecided += r.undecided.has_value();
    row.compared += c.floats, row.wide += c.wide + c.unbounded;
    row.rounding.add(c.rounding);
  }
  std::string text() const override { return core_.language().print(core_); }

 private:
  static Row planned_row(const Step& core) {
    Row row = props::stream::svcode_row(core.name, core.cite);
    row.language = core.program.language().name;
    row.well_formed = "is well typed";
    row.reference = true;
    return row;
  }
  const AnyProgram& core_;
  const Shared& shared_;
  const props::stream::Toolchain& tools_;
};

// Chunks of every size, on one thread and on two, on copies of the input's files.
class EngineSubject : public props::Subject {
 public:
  EngineSubject(Shared& shared, const Runner& runner)
      : Subject(planned_row(runner)), shared_(shared), program_(shared.last()) {}

  void load(Row&) override { engine_ = load_engine(streaming::network_of(shared_.networks), {false, true, true}); }
  std::string text() const override {
    return engine::engine_apart(engine::engine_source(streaming::network_of(shared_.networks)));
  }
  void test(Row& row, std::size_t k) override {
    Input& in = shared_.inputs[k];
    bool ran = true;
    for (const std::int64_t chunk : engine_chunks)
      for (const int threads : {1, 2}) {
        const std::string how = ", chunk size " + (chunk ? std::to_string(chunk) : "as chosen") + ", " +
                                show_count(static_cast<std::size_t>(threads), "thread");
        const auto r = props::stream::attempted(row, in, how, [&] {
          return run_apart(*engine_, program_, in.values, in.files, in.expected.written, {chunk, threads});
        });
        if (!r) return;
        ran = ran && *r;
        if (*r) props::stream::compare(row, in, **r, how);
      }
    row.not_run += !ran;
  }
  void finish(Row& row) override {
    if (row.tested == 0 && row.not_run > 0) row.unavailable = "it writes files of names that no file can have";
  }

 private:
  static Row planned_row(const Runner& runner) {
    Row row = props::stream::target_row("engine", "SNESL §4.4");
    row.unavailable = runner.why_not();
    return row;
  }
  Shared& shared_;
  const svcode::Program& program_;
  std::optional<engine::Engine> engine_;
};

// Every chunk size in every order of the transducers that are ready.
props::stream::Chunks every_chunk(const Input&) {
  using Order = svcode::ChunkOptions::Order;
  props::stream::Chunks out;
  for (const std::int64_t chunk : verified_chunks)
    for (const Order order : {Order::Loop, Order::Reverse, Order::Random}) out.emplace_back(chunk, order);
  return out;
}

void draw(Shared& shared, const VerifyRequest& request, props::Tried& tried) {
  const BoundArguments& bound = shared.bound;
  const auto machine = std::make_shared<KeptFiles>(kept_machine_files());
  bool random = false;
  for (std::size_t k = 0; k < bound.random.size(); ++k) random = random || bound.drawn_anew(k);
  for (std::size_t k = 0; k < request.inputs; ++k) {
    std::uint64_t seed = request.seed * 1000003 + k;
    Input input = input_of(bound, seed, k, request.inputs, machine);
    // One in six keeps its trap; others are drawn again.
    for (int again = 0; again < 20 && random && k % 6 != 5 && !input.expected.value; ++again) {
      seed += 1000000;
      input = input_of(bound, seed, k, request.inputs, machine);
    }
    if (!input.expected.value && tried.trapped++ == 0) tried.first_trap = show(input.expected);
    tried.values += input.expected.value.has_value();
    tried.seeds.push_back(seed);
    tried.results.push_back(sha256(show(input.expected)));
    shared.inputs.push_back(std::move(input));
    // Where no file is made up, every other input would be the same.
    const Input& in = shared.inputs.back();
    const std::set<std::string> named = named_files(bound, in.values);
    const auto& read = in.files.all_read();
    tried.given = !random && !bound.random.empty() &&
                  std::all_of(read.begin(), read.end(), [&](const auto& f) { return named.contains(f.first); });
    if (tried.given) break;
  }
  tried.needed = props::values_needed(tried.seeds.size(), request.inputs, random);
  tried.help =
      "\n  help: give arguments on which the program gives a value, as in 'lockstep verify FILE n=4', or of a kind: " +
      props::names_of_kinds() + ", as in n=random:positive";
}

// No claim stands higher than what it rests on: that the analysis is sound is tested.
void conclude(const Shared& shared, props::Report& report) {
  const std::string elements =
      show_count(static_cast<std::size_t>(shared.trace.all_slack_of(shared.last())), "element");
  report.notes.push_back(
      "chunk sizes 1, 2, 3, 7, 64, 1000, each in order, in reverse and at random, the engine on one thread and two; "
      "slack "
      "of " +
      elements);
  report.notes.push_back(
      "cost: what was counted over 1 + the source's cost, the greatest of all inputs ≤ the c that SNESL's theorems "
      "(ch. 5) "
      "are held to");
  if (!report.agrees()) return;
  if (const Row& core = report.stages[1]; core.compared > 0)
    report.notes.push_back(fmt::format(
        "{} of results lie within the error that any order of their operations has, at worst at {:.2g} of "
        "it; {} have one that is wider than they are, {} undecided",
        show_count(core.compared, "Real"), core.rounding.share(), core.wide, show_count(core.undecided, "input")));
  const std::string sound = "the analysis of clocks and lags accepts nothing that deadlocks";
  report.claims.push_back({"the program", "runs at every chunk size from 1 on, with " + elements + " of slack",
                           Standing::Proved, "accepted by the analysis of clocks and lags"});
  report.claims.back().rests_on = {sound};
  report.claims.push_back({"the compiler", sound, Standing::Tested,
                           "random programs that it accepts run at small chunks: campaign --language snesl"});
}

}  // namespace

props::Report verify_streaming(const StreamingFile& file, const snesl::EntryPoint& entry, const VerifyRequest& request,
                               const props::Listener& listener, const props::stream::Toolchain& tools) {
  props::Case c;
  c.report.titles = {"instructions", "program", {"cost"}, false};
  BoundArguments bound = bind_arguments(file, entry, request.arguments, request.seed);
  streaming::SneslTrace trace = trace_of(file, entry, bound.program);
  Trace networks = network_trace(trace, tools.networks);
  Shared shared{file, std::move(bound), std::move(trace), std::move(networks)};
  draw(shared, request, c.report.inputs);
  c.inputs = shared.inputs.size();
  for (const Input& in : shared.inputs) c.gives_values.push_back(in.expected.value.has_value());
  c.stages.push_back(std::make_unique<SourceSubject>(file));
  c.stages.push_back(std::make_unique<CoreSubject>(shared.trace.steps[0], shared, tools));
  const auto& steps = shared.trace.steps;
  props::stream::StreamTests tests{tools, shared.trace,
                                   [&](const svcode::Program& p) { return shared.trace.slack_of(p); }, shared.inputs};
  tests.contained = props::stream::is_contained(shared.bound.program);
  for (std::size_t k = 1; k < steps.size(); ++k) c.stages.push_back(props::stream::svcode_subject(tests, k));
  for (std::size_t k = 1; k < shared.networks.steps.size(); ++k)
    c.stages.push_back(props::stream::network_subject(tests, shared.networks, k));
  const auto chunked = [&](std::size_t k) {
    c.targets.push_back(props::stream::chunked_subject(tests, k, "chunked, " + steps[k].name, every_chunk));
  };
  for (const std::string& target : request.targets) {
    if (target == "engine") {
      c.targets.push_back(std::make_unique<EngineSubject>(shared, streaming_runner(target)));
    } else {
      chunked(1);
      if (steps.size() > 2) chunked(steps.size() - 1);
    }
  }
  c.conclude = [&](props::Report& report) { conclude(shared, report); };
  c.texts = true;
  return props::verify(c, listener);
}

}  // namespace lockstep::driver

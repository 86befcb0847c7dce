// Runs of every stage and target beside the source.
#include "driver/snesl_verification.h"

#include "codegen/runtime/sha256.h"
#include "driver/snesl.h"
#include "driver/snesl_engine.h"
#include "props/dpia/draw.h"
#include "semantics/snesl/parse.h"
#include "semantics/svcode/text.h"
#include "translate/streamability/streamable.h"

namespace lockstep::driver {
namespace {

// One input: values, files, and what the source gives on it.
struct Input {
  snesl::Values values;
  KeptFiles files;
  StreamingResult expected;
  snesl::Cost cost;
  std::string text;
};

std::string characters_of(const snesl::Value& text) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) out += static_cast<char>(text[k].atom.integer);
  return out;
}

// Files that the user named are the machine's; the others are made up.
KeptFiles files_of(const BoundArguments& bound, const std::vector<snesl::Value>& values, std::uint64_t seed,
                   const std::shared_ptr<KeptFiles>& machine) {
  std::set<std::string> given;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (bound.random[k] || !is_text(bound.program.parameters[k].type)) continue;
    given.insert(characters_of(values[k]));
  }
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
    if (!bound.random[k] || !is_text(bound.program.parameters[k].type)) continue;
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
  Input in{drawn_again(bound, seed, longest), KeptFiles({}), {tl::unexpected(Trap{})}, {}, ""};
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

void relate(StreamingRow& row, const Input& in, const std::vector<props::stream::Measured>& all) {
  for (const props::stream::Measured& m : all) {
    const auto known =
        std::find_if(row.costs.begin(), row.costs.end(), [&](const Related& c) { return c.bound == m.bound; });
    if (known == row.costs.end())
      row.costs.push_back({m, in.text});
    else if (m.ratio() > known->ratio())
      *known = {m, in.text};
  }
}

void compare(StreamingRow& row, const Input& in, const StreamingResult& got, const std::string& how) {
  ++row.runs;
  if (row.disagreement || agree(got, in.expected)) return;
  row.disagreement = StreamingDisagreement{in.text + how, show(in.expected), show(got)};
}

StreamingRow source_row(const StreamingFile& file) {
  StreamingRow row{"source", "languages.md §2", "SNESL", "prints and parses to itself", {}};
  const auto again =
      snesl::parse_program(std::make_shared<const Source>(Source{"printed", snesl::print(file.program)}));
  if (!again)
    row.ill_formed = "its printed text does not parse: " + again.error().front().message;
  else if (!(*again == file.program))
    row.ill_formed = "its printed text parses to another program";
  return row;
}

StreamingRow core_row(const BoundArguments& bound) {
  StreamingRow row{"core", "SNESL §2.2.1, Fig. 2.1", "core", "well typed", {}};
  row.ill_formed = snesl::core::check(bound.program);
  return row;
}

StreamingRow svcode_row(const SvcodeStage& stage, std::vector<Input>& inputs, bool with_depth) {
  const Stopwatch watch;
  StreamingRow row{stage.name,
                   stage.cite,
                   "SVCODE",
                   "well typed, prints and parses to itself, accepted by the analysis of clocks and lags",
                   svcode::check(stage.program),
                   stage.program.instructions.size()};
  if (row.ill_formed.empty()) {
    const std::string text = svcode::print(stage.program);
    const auto again = svcode::parse(std::make_shared<const Source>(Source{"printed", text}));
    if (!again)
      row.ill_formed = "its text does not parse: " + again.error().front().message;
    else if (svcode::print(*again) != text)
      row.ill_formed = "its text parses to another program";
  }
  if (const auto slack = streaming::analyse(stage.program); row.ill_formed.empty() && !slack)
    row.ill_formed = "it does not stream, which the program before it does: " + slack.error().front().message;
  for (Input& in : inputs) {
    if (!row.ok()) break;
    const StreamingResult r = run_eagerly(stage.program, in.values, in.files);
    compare(row, in, r, "");
    ++row.tested;
    if (!r.value) continue;
    relate(row, in, props::stream::measured_eagerly(in.cost, r.counts, stage.program.instructions.size(), with_depth));
  }
  row.seconds = watch.seconds();
  return row;
}

// Every chunk size in every order of the transducers that are ready.
void run_chunks(StreamingRow& row, const svcode::Program& program, Input& in, std::uint64_t seed) {
  using Order = svcode::ChunkOptions::Order;
  svcode::ChunkOptions how;
  how.slack = slack_of(program);
  for (const std::int64_t chunk : verified_chunks)
    for (const auto& [order, name] : {std::pair{Order::Loop, "in order"}, std::pair{Order::Reverse, "in reverse"},
                                      std::pair{Order::Random, "at random"}}) {
      how.chunk = chunk;
      how.order = order;
      how.seed = seed;
      const StreamingResult r = run_in_chunks(program, in.values, in.files, how);
      compare(row, in, r, ", chunk size " + std::to_string(chunk) + ", transducers " + name);
      if (!r.value) continue;
      relate(row, in, props::stream::measured_in_chunks(in.cost, r.counts, chunk));
    }
}

StreamingRow chunked_row(const SvcodeStage& stage, std::vector<Input>& inputs,
                         const std::vector<std::uint64_t>& seeds) {
  const Stopwatch watch;
  StreamingRow row{"chunked, " + stage.name, "SNESL §5.3.1", "SVCODE", "", {}, stage.program.instructions.size()};
  Progress progress;
  for (std::size_t k = 0; k < inputs.size() && row.ok(); ++k) {
    progress.step(row.name, k, inputs.size());
    run_chunks(row, stage.program, inputs[k], seeds[k]);
    ++row.tested;
  }
  row.seconds = watch.seconds();
  return row;
}

// Chunks of every size, on one thread and on two, on copies of the input's files.
StreamingRow engine_row(const svcode::Program& program, std::vector<Input>& inputs) {
  const Stopwatch watch;
  StreamingRow row{"engine", "SNESL §4.4", "C++", "", {}};
  for (const Runner& t : streaming_targets())
    if (t.name == "engine") row.unavailable = t.unavailable;
  if (!row.unavailable.empty()) return row;
  const streaming::Engine engine = load_engine(program, {false, true, true});
  Progress progress;
  for (std::size_t k = 0; k < inputs.size() && row.ok(); ++k) {
    Input& in = inputs[k];
    progress.step(row.name, k, inputs.size());
    bool ran = true;
    for (const std::int64_t chunk : engine_chunks)
      for (const int threads : {1, 2}) {
        const auto r = run_apart(engine, program, in.values, in.files, in.expected.written, {chunk, threads});
        ran = ran && r;
        if (r)
          compare(row, in, *r,
                  ", chunk size " + (chunk ? std::to_string(chunk) : "as chosen") + ", " +
                      show_count(static_cast<std::size_t>(threads), "thread"));
      }
    ++(ran ? row.tested : row.not_run);
  }
  if (row.tested == 0) row.unavailable = "it writes files of names that no file can have";
  row.seconds = watch.seconds();
  return row;
}

}  // namespace

const Related* StreamingRow::cost_wrong() const {
  for (const Related& c : costs)
    if (!c.holds()) return &c;
  return nullptr;
}

bool StreamingReport::ran_everywhere() const {
  return std::all_of(targets.begin(), targets.end(), [](const StreamingRow& r) { return r.ran_everywhere(); });
}

bool StreamingReport::ok() const { return !first_wrong() && !not_tested(); }

std::optional<std::string> StreamingReport::not_tested() const {
  const std::size_t values = seeds.size() - trapped;
  if (values >= needed) return {};
  return "not tested: " + std::to_string(values) + " of " + std::to_string(seeds.size()) + " inputs gave values, " +
         std::to_string(needed) + " have to\n  the first that traps: " + first_trap +
         "\n  help: give arguments on which the program gives a value, as in 'lockstep verify FILE n=4'";
}

const StreamingRow* StreamingReport::first_wrong() const {
  for (const auto* rows : {&stages, &targets})
    for (const StreamingRow& r : *rows)
      if (!r.ok()) return &r;
  return nullptr;
}

StreamingReport verify_streaming(const StreamingFile& file, const BoundArguments& bound,
                                 const StreamingRequest& request) {
  StreamingReport out;
  std::vector<Input> inputs;
  const auto machine = std::make_shared<KeptFiles>(kept_machine_files());
  const bool random = std::find(bound.random.begin(), bound.random.end(), true) != bound.random.end();
  for (std::size_t k = 0; k < request.inputs; ++k) {
    std::uint64_t seed = request.seed * 1000003 + k;
    Input input = input_of(bound, seed, k, request.inputs, machine);
    // One in six keeps its trap; others are drawn again.
    for (int again = 0; again < 20 && random && k % 6 != 5 && !input.expected.value; ++again) {
      seed += 1000000;
      input = input_of(bound, seed, k, request.inputs, machine);
    }
    if (!input.expected.value && out.trapped++ == 0) out.first_trap = show(input.expected);
    out.seeds.push_back(seed);
    out.results.push_back(sha256(show(input.expected)));
    inputs.push_back(std::move(input));
  }
  out.needed = props::values_needed(out.seeds.size(), request.inputs, random);
  out.stages.push_back(source_row(file));
  out.stages.push_back(core_row(bound));
  const std::vector<SvcodeStage> stages = svcode_stages(bound.program);
  // The theorem about depth is one about the translation.
  const bool contained = props::stream::is_contained(bound.program);
  for (const SvcodeStage& s : stages) out.stages.push_back(svcode_row(s, inputs, contained && &s == &stages.front()));
  if (out.first_wrong()) return out;
  for (const std::int64_t s : slack_of(stages.back().program)) out.slack += s;
  for (const std::string& target : request.targets) {
    if (target == "engine") {
      out.targets.push_back(engine_row(stages.back().program, inputs));
    } else {
      out.targets.push_back(chunked_row(stages.front(), inputs, out.seeds));
      if (stages.size() > 1) out.targets.push_back(chunked_row(stages.back(), inputs, out.seeds));
    }
  }
  return out;
}

}  // namespace lockstep::driver

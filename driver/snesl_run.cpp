// lockstep run on .snesl: an entry point on arguments, its result as a literal or as files.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "codegen/runtime/npy.h"
#include "driver/snesl.h"
#include "driver/snesl_arguments.h"
#include "driver/snesl_engine.h"
#include "driver/snesl_leaves.h"

namespace lockstep::driver {
namespace {

struct Request {
  std::string target;
  std::int64_t chunk = 0;  // 0: the target's choice
  int threads = 0;
};

Request request_of(const Options& options) {
  Request r{options.target.empty() ? default_streaming_target() : streaming_target_named(options.target).name,
            options.chunk, options.threads};
  refuse_chunks(r.target, options);
  return r;
}

// In memory, what was written being kept until the program is through; the engine reads and writes by itself.
StreamingResult run_on(const Request& request, const BoundArguments& bound, const svcode::Program& program,
                       KeptFiles& files) {
  if (request.target == "interpreter") return evaluated(bound.program, bound.values, files);
  if (request.target == "eager") return run_eagerly(program, bound.values, files);
  if (request.target == "engine")
    return run_compiled(load_engine(program), program, bound.values, {request.chunk, request.threads});
  svcode::ChunkOptions how;
  how.chunk = request.chunk > 0 ? request.chunk : default_chunk;
  how.slack = slack_of(program);
  return run_in_chunks(program, bound.values, files, how);
}

bool gives(const BoundArguments& bound, const std::string& text) {
  return std::any_of(bound.values.begin(), bound.values.end(),
                     [&](const snesl::Value& v) { return v == snesl::text_value(text); });
}
bool writes(const svcode::Program& program) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const svcode::Instr& i) { return i.opcode == svcode::Opcode::WriteFile; });
}

// The source's result, before the target has written anything.
StreamingResult reference(const Request& request, const BoundArguments& bound, KeptFiles& files) {
  const auto refuse = [](const std::string& name) {
    fail(invalid, "--compare on the engine takes no file " + name + ": it is read and written twice",
         "name a file, or compare on --target chunked");
  };
  const bool engine = request.target == "engine";
  if (engine && gives(bound, "-")) refuse("-");
  StreamingResult r = evaluated(bound.program, bound.values, files);
  for (const auto& [name, content] : r.written)
    if (engine && snesl::is_stream(name)) refuse(name);
  return r;
}

// What was written goes to its places once the program is through.
void write_files(const StreamingResult& r) {
  const auto files = snesl::machine_files();
  for (const auto& [name, content] : r.written) files->write(name, content, {});
  files->finish();
}

void write_leaves(const std::string& output, const snesl::Value& value, const snesl::Type& type) {
  const std::vector<ValueLeaf> leaves = leaves_of(value, type);
  if (leaves.empty())
    std::fputs("lockstep: a result of nothing but () has no values: --output writes no file\n", stderr);
  const bool npy = output.ends_with(".npy");
  const std::string stem = npy ? output.substr(0, output.size() - 4) : output;
  std::vector<NpyOutput> files;
  for (std::size_t k = 0; k < leaves.size(); ++k)
    files.push_back({leaves.size() == 1 ? output : stem + "." + std::to_string(k) + (npy ? ".npy" : ""), leaves[k].type,
                     leaves[k].shape, leaves[k].bytes.data()});
  if (const auto written = write_npys(files); !written) fail(machine, written.error());
}

void refuse_difference(const Options& options, const std::string& target, const StreamingResult& got,
                       const StreamingResult& expected) {
  if (agree(got, expected)) return;
  const std::string both = "\n  interpreter: " + show(expected) + "\n  target:      " + show(got);
  const std::string what =
      got.value.has_value() != expected.value.has_value() ? "only one of them traps" : "results differ";
  if (options.json)
    print(Json{{"ok", false}, {"target", target}, {"compare", {{"agrees", false}, {"what", what + both}}}});
  throw Failure{disagrees, target + " and the interpreter disagree: " + what + both, {}, true};
}

}  // namespace

int snesl_run(const Options& options) {
  const ProgramName name = program_name(options.program);
  const StreamingFile file = load_streaming(name.file);
  const Request request = request_of(options);
  const BoundArguments bound = bind_arguments(file, entry_point(file, name), options.arguments);
  const std::vector<SvcodeStage> stages = svcode_stages(bound.program);
  slack_of(stages.front().program);  // at these types too
  KeptFiles files = kept_machine_files();
  const svcode::Program& program = simplest(stages);
  std::optional<StreamingResult> expected;
  if (options.compare) expected = reference(request, bound, files);
  const Stopwatch watch;
  StreamingResult result = run_on(request, bound, program, files);
  const double seconds = watch.seconds();
  if (expected && request.target == "engine" && result.value) result.written = contents_of(expected->written);
  if (expected) refuse_difference(options, request.target, result, *expected);
  if (!result.deadlock.empty())
    throw Bug("a program that was accepted cannot go on at chunk size " + std::to_string(request.chunk) + ": " +
              result.deadlock);
  if (!result.value) fail(result.value.error());
  if (request.target != "engine") write_files(result);
  if (!options.output.empty()) write_leaves(options.output, *result.value, bound.program.body->type);
  const std::string literal = options.output.empty() ? snesl::show(*result.value, bound.program.body->type) : "";
  if (options.json) {
    Json j{{"ok", true}, {"function", bound.program.name}, {"target", request.target}, {"seconds", seconds}};
    if (request.chunk > 0) j["chunk"] = request.chunk;
    if (options.output.empty())
      j["result"] = literal;
    else
      j["output"] = options.output;
    if (options.compare) j["compare"] = {{"agrees", true}, {"what", "bit for bit"}};
    print(j);
    return done;
  }
  // What the program itself wrote on standard output is not followed by the () of its result.
  const bool on_standard_output = writes(program) && (gives(bound, "-") || gives(bound, "/dev/stdout"));
  if (options.output.empty() && !(on_standard_output && literal == "()")) print(literal + "\n");
  if (options.compare)
    std::fputs(("lockstep: " + request.target + " agrees with the interpreter, bit for bit\n").c_str(), stderr);
  return done;
}

}  // namespace lockstep::driver

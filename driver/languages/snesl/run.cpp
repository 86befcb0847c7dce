// An entry point of .snesl on arguments: on an interpreter, or on the engine.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "codegen/runtime/memory.h"
#include "driver/languages/snesl/arguments.h"
#include "driver/languages/snesl/drawn.h"
#include "driver/languages/snesl/engine.h"
#include "driver/languages/snesl/engine_leaves.h"
#include "driver/languages/snesl/leaves.h"
#include "driver/languages/snesl/needs.h"
#include "driver/languages/snesl/snesl.h"
#include "props/snesl/results.h"
#include "semantics/svcode/instruction.h"

namespace lockstep::driver {
namespace {

std::size_t bytes_of(const snesl::Value& v) {
  if (v.kind == snesl::Value::Kind::Atom)
    return v.atom.type == snesl::Prim::Int || v.atom.type == snesl::Prim::Real ? 8 : 1;
  std::size_t n = 0;
  for (std::size_t k = 0; k < v.size(); ++k) n += bytes_of(v[k]);
  return n;
}

// Of a value's leaves those that are elements, with what they are elements of.
void data_leaves(const snesl::Type& type, std::size_t first, std::vector<std::pair<std::size_t, snesl::Prim>>& out) {
  if (const auto* p = snesl::as<snesl::Prim>(type)) return out.emplace_back(first, *p), void();
  if (const auto* tuple = snesl::as<snesl::TupleType>(type)) {
    for (const snesl::Type& item : tuple->items)
      data_leaves(item, first, out), first += svcode::input_leaves(item).size();
    return;
  }
  data_leaves(*element_of(type), first, out);
}
std::size_t data_of(const std::vector<engine::EngineLeaf>& leaves, const snesl::Type& type) {
  std::vector<std::pair<std::size_t, snesl::Prim>> data;
  data_leaves(type, 0, data);
  std::size_t n = 0;
  for (const auto& [k, prim] : data)
    n += static_cast<std::size_t>(leaves.at(k).length) * std::max<std::size_t>(engine::engine_width(prim), 1);
  return n;
}

// Of the files that the arguments name, those that are regular: what the engine reads and writes.
std::size_t bytes_named(const snesl::Values& values) {
  std::size_t n = 0;
  for (const snesl::Value& v : values) {
    std::string name;
    for (std::size_t k = 0;
         k < v.size() && v[k].kind == snesl::Value::Kind::Atom && v[k].atom.type == snesl::Prim::Char; ++k)
      name += static_cast<char>(v[k].atom.integer);
    std::error_code none;
    if (!name.empty() && std::filesystem::is_regular_file(name, none)) n += std::filesystem::file_size(name, none);
  }
  return n;
}

bool gives(const BoundArguments& bound, const std::string& text) {
  return std::any_of(bound.values.begin(), bound.values.end(),
                     [&](const snesl::Value& v) { return v == snesl::text_value(text); });
}
bool writes(const svcode::Program& program) {
  return std::any_of(program.instructions.begin(), program.instructions.end(),
                     [](const svcode::Instr& i) { return i.opcode == svcode::Opcode::WriteFile; });
}

// What was written goes to its places once the program is through.
void write_files(const StreamingResult& r) {
  const auto files = snesl::machine_files();
  for (const auto& [name, content] : r.written) files->write(name, content, {});
  files->finish();
}

// --chunk and --threads say something to some.
std::string fit_for(std::string target, const Options& options) {
  if (options.chunk > 0 && target != "chunked" && target != "engine")
    fail(invalid, "--chunk is for the targets chunked and engine, not for " + target);
  if (options.threads > 0 && target != "engine") fail(invalid, "--threads is for the target engine, not for " + target);
  return target;
}

class StreamingExecution : public Execution {
 public:
  StreamingExecution(const StreamingFile& file, const snesl::EntryPoint& entry, std::string target,
                     const Options& options, bool bench)
      : target_(fit_for(std::move(target), options)),
        chunk_(options.chunk),
        threads_(options.threads),
        bound_(target_ == "engine" && !options.compare
                   ? bind_for_engine(file, entry, options.arguments, filled(bench))
                   : bind_arguments(file, entry, options.arguments, filled(bench))) {
    refuse_large(entry.name, options);
    const streaming::SneslTrace trace = trace_of(file, entry, bound_.program);
    program_ = trace.last_streaming();
    how_.chunk = chunk_ > 0 ? chunk_ : default_chunk;
    how_.slack = *trace.slack_of(program_);
    // The source's result comes before the target has written anything.
    if (options.compare) expected_ = reference();
    if (target_ == "engine") {
      const Trace networks = network_trace(trace);
      const transducer::Program& network = streaming::network_of(networks);
      one_thread_ = !network.pieces;
      if (one_thread_ && threads_ > 1)
        std::fputs(("lockstep: " + entry.name +
                    " runs on one thread: it goes through no one sequence whose pieces could "
                    "be given to " +
                    std::to_string(threads_) + "\n")
                       .c_str(),
                   stderr);
      engine_ = load_engine(network, {true, true, false});
    }
    if (bench) draw(size_among(options.sizes));
  }

  // In memory, what was written being kept until the program is through; the engine reads and writes by itself.
  std::optional<Trap> run() override {
    if (engine_) return run_engine(nullptr);
    result_ = on_target();
    if (!result_->deadlock.empty())
      throw Bug("a program that was accepted cannot go on at chunk size " + std::to_string(how_.chunk) + ": " +
                result_->deadlock);
    if (!result_->value) return result_->value.error();
    return {};
  }
  // What the program itself writes on standard output comes before its result.
  bool prints() const override { return engine_ && !is_silent(); }
  std::optional<Trap> run_printing() override {
    ResultPrinter printer(program_);
    const std::optional<Trap> trap = run_engine(&printer);
    if (!trap) printer.finish();
    return trap;
  }
  Comparison compare() override {
    if (engine_ && ran_) result_ = StreamingResult{value()};
    if (engine_ && !ran_) result_ = StreamingResult{tl::unexpected(*trap_)};
    if (engine_ && result_->value) result_->written = contents_of_files(expected_->written);
    if (agree(*result_, *expected_)) return {true, "bit for bit"};
    const bool one = result_->value.has_value() != expected_->value.has_value();
    return {false, (one ? "only one of them traps" : "results differ") + std::string("\n  interpreter: ") +
                       show(*expected_) + "\n  target:      " + show(*result_)};
  }
  void finish() override {
    if (!engine_) write_files(*result_);
  }
  std::string literal() const override { return snesl::show(value(), type()); }
  std::vector<NpyOutput> arrays() const override {
    if (ran_)
      if (auto direct = arrays_of(program_, *ran_, lengths_)) return std::move(*direct);
    leaves_ = leaves_of(value(), type());
    std::vector<NpyOutput> out;
    for (const ValueLeaf& leaf : leaves_) out.push_back({"", leaf.type, leaf.shape, leaf.bytes.data()});
    return out;
  }
  // What the program itself wrote on standard output is not followed by the () of its result.
  bool silent() const override { return is_silent() && literal() == "()"; }
  std::uint64_t bytes() const override {
    std::size_t bytes = engine_ ? bytes_named(bound_.values) : files_.bytes_read() + bytes_of(*result_->value);
    for (const snesl::Value& v : bound_.values) bytes += bytes_of(v);
    for (const auto& [k, leaves] : bound_.leaves) bytes += data_of(leaves, parameter(k));
    if (!engine_)
      for (const auto& [path, content] : result_->written) bytes += content.size();
    if (ran_) bytes += data_of(ran_->leaves, type());
    return bytes;
  }
  std::optional<double> work() const override {
    return cost_ ? std::optional(static_cast<double>(cost_->work)) : std::nullopt;
  }
  std::string bytes_text() const override { return std::to_string(bytes()) + " bytes of arguments, files and results"; }
  std::string at() const override { return drawn_ ? drawn_->text() : ""; }
  Json where() const override {
    Json out = Json::object();
    if (drawn_ && !drawn_->json().empty()) out["drawn"] = drawn_->json();
    if (chunk_ > 0) out["chunk"] = chunk_;
    if (engine_ && (one_thread_ || threads_ > 0)) out["threads"] = one_thread_ ? 1 : threads_;
    return out;
  }

 private:
  // The interpreters by value and by stream are refused when they ask.
  void refuse_large(const std::string& name, const Options& options) const {
    if (target_ != "engine" && target_ != "chunked") return;
    const bool kept = target_ == "chunked" || options.json || options.compare || !options.output.empty();
    const auto there = check_memory(bytes_needed(bound_.program, bound_.values, kept), "what " + name + " keeps");
    if (!there) fail(machine, there.error());
  }
  static std::optional<std::uint64_t> filled(bool bench) {
    return bench ? std::optional<std::uint64_t>(1) : std::nullopt;
  }
  // Of bench: what is not given, and the data of all as the engine takes it.
  void draw(const std::optional<std::int64_t>& size) {
    drawn_.emplace(bound_, program_);
    take(drawn_->choose(size, [this](const snesl::Values& values) { return tried(values); }));
  }
  void take(const snesl::Values& values) {
    bound_.values = values;
    files_ = kept_machine_files();
    inputs_.reset();
    if (engine_) inputs_ = engine_inputs();
  }
  TriedSize tried(const snesl::Values& values) {
    using enum TriedSize::Became;
    if (static_cast<double>(bytes_needed(bound_.program, values, true)) > most_bytes) return {TooLarge};
    take(values);
    most_memory_ = static_cast<std::int64_t>(most_bytes);
    lacks_memory_ = false;
    const Stopwatch watch;
    const std::optional<Trap> trap = run();
    most_memory_ = 0;
    if (lacks_memory_) return {TooLarge};
    return trap ? TriedSize{Trapped} : TriedSize{Ran, watch.seconds()};
  }
  const snesl::Type& type() const { return bound_.program.body->type; }
  const snesl::Type& parameter(std::size_t k) const { return bound_.program.parameters[k].type; }
  snesl::Value value() const { return ran_ ? svcode::value_of(ran_->result(), program_.result_type) : *result_->value; }
  bool is_silent() const { return writes(program_) && (gives(bound_, "-") || gives(bound_, "/dev/stdout")); }
  std::optional<Trap> run_engine(engine::EngineTaker* taker) {
    engine::EngineOptions how{chunk_, threads_};
    how.taker = taker;
    how.memory = most_memory_;
    ran_.reset();
    trap_.reset();
    auto run = engine_->run(inputs_ ? *inputs_ : engine_inputs(), how);
    if (run) {
      ran_ = std::move(*run);
    } else if (const auto* trap = std::get_if<Trap>(&run.error())) {
      trap_ = *trap;
    } else {
      const auto& failure = std::get<engine::EngineFailure>(run.error());
      lacks_memory_ = most_memory_ > 0 && failure.bytes > 0;
      if (!lacks_memory_) fail(machine, failure.message);
    }
    return trap_;
  }
  std::vector<engine::EngineLeaf> engine_inputs() const {
    std::vector<engine::EngineLeaf> out;
    for (std::size_t k = 0; k < bound_.values.size(); ++k) {
      const auto direct = bound_.leaves.find(k);
      if (direct != bound_.leaves.end())
        out.insert(out.end(), direct->second.begin(), direct->second.end());
      else
        for (engine::EngineLeaf& leaf : engine::engine_leaves({bound_.values[k]}, program_.parameters[k]))
          out.push_back(std::move(leaf));
    }
    return out;
  }
  StreamingResult on_target() {
    if (target_ == "interpreter") return evaluated(bound_.program, bound_.values, files_, &cost_.emplace());
    if (target_ == "eager") return run_eagerly(program_, bound_.values, files_);
    return run_in_chunks(program_, bound_.values, files_, how_);
  }
  StreamingResult reference() {
    const auto refuse = [](const std::string& name) {
      fail(invalid, "--compare on the engine takes no file " + name + ": it is read and written twice",
           "name a file, or compare on --target chunked");
    };
    const bool engine = target_ == "engine";
    if (engine && gives(bound_, "-")) refuse("-");
    StreamingResult r = evaluated(bound_.program, bound_.values, files_);
    for (const auto& [name, content] : r.written)
      if (engine && snesl::is_stream(name)) refuse(name);
    return r;
  }

  const std::string target_;
  const std::int64_t chunk_;  // 0: the target's choice
  const int threads_;
  bool one_thread_ = true;
  BoundArguments bound_;
  svcode::Program program_;
  svcode::ChunkOptions how_;
  KeptFiles files_ = kept_machine_files();
  std::optional<DrawnArguments> drawn_;                    // of bench
  std::optional<std::vector<engine::EngineLeaf>> inputs_;  // of bench, made once
  std::int64_t most_memory_ = 0;  // bytes, of a run that looks whether a size is too large; 0: what there is
  bool lacks_memory_ = false;
  std::optional<StreamingResult> expected_, result_;
  std::optional<snesl::Cost> cost_;  // of the source, on the interpreter, which counts it
  std::optional<engine::Engine> engine_;
  std::optional<engine::EngineRun> ran_;
  std::optional<Trap> trap_;
  mutable std::vector<ValueLeaf> leaves_;
  mutable std::vector<std::vector<std::int64_t>> lengths_;
};

}  // namespace

std::unique_ptr<Execution> execution_of(const StreamingFile& file, const snesl::EntryPoint& entry,
                                        const std::string& target, const Options& options, bool bench) {
  return std::make_unique<StreamingExecution>(file, entry, target, options, bench);
}

}  // namespace lockstep::driver

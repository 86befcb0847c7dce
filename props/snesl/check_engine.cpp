// The simplified program as the engine runs it, against the big-step semantics.
#include "props/snesl/check_engine.h"

#include <numeric>

#include "codegen/streaming/engine.h"
#include "props/snesl/inputs.h"
#include "props/snesl/results.h"
#include "semantics/svcode/text.h"
#include "translate/snesl/pipeline.h"

namespace lockstep::props::stream {
namespace {

using svcode::Opcode;

bool uses_files(const svcode::Program& p) {
  for (const svcode::Instr& i : p.instructions)
    if (i.opcode == Opcode::ReadFile || i.opcode == Opcode::ReadWhole || i.opcode == Opcode::WriteFile) return true;
  return false;
}

struct Ready {
  std::size_t number;  // in the batch
  snesl::core::Program core;
  svcode::Program streams;
  std::int64_t slack;
  bool seldom;  // has vectors that are seldom asked
};

std::optional<Ready> ready(std::size_t number, const GeneratedProgram& g, const Toolchain& tools) {
  auto core = tools.elaborate(g.program, g.types);
  if (!core) return std::nullopt;  // check_program says so
  const auto streams = [&](const svcode::Program& q) { return tools.analyse(q).has_value(); };
  AnyProgram p = lockstep::streaming::core_step(*core).program;
  for (const Stage& s : tools.stages(streams)) {
    const bool first = p.as_if<snesl::core::Program>() != nullptr;
    p = s.run(p, nullptr);
    if (first && (!streams(p.as<svcode::Program>()) || uses_files(p.as<svcode::Program>()))) return std::nullopt;
  }
  const auto slack = tools.analyse(p.as<svcode::Program>());
  if (!slack) return std::nullopt;
  return Ready{number, std::move(*core), p.as<svcode::Program>(),
               std::accumulate(slack->begin(), slack->end(), std::int64_t{0}), g.seldom.has_value()};
}

// Bytes that the engine may take: a constant for each instruction's window, and one for what space is said to cost. Far
// from exact, but no vector stays for each that passes.
std::int64_t allowed(const Ready& r, std::int64_t chunk, const snesl::Cost& cost, const snesl::Values& arguments,
                     const snesl::Value& result) {
  std::int64_t elements = snesl::parallel_size(result);
  for (const snesl::Value& v : arguments) elements += snesl::parallel_size(v);
  return 64 * static_cast<std::int64_t>(r.streams.instructions.size()) * (chunk + r.slack + 2) +
         256 * (1 + cost.scalable + cost.vectorial) + 64 * elements + 32'768;
}

std::optional<Finding> run_on_inputs(const Ready& r, std::uint64_t seed, const lockstep::engine::Engine& engine,
                                     const Toolchain& tools, EngineCounts& counts) {
  for (const RandomInput& drawn : random_inputs(r.core, seed, 3, tools, r.seldom)) {
    const snesl::Values& arguments = drawn.values;
    std::vector<svcode::Stream> inputs;
    std::string shown;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      const snesl::core::Parameter& p = r.core.parameters[k];
      shown += (shown.empty() ? "" : " ") + p.name + "=" + snesl::show(arguments[k]);
      for (svcode::Stream& s : svcode::represent({arguments[k]}, p.type)) inputs.push_back(std::move(s));
    }
    KeptFiles none(
        [](const std::string&, const Region&) -> std::string { throw Bug("a program without files reads one"); });
    snesl::Cost cost;
    const StreamingResult source = evaluated(tools, r.core, arguments, none, &cost);
    for (const std::int64_t chunk : {1, 7, 256}) {
      for (const int threads : {1, 2}) {
        ++counts.runs;
        const std::string how = "chunk " + std::to_string(chunk) + ", threads " + std::to_string(threads);
        const auto wrong = [&](const std::string& found) {
          return Finding{"result", "engine", shown,
                         how + "\nexpected " + show(source) + "\nfound    " + found + "\n" + svcode::print(r.streams)};
        };
        lockstep::engine::EngineOptions options{chunk, threads};
        if (threads == 1 && source.value) options.memory = allowed(r, chunk, cost, arguments, *source.value);
        const auto run = engine.run(inputs, options);
        if (!run) {
          if (const auto* failure = std::get_if<lockstep::engine::EngineFailure>(&run.error()))
            return Finding{failure->bytes > 0 ? "space" : "machine", "engine", shown, how + ": " + failure->message};
          const StreamingResult found{tl::unexpected(std::get<Trap>(run.error()))};
          if (!agree(found, source)) return wrong(show(found));
          continue;
        }
        const StreamingResult found{svcode::value_of(run->result(), r.streams.result_type)};
        if (!agree(found, source)) return wrong(show(found));
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::optional<Finding>> check_engine(const std::vector<EngineSubject>& batch, const Toolchain& tools,
                                                 EngineCounts& counts) {
  std::vector<std::optional<Finding>> out(batch.size());
  std::vector<Ready> all;
  std::vector<transducer::Program> programs;
  for (std::size_t k = 0; k < batch.size(); ++k) {
    auto r = ready(k, batch[k].program, tools);
    if (!r) {
      ++counts.skipped;
      continue;
    }
    AnyProgram p(svcode::languages().svcode, r->streams);
    for (const Stage& s : tools.networks(r->slack)) p = s.run(p, nullptr);
    programs.push_back(p.as<transducer::Program>());
    all.push_back(std::move(*r));
  }
  if (all.empty()) return out;
  // A batch of a campaign does not come again; one program does, as it is made smaller.
  const lockstep::engine::Engine::Effort effort{.optimise = false, .keep = batch.size() == 1};
  const auto engines = lockstep::engine::Engine::load_all(programs, effort, tools.engine_text);
  if (!engines) {
    for (const Ready& r : all) out[r.number] = Finding{"compiles", "engine", "", engines.error().message};
    return out;
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    ++counts.programs;
    const std::size_t n = all[k].number;
    try {
      out[n] = run_on_inputs(all[k], batch[n].seed, (*engines)[k], tools, counts);
    } catch (const std::exception& e) {
      out[n] = Finding{"no bug", "engine", "", e.what()};
    }
  }
  return out;
}

}  // namespace lockstep::props::stream

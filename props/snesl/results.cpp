// Runs of the programs of a .snesl pipeline.
#include "props/snesl/results.h"

namespace lockstep::props::stream {
namespace {

std::string shortened(const std::string& text) {
  constexpr std::size_t most = 300;
  return text.size() <= most ? text : text.substr(0, most) + "…";
}

StreamingResult of_streams(const svcode::Program& program, const tl::expected<svcode::Run, Trap>& run,
                           KeptFiles& files) {
  const std::size_t writes = files.writes();
  StreamingResult out{tl::unexpected(Trap{}), files.take_written(), {}, writes, {}};
  if (!run) {
    out.value = tl::unexpected(run.error());
    return out;
  }
  out.value = svcode::value_of(run->result, program.result_type);
  out.counts = run->counts;
  return out;
}

}  // namespace

bool agree(const StreamingResult& a, const StreamingResult& b) {
  if (!a.deadlock.empty() || !b.deadlock.empty() || a.value.has_value() != b.value.has_value()) return false;
  if (!a.value) return true;
  // A file that is written twice has the same content as one that is written once.
  const bool as_often = !a.writes || !b.writes || *a.writes == *b.writes;
  return as_often && *a.value == *b.value && a.written == b.written;
}

std::string show(const StreamingResult& r) {
  if (!r.deadlock.empty()) return "a deadlock: " + r.deadlock;
  if (!r.value) return "the trap " + r.value.error().primitive + ": " + r.value.error().message;
  std::string out = shortened(snesl::show(*r.value));
  for (const auto& [name, content] : r.written)
    out += ", and in " + name + " " + shortened(snesl::show(snesl::text_value(content)));
  if (r.writes.value_or(0) > r.written.size()) out += " (" + std::to_string(*r.writes) + " writes)";
  return out;
}

std::vector<svcode::Stream> inputs_of(const svcode::Program& program, const snesl::Values& values) {
  std::vector<svcode::Stream> out;
  for (std::size_t k = 0; k < values.size(); ++k)
    for (svcode::Stream& s : svcode::represent({values[k]}, program.parameters[k])) out.push_back(std::move(s));
  return out;
}

StreamingResult evaluated(const Toolchain& tools, const snesl::core::Program& core, const snesl::Values& values,
                          KeptFiles& files, snesl::Cost* cost) {
  const auto r = tools.core.evaluate(core, values, files, ieee_domain());
  const std::size_t writes = files.writes();
  StreamingResult out{tl::unexpected(Trap{}), files.take_written(), {}, writes, {}};
  if (r)
    out.value = r->value;
  else
    out.value = tl::unexpected(r.error());
  if (r && cost) *cost = r->cost;
  return out;
}

StreamingResult run_eagerly(const Toolchain& tools, const svcode::Program& program, const snesl::Values& values,
                            KeptFiles& files) {
  return of_streams(program, tools.svcode.eager(program, inputs_of(program, values), files), files);
}

StreamingResult run_in_chunks(const Toolchain& tools, const svcode::Program& program, const snesl::Values& values,
                              KeptFiles& files, const svcode::ChunkOptions& options) {
  const auto r = tools.svcode.chunked(program, inputs_of(program, values), files, options);
  if (!r) return of_streams(program, tl::unexpected(r.error()), files);
  if (!r->deadlock) return of_streams(program, r->run, files);
  StreamingResult out{tl::unexpected(Trap{}), files.take_written(), r->run.counts, {}, r->deadlock->report};
  if (out.deadlock.empty()) out.deadlock = "no transducer can go on";
  return out;
}

StreamingResult run_network(const transducer::Program& program, const snesl::Values& values, KeptFiles& files,
                            const transducer::RunOptions& options) {
  const svcode::Program& code = *program.whole.code;
  const auto& run = transducer::transducer_language()->run;
  return of_streams(code, run(program, inputs_of(code, values), files, options), files);
}

namespace {
const Toolchain& standard() {
  static const Toolchain tools = Toolchain::standard();
  return tools;
}
}  // namespace

StreamingResult evaluated(const snesl::core::Program& core, const snesl::Values& values, KeptFiles& files,
                          snesl::Cost* cost) {
  return evaluated(standard(), core, values, files, cost);
}
StreamingResult run_eagerly(const svcode::Program& program, const snesl::Values& values, KeptFiles& files) {
  return run_eagerly(standard(), program, values, files);
}
StreamingResult run_in_chunks(const svcode::Program& program, const snesl::Values& values, KeptFiles& files,
                              const svcode::ChunkOptions& options) {
  return run_in_chunks(standard(), program, values, files, options);
}

}  // namespace lockstep::props::stream

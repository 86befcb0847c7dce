// Runs of the programs of a .snesl pipeline.
#include "driver/languages/snesl/results.h"

#include "driver/report.h"

namespace lockstep::driver {
namespace {

StreamingResult of_streams(const svcode::Program& program, const tl::expected<svcode::Run, Trap>& run,
                           KeptFiles& files) {
  StreamingResult out{tl::unexpected(Trap{}), files.take_written(), {}, {}};
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
  return !a.value || (*a.value == *b.value && a.written == b.written);
}

std::string show(const StreamingResult& r) {
  if (!r.deadlock.empty()) return "a deadlock: " + r.deadlock;
  if (!r.value) return "the trap " + r.value.error().primitive + ": " + r.value.error().message;
  std::string out = shortened(snesl::show(*r.value), 300);
  for (const auto& [name, content] : r.written)
    out += ", and in " + name + " " + shortened(snesl::show(snesl::text_value(content)), 300);
  return out;
}

std::vector<svcode::Stream> inputs_of(const svcode::Program& program, const snesl::Values& values) {
  std::vector<svcode::Stream> out;
  for (std::size_t k = 0; k < values.size(); ++k)
    for (svcode::Stream& s : svcode::represent({values[k]}, program.parameters[k])) out.push_back(std::move(s));
  return out;
}

StreamingResult evaluated(const snesl::core::Program& core, const snesl::Values& values, KeptFiles& files,
                          snesl::Cost* cost) {
  const auto r = snesl::evaluate(core, values, files);
  StreamingResult out{tl::unexpected(Trap{}), files.take_written(), {}, {}};
  if (r)
    out.value = r->value;
  else
    out.value = tl::unexpected(r.error());
  if (r && cost) *cost = r->cost;
  return out;
}

StreamingResult run_eagerly(const svcode::Program& program, const snesl::Values& values, KeptFiles& files) {
  return of_streams(program, svcode::run_eager(program, inputs_of(program, values), files), files);
}

StreamingResult run_in_chunks(const svcode::Program& program, const snesl::Values& values, KeptFiles& files,
                              const svcode::ChunkOptions& options) {
  const auto r = svcode::run_chunked(program, inputs_of(program, values), files, options);
  if (!r) return of_streams(program, tl::unexpected(r.error()), files);
  if (!r->deadlock) return of_streams(program, r->run, files);
  StreamingResult out{tl::unexpected(Trap{}), files.take_written(), r->run.counts, r->deadlock->report};
  if (out.deadlock.empty()) out.deadlock = "no transducer can go on";
  return out;
}

}  // namespace lockstep::driver

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

// Without the system's word for why a file cannot be read: the engine is given copies in another folder. Of what can be
// read but once the second reading traps, whichever comes second.
Trap without_reason(Trap t) {
  if (t.primitive != "read_file") return t;
  if (t.message.ends_with(" is read twice")) t.region = {};
  if (const std::size_t reason = t.message.rfind("': "); reason != std::string::npos) t.message.resize(reason + 1);
  return t;
}
bool is_among(const std::vector<Trap>& traps, const Trap& found) {
  return std::any_of(traps.begin(), traps.end(),
                     [&](const Trap& t) { return same_trap(without_reason(t), without_reason(found)); });
}
std::string text_of(const Trap& t) {
  return "the trap " + t.primitive + ": " + t.message + (t.region.source ? ", at " + show_position(t.region) : "");
}

}  // namespace

bool agree(const StreamingResult& found, const StreamingResult& expected) {
  if (!found.deadlock.empty() || !expected.deadlock.empty() || found.value.has_value() != expected.value.has_value())
    return false;
  if (!found.value) {
    const Trap& trap = found.value.error();
    return is_expected(trap, expected) ||
           (expected.may.lengths && is_among(expected.may.places, {trap.primitive, "", trap.region}));
  }
  // A file that is written twice has the same content as one that is written once.
  const bool as_often = !found.writes || !expected.writes || *found.writes == *expected.writes;
  return as_often && *found.value == *expected.value && found.written == expected.written;
}

bool is_expected(const Trap& found, const StreamingResult& expected) { return is_among(expected.may.traps, found); }

bool same_outcome(const StreamingResult& a, const StreamingResult& b) {
  if (!a.value || !b.value) return a.value.has_value() == b.value.has_value();
  return *a.value == *b.value && a.written == b.written;
}

std::string show(const StreamingResult& r) {
  if (!r.deadlock.empty()) return "a deadlock: " + r.deadlock;
  if (!r.value) {
    std::string out = text_of(r.value.error());
    for (const Trap& t : r.may.traps)
      if (!same_trap(t, r.value.error())) out += ", or " + text_of(t);
    return out;
  }
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
  if (r) {
    out.value = r->value;
  } else {
    out.value = tl::unexpected(r.error());
    out.may = snesl::traps_of(core, values, files);
    files.take_written();  // it has run again
  }
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

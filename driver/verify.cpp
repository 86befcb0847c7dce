// lockstep verify: the table of all checks, a row a stage, and the certificate; and a certificate repeated.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "codegen/runtime/sha256.h"
#include "driver/arguments.h"
#include "driver/certificate.h"
#include "driver/commands.h"
#include "driver/prove_file.h"
#include "props/campaign.h"

namespace lockstep::driver {
namespace {

using props::StageVerdict;
using props::TargetVerdict;
using props::VerifyReport;

Cell types_cell(const StageVerdict& s) {
  switch (s.types) {
    case StageVerdict::Types::NotApplicable:
      return {"inferred", Tone::Faint};
    case StageVerdict::Types::Checked:
      return {s.language == StageVerdict::Language::Kernel ? "✓ kernel" : "✓ Fig. 3", Tone::Good};
    case StageVerdict::Types::Wrong:
      return {"✗ wrong", Tone::Bad};
  }
  return "";
}

Cell meaning_cell(const StageVerdict& s, bool source, std::size_t inputs) {
  if (inputs == 0) return {"not tested", Tone::Bad};
  if (source) return {show_count(s.tested, "input"), Tone::Faint};
  if (s.disagreement) return {"✗ differs", Tone::Bad};
  if (s.tested == 0) return {"not tested", Tone::Bad};
  const std::string also = s.reassociated > 0 ? ", " + std::to_string(s.reassociated) + " reassociated" : "";
  return {"✓ " + show_count(s.tested, "input") + ", " + show_count(s.runs, "run") + also, Tone::Good};
}

// A cost is shown where it is not the one above it.
Cell cost_cell(const Size& now, const Size* before) {
  if (before && *before == now) return {"=", Tone::Faint};
  return shortened(lockstep::show(now), 26);
}

std::string stage_table(const VerifyReport& r, bool colour) {
  Table table({"stage", "paper", ">nodes", "types", "meaning", "work", "depth", "space", ">time"});
  const StageVerdict* before = nullptr;
  for (const StageVerdict& s : r.stages) {
    if (before && s.machine != before->machine) {
      table.row({{"for the GPU", Tone::Faint}});
      before = &r.stages.front();
    }
    table.row({s.name,
               {s.cite, Tone::Faint},
               std::to_string(s.nodes),
               types_cell(s),
               meaning_cell(s, &s == &r.stages.front(), r.inputs.sizes.size()),
               cost_cell(s.cost.work, before ? &before->cost.work : nullptr),
               cost_cell(s.cost.depth, before ? &before->cost.depth : nullptr),
               cost_cell(s.cost.space, before ? &before->cost.space : nullptr),
               show_seconds(s.seconds + s.test_seconds)});
    before = &s;
  }
  return table.text(colour);
}

std::string error_text(const TargetVerdict& t) {
  if (!t.floats) return "exact";
  if (t.bound == 0) return "no rounding";
  return fmt::format("max error {:.2g}, bound {:.2g} ({:.2g}%)", t.error, t.bound, 100 * t.error / t.bound);
}

std::string target_table(const VerifyReport& r, bool colour) {
  Table table({"target", "meaning", "error", "compiled", ">time"});
  for (const TargetVerdict& t : r.targets) {
    if (!t.unavailable.empty()) {
      table.row({t.name, {"not run: " + shortened(t.unavailable, 70), Tone::Faint}});
      continue;
    }
    const Cell meaning = t.disagreement           ? Cell("✗ differs", Tone::Bad)
                         : r.inputs.sizes.empty() ? Cell("not tested", Tone::Bad)
                                                  : Cell("✓ " + show_count(t.tested, "input"), Tone::Good);
    table.row({t.name, meaning, t.tested > 0 ? error_text(t) : "",
               t.cached ? "before" : show_seconds(t.compile_seconds), show_seconds(t.seconds)});
  }
  return table.text(colour);
}

std::string inputs_text(const VerifyReport& r, std::uint64_t seed) {
  const auto& in = r.inputs;
  if (in.sizes.empty())
    return "No sizes were found that satisfy the program's facts, so nothing was run: give some, as in n=1000.\n";
  std::vector<std::string> sizes;
  for (const SizeValues& s : in.sizes)
    if (const std::string text = show(s); !text.empty() && (sizes.empty() || sizes.back() != text))
      sizes.push_back(text);
  std::string out = show_count(in.sizes.size(), "input") + " (seed " + std::to_string(seed) + ")";
  if (!sizes.empty()) out += " from " + sizes.front() + (sizes.size() > 1 ? " to " + sizes.back() : "");
  if (in.huge)
    out += "; the last is large, because the program accepts none smaller but empty ones, and runs in one order";
  if (in.trapped > 0)
    out += "; " + std::to_string(in.trapped) + (in.trapped == 1 ? " traps" : " trap") + ", as every stage must there";
  if (in.drawn_again > 0) out += "; " + std::to_string(in.drawn_again) + " drawn again, rounding deciding them";
  if (in.undecided > 0) out += "; " + std::to_string(in.undecided) + " left undecided, compared bit for bit only";
  return out + "\n";
}

// The first stage or target that is wrong.
std::string failure_text(const VerifyReport& r) {
  const auto differs = [](const std::string& where, const props::Disagreement& d) {
    return where + " differs from the source\n  on        " + d.input + "\n  expected  " + d.expected +
           "\n  found     " + d.found;
  };
  for (const StageVerdict& s : r.stages) {
    const std::string after =
        "the program after " + s.name + " (" + s.cite + (s.machine == Machine::Gpu ? ", for the GPU)" : ")");
    if (!s.type_errors.empty()) {
      std::string out = after + " is wrongly typed";
      for (std::size_t k = 0; k < s.type_errors.size() && k < 3; ++k) out += "\n  " + s.type_errors[k];
      return out + "\n\n" + props::side_by_side(s.before, s.after, terminal_columns());
    }
    if (s.disagreement)
      return differs(after, *s.disagreement) + "\n\n" + props::side_by_side(s.before, s.after, terminal_columns());
  }
  for (const TargetVerdict& t : r.targets)
    if (t.disagreement) return differs("the target " + t.name, *t.disagreement);
  for (const std::string& l : r.lost_loops) return "a loop that was written has not come out: " + l;
  return r.too_undecided().value_or("");
}

struct Verified {
  VerifyReport report;
  std::vector<program_proofs::MachineObligations> kernels;
  Json certificate;
};
Verified verified(const LoadedProgram& loaded, const PhraseProgram& program, const VerifyRequest& request) {
  const Stopwatch watch;
  props::VerifyOptions how;
  how.seed = request.seed;
  how.inputs = request.inputs;
  how.sizes = request.sizes;
  how.targets = request.targets;
  how.implied = implied_by(loaded.sizes);
  Progress progress;
  how.progress = [&](const std::string& what, std::size_t done, std::size_t all) { progress.step(what, done, all); };
  Verified out{
      props::verify(program, loaded.calculus, how), program_proofs::program_obligations(program, loaded.calculus), {}};
  out.certificate = certificate_of(program, *loaded.source, loaded.elaboration.obligations, request, out.report,
                                   out.kernels, watch.seconds());
  return out;
}

std::string report_text(const LoadedProgram& loaded, const PhraseProgram& program, const VerifyReport& report,
                        std::uint64_t seed) {
  const bool colour = on_terminal(1);
  std::string text = tone(head_of(program), Tone::Head, colour) + "\n";
  for (const SizeFact& f : program.facts)
    text += "  assumed of the sizes, and checked when it is run: " + lockstep::show(f) + "\n";
  return text + "\n" + stage_table(report, colour) + "\n" + target_table(report, colour) + "\n" +
         inputs_text(report, seed) +
         (report.lost_loops.empty() ? "the loops that were written came out, by level and extent, on both machines\n"
                                    : "") +
         summary_of(loaded.elaboration.obligations) + "\n";
}

// The first line that two texts do not share.
std::string first_difference(const std::string& a, const std::string& b) {
  const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return "line " + std::to_string(1 + std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

int replay_command(const Options& options) {
  const Stopwatch watch;
  Recorded recorded;
  const Json then = read_certificate(options.replay, recorded);
  if (!options.arguments.empty())
    fail(invalid, "--replay takes the sizes from the certificate, not " + options.arguments.front());
  const std::string file = options.program.empty() ? recorded.file : options.program;
  const LoadedProgram loaded = [&] {
    try {
      return load_program(file);
    } catch (const Failure& f) {
      if (f.diagnostics.empty())
        throw Failure{f.status, f.message + "\n  help: 'lockstep verify --replay " + options.replay +
                                    " FILE' says where the certificate's program is now"};
      throw;
    }
  }();
  if (then.value("source_sha256", "") != sha256(loaded.source->text))
    throw Failure{disagrees, file + " is not the program that " + options.replay + " is of: it differs at " +
                                 first_difference(then.value("source", ""), loaded.source->text) +
                                 "\n  the certificate's source has SHA-256 " + then.value("source_sha256", "none") +
                                 ", this one " + sha256(loaded.source->text)};
  const auto& entries = loaded.elaboration.entries;
  if (std::none_of(entries.begin(), entries.end(), [&](const PhraseProgram& e) { return e.name == recorded.entry; }))
    throw Failure{disagrees, options.replay + " is of " + recorded.entry + ", which its program does not define"};
  const std::vector<Target> targets = all_targets();
  for (const std::string& t : recorded.request.targets)
    if (std::none_of(targets.begin(), targets.end(), [&](const Target& known) { return known.name == t; }))
      throw Failure{disagrees, options.replay + " is of the target " + t + ", which there is not"};
  const Verified now = verified(loaded, entry_point(loaded, {file, recorded.entry}), recorded.request);
  const std::vector<std::string> found = differences(then, now.certificate);
  if (options.json)
    print(Json{{"ok", found.empty() && now.report.ok() && !any_violated(now.kernels)},
               {"certificate", options.replay},
               {"program", file},
               {"differences", found},
               {"seconds", watch.seconds()}});
  if (!found.empty()) {
    std::string text = options.replay + " says otherwise than what comes out now:";
    for (std::size_t k = 0; k < found.size() && k < 10; ++k) text += "\n  " + found[k];
    if (found.size() > 10) text += "\n  and " + std::to_string(found.size() - 10) + " more";
    throw Failure{disagrees, text, {}, true};
  }
  if (any_violated(now.kernels))
    throw Failure{disagrees, "as the certificate says, " + first_violated(now.kernels), {}, true};
  if (!now.report.ok()) throw Failure{disagrees, "as the certificate says, " + failure_text(now.report), {}, true};
  if (!options.json)
    print(tone("all " + show_count(now.certificate["claims"].size(), "claim") + " of " + options.replay +
                   " came out as before",
               Tone::Good, on_terminal(1)) +
          "; " + show_seconds(watch.seconds()) + "\n");
  return done;
}

}  // namespace

int verify_command(const Options& options) {
  if (!options.replay.empty()) return replay_command(options);
  if (options.program.empty()) fail(invalid, "FILE[:FUN] is required", "'lockstep verify --help' says what there is");
  const ProgramName name = program_name(options.program);
  const LoadedProgram loaded = load_program(name.file);
  const PhraseProgram& program = entry_point(loaded, name);
  const Stopwatch watch;
  if (options.inputs == 0) fail(invalid, "--inputs 0 compares nothing", "at least 1");
  const VerifyRequest request{options.seed, options.inputs, bind_sizes(program, options.arguments)};
  const auto [report, kernels, certificate] = verified(loaded, program, request);
  const std::string path = options.no_certificate        ? ""
                           : options.certificate.empty() ? program.name + ".certificate.json"
                                                         : options.certificate;
  if (options.json)
    print(certificate);
  else
    print(report_text(loaded, program, report, options.seed) + sums_of(kernels));
  if (!path.empty()) {
    const auto written =
        write_files_atomically({{path, certificate.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"}});
    if (!written) fail(machine, "the certificate was not written: " + written.error());
  }
  if (!report.ok()) throw Failure{disagrees, failure_text(report), {}, true};
  if (any_violated(kernels)) throw Failure{disagrees, first_violated(kernels), {}, true};
  if (!options.json)
    print(tone(std::string(report.inputs.sizes.empty() ? "nothing was compared"
                                                       : "every stage and target agrees with the source"),
               Tone::Good, on_terminal(1)) +
          "; " + show_seconds(watch.seconds()) + (path.empty() ? "" : "; certificate: " + path) + "\n");
  return done;
}

}  // namespace lockstep::driver

// lockstep verify: the table of all checks, a row a stage, and the certificate; and a certificate repeated.
#include <fmt/format.h>
#include <stdlib.h>

#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "codegen/runtime/sha256.h"
#include "driver/arguments.h"
#include "driver/certificate.h"
#include "driver/commands.h"
#include "driver/prove_file.h"
#include "props/dpia/campaign.h"

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

// Of a row: on how many inputs the source gives values, of those it was compared on; too few are no test.
std::optional<Cell> untested(const props::Tried& inputs, std::size_t values) {
  if (values >= inputs.needed) return {};
  return Cell(values == 0 ? "not tested" : "not tested: " + show_count(values, "value"), Tone::Bad);
}

Cell meaning_cell(const StageVerdict& s, bool source, const props::Tried& inputs) {
  if (s.disagreement) return {"✗ differs", Tone::Bad};
  if (!s.type_errors.empty()) return {"not tested", Tone::Bad};
  if (const auto none = untested(inputs, s.values)) return *none;
  if (source) return {show_count(s.values, "value"), Tone::Faint};
  const std::string also = s.reassociated > 0 ? ", " + std::to_string(s.reassociated) + " reassociated" : "";
  return {"✓ " + show_count(s.values, "value") + ", " + show_count(s.runs, "run") + also, Tone::Good};
}

// A cost is shown where it is not the one above it.
Cell cost_cell(const Size& now, const Size* before) {
  if (before && *before == now) return {"=", Tone::Faint};
  return shortened(lockstep::show(now), 26);
}

std::string error_text(const TargetVerdict& t) {
  if (!t.floats) return "exact";
  const std::string wide =
      t.wide > 0 ? fmt::format("no comparison of {} of {} floats: bound wider than they are", t.wide, t.compared) : "";
  if (t.bound == 0) return wide.empty() ? "no rounding" : wide;
  return fmt::format("max error {:.2g}, bound {:.2g} ({:.2g}%)", t.error, t.bound, 100 * t.error / t.bound) +
         (wide.empty() ? "" : "; " + wide);
}

Cell meaning_cell(const TargetVerdict& t, const props::Tried& inputs) {
  if (t.disagreement) return {"✗ differs", Tone::Bad};
  if (const auto none = untested(inputs, t.values)) return *none;
  if (t.groundless()) return {"not tested: the bound is wide", Tone::Bad};
  return {"✓ " + show_count(t.values, "value") + (t.same_bits == t.tested ? ", bit for bit" : ""), Tone::Good};
}

std::string head_text(const PhraseProgram& program) {
  std::string text = tone(head_of(program), Tone::Head, on_terminal(1)) + "\n";
  for (const SizeFact& f : program.facts)
    text += "  assumed of the sizes, and checked when it is run: " + lockstep::show(f) + "\n";
  return text + "\n";
}

// What stands above the two tables, and they, each row printed as soon as it is known. Where standard output is JSON,
// nothing is.
class Rows {
 public:
  Rows(const PhraseProgram& program, bool silent, Progress& progress)
      : head_(head_text(program)), silent_(silent), reassociates_(combines_floats(program)), progress_(progress) {}

  // Room for every row that will come.
  void planned(const props::Tried& inputs, const std::vector<StageVerdict>& stages) {
    inputs_ = inputs;
    for (const StageVerdict& s : stages) {
      std::vector<Cell> cells = cells_of(s);
      cells[4] =
          s.language == StageVerdict::Language::Functional && !before_
              ? show_count(inputs.values, "value")
              : "✓ " + show_count(inputs.values, "value") + ", 1000 runs" +
                    (reassociates_ && s.language == StageVerdict::Language::Imperative ? ", 10 reassociated" : "");
      cells[8] = "999 ms";
      stages_.make_room(cells);
      before_ = s;
    }
    before_.reset();
    print_line(head_ + stages_.titles(colour_));
  }
  void stage(const StageVerdict& s) {
    if (before_ && s.machine != before_->machine) {
      print_line(tone("for the GPU, run by the interpreters", Tone::Faint, colour_) + "\n");
      before_ = source_;
    }
    print_line(stages_.line(cells_of(s), colour_));
    if (!source_) source_ = s;
    before_ = s;
  }
  void target(const TargetVerdict& t) {
    Table table({"target", "meaning", "error", "compiled", ">time"});
    if (t.unavailable.empty())
      table.row({t.name, meaning_cell(t, inputs_), t.values > 0 ? error_text(t) : "",
                 t.cached ? "before" : show_seconds(t.compile_seconds), show_seconds(t.seconds)});
    else
      table.row({t.name, {"not run: " + shortened(t.unavailable, 70), Tone::Faint}});
    print_line("\n" + table.text(colour_));
  }

 private:
  std::vector<Cell> cells_of(const StageVerdict& s) const {
    const Cost* before = before_ ? &before_->cost : nullptr;
    return {s.name,
            {s.cite, Tone::Faint},
            std::to_string(s.nodes),
            types_cell(s),
            meaning_cell(s, !source_, inputs_),
            s.cost_wrong ? Cell("✗ " + shortened(s.cost_wrong->found, 40), Tone::Bad)
                         : cost_cell(s.cost.work, before ? &before->work : nullptr),
            cost_cell(s.cost.depth, before ? &before->depth : nullptr),
            cost_cell(s.cost.space, before ? &before->space : nullptr),
            show_seconds(s.seconds + s.test_seconds)};
  }
  void print_line(const std::string& text) {
    if (silent_) return;
    progress_.clear();
    print(text);
    std::fflush(stdout);
  }

  static bool combines_floats(const PhraseProgram& program) {
    const auto leaves = leaves_of(program.result);
    const std::function<bool(const Phrase&)> permutes = [&](const Phrase& p) {
      const auto* x = as<PrimPhrase>(p);
      bool found = x && x->primitive->name == "permute";
      for_each_child(p, [&](const PhraseRef& c) { found = found || permutes(*c); });
      return found;
    };
    return std::any_of(leaves.begin(), leaves.end(), [](const Leaf& l) { return is_float(l.scalar); }) &&
           permutes(*program.body);
  }

  std::string head_;
  bool silent_, reassociates_;
  Progress& progress_;
  const bool colour_ = on_terminal(1);
  Table stages_{{"stage", "paper", ">nodes", "types", "meaning", "work", "depth", "space", ">time"}};
  std::optional<StageVerdict> source_, before_;
  props::Tried inputs_;
};

std::string inputs_text(const VerifyReport& r, std::uint64_t seed) {
  const auto& in = r.inputs;
  if (in.sizes.empty())
    return in.endless > 0 ? "No input was found on which the program ends within " + std::to_string(in.limit) +
                                " rounds of `while`, so nothing was run.\n"
                          : "No sizes were found that satisfy the program's facts, so nothing was run.\n";
  std::vector<std::string> sizes;
  for (const SizeValues& s : in.sizes)
    if (const std::string text = show(s); !text.empty() && (sizes.empty() || sizes.back() != text))
      sizes.push_back(text);
  std::string out = show_count(in.sizes.size(), "input") + " (seed " + std::to_string(seed) + ")";
  if (!sizes.empty()) out += " from " + sizes.front() + (sizes.size() > 1 ? " to " + sizes.back() : "");
  if (in.huge)
    out += "; the last are large, because the program accepts none smaller but empty ones, and run in one order";
  if (in.trapped > 0)
    out += "; " + std::to_string(in.trapped) + (in.trapped == 1 ? " traps" : " trap") + ", as every stage must there";
  if (in.undecided > 0)
    out += "; " + std::to_string(in.undecided) + " left undecided by rounding, compared bit for bit";
  if (in.again.all() > 0) {
    const auto part = [](std::size_t n, const std::string& what) {
      return n > 0 ? " " + std::to_string(n) + " " + what + "," : "";
    };
    std::string why = part(in.again.trapped, "trapped") + part(in.again.undecided, "undecided") +
                      part(in.again.endless, "after too many rounds");
    out += "; drawn again:" + why.substr(0, why.size() - 1);
  }
  if (in.endless > 0)
    out += "\n" + show_count(in.endless, "more input") + (in.endless == 1 ? " does" : " do") + " not end within " +
           std::to_string(in.limit) + " rounds of `while`; the first: " + in.first_endless;
  if (in.not_drawn > 0)
    out += "\n" + std::to_string(in.not_drawn) + " more would have taken long and " +
           (in.not_drawn == 1 ? "was" : "were") + " not drawn";
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
    if (s.cost_wrong && !s.disagreement)
      return after + " does not cost what its stage's relation allows\n  on        " + s.cost_wrong->input +
             "\n  found     " + s.cost_wrong->found + "\n\n" +
             props::side_by_side(s.before, s.after, terminal_columns());
    if (s.disagreement)
      return differs(after, *s.disagreement) + "\n\n" + props::side_by_side(s.before, s.after, terminal_columns());
  }
  for (const TargetVerdict& t : r.targets)
    if (t.disagreement) return differs("the target " + t.name, *t.disagreement);
  for (const std::string& l : r.lost_loops) return "a loop that was written has not come out: " + l;
  return r.insufficient().value_or("");
}

// Said of what ran: a target that did not is no evidence.
std::string last_line(const std::vector<TargetVerdict>& targets, bool colour) {
  std::string missing;
  std::size_t ran = 0;
  for (const TargetVerdict& t : targets)
    if (t.unavailable.empty())
      ++ran;
    else
      missing += (missing.empty() ? "" : "; ") + t.name + ": " + shortened(t.unavailable, 100);
  return agreement(ran, targets.size(), missing, colour);
}

struct Verified {
  VerifyReport report;
  std::vector<proofs::kernels::MachineObligations> kernels;
  Json certificate;
};
Verified verified(const LoadedProgram& loaded, const PhraseProgram& program, const VerifyRequest& request,
                  bool silent) {
  const Stopwatch watch;
  props::VerifyOptions how;
  how.seed = request.seed;
  how.inputs = request.inputs;
  how.sizes = request.sizes;
  how.limit = request.limit;
  how.targets = request.targets;
  how.implied = implied_by(loaded.sizes);
  Progress progress;
  how.progress = [&](const std::string& what, std::size_t done, std::size_t all) { progress.step(what, done, all); };
  Rows rows(program, silent, progress);
  how.planned = [&](const props::Tried& inputs, const std::vector<StageVerdict>& s) { rows.planned(inputs, s); };
  how.stage = [&](const StageVerdict& s) { rows.stage(s); };
  how.target = [&](const TargetVerdict& t) { rows.target(t); };
  Verified out{props::verify(program, loaded.calculus, how), {}, {}};
  progress.step("proving", 0, 0);
  out.kernels = proofs::kernels::program_obligations(out.report.pipelines);  // of what was tested
  out.certificate = certificate_of(program, *loaded.source, loaded.elaboration.obligations, request, out.report,
                                   out.kernels, watch.seconds());
  return out;
}

// Of how many inputs every stage's costs were counted.
std::string related_text(const VerifyReport& report) {
  std::size_t least = report.inputs.sizes.size();
  for (const StageVerdict& s : report.stages) {
    if (s.cost_wrong) return "";
    least = std::min(least, s.related);
  }
  return least == 0 ? ""
                    : "what was counted on " + show_count(least, "input") +
                          " stands to the costs of every stage as its relation says (props/dpia/README.md)\n";
}

// What stands below the tables.
std::string rest_text(const LoadedProgram& loaded, const VerifyReport& report, std::uint64_t seed) {
  return "\n" + inputs_text(report, seed) +
         (report.lost_loops.empty() ? "the loops that were written came out, by level and extent, on both machines\n"
                                    : "") +
         related_text(report) + summary_of(loaded.elaboration.obligations) + "\n";
}

// The first line that two texts do not share.
std::string first_difference(const std::string& a, const std::string& b) {
  const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  return "line " + std::to_string(1 + std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// What ran then runs again, or the certificate cannot be repeated here.
void refuse_targets_that_cannot_run(const Json& then, const Recorded& recorded, const std::string& certificate) {
  for (const std::string& name : recorded.request.targets) {
    const Target* target = find_target(name);
    if (!target) throw Failure{disagrees, certificate + " is of the target " + name + ", which there is not"};
    bool ran = false;
    for (const Json& t : then.value("targets", Json::array()))
      ran = ran || (t.value("target", "") == name && t.value("available", false));
    if (const std::string why = target->unavailable(); ran && !why.empty())
      fail(machine, certificate + " is of the target " + name + ", which cannot run here: " + why);
  }
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
  refuse_targets_that_cannot_run(then, recorded, options.replay);
  const Verified now = verified(loaded, entry_point(loaded, {file, recorded.entry}), recorded.request, true);
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

void check_inputs(const Options& options) {
  if (options.inputs == 0) fail(invalid, "--inputs 0 compares nothing", "at least 1");
  if (options.inputs > most_inputs)
    fail(invalid, "--inputs " + std::to_string(options.inputs) + " is more than is kept",
         "at most " + std::to_string(most_inputs));
}

int verify_command(const Options& options) {
  // Compiled programs run on inputs of a few elements, often in thousands of parallel regions: threads that wait for
  // work awake would take the processor from one another.
  setenv("OMP_WAIT_POLICY", "passive", 0);
  if (!options.replay.empty()) return replay_command(options);
  if (options.program.empty()) fail(invalid, "FILE[:FUN] is required", "'lockstep verify --help' says what there is");
  const ProgramName name = program_name(options.program);
  const LoadedProgram loaded = load_program(name.file);
  const PhraseProgram& program = entry_point(loaded, name);
  const Stopwatch watch;
  check_inputs(options);
  VerifyRequest request{options.seed, options.inputs, bind_sizes(program, options.arguments), options.limit};
  if (!options.target.empty()) {
    request.targets.clear();  // of the interpreter, the stages
    if (const Runner runner = target_named(options.target); runner.target) request.targets.push_back(runner.name);
  }
  const auto [report, kernels, certificate] = verified(loaded, program, request, options.json);
  const std::string& path = options.certificate;
  if (options.json)
    print(certificate);
  else
    print(rest_text(loaded, report, options.seed) + sums_of(kernels, hypotheses_of(program)));
  if (!path.empty()) {
    const auto written =
        write_files_atomically({{path, certificate.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"}});
    if (!written) fail(machine, "the certificate was not written: " + written.error());
  }
  if (!report.ok()) throw Failure{disagrees, failure_text(report), {}, true};
  if (any_violated(kernels)) throw Failure{disagrees, first_violated(kernels), {}, true};
  if (!options.json)
    print(last_line(report.targets, on_terminal(1)) + "; " + show_seconds(watch.seconds()) +
          (path.empty() ? "" : "; certificate: " + path) + "\n");
  return done;
}

}  // namespace lockstep::driver

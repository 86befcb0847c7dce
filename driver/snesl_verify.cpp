// lockstep verify on .snesl: the report and the certificate, and a certificate repeated.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "codegen/runtime/sha256.h"
#include "driver/certificate.h"
#include "driver/snesl.h"
#include "driver/snesl_verification.h"

namespace lockstep::driver {
namespace {

// The measure of a theorem, in a word, where c is the greatest found on the inputs.
std::string_view measure_of(props::stream::Bound b) {
  switch (b) {
    case props::stream::Bound::Work:
      return "work";
    case props::stream::Bound::Depth:
      return "depth";
    case props::stream::Bound::ParallelSpace:
      return "space";
    case props::stream::Bound::SequentialSpace:
      return "space at 1";
    case props::stream::Bound::SpaceOnP:
      return "space on P";
  }
  throw Bug("a bound");
}

Cell cost_of(const StreamingRow& r) {
  std::string out;
  for (const Related& c : r.costs)
    out += (out.empty() ? "" : ", ") + fmt::format("{} {:.3g}{}{:g}", measure_of(c.bound), c.ratio(),
                                                   c.holds() ? " ≤ " : " > ", fixed_constant(c.bound));
  return {out, r.cost_wrong() ? Tone::Bad : Tone::Plain};
}

// "work <= 48 (1 + W)"
std::string theorem_of(const Related& c) {
  std::string text(name_of(c.bound));
  return text.replace(text.find(" c "), 2, fmt::format(" {:g}", fixed_constant(c.bound)));
}
std::string counted(const Related& c) {
  return fmt::format("{} against {}, which is {:.3g} times as much", c.measured, c.cost, c.ratio());
}

Cell meaning_of(const StreamingRow& r, bool is_reference) {
  if (!r.unavailable.empty()) return {"not run: " + shortened(r.unavailable, 60), Tone::Faint};
  if (r.disagreement) return {"✗ differs", Tone::Bad};
  if (is_reference) return {"the reference", Tone::Faint};
  if (r.tested == 0) return {"", Tone::Faint};
  return {"✓ " + show_count(r.tested, "input") + (r.runs > r.tested ? ", " + show_count(r.runs, "run") : "") +
              (r.not_run > 0 ? "; not run on " + std::to_string(r.not_run) : ""),
          Tone::Good};
}

std::string table_of(const StreamingReport& report, bool colour) {
  Table table({"stage", "paper", ">instructions", "program", "meaning", "cost", ">time"});
  for (const auto* rows : {&report.stages, &report.targets})
    for (const StreamingRow& r : *rows)
      table.row({r.name,
                 {r.cite, Tone::Faint},
                 r.instructions ? std::to_string(r.instructions) : "",
                 !r.ill_formed.empty() ? Cell("✗ " + shortened(r.ill_formed, 40), Tone::Bad)
                 : r.checked.empty()   ? Cell("")
                                       : Cell("✓", Tone::Good),
                 meaning_of(r, r.name == "core"),
                 cost_of(r),
                 r.seconds > 0 ? show_seconds(r.seconds) : ""});
  return table.text(colour);
}

std::string failure_text(const StreamingReport& report) {
  const StreamingRow* r = report.first_wrong();
  if (!r) return report.not_tested().value_or("");
  if (!r->ill_formed.empty()) return "the program after " + r->name + " (" + r->cite + ") is wrong: " + r->ill_formed;
  if (const Related* c = r->disagreement ? nullptr : r->cost_wrong())
    return r->name + " (" + r->cite + ") costs more than the theorem allows: " + theorem_of(*c) + "\n  on        " +
           c->input + "\n  counted   " + counted(*c);
  return r->name + " (" + r->cite + ") differs from the source\n  on        " + r->disagreement->input +
         "\n  expected  " + r->disagreement->expected + "\n  found     " + r->disagreement->found;
}

void row_claims(const StreamingRow& r, Json& claims, Json& failures) {
  const std::string who = r.name.starts_with("chunked") || r.name == "engine"
                              ? "the target " + r.name
                              : "the program after " + r.name + " (" + r.cite + ")";
  if (!r.checked.empty()) {
    const std::string claim = who + ": " + r.checked;
    if (r.ill_formed.empty())
      claims.push_back({{"claim", claim}, {"status", "proved"}, {"method", "a check of this program"}});
    else
      failures.push_back({{"claim", claim}, {"found", r.ill_formed}});
  }
  const std::string same = who + " gives what the source does, bit for bit, and fails where it does";
  if (r.disagreement)
    failures.push_back({{"claim", same},
                        {"input", r.disagreement->input},
                        {"expected", r.disagreement->expected},
                        {"found", r.disagreement->found}});
  else if (r.tested > 0)
    claims.push_back(
        {{"claim", same}, {"status", "tested"}, {"inputs", r.tested}, {"runs", r.runs}, {"seeds", "of the inputs"}});
  for (const Related& c : r.costs) {
    const std::string claim = who + ": " + theorem_of(c) + " (SNESL ch. 5)";
    if (!c.holds())
      failures.push_back({{"claim", claim}, {"input", c.input}, {"found", counted(c)}});
    else if (r.tested > 0)
      claims.push_back({{"claim", claim}, {"status", "tested"}, {"inputs", r.tested}, {"greatest", c.ratio()}});
  }
}

Json rows_json(const std::vector<StreamingRow>& rows) {
  Json out = Json::array();
  for (const StreamingRow& r : rows) {
    Json j{{"stage", r.name}, {"cite", r.cite}, {"language", r.language}};
    if (r.instructions) j["instructions"] = r.instructions;
    if (!r.unavailable.empty()) j["why_not"] = r.unavailable;
    j["well_formed"] = r.checked.empty() ? Json(nullptr) : Json(r.ill_formed.empty());
    if (r.not_run > 0) j["inputs_not_run"] = r.not_run;
    j["inputs"] = r.tested, j["runs"] = r.runs, j["agrees"] = !r.disagreement;
    j["costs"] = Json::array();
    for (const Related& c : r.costs)
      j["costs"].push_back({{"theorem", theorem_of(c)}, {"greatest", c.ratio()}, {"holds", c.holds()}});
    j["seconds"] = r.seconds;
    out.push_back(std::move(j));
  }
  return out;
}

// Of what ran, and what did not.
std::string last_line(const StreamingReport& report, bool colour) {
  std::string missing;
  std::size_t ran = 0;
  for (const StreamingRow& r : report.targets) {
    ran += r.ran_everywhere();
    const std::string sep = missing.empty() ? "" : "; ";
    if (!r.unavailable.empty())
      missing += sep + r.name + ": " + shortened(r.unavailable, 100);
    else if (r.not_run > 0)
      missing += sep + r.name + " on " + show_count(r.not_run, "input");
  }
  return agreement(ran, report.targets.size(), missing, colour);
}

Json certificate_of(const StreamingFile& file, const snesl::EntryPoint& entry, const StreamingRequest& request,
                    const StreamingReport& report, double seconds) {
  Json claims = Json::array(), failures = Json::array(), inputs = Json::array();
  for (const auto* rows : {&report.stages, &report.targets})
    for (const StreamingRow& r : *rows) row_claims(r, claims, failures);
  claims.push_back(
      {{"claim", "the C++ compiler and this machine compute what the generated text says"}, {"status", "assumed"}});
  // No claim stands higher than what it rests on.
  const std::string sound = "the analysis of clocks and lags accepts nothing that deadlocks";
  if (!report.targets.empty() && report.targets.front().tested > 0)
    claims.push_back({{"claim", "it runs at every chunk size from 1 on, with " +
                                    show_count(static_cast<std::size_t>(report.slack), "element") + " of slack"},
                      {"status", "tested"},
                      {"method", "accepted by the analysis of clocks and lags; run at the chunk sizes of the table"},
                      {"rests_on", Json::array({sound})}});
  claims.push_back({{"claim", sound},
                    {"status", "tested"},
                    {"method", "random programs that it accepts run at small chunks: campaign --language snesl"}});
  for (std::size_t k = 0; k < report.seeds.size(); ++k)
    inputs.push_back({{"seed", report.seeds[k]}, {"result_sha256", report.results[k]}});
  Json out{{"ok", report.ok()},
           {"certificate", 1},
           {"language", "snesl"},
           {"lockstep", version},
           {"program", file.source->name},
           {"entry", entry.name},
           {"function", head_of(entry)},
           {"source_sha256", sha256(file.source->text)},
           {"seed", request.seed},
           {"inputs_asked", request.inputs},
           {"arguments_given", request.arguments},
           {"sizes_given", Json::object()},
           {"targets_asked", request.targets},
           {"inputs", std::move(inputs)},
           {"inputs_that_trap", report.trapped},
           {"claims", std::move(claims)},
           {"failures", std::move(failures)},
           {"stages", rows_json(report.stages)},
           {"targets", rows_json(report.targets)},
           {"source", file.source->text},
           {"seconds", seconds}};
  out["digest"] = digest_of(out);
  return out;
}

// The interpreters of the stages are no targets of theirs.
bool is_verified(const std::string& target) { return target == "chunked" || target == "engine"; }

struct VerifiedStreaming {
  StreamingReport report;
  Json certificate;
};
VerifiedStreaming verified(const StreamingFile& file, const snesl::EntryPoint& entry, const StreamingRequest& request) {
  const Stopwatch watch;
  const BoundArguments bound = bind_arguments(file, entry, request.arguments, request.seed);
  VerifiedStreaming out{verify_streaming(file, bound, request), {}};
  out.certificate = certificate_of(file, entry, request, out.report, watch.seconds());
  return out;
}

int replay(const Options& options) {
  const Stopwatch watch;
  Recorded recorded;
  const Json then = read_certificate(options.replay, recorded);
  if (!options.arguments.empty())
    fail(invalid, "--replay takes the arguments from the certificate, not " + options.arguments.front());
  const StreamingFile file = load_streaming(options.program.empty() ? recorded.file : options.program);
  if (then.value("source_sha256", "") != sha256(file.source->text))
    throw Failure{disagrees, file.source->name + " is not the program that " + options.replay + " is of"};
  StreamingRequest request{recorded.request.seed, recorded.request.inputs,
                           then.value("arguments_given", std::vector<std::string>()), recorded.request.targets};
  for (const std::string& t : request.targets) {
    const auto known = streaming_targets();
    const auto it = std::find_if(known.begin(), known.end(), [&](const Runner& r) { return r.name == t; });
    if (it == known.end() || !is_verified(t))
      throw Failure{disagrees, options.replay + " is of the target " + t + ", which there is not"};
    bool ran = false;
    for (const Json& row : then.value("targets", Json::array()))
      ran = ran || (row.value("stage", "") == t && !row.contains("why_not"));
    if (ran && !it->unavailable.empty())
      fail(machine, options.replay + " is of the target " + t + ", which cannot run here: " + it->unavailable);
  }
  const VerifiedStreaming now = verified(file, entry_point(file, {file.source->name, recorded.entry}), request);
  const std::vector<std::string> found = differences(then, now.certificate);
  if (options.json)
    print(Json{{"ok", found.empty() && now.report.ok()},
               {"certificate", options.replay},
               {"program", file.source->name},
               {"differences", found},
               {"seconds", watch.seconds()}});
  if (!found.empty()) {
    std::string text = options.replay + " says otherwise than what comes out now:";
    for (std::size_t k = 0; k < found.size() && k < 10; ++k) text += "\n  " + found[k];
    if (found.size() > 10) text += "\n  and " + std::to_string(found.size() - 10) + " more";
    throw Failure{disagrees, text, {}, true};
  }
  if (!now.report.ok()) throw Failure{disagrees, "as the certificate says, " + failure_text(now.report), {}, true};
  if (!options.json)
    print(tone("all " + show_count(now.certificate["claims"].size(), "claim") + " of " + options.replay +
                   " came out as before",
               Tone::Good, on_terminal(1)) +
          "; " + show_seconds(watch.seconds()) + "\n");
  return done;
}

}  // namespace

int snesl_verify(const Options& options) {
  refuse_given(options, {"--limit"}, "counts rounds of 'while', and .snesl has no loop that may not end",
               "leave it out");
  if (!options.replay.empty()) return replay(options);
  const ProgramName name = program_name(options.program);
  const StreamingFile file = load_streaming(name.file);
  const snesl::EntryPoint& entry = entry_point(file, name);
  check_inputs(options);
  const Stopwatch watch;
  StreamingRequest request{options.seed, options.inputs, options.arguments};
  if (!options.target.empty()) {
    request.targets.clear();
    if (const Runner runner = streaming_target_named(options.target); is_verified(runner.name))
      request.targets.push_back(runner.name);
  }
  const auto [report, certificate] = verified(file, entry, request);
  const bool colour = on_terminal(1);
  if (options.json)
    print(certificate);
  else
    print(
        tone(head_of(entry), Tone::Head, colour) + "\n\n" + table_of(report, colour) + "\n" +
        show_count(report.seeds.size(), "input") + " (seed " + std::to_string(options.seed) + ")" +
        (report.trapped > 0 ? "; " + std::to_string(report.trapped) + (report.trapped == 1 ? " traps" : " trap") +
                                  ", as every stage must there"
                            : "") +
        "\nchunk sizes 1, 2, 3, 7, 64, 1000, each in order, in reverse and at random, the engine on one thread and "
        "two; slack of " +
        show_count(static_cast<std::size_t>(report.slack), "element") +
        "\ncost: what was counted over 1 + the source's cost, the greatest of all inputs ≤ the c that SNESL's theorems "
        "(ch. 5) are held to\n");
  const std::string& path = options.certificate;
  if (!path.empty()) {
    const auto written =
        write_files_atomically({{path, certificate.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"}});
    if (!written) fail(machine, "the certificate was not written: " + written.error());
  }
  if (!report.ok()) throw Failure{disagrees, failure_text(report), {}, true};
  if (!options.json)
    print(last_line(report, colour) + "; " + show_seconds(watch.seconds()) +
          (path.empty() ? "" : "; certificate: " + path) + "\n");
  return done;
}

}  // namespace lockstep::driver

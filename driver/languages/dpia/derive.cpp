// lockstep derive: a program rewritten by a strategy, every step checked, printed and saved.
#include <nlohmann/json.hpp>

#include "codegen/runtime/files.h"
#include "driver/languages/dpia/derivation.h"
#include "driver/languages/dpia/dpia.h"
#include "proofs/laws/compiling.h"
#include "props/dpia/verify.h"
#include "translate/rewriting/rules.h"

namespace lockstep::driver {
namespace {

int list_rules(bool json) {
  if (json) {
    Json list = Json::array();
    for (const rewriting::Rule& r : rewriting::all_rules())
      list.push_back({{"rule", r.name},
                      {"parameters", r.parameters.size()},
                      {"matches", r.matches},
                      {"gives", r.gives},
                      {"when", r.when},
                      {"law", r.law}});
    print(Json{{"rules", std::move(list)}});
    return done;
  }
  std::string out;
  for (const rewriting::Rule& r : rewriting::all_rules()) {
    out += (out.empty() ? "" : "\n") + tone(r.name, Tone::Head, on_terminal(1));
    for (const rewriting::ParameterKind k : r.parameters)
      out += k == rewriting::ParameterKind::Size    ? " SIZE"
             : k == rewriting::ParameterKind::Level ? " LEVEL"
             : k == rewriting::ParameterKind::Place ? " PLACE"
                                                    : " FACT";
    out += "\n  matches  " + r.matches + "\n  gives    " + r.gives + "\n";
    if (!r.when.empty()) out += "  when     " + r.when + "\n";
    if (!r.law.empty()) out += "  law      " + r.law + "\n";
  }
  print(out);
  return done;
}

void refuse_options(const Options& options) {
  if (options.program.empty())
    fail(invalid, "a program is missing", "lockstep derive FILE[:FUN] --strategy FILE.strat");
  if (options.strategy.empty() == options.replay.empty())
    fail(invalid, options.strategy.empty() ? "a strategy is missing" : "--strategy and --replay are given both",
         "give --strategy FILE.strat, or --replay DERIVATION.json for a saved derivation");
  if (!options.output.empty() && !options.output.ends_with(".json") && !options.output.ends_with(".dpia"))
    fail(invalid, "--output " + options.output + " ends in neither .dpia nor .json",
         "OUT.dpia is the program at the end, OUT.json the derivation");
}

std::string result_text(const CheckedDerivation& d, const Json& json) {
  return d.report.steps.empty() ? json.at("source").get<std::string>() : d.report.steps.back().program.text;
}

void write(const std::string& path, const std::string& text) {
  if (const auto written = write_files_atomically({{path, text}}); !written) fail(machine, written.error());
}

// " at n = 0, 1, 64": all of them where one name is enough, else how many.
std::string range_of(const std::vector<SizeValues>& all) {
  std::set<SizeValues> sizes(all.begin(), all.end());
  if (sizes.begin()->empty()) return "";
  if (sizes.begin()->size() > 1) return " at " + show_count(sizes.size(), "choice") + " of sizes";
  std::string out = " at " + sizes.begin()->begin()->first + " =";
  const char* before = " ";
  for (const SizeValues& s : sizes) {
    out += before + std::to_string(s.begin()->second);
    before = ", ";
  }
  return out;
}

// What verify finds of the result, in a line.
std::string verified(const CheckedDerivation& d, const LoadedProgram& loaded) {
  props::VerifyOptions how;
  how.languages = proofs::lawful_languages;
  how.seed = d.tests.seed;
  how.inputs = d.tests.inputs;
  how.limit = d.tests.limit;
  Progress progress;
  how.listener.progress = [&](const std::string& what, std::size_t done, std::size_t all) {
    progress.step(what, done, all);
  };
  const props::VerifyReport r =
      props::verify(d.report.steps.empty() ? d.source : d.report.steps.back().program.program, loaded.calculus, how);
  for (const props::Row& s : r.stages)
    if (s.wrong()) throw Failure{disagrees, "the result is wrong after the stage " + s.name, {}, true};
  std::string targets;
  for (const props::Row& t : r.targets) {
    if (t.disagreement)
      throw Failure{disagrees,
                    "the result differs on the target " + t.name + "\n  on        " + t.disagreement->input +
                        "\n  expected  " + t.disagreement->expected + "\n  found     " + t.disagreement->found,
                    {},
                    true};
    targets += ", " + t.name + (t.unavailable.empty() ? "" : " not run: " + t.unavailable);
  }
  if (const auto why = r.insufficient()) throw Failure{disagrees, "the result: " + *why, {}, true};
  return "tested on " + show_count(r.inputs.sizes.size(), "input") + ": " + show_count(r.stages.size(), "stage") +
         targets;
}

}  // namespace

int derive(const Options& options, const Calculus& calculus) {
  if (options.explain) return explain(options, calculus);
  if (options.rules) {
    if (!options.program.empty())
      fail(invalid, "--rules lists the rules of any program: leave " + options.program + " out");
    refuse_given(options, {"--strategy", "--replay", "--output", "--verify", "--seed", "--inputs", "--limit"},
                 "says nothing to --rules, which only lists the rules");
    return list_rules(options.json);
  }
  refuse_options(options);
  check_inputs(options);
  const ProgramName name = program_name(options.program);
  const LoadedProgram loaded = load_program(name.file, calculus);
  const PhraseProgram& program = entry_point(loaded, name);
  CheckedDerivation d = [&] {
    Progress progress;
    props::DeriveOptions how;
    how.seed = options.seed;
    how.inputs = options.inputs;
    how.limit = options.limit;
    how.progress = [&](const std::string& what, std::size_t done, std::size_t all) { progress.step(what, done, all); };
    return options.strategy.empty() ? replay(options.replay, loaded, program, how, options.given)
                                    : derive_by(options.strategy, loaded, program, how);
  }();
  Json json = json_of(d, loaded.calculus);
  if (!options.json)
    print(text_of(d, loaded.calculus, on_terminal(1)));
  else if (!d.report.agrees())
    print(json);
  refuse_wrong(d);
  if (options.output.ends_with(".dpia")) write(options.output, result_text(d, json));
  if (options.output.ends_with(".json"))
    write(options.output, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  const std::string found = options.verify ? verified(d, loaded) : "";
  if (options.json) {
    if (options.verify) json["verify"] = found;
    print(json);
    return done;
  }
  std::string text = "\n" + show_count(d.steps.size(), "step") + (options.replay.empty() ? "" : ", as saved");
  if (const auto& inputs = d.report.inputs; !inputs.sizes.empty())
    text += "; " + show_count(inputs.sizes.size(), "input") + " (seed " + std::to_string(d.tests.seed) + ")" +
            range_of(inputs.sizes) +
            (inputs.endless > 0 ? "; " + std::to_string(inputs.endless) + " more did not end within " +
                                      std::to_string(inputs.limit) + " rounds of `while`"
                                : "");
  if (options.verify) text += "\nverify: " + found;
  print(text + "\n");
  return done;
}

}  // namespace lockstep::driver

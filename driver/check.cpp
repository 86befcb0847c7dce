// lockstep check: what is known of a program's sizes, and how; and which of the proofs `prove` is asked for.
#include <nlohmann/json.hpp>

#include "driver/commands.h"
#include "driver/prove_file.h"

namespace lockstep::driver {
namespace {

int obligations_of(const Options& options) {
  const ProgramName name = program_name(options.program);
  if (!name.function.empty())
    fail(invalid, "the whole file is checked: give " + name.file + " without :" + name.function);
  const LoadedProgram program = load_program(name.file);
  const auto& obligations = program.elaboration.obligations;
  if (options.json) {
    Json entries = Json::array(), list = Json::array();
    for (const PhraseProgram& e : program.elaboration.entries) entries.push_back(head_of(e));
    for (const Obligation& o : obligations) list.push_back(json_of(o));
    print(Json{{"ok", true},
               {"file", name.file},
               {"definitions", program.surface.definitions.size()},
               {"entry_points", std::move(entries)},
               {"obligations", std::move(list)},
               {"seconds", program.seconds}});
    return done;
  }
  std::string text;
  if (!obligations.empty()) text += table_of(obligations, false).text(on_terminal(1)) + "\n";
  text += name.file + ": " + show_count(program.surface.definitions.size(), "definition") + ", " +
          summary_of(obligations) + "; " + show_seconds(program.seconds) + "\n";
  print(text);
  return done;
}

}  // namespace

int check_command(const Options& options) { return obligations_of(options); }

int prove_command(const Options& options) {
  if (options.program.empty()) {
    refuse_given(options, {"--all"}, "lists what is proved of a program: give FILE",
                 "'lockstep prove --json' lists every obligation of the calculus");
    return prove_calculus(options);
  }
  if (!options.only.empty()) fail(invalid, "--only picks obligations of the calculus: give it without FILE");
  return prove_file(options);
}

}  // namespace lockstep::driver

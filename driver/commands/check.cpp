// lockstep check, prove, derive, targets: what a language says of its files, printed.
#include <nlohmann/json.hpp>

#include "driver/commands/commands.h"

namespace lockstep::driver {
namespace {

int say(const Options& options, const Said& said) {
  if (options.json)
    print(said.json);
  else
    print(said.text);
  return said.ok ? done : disagrees;
}

}  // namespace

void refuse_useless(const Frontend& f, const Options& options, const std::string& command) {
  for (const Useless& u : f.useless())
    if (u.command == command && options.given.contains(u.option)) fail(u.status, u.option + " " + u.why, u.help);
}

Loaded load(const Options& options, const std::string& command) {
  const ProgramName name = program_name(options.program);
  const Frontend& f = frontend_of_file(options.languages, name.file);
  refuse_useless(f, options, command);
  Loaded out{&f, f.load(name.file, options.asked), nullptr};
  out.entry = out.file->entry(name.function);
  return out;
}

namespace {
// What is proved rests on the trusted base, named once.
int say_proved(const Options& options, Said said) {
  said.text += trusted_text();
  return say(options, said);
}
}  // namespace

int check_command(const Options& options) {
  const ProgramName name = program_name(options.program);
  const Frontend& f = frontend_of_file(options.languages, name.file);
  refuse_useless(f, options, "check");
  return say(options, f.load(name.file, options.asked)->check(name.function));
}

int prove_command(const Options& options) {
  if (!options.program.empty()) {
    if (!options.only.empty()) fail(invalid, "--only picks obligations of the calculus: give it without FILE");
    const ProgramName name = program_name(options.program);
    const Frontend& f = frontend_of_file(options.languages, name.file);
    refuse_useless(f, options, "prove");
    return say_proved(options, f.load(name.file, options.asked)->prove(name.function, options));
  }
  refuse_given(options, {"--all"}, "lists what is proved of a program: give FILE",
               "'lockstep prove --json' lists every obligation of the calculus");
  refuse_given(options, {"--block-size", "--warp-size"}, "is of a program: give FILE");
  for (const Frontend* f : options.languages)
    if (auto said = f->prove(options)) return say_proved(options, std::move(*said));
  fail(invalid, "FILE is required: no language here has a calculus to prove");
}

int derive_command(const Options& options) {
  const ProgramName name = program_name(options.program);
  return frontend_of_file(options.languages, name.file).derive(options);
}

int tune_command(const Options& options) {
  const ProgramName name = program_name(options.program);
  return frontend_of_file(options.languages, name.file).tune(options);
}

int targets_command(const Options& options) {
  Table table({"programs", "target", "available", "runs on"});
  Json json = Json::array();
  for (const Frontend* f : options.languages)
    for (const Runner& t : f->targets()) {
      const std::string why = t.why_not();
      const bool can = why.empty();
      table.row({f->extension(), t.name, {can ? "yes" : "no: " + why, can ? Tone::Good : Tone::Faint}, t.runs_on});
      Json j{{"programs", f->extension()}, {"target", t.name}, {"available", can}, {"runs_on", t.runs_on}};
      if (!can) j["why_not"] = why;
      json.push_back(std::move(j));
    }
  return say(options, {table.text(on_terminal(1)), Json{{"targets", std::move(json)}}});
}

}  // namespace lockstep::driver

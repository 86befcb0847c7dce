// Languages and targets by name.
#include "driver/frontend.h"

#include "driver/campaign_reports.h"
#include "semantics/core/diagnostic.h"

namespace lockstep::driver {

std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string out;
  for (std::size_t k = 0; k < words.size(); ++k) out += (k == 0 ? "" : k + 1 == words.size() ? last : ", ") + words[k];
  return out;
}

const Frontend& frontend_named(const Languages& all, const std::string& name) {
  std::vector<std::string> names;
  for (const Frontend* f : all) {
    if (f->name() == name) return *f;
    names.push_back(f->name());
  }
  fail(invalid, "there is no language " + name, "it is " + joined(names, " or "));
}

const Frontend& frontend_of_file(const Languages& all, const std::string& file) {
  for (const Frontend* f : all)
    if (file.ends_with(f->extension())) return *f;
  return *all.front();
}

Runner target_named(const Languages& all, const Frontend& f, const std::string& name) {
  std::vector<std::string> names;
  for (Runner& t : f.targets()) {
    names.push_back(t.name);
    if (t.name != name) continue;
    if (const std::string why = t.why_not(); !why.empty())
      fail(machine, "the target " + name + " cannot run here: " + why, "'lockstep targets' lists those that can");
    return std::move(t);
  }
  const std::string known = "the targets of " + f.extension() + " programs are " + joined(names, " and ");
  for (const Frontend* other : all)
    for (const Runner& t : other->targets())
      if (t.name == name) fail(invalid, "the target " + name + " is for " + other->extension() + " programs", known);
  fail(invalid, "there is no target " + name, did_you_mean(name, names, known));
}

// Compiled ones come in the order of their speed, then the interpreters, the fastest last.
Runner default_target(const Frontend& f) {
  std::vector<Runner> all = f.targets();
  for (Runner& t : all)
    if (t.compiled && t.why_not().empty()) return std::move(t);
  for (std::size_t k = all.size(); k-- > 0;)
    if (!all[k].compiled && all[k].why_not().empty()) return std::move(all[k]);
  throw Bug("a language without an interpreter");
}

void add_strict(std::vector<Useless>& to) {
  for (const char* command : {"run", "verify", "stages", "cost", "prove", "emit", "bench"})
    to.push_back({command, "--strict", "is of .dpia programs: nothing else is reordered", "leave it out"});
  for (const char* command : {"run", "cost", "emit", "bench"})
    to.push_back({command, "--strategy", "is of .dpia programs: strategies rewrite no others yet", "", machine});
}

int Frontend::derive(const Options& options) const {
  fail(machine, options.program + ": strategies rewrite .dpia programs, not for " + extension() + " yet",
       "'lockstep stages " + options.program + "' shows what the compiler does to it");
}

int Frontend::tune(const Options& options) const { return derive(options); }

RandomPrograms Frontend::random_programs() const {
  fail(machine, "there are no random programs of " + extension() + " yet");
}

Said Frontend::mutants(const Options&) const { fail(machine, "there are no mutants of " + extension() + " yet"); }

EmittedText Entry::emit(const Options&) const { fail(machine, "no target of this language has a generated text yet"); }

Said Entry::fusion(const Options& options) const {
  fail(invalid, options.program + ": what fuses with what is told of .dpia and .l0 programs",
       "'lockstep stages " + options.program + "' shows what the compiler does to this one");
}

Said File::prove(const std::string&, const Options&) const {
  fail(machine, "there is nothing to prove of " + source->name + " yet",
       "'lockstep verify " + source->name + "' tests every stage");
}

std::optional<Said> Frontend::prove(const Options&) const { return {}; }

}  // namespace lockstep::driver

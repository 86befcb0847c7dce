// Reading a program; refusing what is none.
#include "driver/languages/dpia/program.h"

#include "driver/kernels/kernels.h"
#include "driver/languages/dpia/derivation.h"
#include "proofs/sizes/solver.h"

namespace lockstep::driver {
LoadedProgram load_program(const std::string& file, const Calculus& calculus) {
  const Stopwatch watch;
  LoadedProgram out{std::make_shared<const Source>(Source{file, read_source(file)}), calculus, {}, {}};
  out.surface = valid(parse_program(out.source));
  out.sizes = remembering(proofs::z3_size_solver());
  out.elaboration = valid(infer(out.surface, out.calculus, out.sizes, Calls::Left));
  out.seconds = watch.seconds();
  return out;
}

PhraseProgram entry_point(const LoadedProgram& program, const ProgramName& name) {
  const auto chosen = [&](std::size_t k) {
    PhraseProgram out = valid(expanded(program.elaboration, k, program.calculus));
    set_launch(out.launch, program.asked);
    out.in_order = program.asked.strict;
    return program.asked.strategy.empty() ? out : by_strategy(program.asked.strategy, out, program.calculus);
  };
  const auto& entries = program.elaboration.entries;
  std::vector<std::string> names;
  for (const PhraseProgram& e : entries) names.push_back(e.name);
  if (name.function.empty()) {
    if (entries.empty())
      fail(invalid, name.file + " has no entry point",
           "a function whose parameters and result are data (no functions, no type variables) is one");
    return chosen(entries.size() - 1);
  }
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (entries[k].name == name.function) return chosen(k);
  for (const surface::Definition& d : program.surface.definitions)
    if (d.name == name.function)
      fail(invalid, name.function + " is no entry point of " + name.file,
           "an entry point's parameters and result are data, no functions and no type variables, and its mapWarp and "
           "toLocal stand in mapWorkgroup");
  fail(invalid, name.file + " defines no function " + name.function,
       did_you_mean(name.function, names, names.empty() ? "" : "its entry points are " + comma_list(names)));
}

static std::string where(const std::vector<SizeFact>& facts) {
  std::string out;
  for (const SizeFact& f : facts) out += (out.empty() ? " where " : ", ") + show(f);
  return out;
}

std::string head_of(const PhraseProgram& p) {
  std::string out = p.name;
  const std::size_t implicit = p.sizes.size() - p.explicit_sizes;
  for (std::size_t k = 0; k < implicit; ++k) out += (k ? " " : " [") + p.sizes[k] + (k + 1 == implicit ? "]" : "");
  for (std::size_t k = implicit; k < p.sizes.size(); ++k) out += " (" + p.sizes[k] + " : nat)";
  for (const auto& [name, type] : p.parameters) out += " (" + name + " : " + show(type) + ")";
  return out + " : " + show(p.result) + where(p.facts) + show(p.launch);
}

std::string head_of(const inference::Defined& d) {
  std::string out = d.name;
  for (const std::string& n : d.implicit_sizes) out += (&n == &d.implicit_sizes.front() ? " [" : " ") + n;
  if (!d.implicit_sizes.empty()) out += "]";
  for (const auto& [name, type] : d.parameters) out += " (" + name + " : " + (type ? show(*type) : "nat") + ")";
  return out + " : " + show(d.result) + where(d.facts) + show(d.launch);
}

}  // namespace lockstep::driver

// Reading a .l0 file; refusing what is none.
#include "driver/languages/l0/program.h"

#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace lockstep::driver {

L0File load_l0(const std::string& name) {
  const Stopwatch watch;
  L0File out{std::make_shared<const Source>(Source{name, read_source(name)}), {}, 0};
  out.program = valid(l0::checked(valid(l0::parse_program(out.source))));
  out.seconds = watch.seconds();
  return out;
}

const l0::Function& entry_point(const L0File& file, const ProgramName& name) {
  if (name.function.empty()) return file.program.functions.back();
  if (const l0::Function* f = l0::function_named(file.program, name.function)) return *f;
  std::vector<std::string> names;
  for (const l0::Function& f : file.program.functions) names.push_back(f.name);
  fail(invalid, name.file + " defines no function " + name.function,
       did_you_mean(name.function, names, "its functions are " + comma_list(names)));
}

std::string head_of(const l0::Function& f) {
  std::string out = l0::show(f.result) + " " + f.name + "(";
  for (const l0::Parameter& p : f.parameters)
    out += (&p == &f.parameters.front() ? "" : ", ") + l0::show(p.type) + " " + p.name;
  return out + ")";
}

}  // namespace lockstep::driver

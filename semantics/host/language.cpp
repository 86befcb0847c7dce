// What the language of host programs gives (language.h).
#include "semantics/host/language.h"

#include "semantics/host/run.h"
#include "semantics/kernel/cost.h"

namespace lockstep::host {

LanguageRef language() {
  static const LanguageRef language = [] {
    auto out = std::make_shared<ArrayLanguage>();
    out->name = "host";
    out->orders = out->in_turns = 3;
    out->print = [](const AnyProgram& p) { return print(p.as<Program>()); };
    out->equal = [](const AnyProgram& a, const AnyProgram& b) { return a.as<Program>() == b.as<Program>(); };
    out->check = [](const AnyProgram& p, const SizeImplication&) { return check(p.as<Program>()); };
    out->nodes = [](const AnyProgram& p) { return node_count(p.as<Program>()); };
    out->cost = [](const AnyProgram& p) { return kernel::cost(in_one_memory(p.as<Program>())); };
    out->meaning = [](const AnyProgram& any, const ArrayInput& in, const Domain& domain,
                      const ArrayRun& how) -> Attempt {
      const auto& p = any.as<Program>();
      kernel::RunOptions options{static_cast<kernel::Schedule>(how.order), how.seed, how.watched && how.order == 0, 0,
                                 how.rounds};
      options.counted = how.counted;
      return kernel::attempt_of(p.of, run(p, in.sizes, kernel::buffers_of(p.of, in), domain, options));
    };
    return out;
  }();
  return language;
}

const kernel::Program& called_as(const AnyProgram& program) {
  const auto* host = program.as_if<Program>();
  return host ? host->of : program.as<kernel::Program>();
}

AnyProgram renamed(const AnyProgram& program, const std::string& name) {
  if (const auto* host = program.as_if<Program>()) {
    Program out = *host;
    out.of.name = name;
    return AnyProgram(program.language_ref(), std::move(out));
  }
  kernel::Program out = program.as<kernel::Program>();
  out.name = name;
  return AnyProgram(program.language_ref(), std::move(out));
}

}  // namespace lockstep::host

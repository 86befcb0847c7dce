// What the language of kernels gives (language.h).
#include "semantics/kernel/language.h"

#include "semantics/kernel/check.h"
#include "semantics/kernel/cost.h"
#include "semantics/kernel/parse.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"

namespace lockstep::kernel {

Buffers buffers_of(const Program& program, const ArrayInput& input) {
  Buffers out;
  std::size_t k = 0;
  for (std::vector<Scalar>& scalars : input.leaves()) out[program.inputs.at(k++).name] = std::move(scalars);
  return out;
}

Attempt attempt_of(const Program& program, const tl::expected<Buffers, Stop>& outputs) {
  if (outputs) {
    Scalars out;
    for (const Buffer& b : program.outputs) out.push_back(outputs->at(b.name));
    return Outcome(std::move(out));
  }
  if (const auto* trap = std::get_if<Trap>(&outputs.error())) return Outcome(tl::unexpected(*trap));
  if (const auto* fault = std::get_if<Fault>(&outputs.error()))
    return tl::unexpected(std::string(show(fault->kind)) + ": " + fault->message);
  throw Bug("the domain cannot decide");
}

LanguageRef language(std::shared_ptr<const Calculus> calculus, bool synchronised) {
  auto out = std::make_shared<Language>();
  const std::weak_ptr<const Language> self = out;
  out->name = "kernel";
  out->synchronised = synchronised;
  out->orders = out->in_turns = 3;
  out->print = out->write = [](const AnyProgram& p) { return print(p.as<Program>()); };
  out->parse = [calculus, self](const SourceRef& source) {
    return as_program(self, parse(source, [&](std::string_view name) {
                        const auto* entry = calculus->find(name);
                        return entry ? &entry->primitive : nullptr;
                      }));
  };
  out->equal = [](const AnyProgram& a, const AnyProgram& b) { return a.as<Program>() == b.as<Program>(); };
  out->check = [](const AnyProgram& p, const SizeImplication&) { return check(p.as<Program>()); };
  out->nodes = [](const AnyProgram& p) { return node_count(p.as<Program>()); };
  out->cost = [](const AnyProgram& p) { return cost(p.as<Program>()); };
  out->meaning = [synchronised](const AnyProgram& any, const ArrayInput& in, const Domain& domain,
                                const ArrayRun& how) -> Attempt {
    const auto& p = any.as<Program>();
    RunOptions options{static_cast<Schedule>(how.order), how.seed, how.watched && how.order == 0 && synchronised, 0,
                       how.rounds};
    options.counted = how.counted;
    return attempt_of(p, run(p, in.sizes, buffers_of(p, in), domain, options));
  };
  return out;
}

}  // namespace lockstep::kernel

#include "translate/lowered/in_calculus.h"

#include "semantics/functional/syntax/print.h"

namespace lockstep {

surface::Program program_of(const LoweredProgram& l) {
  surface::Program out{l.called};
  out.definitions.push_back(l.definition);
  return out;
}

tl::expected<InCalculus, NotLowered> with_types(LoweredProgram lowered, const Calculus& calculus,
                                                const SizeSolver& solver) {
  const surface::Program program = program_of(lowered);
  auto inferred = infer(program, calculus, solver);
  // Conditions may contradict each other, or leave sizes at which it traps for certain.
  if (!inferred && !lowered.definition.facts.empty())
    return tl::unexpected(NotLowered{inferred.error().front().region,
                                     "on the sizes at which it runs, " + inferred.error().front().message});
  if (!inferred)
    throw Bug("the lowered program is none of .dpia: " + render(inferred.error().front()) + "\n" + print(program));
  PhraseProgram typed = std::move(inferred->entries.back());
  typed.fused = typed.in_order = true;
  return InCalculus{std::move(lowered), std::move(typed), std::move(inferred->obligations)};
}

}  // namespace lockstep

// Kernels as a language (semantics/language).
#pragma once
#include "semantics/kernel/run.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::kernel {

// The scalars of an input's leaves, by the names of the program's buffers.
Buffers buffers_of(const Program& program, const ArrayInput& input);
// What a run came to: outputs or a trap, or the fault in words. Not of the bounded domain.
Attempt attempt_of(const Program& program, const tl::expected<Buffers, Stop>& outputs);

// `synchronised`: barriers stand where they are needed, and races are looked for.
struct Language : ArrayLanguage {
  bool synchronised = true;
};
LanguageRef language(std::shared_ptr<const Calculus> calculus, bool synchronised);

}  // namespace lockstep::kernel

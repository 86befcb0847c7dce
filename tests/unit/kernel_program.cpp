// Kernel programs for tests (kernel_program.h): scalar operators are looked up in the standard list.
#include "tests/unit/kernel_program.h"

#include "semantics/kernel/parse.h"
#include "semantics/primitives/operators.h"
#include "translate/dpia/stage.h"

namespace lockstep::kernel {

Program program_from(const std::string& text) {
  auto lookup = [](std::string_view name) -> const PrimitiveRef* {
    static const std::vector<PrimitiveRef> all = scalar_operators();
    for (const PrimitiveRef& p : all)
      if (p->name == name) return &p;
    return nullptr;
  };
  auto source = std::make_shared<const Source>(Source{"test.kernel", text});
  auto program = parse(source, lookup);
  if (!program) throw std::runtime_error(render(program.error().front()));
  return *program;
}

Program dealt_out_from(const std::string& text) { return dealt_out(program_from(text)); }

}  // namespace lockstep::kernel

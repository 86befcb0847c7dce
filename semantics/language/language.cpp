// What follows from what a language gives (language.h).
#include "semantics/language/language.h"

namespace lockstep {

std::string wrong_read_back(const AnyProgram& program) {
  const Language& language = program.language();
  const auto again =
      language.parse(std::make_shared<const Source>(Source{"program." + language.name, language.write(program)}));
  if (!again) return render(again.error().front());
  if (language.equal(*again, program)) return "";
  return "the " + language.name + " that is read back is another:\n" + language.print(*again);
}

}  // namespace lockstep

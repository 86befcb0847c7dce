// The languages: one line each, NAME for `const Frontend& NAME_language()`.
#include "driver/languages/list.h"

#define LOCKSTEP_LANGUAGES(LANGUAGE) \
  LANGUAGE(dpia)                     \
  LANGUAGE(snesl)

namespace lockstep::driver {

#define LOCKSTEP_DECLARE(name) const Frontend& name##_language();
LOCKSTEP_LANGUAGES(LOCKSTEP_DECLARE)

Languages listed_languages() {
#define LOCKSTEP_LIST(name) &name##_language(),
  return {LOCKSTEP_LANGUAGES(LOCKSTEP_LIST)};
}

}  // namespace lockstep::driver

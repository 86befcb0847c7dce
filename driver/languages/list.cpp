// The languages: one line each, NAME for `const Frontend& NAME_language()`.
#include "driver/frontend.h"

#define LOCKSTEP_LANGUAGES(LANGUAGE) \
  LANGUAGE(dpia)                     \
  LANGUAGE(snesl)

namespace lockstep::driver {

#define LOCKSTEP_DECLARE(name) const Frontend& name##_language();
LOCKSTEP_LANGUAGES(LOCKSTEP_DECLARE)

const std::vector<const Frontend*>& frontends() {
#define LOCKSTEP_LIST(name) &name##_language(),
  static const std::vector<const Frontend*> all{LOCKSTEP_LANGUAGES(LOCKSTEP_LIST)};
  return all;
}

}  // namespace lockstep::driver

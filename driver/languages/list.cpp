// The `lockstep` command: the command line over its languages, one line each: NAME for `const Frontend&
// NAME_language()`.
#include "driver/commands/command_line.h"

#define LOCKSTEP_LANGUAGES(LANGUAGE) \
  LANGUAGE(dpia)                     \
  LANGUAGE(snesl)                    \
  LANGUAGE(l0)                       \
  LANGUAGE(fcl)

namespace lockstep::driver {

#define LOCKSTEP_DECLARE(name) const Frontend& name##_language();
LOCKSTEP_LANGUAGES(LOCKSTEP_DECLARE)

}  // namespace lockstep::driver

int main(int argc, char** argv) {
#define LOCKSTEP_LIST(name) &lockstep::driver::name##_language(),
  return lockstep::driver::run_command_line(argc, argv, {LOCKSTEP_LANGUAGES(LOCKSTEP_LIST)});
}

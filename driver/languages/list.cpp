// The languages: one line each.
#include "driver/languages/dpia/dpia.h"
#include "driver/languages/snesl/snesl.h"

namespace lockstep::driver {

const std::vector<const Frontend*>& frontends() {
  static const std::vector<const Frontend*> all{&dpia(), &snesl_language()};
  return all;
}

}  // namespace lockstep::driver

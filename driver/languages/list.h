// The languages of the `lockstep` command.
#pragma once
#include "driver/frontend.h"

namespace lockstep::driver {

Languages listed_languages();

}  // namespace lockstep::driver

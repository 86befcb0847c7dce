// lockstep campaign: random programs through every stage.
#include "driver/commands.h"

namespace lockstep::driver {

int campaign_command(const Options&) {
  fail(machine, "the campaign of random programs arrives with a later version", "'lockstep verify FILE' takes one program through every stage");
}

}  // namespace lockstep::driver

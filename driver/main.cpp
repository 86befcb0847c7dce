// The `lockstep` command: the command line over the languages that are listed.
#include "driver/commands/command_line.h"
#include "driver/languages/list.h"

int main(int argc, char** argv) {
  return lockstep::driver::run_command_line(argc, argv, lockstep::driver::listed_languages());
}

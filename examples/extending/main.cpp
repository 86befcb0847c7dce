// `extended` is lockstep with three primitives more: its command line over a calculus of our own.
#include "driver/commands/command_line.h"
#include "driver/languages/dpia/dpia.h"
#include "driver/languages/snesl/snesl.h"
#include "primitives.h"

using namespace lockstep;

int main(int argc, char** argv) {
  Calculus calculus = standard_calculus();
  calculus.add(rotate_primitive());
  calculus.add(pairwise_primitive());
  calculus.add(tally_primitive());
  const auto dpia = driver::dpia_over(std::move(calculus));
  return driver::run_command_line(argc, argv, {dpia.get(), &driver::snesl_language()});
}

// A .l0 file as the commands need it: read, parsed, its types and uses checked.
#pragma once
#include "driver/options.h"
#include "driver/report.h"
#include "driver/source.h"
#include "semantics/l0/syntax.h"

namespace lockstep::driver {

struct L0File {
  SourceRef source;
  l0::Program program;  // typed
  double seconds = 0;   // parsing and checks
  AskedRun asked{};
};
// A Failure with status 2 where anything is wrong with the file.
L0File load_l0(const std::string& file);
const l0::Function& entry_point(const L0File& file, const ProgramName& name);
std::string head_of(const l0::Function& f);  // "*[int] set(*[int] a, int i)"

}  // namespace lockstep::driver

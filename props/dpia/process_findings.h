// What is wrong where a process of compiled programs did not end well, or a text says that it is at fault.
#pragma once
#include "codegen/targets/batch.h"
#include "props/engine/campaign.h"

namespace lockstep::props {

// `text`: of the program that was called, whose lines are said as NAME:12. The first report of a sanitizer, a fault
// with its line, a signal, or too long a time. Stage and input are the caller's.
Finding finding_of(const BatchRun& run, Sanitizer sanitizer, double seconds, const CSource& text,
                   const std::string& name);

}  // namespace lockstep::props

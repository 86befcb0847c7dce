// Words for what the sizes of a program of the calculus owe: where each obligation stands, how many were discharged
// how.
#pragma once
#include "driver/report.h"
#include "semantics/functional/inference/infer.h"

namespace lockstep::driver {

Json json_of(const SizeObligation& obligation);
std::string summary_of(const std::vector<SizeObligation>& obligations);
Table table_of(const std::vector<SizeObligation>& obligations, bool with_time);

}  // namespace lockstep::driver

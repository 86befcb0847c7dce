// What a program costs on a GPU (semantics/kernel/gpu_cost.h), for `cost`: as text, and as JSON.
#pragma once
#include <nlohmann/json.hpp>

#include "driver/report.h"
#include "semantics/kernel/gpu_cost.h"

namespace lockstep::driver {

// Of a kernel for the GPU, at sizes where there are some. Nothing of one without parallel loops, or that its checks
// refuse.
std::string gpu_cost_text(const kernel::Program& program, const SizeValues& sizes, bool colour);
std::optional<Json> gpu_cost_json(const kernel::Program& program, const SizeValues& sizes);

}  // namespace lockstep::driver

// What is asserted of the functions of reductions (L0 §2.1; l0.md §1, E6), proved, tested or refuted.
#pragma once
#include "driver/languages/l0/program.h"

namespace lockstep::driver {

// Of the entry point before anything is fused: claims and lines for the report. A function that is not associative on
// numbers is refuted; one that is not where numbers wrap or are rounded is told of: its operation runs in order.
void add_laws(const L0File& file, const l0::Function& entry, props::Report& report);

}  // namespace lockstep::driver

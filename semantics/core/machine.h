// What runs a program in the end.
#pragma once

namespace lockstep {

// Decides the default strategy of `map` and what hoisting may do.
enum class Machine { Cpu, Gpu };

}  // namespace lockstep

// L0 §3: fusion of array operations, and what became of each pair of them.
#pragma once
#include "semantics/l0/syntax.h"
#include "translate/fusion/decision.h"

namespace lockstep::l0 {

enum class FusionMode : unsigned char {
  Off,
  Paper,  // once, and again in the functions of what was fused (§3.4)
  Full    // until nothing changes
};

// Of a typed program in normal form with distinct names, for this entry point. What is decided goes behind `decisions`,
// in the place of what was decided of the same producers there. Fused functions are simplified.
Program fused(const Program& p, const std::string& function, FusionMode mode,
              std::vector<fusion::Decision>* decisions = nullptr, const fusion::Parts& parts = {});

}  // namespace lockstep::l0

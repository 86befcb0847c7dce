// L0 §3: fusion of array operations, and what became of each pair of them.
#pragma once
#include <functional>
#include <memory>

#include "semantics/l0/syntax.h"
#include "translate/fusion/reduction.h"

namespace lockstep::l0 {

enum class FusionMode : unsigned char {
  Off,
  Paper,  // once, and again in the functions of what was fused (§3.4)
  Full    // until nothing changes
};

// Of an operation, or a replicate, and one that goes over what it makes.
struct FusionDecision {
  std::string producer, consumer;  // the names that they bind: "x, y"
  Region producer_at{}, consumer_at{};
  std::string rule{};                          // "map∘map", by which they were fused
  std::optional<fusion::Obstacle> obstacle{};  // why they were not
  bool interesting = false;                    // Fig. 18
};

// Of a typed program in normal form with distinct names, for this entry point. What is decided goes behind `decisions`,
// in the place of what was decided of the same producers there. Fused functions are simplified.
Program fused(const Program& p, const std::string& function, FusionMode mode,
              std::vector<FusionDecision>* decisions = nullptr, const fusion::Parts& parts = {});

}  // namespace lockstep::l0

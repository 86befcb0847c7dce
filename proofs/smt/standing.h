// What is known of something that must hold, in every prover here.
#pragma once
#include <string_view>

namespace lockstep::proofs {

// The later the worse. Excepted: hangs on data that no check bounds, and is tested only.
enum class Standing { Proved, Tested, Assumed, Excepted, Unknown, Refuted };
inline std::string_view show(Standing s) {
  constexpr std::string_view names[] = {"proved", "tested", "assumed", "excepted", "unknown", "refuted"};
  return names[static_cast<int>(s)];
}

}  // namespace lockstep::proofs

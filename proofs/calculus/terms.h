// The obligations of the calculus are written in the solvers' terms, whose names are at hand in the folders below. What
// reading lowerings as terms has in common.
#pragma once
#include <tl/expected.hpp>

#include "proofs/sizes/terms.h"
#include "proofs/smt/term.h"
#include "semantics/core/diagnostic.h"

namespace lockstep::proofs {

using namespace smt;

// Thrown by what reads a command, a check or a kernel as terms.
struct NotUnderstood {
  std::string what;
};

// What f reads, or why it is not understood.
template <class F>
auto understood(F f) -> tl::expected<decltype(f()), std::string> {
  try {
    return f();
  } catch (const NotUnderstood& n) {
    return tl::unexpected(n.what);
  } catch (const Bug& b) {
    return tl::unexpected(std::string(b.what()));
  }
}

}  // namespace lockstep::proofs

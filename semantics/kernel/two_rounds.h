// A while loop of two rounds: while (c) { s...; if (c) { t } else { u } }, u leaving c as it is. Where c does not hold
// the loop is through, so that rounds are s, t, s, ..., and u comes once, behind an odd number of them.
#pragma once
#include "semantics/kernel/syntax.h"

namespace lockstep::kernel {

struct TwoRounds {
  const std::vector<Stmt>* body;  // of the loop; the branch is the last
  const If* branch;
  Stmt first() const { return {Block{{body->begin(), body->end() - 1}}}; }
};
std::optional<TwoRounds> two_rounds(const While& w);

}  // namespace lockstep::kernel

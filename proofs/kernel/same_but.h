// Two programs that are one but for checks, or other differences that are told: which those are, and what is to be
// shown of each check. Private to *checks.cpp, moves.cpp and
// swaps.cpp.
#pragma once
#include "proofs/kernel/parts.h"

namespace lockstep::proofs::kernels {

// The two walked side by side; what a difference may be, the class says that derives from it.
class SameBut {
 public:
  virtual ~SameBut() = default;
  // The checks that make the difference, by number in the order of the text; nothing where there is another one.
  std::optional<std::vector<std::size_t>> run(const kernel::Program& before, const kernel::Program& after);

 protected:
  bool same(const kernel::Stmt& before, const kernel::Stmt& after);
  // Of a block; here one by one.
  virtual bool statements(const std::vector<kernel::Stmt>& before, const std::vector<kernel::Stmt>& after);
  // Of what are statements of two kinds, loops of two variables, extents or levels, or while loops, before their
  // bodies.
  virtual bool other(const kernel::Stmt& before, const kernel::Stmt& after);

  std::size_t checks_ = 0;  // passed so far
  std::vector<std::size_t> found_{};
};

// What is said of such checks.
struct CheckClaims {
  std::string only, differ;   // that there is no other difference, and what is said where there is
  std::string name, refuted;  // before and behind a condition
  // Where it has to hold.
  std::function<Situation(const Accesses&, const CheckAt&)> where;
};
// Of checks of p by number.
Obligations of_checks(const kernel::Program& p, const std::optional<std::vector<std::size_t>>& which,
                      const CheckClaims& says, Prover& prover);

}  // namespace lockstep::proofs::kernels

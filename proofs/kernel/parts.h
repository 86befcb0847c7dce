// The obligations of a kernel program, a function for each kind; obligations.cpp puts them together.
#pragma once
#include <algorithm>
#include <chrono>

#include "proofs/kernel/obligations.h"
#include "proofs/kernel/prover.h"
#include "proofs/kernel/small.h"

namespace lockstep::proofs::kernels {

using Obligations = std::vector<ProgramObligation>;

Obligations bounds_obligations(const Accesses& a, Prover& prover);  // Bounds and Divisions
Obligations race_obligations(const Accesses& a, Prover& prover);    // of parallel loops
Obligations group_obligations(const Accesses& a, Prover& prover);   // Races of a block's threads, a warp's lanes
Obligations initial_obligations(const Accesses& a, Prover& prover);
Obligations barrier_obligations(const Accesses& a);
std::vector<MarkedOnce> marked_once(const kernel::Program& p, Prover& prover);

// What must hold where something stands, as one obligation.
struct Claim {
  ObligationKind kind;
  std::string name;
  const Situation* where;
  Region from;
  Term goal;
  std::string what;  // of a counterexample: "index 3 of 3", with the terms' values in place of {0}, {1}
  std::vector<Term> shown;
};
ProgramObligation settle(const Accesses& a, const Claim& c, Prover& prover);

// What names are called in an iteration of these loops that is another one.
std::function<std::string(const std::string&)> apart_from(const Accesses& a, const std::vector<int>& differing);

// Steps of a search for a counterexample.
constexpr std::size_t search_budget = 60000;

// Two accesses and how their iterations relate.
struct Meeting {
  const Access* x;
  const Access* y;
  std::size_t common;  // this many of the outermost loops are at the same iteration
  enum class Order {
    Different,  // the next common loop's iterations are two different ones
    Before,     // x's comes before y's, of the same unit where the loop is dealt out
    Next,       // y's is the one after x's, of the same unit where the loop is dealt out
    Together    // no further common loop
  } order;
  // The workgroup loop whose threads meet, or the warp loop whose lanes do: a barrier between the two keeps them apart.
  int group = -1;
};
// Which of the group's threads makes an access: of the warps of a loop, of a local loop's iterations; -1: all of them.
struct Runner {
  int warp = -1, local = -1;
  bool first = false;  // of the block, or of the warp: it runs iteration 0 of local loops
};
Runner runner_of(const Accesses& a, const Access& x, int group);
// Whether they touch no scalar together. Violated ones have the two accesses in `detail`.
struct MeetingVerdict {
  Standing standing;
  Method method{};
  std::string detail;
  std::optional<SizeValues> sizes{};  // as a ProgramObligation's
};
MeetingVerdict meeting_verdict(const Accesses& a, const Meeting& m, Prover& prover);
std::vector<Region> places_of(const std::vector<const Access*>& xs);  // where they stand

// Whether what `read` reads is in what the writes to its place before it cover, or `only` alone.
MeetingVerdict covered(const Accesses& a, const Access& read, Prover& prover, const Access* only);

struct Counterexample {
  std::string text;
  SizeValues sizes;  // the program's
};
void refute(ProgramObligation& o, const Counterexample& c);
MeetingVerdict refuted(const Counterexample& c);

// One obligation out of several questions.
void add_to(ProgramObligation& o, const MeetingVerdict& v);

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// How many of the outermost loops they share.
inline std::size_t common_loops(const Access& x, const Access& y) {
  const auto& a = x.where.loops;
  const auto& b = y.where.loops;
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}
inline bool has(const std::vector<int>& xs, int x) { return std::count(xs.begin(), xs.end(), x) > 0; }

}  // namespace lockstep::proofs::kernels

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
Obligations block_obligations(const Accesses& a, Prover& prover);   // Races of a block's threads between barriers
Obligations initial_obligations(const Accesses& a, Prover& prover);
Obligations barrier_obligations(const Accesses& a);

// Steps of a search for a counterexample.
constexpr std::size_t search_budget = 60000;

// Two accesses and how their iterations relate.
struct Meeting {
  const Access* x;
  const Access* y;
  std::size_t common;  // this many of the outermost loops are at the same iteration
  enum class Order {
    Different,  // the next common loop's iterations are two different ones
    Before,     // x's comes before y's
    Next,       // y's is the one after x's
    Together    // no further common loop
  } order;
  // Local loops whose iterations differ, so that two threads meet; -1 where all threads of the block come.
  int x_local = -1, y_local = -1;
  bool not_first = false;  // the other is the first thread, which runs iteration 0
  int block = -1;          // the workgroup loop whose threads meet: a barrier between the two keeps them apart
};
// Whether they touch no scalar together. Violated ones have the two accesses in `detail`.
struct MeetingVerdict {
  Standing standing;
  Method method{};
  std::string detail;
  std::optional<SizeValues> sizes{};  // as a ProgramObligation's
};
MeetingVerdict meeting_verdict(const Accesses& a, const Meeting& m, Prover& prover);

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

inline bool has(const std::vector<int>& xs, int x) { return std::count(xs.begin(), xs.end(), x) > 0; }

}  // namespace lockstep::proofs::kernels

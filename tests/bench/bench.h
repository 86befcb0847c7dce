// The project's benchmarks: the bars that it has set itself, measured side by side in one run.
#pragma once
#include <functional>

namespace lockstep::bench {

struct Pair {
  double first, second;  // seconds, medians
};
// The two taking turns, so that what else the machine does falls on both.
Pair side_by_side(const std::function<void()>& a, const std::function<void()>& b, int rounds = 15);
double median_of(const std::function<void()>& f, int rounds = 7);

void blas();
void streaming();  // the engine
void tool();  // what a user waits for: check, stages, run, interpreters, campaign, memory

}  // namespace lockstep::bench

// The project's benchmarks: the bars that it has set itself, measured side by side in one run.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace lockstep::bench {

struct Times {
  double least, median;  // seconds
};
// All of them taking turns, so that what else the machine does falls on each; once before that for nothing.
std::vector<Times> taking_turns(const std::vector<std::function<void()>>& all, int rounds);
struct Pair {
  double first, second;  // seconds, medians
};
// Two of them.
Pair side_by_side(const std::function<void()>& a, const std::function<void()>& b, int rounds = 15);
double median_of(const std::function<void()>& f, int rounds = 7);

// A line of a report: what, the figure, and the bar that it meets or does not.
void row(const std::string& what, double measured, const char* unit, double bar, bool at_least = false);

void blas();
void defaults();                   // programs without a strategy beside the obvious C
void l0();                         // code made of .l0 programs against C++ loops
void fcl();                        // code made of .fcl programs against a memcpy of as many bytes
void tool();                       // what a user waits for: check, stages, run, interpreters, campaign, memory
void streaming();                  // the streaming engine against text tools and C loops
void scans();                      // its scans, and the circuits of thesis Fig. 4.4, against scalar loops
void write_text(long long bytes);  // what streaming() reads, to standard output

}  // namespace lockstep::bench

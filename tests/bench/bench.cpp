// ./dev bench [blas] [defaults] [l0] [fcl] [tool] [streaming] [scans], streaming with scans; with none of them, all.
#include "tests/bench/bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace lockstep::bench {
namespace {
double seconds_of(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}
}  // namespace

std::vector<Times> taking_turns(const std::vector<std::function<void()>>& all, int rounds) {
  for (const auto& f : all) f();
  std::vector<std::vector<double>> seconds(all.size());
  for (int k = 0; k < rounds; ++k)
    for (std::size_t f = 0; f < all.size(); ++f) seconds[f].push_back(seconds_of(all[f]));
  std::vector<Times> out;
  for (const auto& s : seconds) out.push_back({*std::min_element(s.begin(), s.end()), median(s)});
  return out;
}
Pair side_by_side(const std::function<void()>& a, const std::function<void()>& b, int rounds) {
  const std::vector<Times> t = taking_turns({a, b}, rounds);
  return {t[0].median, t[1].median};
}

void row(const std::string& what, double measured, const char* unit, double bar, bool at_least) {
  const bool met = at_least ? measured >= bar : measured <= bar;
  std::printf("  %-58s %10.*f %-10s bar %8.2f  %s\n", what.c_str(), measured < 100 ? 2 : 1, measured, unit, bar,
              met ? "met" : "NOT MET");
  std::fflush(stdout);
}

double median_of(const std::function<void()>& f, int rounds) {
  std::vector<double> t;
  for (int k = 0; k < rounds; ++k) t.push_back(seconds_of(f));
  return median(t);
}

}  // namespace lockstep::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--text") == 0) {  // streaming() starts this program again
    lockstep::bench::write_text(std::atoll(argv[2]));
    return 0;
  }
  const auto wanted = [&](const char* name) {
    bool any = false;
    for (int k = 1; k < argc; ++k) {
      if (std::strcmp(argv[k], name) == 0) return true;
      any = any || argv[k][0] != '-';
    }
    return !any;
  };
  // First, while this program is small: a child's peak is seen only above its parent's.
  if (wanted("streaming")) lockstep::bench::streaming();
  if (wanted("streaming") || wanted("scans")) lockstep::bench::scans();
  if (wanted("blas")) lockstep::bench::blas();
  if (wanted("defaults")) lockstep::bench::defaults();
  if (wanted("l0")) lockstep::bench::l0();
  if (wanted("fcl")) lockstep::bench::fcl();
  if (wanted("tool")) lockstep::bench::tool();
}

// ./dev bench [blas] [streaming] [tool]
#include "tests/bench/bench.h"

#include <algorithm>
#include <chrono>
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

Pair side_by_side(const std::function<void()>& a, const std::function<void()>& b, int rounds) {
  a(), b();
  std::vector<double> ta, tb;
  for (int k = 0; k < rounds; ++k) {
    ta.push_back(seconds_of(a));
    tb.push_back(seconds_of(b));
  }
  return {median(ta), median(tb)};
}
double median_of(const std::function<void()>& f, int rounds) {
  std::vector<double> t;
  for (int k = 0; k < rounds; ++k) t.push_back(seconds_of(f));
  return median(t);
}

}  // namespace lockstep::bench

int main(int argc, char** argv) {
  const auto wanted = [&](const char* name) {
    bool any = false;
    for (int k = 1; k < argc; ++k) {
      if (std::strcmp(argv[k], name) == 0) return true;
      any = any || argv[k][0] != '-';
    }
    return !any;
  };
  if (wanted("blas")) lockstep::bench::blas();
  if (wanted("streaming")) lockstep::bench::streaming();
  if (wanted("tool")) lockstep::bench::tool();
}

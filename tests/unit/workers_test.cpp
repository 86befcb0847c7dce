// Work on several threads: each part once, all waited for, what one throws is thrown, deep recursion has room.
#include "driver/workers.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <stdexcept>

namespace workers_test {
using namespace lockstep::driver;

TEST_CASE("each part of the work is done once") {
  std::vector<std::atomic<int>> times(7);
  on_workers(7, [&](std::size_t k) { ++times[k]; });
  for (const auto& n : times) CHECK(n == 1);
  CHECK(processors() >= 1);
}

TEST_CASE("what one throws is thrown once all have ended") {
  std::atomic<int> ended = 0;
  CHECK_THROWS_AS(on_workers(4,
                             [&](std::size_t k) {
                               if (k == 1) throw std::runtime_error("planted");
                               ++ended;
                             }),
                  std::runtime_error);
  CHECK(ended == 3);
}

namespace {
// 64 MB of stack, more than a thread has by itself.
int deep(int depth) {
  volatile char room[65536];
  room[depth % 65536] = static_cast<char>(depth);
  return depth == 0 ? 0 : deep(depth - 1) + (room[depth % 65536] == static_cast<char>(depth) ? 1 : 0);
}
}  // namespace

TEST_CASE("there is room for deep trees") {
  int found = 0;
  on_workers(1, [&](std::size_t) { found = deep(1000); });
  CHECK(found == 1000);
}

}  // namespace workers_test

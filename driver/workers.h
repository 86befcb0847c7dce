// The same work on several threads, each with a stack for deep trees.
#pragma once
#include <cstddef>
#include <functional>

namespace lockstep::driver {

std::size_t processors();  // that this process may use, at least 1

// Calls work(0), ..., work(n - 1) at once, each on a thread of its own, and waits for all of them. What the first of
// them throws is thrown here.
void on_workers(std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace lockstep::driver

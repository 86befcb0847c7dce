// A call that may not come back.
#pragma once
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <thread>

namespace lockstep::props {

// The call's result, by a thread of its own; nothing where it has not come back after so many seconds. The thread is
// then left behind, so the call must hold whatever it uses.
template <class T>
std::optional<T> watched(double seconds, std::function<T()> call) {
  auto task = std::make_shared<std::packaged_task<T()>>(std::move(call));
  std::future<T> result = task->get_future();
  std::thread([task] { (*task)(); }).detach();
  if (result.wait_for(std::chrono::duration<double>(seconds)) != std::future_status::ready) return {};
  return result.get();
}

}  // namespace lockstep::props

// Iterations that are under way at the same time and change places where they are told to: each runs on a stack of its
// own (ucontext), and whoever may go on is chosen before every step. In: bodies; out: all of them ended.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

namespace lockstep::imperative {

struct FibreGroup;

class Fibres {
 public:
  Fibres();
  ~Fibres();
  Fibres(const Fibres&) = delete;

  // Of `among` that can go on, in the order of their beginning, the place of who does.
  using Choose = std::function<std::size_t(std::size_t among, std::size_t last)>;
  // Runs body(0), ..., body(n - 1), at most `most_live` at a time, later ones beginning as earlier ones end. May be
  // called inside a body: its steps are then steps of that body. Exceptions: all others run to their end, then the
  // first is thrown.
  void run(std::int64_t n, const Choose& choose, const std::function<void(std::int64_t)>& body);
  // To be called by a body: others may go on. Outside of run: nothing.
  void yield();
  bool running() const { return group_ != nullptr; }

  static constexpr std::size_t most_live = 64;

 private:
  FibreGroup* group_ = nullptr;  // the innermost that runs
};

}  // namespace lockstep::imperative

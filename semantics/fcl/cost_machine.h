// The machine that a costed program runs on: where it is, what has been done, how elements and chunks are dealt to its
// units. Private to cost*.cpp.
#pragma once
#include <functional>

#include "semantics/fcl/cost_warps.h"

namespace lockstep::fcl::costing {

// What has been done one after another.
struct Clock {
  std::int64_t depth = 0, dealt = 0, rounds = 0;
};

// An array in memory.
struct Place {
  std::size_t id;
  std::string array;
  Region region;
  Memory memory;
};

class Machine {
 public:
  Machine(const CostedRun& how, Costs& costs) : launch_(how.launch), limit_(how.work), costs_(costs) {}

  int level() const { return level_; }  // of the unit that evaluates
  bool is_in_thread() const { return does_ != nullptr; }
  Memory memory() const;  // of what is made here
  std::size_t fresh_array() { return arrays_++; }

  void operation();
  void limit(std::int64_t work) const;  // a trap where it is more than is counted
  // `alone`: by one thread for a unit, although another one asks.
  void access(const Place& place, std::size_t leaf, std::int64_t index, std::int64_t bytes, bool is_store, bool alone);
  void branch(std::int64_t way, const std::function<void()>& inside);
  // Until one says that it is the last.
  void rounds(bool is_while, const std::function<bool()>& round);
  // An array of so many bytes, and what `make` needs besides, which goes with it.
  void hold(Memory memory, const std::function<std::int64_t()>& make);
  void scope(const std::function<void()>& what);  // what is held in it is given back
  void made();                                    // an array is complete, for the others that are here

  using Each = std::function<void(std::int64_t)>;
  // Element i to thread i mod U of a unit of that level: sums at a thread, the longest of a round elsewhere.
  void deal_elements(int level, std::int64_t n, const Each& element);
  // Chunk i to unit i mod U of that level, below a unit of the next.
  void deal_chunks(int level, std::int64_t n, const Each& chunk);
  // With nothing counted.
  void unseen(const std::function<void()>& what);
  bool is_unseen() const { return unseen_; }
  void finish();  // depths, rounds and bytes of all

 private:
  void to_threads(std::int64_t units, std::int64_t n, const Each& each, std::int64_t rounds_of_each);
  void one_after_another(std::int64_t n, const Each& element);
  void to_units(int level, std::int64_t units, std::int64_t n, const Each& chunk);
  void as_thread(const Each& each, std::int64_t i, Does& does);
  std::size_t row_of(const Place& place, std::size_t leaf, bool is_store);

  void work();

  const Launch launch_;
  const std::int64_t limit_;
  Costs& costs_;
  int level_ = most_above;
  Does* does_ = nullptr;
  Clock clock_{};
  ByMemory held_{}, most_held_{};
  std::size_t arrays_ = 0;
  std::int64_t done_ = 0;
  bool unseen_ = false;
};

}  // namespace lockstep::fcl::costing

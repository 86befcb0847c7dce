// The store of imperative runs: a stack of scalar cells, variables allocated and given back in the order of their
// scopes. It sees every access, so it is also where parallel iterations that touch one cell are found.
#pragma once
#include <deque>

#include "semantics/core/acceptor.h"
#include "semantics/core/diagnostic.h"
#include "semantics/core/value.h"

namespace lockstep {

class Layouts {  // owns what it makes
 public:
  const Layout& of(const Type& d, const SizeValues& sizes);

 private:
  std::deque<Layout> made_;
};

struct InterferenceSignal {
  std::string variable;
  std::int64_t cell;           // within the variable
  std::int64_t first, second;  // iterations
  bool both_write;
  Region first_at;  // the command of the first iteration's access
};
struct UnwrittenSignal {
  std::string variable;
  std::int64_t cell;
};

namespace imperative {
class Fibres;
}

class Store {
 public:
  // Iterations may change places before each access, where `fibres` run.
  Store(const Domain& domain, bool poison, imperative::Fibres* fibres = nullptr)
      : domain_(domain), poison_(poison), fibres_(fibres) {}

  std::int64_t allocate(const Layout& layout, const std::string& variable);  // the first cell
  std::int64_t mark() const { return static_cast<std::int64_t>(cells_.size()); }
  // Every variable allocated since. While iterations take turns nothing is given back, since others may have allocated
  // meanwhile; whoever made them run does it in the end.
  void release(std::int64_t mark);

  const Scalar& read(std::int64_t cell);
  void write(std::int64_t cell, Scalar value);

  // Iterations of a parallel loop, in any order; loops nest. Variables allocated inside an iteration are its own.
  void enter_parallel();
  void iteration(std::int64_t i) { loops_.back().iteration = i; }

  // Where in the source the accesses from now on stand.
  void at(const Region& region) { at_ = &region; }
  const Region& where() const { return *at_; }
  void leave_parallel() { loops_.pop_back(); }

 private:
  struct Cell {
    Scalar value;
    bool written = false;
  };
  struct Variable {
    std::int64_t first;
    std::string name;
  };
  struct Loop {
    std::int64_t mark;
    std::uint64_t epoch;
    std::int64_t iteration = -1;
  };
  struct User {
    std::int64_t iteration = -1;
    const Region* at = nullptr;
  };
  // What one loop has seen of one cell; of another epoch: nothing.
  struct Seen {
    std::uint64_t epoch = 0;
    User writer{}, reader{}, other_reader{};  // the last: an iteration other than `reader`
  };
  void observe(std::int64_t cell, bool writing);
  void let_others_go_on();
  void fill(const Layout& layout);
  std::pair<std::string, std::int64_t> name_of(std::int64_t cell) const;

  const Domain& domain_;
  bool poison_;
  imperative::Fibres* fibres_;
  std::vector<Cell> cells_;
  std::vector<Variable> variables_;
  std::vector<Loop> loops_;
  std::vector<std::vector<Seen>> seen_;  // by nesting depth
  std::uint64_t epochs_ = 0;
  static inline const Region nowhere_{};
  const Region* at_ = &nowhere_;
};

}  // namespace lockstep

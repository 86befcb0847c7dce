// A local loop with shuffles in the kernel interpreter: its iterations, a lane each, go on together from statement to
// statement, each with its own variables and buffers, so that they meet at shuffles. What holds no shuffle a lane runs
// alone.
#pragma once
#include "semantics/kernel/run_loops.h"

namespace lockstep::kernel {

// Slots of what the loop declares: variables [variable, variable_end), buffers [memory, memory_end).
struct OwnSlots {
  std::size_t variable, variable_end, memory, memory_end;
};

// The lanes of a running of the loop; of one at a time the slots hold its own.
class Together {
 public:
  Together(Machine& m, const OwnSlots& slots, std::int64_t lanes, std::size_t context);
  std::int64_t lanes() const { return static_cast<std::int64_t>(kept_.size()); }
  void go_on(std::int64_t lane);
  std::int64_t deepest();  // of the lanes' depths

  std::vector<const Stmt*> branches;  // conditions and loops around

 private:
  struct Kept {
    std::vector<Scalar> values;
    std::vector<unsigned char> defined;
    std::vector<Variable> variables;
    std::vector<Memory> memories;
    std::int64_t live, depth;
  };
  void exchange(Kept& k);

  Machine& m_;
  const OwnSlots slots_;
  const std::size_t context_;
  std::vector<Kept> kept_;
  std::int64_t current_ = -1;
};

using Active = std::vector<std::int64_t>;  // lanes that are there, in the order in which they go on
using TogetherStep = std::function<void(Machine&, Together&, const Active&)>;

// What it asks of who compiles the rest.
struct Around {
  std::function<Step(const Stmt&)> alone;
  std::function<Word(const Expr&)> word;
  std::function<Number(const Expr&)> number;
  std::function<std::size_t(const std::string&, KType, bool)> variable;
  std::function<Slots()> scope;
  std::function<void(const Slots&)> leave;
  std::function<const Region*(const Region*)> stand;  // in a statement: where that is; gives the one around
};

class TogetherCompiler {
 public:
  explicit TogetherCompiler(Around around) : around_(std::move(around)) {}
  TogetherStep statement(const Stmt& s);

 private:
  TogetherStep statement_here(const Stmt& s);
  TogetherStep inner(const Stmt& s);
  TogetherStep block(const Block& b);
  TogetherStep loop(const Stmt& s, const For& f);
  TogetherStep conditional(const Stmt& s, const If& i);
  TogetherStep while_loop(const Stmt& s, const While& w);
  TogetherStep shuffle(const Stmt& s, const Shuffle& x);

  const Around around_;
};

Step together_loop(const Dealt& d, std::vector<std::pair<std::size_t, Word>> scratch, const OwnSlots& slots,
                   TogetherStep run);

}  // namespace lockstep::kernel

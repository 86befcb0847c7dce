// The operations of L0 as fusion merges them (Henriksen, Oancea, Fig. 14; l0.md §2, "Rules"), and the function that
// comes out. Private to kernels*.cpp and fuse.cpp.
#pragma once
#include <map>
#include <optional>
#include <unordered_map>

#include "translate/fusion/reduction.h"
#include "translate/l0/dependencies.h"
#include "translate/l0/fresh.h"
#include "translate/l0/rows.h"

namespace lockstep::l0 {

// Which arrays an operation goes over, in order, and of an array which of them.
class Inputs {
 public:
  struct Input {
    std::string array;
    Parameter parameter;
    bool shapes_rows = false;                     // a dimension of what the function gives is made of it
    std::optional<fusion::StatementId> copies{};  // whose length it has, which its function does not look at
  };
  std::vector<Input> all() const;
  std::size_t size() const { return inputs_.size(); }
  std::vector<const Input*> over(const std::string& array) const;
  void put_last(Input i);
  // Each array once: what a parameter that was there is, is bound to the first.
  void put_first(Input i, std::vector<Binding>& bindings);
  std::vector<Input> take(const std::string& array);  // those over it, which are no more
  void clear() { *this = {}; }

 private:
  std::map<std::int64_t, Input> inputs_;  // by place
  std::unordered_map<std::string, std::vector<std::int64_t>> places_;
  std::int64_t first_ = 0, behind_ = 0;
};

// A combinator with what was merged into it: what goes before is put before.
struct Kernel {
  using Input = Inputs::Input;
  Soac op;
  Region at;
  Pattern outputs;
  std::optional<Lambda> join;  // of redomap2
  Type result;                 // of the function
  std::vector<Parameter> accumulators;
  std::vector<ExprRef> starts;
  Inputs inputs;
  std::vector<Binding> reversed;                                 // the body's bindings, the last first
  Expr value;                                                    // what it gives
  bool rows_fixed = true, rows_certain = true, can_trap = true;  // of the combinator that it began as: rows.h, traps.h
  // Of each value: nothing else has it, so that who goes over it may consume it. The parameter that it is, if it is
  // one.
  struct Owned {
    bool made = false;
    std::optional<std::size_t> input{};
    bool is_any() const { return made || input; }
  };
  std::vector<Owned> owned{};
};

class Kernels : public fusion::Algebra {
 public:
  Kernels(const Function& f, const Dependencies& d, Fresh& fresh);
  static bool is_consumed(const Parameter& p);

  Rule rule(fusion::StatementId producer, fusion::StatementId kernel) override;
  std::optional<fusion::Obstacle> obstacle(fusion::StatementId producer, fusion::StatementId kernel) override;
  bool keeps_length(fusion::StatementId producer) override;
  std::size_t inputs_from(fusion::StatementId producer, fusion::StatementId kernel) override;
  void begin(fusion::StatementId kernel) override;
  void merge(fusion::StatementId producer, const std::vector<fusion::StatementId>& kernels,
             fusion::Name instead) override;
  void merge_copies(fusion::StatementId copies, fusion::StatementId kernel) override;
  void remove_copies(fusion::StatementId copies) override;

  Function function() const;  // as it stands then

 private:
  using Id = fusion::StatementId;
  struct Made {  // a function that is merged: what it is called with, and its body in two
    std::vector<Kernel::Input> inputs;
    std::vector<Binding> bindings;
    std::vector<Expr> values;
    std::vector<Kernel::Owned> owned;
  };
  std::vector<std::string> outputs_of(Id producer) const;

  // kernels_merge.cpp
  Made made(const Kernel& producer, bool again);
  void as_redomap(Kernel& k);
  static void put_before(Kernel& k, const std::vector<Binding>& bindings);
  void merge_map(Kernel& k, Made p, const std::vector<std::string>& arrays);
  void merge_filter(Kernel& k, Made p, const std::vector<std::string>& arrays);
  void merge_filters(Kernel& k, Made p, const std::vector<std::string>& arrays);

  // kernels_text.cpp
  Expr rebuilt(const Expr& e) const;  // of a body, a branch, the function
  void rebuilt(Id s, std::vector<Binding>& into) const;
  Expr operation(const Kernel& k) const;

  struct Copied {
    std::string length;  // the array of indices that goes in its place
    bool removed = false;
  };
  void note_types(const std::vector<Parameter>& all);
  void note_types(const Pattern& p);
  const Function& function_;
  const Dependencies& d_;
  Fresh& fresh_;
  std::map<Id, Kernel> kernels_;
  std::map<Id, Copied> copied_;
  std::vector<bool> gone_;
  std::map<std::string, Type> types_;           // of arrays, that others may be as long as
  std::map<std::string, std::string> lengths_;  // which array is as long as one that is gone
};

std::vector<Expr> items_of(const Expr& e);  // of a tuple, or itself
// Of a pattern without tuples in tuples, one for each array, "_" too.
std::vector<std::string> names_of(const Pattern& p);

}  // namespace lockstep::l0

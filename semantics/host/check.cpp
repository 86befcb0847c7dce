// What host programs have to keep to, beside the kernel language's rules (program.h).
#include <algorithm>
#include <map>

#include "semantics/host/program.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/check.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"

namespace lockstep::host {
namespace {

struct Held {
  std::string array;
  kernel::Expr count;
};

class Checker {
 public:
  explicit Checker(const Program& p) : program_(p) {}

  std::vector<std::string> run() {
    if (!moves_parameters_only()) return wrong_;
    statement(program_.body);
    if (may_trap_) wrong("a kernel that may trap is the last thing, and nothing waits for it");
    for (const kernel::Buffer& b : program_.of.outputs)
      if (!fetched_.contains(b.name)) wrong("the output '" + b.name + "' is not fetched");
    const std::vector<std::string> of_kernels = kernel::check(in_one_memory(program_));
    wrong_.insert(wrong_.end(), of_kernels.begin(), of_kernels.end());
    return std::move(wrong_);
  }

 private:
  void wrong(const std::string& what) { wrong_.push_back(what); }
  auto latest(const std::string& array) {
    return std::find_if(held_.rbegin(), held_.rend(), [&](const Held& h) { return h.array == array; });
  }

  bool moves_parameters_only() {
    each_statement(program_.body, [&](const Stmt& s) {
      if (const auto* x = std::get_if<Send>(&s.node); x && !parameter(program_.of.inputs, x->array))
        wrong("'" + x->array + "' is sent, and is no input");
      if (const auto* x = std::get_if<Fetch>(&s.node); x && !parameter(program_.of.outputs, x->array))
        wrong("'" + x->array + "' is fetched, and is no output");
    });
    return wrong_.empty();
  }

  void statement(const Stmt& s) {
    if (may_trap_ && !std::holds_alternative<Finish>(s.node)) {
      wrong("a kernel that may trap is not followed by 'finish'");
      may_trap_ = false;
    }
    match(
        s.node, [&](const Block& b) { block(b.statements); },
        [&](const Acquire& a) {
          held_.push_back({a.array, a.count});
          host(a.count);
        },
        [&](const Release& r) {
          if (uses(r.array)) held_.erase(std::next(latest(r.array)).base());
        },
        [&](const Send& x) { moved(x.array, program_.of.inputs); },
        [&](const Fetch& x) {
          moved(x.array, program_.of.outputs);
          if (!fetched_.insert(x.array).second) wrong("the output '" + x.array + "' is fetched twice");
        },
        [&](const Read& r) { uses(r.array); }, [&](const Launch& l) { launch(l); },
        [&](const Finish&) { may_trap_ = false; },
        [&](const For& f) {
          host(f.extent);
          scope(*f.body);
        },
        [&](const If& i) {
          host(i.condition);
          scope(*i.then);
          scope(*i.otherwise);
        },
        [&](const While& w) {
          // What is acquired before is there for the condition and the body.
          const std::size_t held = held_.size();
          statements(*w.before);
          host(w.condition);
          statements(*w.body);
          ended(held);
        });
  }
  void block(const std::vector<Stmt>& all) {
    const std::size_t held = held_.size();
    for (const Stmt& s : all) statement(s);
    ended(held);
  }
  void scope(const Stmt& s) { block({s}); }
  void statements(const Stmt& s) {
    const auto* b = std::get_if<Block>(&s.node);
    if (!b) return statement(s);
    for (const Stmt& x : b->statements) statement(x);
  }
  // What the scope acquired is released in it, and nothing of what was there before.
  void ended(std::size_t held) {
    for (; held_.size() > held; held_.pop_back()) wrong("'" + held_.back().array + "' is not released");
  }
  bool uses(const std::string& array) {
    const bool there = latest(array) != held_.rend();
    if (!there) wrong("the array '" + array + "' is used where it is not acquired, or released");
    return there;
  }
  void moved(const std::string& array, const std::vector<kernel::Buffer>& among) {
    if (!uses(array)) return;
    const kernel::Buffer* b = parameter(among, array);
    const kernel::Expr& here = latest(array)->count;
    const auto count = kernel::as_size(here);
    if (!count || !(*count == b->count))
      wrong("'" + array + "' has " + kernel::print(here) + " scalars on the device, and " + show(b->count) +
            " on the host");
  }
  void host(const kernel::Expr& e) {
    if (!on_host(e)) wrong("the host does not compute " + kernel::print(e));
  }

  void launch(const Launch& l) {
    for (const std::string& a : taken_by(l.body).arrays) uses(a);
    host(l.grid.count);
    host(l.grid.bytes);
    may_trap_ = kernel::has<kernel::Check>(l.body);
    const kernel::ParallelFor* p = loop_of(l);
    if (!p) {
      if (!(l.grid == Grid{})) wrong("a kernel without a loop that its threads share is launched with several");
      if (kernel::has<kernel::ParallelFor>(l.body)) wrong("a kernel of one thread has a parallel loop");
      return;
    }
    const lockstep::Launch& how = program_.of.launch;
    const std::string loop = "the kernel over '" + p->name + "' ";
    if (!(l.grid.count == p->extent))
      wrong(loop + "has " + kernel::print(p->extent) + " iterations and is launched for " +
            kernel::print(l.grid.count));
    const std::int64_t each = p->level == Level::Workgroup ? 1 : how.block;
    if (l.grid.threads != how.block || l.grid.to_a_block != each || l.grid.most != how.grid)
      wrong(loop + "is launched with blocks of " + std::to_string(l.grid.threads) + " threads, " +
            std::to_string(l.grid.to_a_block) + " iterations to a block, at most " + std::to_string(l.grid.most) +
            " blocks; the program has " + std::to_string(how.block) + ", " + std::to_string(each) + " and " +
            std::to_string(how.grid));
    if (!p->units || !(*p->units == kernel::units_of(how, p->level, nullptr)))
      wrong(loop + "is not dealt out to the units that the program is launched with");
    const auto needed = kernel::block_memory(*p, how).bytes_at_launch();
    const auto given = kernel::as_size(l.grid.bytes);
    if (needed && (!given || !(*given == *needed)))
      wrong(loop + "is launched with " + kernel::print(l.grid.bytes) + " bytes of a block's memory, and needs " +
            show(*needed));
  }

  const Program& program_;
  std::vector<std::string> wrong_;
  std::vector<Held> held_;  // arrays that are acquired now
  std::set<std::string> fetched_;
  bool may_trap_ = false;  // the last statement is a kernel that has checks
};

}  // namespace

std::vector<std::string> check(const Program& program) { return Checker(program).run(); }

}  // namespace lockstep::host

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
  kernel::KType type;
  kernel::Expr count;
  std::size_t scope;      // how many blocks are around it
  bool released = false;  // its name hides others to the end of its block
};

class Checker {
 public:
  explicit Checker(const Program& p) : program_(p), by_value_(by_value(p)) {}

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
          held_.push_back({a.array, a.type, a.count, scope_});
          host(a.count);
        },
        [&](const Release& r) {
          const auto it = std::find_if(held_.rbegin(), held_.rend(),
                                       [&](const Held& h) { return h.array == r.array && !h.released; });
          if (it == held_.rend()) return (void)uses(r.array);
          if (it->scope != scope_) wrong("'" + r.array + "' is released in another block than that which acquires it");
          it->released = true;
        },
        [&](const Send& x) { moved(x.array, program_.of.inputs); },
        [&](const Fetch& x) {
          moved(x.array, program_.of.outputs);
          if (!fetched_.insert(x.array).second) wrong("the output '" + x.array + "' is fetched twice");
          if (scope_ > 1) wrong("the output '" + x.array + "' is fetched in a loop, a branch or a block within");
        },
        [&](const Read& r) { read(r); }, [&](const Launch& l) { launch(l); }, [&](const Finish&) { may_trap_ = false; },
        [&](const For& f) {
          host(f.extent);
          round(*f.body);
        },
        [&](const If& i) {
          host(i.condition);
          block({*i.then});
          const bool traps = std::exchange(may_trap_, false);
          block({*i.otherwise});
          may_trap_ = may_trap_ || traps;
        },
        [&](const While& w) {
          round(*w.before);
          host(w.condition);
          round(*w.body);
        });
  }
  // Of a loop: another round comes behind it.
  void round(const Stmt& s) {
    block({s});
    if (std::exchange(may_trap_, false)) wrong("a kernel that may trap ends a round, and nothing in it waits for it");
  }
  // What it acquires is released in it.
  void block(const std::vector<Stmt>& all) {
    const std::size_t held = held_.size();
    ++scope_;
    for (const Stmt& s : all) statement(s);
    --scope_;
    for (; held_.size() > held; held_.pop_back())
      if (!held_.back().released) wrong("'" + held_.back().array + "' is not released");
  }
  void read(const Read& r) {
    if (!uses(r.array)) return;
    const Held& from = *latest(r.array);
    if (from.type.scalar != r.type || (r.type != ScalarType::I64 && r.type != ScalarType::Bool) ||
        kernel::constant_of(from.count) != 1)
      wrong("'" + r.name + "' is read of '" + r.array + "', which is not one i64 or one bool");
  }
  bool uses(const std::string& array) {
    const bool there = latest(array) != held_.rend() && !latest(array)->released;
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
    for (const std::string& a : taken_by(l.body, by_value_).arrays) uses(a);
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
  const std::set<std::string> by_value_;
  std::vector<std::string> wrong_;
  std::vector<Held> held_;  // arrays that the blocks around acquire
  std::set<std::string> fetched_;
  bool may_trap_ = false;  // the last statement is a kernel that has checks
  std::size_t scope_ = 0;
};

}  // namespace

std::vector<std::string> check(const Program& program) { return Checker(program).run(); }

}  // namespace lockstep::host

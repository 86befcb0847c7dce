// A task's instructions, one at a time, in the order of flat.h (crowd.h).
#include <algorithm>
#include <array>

#include "semantics/kernel/crowd.h"

namespace lockstep::kernel::flat {
namespace {

Scalar index_scalar(std::int64_t i) { return make_integer(ScalarType::I64, static_cast<std::uint64_t>(i)); }

std::int64_t pop_index(std::vector<Scalar>& stack) {
  const std::int64_t i = stack.back().integer();
  stack.pop_back();
  return i;
}

std::string with_values(std::string text, const std::vector<std::string>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string hole = "{" + std::to_string(k) + "}";
    for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + values[k].size()))
      text.replace(at, hole.size(), values[k]);
  }
  return text;
}

}  // namespace

// One instruction; the cases are in the order of flat.h.
struct Crowd::Execution {
  Crowd& crowd;
  TaskId t;
  Task& task;
  std::vector<Scalar>& stack;

  Flow next() {
    ++task.pc;
    return Flow::On;
  }
  Flow jump(std::size_t to) {
    if (to <= task.pc && crowd.options_.observe) crowd.run_again(task, to);
    task.pc = to;
    return Flow::On;
  }

  Flow operator()(const Push& p) {
    stack.push_back(p.value);
    return next();
  }
  Flow operator()(const PushVariable& v) {
    for (std::size_t k = 0; k < v.width; ++k) {
      if (!task.defined[v.slot + k])
        crowd.fault(t, FaultKind::Uninitialised,
                    "a variable is read before it is set, in " + crowd.statement_at(task.pc));
      stack.push_back(task.values[v.slot + k]);
    }
    return next();
  }
  Flow operator()(const Compute& c) {
    crowd.compute(t, c.op);
    return next();
  }
  Flow operator()(const Operate& o) {
    crowd.operate(t, o);
    return next();
  }
  Flow operator()(const Pick& p) {
    const std::int64_t lane = pop_index(stack);
    if (lane < 0 || static_cast<std::size_t>(lane) >= p.width)
      crowd.fault(t, FaultKind::OutOfBounds, "lane " + std::to_string(lane) + " of " + std::to_string(p.width));
    const Scalar picked = stack[stack.size() - p.width + static_cast<std::size_t>(lane)];
    stack.resize(stack.size() - p.width);
    stack.push_back(picked);
    return next();
  }
  Flow operator()(const Repeat& r) {
    const Scalar s = stack.back();
    for (std::size_t k = 1; k < r.width; ++k) stack.push_back(s);
    return next();
  }
  Flow operator()(const Read&) {
    crowd.access(t);
    return Flow::On;
  }
  Flow operator()(const DropUnder& d) {
    stack.erase(stack.end() - static_cast<std::ptrdiff_t>(d.keep) - 1);
    return next();
  }
  Flow operator()(const Drop& d) {
    stack.resize(stack.size() - d.count);
    return next();
  }
  Flow operator()(const Undefine& u) {
    for (std::size_t k = 0; k < u.width; ++k) task.defined[u.slot + k] = false;
    return next();
  }
  Flow operator()(const Set& s) {
    for (std::size_t k = s.width; k-- > 0;) {
      task.values[s.slot + k] = std::move(stack.back());
      stack.pop_back();
      task.defined[s.slot + k] = true;
    }
    return next();
  }
  Flow operator()(const Write&) {
    crowd.access(t);
    return Flow::On;
  }
  Flow operator()(const Update&) {
    crowd.access(t);
    return Flow::On;
  }
  Flow operator()(const OnlyFirst& o) {
    const std::int64_t of = o.of_warp ? task.index % crowd.program_.launch.warp : task.index;
    return of == 0 ? next() : jump(o.to);
  }
  Flow operator()(const Jump& j) { return jump(j.to); }
  Flow operator()(const JumpUnless& j) {
    const bool holds = stack.back().bits != 0;
    if (crowd.options_.observe) crowd.options_.observe(crowd, {t, task.pc, no_memory, holds});
    stack.pop_back();
    return holds ? next() : jump(j.to);
  }
  Flow operator()(const LoopStart& l) {
    const std::int64_t extent = pop_index(stack);
    crowd.require_index(t, false, extent);
    task.values[l.extent] = index_scalar(extent);
    task.values[l.variable] = index_scalar(crowd.share_of(task, l.dealt).first);
    task.defined[l.variable] = true;
    task.warp_iterations += l.dealt == Dealt::Warps;
    return next();
  }
  Flow operator()(const LoopTest& l) {
    return task.values[l.variable].integer() < task.values[l.extent].integer() ? next() : jump(l.exit);
  }
  Flow operator()(const LoopNext& l) {
    task.values[l.variable] = index_scalar(task.values[l.variable].integer() + crowd.share_of(task, l.dealt).step);
    task.warp_iterations += l.dealt == Dealt::Warps;
    return jump(l.back);
  }
  Flow operator()(const OfUnits&) {
    const std::int64_t units = pop_index(stack), extent = pop_index(stack);
    if (units < 1)
      crowd.fault(
          t, FaultKind::BadDivision,
          "a parallel loop is dealt out to " + std::to_string(units) + " units, in " + crowd.statement_at(task.pc));
    std::int64_t last = 0;
    const bool overflows = __builtin_add_overflow(extent, units, &last);
    crowd.require_index(t, overflows, last);
    stack.push_back(index_scalar(std::min(units, extent)));
    return next();
  }
  Flow operator()(const CountWhile&) {
    if (++task.while_steps > crowd.options_.while_limit && crowd.options_.while_limit > 0)
      crowd.fault(t, FaultKind::Endless,
                  "while loops take more than " + std::to_string(crowd.options_.while_limit) + " iterations");
    return next();
  }
  Flow operator()(const New& n) {
    crowd.allocate(t, n);
    return next();
  }
  Flow operator()(const Fork& f) { return crowd.fork(t, f); }
  Flow operator()(const End&) {
    crowd.end(t);
    return Flow::Held;
  }
  Flow operator()(const Wait&) {
    if (task.kind != Task::Kind::Thread)
      crowd.fault(t, FaultKind::BarrierDivergence, "a barrier stands outside a workgroup loop");
    if (crowd.options_.observe) crowd.options_.observe(crowd, {t, task.pc});
    crowd.held(t, false);
    return Flow::Held;
  }
  Flow operator()(const Exchange&) {
    if (crowd.options_.observe) crowd.options_.observe(crowd, {t, task.pc});
    crowd.held(t, false);
    return Flow::Held;
  }
  [[noreturn]] Flow operator()(const Fail& f) { crowd.trap(task, *f.check); }
};

Crowd::Flow Crowd::execute(TaskId t, const Instruction& i) {
  return match(i.node, Execution{*this, t, tasks_[t], tasks_[t].stack});
}

// From the end of a loop, where the task stands, back to its first instruction; loops in it are over.
void Crowd::run_again(Task& task, std::size_t first) const {
  while (!task.loops.empty() && task.loops.back().first > first) task.loops.pop_back();
  if (!task.loops.empty() && task.loops.back().first == first)
    ++task.loops.back().rounds;
  else
    task.loops.push_back({first, task.pc, 1});
}

void Crowd::require_index(TaskId t, bool overflows, std::int64_t i) const {
  if (overflows || !index_.holds(i)) fault(t, FaultKind::Overflow, beyond(index_));
}

void Crowd::compute(TaskId t, ArithOp op) {
  auto& stack = tasks_[t].stack;
  const std::int64_t b = pop_index(stack), a = pop_index(stack);
  std::int64_t r = 0;
  const auto natural = [&] {
    if (a < 0 || b <= 0)
      fault(t, FaultKind::BadDivision, "index " + std::to_string(a) + " is divided by " + std::to_string(b));
  };
  const auto fits = [&](bool overflows) {
    require_index(t, overflows, r);
    stack.push_back(index_scalar(r));
  };
  switch (op) {
    case ArithOp::Add:
      return fits(__builtin_add_overflow(a, b, &r));
    case ArithOp::Subtract:
      return fits(__builtin_sub_overflow(a, b, &r));
    case ArithOp::Multiply:
      return fits(__builtin_mul_overflow(a, b, &r));
    case ArithOp::Divide:
      return natural(), stack.push_back(index_scalar(a / b));
    case ArithOp::Modulo:
      return natural(), stack.push_back(index_scalar(a % b));
    case ArithOp::Less:
      return stack.push_back(make_bool(a < b));
    case ArithOp::LessEqual:
      return stack.push_back(make_bool(a <= b));
    case ArithOp::Equal:
      return stack.push_back(make_bool(a == b));
    case ArithOp::And:
      return stack.push_back(make_bool(a != 0 && b != 0));
  }
}

// What the operator itself would trap on, a check stands before: compiled code has no other trap.
void Crowd::operate(TaskId t, const Operate& o) {
  const auto& op = std::get<ScalarOp>(o.primitive->kind);
  auto& stack = tasks_[t].stack;
  const std::size_t base = stack.size() - o.arguments * o.width;
  std::vector<Scalar> arguments(o.arguments);
  for (std::size_t l = 0; l < o.width; ++l) {
    for (std::size_t k = 0; k < o.arguments; ++k) arguments[k] = stack[base + k * o.width + l];
    // Lane l of the first argument is not needed again.
    try {
      stack[base + l] = op.meaning(domain_, o.type, arguments);
    } catch (const TrapSignal& signal) {
      fault(t, FaultKind::Unguarded,
            signal.trap.primitive + " traps without a check before it, in " + statement_at(tasks_[t].pc) + ": " +
                signal.trap.message);
    }
  }
  stack.resize(base + o.width);
}

// What a block or a warp allocates for its threads together is one piece of memory, however often: a thread that
// allocates it again sees it as new, while one that is behind still uses it. An iteration of a warp loop has its own,
// which the warp's first thread holds.
void Crowd::allocate(TaskId t, const New& n) {
  Task& task = tasks_[t];
  const std::int64_t count = pop_index(task.stack);
  constexpr std::int64_t most = std::int64_t{1} << 24;
  if (count < 0 || count > most)
    fault(t, FaultKind::OutOfBounds,
          "buffer '" + n.allocation->name + "' is allocated with " + std::to_string(count) + " scalars");
  const auto size = static_cast<std::size_t>(count);
  const bool together = n.of != New::Of::Thread, of_warp = n.of == New::Of::Warp;
  const TaskId owner = !together ? t : of_warp ? warp_of(task).first : task.parent;
  Task& holder = tasks_[owner];
  std::size_t& known = of_warp ? holder.of_warp.try_emplace({n.buffer, task.warp_iterations}, no_memory).first->second
                               : holder.buffers[n.buffer];
  if (known >= memories_.size() || memories_[known].owner != owner) {
    known = memories_.size();
    memories_.push_back({n.allocation->name, n.allocation->type.scalar, owner, together, nullptr, {}, {}, {}, 0});
  }
  Memory& m = memories_[known];
  task.buffers[n.buffer] = known;
  if (!together) {
    m.cells.assign(size, Scalar{});
    m.written.assign(size, 0);
    m.seen.clear();
    return;
  }
  if (++task.reached[n.buffer] <= m.allocations) return;
  m.allocations = task.reached[n.buffer];
  m.cells.resize(std::max(m.cells.size(), size));
  m.written.resize(m.cells.size(), 0);
}

void Crowd::trap(Task& task, const Check& c) {
  std::vector<std::string> values;
  for (std::size_t k = task.stack.size() - c.values.size(); k < task.stack.size(); ++k)
    values.push_back(show(task.stack[k], domain_));
  throw TrapSignal{{c.primitive, with_values(c.message, values), c.region}};
}

}  // namespace lockstep::kernel::flat

// Warps on a device that has no barrier of a warp (device_kernel.h): the warps of a block go through their rounds
// together, so that a barrier of the block stands for theirs. What is not a barrier runs where the warp has an
// iteration; a shuffle goes through a block's memory.
#include "codegen/c/device_kernel.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

bool meets(const Stmt& s) { return has<Barrier, Shuffle>(s); }

// Why threads of a block would not come together to what is in `s`. `own`: names that differ among them.
std::optional<std::string> apart(const Stmt& s, std::set<std::string> own) {
  std::optional<std::string> why;
  const auto alike = [&](const Expr& e) {
    bool is = host::on_host(e);
    for (const std::string& n : own) is = is && !reads(e, n);
    return is;
  };
  const auto inside = [&](const StmtRef& r) {
    if (!why) why = apart(*r, own);
  };
  const auto met = [&](const std::string& where) { why = "threads of a warp meet " + where; };
  match(
      s.node,
      [&](const Block& b) {
        for (const Stmt& x : b.statements) {
          if (!why) why = apart(x, own);
          if (const auto* d = std::get_if<Declare>(&x.node)) own.insert(d->name);
          if (const auto* m = std::get_if<Shuffle>(&x.node)) own.insert(m->name);
        }
      },
      [&](const For& f) {
        if (!meets(s)) return;
        if (!alike(f.extent)) return met("in the loop over '" + f.name + "', as often as data or the warp says");
        inside(f.body);
      },
      [&](const ParallelFor& p) {
        own.insert(p.name);
        inside(p.body);
      },
      [&](const If& i) {
        if (!meets(s)) return;
        if (!alike(i.condition)) return met("where data or the warp says so, " + print(i.condition));
        inside(i.then), inside(i.otherwise);
      },
      [&](const While&) {
        if (meets(s)) met("in a while loop");
      },
      [](const auto&) {});
  return why;
}

}  // namespace

bool goes_together(const ParallelFor& warps) {
  bool shared = std::any_of(warps.scratch.begin(), warps.scratch.end(),
                            [](const Allocate& a) { return a.space != Space::Private; });
  each_statement(*warps.body, [&](const Stmt& s) {
    const auto* a = std::get_if<Allocate>(&s.node);
    shared = shared || (a && a->space != Space::Private);
  });
  return shared || meets(*warps.body) || has<Check>(*warps.body);
}

std::optional<std::string> warps_part(const kernel::Program& program) {
  std::optional<std::string> why;
  each_statement(program.body, [&](const Stmt& s) {
    const auto* p = std::get_if<ParallelFor>(&s.node);
    if (p && p->level == Level::Warp && !why) why = apart(s, {});
  });
  return why;
}

// A round of each warp at a time.
void DeviceKernel::warps_together(const ParallelFor& p) {
  const std::size_t names = k_.text.mark();
  const std::string index = k_.text.index_type(), warp = std::to_string(program_.launch.warp);
  const std::string extent = k_.text.fresh(p.name + "_count"), first = k_.text.fresh(p.name + "_first");
  k_.open("");
  k_.line("const " + index + " " + extent + " = " + k_.text.expression(p.extent) + ";");
  const Level outer = std::exchange(level_, Level::Warp);
  const ParallelFor* const around = std::exchange(around_, &p);
  warp_allocates_ = false;
  for (const Allocate& a : p.scratch) allocate(a);
  const std::string i = k_.text.declare_variable(p.name), runs = k_.text.fresh(p.name + "_runs");
  k_.open("for (" + index + " " + first + " = 0; " + first + " < " + extent + "; " + first +
          " += " + k_.text.expression(*p.units) + ")");
  k_.line("const " + index + " " + i + " = " + first + " + " + thread() + " / " + warp + ";");
  k_.line("const int " + runs + " = " + i + " < " + extent + ";");
  const std::string guard = std::exchange(guard_, runs), goes_on = std::exchange(goes_on_, "");
  if (has<Check>(*p.body)) {
    goes_on_ = k_.text.fresh(p.name + "_goes_on");
    k_.line("int " + goes_on_ + " = 1;");
    stop_where_any();
  }
  together(*p.body);
  k_.close();
  if (warp_allocates_) k_.line(std::string(words_.barrier));
  guard_ = guard, goes_on_ = goes_on, level_ = outer, around_ = around;
  k_.close();
  k_.text.release(names);
  leave_where_stopped(p, words_.any_of_block);
}

// Nothing of the round is run any more where a thread has stopped, but all come to its barriers: PoCL 3.1 computes
// wrongly where rounds leave from between them.
void DeviceKernel::stop_where_any() {
  asks_any_ = true;
  k_.line("if (" + filled(words_.any_of_block, {"is_stopped(trap)"}) + ") " + goes_on_ + " = 0;");
}
std::string DeviceKernel::of_those_that_run() const {
  return "if (" + (goes_on_.empty() ? "" : goes_on_ + " && ") + guard_ + ")";
}

// Of the threads that run it; none goes on where one of them has stopped.
void DeviceKernel::guarded(const Stmt& s) {
  const bool checks = has<Check>(s);
  const std::string outer = end_;
  const bool outer_used = end_used_;
  if (checks) end_ = "past" + std::to_string(++labels_), end_used_ = false;  // a label is the whole kernel's
  k_.open(of_those_that_run());
  if (checks) k_.open("");
  k_.statement(s);
  if (checks) k_.close();
  if (checks && end_used_) k_.line(end_ + ":;");
  k_.close();
  if (!checks) return;
  end_ = outer, end_used_ = outer_used;
  stop_where_any();
}

// Code that all threads of the block come to.
void DeviceKernel::together(const Stmt& s) {
  const auto scoped = [&](const std::string& head, const Stmt& body) {
    const std::size_t names = k_.text.mark();
    k_.open(head);
    if (const auto* b = std::get_if<Block>(&body.node))
      for (const Stmt& x : b->statements) together(x);
    else
      together(body);
    k_.close();
    k_.text.release(names);
  };
  if (std::holds_alternative<Block>(s.node)) return scoped("", s);
  if (const auto* d = std::get_if<Declare>(&s.node)) {  // for what comes behind it, too
    const std::string init = d->init ? k_.text.expression(*d->init) : "", type = k_.text.type(d->type);
    const std::string name = k_.text.declare_variable(d->name);
    k_.line(type + " " + name + ";");
    if (d->init) k_.line(of_those_that_run() + " " + name + " = " + init + ";");
    return;
  }
  if (std::holds_alternative<Allocate>(s.node) || std::holds_alternative<Comment>(s.node)) return k_.statement(s);
  if (std::holds_alternative<Barrier>(s.node)) return k_.line(std::string(words_.barrier));
  if (const auto* x = std::get_if<Shuffle>(&s.node)) return through_memory(*x);
  if (!meets(s)) return guarded(s);
  if (const auto* f = std::get_if<For>(&s.node)) {
    const std::size_t names = k_.text.mark();
    scoped(k_.bound(f->name, f->extent), *f->body);
    return k_.text.release(names);
  }
  if (const auto* i = std::get_if<If>(&s.node)) {
    scoped("if (" + k_.text.expression(i->condition) + ")", *i->then);
    return scoped("else", *i->otherwise);
  }
  const auto* p = std::get_if<ParallelFor>(&s.node);
  if (!p || p->level != Level::Local) throw Bug("threads of a warp meet where they do not come together");
  lanes_together(*p);
}

// Each lane has one iteration at most.
void DeviceKernel::lanes_together(const ParallelFor& p) {
  const std::size_t names = k_.text.mark();
  const Level outer = std::exchange(level_, Level::Local);
  const ParallelFor* const around = std::exchange(around_, &p);
  k_.open("");
  for (const Allocate& a : p.scratch) allocate(a);
  const std::string l = k_.text.declare_variable(p.name), runs = k_.text.fresh(p.name + "_runs");
  k_.line("const " + k_.text.index_type() + " " + l + " = " + thread() + " % " + std::to_string(program_.launch.warp) +
          ";");
  k_.line("const int " + runs + " = " + guard_ + " && " + l + " < " + k_.text.expression(p.extent) + ";");
  const std::string guard = std::exchange(guard_, runs);
  together(*p.body);
  guard_ = guard;
  k_.close();
  level_ = outer, around_ = around;
  k_.text.release(names);
}

void DeviceKernel::through_memory(const Shuffle& x) {
  const std::string memory = "moved" + std::to_string(at_head_.size()), width = std::to_string(x.width);
  shared(k_.text.memory_type(x.type.scalar), memory, std::to_string(program_.launch.block));
  const std::string value = k_.text.expression(x.value), lane = k_.text.operand(x.lane);
  const std::string type = k_.text.type(x.type), name = k_.text.declare_variable(x.name);
  k_.line(type + " " + name + ";");
  k_.line(of_those_that_run() + " " + memory + "[" + thread() + "] = " + value + ";");
  k_.line(std::string(words_.barrier));
  k_.line(of_those_that_run() + " " + name + " = " + memory + "[" + thread() + " / " + width + " * " + width + " + " +
          lane + "];");
  k_.line(std::string(words_.barrier));
}

}  // namespace lockstep

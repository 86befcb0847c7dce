// Hoisting (DPIA §6.4) of what only the kernel language has: the marks of scatter and the temporaries of permute,
// global buffers allocated in the middle of a GPU's loops, where memory cannot be allocated. In: a kernel; out: the
// same with them at the top, multiplied by the iterations of the parallel loops that they leave.
#include "semantics/kernel/walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

class Lift {
 public:
  Program run(const Program& p) {
    Program out = p;
    Stmt body = statement(p.body);
    if (lifted_.empty()) return p;
    Block top;
    for (const Lifted& l : lifted_) {
      top.statements.push_back(Stmt{l.allocation});
      body = shift(body, l.allocation.name, l.offset);
    }
    const auto* inner = std::get_if<Block>(&body.node);
    if (inner)
      top.statements.insert(top.statements.end(), inner->statements.begin(), inner->statements.end());
    else
      top.statements.push_back(body);
    out.body = Stmt{std::move(top)};
    return out;
  }

 private:
  struct Lifted {
    Allocate allocation;
    Expr offset;  // of an iteration's own part
  };

  bool leaves(const Allocate& a) {
    if ((loops_.empty() && nested_ == 0) || a.space != Space::Global) return false;
    // Sizes of types are over the program's sizes alone, so that count and extents mean the same at the top.
    const auto count = as_size(a.count);
    if (!count) throw Bug("'" + a.name + "' is allocated with a count that is no size");
    Size all = 1, number = 0;
    for (const auto& [name, extent] : loops_) {
      number = number * extent + Size::name(name);
      all = all * extent;
    }
    lifted_.push_back({{a.name, a.type, size_expr(all * *count), a.space}, size_expr(number * *count)});
    return true;
  }

  Stmt statement(const Stmt& s) {
    const auto go = [&](const StmtRef& r) { return StmtRef(statement(*r)); };
    Stmt out = s;
    if (auto* b = std::get_if<Block>(&out.node)) {
      std::vector<Stmt> kept;
      for (const Stmt& x : b->statements)
        if (const auto* a = std::get_if<Allocate>(&x.node); !a || !leaves(*a)) kept.push_back(statement(x));
      b->statements = std::move(kept);
    }
    ++nested_;
    if (auto* f = std::get_if<For>(&out.node)) f->body = go(f->body);
    if (auto* f = std::get_if<While>(&out.node)) f->body = go(f->body);
    if (auto* f = std::get_if<If>(&out.node)) f->then = go(f->then), f->otherwise = go(f->otherwise);
    --nested_;
    if (auto* p = std::get_if<ParallelFor>(&out.node)) {
      const auto extent = as_size(p->extent);
      if (!extent) throw Bug("the loop over '" + p->name + "' has an extent that is no size");
      loops_.emplace_back(p->name, *extent);
      std::erase_if(p->scratch, [&](const Allocate& a) { return leaves(a); });
      p->body = go(p->body);
      loops_.pop_back();
    }
    return out;
  }

  std::vector<std::pair<std::string, Size>> loops_;  // parallel, outermost first
  int nested_ = 0;                                   // sequential loops and branches around
  std::vector<Lifted> lifted_;
};

}  // namespace

Stage lift(const LanguageRef& kernel) {
  return stage_of<kernel::Program, kernel::Program>("lift", "DPIA §6.4", kernel, kernel,
                                                    [](const kernel::Program& p, Owed*) { return Lift().run(p); });
}

}  // namespace lockstep

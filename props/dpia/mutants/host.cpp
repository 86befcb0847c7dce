// Host programs that do something else than run the kernels: the stage's output is refused, or found by its meaning.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

const DirectedProgram rounds{
    "fun main [n] (xs : [n+2]i32) : [n+2]i32 = iterate 3 (\\a -> mapGlobal (\\x -> x + 1) (reverse a)) xs\n",
    Machine::Gpu};
const DirectedProgram branch{
    "fun main [n] (b : bool) (xs : [n+2]i32) : [n+2]i32 =\n"
    "  if b then mapGlobal (\\x -> x + 1) xs else mapGlobal (\\x -> x * 2) xs\n",
    Machine::Gpu};
const DirectedProgram until{
    "fun main [n] (xs : [n+2]i32) : [n+2]i32 =\n"
    "  while (\\a -> (a ! 0) < 9) (\\a -> mapGlobal (\\x -> (x | 1) + 1) a) (mapGlobal (\\x -> x & 7) xs)\n",
    Machine::Gpu};
const DirectedProgram checked{"fun main [n] (xs : [n+2]i32) : [n+2]i32 = mapGlobal (\\x -> 100 / x) xs\n",
                              Machine::Gpu};
const DirectedProgram summed{
    "fun main [n] (xs : [n+2]i32) : [n+2]i32 =\n"
    "  let s = reduceSeq (+) 3 xs in mapGlobal (\\x -> x * s) xs\n",
    Machine::Gpu};
const DirectedProgram of_launch{
    "fun main [n] (t : nat) (xs : [n+2][t]i32) : [n+2][t]i32 =\n"
    "  mapWorkgroup (\\b -> mapLocal (\\x -> x * 2) (reverse (toLocal (mapLocal (\\x -> x + 1)) b))) xs\n",
    Machine::Gpu};

// What stands in a statement's place; inner statements first.
using Change = std::function<std::vector<host::Stmt>(const host::Stmt&)>;
std::vector<host::Stmt> changed(const host::Stmt& s, const Change& change) {
  const auto one = [&](const host::StmtRef& r) {
    std::vector<host::Stmt> all = changed(*r, change);
    return all.size() == 1 ? all.front() : host::Stmt{host::Block{std::move(all)}};
  };
  host::Stmt out = s;
  if (auto* b = std::get_if<host::Block>(&out.node)) {
    std::vector<host::Stmt> all;
    for (const host::Stmt& x : b->statements)
      for (host::Stmt& y : changed(x, change)) all.push_back(std::move(y));
    b->statements = std::move(all);
  }
  if (auto* f = std::get_if<host::For>(&out.node)) f->body = one(f->body);
  if (auto* i = std::get_if<host::If>(&out.node)) i->then = one(i->then), i->otherwise = one(i->otherwise);
  if (auto* w = std::get_if<host::While>(&out.node)) w->before = one(w->before), w->body = one(w->body);
  return change(out);
}
Toolchain with_host(const Change& change) {
  return tools_with([change](std::vector<Stage>& stages, Machine) {
    for (Stage& stage : stages)
      if (stage.name == "host")
        stage = altered<host::Program>(stage, [change](const host::Program& p) {
          std::vector<host::Stmt> all = changed(p.body, change);
          return host::Program{p.of, all.size() == 1 ? all.front() : host::Stmt{host::Block{std::move(all)}}};
        });
  });
}
template <class Node>
Toolchain with_each(const std::function<void(Node&)>& change) {
  return with_host([change](const host::Stmt& s) {
    host::Stmt out = s;
    if (auto* n = std::get_if<Node>(&out.node)) change(*n);
    return std::vector<host::Stmt>{std::move(out)};
  });
}
template <class Node>
Toolchain without() {
  return with_host([](const host::Stmt& s) {
    return std::holds_alternative<Node>(s.node) ? std::vector<host::Stmt>{} : std::vector<host::Stmt>{s};
  });
}
Toolchain with_launches(const std::function<void(host::Launch&)>& change) {
  return with_each<host::Launch>([change](host::Launch& l) {
    if (host::loop_of(l)) change(l);
  });
}
// Each release before the statement that it stands behind.
std::vector<host::Stmt> released_early(const host::Stmt& s) {
  host::Stmt out = s;
  if (auto* b = std::get_if<host::Block>(&out.node))
    for (std::size_t k = 1; k < b->statements.size(); ++k)
      if (std::holds_alternative<host::Release>(b->statements[k].node))
        std::swap(b->statements[k], b->statements[k - 1]);
  return {std::move(out)};
}

}  // namespace

void host_mutants(std::vector<Mutant>& all) {
  using kernel::ArithOp;
  const auto add = planting<&Mutant::tools>(all, "host");
  add("host-not-sent", "inputs are not sent to the device", without<host::Send>(), {rounds});
  add("host-not-fetched", "outputs are not fetched from it", without<host::Fetch>(), {rounds});
  add("host-not-released", "arrays of the device are not given back", without<host::Release>(), {rounds});
  add("host-early-release", "an array is given back before its last use", with_host(released_early), {rounds});
  add("host-one-block", "every kernel is launched with one block",
      with_launches([](host::Launch& l) { l.grid.most = 1; }), {rounds});
  add("host-half-launched", "a kernel is launched for half of its iterations", with_launches([](host::Launch& l) {
        l.grid.count = kernel::arith(ArithOp::Divide, l.grid.count, kernel::constant(2));
      }),
      {rounds});
  add("host-no-bytes", "a launch asks for no memory of a block",
      with_launches([](host::Launch& l) { l.grid.bytes = kernel::constant(0); }), {of_launch});
  add("host-loop-short", "a loop of the host has an iteration less", with_each<host::For>([](host::For& f) {
        f.extent = kernel::arith(ArithOp::Subtract, f.extent, kernel::constant(1));
      }),
      {rounds});
  add("host-branches-swapped", "a branch of the host takes the other side",
      with_each<host::If>([](host::If& i) { std::swap(i.then, i.otherwise); }), {branch});
  add("host-while-once", "a while loop of the host has one round at most", with_host([](const host::Stmt& s) {
        const auto* w = std::get_if<host::While>(&s.node);
        if (!w) return std::vector<host::Stmt>{s};
        std::vector<host::Stmt> out{*w->before};
        if (const auto* b = std::get_if<host::Block>(&w->before->node))
          out = b->statements;  // which the condition sees
        out.push_back({host::If{w->condition, w->body, host::StmtRef(host::Stmt{host::Block{}})}});
        return out;
      }),
      {until});
  add("host-no-finish", "nothing waits for a kernel whose checks may fail", without<host::Finish>(), {checked});
  add("host-no-start", "kernels of one thread are not launched", with_host([](const host::Stmt& s) {
        const auto* l = std::get_if<host::Launch>(&s.node);
        return l && !host::loop_of(*l) ? std::vector<host::Stmt>{} : std::vector<host::Stmt>{s};
      }),
      {summed});
}

}  // namespace lockstep::props

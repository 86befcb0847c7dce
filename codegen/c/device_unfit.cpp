// What a device cannot hold or do (device_kernel.h).
#include "codegen/c/device_kernel.h"
#include "semantics/kernel/block_memory.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

namespace {

// An array inside a parallel loop whose count only a launch knows: a block's is laid out in memory that the launch asks
// for, a thread's cannot be.
std::vector<std::string> without_a_number(const Program& program) {
  std::vector<std::string> out;
  const auto look = [&](const Allocate& a, bool of_block) {
    if (constant_of(a.count) || (of_block && a.at)) return;
    out.push_back("'" + a.name + "' needs " + print(a.count) + " scalars of a " +
                  (of_block ? "block's memory, which takes a number, or a size that says where it begins ('offset')"
                            : "thread's memory, which takes a number known beforehand") +
                  ": give it a length that is a number, or leave toLocal or toPrivate out");
  };
  const std::function<void(const Stmt&, Level)> go = [&](const Stmt& s, Level around) {
    const auto inner = [&](const StmtRef& r) { go(*r, around); };
    const auto of_block = [](const Allocate& a, Level level) {
      return a.space != Space::Private && (level == Level::Workgroup || level == Level::Warp);
    };
    if (const auto* a = std::get_if<Allocate>(&s.node); a && around != Level::Seq) look(*a, of_block(*a, around));
    if (const auto* p = std::get_if<ParallelFor>(&s.node)) {
      for (const Allocate& a : p->scratch) look(a, of_block(a, p->level));
      go(*p->body, p->level);
    }
    if (const auto* b = std::get_if<Block>(&s.node))
      for (const Stmt& x : b->statements) go(x, around);
    if (const auto* f = std::get_if<For>(&s.node)) inner(f->body);
    if (const auto* w = std::get_if<While>(&s.node)) inner(w->body);
    if (const auto* i = std::get_if<If>(&s.node)) inner(i->then), inner(i->otherwise);
  };
  go(program.body, Level::Seq);
  return out;
}

std::set<std::string> atomics_it_has_not(const DeviceWords& words, const Program& program) {
  std::set<std::string> refused;
  each_statement(program.body, [&](const Stmt& s) {
    const auto* a = std::get_if<Atomic>(&s.node);
    if (!a || words.atomic(*a->primitive, a->value.type.scalar, "", "")) return;
    refused.insert(std::string(words.name) + " has no atomic '" + a->primitive->name + "' on " + print(a->value.type) +
                   ", which '" + a->buffer + "' is updated by: " + std::string(words.atomics) +
                   "; or combine private copies (the rule permuteCopies)");
  });
  return refused;
}

}  // namespace

std::vector<std::string> device_unfit(const DeviceWords& words, const Program& program) {
  std::vector<std::string> out = without_a_number(program);
  const std::string name(words.name);
  if (program.narrow && program.launch.index != 32)
    out.push_back(name + " has indices of 32 and of 64 bits, not of " + std::to_string(program.launch.index) +
                  ": --index-bits 32");
  for (const BlockMemory& m : block_memories(program))
    if (auto why = too_large(m)) out.push_back(std::move(*why));
  const std::set<std::string> refused = atomics_it_has_not(words, program);
  out.insert(out.end(), refused.begin(), refused.end());
  if (const auto why = words.warps ? std::nullopt : warps_part(program))
    out.push_back(*why + "; " + name + " has no barrier of a warp, and a block's would wait for the other warps");
  return out;
}

}  // namespace lockstep

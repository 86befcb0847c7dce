// What a GPU's blocks cannot hold.
#include "codegen/c/statement.h"
#include "codegen/targets/hip.h"
#include "codegen/targets/hip_kernel.h"
#include "semantics/kernel/print.h"
#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;

std::vector<std::string> hip_unfit(const Program& program) {
  constexpr std::int64_t block_bytes = 48 * 1024;
  std::vector<std::string> out;
  struct Held {
    std::int64_t scalars = 0, bytes_each = 0;  // of all its copies
    std::int64_t bytes() const { return scalars * bytes_each; }
  };
  using Arrays = std::map<std::string, Held>;
  const auto local_arrays = [&](const ParallelFor& p) {
    Arrays arrays;
    const auto add = [&](const Allocate& a, int copies) {
      const auto n = constant_of(a.count);
      if (!n)
        out.push_back("'" + a.name + "' needs " + print(a.count) + " scalars of a " +
                      (a.space == Space::Local ? "block's" : "thread's") +
                      " memory, which takes a number known beforehand");
      else if (a.space == Space::Local)
        arrays[a.name] = {*n, arrays[a.name].bytes_each + bytes_of(a.type.scalar) * copies};
    };
    const auto add_all = [&](const ParallelFor& loop, int copies) {
      for (const Allocate& a : loop.scratch) add(a, copies);
      each_statement(*loop.body, [&](const Stmt& s) {
        if (const auto* a = std::get_if<Allocate>(&s.node)) add(*a, copies);
        if (const auto* inner = std::get_if<ParallelFor>(&s.node))
          for (const Allocate& a : inner->scratch) add(a, copies);
      });
    };
    add_all(p, 1);
    each_statement(*p.body, [&](const Stmt& s) {  // of a warp loop each of the block's warps has its own
      const auto* w = std::get_if<ParallelFor>(&s.node);
      if (w && w->level == Level::Warp) add_all(*w, warps_of(program.launch) - 1);
    });
    return arrays;
  };
  // Of what does not fit: the largest array, and what it could be beside the others.
  const auto judge = [&](const Arrays& arrays) {
    std::int64_t bytes = 0;
    const Arrays::value_type* largest = nullptr;
    for (const auto& array : arrays) {
      bytes += array.second.bytes();
      if (!largest || array.second.bytes() > largest->second.bytes()) largest = &array;
    }
    if (bytes <= block_bytes) return;
    const auto& [name, held] = *largest;
    const std::int64_t most = (block_bytes - (bytes - held.bytes())) / held.bytes_each;
    out.push_back("a block would need " + std::to_string(bytes) + " bytes of local memory, which has " +
                  std::to_string(block_bytes) +
                  (most > 0 ? ": it fits where '" + name + "' has " + std::to_string(most) + " scalars at most, not " +
                                  std::to_string(held.scalars)
                            : ""));
  };
  const std::function<void(const Stmt&)> outermost = [&](const Stmt& s) {
    if (const auto* p = std::get_if<ParallelFor>(&s.node)) {
      judge(local_arrays(*p));
      return;
    }
    if (const auto* b = std::get_if<Block>(&s.node))
      for (const Stmt& x : b->statements) outermost(x);
    if (const auto* f = std::get_if<For>(&s.node)) outermost(*f->body);
    if (const auto* w = std::get_if<While>(&s.node)) outermost(*w->body);
    if (const auto* i = std::get_if<If>(&s.node)) outermost(*i->then), outermost(*i->otherwise);
  };
  outermost(program.body);
  std::set<std::string> refused;
  each_statement(program.body, [&](const Stmt& s) {
    const auto* a = std::get_if<Atomic>(&s.node);
    if (!a || hip_atomic(*a->primitive, a->value.type.scalar)) return;
    refused.insert("HIP has no atomic '" + a->primitive->name + "' on " + print(a->value.type) + ", which '" +
                   a->buffer +
                   "' is updated by: on i32, u32, i64 and u64 it has + & | ^, on i32, u32 and u64 min and max; or "
                   "combine private copies (the rule permuteCopies)");
  });
  out.insert(out.end(), refused.begin(), refused.end());
  return out;
}

}  // namespace lockstep

// Default strategies: a `map` without a level runs over CPU threads where nothing around it is parallel yet, and one
// element after another inside. On the GPU the outermost goes over all threads, and one directly in a block over the
// block's. Levels that the source wrote stay; but on the CPU what threads of a GPU update atomically is done in order.
#include "semantics/primitives/build.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

// Whether a parallel level is written anywhere inside: then the plain maps around it stay sequential, or an outer
// default would silently turn the level that was asked for into an inner one.
bool has_parallel_level(const Phrase& p) {
  if (const auto* x = as<PrimPhrase>(p))
    if (const auto* loop = std::get_if<Loop>(&x->primitive->kind); loop && is_parallel(loop->level)) return true;
  bool found = false;
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_parallel_level(*c); });
  return found;
}

// Where a loop without a level runs: over what there is, unless a level stands inside it.
Level default_level(const PrimPhrase& x, Machine machine, Runs by) {
  if (by == Runs::Thread || has_parallel_level(*x.arguments[0])) return Level::Seq;
  if (by == Runs::Machine) return machine == Machine::Cpu ? Level::Par : Level::Global;
  const auto n = x.sizes[0].constant();  // few elements are not worth the block's memory
  return n && *n <= 16 ? Level::Seq : Level::Local;
}

PhraseRef resolve(const PhraseRef& p, const Calculus& calculus, Machine machine, Runs by) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  if (!loop) return map_children(p, [&](const PhraseRef& c) { return resolve(c, calculus, machine, by); });
  Level level = loop->level;
  PhraseRef out = p;
  if (loop->independent && level == Level::Auto) level = default_level(*x, machine, by);
  if (loop->atomic && machine == Machine::Cpu) level = Level::Auto;  // in order: there are no atomics
  // generate has no levels of its own; it runs as a plain map would, and the loops stage decides so again.
  if (level != loop->level && !loop->family.empty()) {
    PrimPhrase y = *x;
    y.primitive = calculus.at_level(*loop, level);
    out = Phrase{p->type, std::move(y), p->region};
  }
  // Only a function argument runs inside the loop.
  return map_children(out, [&](const PhraseRef& c) {
    const bool body = as<LambdaPhrase>(*c) != nullptr;
    return resolve(c, calculus, machine, body ? runs_inside(level, by, machine) : by);
  });
}

}  // namespace

Stage strategies(const DpiaLanguages& l, Machine machine) {
  return stage_of<PhraseProgram, PhraseProgram>("strategies", "DPIA §2.1, §6.2", l.functional, l.functional,
                                                [c = l.calculus, machine](const PhraseProgram& p, Owed*) {
                                                  PhraseProgram out = p;
                                                  out.body = resolve(p.body, *c, machine, Runs::Machine);
                                                  return out;
                                                },
                                                {.work = CostRelation::Change::Same});
}

}  // namespace lockstep

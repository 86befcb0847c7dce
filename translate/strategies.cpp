// Default strategies: a `map` without a level runs over CPU threads where nothing around it is parallel yet, and one
// element after another inside. On the GPU the outermost goes over all threads. Levels that the source wrote stay.
#include "semantics/primitives/build.h"
#include "translate/stage.h"

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

PhraseRef resolve(const PhraseRef& p, const Calculus& calculus, Machine machine, bool inside) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  if (!loop) return map_children(p, [&](const PhraseRef& c) { return resolve(c, calculus, machine, inside); });
  const bool plain_map = x->primitive->name == "map";
  // generate has no levels of its own; it runs as a plain map would, and the loops stage decides so again.
  const bool plain = plain_map || x->primitive->name == "generate";
  const bool parallel = is_parallel(loop->level) || (plain && !inside && !has_parallel_level(*x->arguments[0]));
  PhraseRef out = p;
  if (plain_map) {
    const char* name = !parallel ? "mapSeq" : machine == Machine::Cpu ? "mapPar" : "mapGlobal";
    PrimPhrase y = *x;
    y.primitive = calculus.primitive(name);
    out = Phrase{p->type, std::move(y), p->region};
  }
  // Only a function argument runs inside the loop.
  return map_children(out, [&](const PhraseRef& c) {
    const bool body = as<LambdaPhrase>(*c) != nullptr;
    return resolve(c, calculus, machine, inside || (body && parallel));
  });
}

}  // namespace

PhraseStage strategies() {
  return {"strategies", "DPIA §2.1, §6.2", [](const PhraseProgram& p, const Calculus& calculus, Machine machine) {
            PhraseProgram out = p;
            out.body = resolve(p.body, calculus, machine, false);
            return out;
          }};
}

}  // namespace lockstep

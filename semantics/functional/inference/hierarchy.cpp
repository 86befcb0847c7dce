// The machine's hierarchy as a typing rule (DPIA §6.2 leaves it open): over all threads, or over blocks and then over
// the threads of each; CPU threads within CPU threads. In: an elaborated body; out: the loops that stand where the
// machine has nothing to run them on. Sequential loops and functions between levels do not matter.
#include "semantics/functional/inference/hierarchy.h"

#include "semantics/primitives/primitive.h"

namespace lockstep {
namespace {

// A level directly inside another.
bool nests(Level outer, Level inner) {
  if (outer == Level::Par) return inner == Level::Par;
  return outer == Level::Workgroup && inner == Level::Local;
}

std::string runs_over(Level l) {
  switch (l) {
    case Level::Par:
      return "CPU threads";
    case Level::Global:
      return "all threads of the GPU";
    case Level::Workgroup:
      return "blocks of threads";
    case Level::Local:
      return "the threads of one block";
    case Level::Auto:
    case Level::Seq:
    case Level::Unroll:
      break;
  }
  throw Bug("a level that is not parallel");
}

void look(const Phrase& p, const PrimPhrase* outer, Diagnostics& out) {
  const auto* x = as<PrimPhrase>(p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  const bool level = loop && is_parallel(loop->level);
  if (level && outer) {
    const Level around = std::get<Loop>(outer->primitive->kind).level;
    if (!nests(around, loop->level))
      out.push_back({p.region,
                     x->primitive->name + " runs over " + runs_over(loop->level) + ", but it stands inside " +
                         outer->primitive->name + ", which runs over " + runs_over(around),
                     around == Level::Workgroup ? "mapLocal, or a sequential loop"
                     : around == Level::Par     ? "mapPar, or a sequential loop"
                                                : "a sequential loop",
                     "write map or mapSeq here; or mapWorkgroup outside and mapLocal inside"});
  }
  for_each_child(p, [&](const PhraseRef& c) {
    // Only a function argument runs inside the loop.
    look(*c, level && as<LambdaPhrase>(*c) ? x : outer, out);
  });
}

}  // namespace

Diagnostics hierarchy_errors(const PhraseRef& body) {
  Diagnostics out;
  look(*body, nullptr, out);
  return out;
}

}  // namespace lockstep

// Scans in blocks, made wrong: what stands before a block, and before what is left.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"
#include "translate/rewriting/terms.h"

namespace lockstep::props {
namespace {

// Of what stands before each block, in what the stage makes.
Toolchain with_starts(const std::function<PrimPhrase(const PrimPhrase&)>& change) {
  return tools_with("reduce-in-blocks", where_changed([change](const PhraseRef& p) -> PhraseRef {
                      const PrimPhrase* x = rewriting::as_call(*p, "scanExclusive");
                      if (!x || !rewriting::as_call(*x->arguments[2], "pad")) return p;
                      return Phrase{p->type, change(*x), p->region};
                    }));
}
PrimPhrase forgotten(const PrimPhrase& starts) {
  const auto* sum = as<LambdaPhrase>(*starts.arguments[0]);
  const auto* acc = as<LambdaPhrase>(*sum->body);
  PrimPhrase out = starts;
  out.arguments[0] =
      lambda(sum->name, sum->parameter, lambda(acc->name, acc->parameter, ident(acc->name, acc->parameter)));
  return out;
}
PrimPhrase with_its_own(const PrimPhrase& starts) {
  PrimPhrase out = starts;
  out.primitive = standard_calculus().primitive("scan");
  return out;
}
PrimPhrase never_again(const PrimPhrase& starts) {
  PrimPhrase out = starts;
  out.arguments[0] = rewritten(starts.arguments[0], [](const PhraseRef& p) {
    const auto* c = as<IfPhrase>(*p);
    return c ? c->otherwise : p;
  });
  return out;
}
PhraseRef rest_from_the_front(const PhraseRef& p) {
  const PrimPhrase* x = rewriting::as_call(*p, "idx");
  if (!x) return p;
  PrimPhrase out = *x;
  out.arguments[1] = index_at(Size(0), x->sizes[0]);
  return Phrase{p->type, std::move(out), p->region};
}

}  // namespace

void scan_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "blocks");
  // Of maxima a block of one element, which an order may have, is the same twice.
  const std::vector<DirectedProgram>
      maxima = {{"fun main (xs : [70]i32) : [70]i32 = scan (\\x acc -> if x > acc then x else acc) 3 xs\n"}},
      sums = {{"fun main (xs : [71]f32) : [71]f32 = scan (+) 3 xs\n"}};
  add("scan-blocks-forgotten", "every block of a scan goes on from the start", with_starts(forgotten), maxima);
  add("scan-blocks-ahead", "a block of a scan goes on from its own sum", with_starts(with_its_own), sums);
  add("scan-blocks-rest", "what is left behind a scan's blocks goes on from the start",
      tools_with("reduce-in-blocks", where_changed(rest_from_the_front)), sums);
  add("scan-blocks-never-again", "a block in which sums begin again adds to what stands before it",
      with_starts(never_again),
      {{"fun main (xs : [70]i32) : [70]i32 = scan (\\x acc -> if x & 7 == 0 then x else acc + x) 3 xs\n"}});
}

}  // namespace lockstep::props

// map and its levels (DPIA Fig. 4a, §6.2): a function on every element.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

// Fig. 5a: A[map F E](A) = C[E](\x. mapI (\x o. A[F x](o)) x A)
PhraseRef accept(Translation& t, const PrimPhrase& e, const PhraseRef& a, Level level) {
  return t.continuation(e.arguments[1], [&](const PhraseRef& xs) {
    const Type &d1 = e.types[0], &d2 = e.types[1];
    const std::string x = t.fresh("x"), o = t.fresh("o");
    const PhraseRef body = t.acceptor(apply(e.arguments[0], ident(x, exp_type(d1))), ident(o, acc_type(d2)));
    const PhraseRef f = lambda(x, exp_type(d1), lambda(o, acc_type(d2), body, true));
    return phrase_of({imp::MapI{level}, {e.sizes[0]}, {d1, d2}, {f, xs, a}});
  });
}

Value mapped(const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
  std::vector<Value> out;
  out.reserve(static_cast<std::size_t>(sizes[0]));
  for (std::int64_t i = 0; i < sizes[0]; ++i) {
    const Value x = element_of(args[1], i);
    out.push_back(stored(call(args[0], std::span(&x, 1))));
  }
  return array_value(std::move(out));
}

PrimitiveRef at_level(const char* name, Level level, const char* summary) {
  const bool sequential = level == Level::Seq || level == Level::Unroll;
  return std::make_shared<const Primitive>(
      Primitive{name, summary,
                Loop{
                    .type = "('a -> 'b) -> [n]'a -> [n]'b",
                    .meaning = mapped,
                    .cost =
                        [sequential](SourceCosts& costs, const PrimPhrase& e, bool) {
                          const Cost elements = costs.before(e.arguments[1]);
                          const Cost one = costs.call(e.arguments[0], {e.arguments[1]});
                          return elements + (sequential ? repeated : side_by_side)(e.sizes[0], one);
                        },
                    .acceptor = [level](Translation& t, const PrimPhrase& e,
                                        const PhraseRef& a) { return accept(t, e, a, level); },
                    .level = level,
                    .family = "map",
                    .takes = 1,
                    .independent = true,
                    .total = true,
                    .writes =
                        [](DeclaredWrites& w, const PrimPhrase& e, bool) {
                          const Size elements = w.before(e.arguments[1]);
                          return elements + e.sizes[0] * w.body(e.arguments[0]);
                        },
                }});
}

}  // namespace

std::vector<PrimitiveRef> map_primitives() {
  return {
      at_level("map", Level::Auto, "a function on every element, by the target's default strategy"),
      at_level("mapSeq", Level::Seq, "map, one element after another"),
      at_level("mapPar", Level::Par, "map over CPU threads"),
      at_level("mapGlobal", Level::Global, "map over all GPU threads"),
      at_level("mapWorkgroup", Level::Workgroup, "map over the blocks of a GPU"),
      at_level("mapWarp", Level::Warp, "map over the warps of a block"),
      at_level("mapLocal", Level::Local, "map over the threads of a block, or over the lanes of a warp"),
      at_level("mapUnroll", Level::Unroll, "map, copies of the body and no loop; n is a number"),
  };
}

}  // namespace lockstep

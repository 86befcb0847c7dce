// scan, scanExclusive: the prefixes of a fold from the left.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

PhraseRef accept(Translation& t, const PrimPhrase& e, const PhraseRef& a, bool exclusive) {
  const Type &d1 = e.types[0], &d2 = e.types[1];
  return t.continuation(e.arguments[2], [&](const PhraseRef& xs) {
    return t.continuation(e.arguments[1], [&](const PhraseRef& init) {
      const PhraseRef f = acceptor_of(t, e.arguments[0], {d1, d2}, d2);
      return phrase_of({imp::ScanI{exclusive}, {e.sizes[0]}, {d1, d2}, {f, init, xs, a}});
    });
  });
}

PrimitiveRef named(const char* name, const char* summary, bool exclusive) {
  return std::make_shared<const Primitive>(
      Primitive{name, summary,
                Loop{
                    .type = "('a -> 'b -> 'b) -> 'b -> [n]'a -> [n]'b",
                    .meaning =
                        [exclusive](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                          std::vector<Value> out;
                          Value acc = stored(args[1]);
                          for (std::int64_t i = 0; i < sizes[0]; ++i) {
                            if (exclusive) out.push_back(acc);
                            const Value pair[2] = {element_of(args[2], i), acc};
                            acc = stored(call(args[0], pair));
                            if (!exclusive) out.push_back(acc);
                          }
                          return array_value(std::move(out));
                        },
                    .cost =
                        [](SourceCosts& costs, const PrimPhrase& e, bool) {
                          const Type& d = e.types[1];
                          const Cost elements = costs.before(e.arguments[2]), start = costs.before(e.arguments[1]);
                          const Cost step = copied_back(d, costs.call(e.arguments[0], {e.arguments[2]}));
                          const Cost out{scalars_in(d) * Size(2), widest_leaf(d) * Size(2), 0};
                          return elements + start +
                                 over_state(costs, d, e.arguments[1],
                                            repeated(e.sizes[0], step) + repeated(e.sizes[0], out), false);
                        },
                    .acceptor = [exclusive](Translation& t, const PrimPhrase& e,
                                            const PhraseRef& a) { return accept(t, e, a, exclusive); },
                    .takes = 2,
                    .in_order = true,
                    .by_law = true,
                    .prefixes = true,
                    .total = true,
                    .writes =
                        [](DeclaredWrites& w, const PrimPhrase& e, bool) {
                          const Size d = scalars_in(e.types[1]);
                          const Size elements = w.before(e.arguments[2]), start = w.before(e.arguments[1]);
                          return elements + start + d + e.sizes[0] * (w.body(e.arguments[0]) + d + d);
                        },
                }});
}

}  // namespace

std::vector<PrimitiveRef> scan_primitives() {
  return {named("scan", "the prefixes of a fold from the left, each with its own element", false),
          named("scanExclusive", "the prefixes of a fold from the left, each without its own element", true)};
}

}  // namespace lockstep

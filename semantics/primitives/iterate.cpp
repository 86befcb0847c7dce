// iterate, while: a function applied to its own result.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

PhraseRef continuation_of(Translation& t, const Type& d, const std::function<PhraseRef(PhraseRef)>& c) {
  const std::string r = t.fresh("r");
  return lambda(r, exp_type(d), c(ident(r, exp_type(d))));
}

PhraseRef iterate(Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
  const Type& d = e.types[0];
  return t.continuation(e.arguments[1], [&](const PhraseRef& x) {
    return phrase_of(
        {imp::IterateI{}, {e.sizes[0]}, {d}, {acceptor_of(t, e.arguments[0], {d}, d), x, continuation_of(t, d, c)}});
  });
}

PhraseRef loop_while(Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
  const Type& d = e.types[0];
  return t.continuation(e.arguments[2], [&](const PhraseRef& x) {
    return phrase_of({imp::WhileI{},
                      {},
                      {d},
                      {acceptor_of(t, e.arguments[0], {d}, scalar(ScalarType::Bool)),
                       acceptor_of(t, e.arguments[1], {d}, d), x, continuation_of(t, d, c)}});
  });
}

}  // namespace

PrimitiveRef iterate_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "iterate", "a function applied k times",
      Loop{
          .type = "(k : nat) -> ('a -> 'a) -> 'a -> 'a",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                Value x = stored(args[1]);
                for (std::int64_t i = 0; i < sizes[0]; ++i) x = stored(call(args[0], std::span(&x, 1)));
                return x;
              },
          .cost =
              [](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                const Cost start = costs.before(e.arguments[1]);
                const Cost step = copied_back(e.types[0], costs.call(e.arguments[0]));
                return start + over_state(costs, e.types[0], e.arguments[1], repeated(e.sizes[0], step), copied);
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                return iterate(t, e, [&](const PhraseRef& r) { return t.assign(a, r); });
              },
          .continuation = iterate,
          .in_order = true,
          .total = true,
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool copied) {
                const Size d = scalars_in(e.types[0]);
                const Size start = w.before(e.arguments[1]);
                return start + d + e.sizes[0] * (w.body(e.arguments[0]) + d) + copies(e.types[0], copied);
              },
      }});
}

PrimitiveRef while_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "while", "a function applied as long as a condition holds",
      Loop{
          .type = "('a -> bool) -> ('a -> 'a) -> 'a -> 'a",
          .meaning =
              [](const std::vector<std::int64_t>&, std::span<const Value> args) {
                Value x = stored(args[2]);
                while (as_scalar(force(call(args[0], std::span(&x, 1)))).bits)
                  x = stored(call(args[1], std::span(&x, 1)));
                return x;
              },
          .cost =
              [](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                const Cost start = costs.before(e.arguments[2]);
                // Into a variable of its own, which decides: before the rounds, and after each.
                const auto test = [&] { return costs.call(e.arguments[0]) + Cost{1, 1, 0}; };
                const Cost first = test();
                const Size times = costs.iterations();
                const Cost step = copied_back(e.types[0], costs.call(e.arguments[1]));
                const Cost rounds = repeated(times, step + test());
                return start + with_space(1, over_state(costs, e.types[0], e.arguments[2], first + rounds, copied));
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                return loop_while(t, e, [&](const PhraseRef& r) { return t.assign(a, r); });
              },
          .continuation = loop_while,
          .round = 1,
      }});
}

}  // namespace lockstep

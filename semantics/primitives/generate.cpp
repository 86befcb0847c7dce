// generate, and the literal array: arrays given element by element.
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {

PrimitiveRef generate_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "generate", "an array from a function of the index",
      Loop{
          .type = "(n : nat) -> (idx(n) -> 'a) -> [n]'a",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                std::vector<Value> out;
                for (std::int64_t i = 0; i < sizes[0]; ++i) {
                  const Value index = scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(i)));
                  out.push_back(stored(call(args[0], std::span(&index, 1))));
                }
                return array_value(std::move(out));
              },
          .cost = [](SourceCosts& costs, const PrimPhrase& e,
                     bool) { return side_by_side(e.sizes[0], costs.call(e.arguments[0])); },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                const std::string index = t.fresh("i"), out = t.fresh("o");
                return par_for(Level::Auto, a, index, out, [&](const PhraseRef& i, const PhraseRef& o) {
                  return t.acceptor(apply(e.arguments[0], i), o);
                });
              },
          .independent = true,
          .total = true,
          .writes = [](DeclaredWrites& w, const PrimPhrase& e, bool) { return e.sizes[0] * w.body(e.arguments[0]); },
      }});
}

PrimitiveRef array_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"array", "a literal array, [a, b, c]",
                Loop{
                    .type = "(n : nat) -> 'a -> [n]'a",  // n arguments; its typing is the literal's own
                    .meaning =
                        [](const std::vector<std::int64_t>&, std::span<const Value> args) {
                          std::vector<Value> out;
                          for (const Value& v : args) out.push_back(stored(v));
                          return array_value(std::move(out));
                        },
                    .cost =
                        [](SourceCosts& costs, const PrimPhrase& e, bool) {
                          Cost all{0, 0, 0};
                          for (const PhraseRef& x : e.arguments) all = all + costs.into(x);
                          return all;
                        },
                    .acceptor =
                        [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                          std::vector<PhraseRef> elements;
                          for (std::size_t k = 0; k < e.arguments.size(); ++k)
                            elements.push_back(t.acceptor(
                                e.arguments[k], idx_acc(a, index_at(Size(static_cast<std::int64_t>(k)), e.sizes[0]))));
                          return seq(std::move(elements));
                        },
                    .total = true,
                    .literal = true,
                    .writes =
                        [](DeclaredWrites& w, const PrimPhrase& e, bool) {
                          Size n = 0;
                          for (const PhraseRef& x : e.arguments) n = n + w.into(x);
                          return n;
                        },
                },
                Notation::Form});
}

}  // namespace lockstep

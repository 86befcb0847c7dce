// scatter, permute: values to given places. They write outside the element that a parfor hands out, so they stay typed
// constants, scatterI and permuteI, up to the kernel language (design.md).
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

std::int64_t number_at(const Value& is, std::int64_t j) { return as_scalar(force(element_of(is, j))).integer(); }

std::vector<Value> elements(const Value& xs, std::int64_t n) {
  std::vector<Value> out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(stored(element_of(xs, i)));
  return out;
}

[[noreturn]] void outside(const char* name, std::int64_t i, std::int64_t m) {
  throw TrapSignal{{name, "index " + std::to_string(i) + " is outside [0, " + std::to_string(m) + ")", {}}};
}

PhraseRef permute_into(Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
  const Type& d = e.types[0];
  const Region where = t.where();
  return t.continuation(e.arguments[2], [&](const PhraseRef& is) {
    return t.continuation(e.arguments[3], [&](const PhraseRef& xs) {
      return new_variable(Space::Auto, array(e.sizes[0], d), t.fresh("tmp"), [&](const PhraseRef& v) {
        const std::string x = t.fresh("x"), y = t.fresh("y"), o = t.fresh("o");
        const PhraseRef step = apply(apply(e.arguments[0], ident(x, exp_type(d))), ident(y, exp_type(d)));
        const PhraseRef f = lambda(
            x, exp_type(d), lambda(y, exp_type(d), lambda(o, acc_type(d), t.acceptor(step, ident(o, acc_type(d))))));
        return seq({t.acceptor(e.arguments[1], proj(1, v)),
                    imp({Imp::PermuteI, Level::Auto, Space::Auto, e.sizes, {d}, {f, is, xs, v}}, where),
                    c(proj(2, v))});
      });
    });
  });
}

}  // namespace

PrimitiveRef scatter_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "scatter", "values written onto an array at distinct indices; negative ones are ignored",
      Loop{
          .type = "[m]'a -> [n]i64 -> [n]'a -> [m]'a",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                std::vector<Value> out = elements(args[0], sizes[0]);
                std::vector<bool> written(out.size());
                for (std::int64_t j = 0; j < sizes[1]; ++j) {
                  const std::int64_t i = number_at(args[1], j);
                  if (i < 0) continue;
                  if (i >= sizes[0]) outside("scatter", i, sizes[0]);
                  const auto k = static_cast<std::size_t>(i);
                  if (written[k]) throw TrapSignal{{"scatter", "index " + std::to_string(i) + " occurs twice", {}}};
                  written[k] = true;
                  out[k] = stored(element_of(args[2], j));
                }
                return array_value(std::move(out));
              },
          .cost =
              [](const Instance& at, const std::vector<Cost>&) {
                const Size d = scalars_in(at.type(0));
                return Cost{at.size(0) * d + at.size(1) * d + at.size(1), 2, at.size(0) * d};
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                const Region where = t.where();
                return t.continuation(e.arguments[1], [&](const PhraseRef& is) {
                  return t.continuation(e.arguments[2], [&](const PhraseRef& xs) {
                    return seq(
                        t.acceptor(e.arguments[0], a),
                        imp({Imp::ScatterI, Level::Auto, Space::Auto, e.sizes, {e.types[0]}, {is, xs, a}}, where));
                  });
                });
              },
          .indexed = Indexed{.argument = 1, .length = 0},
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool) {
                // A mark for each place, and for each value its index and its mark.
                const Size indices = w.before(e.arguments[1]), values = w.before(e.arguments[2]);
                return indices + values + w.into(e.arguments[0]) + e.sizes[0] +
                       e.sizes[1] * (scalars_in(e.types[0]) + Size(2));
              },
      }});
}

PrimitiveRef permute_primitive() {
  return std::make_shared<const Primitive>(Primitive{
      "permute",
      "combining forward permutation of defaults, indices, values by f new old; negative indices are ignored",
      Loop{
          .type = "('a -> 'a -> 'a) -> [m]'a -> [n]i64 -> [n]'a -> [m]'a",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                std::vector<Value> out = elements(args[1], sizes[0]);
                for (std::int64_t j = 0; j < sizes[1]; ++j) {
                  const std::int64_t i = number_at(args[2], j);
                  if (i < 0) continue;
                  if (i >= sizes[0]) outside("permute", i, sizes[0]);
                  const Value both[2] = {element_of(args[3], j), out[static_cast<std::size_t>(i)]};
                  out[static_cast<std::size_t>(i)] = stored(call(args[0], both));
                }
                return array_value(std::move(out));
              },
          .cost =
              [](const Instance& at, const std::vector<Cost>& f) {
                const Size d = scalars_in(at.type(0));
                return Cost{at.size(0) * d + at.size(1) * (f[0].work + Size(2)), at.size(1) * f[0].depth + Size(1),
                            at.size(0) * d + f[0].space};
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                return permute_into(t, e, [&](const PhraseRef& r) { return t.assign(a, r); });
              },
          .continuation = permute_into,
          .any_order = true,
          .indexed = Indexed{.argument = 2, .length = 0},
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool copied) {
                const Size d = scalars_in(e.types[0]);
                const Size indices = w.before(e.arguments[2]), values = w.before(e.arguments[3]);
                return indices + values + w.into(e.arguments[1]) + e.sizes[1] * (w.body(e.arguments[0]) + d + Size(1)) +
                       e.sizes[0] * copies(e.types[0], copied);
              },
      }});
}

}  // namespace lockstep

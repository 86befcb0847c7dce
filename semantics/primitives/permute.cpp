// permute and its levels: values combined at given places; permuteBy finds the place of an element by a function. They
// write outside the element that a parfor hands out, so they stay typed constants, permuteI and permuteByI, up to the
// kernel language (design.md): arguments, meaning, cost and expansion of both are here too.
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/placed.h"

namespace lockstep {
namespace {

using placed::number_at;

// All of one place, which wait for each other; by threads, of none no less than one and the loop.
Cost updates(Level level, const Size& n, const Cost& one) {
  const Cost all = repeated(n, one);
  return is_parallel(level) ? all + Cost{0, one.depth + Size(1), 0} : all;
}

// ------------------------------------------------------------------------------------------------- the constants
PhraseType step_type(const Type& x, const Type& d) {
  return phrase_function(exp_type(x), phrase_function(exp_type(d), phrase_function(acc_type(d), comm_type())));
}

// V (i) := F x (V (i)) for each place i of an element x, in any order
void expand_permute(Expansion& t, const ImpPhrase& x, const placed::PlaceOf& place, const PhraseRef& f,
                    const PhraseRef& xs, const PhraseRef& v, const Type& d, const Region& region, kernel::Block& out) {
  placed::at_index(t, "permute", Level::Seq, x, place, region, out,
                   [&](const std::string&, const PhraseRef& at, const PhraseRef& j, kernel::Block& b) {
                     const PhraseRef element = idx_of(t.primitive("idx"), xs, j);
                     const PhraseRef old = idx_of(t.primitive("idx"), proj(2, v), at);
                     const PhraseRef next = t.declare(t.fresh("next"), d, b);
                     t.command(apply(apply(apply(f, element), old), proj(1, next)), b);
                     t.copy(idx_acc(proj(1, v), at), proj(2, next), d, b);
                   });
}

// The same by the threads of a level, each step atomic: F is an operator (Loop::atomic).
void expand_permute_by_threads(Level level, Expansion& t, const ImpPhrase& x, const Region& region,
                               kernel::Block& out) {
  const PrimitiveRef op = operator_of(*x.arguments[0]);
  if (!op) throw Bug("atomic updates by what is no operator");
  placed::at_index(t, "permute", threads_of(t, level), x, placed::element_of_array(x.arguments[1]), region, out,
                   [&](const std::string&, const PhraseRef& at, const PhraseRef& j, kernel::Block& b) {
                     t.update(idx_acc(proj(1, x.arguments[3]), at), op,
                              t.value(idx_of(t.primitive("idx"), x.arguments[2], j), {}), b);
                   });
}

// permuteI F Is E V: V (Is j) := F (E j) (V (Is j)) for each j with Is j >= 0, in any order
ConstantRef made_permute_i(const char* name, Level level) {
  return constant(
      name, imp::Takes{2, 1},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        return {step_type(t[0], t[0]), exp_type(array(s[1], scalar(ScalarType::I64))), exp_type(array(s[1], t[0])),
                var_type(array(s[0], t[0]))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const Value is = run.value(1), from = run.value(2), old = run.value(3);
                for (const std::int64_t j : run.in_order(run.size(1)))
                  if (const auto i = placed::place_below(run.size(0), number_at(is, j), "permute", run.where()))
                    run.write(3, *i, run.call(0, {element_of(from, j), element_of(old, *i)}));
              },
          .cost =
              [level](ConstantCosts& costs, const ImpPhrase& x) {
                const Cost index = costs.expression(1);
                return updates(level, x.sizes[1], then(index, costs.step(x.types[0], 0, {2})));
              },
          .expand =
              [level](Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
                if (level != Level::Auto) return expand_permute_by_threads(level, t, x, region, out);
                const auto& a = x.arguments;
                expand_permute(t, x, placed::element_of_array(a[1]), a[0], a[2], a[3], x.types[0], region, out);
              },
          .any_order = true,
          .level = level,
      });
}
const ConstantRef& permute_i(Level level) {
  static const OfLevels all{made_permute_i("permuteI", Level::Auto), made_permute_i("permuteGlobalI", Level::Global),
                            made_permute_i("permuteLocalI", Level::Local)};
  return all.at(level);
}

// permuteByI P F E V: V (i) := F (E j) (V (i)) where P (E j) gives i, for each j whose i >= 0, in any order; of
// elements of type t0.
const ConstantRef& permute_by_i() {
  static const ConstantRef it = constant(
      "permuteByI", imp::Takes{2, 2},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        const PhraseType place =
            phrase_function(exp_type(t[0]), phrase_function(acc_type(scalar(ScalarType::I64)), comm_type()));
        return {place, step_type(t[0], t[1]), exp_type(array(s[1], t[0])), var_type(array(s[0], t[1]))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const Value from = run.value(2), old = run.value(3);
                for (const std::int64_t j : run.in_order(run.size(1))) {
                  const Value x = element_of(from, j);
                  const std::int64_t found = as_scalar(run.call(0, {x})).integer();
                  if (const auto i = placed::place_below(run.size(0), found, "permute", run.where()))
                    run.write(3, *i, run.call(1, {x, element_of(old, *i)}));
                }
              },
          .cost =
              [](ConstantCosts& costs, const ImpPhrase& x) {
                const Cost place = placed::place_cost(x.arguments[0], costs.call(0, {2}));
                return repeated(x.sizes[1], then(place, costs.step(x.types[1], 1, {2})));
              },
          .expand =
              [](Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
                const auto& a = x.arguments;
                expand_permute(t, x, placed::by_function(a[0], a[2]), a[1], a[2], a[3], x.types[1], region, out);
              },
          .any_order = true,
      });
  return it;
}

// ------------------------------------------------------------------------------------------------- the loops
using Continue = std::function<PhraseRef(PhraseRef)>;

// Of m places of type d: the defaults, and what the command combines into them.
PhraseRef combined(Translation& t, const PrimPhrase& e, const Type& d, const PhraseRef& defaults,
                   const std::function<PhraseRef(const PhraseRef& v)>& all, const Continue& c) {
  return new_variable(Space::Auto, array(e.sizes[0], d), t.fresh("tmp"), [&](const PhraseRef& v) {
    const PhraseRef updates = all(v);
    return seq({t.acceptor(defaults, proj(1, v)), updates, c(proj(2, v))});
  });
}
PhraseRef permute_into(Level level, Translation& t, const PrimPhrase& e, const Continue& c) {
  const Type& d = e.types[0];
  const Region where = t.where();
  return t.continuation(e.arguments[2], [&](const PhraseRef& is) {
    return t.continuation(e.arguments[3], [&](const PhraseRef& xs) {
      const auto all = [&](const PhraseRef& v) {
        return command(permute_i(level), e.sizes, {d}, {acceptor_of(t, e.arguments[0], {d, d}, d), is, xs, v}, where);
      };
      return combined(t, e, d, e.arguments[1], all, c);
    });
  });
}
PhraseRef permute_by_into(Translation& t, const PrimPhrase& e, const Continue& c) {
  const Type &x = e.types[0], &d = e.types[1];
  const Region where = t.where();
  return t.continuation(e.arguments[3], [&](const PhraseRef& xs) {
    const auto all = [&](const PhraseRef& v) {
      const PhraseRef place = acceptor_of(t, e.arguments[0], {x}, scalar(ScalarType::I64));
      return command(permute_by_i(), e.sizes, {x, d}, {place, acceptor_of(t, e.arguments[1], {x, d}, d), xs, v}, where);
    };
    return combined(t, e, d, e.arguments[2], all, c);
  });
}

// Onto the first m values; place(j), and where that is not negative what is there becomes next(j, what was there).
Value permuted(const std::vector<std::int64_t>& sizes, const Value& defaults,
               const std::function<std::int64_t(std::int64_t)>& place,
               const std::function<Value(std::int64_t, const Value&)>& next) {
  std::vector<Value> out = placed::elements(defaults, sizes[0]);
  Traps traps;
  for (std::int64_t j = 0; j < sizes[1]; ++j)
    traps.among([&] {
      const auto i = placed::place_below(sizes[0], place(j), "permute");
      if (!i) return;
      Value& at = out[static_cast<std::size_t>(*i)];
      at = stored(next(j, at));
    });
  traps.raise();
  return array_value(std::move(out));
}
// Of places of type d, with what the elements and the defaults take.
Cost all_updates(SourceCosts& costs, Level level, const PrimPhrase& e, const Type& d, const Cost& defaults,
                 const Cost& one, bool copied) {
  const Size &m = e.sizes[0], &n = e.sizes[1];
  const PhraseRef all = proj(2, ident("", var_type(array(m, d))));
  const Cost result = copied ? costs.assigned(all) : Cost{0, 0, 0};
  return with_space(m * scalars_in(d), defaults + updates(level, n, one) + result);
}

PrimitiveRef permute_at(Level level, const char* name, const char* summary) {
  return std::make_shared<const Primitive>(Primitive{
      name, summary,
      Loop{
          .type = "('a -> 'a -> 'a) -> [m]'a -> [n]i64 -> [n]'a -> [m]'a",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                return permuted(
                    sizes, args[1], [&](std::int64_t j) { return number_at(args[2], j); },
                    [&](std::int64_t j, const Value& old) {
                      const Value both[2] = {element_of(args[3], j), old};
                      return call(args[0], both);
                    });
              },
          .cost =
              [level](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                const Type& d = e.types[0];
                const PhraseRef &is = e.arguments[2], &xs = e.arguments[3];
                const Cost indices = costs.before(is), values = costs.before(xs), defaults = costs.into(e.arguments[1]);
                const Cost one = costs.read(is) + stepped_in_order(d, costs.call(e.arguments[0], {xs}));
                return indices + values + all_updates(costs, level, e, d, defaults, one, copied);
              },
          .acceptor =
              [level](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                return permute_into(level, t, e, [&](const PhraseRef& r) { return t.assign(a, r); });
              },
          .continuation = [level](Translation& t, const PrimPhrase& e,
                                  const auto& c) { return permute_into(level, t, e, c); },
          .constant = permute_i(level),
          .level = level,
          .family = "permute",
          .any_order = true,
          .atomic = is_parallel(level),
          .extent = [](const PrimPhrase& e) { return e.sizes[1]; },
          .indexed = Indexed{.argument = 2, .length = 0},
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool copied) {
                const Size d = scalars_in(e.types[0]);
                const Size indices = w.before(e.arguments[2]), values = w.before(e.arguments[3]);
                return indices + values + w.into(e.arguments[1]) + e.sizes[1] * (w.body(e.arguments[0]) + d) +
                       e.sizes[0] * copies(e.types[0], copied);
              },
      }});
}

PrimitiveRef permute_by() {
  return std::make_shared<const Primitive>(Primitive{
      "permuteBy", "permute by the index that a function makes of each element; by f element old",
      Loop{
          .type = "('a -> i64) -> ('a -> 'b -> 'b) -> [m]'b -> [n]'a -> [m]'b",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                return permuted(
                    sizes, args[2],
                    [&](std::int64_t j) {
                      const Value x[1] = {element_of(args[3], j)};
                      return as_scalar(force(call(args[0], x))).integer();
                    },
                    [&](std::int64_t j, const Value& old) {
                      const Value both[2] = {element_of(args[3], j), old};
                      return call(args[1], both);
                    });
              },
          .cost =
              [](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                const Type& d = e.types[1];
                const PhraseRef& xs = e.arguments[3];
                const Cost elements = costs.before(xs), defaults = costs.into(e.arguments[2]);
                const Cost place = placed::place_cost(e.arguments[0], costs.call(e.arguments[0], {xs}));
                const Cost one = place + stepped_in_order(d, costs.call(e.arguments[1], {xs}));
                return elements + all_updates(costs, Level::Auto, e, d, defaults, one, copied);
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                return permute_by_into(t, e, [&](const PhraseRef& r) { return t.assign(a, r); });
              },
          .continuation = [](Translation& t, const PrimPhrase& e, const auto& c) { return permute_by_into(t, e, c); },
          .constant = permute_by_i(),
          .takes = 3,
          .functions = 2,
          .any_order = true,
          .extent = [](const PrimPhrase& e) { return e.sizes[1]; },
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool copied) {
                const Size d = scalars_in(e.types[1]);
                const Size elements = w.before(e.arguments[3]), defaults = w.into(e.arguments[2]);
                const Size place = w.body(e.arguments[0]), step = w.body(e.arguments[1]);
                return elements + defaults + e.sizes[1] * (place + step + d) + e.sizes[0] * copies(e.types[1], copied);
              },
      }});
}

}  // namespace

std::vector<PrimitiveRef> permute_primitives() {
  return {permute_at(Level::Auto, "permute",
                     "combining forward permutation of defaults, indices, values by f new old; negative indices are "
                     "ignored"),
          permute_by(),
          permute_at(Level::Global, "permuteGlobal", "permute by all GPU threads, atomically; f is an operator"),
          permute_at(Level::Local, "permuteLocal",
                     "permute by the threads of a block, or the lanes of a warp, atomically; f is an operator")};
}

}  // namespace lockstep

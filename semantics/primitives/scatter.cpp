// scatter, permute and its levels: values to given places. They write outside the element that a parfor hands out, so
// they stay typed constants, scatterI and permuteI, up to the kernel language (design.md): arguments, meaning, cost and
// expansion of both are here too.
#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/paths.h"

namespace lockstep {
namespace {

std::int64_t number_at(const Value& is, std::int64_t j) { return as_scalar(force(element_of(is, j))).integer(); }

std::vector<Value> elements(const Value& xs, std::int64_t n) {
  std::vector<Value> out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(stored(element_of(xs, i)));
  return out;
}

[[noreturn]] void outside(const char* name, std::int64_t i, std::int64_t m, const Region& where = {}) {
  throw TrapSignal{{name, "index " + std::to_string(i) + " is outside [0, " + std::to_string(m) + ")", where}};
}
[[noreturn]] void twice(std::int64_t i, const Region& where = {}) {
  throw TrapSignal{{"scatter", "index " + std::to_string(i) + " occurs twice", where}};
}

// ------------------------------------------------------------------------------------------------- the constants
// s{m n} t{d}
Type indices_of(const std::vector<Size>& s) { return array(s[1], scalar(ScalarType::I64)); }
Type values_of(const std::vector<Size>& s, const Type& d) { return array(s[1], d); }
Type all_of(const std::vector<Size>& s, const Type& d) { return array(s[0], d); }

// int i = is[j]; if (i >= 0) { check i < m; rest(i) }, one after the other, or in parallel
void at_index(
    Expansion& t, const char* primitive, Level level, const ImpPhrase& x, const PhraseRef& is, const Region& region,
    kernel::Block& out,
    const std::function<void(const std::string& i, const PhraseRef& at, const PhraseRef& j, kernel::Block&)>& rest) {
  const Size &m = x.sizes[0], &n = x.sizes[1];
  const std::string j = t.fresh("j"), i = t.fresh("i");
  const PhraseRef index = t.index(j, n);
  kernel::Block body, taken;
  t.emit(body, kernel::Declare{i, kernel::KType{}, t.value(is, path_of({PathIndex{Size::name(j)}}))});
  const kernel::Expr at = kernel::variable(i);
  t.emit(taken, kernel::Check{kernel::arith(kernel::ArithOp::Less, at, t.extent(m)),
                              primitive,
                              "index {0} is outside [0, {1})",
                              {at, t.extent(m)},
                              region});
  rest(i, t.index(i, m), index, taken);
  t.emit(body, kernel::If{kernel::arith(kernel::ArithOp::LessEqual, kernel::constant(0), at),
                          kernel::Stmt{std::move(taken)}, kernel::Stmt{kernel::Block{}}});
  t.emit(out, loop_at(level, j, t.extent(n), std::move(body)));
}

// scatterI Is E A: A (Is j) := E j for each j with Is j >= 0, which must be distinct; the rest of A is left as it is.
// Expanded, a mark for each place says that: "index i occurs twice".
void expand_scatter(Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
  const Size& m = x.sizes[0];
  const std::string marks = t.fresh("written"), k = t.fresh("k");
  const kernel::Expr no = kernel::constant(make_bool(false)), yes = kernel::constant(make_bool(true));
  kernel::Block scope;
  t.emit(scope, kernel::Allocate{marks, {ScalarType::Bool, 1}, t.extent(m), Space::Global});
  kernel::Block unmark;
  t.emit(unmark, kernel::Store{marks, kernel::variable(k), no});
  t.emit(scope, kernel::For{k, t.extent(m), kernel::Stmt{std::move(unmark)}, false});
  at_index(t, "scatter", Level::Seq, x, x.arguments[0], region, scope,
           [&](const std::string& i, const PhraseRef& place, const PhraseRef& j, kernel::Block& b) {
             const kernel::Expr at = kernel::variable(i);
             kernel::Expr mark = kernel::load(marks, ScalarType::Bool, at);
             mark.region = region;
             const kernel::Expr fresh{{ScalarType::Bool, 1}, kernel::Choose{mark, no, yes}};
             t.emit(b, kernel::Check{fresh, "scatter", "index {0} occurs twice", {at}, region});
             t.emit(b, kernel::Store{marks, at, yes});
             t.copy(idx_acc(x.arguments[2], place), idx_of(t.primitive("idx"), x.arguments[1], j), x.types[0], b);
           });
  out.statements.push_back(kernel::Stmt{std::move(scope)});
}

const ConstantRef& scatter_i() {
  static const ConstantRef it = constant(
      "scatterI", imp::Takes{2, 1},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        return {exp_type(indices_of(s)), exp_type(values_of(s, t[0])), acc_type(all_of(s, t[0]))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const Value is = run.value(0), from = run.value(1);
                std::vector<bool> written(static_cast<std::size_t>(run.size(0)));
                for (std::int64_t j = 0; j < run.size(1); ++j) {
                  const std::int64_t i = number_at(is, j);
                  if (i < 0) continue;
                  if (i >= run.size(0)) outside("scatter", i, run.size(0), run.where());
                  if (written[static_cast<std::size_t>(i)]) twice(i, run.where());
                  written[static_cast<std::size_t>(i)] = true;
                  run.write(2, i, element_of(from, j));
                }
              },
          .cost =
              [](ConstantCosts& costs, const ImpPhrase& x) {
                const Cost one = then(costs.expression(0), then({2, 2, 0}, costs.moved(x.types[0], 1)));
                const Cost all = then(repeated(x.sizes[0], {1, 1, 0}), repeated(x.sizes[1], one));
                return then(costs.acceptor(2), with_space(x.sizes[0], all));
              },
          .expand = expand_scatter,
      });
  return it;
}

// permuteI F Is E V: V (Is j) := F (E j) (V (Is j)) for each j with Is j >= 0, in any order
void expand_permute(Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
  at_index(t, "permute", Level::Seq, x, x.arguments[1], region, out,
           [&](const std::string&, const PhraseRef& at, const PhraseRef& j, kernel::Block& b) {
             const PhraseRef element = idx_of(t.primitive("idx"), x.arguments[2], j);
             const PhraseRef old = idx_of(t.primitive("idx"), proj(2, x.arguments[3]), at);
             const PhraseRef v = t.declare(t.fresh("next"), x.types[0], b);
             t.command(apply(apply(apply(x.arguments[0], element), old), proj(1, v)), b);
             t.copy(idx_acc(proj(1, x.arguments[3]), at), proj(2, v), x.types[0], b);
           });
}

// The same by the threads of a level, each step atomic: F is an operator (Loop::atomic).
void expand_permute_by_threads(Level level, Expansion& t, const ImpPhrase& x, const Region& region,
                               kernel::Block& out) {
  const PrimitiveRef op = operator_of(*x.arguments[0]);
  if (!op) throw Bug("atomic updates by what is no operator");
  at_index(t, "permute", threads_of(t, level), x, x.arguments[1], region, out,
           [&](const std::string&, const PhraseRef& at, const PhraseRef& j, kernel::Block& b) {
             t.update(idx_acc(proj(1, x.arguments[3]), at), op,
                      t.value(idx_of(t.primitive("idx"), x.arguments[2], j), {}), b);
           });
}

// All of one place, which wait for each other; by threads, of none no less than one and the loop.
Cost updates(Level level, const Size& n, const Cost& one) {
  const Cost all = repeated(n, one);
  return is_parallel(level) ? all + Cost{0, one.depth + Size(1), 0} : all;
}

ConstantRef made_permute_i(const char* name, Level level) {
  return constant(
      name, imp::Takes{2, 1},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        const PhraseType e = exp_type(t[0]), step = phrase_function(acc_type(t[0]), comm_type());
        return {phrase_function(e, phrase_function(e, step)), exp_type(indices_of(s)), exp_type(values_of(s, t[0])),
                var_type(all_of(s, t[0]))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const Value is = run.value(1), from = run.value(2), old = run.value(3);
                for (const std::int64_t j : run.in_order(run.size(1))) {
                  const std::int64_t i = number_at(is, j);
                  if (i < 0) continue;
                  if (i >= run.size(0)) outside("permute", i, run.size(0), run.where());
                  run.write(3, i, run.call(0, {element_of(from, j), element_of(old, i)}));
                }
              },
          .cost =
              [level](ConstantCosts& costs, const ImpPhrase& x) {
                const Cost index = costs.expression(1);
                return updates(level, x.sizes[1], then(index, costs.step(x.types[0], 0, {2})));
              },
          .expand =
              [level](Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
                if (level == Level::Auto) return expand_permute(t, x, region, out);
                expand_permute_by_threads(level, t, x, region, out);
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

// ------------------------------------------------------------------------------------------------- the loops
PhraseRef permute_into(Level level, Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
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
                    command(permute_i(level), e.sizes, {d}, {f, is, xs, v}, where), c(proj(2, v))});
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
                Traps traps;
                for (std::int64_t j = 0; j < sizes[1]; ++j)
                  traps.among([&] {
                    const std::int64_t i = number_at(args[1], j);
                    if (i < 0) return;
                    if (i >= sizes[0]) outside("scatter", i, sizes[0]);
                    const auto k = static_cast<std::size_t>(i);
                    if (written[k]) twice(i);
                    written[k] = true;
                    out[k] = stored(element_of(args[2], j));
                  });
                traps.raise();
                return array_value(std::move(out));
              },
          .cost =
              [](SourceCosts& costs, const PrimPhrase& e, bool) {
                const Size &m = e.sizes[0], &n = e.sizes[1];
                const PhraseRef &is = e.arguments[1], &xs = e.arguments[2];
                const Cost indices = costs.before(is), values = costs.before(xs);
                // A mark for each place, written first; it is read and written where a value is.
                const Cost one = costs.read(is) + Cost{2, 2, 0} + one_by_one(costs.moved(e.types[0], xs));
                return indices + values + costs.into(e.arguments[0]) + with_space(m, Cost{m, m, 0} + repeated(n, one));
              },
          .acceptor =
              [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                const Region where = t.where();
                return t.continuation(e.arguments[1], [&](const PhraseRef& is) {
                  return t.continuation(e.arguments[2], [&](const PhraseRef& xs) {
                    return seq(t.acceptor(e.arguments[0], a),
                               command(scatter_i(), e.sizes, {e.types[0]}, {is, xs, a}, where));
                  });
                });
              },
          .constant = scatter_i(),
          .indexed = Indexed{.argument = 1, .length = 0},
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool) {
                // A mark for each place, and for each value its mark.
                const Size indices = w.before(e.arguments[1]), values = w.before(e.arguments[2]);
                return indices + values + w.into(e.arguments[0]) + e.sizes[0] +
                       e.sizes[1] * (scalars_in(e.types[0]) + Size(1));
              },
      }});
}

namespace {

PrimitiveRef permute_at(Level level, const char* name, const char* summary) {
  return std::make_shared<const Primitive>(Primitive{
      name, summary,
      Loop{
          .type = "('a -> 'a -> 'a) -> [m]'a -> [n]i64 -> [n]'a -> [m]'a",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                std::vector<Value> out = elements(args[1], sizes[0]);
                Traps traps;
                for (std::int64_t j = 0; j < sizes[1]; ++j)
                  traps.among([&] {
                    const std::int64_t i = number_at(args[2], j);
                    if (i < 0) return;
                    if (i >= sizes[0]) outside("permute", i, sizes[0]);
                    const Value both[2] = {element_of(args[3], j), out[static_cast<std::size_t>(i)]};
                    out[static_cast<std::size_t>(i)] = stored(call(args[0], both));
                  });
                traps.raise();
                return array_value(std::move(out));
              },
          .cost =
              [level](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                const Size &m = e.sizes[0], &n = e.sizes[1];
                const Type& d = e.types[0];
                const PhraseRef &is = e.arguments[2], &xs = e.arguments[3];
                const Cost indices = costs.before(is), values = costs.before(xs), defaults = costs.into(e.arguments[1]);
                const Cost one = costs.read(is) + stepped_in_order(d, costs.call(e.arguments[0], {xs}));
                const PhraseRef all = proj(2, ident("", var_type(array(m, d))));
                const Cost result = copied ? costs.assigned(all) : Cost{0, 0, 0};
                return indices + values + with_space(m * scalars_in(d), defaults + updates(level, n, one) + result);
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

}  // namespace

std::vector<PrimitiveRef> permute_primitives() {
  return {permute_at(Level::Auto, "permute",
                     "combining forward permutation of defaults, indices, values by f new old; negative indices are "
                     "ignored"),
          permute_at(Level::Global, "permuteGlobal", "permute by all GPU threads, atomically; f is an operator"),
          permute_at(Level::Local, "permuteLocal",
                     "permute by the threads of a block, or the lanes of a warp, atomically; f is an operator")};
}

}  // namespace lockstep

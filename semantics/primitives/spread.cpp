// spread and its levels: rows whose elements go where a function of their indices says, each to a place of its own
// (FCL's interleave, seed 004, §5; fcl.md §3). They write outside the element that a parfor hands out, so they stay a
// typed constant, spreadI, up to the kernel language: there each place finds the number of its element in a temporary,
// and a place that finds none is a trap.
#include <algorithm>

#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/paths.h"

namespace lockstep {
namespace {

constexpr const char* outside_text = "element ({0}, {1}) goes to {2}, outside [0, {3})";
constexpr const char* both_text = "elements ({0}, {1}) and ({2}, {3}) go to one place";
constexpr const char* none_text = "no element goes to {0}";

[[noreturn]] void trap(std::string message, const std::vector<std::int64_t>& values, const Region& where) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string hole = "{" + std::to_string(k) + "}";
    message.replace(message.find(hole), hole.size(), std::to_string(values[k]));
  }
  throw TrapSignal{{"spread", message, where}};
}

Value index_value(std::int64_t i) { return scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(i))); }

// The number of each place's element, in rows of n. A trap of all the ways in which it can end: in order, at an element
// that goes outside or meets another; side by side, at one outside or, where none is, at a place that has no element.
std::vector<std::int64_t> elements_of_places(std::int64_t m, std::int64_t n, const Region& where,
                                             const std::function<std::int64_t(std::int64_t i, std::int64_t j)>& place) {
  const std::int64_t all = m * n;
  std::vector<std::int64_t> from(static_cast<std::size_t>(all), -1);
  Traps traps;
  bool all_inside = true;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      bool inside = false;
      traps.among([&] {
        const std::int64_t to = place(i, j);
        if (to < 0 || to >= all) trap(outside_text, {i, j, to, all}, where);
        inside = true;
        std::int64_t& first = from[static_cast<std::size_t>(to)];
        if (first >= 0) trap(both_text, {first / n, first % n, i, j}, where);
        first = i * n + j;
      });
      all_inside = all_inside && inside;
    }
  for (std::int64_t k = 0; k < all && all_inside; ++k)
    if (from[static_cast<std::size_t>(k)] < 0) traps.among([&] { trap(none_text, {k}, where); });
  traps.raise();
  return from;
}

// ------------------------------------------------------------------------------------------------- the constant
// s{n m} t{d}
Type rows_of(const std::vector<Size>& s, const Type& d) { return array(s[1], array(s[0], d)); }
Type places_of(const std::vector<Size>& s, const Type& d) { return array(s[0] * s[1], d); }
Type index_pair() { return pair(scalar(ScalarType::I64), scalar(ScalarType::I64)); }

// Of one place each: that it has no element yet; its own element's place, found, checked and marked, in a variable; the
// element, found, checked and copied. `call`: of the function; `copied`: of the element.
struct Parts {
  Cost unmarked, marked, taken;
};
Parts parts_of(const Type& d, const Cost& call, const Cost& copied) {
  const Size indices = elements_in(d) * Size(4);
  return {
      {1, 1, 0}, with_space(1, call + Cost{11, 11, 0}), with_space(1, Cost{7, 7, 0} + Cost{indices, 4, 0} + copied)};
}
// In order; or by threads, of one place after another where they meet.
Cost in_rounds(Level level, const Size& all, const Parts& one) {
  const auto rounds = is_parallel(level) ? side_by_side : repeated;
  const Cost marked = is_parallel(level) ? Cost{0, one.marked.depth + Size(1), 0} : Cost{0, 0, 0};
  const Cost marks = rounds(all, one.unmarked) + repeated(all, one.marked) + marked + rounds(all, one.taken);
  return with_space(all, marks);
}

// Which threads mark by, as every GPU has it of 64 bits: not the program's own operator, whose applications are its
// work.
const PrimitiveRef& any_bit() {
  static const PrimitiveRef it = [] {
    const auto& all = scalar_operators();
    return *std::find_if(all.begin(), all.end(), [](const PrimitiveRef& p) { return p->name == "|"; });
  }();
  return it;
}

// spreadI F E A: A (F (i, j)) := E i j. Marks say which element a place has. In order, its number, and the loop stops
// where two meet. By threads its number and 1, or all bits of those that meet; there are as many places as elements, so
// that another one has none then, where it stops: what is read by such bits is given to nobody.
void expand_spread(Level asked, Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
  const Size &n = x.sizes[0], &m = x.sizes[1], all = n * m;
  const bool in_block = t.around() == Level::Workgroup || t.around() == Level::Warp;
  const Level level = threads_of(t, asked);
  const bool by_threads = is_parallel(level);
  const kernel::Expr count = t.extent(all), one = kernel::constant(1), none = kernel::constant(by_threads ? 0 : -1);
  const std::string marks = t.fresh("from");
  const auto mark_at = [&](const kernel::Expr& i) { return kernel::load(marks, ScalarType::I64, i); };
  kernel::Block scope;
  t.emit(scope, kernel::Allocate{marks, {ScalarType::I64, 1}, count, in_block ? Space::Local : Space::Global});
  {
    const std::string k = t.fresh("k");
    kernel::Block unmark;
    t.emit(unmark, kernel::Store{marks, kernel::variable(k), none});
    t.emit(scope, loop_at(level, k, count, std::move(unmark)));
  }
  {
    const std::string k = t.fresh("k"), place = t.fresh("to");
    t.index(k, all);
    const Size i = floor_div(Size::name(k), n), j = modulo(Size::name(k), n);
    kernel::Block mark;
    const PhraseRef to = t.declare(place, scalar(ScalarType::I64), mark);
    const PhraseRef indices = prim(t.primitive("pair"), {}, {scalar(ScalarType::I64), scalar(ScalarType::I64)},
                                   {nat(i), nat(j)}, index_pair());
    t.command(apply(apply(x.arguments[0], indices), proj(1, to)), mark);
    const kernel::Expr at = t.value(proj(2, to), {});
    t.emit(mark,
           kernel::Check{is_inside(at, count), "spread", outside_text, {t.extent(i), t.extent(j), at, count}, region});
    if (by_threads) {
      t.emit(mark, kernel::Atomic{marks, at, any_bit(), kernel::arith(kernel::ArithOp::Add, kernel::variable(k), one)});
    } else {
      const kernel::Expr old = mark_at(at), rows = t.extent(n);
      const auto part = [&](kernel::ArithOp op) { return kernel::arith(op, old, rows); };
      t.emit(mark,
             kernel::Check{kernel::arith(kernel::ArithOp::Less, old, kernel::constant(0)),
                           "spread",
                           both_text,
                           {part(kernel::ArithOp::Divide), part(kernel::ArithOp::Modulo), t.extent(i), t.extent(j)},
                           region});
      t.emit(mark, kernel::Store{marks, at, kernel::variable(k)});
    }
    t.emit(scope, loop_at(level, k, count, std::move(mark)));
  }
  const std::string k = t.fresh("k"), from = t.fresh("element");
  const PhraseRef place = t.index(k, all);
  kernel::Block take;
  const auto stop_unless = [&](kernel::Expr has_one) {
    t.emit(take, kernel::Check{std::move(has_one), "spread", none_text, {kernel::variable(k)}, region});
  };
  if (by_threads) {
    const std::string mark = t.fresh("mark");
    const kernel::Expr of_place = kernel::variable(mark);
    t.emit(take, kernel::Declare{mark, kernel::KType{}, mark_at(kernel::variable(k))});
    stop_unless(kernel::arith(kernel::ArithOp::Less, kernel::constant(0), of_place));
    const kernel::Expr number{kernel::KType{},
                              kernel::Choose{kernel::arith(kernel::ArithOp::Less, of_place, count), of_place, count}};
    t.emit(take, kernel::Declare{from, kernel::KType{}, kernel::arith(kernel::ArithOp::Subtract, number, one)});
  } else {
    t.emit(take, kernel::Declare{from, kernel::KType{}, mark_at(kernel::variable(k))});
    stop_unless(is_inside(kernel::variable(from), count));
  }
  t.index(from, all);
  const Size element = Size::name(from);
  const PhraseRef row = idx_of(t.primitive("idx"), x.arguments[1], index_at(floor_div(element, n), m));
  t.copy(idx_acc(x.arguments[2], place), idx_of(t.primitive("idx"), row, index_at(modulo(element, n), n)), x.types[0],
         take);
  t.emit(scope, loop_at(level, k, count, std::move(take)));
  out.statements.push_back(kernel::Stmt{std::move(scope)});
}

ConstantRef made_spread_i(const char* name, Level level) {
  return constant(
      name, imp::Takes{2, 1},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        const PhraseType step = phrase_function(acc_type(scalar(ScalarType::I64)), comm_type());
        return {phrase_function(exp_type(index_pair()), step), exp_type(rows_of(s, t[0])),
                acc_type(places_of(s, t[0]))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const std::int64_t n = run.size(0), m = run.size(1);
                const Value rows = run.value(1);
                const std::vector<std::int64_t> from =
                    elements_of_places(m, n, run.where(), [&](std::int64_t i, std::int64_t j) {
                      return as_scalar(force(run.call(0, {pair_value(index_value(i), index_value(j))}))).integer();
                    });
                for (std::int64_t k = 0; k < m * n; ++k) {
                  const std::int64_t e = from[static_cast<std::size_t>(k)];
                  run.write(2, k, element_of(element_of(rows, e / n), e % n));
                }
              },
          .cost =
              [level](ConstantCosts& costs, const ImpPhrase& x) {
                const Type& d = x.types[0];
                const Parts parts = parts_of(d, costs.call(0), costs.moved(d, 1));
                return then(costs.acceptor(2), in_rounds(level, x.sizes[0] * x.sizes[1], parts));
              },
          .expand = [level](Expansion& t, const ImpPhrase& x, const Region& region,
                            kernel::Block& out) { expand_spread(level, t, x, region, out); },
          .level = level,
      });
}
const ConstantRef& spread_i(Level level) {
  static const OfLevels all{made_spread_i("spreadI", Level::Auto), made_spread_i("spreadGlobalI", Level::Global),
                            made_spread_i("spreadLocalI", Level::Local)};
  return all.at(level);
}

// ------------------------------------------------------------------------------------------------- the loop
PrimitiveRef spread_at(Level level, const char* name, const char* summary) {
  return std::make_shared<const Primitive>(Primitive{
      name, summary,
      Loop{
          .type = "(n : nat) -> ((i64, i64) -> i64) -> [m][n]'a -> [m*n]'a",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                const std::int64_t n = sizes[0];
                const std::vector<std::int64_t> from =
                    elements_of_places(sizes[1], n, {}, [&](std::int64_t i, std::int64_t j) {
                      const Value indices = pair_value(index_value(i), index_value(j));
                      return as_scalar(force(call(args[0], std::span(&indices, 1)))).integer();
                    });
                std::vector<Value> out;
                for (const std::int64_t e : from) out.push_back(stored(element_of(element_of(args[1], e / n), e % n)));
                return array_value(std::move(out));
              },
          .cost =
              [level](SourceCosts& costs, const PrimPhrase& e, bool) {
                const Type& d = e.types[0];
                const Cost rows = costs.before(e.arguments[1]);
                const Parts parts = parts_of(d, costs.call(e.arguments[0]), one_by_one(costs.moved(d, e.arguments[1])));
                return rows + in_rounds(level, e.sizes[0] * e.sizes[1], parts);
              },
          .acceptor =
              [level](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                const Region where = t.where();
                return t.continuation(e.arguments[1], [&](const PhraseRef& rows) {
                  const PhraseRef f = acceptor_of(t, e.arguments[0], {index_pair()}, scalar(ScalarType::I64));
                  return command(spread_i(level), e.sizes, e.types, {f, rows, a}, where);
                });
              },
          .constant = spread_i(level),
          .level = level,
          .family = "spread",
          .atomic = is_parallel(level),
          .extent = [](const PrimPhrase& e) { return e.sizes[0] * e.sizes[1]; },
          .writes =
              [](DeclaredWrites& w, const PrimPhrase& e, bool) {
                // Of each place twice its mark, an element's place, and the element.
                const Size rows = w.before(e.arguments[1]);
                return rows + e.sizes[0] * e.sizes[1] * (w.body(e.arguments[0]) + scalars_in(e.types[0]) + Size(2));
              },
      }});
}

}  // namespace

std::vector<PrimitiveRef> spread_primitives() {
  return {spread_at(Level::Auto, "spread",
                    "rows whose elements go where a function of row and column says, which is a bijection"),
          spread_at(Level::Global, "spreadGlobal", "spread by all GPU threads"),
          spread_at(Level::Local, "spreadLocal", "spread by the threads of a block, or the lanes of a warp")};
}

}  // namespace lockstep

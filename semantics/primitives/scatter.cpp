// scatter: values to given places, which are distinct; scatterBy finds place and value of an element by functions;
// scatterDistinct is scatterBy whose places are known to be distinct before it runs, and what is made of it does not
// look. They write outside the element that a parfor hands out, so they stay typed constants, scatterI, scatterByI and
// scatterDistinctI, up to the kernel language (design.md): arguments, meaning, cost and expansion are here too.
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/paths.h"
#include "semantics/primitives/placed.h"

namespace lockstep {
namespace {

using placed::number_at;

// Places that are taken.
class Taken {
 public:
  explicit Taken(std::int64_t m) : taken_(static_cast<std::size_t>(m)) {}
  std::optional<std::int64_t> fresh(std::int64_t i, const Region& where = {}) {
    const auto at = placed::place_below(static_cast<std::int64_t>(taken_.size()), i, "scatter", where);
    if (!at) return {};
    const auto k = static_cast<std::size_t>(*at);
    if (taken_[k]) throw TrapSignal{{"scatter", "index " + std::to_string(i) + " occurs twice", where}};
    taken_[k] = true;
    return at;
  }

 private:
  std::vector<bool> taken_;
};

// ------------------------------------------------------------------------------------------------- the constants
Type all_of(const std::vector<Size>& s, const Type& d) { return array(s[0], d); }

using Written = std::function<void(const PhraseRef& at, const PhraseRef& j, kernel::Block&)>;
void expand_unmarked(Expansion& t, const ImpPhrase& x, const placed::PlaceOf& place, const Region& region,
                     kernel::Block& out, const Written& written) {
  placed::at_index(
      t, "scatter", Level::Seq, x, place, region, out,
      [&](const std::string&, const PhraseRef& p, const PhraseRef& j, kernel::Block& b) { written(p, j, b); });
}
// A mark for each place says that none is written twice: "index i occurs twice". written(place, j, ...) writes it.
void expand_marked(Expansion& t, const ImpPhrase& x, const placed::PlaceOf& place, const Region& region,
                   kernel::Block& out, const Written& written) {
  const Size& m = x.sizes[0];
  const std::string marks = t.fresh("written"), k = t.fresh("k");
  const kernel::Expr no = kernel::constant(make_bool(false)), yes = kernel::constant(make_bool(true));
  kernel::Block scope;
  t.emit(scope, kernel::Allocate{marks, {ScalarType::Bool, 1}, t.extent(m), Space::Global});
  kernel::Block unmark;
  t.emit(unmark, kernel::Store{marks, kernel::variable(k), no});
  t.emit(scope, kernel::For{k, t.extent(m), kernel::Stmt{std::move(unmark)}, false});
  placed::at_index(t, "scatter", Level::Seq, x, place, region, scope,
                   [&](const std::string& i, const PhraseRef& p, const PhraseRef& j, kernel::Block& b) {
                     const kernel::Expr at = kernel::variable(i);
                     kernel::Expr mark = kernel::load(marks, ScalarType::Bool, at);
                     mark.region = region;
                     const kernel::Expr fresh{{ScalarType::Bool, 1}, kernel::Choose{mark, no, yes}};
                     t.emit(b, kernel::Check{fresh, "scatter", "index {0} occurs twice", {at}, region});
                     t.emit(b, kernel::Store{marks, at, yes});
                     written(p, j, b);
                   });
  out.statements.push_back(kernel::Stmt{std::move(scope)});
}

Cost marked(const ImpPhrase& x, const Cost& acceptor, const Cost& one) {
  const Cost all = then(repeated(x.sizes[0], {1, 1, 0}), repeated(x.sizes[1], then(one, {2, 2, 0})));
  return then(acceptor, with_space(x.sizes[0], all));
}

// scatterI Is E A: A (Is j) := E j for each j with Is j >= 0, which must be distinct; the rest of A is left as it is.
const ConstantRef& scatter_i() {
  static const ConstantRef it = constant(
      "scatterI", imp::Takes{2, 1},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        return {exp_type(array(s[1], scalar(ScalarType::I64))), exp_type(array(s[1], t[0])), acc_type(all_of(s, t[0]))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const Value is = run.value(0), from = run.value(1);
                Taken taken(run.size(0));
                for (std::int64_t j = 0; j < run.size(1); ++j)
                  if (const auto i = taken.fresh(number_at(is, j), run.where())) run.write(2, *i, element_of(from, j));
              },
          .cost =
              [](ConstantCosts& costs, const ImpPhrase& x) {
                const Cost one = then(costs.expression(0), costs.moved(x.types[0], 1));
                return marked(x, costs.acceptor(2), one);
              },
          .expand =
              [](Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
                expand_marked(t, x, placed::element_of_array(x.arguments[0]), region, out,
                              [&](const PhraseRef& at, const PhraseRef& j, kernel::Block& b) {
                                t.copy(idx_acc(x.arguments[2], at), idx_of(t.primitive("idx"), x.arguments[1], j),
                                       x.types[0], b);
                              });
              },
      });
  return it;
}

enum class Places { Marked, Distinct };  // a mark for each says whether it was written, or it is known

// scatterByI P G E A: G (E j) (A i) where P (E j) gives i, for each j whose i >= 0; of an element of type t0.
ConstantRef by_function(const char* name, Places places) {
  return constant(
      name, imp::Takes{2, 2},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        const auto step = [&](const Type& d) {
          return phrase_function(exp_type(t[0]), phrase_function(acc_type(d), comm_type()));
        };
        return {step(scalar(ScalarType::I64)), step(t[1]), exp_type(array(s[1], t[0])), acc_type(all_of(s, t[1]))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const Value from = run.value(2);
                Taken taken(run.size(0));
                for (std::int64_t j = 0; j < run.size(1); ++j) {
                  const Value x = element_of(from, j);
                  if (const auto i = taken.fresh(as_scalar(run.call(0, {x})).integer(), run.where()))
                    run.write(3, *i, run.call(1, {x}));
                }
              },
          .cost =
              [places](ConstantCosts& costs, const ImpPhrase& x) {
                const Cost place = placed::place_cost(x.arguments[0], costs.call(0, {2}));
                const Cost one = then(place, costs.call(1, {2}));
                return places == Places::Marked ? marked(x, costs.acceptor(3), one)
                                                : then(costs.acceptor(3), repeated(x.sizes[1], one));
              },
          .expand =
              [places](Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
                const auto expanded = places == Places::Marked ? expand_marked : expand_unmarked;
                expanded(t, x, placed::by_function(x.arguments[0], x.arguments[2]), region, out,
                         [&](const PhraseRef& at, const PhraseRef& j, kernel::Block& b) {
                           const PhraseRef element = idx_of(t.primitive("idx"), x.arguments[2], j);
                           t.command(apply(apply(x.arguments[1], element), idx_acc(x.arguments[3], at)), b);
                         });
              },
      });
}
const ConstantRef& scatter_by_i(Places places) {
  static const ConstantRef marked = by_function("scatterByI", Places::Marked),
                           distinct = by_function("scatterDistinctI", Places::Distinct);
  return places == Places::Marked ? marked : distinct;
}

// ------------------------------------------------------------------------------------------------- the loops
// Onto the first m values; place(j), and value(j) where that is not negative.
Value scattered(const std::vector<std::int64_t>& sizes, const Value& onto,
                const std::function<std::int64_t(std::int64_t)>& place,
                const std::function<Value(std::int64_t)>& value) {
  std::vector<Value> out = placed::elements(onto, sizes[0]);
  Taken taken(sizes[0]);
  Traps traps;
  for (std::int64_t j = 0; j < sizes[1]; ++j)
    traps.among([&] {
      if (const auto i = taken.fresh(place(j))) out[static_cast<std::size_t>(*i)] = stored(value(j));
    });
  traps.raise();
  return array_value(std::move(out));
}
// A mark for each place, written first; it is read and written where a value is.
Cost with_marks(const PrimPhrase& e, const Cost& one) {
  const Size &m = e.sizes[0], &n = e.sizes[1];
  return with_space(m, Cost{m, m, 0} + repeated(n, one + Cost{2, 2, 0}));
}

PrimitiveRef scatter() {
  return std::make_shared<const Primitive>(
      Primitive{"scatter", "values written onto an array at distinct indices; negative ones are ignored",
                Loop{
                    .type = "[m]'a -> [n]i64 -> [n]'a -> [m]'a",
                    .meaning =
                        [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                          return scattered(
                              sizes, args[0], [&](std::int64_t j) { return number_at(args[1], j); },
                              [&](std::int64_t j) { return element_of(args[2], j); });
                        },
                    .cost =
                        [](SourceCosts& costs, const PrimPhrase& e, bool) {
                          const PhraseRef &is = e.arguments[1], &xs = e.arguments[2];
                          const Cost indices = costs.before(is), values = costs.before(xs);
                          const Cost one = costs.read(is) + one_by_one(costs.moved(e.types[0], xs));
                          return indices + values + costs.into(e.arguments[0]) + with_marks(e, one);
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

PrimitiveRef scatter_by(const char* name, const char* summary, Places places) {
  return std::make_shared<const Primitive>(Primitive{
      name, summary,
      Loop{
          .type = "('a -> i64) -> ('a -> 'b) -> [m]'b -> [n]'a -> [m]'b",
          .meaning =
              [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                const auto of = [&](std::size_t f, std::int64_t j) {
                  const Value x[1] = {element_of(args[3], j)};
                  return call(args[f], x);
                };
                return scattered(
                    sizes, args[2], [&](std::int64_t j) { return as_scalar(force(of(0, j))).integer(); },
                    [&](std::int64_t j) { return of(1, j); });
              },
          .cost =
              [places](SourceCosts& costs, const PrimPhrase& e, bool) {
                const PhraseRef& xs = e.arguments[3];
                const Cost elements = costs.before(xs), onto = costs.into(e.arguments[2]);
                const Cost place = placed::place_cost(e.arguments[0], costs.call(e.arguments[0], {xs}));
                const Cost one = place + costs.call(e.arguments[1], {xs});
                return elements + onto + (places == Places::Marked ? with_marks(e, one) : repeated(e.sizes[1], one));
              },
          .acceptor =
              [places](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                const Region where = t.where();
                const Type& x = e.types[0];
                return t.continuation(e.arguments[3], [&](const PhraseRef& xs) {
                  const PhraseRef onto = t.acceptor(e.arguments[2], a);
                  const PhraseRef place = acceptor_of(t, e.arguments[0], {x}, scalar(ScalarType::I64));
                  const PhraseRef value = acceptor_of(t, e.arguments[1], {x}, e.types[1]);
                  return seq(onto,
                             command(scatter_by_i(places), e.sizes, {x, e.types[1]}, {place, value, xs, a}, where));
                });
              },
          .constant = scatter_by_i(places),
          .takes = 3,
          .functions = 2,
          .extent = [](const PrimPhrase& e) { return e.sizes[1]; },
          .writes =
              [places](DeclaredWrites& w, const PrimPhrase& e, bool) {
                const Size elements = w.before(e.arguments[3]), onto = w.into(e.arguments[2]);
                const Size place = w.body(e.arguments[0]), one = place + w.body(e.arguments[1]);
                if (places == Places::Distinct) return elements + onto + e.sizes[1] * one;
                return elements + onto + e.sizes[0] + e.sizes[1] * (one + Size(1));
              },
      },
      places == Places::Marked ? Notation::Name : Notation::None});
}

}  // namespace

std::vector<PrimitiveRef> scatter_primitives() {
  return {scatter(),
          scatter_by("scatterBy", "scatter of what two functions make of each element: its index, and its value",
                     Places::Marked),
          scatter_by("scatterDistinct", "what scatterBy becomes where its indices are known to be distinct",
                     Places::Distinct)};
}

}  // namespace lockstep

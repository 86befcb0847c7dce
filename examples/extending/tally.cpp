// A loop with an imperative constant of its own: tally k xs counts how often each number below k occurs in xs. It
// writes outside the element that a parfor hands out, so that it stays one command, tallyI, up to the kernel language.
#include "primitives.h"

#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/paths.h"

namespace lockstep {
namespace {

const Type i64 = scalar(ScalarType::I64);
std::int64_t number_at(const Value& xs, std::int64_t j) { return as_scalar(force(element_of(xs, j))).integer(); }
Value number(std::int64_t n) { return scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(n))); }

// for j: int i = xs[j]; if (0 <= i && i < k) v[i] = v[i] + 1;
void expand(Expansion& t, const ImpPhrase& x, const Region&, kernel::Block& out) {
  const Size &k = x.sizes[0], &n = x.sizes[1];
  const std::string j = t.fresh("j"), i = t.fresh("i");
  kernel::Block body, inside, natural;
  t.index(j, n);
  t.emit(body, kernel::Declare{i, kernel::KType{}, t.value(x.arguments[0], path_of({PathIndex{Size::name(j)}}))});
  const PhraseRef at = t.index(i, k);
  const kernel::Expr old = t.value(idx_of(t.primitive("idx"), proj(2, x.arguments[1]), at), {});
  t.store(idx_acc(proj(1, x.arguments[1]), at), kernel::arith(kernel::ArithOp::Add, old, kernel::constant(1)), inside);
  const kernel::Expr number = kernel::variable(i);
  const auto when = [&](kernel::Expr left, kernel::ArithOp relation, kernel::Expr right, kernel::Block& then) {
    return kernel::If{kernel::arith(relation, std::move(left), std::move(right)), kernel::Stmt{std::move(then)},
                      kernel::Stmt{kernel::Block{}}};
  };
  t.emit(natural, when(number, kernel::ArithOp::Less, t.extent(k), inside));
  t.emit(body, when(kernel::constant(0), kernel::ArithOp::LessEqual, number, natural));
  t.emit(out, kernel::For{j, t.extent(n), kernel::Stmt{std::move(body)}, false});
}

// tallyI E V: V i := V i + 1 for each i in E that is below k
const ConstantRef& tally_i() {
  static const ConstantRef it = constant(
      "tallyI", imp::Takes{2, 0},
      [](const auto& sizes, const auto&) -> std::vector<PhraseType> {
        return {exp_type(array(sizes[1], i64)), var_type(array(sizes[0], i64))};
      },
      ConstantFacets{
          .meaning =
              [](ConstantRun& run) {
                const Value xs = run.value(0), counts = run.value(1);
                for (std::int64_t j = 0; j < run.size(1); ++j)
                  if (const std::int64_t i = number_at(xs, j); i >= 0 && i < run.size(0))
                    run.write(1, i, number(number_at(counts, i) + 1));
              },
          .cost =
              [](ConstantCosts& costs, const ImpPhrase& x) {
                return repeated(x.sizes[1], then(costs.expression(0), costs.moved(i64, 1)));
              },
          .expand = expand,
      });
  return it;
}

// new (\v. v i := 0 for each i; tallyI xs v; c v)
PhraseRef counted(Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
  const Size &k = e.sizes[0], &n = e.sizes[1];
  return t.continuation(e.arguments[0], [&](const PhraseRef& xs) {
    return new_variable(Space::Auto, array(k, i64), t.fresh("counts"), [&](const PhraseRef& v) {
      const PhraseRef zeros = par_for(
          Level::Auto, proj(1, v), t.fresh("i"), t.fresh("o"),
          [&](const PhraseRef&, const PhraseRef& o) { return assign(o, literal(make_integer(ScalarType::I64, 0))); });
      return seq({zeros, command(tally_i(), {k, n}, {}, {xs, v}), c(proj(2, v))});
    });
  });
}

}  // namespace

PrimitiveRef tally_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"tally", "how often each number below k occurs",
                Loop{
                    .type = "(k : nat) -> [n]i64 -> [k]i64",
                    .meaning =
                        [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                          std::vector<std::int64_t> counts(static_cast<std::size_t>(sizes[0]));
                          for (std::int64_t j = 0; j < sizes[1]; ++j)
                            if (const std::int64_t i = number_at(args[0], j); i >= 0 && i < sizes[0])
                              ++counts[static_cast<std::size_t>(i)];
                          std::vector<Value> out;
                          for (const std::int64_t c : counts) out.push_back(number(c));
                          return array_value(std::move(out));
                        },
                    .cost =
                        [](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                          const Size &k = e.sizes[0], &n = e.sizes[1];
                          const PhraseRef all = proj(2, ident("", var_type(array(k, i64))));
                          const Cost indices = costs.before(e.arguments[0]), index = costs.read(e.arguments[0]);
                          const Cost result = copied ? costs.assigned(all) : Cost{0, 0, 0};
                          const Cost zeros = side_by_side(k, {1, 1, 0});
                          return indices + with_space(k, zeros + repeated(n, index + Cost{2, 2, 0}) + result);
                        },
                    .acceptor =
                        [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                          return counted(t, e, [&](const PhraseRef& r) { return t.assign(a, r); });
                        },
                    .continuation = counted,
                    .constant = tally_i(),
                    .indexed = Indexed{.argument = 0, .length = 0},  // so that what is drawn at random is often below k
                }});
}

}  // namespace lockstep

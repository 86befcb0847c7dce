// update: an array with one element in the place of another (functional in-place update: Henriksen, Oancea, §2.2). It
// writes an element whose place a run finds, so it stays a typed constant, updateI, up to the kernel language.
#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"
#include "semantics/primitives/paths.h"

namespace lockstep {
namespace {

constexpr const char* outside_text = "index {0} is outside [0, {1})";

std::int64_t number_in(const Value& i, std::int64_t n, const Region& where) {
  const std::int64_t at = as_scalar(force(i)).integer();
  if (at < 0 || at >= n)
    throw TrapSignal{{"update", "index " + std::to_string(at) + " is outside [0, " + std::to_string(n) + ")", where}};
  return at;
}

// updateI I F A: F (A I), I inside; the rest of A is left as it is.
const ConstantRef& update_i() {
  static const ConstantRef it = constant(
      "updateI", imp::Takes{1, 1},
      [](const auto& s, const auto& t) -> std::vector<PhraseType> {
        return {exp_type(scalar(ScalarType::I64)), phrase_function(acc_type(t[0]), comm_type()),
                acc_type(array(s[0], t[0]))};
      },
      ConstantFacets{
          .meaning = [](ConstantRun& run) { run.call_on(1, 2, number_in(run.value(0), run.size(0), run.where())); },
          .cost =
              [](ConstantCosts& costs, const ImpPhrase&) {
                // it is kept, and compared with both ends
                const Cost index = then(costs.expression(0), {4, 4, 0});
                return then(index, then(costs.acceptor(2), costs.call(1)));
              },
          .expand =
              [](Expansion& t, const ImpPhrase& x, const Region& region, kernel::Block& out) {
                const std::string i = t.fresh("i");
                kernel::Block scope;
                t.emit(scope, kernel::Declare{i, kernel::KType{}, t.value(x.arguments[0], {})});
                const kernel::Expr at = kernel::variable(i), n = t.extent(x.sizes[0]);
                t.emit(scope, kernel::Check{is_inside(at, n), "update", outside_text, {at, n}, region});
                t.command(apply(x.arguments[1], idx_acc(x.arguments[2], t.index(i, x.sizes[0]))), scope);
                out.statements.push_back(kernel::Stmt{std::move(scope)});
              },
      });
  return it;
}

// update (xs ! i) j v in the place of xs ! i, where that stands already: the row is not written again.
const PrimPhrase* update_of_row(const PrimPhrase& e) {
  const auto* inner = as<PrimPhrase>(*e.arguments[2]);
  if (!inner || inner->acceptor >= 0 || inner->primitive->name != e.primitive->name) return nullptr;
  const auto* row = as<PrimPhrase>(*inner->arguments[0]);
  const bool same = row && is_element(*row) && alpha_equal(*row->arguments[0], *e.arguments[0]) &&
                    alpha_equal(*row->arguments[1], *e.arguments[1]);
  return same ? inner : nullptr;
}

// Into an acceptor in which the array stands.
PhraseRef updated(Translation& t, const PrimPhrase& e, const PhraseRef& a, const Region& where) {
  return t.named(e.arguments[1], [&](const PhraseRef& i) {
    const Type& d = e.types[0];
    const std::string o = t.fresh("o");
    const PhraseRef place = ident(o, acc_type(d));
    const PrimPhrase* row = update_of_row(e);
    const PhraseRef value = row ? updated(t, *row, place, where) : t.acceptor(e.arguments[2], place);
    return command(update_i(), e.sizes, {d}, {i, lambda(o, acc_type(d), value), a}, where);
  });
}

// The same sum of what every update in it takes.
template <class Of>
auto of_updates(const PrimPhrase& e, const Of& of) -> decltype(of(e, nullptr)) {
  const PrimPhrase* row = update_of_row(e);
  return row ? of(e, nullptr) + of_updates(*row, of) : of(e, &e.arguments[2]);
}

}  // namespace

PrimitiveRef update_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"update", "an array with another element at an index; in place where the old one is not used again",
                Loop{
                    .type = "[n]'a -> i64 -> 'a -> [n]'a",
                    .meaning =
                        [](const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
                          const std::int64_t at = number_in(args[1], sizes[0], {});
                          std::vector<Value> out;
                          for (std::int64_t i = 0; i < sizes[0]; ++i)
                            out.push_back(stored(i == at ? args[2] : element_of(args[0], i)));
                          return array_value(std::move(out));
                        },
                    .cost =
                        [](SourceCosts& costs, const PrimPhrase& e, bool) {
                          const Cost array = costs.into(e.arguments[0]);
                          return array + of_updates(e, [&](const PrimPhrase& one, const PhraseRef* value) {
                                   const Cost index =
                                       costs.named(one.arguments[1]) + costs.read(one.arguments[1]) + Cost{4, 4, 0};
                                   return value ? index + costs.into(*value) : index;
                                 });
                        },
                    .acceptor =
                        [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                          const Region where = t.where();
                          const PhraseRef array = t.acceptor(e.arguments[0], a);
                          return seq(array, updated(t, e, a, where));
                        },
                    .constant = update_i(),
                    .indexed = Indexed{.argument = 1, .length = 0},
                    .writes =
                        [](DeclaredWrites& w, const PrimPhrase& e, bool) {
                          const Size array = w.into(e.arguments[0]);
                          return array + of_updates(e, [&](const PrimPhrase& one, const PhraseRef* value) {
                                   const Size index = w.named(one.arguments[1]) + Size(1);
                                   return value ? index + w.into(*value) : index;
                                 });
                        },
                }});
}

}  // namespace lockstep

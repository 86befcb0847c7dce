// Indices of arrays: any, distinct ones, and the places of a compaction.
#include "props/dpia/generate_state.h"

namespace lockstep::props {

// n numbers, most of them in [0, bound).
surface::Expr Generator::indices(const Size& n, const Size& bound, int budget) {
  const Type i64 = scalar(ScalarType::I64);
  if (random_.percent(12)) return expression(array(n, i64), budget, true);
  if (n == bound && random_.percent(40)) return make::call("iota", {make::size(n)});
  const std::string i = fresh("i");
  const Scope scope(*this);
  scope_.push_back({i, index_type(n)});
  const Inside inside(*this, n);
  Expr any = random_.percent(50) ? make::call("i64", {make::name(i)}) : expression(i64, budget - 3, true);
  Expr natural = make::binary("&", std::move(any), Expr{surface::Literal{"15", ScalarType::I64}, {}});
  Expr size = bound.constant() ? make::number(std::max<std::int64_t>(1, *bound.constant()))
                               : make::call("max", {make::number(1), make::call("i64", {make::size(bound)})});
  return make::call("generate", {make::size(n), make::lambda({make::bind(i)},
                                                             make::binary("%", std::move(natural), std::move(size)))});
}

surface::Expr Generator::distinct_indices(const Size& n) {
  Expr iota = make::call("iota", {make::size(n)});
  if (random_.percent(30)) return iota;
  if (random_.percent(40)) return make::call("reverse", {std::move(iota)});
  if (random_.percent(40)) return places_of_kept(n);
  const std::string i = fresh("i");
  const std::string symbol = random_.percent(70) ? "-" : "^";
  Expr body = make::binary(symbol, make::name(i), make::number(1 + random_.below(2)));
  return make::call("map", {make::lambda({make::bind(i)}, std::move(body)), std::move(iota)});
}

// Those that are kept one after another, or, seldom, those that are not, of whose places some are one.
surface::Expr Generator::places_of_kept(const Size& n) {
  const std::string flags = fresh("flags"), kept = fresh("kept"), place = fresh("place"), acc = fresh("acc");
  using surface::Expr;
  Expr all = expression(array(n, scalar(ScalarType::Bool)), 6, true);
  Expr counted = make::lambda({make::bind(kept), make::bind(acc)},
                              make::binary("+", make::call("i64", {make::name(kept)}), make::name(acc)));
  Expr before = make::call("scanExclusive", {std::move(counted), make::number(0), make::name(flags)});
  Expr condition = random_.percent(85) ? make::name(kept) : make::call("not", {make::name(kept)});
  Expr chosen{
      surface::If{std::move(condition), make::name(place), make::apply(make::operation("neg"), {make::number(1)})}, {}};
  Expr places = make::call("map", {make::lambda({make::pattern({kept, place})}, std::move(chosen)),
                                   make::call("zip", {make::name(flags), std::move(before)})});
  return make::let(make::bind(flags), std::move(all), std::move(places));
}

}  // namespace lockstep::props

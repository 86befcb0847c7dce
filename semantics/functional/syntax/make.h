// Makers of surface trees, without regions.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::surface::make {

inline Expr name(std::string n) { return {Name{std::move(n)}, {}}; }
inline Expr operation(std::string symbol) { return {Operator{std::move(symbol)}, {}}; }
inline Expr apply(Expr f, std::vector<Expr> arguments) {
  for (Expr& a : arguments) f = Expr{Apply{std::move(f), std::move(a)}, {}};
  return f;
}
inline Expr call(const std::string& f, std::vector<Expr> arguments) { return apply(name(f), std::move(arguments)); }
inline Expr binary(const std::string& symbol, Expr a, Expr b) {
  return apply(operation(symbol), {std::move(a), std::move(b)});
}
inline Expr lambda(std::vector<Pattern> patterns, Expr body) {
  return {Lambda{std::move(patterns), std::move(body)}, {}};
}
inline Expr let(Pattern p, Expr value, Expr body) { return {Let{std::move(p), std::move(value), std::move(body)}, {}}; }
inline Expr indexed(Expr array, Expr at) { return {Index{std::move(array), std::move(at)}, {}}; }
inline Expr tuple(std::vector<Expr> parts) {  // of one: that
  return parts.size() == 1 ? parts[0] : Expr{Tuple{std::move(parts)}, {}};
}
inline Pattern bind(std::string n) { return {NamePattern{std::move(n)}, {}}; }
inline Pattern pattern(const std::vector<std::string>& names) {  // of one: that
  if (names.size() == 1) return bind(names[0]);
  TuplePattern all;
  for (const std::string& n : names) all.parts.push_back(bind(n));
  return {std::move(all), {}};
}

}  // namespace lockstep::surface::make

// Makers of .dpia's expressions. Private to lower*.cpp.
#pragma once
#include "semantics/functional/syntax/syntax.h"

namespace lockstep::l0::lowering {

using surface::Expr;

inline Expr name(std::string n) { return {surface::Name{std::move(n)}, {}}; }
inline Expr infix(std::string symbol) { return {surface::Operator{std::move(symbol)}, {}}; }
inline Expr apply(Expr f, std::vector<Expr> arguments) {
  for (Expr& a : arguments) f = Expr{surface::Apply{std::move(f), std::move(a)}, {}};
  return f;
}
inline Expr call(const std::string& f, std::vector<Expr> arguments) { return apply(name(f), std::move(arguments)); }
inline Expr number(std::int64_t n, ScalarType suffix = ScalarType::I64) {
  Expr digits{
      surface::Literal{std::to_string(n < 0 ? -static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n)), suffix},
      {}};
  return n < 0 ? apply(infix("neg"), {std::move(digits)}) : digits;
}
inline surface::Pattern pattern(const std::vector<std::string>& names) {
  std::vector<surface::Pattern> parts;
  for (const std::string& n : names) parts.push_back({surface::NamePattern{n}, {}});
  return parts.size() == 1 ? parts[0] : surface::Pattern{surface::TuplePattern{std::move(parts)}, {}};
}
inline Expr lambda(std::vector<surface::Pattern> patterns, Expr body) {
  return {surface::Lambda{std::move(patterns), std::move(body)}, {}};
}
inline Expr let(surface::Pattern p, Expr value, Expr body) {
  return {surface::Let{std::move(p), std::move(value), std::move(body)}, {}};
}
inline Expr tuple(std::vector<Expr> parts) {
  return parts.size() == 1 ? parts[0] : Expr{surface::Tuple{std::move(parts)}, {}};
}
inline Expr indexed(Expr array, Expr at) { return {surface::Index{std::move(array), std::move(at)}, {}}; }

}  // namespace lockstep::l0::lowering

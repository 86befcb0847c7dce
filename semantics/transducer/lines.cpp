// What operators make of lines (lines.h), read off the one operation that each is.
#include "semantics/transducer/lines.h"

#include <functional>

#include "semantics/core/table.h"

namespace lockstep::transducer {
namespace {

// Of Bools, not of Ints.
bool takes_bools(LineFunction f) {
  using enum LineFunction;
  static constexpr auto rows = table<LineFunction, bool>({{Sum, false},
                                                          {Difference, false},
                                                          {Product, false},
                                                          {Negated, false},
                                                          {Equal, false},
                                                          {Less, false},
                                                          {Both, true},
                                                          {Either, true},
                                                          {Not, true},
                                                          {Number, true},
                                                          {Chosen, false}});
  return rows[f];
}

std::int64_t wrapped(std::uint64_t n) { return static_cast<std::int64_t>(n); }
std::uint64_t bits(std::int64_t n) { return static_cast<std::uint64_t>(n); }

const Line& line(const LineValue& v) {
  if (const auto* l = std::get_if<Line>(&v)) return *l;
  throw Bug("lines: a Bool for an Int");
}
bool truth(const LineValue& v) {
  if (const auto* b = std::get_if<bool>(&v)) return *b;
  throw Bug("lines: an Int for a Bool");
}

Line difference(const Line& a, const Line& b) {
  return {wrapped(bits(a.at) - bits(b.at)), wrapped(bits(a.slope) - bits(b.slope))};
}
Line sum(const Line& a, const Line& b) {
  return {wrapped(bits(a.at) + bits(b.at)), wrapped(bits(a.slope) + bits(b.slope))};
}
Line product(const Line& a, const Line& b) {
  if (a.slope != 0 && b.slope != 0) throw Bug("lines: a product of which neither is level is none");
  return {wrapped(bits(a.at) * bits(b.at)), wrapped(bits(a.at) * bits(b.slope) + bits(a.slope) * bits(b.at))};
}
template <class Relation>
bool related(const Line& a, const Line& b, std::int64_t x, std::int64_t& end, Relation holds) {
  const bool now = holds(a.at, b.at);
  for (std::int64_t k = 1; k < end - x; ++k)
    if (holds(a.after(k), b.after(k)) != now) end = x + k;
  return now;
}

}  // namespace

std::optional<OnLines> on_lines(snesl::OperatorRef op, snesl::Prim operand) {
  using enum scalars::Operation;
  using F = LineFunction;
  using Row = std::optional<OnLines>;
  static constexpr Row none;
  static constexpr auto rows = table<scalars::Operation, Row>({{Add, OnLines{F::Sum}},
                                                               {Subtract, OnLines{F::Difference}},
                                                               {Multiply, OnLines{F::Product}},
                                                               {Divide, none},
                                                               {Remainder, none},
                                                               {And, OnLines{F::Both}},
                                                               {Or, OnLines{F::Either}},
                                                               {Xor, none},
                                                               {ShiftLeft, none},
                                                               {ShiftRight, none},
                                                               {Equal, OnLines{F::Equal}},
                                                               {NotEqual, OnLines{F::Equal, false, true}},
                                                               {Less, OnLines{F::Less}},
                                                               {LessEqual, OnLines{F::Less, true, true}},
                                                               {Greater, OnLines{F::Less, true}},
                                                               {GreaterEqual, OnLines{F::Less, false, true}},
                                                               {Both, OnLines{F::Both}},
                                                               {Either, OnLines{F::Either}},
                                                               {Not, OnLines{F::Not}},
                                                               {Negate, OnLines{F::Negated}},
                                                               {PopCount, none},
                                                               {LeadingZeros, none},
                                                               {Bits, none},
                                                               {Convert, OnLines{F::Number}}});
  if (operand != snesl::Prim::Int && operand != snesl::Prim::Bool) return std::nullopt;
  if (op->chooses) return OnLines{F::Chosen};
  const auto operation = snesl::operation_of(op, operand);
  if (!operation || !rows[*operation]) return std::nullopt;
  return takes_bools(rows[*operation]->function) == (operand == snesl::Prim::Bool) ? rows[*operation] : std::nullopt;
}

std::string show(const OnLines& how) {
  using enum LineFunction;
  static constexpr auto names = table<LineFunction, std::string_view>({{Sum, "sum"},
                                                                       {Difference, "difference"},
                                                                       {Product, "product"},
                                                                       {Negated, "negated"},
                                                                       {Equal, "equal"},
                                                                       {Less, "less"},
                                                                       {Both, "both"},
                                                                       {Either, "either"},
                                                                       {Not, "not"},
                                                                       {Number, "number"},
                                                                       {Chosen, "chosen"}});
  return std::string(names[how.function]) + (how.exchanged ? ", exchanged" : "") + (how.denied ? ", denied" : "");
}

std::int64_t Line::after(std::int64_t steps) const { return wrapped(bits(at) + bits(slope) * bits(steps)); }

LineValue level(const svcode::Atom& a) {
  return a.type == snesl::Prim::Bool ? LineValue(a.integer != 0) : LineValue(Line{a.integer, 0});
}
svcode::Atom at_position(const LineValue& v) {
  if (const auto* l = std::get_if<Line>(&v)) return snesl::int_atom(l->at);
  return snesl::bool_atom(std::get<bool>(v));
}

LineValue apply(const OnLines& how, std::span<const LineValue> in, std::int64_t x, std::int64_t& end) {
  const auto operand = [&](std::size_t k) -> const LineValue& { return in[how.exchanged ? 1 - k : k]; };
  const auto said = [&](bool b) { return LineValue(b != how.denied); };
  switch (how.function) {
    case LineFunction::Sum:
      return sum(line(operand(0)), line(operand(1)));
    case LineFunction::Difference:
      return difference(line(operand(0)), line(operand(1)));
    case LineFunction::Product:
      return product(line(operand(0)), line(operand(1)));
    case LineFunction::Negated:
      return difference({}, line(in[0]));
    case LineFunction::Equal:
      return said(related(line(operand(0)), line(operand(1)), x, end, std::equal_to<>()));
    case LineFunction::Less:
      return said(related(line(operand(0)), line(operand(1)), x, end, std::less<>()));
    case LineFunction::Both:
      return said(truth(operand(0)) && truth(operand(1)));
    case LineFunction::Either:
      return said(truth(operand(0)) || truth(operand(1)));
    case LineFunction::Not:
      return said(!truth(in[0]));
    case LineFunction::Number:
      return Line{truth(in[0]), 0};
    case LineFunction::Chosen:
      return truth(in[0]) ? in[1] : in[2];
  }
  throw Bug("lines: a function without a meaning");
}

}  // namespace lockstep::transducer

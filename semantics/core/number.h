// Scalars, and the number domains over which every interpreter is written once: IEEE (bit for bit a sequential
// machine, no contraction), exact (rationals, a wide float where there is no rational result), and exact with a
// forward error bound. Integers and booleans are the same in all three; only floats go through the Domain.
#pragma once
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "semantics/core/scalar_type.h"

namespace lockstep {

struct Real;  // an exact or bounded real; defined where Boost.Multiprecision is

struct Scalar {
  ScalarType type = ScalarType::Bool;
  std::uint64_t bits = 0;              // integers sign- or zero-extended to 64; floats of the IEEE domain as a double
  std::shared_ptr<const Real> real{};  // floats of the other domains

  std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
  double ieee() const;
};
// An integer type's value of this magnitude, or its negative; nothing where it has none.
std::optional<Scalar> integer_of(ScalarType t, std::uint64_t magnitude, bool negative);
// Wraps to the type's width. For bool: value != 0.
Scalar make_integer(ScalarType t, std::uint64_t value);
Scalar make_bool(bool b);
Scalar make_ieee(ScalarType t, double value);  // rounds to f32 for F32

struct FloatFunction;  // a row (float_function.h)
enum class Comparison { Equal, NotEqual, Less, LessEqual };
bool holds(Comparison c, std::partial_ordering order);  // a NaN is unordered

// Thrown by the bounded domain where its error bound straddles a decision; interpreters return it as such.
struct UndecidedSignal {
  std::string what;
};

class Domain {
 public:
  virtual ~Domain() = default;
  virtual std::string_view name() const = 0;
  // A decimal literal ("1.5", "1e-3", "inf"), rounded to t as the compiler would.
  virtual Scalar literal(ScalarType t, const std::string& digits) const = 0;
  virtual Scalar from_ieee(ScalarType t, double value) const = 0;  // an input: exact, no rounding counted
  virtual Scalar from_integer(ScalarType t, const Scalar& integer) const = 0;
  virtual Scalar convert(ScalarType t, const Scalar& f) const = 0;  // f32 <-> f64
  // Truncation toward zero to integer type t; nothing where NaN or out of range.
  virtual std::optional<Scalar> truncate(ScalarType t, const Scalar& f) const = 0;
  virtual Scalar apply(const FloatFunction& f, ScalarType t, std::span<const Scalar> arguments) const = 0;
  virtual bool compare(Comparison c, const Scalar& a, const Scalar& b) const = 0;
  // The nearest IEEE number, for printing and output.
  virtual double to_ieee(const Scalar& f) const = 0;
  // |computed - f| that any evaluation order can reach, 0 in the IEEE domain; infinity where nothing is known.
  virtual double error_bound(const Scalar& f) const = 0;
};
const Domain& ieee_domain();
const Domain& twice_rounded_domain();  // IEEE, but `fma` rounds its product: what was contracted has its bits back
const Domain& exact_domain();
const Domain& bounded_domain();

std::string show(const Scalar& s, const Domain& domain);  // as a literal without suffix; reads back to the same number

}  // namespace lockstep

// The atomic values of SNESL and SVCODE, and the operators on them that both languages share.
#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semantics/core/diagnostic.h"
#include "semantics/scalars/operator.h"

namespace lockstep::snesl {

// π of SNESL §2.2.1. Unit is no type of the source: control streams are of units.
enum class Prim : unsigned char { Unit, Bool, Int, Real, Char };
std::string_view show(Prim p);  // "Bool", "Int", ...; "Unit" for a control stream

// One atomic value. Bool, Int and Char lie in `integer` (false 0, true 1; a Char 0 to 255), a Real as in Scalar.
struct Atom {
  Prim type = Prim::Unit;
  std::int64_t integer = 0;
  std::shared_ptr<const lockstep::Real> real{};  // not of the IEEE domain
  double ieee() const { return std::bit_cast<double>(integer); }
};
inline Atom unit_atom() { return {}; }
inline Atom bool_atom(bool b) { return Atom{Prim::Bool, b ? 1 : 0}; }
inline Atom int_atom(std::int64_t n) { return Atom{Prim::Int, n}; }
inline Atom char_atom(unsigned char c) { return Atom{Prim::Char, c}; }
inline Atom real_atom(double r) { return Atom{Prim::Real, std::bit_cast<std::int64_t>(r)}; }
bool operator==(const Atom& a, const Atom& b);  // Reals by their bits, -0 is not 0; but any NaN equals any
std::string show(const Atom& a);                // as the command line reads it back: 12, 1.5, 'c', true

// The scalars of .snesl: bool, i64, f64, u8. Unit has none.
std::optional<ScalarType> scalar_type(Prim p);

// ⊕, a row of semantics/scalars: all operands have one type, but for choice() (Bool first). Chars are compared and
// converted only.
using OperatorRef = const ScalarOp*;
const std::vector<OperatorRef>& scalar_operators();  // that take types of .snesl and give one
std::string name_of(OperatorRef op);                 // "add", "sub" ... as SVCODE prints it: map_add
OperatorRef operator_named(std::string_view name);   // null where there is none
std::optional<Prim> result_type(OperatorRef op, std::span<const Prim> operands);  // none where the types do not fit
std::int64_t key_of(OperatorRef op);  // a number for each, the same in every run; null has one too
bool is_comparison(OperatorRef op);
// The operation that it is on operands of type p (the last one's), where it is one.
std::optional<scalars::Operation> operation_of(OperatorRef op, Prim p);
bool can_trap(OperatorRef op, Prim operand);
// Throws TrapSignal with `region`: integer division by zero, a Real that is no Int. Integers wrap.
Atom apply(OperatorRef op, std::span<const Atom> operands, const Region& region, const Domain& domain = ieee_domain());
Scalar scalar_of(const Atom& a);  // a Bug for a unit

// R of reduce and scan: a monoid on Int or Real (Or, And: Bool).
enum class Monoid : unsigned char { Plus, Times, Max, Min, Or, And };
std::string_view name_of(Monoid r);  // "plus", "times", "max", "min", "or", "and"
std::optional<Monoid> monoid_named(std::string_view name);
// Max and Min of Reals give NaN where either is NaN, and take 0 for greater than -0, so that no order matters.
Atom identity_of(Monoid r, Prim type);  // for Max the least Int, or minus infinity
Atom combine(Monoid r, const Atom& a, const Atom& b, const Domain& domain = ieee_domain());

// The reduction of a segment in the blocked order of every target, which only matters for sums and products of Reals:
// the element at position p of its segment goes to lane p mod 8 from the left, each lane beginning with the identity,
// and the value is ((l0 ⊕ l1) ⊕ (l2 ⊕ l3)) ⊕ ((l4 ⊕ l5) ⊕ (l6 ⊕ l7)).
class Reduction {
 public:
  Reduction(Monoid r, Prim type, const Domain& domain = ieee_domain());
  void add(const Atom& a);
  Atom value() const;

 private:
  Monoid r_;
  const Domain* domain_;
  std::int64_t count_ = 0;
  Atom lanes_[8];
};

// The exclusive scan of a segment. Positions 8b to 8b+7 are block b; `carry` is the reduction of the blocks before,
// from the left, beginning with the identity. In a block the inclusive prefixes are those of Kogge and Stone: three
// rounds k = 1, 2, 4 of y_i = x_(i-k) ⊕ x_i. The scan's element at 8b is the carry, at 8b+i carry ⊕ prefix_(i-1), and
// the next carry is carry ⊕ prefix_7. (Thesis §4.4.4.)
class PrefixScan {
 public:
  PrefixScan(Monoid r, Prim type, const Domain& domain = ieee_domain());
  Atom value() const;  // of the elements so far
  void add(const Atom& a);

 private:
  Monoid r_;
  const Domain* domain_;
  Atom carry_;
  int filled_ = 0;
  Atom block_[8];
};

}  // namespace lockstep::snesl

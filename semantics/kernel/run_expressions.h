// Expressions of the kernel language as closures over a Machine, names resolved to slots. Words are the bits of
// integers and booleans, numbers any scalar, lanes a short vector.
#pragma once
#include "semantics/core/closure.h"
#include "semantics/kernel/machine.h"

namespace lockstep::kernel {

using Word = Closure<std::uint64_t(Machine&)>;
using Number = Closure<Scalar(Machine&)>;
using LanesOf = Closure<void(Machine&, Scalar*)>;

constexpr std::size_t most_lanes = 16;

inline std::int64_t signed_of(std::uint64_t w) { return static_cast<std::int64_t>(w); }
[[noreturn]] void ill_formed(const std::string& what);

struct Slot {
  std::string name;
  std::size_t at;
  bool index = false;  // a size or loop variable: always set, never shared
};

// The names in scope.
struct Slots {
  std::vector<Slot> variables, memories;
  const Slot& variable(const std::string& name) const;
  const Slot& memory(const std::string& name) const;
};

class ExpressionCompiler {
 public:
  // `from`: the statement around, where an expression does not say itself where it stands.
  ExpressionCompiler(const Domain& domain, const Slots& slots, const Region* from)
      : domain_(domain), slots_(slots), from_(from) {}

  Word word(const Expr& e) const;
  Number number(const Expr& e) const;
  LanesOf lanes(const Expr& e) const;  // any expression; a scalar has one

 private:
  const Region* from(const Expr& e) const { return e.region.source ? &e.region : from_; }
  Scalar constant_of(const Const& c) const;
  Number application(const Expr& e, const Apply& a) const;
  Number lane(const Expr& e, const Lane& l) const;
  LanesOf lanewise(const Expr& e, const Apply& a) const;

  const Domain& domain_;
  const Slots& slots_;
  const Region* from_;
};

}  // namespace lockstep::kernel

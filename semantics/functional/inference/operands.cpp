// Operands, literals and indices get their types.
#include "semantics/functional/inference/operands.h"

namespace lockstep::inference {

bool is_literal(const Unifier& types, const Type& t) {
  const Type known = types.shallow(t);
  return Unifier::is_unknown(known) && types.is_number(known);
}

Type result_of_bits(const ScalarOp& op, const Type& operands) {
  const auto* known = as<ScalarType>(operands);
  return known && op.takes(*known) ? scalar(op.result(*known)) : operands;
}
std::optional<Type> operands_of_bits(const ScalarOp& op, const Type& result) {
  for (const ScalarType t : op.types())
    if (result == scalar(op.result(t))) return scalar(t);
  return {};
}

void OperandUses::literal(const Type& unknown, bool is_float, const Region& region) {
  literals_.push_back({unknown, is_float, region});
}
void OperandUses::index(const Type& parameter, const Type& argument, const Region& region, const std::string& what) {
  indices_.push_back({parameter, argument, region, what});
}
void OperandUses::of_operator(const Type& operands, const ScalarOp& op, const std::string& what, const Region& region) {
  classes_.push_back({operands, op, what, region});
  if (op.operands == Operands::Float && Unifier::is_unknown(operands))
    float_unknowns_.insert(as<TypeVariable>(operands)->name);
}

// idx(n) becomes i64 under an operator; until an argument's type is known it could be either.
void OperandUses::operand(const Type& operand, const Type& argument, const Region& region, const std::string& what) {
  unsettled_.insert(operands_.size());
  operands_.push_back({operand, argument, region, what});
}

// False where it is still open; then it waits for its types to change.
bool OperandUses::settle_operand(Constraints& c, std::size_t k, Until until) {
  const Use& use = operands_[k];
  const Type argument = c.types.shallow(use.argument), operand = c.types.shallow(use.wanted);
  const bool may_be_index = Unifier::is_unknown(argument) &&
                            (Unifier::is_unknown(operand) || operand == scalar(ScalarType::I64)) &&
                            !c.types.is_number(argument);
  if (may_be_index && until == Until::Known) {
    waiting_[as<TypeVariable>(argument)->name].push_back(k);
    if (const auto* unknown = as<TypeVariable>(operand)) waiting_[unknown->name].push_back(k);
    return false;
  }
  unsettled_.erase(k);
  c.unify(operand, as<IndexType>(argument) ? scalar(ScalarType::I64) : argument, use.region, use.what);
  return true;
}

void OperandUses::settle(Constraints& c) { settle(c, Until::Known); }

void OperandUses::bits(const Type& operands, const Type& result, const ScalarOp& op, const std::string& what,
                       const Region& region) {
  bits_.push_back({operands, result, &op, what, region});
}

bool OperandUses::settle_bits(Constraints& c) {
  const std::size_t before = bits_.size();
  std::erase_if(bits_, [&](const BitsUse& use) {
    if (const Type operands = c.types.shallow(use.operands); !Unifier::is_unknown(operands))
      c.unify(use.result, result_of_bits(*use.op, operands), use.region, "the result of " + use.what);
    else if (const auto from = operands_of_bits(*use.op, c.types.shallow(use.result)))
      c.unify(operands, *from, use.region, use.what);
    else
      return false;
    return true;
  });
  return bits_.size() < before;
}

void OperandUses::default_bits(Constraints& c) {
  while (!bits_.empty()) {
    c.unify(bits_.front().operands, scalar(bits_.front().op->types().front()), bits_.front().region,
            bits_.front().what);
    const std::size_t before = bits_.size();
    settle(c, Until::End);
    c.types.solve();
    if (bits_.size() == before) bits_.erase(bits_.begin());  // an error was reported
  }
}

void OperandUses::settle(Constraints& c, Until until) {
  do settle_operands(c, until);
  while (settle_bits(c));
}

// In the order of the source, again and again while something comes of it; only what changed is looked at again.
void OperandUses::settle_operands(Constraints& c, Until until) {
  std::set<std::size_t> round, next;
  std::size_t at = 0;  // in this round
  const auto wake = [&](std::size_t k) {
    if (unsettled_.contains(k)) (k > at ? round : next).insert(k);
  };
  const auto wake_changed = [&] {
    for (const std::string& name : c.types.take_changed())
      if (const auto those = waiting_.extract(name))
        for (const std::size_t k : those.mapped()) wake(k);
  };
  for (; looked_at_ < operands_.size(); ++looked_at_) next.insert(looked_at_);
  wake_changed();
  if (until == Until::End) next = unsettled_;
  next.merge(round);
  while (!next.empty()) {
    round = std::exchange(next, {});
    while (!round.empty()) {
      at = *round.begin();
      round.erase(round.begin());
      if (settle_operand(c, at, until)) wake_changed();
    }
  }
}

// The parameter of a local function to which only indices are given takes an index, otherwise a number.
void OperandUses::settle_indices(Constraints& c) {
  for (const Use& use : std::exchange(indices_, {})) {
    const bool literal = is_literal(c.types, use.wanted);
    if (literal) c.unify(use.wanted, scalar(ScalarType::I64), use.region, use.what);
    if (literal || c.types.shallow(use.wanted) == scalar(ScalarType::I64)) continue;
    c.unify(use.wanted, use.argument, use.region, use.what);
  }
}

void OperandUses::default_literals(Constraints& c) {
  std::set<std::string> floats;
  for (const std::string& u : float_unknowns_)
    if (const Type t = c.types.shallow(type_variable(u)); Unifier::is_unknown(t))
      floats.insert(as<TypeVariable>(t)->name);
  for (const bool is_float : {true, false})  // a float literal decides for the integer literals beside it
    for (const LiteralUse& l : literals_) {
      const Type t = c.types.shallow(l.type);
      if (!Unifier::is_unknown(t)) continue;
      const bool wants_float = floats.contains(as<TypeVariable>(t)->name);
      if (is_float != (l.is_float || wants_float)) continue;
      defaulted_.insert(l.region.begin);
      c.unify(t, scalar(is_float ? ScalarType::F32 : ScalarType::I32), l.region, "this literal");
    }
}

void OperandUses::close(Constraints& c) {
  c.types.solve();
  settle(c);
  settle_indices(c);
  settle(c);
  for (int round = 0; round < 8 && !unsettled_.empty(); ++round) settle(c, Until::End), c.types.solve();
  default_bits(c);
  default_literals(c);
  settle(c, Until::End);
  c.types.solve();
}

void OperandUses::refuse_misfits(Constraints& c) const {
  for (const ClassUse& use : classes_) {
    Type operand = c.types.deep(use.type);
    const bool vector = as<VectorType>(operand) != nullptr;
    if (vector) operand = Type(*as<VectorType>(operand)->element);
    const auto* s = as<ScalarType>(operand);
    const bool index = as<IndexType>(operand) != nullptr;
    static constexpr std::string_view wanted[] = {"a number", "a float, f32 or f64", "an integer", "a bool",
                                                  "a scalar", "u32 or u64"};
    const ScalarOp& op = use.op;
    const bool fits = s ? op.takes(*s) : index && op.operands == Operands::Any;
    const bool lifts =
        op.operands != Operands::Bool && op.operands != Operands::Any && !op.gives_bool && !op.gives_bits;
    if (!fits || (vector && !lifts))
      c.report(use.region, use.what + " has operands of the type " + show(c.types.deep(use.type)),
               std::string(wanted[static_cast<int>(op.operands)]),
               vector ? "compare or convert lane by lane: lanes v gives an array" : "");
  }
}

}  // namespace lockstep::inference

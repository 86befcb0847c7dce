// What waits for its type: operands, which may be indices; literals; the parameters of local functions.
#pragma once
#include "semantics/functional/inference/constraints.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::inference {

class OperandUses {
 public:
  void literal(const Type& unknown, bool is_float, const Region& region);
  // `argument` is used where `operand` is wanted; idx(n) becomes i64.
  void operand(const Type& operand, const Type& argument, const Region& region, const std::string& what);
  // An index where a local function's parameter has no type yet: a number, if another use says so.
  void index(const Type& parameter, const Type& argument, const Region& region, const std::string& what);
  // The operands of `what` are what the operator takes.
  void of_operator(const Type& operands, const ScalarOp& op, const std::string& what, const Region& region);

  // Of an operator that gives floats their bits or the other way round, operands and result each say the other.
  void bits(const Type& operands, const Type& result, const ScalarOp& op, const std::string& what,
            const Region& region);

  void settle(Constraints& c);  // what is known by now
  void close(Constraints& c);   // all: what is still open gets the type that it has by itself
  void refuse_misfits(Constraints& c) const;
  // Whether it is a literal whose use did not say its type.
  bool is_defaulted(const Region& literal) const { return defaulted_.contains(literal.begin); }

 private:
  enum class Until { Known, End };
  void settle(Constraints& c, Until until);
  void settle_operands(Constraints& c, Until until);
  bool settle_operand(Constraints& c, std::size_t use, Until until);
  void settle_indices(Constraints& c);
  bool settle_bits(Constraints& c);  // whether anything came of it
  void default_bits(Constraints& c);
  void default_literals(Constraints& c);

  struct LiteralUse {
    Type type;
    bool is_float;
    Region region;
  };
  struct Use {
    Type wanted, argument;
    Region region;
    std::string what;
  };
  struct ClassUse {
    Type type;
    const ScalarOp& op;
    std::string what;
    Region region;
  };
  std::vector<LiteralUse> literals_;
  std::set<std::uint32_t> defaulted_;  // by where they begin
  std::vector<Use> operands_, indices_;
  std::set<std::size_t> unsettled_;  // of operands; those that are not waited for by name are new
  std::size_t looked_at_ = 0;        // how many of them have been looked at
  std::map<std::string, std::vector<std::size_t>> waiting_;  // for the unknown type of this name to change
  std::set<std::string> float_unknowns_;                     // operands of operators on floats
  std::vector<ClassUse> classes_;
  struct BitsUse {
    Type operands, result;
    const ScalarOp* op;
    std::string what;
    Region region;
  };
  std::vector<BitsUse> bits_;
};

bool is_literal(const Unifier& types, const Type& t);  // of one that has no type yet
// Of an operator that gives bits: the result on operands of a known type, those of another type, which are refused,
// keeping it; the operands whose result it is, where there are some.
Type result_of_bits(const ScalarOp& op, const Type& operands);
std::optional<Type> operands_of_bits(const ScalarOp& op, const Type& result);

}  // namespace lockstep::inference

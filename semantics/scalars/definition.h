// What a scalar operator computes, in the operations that every machine and every solver has. Texts in each dialect
// (codegen/dialects/dialect.h) and solvers' terms (proofs/calculus/operators/terms.h) are read off the one definition.
// It shares nothing with the operator's meaning, which it is tested against.
#pragma once
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "semantics/core/number.h"

namespace lockstep::scalars {

enum class Operation {
  // Of two numbers of one type. Integers wrap to their width.
  Add,
  Subtract,
  Multiply,
  // Of integers toward zero, by what is not 0 and, where they are signed, not -1; Remainder of integers alone.
  Divide,
  Remainder,
  // On the bits of integers, and on bools.
  And,
  Or,
  Xor,
  // Of integers, by an amount below the width; to the right a signed one keeps its sign.
  ShiftLeft,
  ShiftRight,
  // To a bool, of two of one type; floats as IEEE.
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  // On bools.
  Both,
  Either,
  // Of one operand.
  Not,
  Negate,
  PopCount,      // of an integer without a sign: the bits that are set
  LeadingZeros,  // of an integer without a sign that is not 0: the bits above the highest that is set
  Bits,          // a float as a word of as many bits, or a word as a float
  Convert,       // to the definition's type; a float to an integer only where what is left of it is in range
};

struct Definition {
  struct Argument {
    std::size_t k;
  };
  struct Constant {
    Scalar value;
  };
  struct Apply {
    Operation op;
    std::vector<Definition> operands;
  };
  struct Choice {                        // what is not chosen may be evaluated, too
    std::vector<Definition> operands{};  // a bool, where it is true, and where it is not
  };
  // A function of floats in the C library's name for doubles: "sqrt". One that is rounded correctly is the same in
  // every library; of the others a dialect says which library's it is.
  struct Library {
    std::string name;
    bool correctly_rounded;
    std::vector<Definition> operands;
    bool instruction = false;  // processors have one for it: no call
  };
  ScalarType type;
  std::variant<Argument, Constant, Apply, Choice, Library> node;
};

// For rows of operators, which read as they are written in C.
Definition argument(std::size_t k, ScalarType t);
Definition constant(ScalarType t, std::int64_t n);  // of a float, that number
Definition constant(const Scalar& value);
Definition apply(Operation op, Definition x, Definition y);
Definition negative(Definition x);
Definition negation(Definition x);
Definition convert(ScalarType to, Definition x);
Definition unary(Operation op, Definition x);  // of the operand's type
Definition choose(Definition condition, Definition then, Definition otherwise);
Definition library(std::string name, bool correctly_rounded, std::vector<Definition> operands,
                   bool instruction = false);

bool gives_bool(Operation op);
ScalarType bits_type(ScalarType t);  // the word of as many bits as a float has, or the float of a word
Definition as_bits(Definition x);
const std::vector<Definition>& operands_of(const Definition& d);
std::size_t uses(const Definition& d, std::size_t k);  // how often it has its argument k

}  // namespace lockstep::scalars

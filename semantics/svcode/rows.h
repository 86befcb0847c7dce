// Which rows are asked: those of opcodes.h, or others, where what is said of an opcode is to be found wrong.
#pragma once

namespace lockstep::svcode {

enum class Opcode : unsigned char;
struct OpcodeRow;

class Rows {
 public:
  Rows();                                                   // those of opcodes.h
  explicit Rows(const OpcodeRow* first) : first_(first) {}  // of all opcodes, in their order; they stay the caller's
  inline const OpcodeRow& operator[](Opcode o) const;       // instruction.h

 private:
  const OpcodeRow* first_;
};

}  // namespace lockstep::svcode

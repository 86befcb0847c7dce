// What the text form, the check and both interpreters of SVCODE say in one way about an instruction.
#pragma once
#include <functional>
#include <span>

#include "semantics/svcode/program.h"

namespace lockstep::svcode {

// What stands between an instruction's name and its streams: `rep 'c' s1`, `map_add s1 s2`, `check s1 s2 "text"`.
enum class Extra : unsigned char { None, Number, Atom, AtomNumber, Operator, OperatorNumber, Monoid, Trap };
struct OpcodeRow {
  Opcode opcode;
  std::string_view name;
  Extra extra = Extra::None;
};
std::span<const OpcodeRow> opcode_rows();  // of SVCODE, in the order of Opcode
const OpcodeRow& row_of(Opcode o);
// Several in one, which SVCODE lacks and networks of transducers have.
bool is_fused(Opcode o);
std::string mnemonic_of(const Instr& i);  // with its operator: "map_add", "segscan_plus"

// A parameter's leaf is (part of) the base of vectors where it lies inside a vector type: all of it is in memory.
struct InputLeaf {
  Prim type;
  bool base;
};
std::vector<InputLeaf> input_leaves(const snesl::Type& t);  // of a parameter of the type
std::vector<InputLeaf> input_leaves(const Program& p);
// Whether this argument is a descriptor that is read by segments, so that its short form will do where none is empty.
bool reads_segments(Opcode o, std::size_t argument);
// Whether this argument is read at positions, not in order: the base of so_gather, or of names.
bool is_base(Opcode o, std::size_t argument);

// What happens beside a stream being defined: a file is read or written, or the program fails.
bool has_effect(const Instr& i, const std::function<Prim(StreamId)>& type_of);

// The trap of a check whose condition is false, with these values in its text.
Trap trap_of(const Instr& check, std::span<const Atom> values);

}  // namespace lockstep::svcode

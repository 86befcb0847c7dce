// What the text form, the check and both interpreters of SVCODE say in one way about an instruction.
#pragma once
#include <span>

#include "semantics/svcode/opcode_row.h"
#include "semantics/svcode/rows.h"

namespace lockstep::svcode {

std::span<const OpcodeRow> opcode_rows();   // of SVCODE, in the order of Opcode
std::span<const OpcodeRow> network_rows();  // and of networks of transducers
// Several in one, which SVCODE lacks and networks of transducers have.
bool is_fused(Opcode o);
namespace rows {
extern const OpcodeRow all[];
}
inline const OpcodeRow& row_of(Opcode o) { return rows::all[static_cast<std::size_t>(o)]; }
inline const OpcodeRow& Rows::operator[](Opcode o) const { return first_[static_cast<std::size_t>(o)]; }
std::optional<Prim> prim_of(ElementType t);  // none: the instruction's own, or any
std::string mnemonic_of(const Instr& i);     // with its operator: "map_add", "segscan_plus"

// A parameter's leaf is (part of) the base of vectors where it lies inside a vector type: all of it is in memory.
struct InputLeaf {
  Prim type;
  bool base;
};
std::vector<InputLeaf> input_leaves(const snesl::Type& t);  // of a parameter of the type
std::vector<InputLeaf> input_leaves(const Program& p);
// Whether this argument is read at positions, not in order: the base of so_gather, or of names.
bool is_base(Opcode o, std::size_t argument, Rows rows = {});
// Whether it is a descriptor, read by its segments.
bool reads_segments(Opcode o, std::size_t argument, Rows rows = {});
// What happens beside a stream being defined: a file is read or written, or the program may fail. `operand`: the type
// of the last argument.
bool has_effect(const Instr& i, Prim operand);
// Whether it has one whatever its operator.
bool has_effect_of_its_own(Opcode o);
// Its output keeps pace with an argument, and is nothing but a stream.
bool keeps_pace(Opcode o, Rows rows = {});
// Two of its kind are never known to be one traversal.
bool begins_traversal(Opcode o, Rows rows = {});

// The trap of a check whose condition is false, with these values in its text.
Trap trap_of(const Instr& check, std::span<const Atom> values);

}  // namespace lockstep::svcode

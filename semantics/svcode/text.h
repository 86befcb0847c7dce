// SVCODE as text, and its types (§4.2).
//
//   svcode wc (file : [Char]) : Int
//   s0 : Unit := ctrl
//   s1 : Char := input 0
//   s5 : Bool := map_eq s3 s4
//   s9 : Int := rep 100 s0
//   s12 : Unit := check s10 s3 "& of the negative number {0}"
//   result ((s6), s1)
#pragma once
#include "semantics/svcode/program.h"
#include "semantics/svcode/rows.h"

namespace lockstep::svcode {

inline std::string name_of(StreamId s) { return "s" + std::to_string(s); }
std::string print(const Program& p);
std::string computed_by(const Instr& i);  // without what it defines: "map_eq s3 s4"
// Of a network: s3' is a descriptor read in short form.
std::string print_network(const Program& p, const Forms& forms);
Checked<Program> parse(SourceRef source);
// Every argument defined before, element types as Fig. 4.1 has them, and every so_gather's base grouped: what is wrong,
// or "". Not of the user's input: a check of our own stages.
std::string check(const Program& p, Rows rows = {});
// With what networks of transducers have beside SVCODE.
std::string check_network(const Program& p, const Forms& forms, Rows rows = {});

}  // namespace lockstep::svcode

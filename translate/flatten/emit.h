// The instructions of SVCODE as functions that emit them (the monad Gen of SNESL §4.3), and what is defined on
// high-level types by them: distribution, packing, merging, tabulation and sequencing of trees of streams (§2.3.2,
// §4.3).
//
// f, g, h: descriptors in general form; b: S Bool; s: a control stream, that is, any stream of the wanted length.
#pragma once
#include "semantics/svcode/program.h"

namespace lockstep::streaming {

using snesl::OperatorRef;
using snesl::Type;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;
using svcode::Tree;

// A sequence or a vector taken apart: its elements, and the descriptor of its segments.
struct Segments {
  Tree elements;
  StreamId f{};
};
// How many values a tree of streams stands for: one, where the control stream is the program's own, or any number.
enum class Lifted : bool { No, Yes };

class Emitter {
 public:
  Region region;  // of the expression that is being translated

  StreamId emit(svcode::Instr i);
  Prim type_of(StreamId s) const { return instructions_[s].type; }
  std::vector<svcode::Instr> take() { return std::move(instructions_); }

  StreamId op(Opcode o, std::vector<StreamId> arguments);  // of the type that its row says
  StreamId rep(svcode::Atom a, StreamId s);
  StreamId cons(svcode::Atom a, StreamId s);
  StreamId map(OperatorRef o, std::vector<StreamId> arguments);
  StreamId not_of(StreamId b) { return map(scalars::row<"not">(), {b}); }
  StreamId usum(StreamId f) { return op(Opcode::Usum, {f}); }
  StreamId usegsum(StreamId f, StreamId g) { return op(Opcode::Usegsum, {f, g}); }
  StreamId b2u(StreamId b) { return op(Opcode::B2u, {b}); }
  // Where a piece begins: after the end of another. A piece counts from its first element on, so that what is computed
  // for it once can be used within it.
  StreamId starts_of_pieces(StreamId ends) { return cons(snesl::bool_atom(true), ends); }
  StreamId to_flags(StreamId n) { return op(Opcode::ToFlags, {n}); }
  StreamId lens(StreamId f) { return op(Opcode::Lens, {f}); }
  StreamId short_form(StreamId f) { return op(Opcode::Short, {f}); }
  StreamId pdist(StreamId s, StreamId f) { return op(Opcode::Pdist, {s, f}); }
  StreamId ppack(StreamId s, StreamId b) { return op(Opcode::Pack, {s, b}); }
  StreamId segtab(StreamId s, StreamId f) { return op(Opcode::Segtab, {s, f}); }
  StreamId gather(StreamId starts, StreamId i, StreamId s) { return op(Opcode::Gather, {starts, i, s}); }
  StreamId fold(Opcode o, snesl::Monoid r, std::vector<StreamId> arguments);
  StreamId check(StreamId b, const std::vector<StreamId>& values, std::string primitive, std::string text);
  // The descriptor of `if` (§2.2.1): of {e1 | b} ++ {e2 | !b}, one element each.
  bool is_conditional(StreamId f) const;
  // The n, numbers or Bools, each known only when `checked`, the result of a check, is: nothing uses one that is wrong.
  StreamId after(StreamId checked, StreamId n, snesl::Prim type = snesl::Prim::Int);

  // dist_τ and pack_σ (§2.3.2).
  Tree dist(const Type& t, const Tree& v, StreamId f);
  Tree pack(const Type& t, const Tree& v, StreamId b);
  // No value of the type at all; s is empty.
  Tree nothing(const Type& t, StreamId s);
  // Round robin, a value each (mkseq), and a segment of values each (++).
  Tree merge(const Type& t, const std::vector<Tree>& vs, Lifted lifted);
  Tree segmerge(const Type& t, const std::vector<Segments>& vs);
  // tab_τ and seq_τ (§4.3); t is the element type.
  Tree tab(const Type& t, const Segments& v, Lifted lifted);
  Segments seq(const Type& t, const Tree& v, Lifted lifted);
  // What stands at starts + i of the elements of vectors.
  Tree gather_elements(const Type& t, StreamId starts, StreamId i, const Tree& v);

 private:
  StreamId with_atom(Opcode o, svcode::Atom a, StreamId s);
  Tree group(const Type& t, const Tree& v, StreamId f);
  bool is_alone(StreamId f) const;            // one element in each segment, by construction
  bool is_as_tabulated(const Tree& v) const;  // all vectors that `tab` made, each once and in their order

  std::vector<svcode::Instr> instructions_;
};

Tree leaf(StreamId s);
Tree unit_tree();

}  // namespace lockstep::streaming

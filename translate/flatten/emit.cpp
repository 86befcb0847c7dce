// Single instructions, in the order of svcode/program.h.
#include "translate/flatten/emit.h"

#include "semantics/svcode/instruction.h"

namespace lockstep::streaming {

Tree leaf(StreamId s) { return Tree{s, {}, false}; }
Tree unit_tree() { return Tree{0, {}, true}; }

StreamId Emitter::emit(svcode::Instr i) {
  i.id = static_cast<StreamId>(instructions_.size());
  i.region = region;
  instructions_.push_back(std::move(i));
  return instructions_.back().id;
}

StreamId Emitter::op(Opcode o, std::vector<StreamId> arguments) {
  svcode::Instr i;
  i.opcode = o;
  const svcode::OpcodeRow& row = svcode::row_of(o);
  std::optional<Prim> type = svcode::prim_of(row.gives);
  for (std::size_t k = 0; k < arguments.size() && !type; ++k)
    if (row.operands[k].type == svcode::ElementType::Own) type = type_of(arguments[k]);
  if (!type) throw Bug("the type of " + std::string(row.name) + " does not follow from its operands");
  i.type = *type;
  i.arguments = std::move(arguments);
  return emit(std::move(i));
}

StreamId Emitter::rep(svcode::Atom a, StreamId s) { return with_atom(Opcode::Rep, a, s); }
StreamId Emitter::cons(svcode::Atom a, StreamId s) { return with_atom(Opcode::Cons, a, s); }

StreamId Emitter::with_atom(Opcode o, svcode::Atom a, StreamId s) {
  svcode::Instr i;
  i.opcode = o;
  i.type = a.type;
  i.arguments = {s};
  i.payload = a;
  return emit(std::move(i));
}

StreamId Emitter::map(OperatorRef o, std::vector<StreamId> arguments) {
  std::vector<Prim> operands;
  for (const StreamId s : arguments) operands.push_back(type_of(s));
  const auto type = snesl::result_type(o, operands);
  if (!type) throw Bug("no instruction map_" + snesl::name_of(o) + " fits the streams given to it");
  svcode::Instr i;
  i.opcode = Opcode::Map;
  i.type = *type;
  i.arguments = std::move(arguments);
  i.payload = o;
  return emit(std::move(i));
}

StreamId Emitter::fold(Opcode o, snesl::Monoid r, std::vector<StreamId> arguments) {
  svcode::Instr i;
  i.opcode = o;
  i.type = type_of(arguments.front());
  i.arguments = std::move(arguments);
  i.payload = r;
  return emit(std::move(i));
}

StreamId Emitter::check(StreamId b, const std::vector<StreamId>& values, std::string primitive, std::string text) {
  svcode::Instr i;
  i.opcode = Opcode::Check;
  i.type = Prim::Unit;
  i.arguments = {b};
  i.arguments.insert(i.arguments.end(), values.begin(), values.end());
  i.payload = svcode::Failure{std::move(primitive), std::move(text)};
  return emit(std::move(i));
}

bool Emitter::is_conditional(StreamId f) const {
  const svcode::Instr& both = instructions_[f];
  if (both.opcode != Opcode::Uappend || both.arguments.size() != 2) return false;
  const svcode::Instr &t = instructions_[both.arguments[0]], &e = instructions_[both.arguments[1]];
  if (t.opcode != Opcode::B2u || e.opcode != Opcode::B2u) return false;
  const svcode::Instr& no = instructions_[e.arguments[0]];
  return no.opcode == Opcode::Map && no.op() == scalars::row<"not">() && no.arguments[0] == t.arguments[0];
}

StreamId Emitter::after(StreamId checked, StreamId n, snesl::Prim type) {
  if (type == snesl::Prim::Bool) return map(scalars::row<"||">(), {n, rep(snesl::bool_atom(false), checked)});
  // -0.0 is neutral: 0.0 would make 0.0 of -0.0.
  const snesl::Atom zero = type == snesl::Prim::Real ? snesl::real_atom(-0.0) : snesl::int_atom(0);
  return map(scalars::row<"+">(), {n, rep(zero, checked)});
}

}  // namespace lockstep::streaming

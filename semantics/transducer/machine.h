// A step as it is fired on windows: cursors of its operands, local state, the windows that it fills. One instruction
// alone steps as it does in SVCODE's chunked interpreter; several take an element of each operand together.
#pragma once
#include "semantics/svcode/chunked_network.h"
#include "semantics/transducer/program.h"

namespace lockstep::transducer {

using Fired = svcode::Step;  // whether a step can go on

// Instructions of one element each: a cluster's, or those that an index of slices is made by.
class Elements {
 public:
  Elements() = default;
  // `names`: of the operands in the instructions.
  Elements(const Network& n, const std::vector<const Instr*>& instructions, const std::vector<StreamId>& names);
  void operand(std::size_t k, const svcode::Atom& a) { values_[k] = a; }
  void run(std::int64_t position);  // of the element in its segment
  const svcode::Atom& at(StreamId s) const { return values_[places_.at(s)]; }

 private:
  struct Use {
    const Instr* instruction;
    std::vector<std::size_t> operands;
    std::size_t result;
  };
  std::size_t place(StreamId s, const svcode::Atom& a);
  std::map<StreamId, std::size_t> places_;
  std::vector<svcode::Atom> values_;
  std::vector<Use> uses_;
};

// Of inputs that have no number, piece by piece: the next comes when all of one has been taken.
struct Fed {
  std::vector<std::map<StreamId, svcode::Stream>> pieces;
  std::size_t now = 0;
};

struct Machine {
  // `outs`: the windows of what the step gives, in order; `first`: of these, or one that nobody reads.
  Machine(const Network& n, const Step& step, std::vector<svcode::Buffer*> outs, svcode::Buffer& first,
          std::size_t instruction, svcode::Surroundings& around);

  // Takes and gives at most an element of each, or says that it cannot yet or never again.
  Fired fire();
  void finish();
  bool waits_for_room() const { return !t.done && !t.waits_for && !waits_for_piece; }
  // What is the next that it reads of the operand, where that is there.
  std::optional<std::int64_t> next(std::size_t operand) const;
  // Where its groups, of a segtab that is followed, begin: the last at or before a place.
  std::int64_t group_of(std::int64_t place) const;
  // A segtab of which nothing is stored.
  bool is_followed() const { return t.instr.opcode == Opcode::Segtab && step.produces.empty(); }
  bool is_fed() const { return t.instr.opcode == Opcode::Input && !t.done; }
  void begin_piece() { position_ = 0; }
  bool is_base(std::size_t operand) const;

  const Network& n;
  const Step& step;
  svcode::Transducer t;  // with the step's operands
  std::vector<svcode::Buffer*> outs;
  std::size_t first_base;            // of the operands that are read at places
  std::vector<std::int64_t> starts;  // of each instruction: of the vector of which it has read last
  Fed* fed = nullptr;
  bool waits_for_piece = false;

 private:
  Fired alone();
  Fired feed();
  Fired follow();
  Fired cluster();
  Fired distribute();
  Fired slices();
  std::optional<Fired> full();
  std::optional<Fired> lacks_parameters(std::size_t parameters);
  Fired end_segment(std::size_t parameters);
  void give(std::size_t k, const svcode::Atom& a);

  Elements elements_;
  std::int64_t position_ = 0;  // in a segment; of a piece
  std::vector<std::int64_t> groups_{0};
};

}  // namespace lockstep::transducer

// What the analysis knows of each stream of a program.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "semantics/svcode/program.h"
#include "translate/streamability/clocks.h"

namespace lockstep::streaming {

using svcode::Instr;
using svcode::Opcode;
using svcode::StreamId;

// A literal or repeated integer.
inline bool is_constant(const Instr& i, std::int64_t n) {
  return (i.opcode == Opcode::Rep || i.opcode == Opcode::Constant) && i.atom() == snesl::int_atom(n);
}

// A stream of flags that cuts a traversal into segments, one for each element of the parent.
struct Descriptor {
  ClockId child, parent;
  TraversalId traversal;
  std::optional<Predicate> guard;      // all segments are empty where it does not hold
  bool picks = false;                  // its elements are some of another descriptor's: known when that one's are
  bool pieces = false;                 // cuts up a traversal that goes on: its iterations are where its elements are
  std::optional<Clock::Around> all{};  // of segments in turn: what all their elements are gone through in
  bool counts_pieces = false;  // an element at the beginning of each piece: as late as the elements of the pieces
};

// A stream that waits for the first flag of a descriptor, and for no more of that traversal.
struct FirstFlag {
  StreamId descriptor;
  Event flag;
  ClockId child;
  TraversalId traversal;
  friend bool operator<(const FirstFlag& a, const FirstFlag& b) { return a.descriptor < b.descriptor; }
  friend bool operator==(const FirstFlag& a, const FirstFlag& b) { return a.descriptor == b.descriptor; }
};

struct Stream {
  InstrIndex instr;
  Event event;  // its element is there
  ClockId clock;
  ValueId value;  // streams with one value are equal
  Predicate predicate;
  std::optional<Descriptor> descriptor;
  bool in_memory = false;       // whole: in a buffer without a bound
  bool keeps_any_pace = false;  // made of constants of their own
  std::vector<FirstFlag> first_flags;

  bool counts_pieces() const { return descriptor && descriptor->counts_pieces; }
};

// By the name that the program gives them, in the order of its instructions.
class Streams {
 public:
  explicit Streams(const svcode::Program& p) : program_(p) {}
  Stream& add(StreamId name, Stream s) {
    s.instr = InstrIndex(all_.size());
    index_[name] = s.instr;
    return all_[all_.add(std::move(s))];
  }
  const Stream& operator[](StreamId name) const { return all_[index_.at(name)]; }
  const Instr& instr(StreamId name) const { return program_.instructions[index_.at(name).number()]; }
  const Numbered<InstrIndex, Stream>& all() const { return all_; }

 private:
  const svcode::Program& program_;
  std::map<StreamId, InstrIndex> index_;
  Numbered<InstrIndex, Stream> all_;
};

}  // namespace lockstep::streaming

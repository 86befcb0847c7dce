// Networks of transducers, as the engine runs them (SNESL §2.3.3, §4.4): the instructions of SVCODE and its kernels,
// descriptors read in their short form, and which instructions run together, keep what, and let go of what.
//
// A program is a network, and that network in pieces where several threads can run it. Every stage from SVCODE to the
// engine's text gives one, and every one runs (run.h).
#pragma once
#include <array>
#include <map>
#include <optional>
#include <set>

#include "semantics/transducer/lines.h"

namespace lockstep::transducer {

using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;

// A stream as a step reads it: of a descriptor perhaps its short form.
struct Operand {
  StreamId stream{};
  bool is_short = false;
  friend bool operator==(const Operand&, const Operand&) = default;
};

enum class Kernel : unsigned char {
  Plain,       // one instruction
  Cluster,     // elementwise instructions of one clock, in one loop over blocks
  Distribute,  // pdist and iotas of one descriptor, which is the first operand
  Slices,      // so_gathers at numbers that go up or down evenly within pieces of a segment
};
struct Step {
  Kernel kernel = Kernel::Plain;
  std::vector<const Instr*> instructions;  // one, but for a cluster, a distribution, slices; of the network's code
  std::vector<Operand> operands;           // of an instruction its own; of a cluster the streams from outside
  std::vector<StreamId> produces;
  int level = 0;  // the longest way that leads to it
  StreamId id() const { return instructions.front()->id; }
};

// Gathers over the segments of one descriptor, and what computes their indices: from the positions of elements in their
// segments (iotas) and what is distributed over the segments (pdist), by operators under which an Int stays a
// straight line and a Bool the same on pieces of a segment.
struct Slices {
  std::vector<const Instr*> body;        // operators, checks, iotas and constants, every operand before its use
  std::vector<const Instr*> parameters;  // pdists; the step's operands are the descriptor, theirs, and the bases
  std::vector<const Instr*> gathers;
  std::map<StreamId, OnLines> lines;  // of each operator of the body
};

// What is asked of a base next begins no further left than this: the element of the first of `readers` that has one
// still to read, and where none has, what `scan` has come to. Starts are sums of lengths of which some are left out
// (pack) or repeated (pdist), so what passes without an element is known too, and all before it is let go. Starts of
// inner vectors are gathered from such, in any order within a group: then the group stays.
struct Ahead {
  struct Place {
    StreamId step{};
    std::size_t operand = 0;
  };
  std::vector<Place> readers;
  StreamId scan{};
  bool in_groups = false;
};

// What each stage adds is empty before it.
struct Network {
  std::shared_ptr<const svcode::Program> code;
  svcode::Forms forms;
  std::vector<Step> steps;              // every operand before its use; none: each instruction is one
  std::map<StreamId, Slices> slices;    // of steps of that kernel
  std::map<StreamId, StreamId> bases;   // a segtab, which stores nothing -> what it groups, which its readers read
  std::map<StreamId, StreamId> groups;  // who reads at places of a segtab's groups -> the segtab
  std::map<StreamId, Ahead> ahead;      // of who reads at places, where it is known
  std::set<StreamId> repeated;          // of rep and constant: only counted
  // Steps, by index and in order, that run several times in a pass, on little at a time: what is between them stays in
  // the first cache. `narrow`: the streams between them.
  std::vector<std::vector<std::size_t>> loops;
  std::set<StreamId> narrow;

  Network(svcode::Program p, svcode::Forms forms);
  const Instr& at(StreamId s) const { return *instructions_->at(s); }
  StreamId stored(StreamId s) const;                                 // what a stream is read from
  std::vector<StreamId> results() const;                             // leaves, as they are stored
  std::size_t base_operand(const Step& step, StreamId reads) const;  // of who reads at places
  Operand operand_of(const Instr& i, std::size_t k) const;           // as it is stored

 private:
  std::shared_ptr<const std::map<StreamId, const Instr*>> instructions_;  // of `code`
};

// A network in parts, for several threads: the body, which can be run on one piece of the root stream after another,
// each from a fresh state and at the same time; and the tail, which takes what the bodies give in order.
struct Pieces {
  StreamId root{};  // read_whole, or range
  bool is_file = false;
  std::array<bool, 256> cut{};  // of a file: the characters after which it may be cut
  Network head;                 // whose results are the root's operands
  Network body;                 // the root is an input here
  Network tail;                 // and what the bodies give are inputs here, numbered -1
  std::vector<StreamId> given;  // these, in the order of the body's results
};

struct Program {
  Network whole;
  std::optional<Pieces> pieces;
  std::int64_t slack = 0;  // what a window holds at least, beside an element
};

}  // namespace lockstep::transducer

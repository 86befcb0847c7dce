// What of an SVCODE program becomes code: which streams are stored, in which form, and which instructions run together.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "semantics/svcode/program.h"

namespace lockstep::engine {

using svcode::Instr;
using svcode::Opcode;
using svcode::Prim;
using svcode::StreamId;

// An operand as it is read: of a descriptor that is made by `ends`, the short form.
struct Operand {
  StreamId stream{};
  bool is_short = false;
};

// Kernels beside those of the opcodes.
enum class Kernel : unsigned char {
  Plain,            // as the opcode says
  Cluster,          // elementwise instructions of one clock, in one loop over blocks
  UsegsumB2u,       // usegsum f (b2u b), operands f b
  Segcount,         // segreduce_plus (map_int b) f, operands b f
  CountTrue,        // reduce_plus (map_int b), operand b
  LastFlag,         // short (terminated s), operand s
  TerminatedCount,  // usegsum (terminated s) (b2u b), operand b
  Pass,             // short f where f is kept in short form
  Distribute,       // pdist and iotas of one descriptor, which is the first operand
  EndsAmong,        // usegsum f (b2u b) where b holds at each end of f, kept in short form; operands f b
  CountCompare,     // map_op (segscan_plus (map_int b) e) (pdist n f), e the short form of f; operands b e n
  Ended,            // segmerge f s (to_flags (rep 1 t)) (rep a t): an a after each segment; operands f s
  AllOf,            // usegsum f g where f is one segment: g's elements and a T; operand g
  Slices,           // so_gathers at numbers that go up or down evenly within pieces of a segment: `slices.h`
};

struct Step {
  Kernel kernel = Kernel::Plain;
  std::vector<const Instr*> instructions;  // one, but for a cluster
  std::vector<Operand> operands;           // in the order of the kernel's; of a cluster the streams from outside
  std::vector<StreamId> produces;
  StreamId id() const { return instructions.front()->id; }
};

// Gathers over the segments of one descriptor, and what computes their indices: from the positions of elements in their
// segments (iotas) and what is distributed over the segments (pdist), by operators under which an Int stays a
// straight line and a Bool the same on pieces of a segment.
struct Slices {
  std::vector<const Instr*> body;        // operators and checks, every operand before its use
  std::vector<const Instr*> parameters;  // pdists; the step's operands are the descriptor, theirs, and the bases
  std::vector<const Instr*> gathers;
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

struct Plan {
  std::vector<Step> steps;                        // every operand before its use
  std::map<StreamId, const Instr*> instructions;  // of the program
  std::map<StreamId, bool> repeated;              // of rep and constant: only counted
  std::map<StreamId, StreamId> groups;            // who reads at places of a segtab's groups -> the segtab
  std::map<StreamId, Ahead> ahead;                // of who reads at places, where it is known
  std::set<StreamId> unbounded;                   // bases in memory: a group may be of any length
  std::vector<StreamId> results;                  // leaves, as they are stored
  // Steps, by index and in order, that run several times in a pass, on little at a time: what is between them stays in
  // the first cache. `narrow`: the streams between them.
  std::vector<std::vector<std::size_t>> loops;
  std::set<StreamId> narrow;
  std::map<StreamId, Slices> slices;                                 // of steps of that kernel
  std::size_t base_operand(const Step& step, StreamId reads) const;  // of who reads at places
  // What a stream is stored as: segtab's is its operand's, ...
  StreamId stored(StreamId id) const;
  std::map<StreamId, StreamId> alias;
  std::int64_t slack = 0;  // what a window holds at least, beside an element
};

Plan plan(const svcode::Program& p, std::int64_t slack = 0);

}  // namespace lockstep::engine

// SVCODE (SNESL §4.2): a flat list of stream definitions s_i := p s_i1 ... s_ik, in single-assignment form.
//
// A *descriptor* is an S Bool in general form: F for each element of the child stream, T at the end of each segment,
// one segment for each element of the parent stream. A *short* descriptor has one flag for each child element, T at the
// last of its segment; empty segments do not show.
#pragma once
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "semantics/snesl/value.h"

namespace lockstep::svcode {

using snesl::Atom;
using snesl::Monoid;
using snesl::OperatorRef;
using snesl::Prim;

using StreamId = std::uint32_t;

// p of Fig. 4.1 and what the translation of every built-in needs. f, g: descriptors; b: S Bool; n, i: S Int.
enum class Opcode : unsigned char {
  Ctrl,      // ctrl                       ⟨*⟩, the control stream of the whole program
  Input,     // input k                    leaf k of the entry point's arguments, left to right (`number`)
  Rep,       // rep a s                    a for each element of s (map_const)
  Constant,  // constant a n               n times a, of its own (§4.3.1); `number` is n
  Map,       // map_op s1 ... sk           elementwise; traps as the operator does
  Usum,      // usum f                     a unit for each F: the child's control stream
  Pdist,     // pdist s f                  each element of s for each F of its segment
  Pack,      // pack s b                   the elements where b
  Upack,     // upack f b                  the segments (unary numbers) of f where b
  B2u,       // b2u b                      F -> ⟨T⟩, T -> ⟨F,T⟩
  Unpack,    // unpack b t e               for T the next of t, for F the next of e
  ToFlags,   // to_flags n                 n_i times F and a T; n_i >= 0
  Lens,      // lens f                     the length of each segment
  Short,     // short f                    general to short form; tail_flags
  Ends,      // ends e                     short (or any flag for each element) to general form: F, or ⟨F,T⟩ where T
  Cons,      // cons a s                   ⟨a, s_0, ..., s_(l-2)⟩
  Segscan,   // segscan_R s e              exclusive, e short
  Segreduce,  // segreduce_R s f            one for each segment of f, the identity for an empty one
  Iotas,      // iotas f                    0, 1, ... in each segment
  Usegsum,    // usegsum f g                g's segments are f's children: appended for each segment of f
  Uempty,     // uempty f                   for each segment whether it is empty, known at its first flag
  Pmerge,     // pmerge s1 ... sk           round robin, an element each
  Umerge,     // umerge f1 ... fk           round robin, a segment (unary number) each, each with its T
  Uappend,    // uappend f1 ... fk          for each segment the F's of all, then one T
  Segmerge,   // segmerge f1 s1 ... fk sk   round robin, a segment each
  Usegmerge,  // usegmerge f1 g1 ... fk gk  round robin, a segment (f) of unary numbers (g) each
  Segtab,     // segtab s f                 s, grouped by the segments of f: a whole one is in memory at a time
  Gather,     // so_gather starts i s       s at starts + i, absolute; s is grouped, and the group of starts ascends
  Check,      // check b s1 ... sk          trap of `primitive` where F: in `text`, what is wrong, {0} {1} stand for
              //                            the values of s1 ... sk there; a unit for each T
  ReadFile,  // read_file starts lens s    for each name (a slice of s) its characters as Int, and 256 at the file's end
  WriteFile,  // write_file starts lens s c f   for each name the segment of f of the characters c; a unit each
  // Special cases of one segment, or where the source is not lifted (§4.3): the whole stream is the segment.
  Range,       // range n                    n is ⟨n_0⟩: 0, ..., n_0 - 1
  Terminated,  // terminated s               the descriptor of s as one segment: F for each element, T at its end
  Reduce,      // reduce_R s                 one element
  Scan,        // scan_R s                   exclusive
  ReadWhole,   // read_whole starts lens s   one name: its characters
  // Several in one, of networks only (semantics/transducer): what they are in the instructions above.
  UsegsumB2u,       // usegsum_b2u f b       usegsum f (b2u b)
  EndsAmong,        // ends_among f b        short (usegsum f (b2u b)), where b holds at each end of f
  Segcount,         // segcount b f          segreduce_plus (map_i64 b) f
  CountTrue,        // count_true b          reduce_plus (map_i64 b)
  CountCompare,     // count_compare_op b e n    map_op (segscan_plus (map_i64 b) e) (pdist n (ends e)), n first where
                    //                           `number` is 1
  LastFlag,         // last_flag s           short (terminated s)
  TerminatedCount,  // terminated_count b    usegsum (terminated s) (b2u b), s as long as b
  Ended,            // ended a f s           segmerge f s (to_flags 1) a: an a after each segment
  AllOf,            // all_of g              usegsum f g where f is one segment
};
std::string_view name_of(
    Opcode o);  // "pdist", "segscan" ...; map, segscan, segreduce, reduce, scan print an operator too

struct Instr {
  StreamId id{};  // defined; ascending
  Opcode opcode{};
  Prim type{};  // of the elements of the stream defined
  std::vector<StreamId> arguments;
  OperatorRef op = nullptr;  // Map
  Monoid monoid{};           // Segscan, Segreduce, Reduce, Scan
  Atom atom;                 // Rep, Constant, Cons
  std::int64_t number = 0;   // Input, Constant
  std::string primitive;     // Check: whose the trap is
  std::string text;          // Check: what is wrong
  // Of networks only.
  std::vector<bool> short_arguments;  // the k-th is a descriptor in short form, without empty segments; none where not
  bool unbounded = false;             // its buffer grows where nothing can go on: it waits for a group
  Region region;                      // the source's expression, for traps and for streamability
};

// The parts of a tree, which its copies share: it is as deep as a type, and many names stand for one.
struct Tree;
class Trees {
 public:
  Trees() = default;
  Trees(std::initializer_list<Tree> parts);
  bool empty() const { return !parts_; }
  std::size_t size() const;
  const Tree& operator[](std::size_t k) const;
  const Tree& at(std::size_t k) const;
  const Tree* begin() const;
  const Tree* end() const;
  void push_back(Tree part);

 private:
  std::shared_ptr<std::vector<Tree>> parts_;  // null: none
};

// A high-level value as a tree of streams (⟦σ⟧ of §2.3.1): π one leaf; a tuple its components; [τ] is τ's tree, then
// starts and lengths; {σ} is σ's tree, then the descriptor.
struct Tree {
  StreamId leaf{};
  Trees children;  // empty: a leaf (an empty tuple is `unit`)
  bool unit = false;
};
std::vector<StreamId> leaves_of(const Tree& t);

struct Program {
  std::string name;
  std::vector<snesl::Type> parameters;  // their leaves are the inputs 0, 1, ...
  std::vector<std::string> parameter_names;
  std::vector<Instr> instructions;
  Tree result;
  snesl::Type result_type;
};

// The streams of a value: SNESL §2.3.1, canonical for vectors. Leaves in the order of leaves_of.
using Stream = std::vector<Atom>;
std::vector<Stream> represent(const std::vector<snesl::Value>& values, const snesl::Type& type);  // l values (◁^l)
snesl::Value value_of(const std::vector<Stream>& leaves,
                      const snesl::Type& type);  // the one value; Bug if they do not fit

}  // namespace lockstep::svcode

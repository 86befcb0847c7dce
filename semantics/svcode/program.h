// SVCODE (SNESL §4.2): a flat list of stream definitions s_i := p s_i1 ... s_ik, in single-assignment form.
//
// A *descriptor* is an S Bool in general form: F for each element of the child stream, T at the end of each segment,
// one segment for each element of the parent stream. A *short* descriptor has one flag for each child element, T at the
// last of its segment; empty segments do not show.
#pragma once
#include <functional>
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
#define OPCODE(name, ...) name,
#include "semantics/svcode/opcodes.h"
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
// With other streams as its leaves.
Tree renamed(const Tree& t, const std::function<StreamId(StreamId)>& to);

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

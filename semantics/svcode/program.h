// SVCODE (SNESL §4.2): a flat list of stream definitions s_i := p s_i1 ... s_ik, in single-assignment form.
//
// A *descriptor* is an S Bool in general form: F for each element of the child stream, T at the end of each segment,
// one segment for each element of the parent stream. A *short* descriptor has one flag for each child element, T at the
// last of its segment; empty segments do not show.
#pragma once
#include <functional>
#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <variant>
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

// What an instruction has beside its streams, as its opcode's row says (`extra`, opcode_row.h).
struct Number {
  std::int64_t number = 0;  // of an input its leaf; -1: what another part of a network gives
  friend bool operator==(const Number&, const Number&) = default;
};
struct Repeated {
  Atom atom;
  std::int64_t number = 0;  // of times
  friend bool operator==(const Repeated&, const Repeated&) = default;
};
struct Comparison {
  OperatorRef op = nullptr;
  std::int64_t number = 0;  // 1: what it is compared with is the first operand
  friend bool operator==(const Comparison&, const Comparison&) = default;
};
struct Failure {
  std::string primitive;  // whose the trap is
  std::string text;       // what is wrong; {k} the k-th value
  friend bool operator==(const Failure&, const Failure&) = default;
};
using Payload = std::variant<std::monostate, Number, Atom, Repeated, OperatorRef, Comparison, Monoid, Failure>;

struct Instr {
  StreamId id{};  // defined; ascending
  Opcode opcode{};
  Prim type{};  // of the elements of the stream defined
  std::vector<StreamId> arguments;
  Payload payload;
  Region region;  // the source's expression, for traps and for streamability

  // What the payload has; Bug where it has none.
  OperatorRef op() const;  // null where it has none
  Monoid monoid() const;
  const Atom& atom() const;
  Atom& atom();
  std::int64_t number() const;
  const Failure& failure() const { return part<Failure>(); }

 private:
  template <class T>
  const T& part() const {
    if (const T* found = std::get_if<T>(&payload)) return *found;
    lacks();
  }
  [[noreturn]] void lacks() const;
};
// Two with the same key and the same arguments make the same of them.
std::vector<std::int64_t> key_of(const Instr& i);

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

// How a network of transducers (semantics/transducer) reads and keeps streams otherwise than SVCODE does.
struct Forms {
  // The k-th operand of the instruction, a descriptor, is read in short form, without empty segments.
  std::set<std::pair<StreamId, std::size_t>> short_operands;
  // Their buffers grow where nothing can go on: bases in memory, and what waits for such, whose groups may be of any
  // length.
  std::set<StreamId> unbounded;
  bool is_short(const Instr& i, std::size_t k) const { return short_operands.count({i.id, k}) != 0; }
};

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

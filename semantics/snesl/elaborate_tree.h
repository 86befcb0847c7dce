// A function of the program after inference: names resolved, types in a graph, calls with what their callee's unknowns
// are here. Private to elaboration: inference writes it, expansion reads it, once for every call.
#pragma once
#include "semantics/snesl/elaborate_types.h"
#include "semantics/snesl/syntax.h"

namespace lockstep::snesl::elaboration {

using NodeId = int;
using Slot = int;  // a variable of the function

struct LocalNode {
  Slot slot;
};
struct LiteralNode {
  Atom atom;
};
struct TextNode {
  std::string text;
};
struct TupleNode {
  std::vector<NodeId> items;
};
struct ProjectNode {
  NodeId tuple;
  int index;  // from 0
};
struct SlotBinding {
  Slot slot;
  NodeId value;
};
struct LetNode {
  std::vector<SlotBinding> bindings;
  NodeId body;
};
struct OperatorNode {  // choice() too; Char operands are widened where their types are known
  OperatorRef op;
  std::vector<NodeId> operands;
};
struct LogicNode {  // a && b, a || b
  bool is_and;
  NodeId left, right;
};
struct IfNode {
  NodeId condition, yes, no;
};
struct BuiltinNode {  // SeqLength stands for # of either; never Scalar
  Builtin builtin;
  Monoid monoid{};
  std::vector<NodeId> arguments;
};
struct ComprehensionNode {
  Slot element;
  NodeId sequence;
  std::vector<SlotBinding> bindings;  // parts of the element
  std::optional<NodeId> condition;
  NodeId body;
};
struct GuardedNode {
  NodeId body, condition;
};
struct CallNode {
  int function;
  std::vector<NodeId> arguments;
  std::vector<std::pair<TypeId, TypeId>> unknowns;  // of the callee's graph, in this one
};
struct Node {
  std::variant<LocalNode, LiteralNode, TextNode, TupleNode, ProjectNode, LetNode, OperatorNode, LogicNode, IfNode,
               BuiltinNode, ComprehensionNode, GuardedNode, CallNode>
      node;
  TypeId type;
  Region region;
};

struct SlotInfo {
  std::string name;  // empty: the compiler's own, or _
  TypeId type;
  int level = 0;  // comprehensions around it
};

struct Inferred {
  std::string name;
  Region region;
  TypeGraph types;
  std::vector<SlotInfo> slots;
  std::vector<Node> nodes;
  std::vector<Slot> parameters;
  std::vector<Region> parameter_regions;
  NodeId body = -1;
  TypeId result = -1;
  std::int64_t written = 0, expanded = 0;  // operations: its own, and with those of its calls
  std::vector<Constraint> open;            // what the arguments must still decide
  std::vector<TypeId> unknowns;            // likewise; all others are settled
  bool broken = true;                      // not inferred, recursive or wrong: calls of it are not looked at further
  const Node& operator[](NodeId n) const { return nodes[static_cast<std::size_t>(n)]; }
};

// Functions of a program, each after those that it calls.
struct Order {
  std::vector<int> functions;  // without the recursive ones
  std::map<std::string, int> index;
};
// Recursion and names given twice are reported.
Order order_of(const surface::Program& p, Diagnostics& diagnostics);

// Types of every function, for all its uses.
std::vector<Inferred> infer(const surface::Program& p, Diagnostics& diagnostics);

// A function with solved types for its unknowns, expanded into the core.
Checked<core::Program> expand(const std::vector<Inferred>& functions, int entry, const Assignment& types);

}  // namespace lockstep::snesl::elaboration

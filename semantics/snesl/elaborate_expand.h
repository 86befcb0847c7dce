// Expansion of an entry point into the core (§2.2.1): let-insertion, calls by their bodies, sugar by the thesis's
// equations, `using` lists by what bodies use. Private to elaboration.
//
// Levels count the comprehensions and guards around: a variable bound at a lower level than the one where it is used is
// listed by every one between.
#pragma once
#include <functional>
#include <set>
#include <unordered_set>

#include "semantics/snesl/elaborate_tree.h"

namespace lockstep::snesl::elaboration {

class Expansion {
 public:
  explicit Expansion(const std::vector<Inferred>& functions) : functions_(functions) {}
  core::Program run(int entry, const Assignment& types);  // throws Refused
  struct Refused {
    Diagnostic diagnostic;
  };

 private:
  using VariableId = int;
  struct VariableInfo {
    std::string name;
    Type type;
    int level;
  };
  struct Emitted {
    core::Expr expression;
    bool total = true;  // of scalars, and cannot trap: as well evaluated as not
    int height = 1;
    std::optional<VariableId> variable = std::nullopt;  // where it is one
  };
  struct Let {
    VariableId variable;
    Emitted value;
  };
  using Lets = std::vector<Let>;
  struct Listed {  // by the comprehension or guard of one level
    std::vector<VariableId> variables;
    std::unordered_set<VariableId> seen;
  };
  struct Call {  // of the function being expanded
    const Inferred* function;
    const Assignment* types;
    std::vector<VariableId> variables;  // of its slots
    SolvedTypes solved{};
  };
  using Maker = std::function<Emitted()>;

  // elaborate_expand.cpp
  Emitted emit(NodeId n);
  Emitted emit_one(NodeId id);
  Emitted emit(const LocalNode& x, const Node& n);
  Emitted emit(const TupleNode& x, const Node& n);
  Emitted emit(const ProjectNode& x, const Node& n);
  Emitted emit(const LetNode& x, const Node& n);
  Emitted emit(const OperatorNode& x, const Node& n);
  Emitted emit(const LogicNode& x, const Node& n);
  Emitted emit(const IfNode& x, const Node& n);
  Emitted emit(const BuiltinNode& x, const Node& n);
  Emitted emit(const ComprehensionNode& x, const Node& n);
  Emitted emit(const GuardedNode& x, const Node& n);
  Emitted emit(const CallNode& x, const Node& n);
  void bind_slots(const std::vector<SlotBinding>& bindings, Lets& lets);

  // elaborate_insert.cpp: variables and the lets that bind them
  VariableId bind(NodeId n, Lets& lets, const std::string& name = "");
  VariableId bind(Emitted value, Lets& lets, const std::string& name = "");
  VariableId declare(const std::string& name, Type type);
  std::string use(VariableId v);
  Emitted wrap(Lets lets, Emitted body);
  Emitted apply(core::Apply a, Type type, const Region& region, bool total);
  Emitted apply(Builtin b, std::vector<VariableId> arguments, Type type, const Region& region);
  Emitted scalar(OperatorRef op, std::vector<VariableId> operands, Type type, const Region& region);
  Emitted truth(bool value, const Region& region);
  VariableId widened(VariableId v, Lets& lets, const Region& region);
  std::pair<Emitted, Listed> inside(const Maker& make);
  Emitted guarded(VariableId condition, std::pair<Emitted, Listed> body, const Region& region);
  Emitted choose(VariableId condition, std::pair<Emitted, Listed> yes, std::pair<Emitted, Listed> no, const Type& type,
                 const Region& region);
  std::vector<core::Using> listed(const Listed& l) const;
  std::string name_for(const std::string& wanted);
  Emitted counted(Emitted e);
  [[noreturn]] void refuse(std::string message, std::string mend);

  Type type_of(TypeId t);
  Type type_of(const Node& n) { return type_of(n.type); }
  const VariableInfo& info(VariableId v) const { return variables_[static_cast<std::size_t>(v)]; }
  VariableId& slot(Slot s) { return call_.variables[static_cast<std::size_t>(s)]; }

  const std::vector<Inferred>& functions_;
  Call call_;
  std::vector<VariableInfo> variables_;
  std::vector<Listed> listed_;  // its size is the level
  std::unordered_map<std::string, int> names_;
  std::set<std::string> taken_;
  int fresh_ = 0;
  std::optional<std::pair<NodeId, Emitted>> emitted_;  // the left side of what comes next
  int depth_ = 0;
  int calls_ = 0;  // around
  std::int64_t expanded_ = 0;
  Region outermost_;  // call of the entry point that is being expanded
  std::string entry_;
};

}  // namespace lockstep::snesl::elaboration

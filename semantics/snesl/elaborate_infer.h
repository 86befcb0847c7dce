// Inference of one function (Fig. 2.1, 2.2 with the contract's built-ins): surface syntax to the resolved tree. Private
// to elaboration.
#pragma once
#include "semantics/core/scope.h"
#include "semantics/snesl/advice.h"
#include "semantics/snesl/builtins.h"
#include "semantics/snesl/elaborate_tree.h"

namespace lockstep::snesl::elaboration {

// A built-in with a type that a line can say, as builtins.h says of them.
struct Signature {
  std::string_view name;
  std::string_view type;
  std::string_view summary;
  Builtin builtin = Builtin::Scalar;
  OperatorRef op = nullptr;
  Monoid monoid{};
};
const Signature* signature_named(std::string_view name);
std::vector<std::string> builtin_names();  // all, those without a signature too

class Inference {
 public:
  Inference(const surface::Program& program, const std::map<std::string, int>& index,
            const std::vector<Inferred>& functions, Diagnostics& diagnostics)
      : program_(program), index_(index), functions_(functions), diagnostics_(diagnostics) {}
  Inferred run(int function);

 private:
  // elaborate_infer.cpp: names, patterns, binding forms
  NodeId expression(const surface::Expr& e);
  NodeId one_expression(const surface::Expr& e);
  NodeId variable(const surface::Variable& v, const Region& region);
  NodeId let_in(const surface::LetExpr& l, const Region& region);
  NodeId comprehension(const surface::ComprehensionExpr& c, const Region& region);
  NodeId conditional(const surface::IfExpr& i, const Region& region);
  void bind_pattern(const surface::Pattern& p, NodeId value, std::vector<SlotBinding>& out);
  void bind_parts(const surface::Pattern& p, Slot slot, std::vector<SlotBinding>& out);
  TypeId pattern_type(const surface::Pattern& p);
  Slot declare(const std::string& name, TypeId type);
  struct Mark {
    std::size_t declared;
  };
  Mark enter() const { return {declared_.size()}; }
  void leave(Mark m);

  // elaborate_operators.cpp
  NodeId infix(const surface::InfixExpr& x, const Region& region);
  NodeId prefix(const surface::PrefixExpr& x, const Region& region);
  NodeId select(const surface::SelectExpr& x, const Region& region);
  NodeId binary(Constraint::Kind kind, OperatorRef op, const std::string& symbol, NodeId left, NodeId right,
                const Region& region);
  NodeId project(const surface::ProjectExpr& x, const Region& region);
  NodeId index(const surface::IndexExpr& x, const Region& region);
  NodeId append(const surface::AppendExpr& x, const Region& region);
  NodeId sequence(const std::vector<surface::ExprRef>& items, const Region& region, bool vector);
  NodeId length(NodeId operand, const Region& region);

  // elaborate_calls.cpp
  NodeId call(const surface::CallExpr& c, const Region& region);
  NodeId call_function(int function, const surface::CallExpr& c, const Region& region);
  NodeId call_signature(const Signature& s, const std::vector<NodeId>& arguments, const Region& region);
  NodeId zip(std::vector<NodeId> sequences, const Region& region);
  NodeId unzip(NodeId sequence, const Region& region);
  std::vector<NodeId> arguments_of(const surface::CallExpr& c);
  bool takes(const std::string& name, std::size_t wanted, std::size_t given, const Region& region,
             const std::string& type);

  // elaborate_report.cpp: what is expected, and what is said where it is not so
  bool expect(NodeId n, TypeId wanted, const std::string& what);
  bool expect_prim(NodeId n, Mask wanted, const std::string& what, std::string_view of_vector = go_over_vector);
  bool concrete(TypeId t, Why why);
  void constrain(Constraint c);
  void settle();
  void settle_unknowns();
  void report(const Region& region, std::string message, std::string expected = {}, std::string mend = {});
  void report(const Mismatch& m, const Region& region, const std::string& message, const std::string& expected,
              const std::string& mend);
  void complain(const Constraint& c);
  std::string mend_of(TypeId found, TypeId wanted, NodeId n) const;
  struct Tabbed {
    std::string pattern, value;
    bool holds_sequence;
  };
  Tabbed tabbed(TypeId t, int& names) const;
  std::string shown(TypeId t) const { return types().show(t); }

  TypeGraph& types() { return out_.types; }
  const TypeGraph& types() const { return out_.types; }
  TypeId type(NodeId n) const { return out_[n].type; }
  TypeId boolean() { return types().prim(Prim::Bool); }
  template <class N>
  NodeId add(N node, TypeId type, const Region& region) {
    out_.nodes.push_back({std::move(node), type, region});
    return static_cast<NodeId>(out_.nodes.size()) - 1;
  }
  NodeId wrong(const Region& region) { return add(TupleNode{}, types().wrong(), region); }
  SlotInfo& slot(Slot s) { return out_.slots[static_cast<std::size_t>(s)]; }
  NodeId local(Slot s, const Region& region) { return add(LocalNode{s}, slot(s).type, region); }

  const surface::Program& program_;
  const std::map<std::string, int>& index_;
  const std::vector<Inferred>& functions_;
  Diagnostics& diagnostics_;
  Inferred out_;
  bool failed_ = false;
  std::optional<std::pair<const surface::Expr*, NodeId>> inferred_;  // the left side of what comes next
  int depth_ = 0;
  int level_ = 0;  // comprehensions around
  Scope<Slot> scope_;
  std::vector<std::string> declared_;
};

}  // namespace lockstep::snesl::elaboration

// Slots, steps, and the last use of each name (evaluate_plan.h). In: a core program; out: its plan.
#include "semantics/snesl/evaluate_plan.h"

#include <set>

#include "semantics/core/scope.h"

namespace lockstep::snesl::plan {

namespace {

using core::Expr;
using Uses = std::set<Slot>;

class Planner {
 public:
  Plan plan(const core::Program& p) {
    Plan out;
    for (const core::Parameter& parameter : p.parameters) out.parameters.push_back(bind(parameter.name));
    Uses outside;
    out.body = block(*p.body, out.parameters, outside);
    out.slots = slots_;
    out.files = files_;
    return out;
  }

 private:
  Slot bind(const std::string& name) {
    names_.bind(name, slots_);
    return slots_++;
  }

  // A chain of lets, by a loop: chains are thousands long. `own` are the slots that begin and end with this block.
  Block block(const Expr& e, std::vector<Slot> own, Uses& outside) {
    Block out;
    std::vector<Uses> uses;
    std::vector<std::string> bound;
    const Expr* at = &e;
    for (bool last = false; !last;) {
      const auto* let = std::get_if<core::Let>(&at->node);
      last = let == nullptr;
      Step step;
      step.node = node(let ? *let->value : *at, uses.emplace_back());
      if (let) {
        step.binds = true;
        step.slot = bind(let->name);
        uses.back().insert(step.slot);
        own.push_back(step.slot);
        bound.push_back(let->name);
        at = let->body.get();
      }
      out.steps.push_back(std::move(step));
    }
    while (!bound.empty()) {
      names_.unbind(bound.back());
      bound.pop_back();
    }
    const Uses mine(own.begin(), own.end());
    Uses read_later;
    for (std::size_t i = out.steps.size(); i-- > 0;) {
      for (const Slot s : uses[i]) {
        if (!mine.contains(s))
          outside.insert(s);
        else if (read_later.insert(s).second)
          out.steps[i].dead.push_back(s);
      }
    }
    return out;
  }

  Node node(const Expr& e, Uses& uses) {
    Node n;
    n.expr = &e;
    const auto reads = [&](const std::string& name) { n.arguments.push_back(names_.at(name)); };
    const auto body = [&](const core::ExprRef& b, std::vector<Slot> own) {
      n.block = std::make_shared<const Block>(block(*b, std::move(own), uses));
    };
    match(
        e.node, [&](const core::Var& v) { reads(v.name); },
        [&](const core::Literal& l) { n.constant = atom_value(l.atom); },
        [&](const core::Text& t) { n.constant = text_value(t.text); },
        [&](const core::Tuple& t) {
          for (const std::string& item : t.items) reads(item);
        },
        [&](const core::Project& p) { reads(p.tuple); },
        [&](const core::Let&) { n.block = std::make_shared<const Block>(block(e, {}, uses)); },
        [&](const core::Apply& a) {
          for (const std::string& argument : a.arguments) reads(argument);
          files_ |= a.builtin == core::Builtin::ReadFile || a.builtin == core::Builtin::WriteFile;
        },
        [&](const core::Comprehension& c) {
          reads(c.sequence);
          for (const core::Using& u : c.variables) n.distributed += element_size(u.type);
          n.element = bind(c.element);
          body(c.body, {n.element});
          names_.unbind(c.element);
        },
        [&](const core::Guarded& g) {
          reads(g.condition);
          for (const core::Using& u : g.variables) n.distributed += element_size(u.type);
          body(g.body, {});
        });
    uses.insert(n.arguments.begin(), n.arguments.end());
    return n;
  }

  Scope<Slot> names_;
  std::size_t slots_ = 0;
  bool files_ = false;
};

}  // namespace

Plan plan_of(const core::Program& p) { return Planner().plan(p); }

}  // namespace lockstep::snesl::plan

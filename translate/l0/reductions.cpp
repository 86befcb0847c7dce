#include "translate/l0/reductions.h"

#include <map>
#include <set>

#include "semantics/l0/check.h"
#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"
#include "translate/l0/fresh.h"

namespace lockstep::l0 {
namespace {

bool folds(Soac op) { return op == Soac::Reduce || op == Soac::Reduce2 || op == Soac::Scan || op == Soac::Scan2; }

class Reductions {
 public:
  explicit Reductions(const Entry& e) : entry_(e) {}

  std::vector<Reduction> run() {
    const Function& f = entry_.entry();
    for (const Parameter& p : f.parameters) bind(p.name, without_stars(p.type));
    visit(*f.body);
    return std::move(found_);
  }

 private:
  using Bound = std::map<std::string, Type>;

  void bind(const std::string& name, const Type& type) { types_.insert_or_assign(name, type); }
  void bind(const Pattern& p) {
    reading::each_name(p, [&](const std::string& n, const Pattern& at) { bind(n, without_stars(at.type.value)); });
  }

  void visit(const Expr& e) {
    if (const auto* b = as<BlockExpr>(e))
      for (const Binding& x : b->bindings) visit(x);
    if (const auto* s = as<SoacExpr>(e))
      for (const Fn& f : s->functions)
        if (const auto* l = std::get_if<Lambda>(&f.node))
          for (const Parameter& p : l->parameters) bind(p.name, without_stars(p.type));
    if (const auto* b = as<BlockExpr>(e))
      visit(*b->result);
    else
      each_child(e, [&](const ExprRef& c) { visit(*c); });
  }
  void visit(const Binding& x) {
    match(
        x.node,
        [&](const LetBinding& l) {
          visit(*l.value);
          bind(l.pattern);
          if (const auto* s = as<SoacExpr>(*l.value); s && folds(s->op)) add(l, *s);
        },
        [&](const UpdateBinding& u) {
          each_child_of_binding(x, [&](const ExprRef& c) { visit(*c); });
          bind(u.name, without_stars(u.type.value));
        },
        [&](const LoopBinding& l) {
          bind(l.merge), bind(l.index, int_type);
          each_child_of_binding(x, [&](const ExprRef& c) { visit(*c); });
        });
  }

  // Names are distinct: what is bound in it is free nowhere.
  static void bound_in(const Expr& e, std::set<std::string>& out) {
    const auto all = [&](const Pattern& p) {
      reading::each_name(p, [&](const std::string& n, const Pattern&) { out.insert(n); });
    };
    if (const auto* b = as<BlockExpr>(e))
      for (const Binding& x : b->bindings)
        match(
            x.node, [&](const LetBinding& l) { all(l.pattern); }, [&](const UpdateBinding& u) { out.insert(u.name); },
            [&](const LoopBinding& l) { all(l.merge), out.insert(l.index); });
    if (const auto* s = as<SoacExpr>(e))
      for (const Fn& f : s->functions)
        if (const auto* l = std::get_if<Lambda>(&f.node))
          for (const Parameter& p : l->parameters) out.insert(p.name);
    each_child(e, [&](const ExprRef& c) { bound_in(*c, out); });
  }

  void add(const LetBinding& l, const SoacExpr& s) {
    std::set<std::string> bound, seen;
    bound_in(*l.value, bound);
    std::string name = "reduction";
    while (function_named(entry_.program, name)) name += "_";
    std::vector<Parameter> parameters;
    each_use(*l.value, [&](const std::string& n, const Region&) {
      if (!bound.contains(n) && seen.insert(n).second) parameters.push_back({types_.at(n), n});
    });
    std::vector<ExprRef> results;
    std::vector<Type> given;
    reading::each_name(l.pattern, [&](const std::string& n, const Pattern& at) {
      results.push_back(Expr{Variable{n}, {}});
      given.push_back(without_stars(at.type.value));
    });
    const bool one = results.size() == 1;
    const Expr result = one ? *results[0] : Expr{TupleExpr{results}, {}};
    Program p = entry_.program;
    p.functions.push_back({name,
                           {},
                           one ? given[0] : Type{TupleType{given}},
                           std::move(parameters),
                           Expr{BlockExpr{{Binding{l, l.value->region}}, result}, {}}});
    const auto typed_program = typed(p);
    if (!typed_program) throw Bug("a reduction by itself has no type: " + render(typed_program.error().front()));
    found_.push_back({s.op, l.value->region, {*typed_program, name}});
  }

  const Entry& entry_;
  Bound types_;
  std::vector<Reduction> found_;
};

}  // namespace

std::vector<Reduction> reductions_of(const Entry& e) { return Reductions(e).run(); }

}  // namespace lockstep::l0

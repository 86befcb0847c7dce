// Names that are free, and small trees.
#include "translate/l0/fresh.h"

#include "semantics/l0/check.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"

namespace lockstep::l0 {
namespace {

void names_of(const Expr& e, std::set<std::string>& into) {
  const auto bound = [&](const std::string& name, const Pattern&) { into.insert(name); };
  if (const auto* v = as<Variable>(e)) into.insert(v->name);
  if (const auto* i = as<IndexExpr>(e)) into.insert(i->array);
  if (const auto* b = as<BlockExpr>(e))
    for (const Binding& x : b->bindings)
      match(
          x.node, [&](const LetBinding& l) { reading::each_name(l.pattern, bound); },
          [&](const UpdateBinding& u) {
            into.insert({u.name, u.source});
          },
          [&](const LoopBinding& l) { reading::each_name(l.merge, bound), into.insert(l.index); });
  if (const auto* s = as<SoacExpr>(e))
    for (const Fn& f : s->functions)
      if (const auto* l = std::get_if<Lambda>(&f.node))
        for (const Parameter& p : l->parameters) into.insert(p.name);
  each_child(e, [&](const ExprRef& child) { names_of(*child, into); });
}

}  // namespace

Fresh::Fresh(const Program& p) {
  for (const ScalarFunction& f : scalar_functions()) taken_.insert(std::string(f.name));
  for (const Function& f : p.functions) {
    taken_.insert(f.name);
    for (const Parameter& x : f.parameters) taken_.insert(x.name);
    names_of(*f.body, taken_);
  }
}

std::string Fresh::name(const std::string& wanted) {
  if (taken_.insert(wanted).second) return wanted;
  for (std::size_t& k = next_[wanted];;)
    if (std::string numbered = wanted + "_" + std::to_string(++k); taken_.insert(numbered).second) return numbered;
}

Program retyped(Program p, const std::string& stage) {
  Checked<Program> out = typed(p);
  if (!out) throw Bug("the stage " + stage + " makes a program without types: " + render(out.error().front()));
  return std::move(*out);
}

std::vector<ExprRef> refs(std::vector<Expr> all) {
  return {std::make_move_iterator(all.begin()), std::make_move_iterator(all.end())};
}

Expr tuple_of(std::vector<Expr> items, const Region& at) {
  if (items.size() == 1) return std::move(items[0]);
  return {TupleExpr{refs(std::move(items))}, at};
}

Pattern pattern_of(const std::vector<std::string>& names, const Region& at) {
  std::vector<Pattern> parts;
  for (const std::string& n : names) parts.push_back({NamePattern{n}, at});
  if (parts.size() == 1) return std::move(parts[0]);
  return {TuplePattern{std::move(parts)}, at};
}

Binding let(Pattern p, Expr value) {
  const Region at = value.region;
  return {LetBinding{std::move(p), std::move(value)}, at};
}
Binding let(const std::string& name, Expr value) {
  const Region at = value.region;
  return let(Pattern{NamePattern{name}, at}, std::move(value));
}

}  // namespace lockstep::l0

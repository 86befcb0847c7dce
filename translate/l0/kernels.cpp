// The rows of the table, and when each holds.
#include "translate/l0/kernels.h"

#include <algorithm>

#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"
#include "translate/l0/traps.h"

namespace lockstep::l0 {
namespace {

// What a binding gives is shared with nothing that it uses.
bool is_made(const Binding& b) {
  const auto* l = std::get_if<LetBinding>(&b.node);
  if (!l) return std::holds_alternative<UpdateBinding>(b.node);
  if (const auto* x = as<BuiltInExpr>(*l->value))
    return x->op == BuiltIn::Iota || x->op == BuiltIn::Replicate || x->op == BuiltIn::Copy || x->op == BuiltIn::Concat;
  if (const auto* s = as<SoacExpr>(*l->value))
    return s->op == Soac::Filter2 || s->op == Soac::Scan2 ||
           (s->op == Soac::Map2 && !has_arrays(std::get<Lambda>(s->functions[0].node).result));
  return as<ArrayExpr>(*l->value) != nullptr;
}
template <class F>
void each_name_bound(const Binding& b, const F& f) {
  const auto bound = [&](const std::string& n, const Pattern& p) {
    if (!as<ScalarType>(p.type.value)) f(n);  // of what was merged no types are noted
  };
  match(
      b.node, [&](const LetBinding& l) { reading::each_name(l.pattern, bound); },
      [&](const UpdateBinding& u) { f(u.name); }, [&](const LoopBinding& l) { reading::each_name(l.merge, bound); });
}
template <class F>
void each_use_in_binding(const Binding& b, const F& f) {
  if (const auto* u = std::get_if<UpdateBinding>(&b.node)) f(u->source);
  each_child_of_binding(b, [&](const ExprRef& c) { each_use(*c, [&](const std::string& n, const Region&) { f(n); }); });
}

// What a function makes itself, and gives and does nothing else with.
std::vector<Kernel::Owned> owned_values(const Kernel& k) {
  std::map<std::string, int> uses;
  std::set<std::string> made;
  for (const Binding& b : k.reversed) {
    if (is_made(b)) each_name_bound(b, [&](const std::string& n) { made.insert(n); });
    each_use_in_binding(b, [&](const std::string& n) { ++uses[n]; });
  }
  each_use(k.value, [&](const std::string& n, const Region&) { ++uses[n]; });
  std::vector<Kernel::Owned> out;
  const std::vector<Kernel::Input> inputs = k.inputs.all();
  for (const Expr& e : items_of(k.value)) {
    const auto* v = as<Variable>(e);
    Kernel::Owned owned;
    if (v && uses[v->name] == 1) {
      owned.made = made.contains(v->name);
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].parameter.name == v->name) owned.input = i;
    }
    out.push_back(owned);
  }
  return out;
}

// What the function gives may share data with this parameter.
bool hands_on(const Kernel& k, const Parameter& p) {
  if (!has_arrays(k.result) || !as<ArrayType>(p.type)) return false;
  std::set<std::string> shared{p.name};
  for (auto b = k.reversed.rbegin(); b != k.reversed.rend(); ++b) {
    bool uses = false;
    each_use_in_binding(*b, [&](const std::string& n) { uses = uses || shared.contains(n); });
    if (uses && !is_made(*b)) each_name_bound(*b, [&](const std::string& n) { shared.insert(n); });
  }
  bool out = false;
  for (const Expr& e : items_of(k.value))
    if (as<Variable>(e) || as<IndexExpr>(e))
      each_use(e, [&](const std::string& n, const Region&) { out = out || shared.contains(n); });
  return out;
}

}  // namespace

bool Kernels::is_consumed(const Parameter& p) {
  const auto* a = as<ArrayType>(p.type);
  return a && a->unique;
}

std::vector<Expr> items_of(const Expr& e) {
  const auto* t = as<TupleExpr>(e);
  if (!t) return {e};
  std::vector<Expr> out;
  for (const ExprRef& i : t->items) out.push_back(*i);
  return out;
}

std::vector<std::string> names_of(const Pattern& p) {
  const auto* t = std::get_if<TuplePattern>(&p.node);
  if (!t) return {std::get<NamePattern>(p.node).name};
  std::vector<std::string> out;
  for (const Pattern& item : t->items) out.push_back(std::get<NamePattern>(item.node).name);
  return out;
}

Kernels::Kernels(const Function& f, const Dependencies& d, Fresh& fresh)
    : function_(f), d_(d), fresh_(fresh), gone_(d.graph.size()) {
  note_types(f.parameters);
  for (const Binding* b : d.bindings)
    match(
        b->node,
        [&](const LetBinding& l) {
          note_types(l.pattern);
          if (const auto* s = as<SoacExpr>(*l.value))
            for (const Fn& g : s->functions)
              if (const auto* lambda = std::get_if<Lambda>(&g.node)) note_types(lambda->parameters);
        },
        [&](const UpdateBinding& u) { types_.emplace(u.name, u.type.value); },
        [&](const LoopBinding& l) { note_types(l.merge); });
}

void Kernels::note_types(const std::vector<Parameter>& all) {
  for (const Parameter& p : all) types_.emplace(p.name, without_stars(p.type));
}
void Kernels::note_types(const Pattern& p) {
  reading::each_name(p, [&](const std::string& n, const Pattern& at) { types_.emplace(n, at.type.value); });
}

void Kernels::begin(Id id) {
  const auto& l = std::get<LetBinding>(d_.bindings[id]->node);
  const auto& s = std::get<SoacExpr>(l.value->node);
  Lambda f = std::get<Lambda>(s.functions.back().node);
  const RowShapes shapes = has_arrays(f.result) ? row_shapes_of(f) : RowShapes{};
  Expr body = rebuilt(*f.body);
  Kernel k{s.op, l.value->region, l.pattern, std::nullopt, f.result, {}, {}, {}, {}, body};
  k.rows_fixed = s.op != Soac::Map2 || shapes.fixed;
  k.rows_certain = s.op != Soac::Map2 || shapes.certain;
  k.can_trap = s.arguments.size() - s.starts.value > 1 || can_trap(*f.body);
  if (auto* b = std::get_if<BlockExpr>(&body.node)) {
    k.reversed.assign(b->bindings.rbegin(), b->bindings.rend());
    k.value = *b->result;
  }
  if (s.functions.size() == 2) {
    k.join = std::get<Lambda>(s.functions.front().node);
    k.join->body = rebuilt(*k.join->body);
  }
  for (std::size_t n = 0; n < s.arguments.size(); ++n) {
    if (n < s.starts.value) {
      k.starts.push_back(s.arguments[n]);
      k.accumulators.push_back(f.parameters[n]);
      continue;
    }
    k.inputs.put_last({std::get<Variable>(s.arguments[n]->node).name, f.parameters[n],
                       n < shapes.depends.size() && shapes.depends[n]});
  }
  if (k.op == Soac::Map2 && has_arrays(k.result)) k.owned = owned_values(k);
  kernels_.emplace(id, std::move(k));
}

std::vector<std::string> Kernels::outputs_of(Id producer) const {
  return names_of(std::get<LetBinding>(d_.bindings[producer]->node).pattern);
}

fusion::Algebra::Rule Kernels::rule(Id producer, Id kernel) {
  const Kernel& k = kernels_.at(kernel);
  if (d_.graph.statement(producer).kind == fusion::Kind::Copies) {
    if (k.op == Soac::Map2) return {"map∘replicate"};
    if (k.op == Soac::Reduce2) return {"reduce∘replicate"};
    if (k.op == Soac::Redomap2) return {"redomap∘replicate"};
    return {{}, fusion::Case::Combination};  // a filter gives what it goes over, which has to be there
  }
  const Kernel& p = kernels_.at(producer);
  const bool folds = k.op == Soac::Reduce2 || k.op == Soac::Redomap2;
  if (p.op == Soac::Map2) {
    if (k.op == Soac::Map2) return {"map∘map"};
    if (folds) return {k.op == Soac::Reduce2 ? "reduce∘map" : "redomap∘map"};
  }
  if (p.op == Soac::Filter2) {
    const bool all = inputs_from(producer, kernel) == k.inputs.size();
    if (all && k.op == Soac::Filter2) return {"filter∘filter"};
    if (all && folds) return {k.op == Soac::Reduce2 ? "reduce∘filter" : "redomap∘filter"};
  }
  const bool reduction = p.op == Soac::Reduce2 || p.op == Soac::Redomap2;
  return {{}, reduction ? fusion::Case::NoRule : fusion::Case::Combination};
}

// Conditions (5) and (6), and that shapes over nothing stay: a dimension that is made of what the producer makes is not
// known there, and could be known of what it is made of.
std::optional<fusion::Obstacle> Kernels::obstacle(Id producer, Id kernel) {
  const fusion::Statement &p = d_.graph.statement(producer), &at = d_.graph.statement(kernel);
  const Kernel& k = kernels_.at(kernel);
  const std::vector<std::string> outputs = outputs_of(producer);
  const bool copies = p.kind == fusion::Kind::Copies;
  for (std::size_t o = 0; o < outputs.size(); ++o)
    for (const Kernel::Input* i : k.inputs.over(outputs[o])) {
      const bool certain = as<ArrayType>(i->parameter.type) && (copies || kernels_.at(producer).rows_certain);
      if (i->shapes_rows && !certain) return fusion::Obstacle{fusion::Case::LostCheck, at.at};
      // copies are nobody else's, and what they are copies of is
      if (copies && hands_on(k, i->parameter)) return fusion::Obstacle{fusion::Case::RowConsumed, at.at};
      if (is_consumed(i->parameter) && (copies || !kernels_.at(producer).owned[o].is_any()))
        return fusion::Obstacle{fusion::Case::RowConsumed, p.at};
    }
  if (copies) return std::nullopt;
  if (k.op != Soac::Map2 && !p.consumes.empty()) return fusion::Obstacle{fusion::Case::RowConsumed, p.at};
  const Kernel& made = kernels_.at(producer);
  if (!made.rows_fixed) return fusion::Obstacle{fusion::Case::LostCheck, p.at};
  if (d_.graph.is_in_branch(producer, kernel) && made.can_trap) return fusion::Obstacle{fusion::Case::LostCheck, at.at};
  return std::nullopt;
}

bool Kernels::keeps_length(Id producer) { return kernels_.at(producer).op == Soac::Map2; }

std::size_t Kernels::inputs_from(Id producer, Id kernel) {
  std::size_t n = 0;
  for (const std::string& o : outputs_of(producer)) n += kernels_.at(kernel).inputs.over(o).size();
  return n;
}

}  // namespace lockstep::l0

// The rows of the table, and when each holds.
#include "translate/l0/kernels.h"

#include <algorithm>

#include "semantics/l0/words.h"
#include "semantics/text/patterns.h"
#include "translate/l0/rename.h"
#include "translate/l0/traps.h"

namespace lockstep::l0 {
namespace {

bool gives_rows(const Type& result) {
  const std::vector<LeafType> leaves = leaves_of(result);
  return std::any_of(leaves.begin(), leaves.end(), [](const LeafType& l) { return l.rank > 0; });
}
bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
}  // namespace

std::vector<Expr> items_of(const Expr& e) {
  const auto* t = as<TupleExpr>(e);
  if (!t) return {e};
  std::vector<Expr> out;
  for (const ExprRef& i : t->items) out.push_back(*i);
  return out;
}

Kernels::Kernels(const Function& f, const Dependencies& d, Fresh& fresh)
    : function_(f), d_(d), fresh_(fresh), gone_(d.graph.size()) {}

void Kernels::begin(Id id) {
  const auto& l = std::get<LetBinding>(d_.bindings[id]->node);
  const auto& s = std::get<SoacExpr>(l.value->node);
  Lambda f = std::get<Lambda>(s.functions.back().node);
  const RowShapes shapes = gives_rows(f.result) ? row_shapes_of(f) : RowShapes{};
  Expr body = rebuilt(*f.body);
  Kernel k{s.op, l.value->region, l.pattern, std::nullopt, f.result, {}, {}, {}, {}, body};
  k.rows_fixed = s.op != Soac::Map2 || shapes.fixed;
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
    k.inputs.push_back({std::get<Variable>(s.arguments[n]->node).name, f.parameters[n],
                        n < shapes.depends.size() && shapes.depends[n]});
  }
  kernels_.emplace(id, std::move(k));
}

std::vector<std::string> Kernels::outputs_of(Id producer) const {
  std::vector<std::string> out;
  const auto& l = std::get<LetBinding>(d_.bindings[producer]->node);
  match(
      l.pattern.node, [&](const NamePattern& n) { out.push_back(n.name); },
      [&](const TuplePattern& t) {
        for (const Pattern& p : t.items) out.push_back(std::get<NamePattern>(p.node).name);
      });
  return out;
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
    const std::vector<std::string> outputs = outputs_of(producer);
    const bool all = std::all_of(k.inputs.begin(), k.inputs.end(),
                                 [&](const Kernel::Input& i) { return is_one_of(i.array, outputs); });
    if (all && k.op == Soac::Filter2) return {"filter∘filter"};
    if (all && folds) return {k.op == Soac::Reduce2 ? "reduce∘filter" : "redomap∘filter"};
  }
  const bool reduction = p.op == Soac::Reduce2 || p.op == Soac::Redomap2;
  return {{}, reduction ? fusion::Case::NoRule : fusion::Case::Combination};
}

// Conditions (6), and that shapes over nothing stay: a dimension that is made of what the producer makes is not known
// there, and could be known of what it is made of.
std::optional<fusion::Obstacle> Kernels::obstacle(Id producer, Id kernel) {
  const fusion::Statement &p = d_.graph.statement(producer), &at = d_.graph.statement(kernel);
  const Kernel& k = kernels_.at(kernel);
  const std::vector<std::string> outputs = outputs_of(producer);
  for (const Kernel::Input& i : k.inputs)
    if (i.shapes_rows && is_one_of(i.array, outputs)) return fusion::Obstacle{fusion::Case::LostCheck, at.at};
  if (p.kind == fusion::Kind::Copies) return std::nullopt;
  const Kernel& made = kernels_.at(producer);
  if (!made.rows_fixed) return fusion::Obstacle{fusion::Case::LostCheck, p.at};
  if (d_.graph.is_in_branch(producer, kernel) && made.can_trap) return fusion::Obstacle{fusion::Case::LostCheck, at.at};
  return std::nullopt;
}

bool Kernels::keeps_length(Id producer) { return kernels_.at(producer).op == Soac::Map2; }

std::size_t Kernels::inputs_from(Id producer, Id kernel) {
  const std::vector<std::string> outputs = outputs_of(producer);
  const auto& inputs = kernels_.at(kernel).inputs;
  return static_cast<std::size_t>(
      std::count_if(inputs.begin(), inputs.end(), [&](const Kernel::Input& i) { return is_one_of(i.array, outputs); }));
}

}  // namespace lockstep::l0

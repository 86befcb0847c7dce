// The function after its operations were merged: each kernel stands where the statement stood that it began as
// (Henriksen, Oancea, §3.4, the second pass).
#include <algorithm>

#include "semantics/l0/walk.h"
#include "translate/l0/kernels.h"

namespace lockstep::l0 {
namespace {

// Lengths that are asked of what is gone are those of what stands for it. Who goes over that for its length goes over
// what stands for it.
class Standing {
 public:
  Standing(const std::map<std::string, std::string>& lengths, const std::map<std::string, Type>& types)
      : lengths_(lengths), types_(types) {}
  Expr others(const Expr& e) const {
    Expr out = e;
    if (auto* v = std::get_if<Variable>(&out.node)) v->name = other(v->name);
    if (auto* s = std::get_if<SoacExpr>(&out.node)) retype(*s);
    each_child(out, [&](ExprRef& c) { c = others(*c); });
    return out;
  }

 private:
  std::string other(const std::string& name) const {
    std::string out = name;
    for (auto at = lengths_.find(out); at != lengths_.end(); at = lengths_.find(out)) out = at->second;
    return out;
  }
  void retype(SoacExpr& s) const {
    auto* f = std::get_if<Lambda>(&s.functions.back().node);
    for (std::size_t k = 0; f && k < s.arguments.size(); ++k)
      if (const auto* v = as<Variable>(*s.arguments[k]); v && lengths_.contains(v->name))
        f->parameters[k].type = *element_of(types_.at(other(v->name)));
  }
  const std::map<std::string, std::string>& lengths_;
  const std::map<std::string, Type>& types_;
};

}  // namespace

Function Kernels::function() const {
  Function out = function_;
  Expr body = rebuilt(*function_.body);
  out.body = lengths_.empty() ? std::move(body) : Standing(lengths_, types_).others(body);
  return out;
}

Expr Kernels::rebuilt(const Expr& e) const {
  const auto* b = as<BlockExpr>(e);
  if (!b) return e;
  std::vector<Binding> bindings;
  for (const Id s : d_.graph[d_.blocks.at(&e)].statements) rebuilt(s, bindings);
  Expr out = block(std::move(bindings), *b->result);
  out.region = e.region;
  return out;
}

void Kernels::rebuilt(Id s, std::vector<Binding>& into) const {
  if (gone_[s]) return;
  const Binding& b = *d_.bindings[s];
  if (const auto k = kernels_.find(s); k != kernels_.end()) {
    into.push_back({LetBinding{k->second.outputs, operation(k->second)}, b.region});
    return;
  }
  if (const auto c = copied_.find(s); c != copied_.end() && c->second.removed) {
    const auto& value = std::get<LetBinding>(b.node).value;
    const auto& arguments = std::get<BuiltInExpr>(value->node).arguments;
    into.push_back(let(c->second.length, Expr{BuiltInExpr{BuiltIn::Iota, {arguments[0]}}, value->region}));
    return;
  }
  into.push_back(b);
  each_block(into.back(), [&](ExprRef& block) { block = rebuilt(*block); });
}

Expr Kernels::operation(const Kernel& k) const {
  std::vector<Binding> bindings(k.reversed.rbegin(), k.reversed.rend());
  Lambda f{k.result, k.accumulators, block(std::move(bindings), k.value)};
  SoacExpr out{k.op, {}, k.starts};
  for (const Kernel::Input& i : k.inputs.all()) {
    f.parameters.push_back(i.parameter);
    std::string array = i.array;
    if (i.copies && !copied_.at(*i.copies).removed) {  // it goes over the copies themselves
      const auto& l = std::get<LetBinding>(d_.bindings[*i.copies]->node);
      array = outputs_of(*i.copies)[0];
      f.parameters.back().type = *element_of(l.pattern.type.value);
    }
    out.arguments.emplace_back(variable(array, k.at));
  }
  if (k.join) out.functions.push_back({*k.join, k.at});
  out.functions.push_back({std::move(f), k.at});
  return {std::move(out), k.at};
}

}  // namespace lockstep::l0

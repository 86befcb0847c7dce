// One operation put into another: the rows of the table.
#include <algorithm>

#include "translate/l0/kernels.h"
#include "translate/l0/rename.h"

namespace lockstep::l0 {
namespace {

std::optional<std::size_t> place_of(const std::string& name, const std::vector<std::string>& names) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<std::size_t>(at - names.begin());
}
Expr body_of(std::vector<Binding> reversed, Expr value) {
  std::reverse(reversed.begin(), reversed.end());
  return block(std::move(reversed), std::move(value));
}

}  // namespace

std::vector<Inputs::Input> Inputs::all() const {
  std::vector<Input> out;
  for (const auto& [place, i] : inputs_) out.push_back(i);
  return out;
}

std::vector<const Inputs::Input*> Inputs::over(const std::string& array) const {
  std::vector<const Input*> out;
  if (const auto at = places_.find(array); at != places_.end())
    for (const std::int64_t place : at->second) out.push_back(&inputs_.at(place));
  return out;
}

void Inputs::put_last(Input i) {
  places_[i.array].push_back(behind_);
  inputs_.emplace(behind_++, std::move(i));
}

void Inputs::put_first(Input i, std::vector<Binding>& bindings) {
  for (const Input& other : take(i.array)) {
    // before those that are there, which may be of it
    bindings.insert(bindings.begin(), let(other.parameter.name, variable(i.parameter.name, other.parameter.region)));
    if (Kernels::is_consumed(other.parameter)) i.parameter.type = other.parameter.type;
    i.shapes_rows = i.shapes_rows || other.shapes_rows;
  }
  places_[i.array].push_back(--first_);
  inputs_.emplace(first_, std::move(i));
}

std::vector<Inputs::Input> Inputs::take(const std::string& array) {
  std::vector<Input> out;
  const auto at = places_.find(array);
  if (at == places_.end()) return out;
  for (const std::int64_t place : at->second) out.push_back(std::move(inputs_.extract(place).mapped()));
  places_.erase(at);
  return out;
}

// Of a second kernel with binders of their own.
Kernels::Made Kernels::made(const Kernel& p, bool again) {
  Lambda f{p.result, {}, body_of(p.reversed, p.value)};
  std::vector<Kernel::Input> inputs = p.inputs.all();
  for (const Kernel::Input& i : inputs) f.parameters.push_back(i.parameter);
  if (again) f = Renaming(fresh_).function(f);
  for (std::size_t k = 0; k < inputs.size(); ++k) inputs[k].parameter = f.parameters[k];
  const auto* b = as<BlockExpr>(*f.body);
  return {std::move(inputs), b ? b->bindings : std::vector<Binding>{}, items_of(b ? *b->result : *f.body), p.owned};
}

// reduce2(⊕; n; J) is redomap2(⊕, ⊕; n; J).
void Kernels::as_redomap(Kernel& k) {
  if (k.op != Soac::Reduce2) return;
  k.op = Soac::Redomap2;
  Lambda f{k.result, k.accumulators, body_of(k.reversed, k.value)};
  for (const Kernel::Input& i : k.inputs.all()) f.parameters.push_back(i.parameter);
  k.join = Renaming(fresh_).function(f);
}

// These before what stands in the kernel's body.
void Kernels::put_before(Kernel& k, const std::vector<Binding>& bindings) {
  k.reversed.insert(k.reversed.end(), bindings.rbegin(), bindings.rend());
}

// λ(u, v of J∖O). let w = F in g with w_k for v_j where J_j = O_k.
void Kernels::merge_map(Kernel& k, Made p, const std::vector<std::string>& arrays) {
  as_redomap(k);
  std::vector<Binding> shared, elements;
  for (std::size_t w = 0; w < arrays.size(); ++w) {
    std::string named;
    for (const Kernel::Input& j : k.inputs.take(arrays[w])) {
      // who consumes a row that the producer hands on consumes the producer's row
      if (is_consumed(j.parameter) && w < p.owned.size() && p.owned[w].input)
        p.inputs[*p.owned[w].input].parameter.type = j.parameter.type;
      elements.push_back(let(j.parameter.name, named.empty() ? p.values[w] : variable(named, j.parameter.region)));
      if (named.empty()) named = j.parameter.name;
    }
    if (named.empty() && !is_atom(p.values[w]))  // what nobody wants may trap
      elements.push_back(let(fresh_.name("t"), p.values[w]));
  }
  for (auto i = p.inputs.rbegin(); i != p.inputs.rend(); ++i) k.inputs.put_first(std::move(*i), shared);
  put_before(k, elements);
  put_before(k, p.bindings);
  put_before(k, shared);
}

// λ(acc, u). if c(u) then g(acc, u_σ) else acc.
void Kernels::merge_filter(Kernel& k, Made p, const std::vector<std::string>& arrays) {
  as_redomap(k);
  std::vector<Binding> elements;
  for (const Kernel::Input& j : k.inputs.all())
    elements.push_back(let(j.parameter.name, variable(p.inputs[*place_of(j.array, arrays)].parameter.name)));
  put_before(k, elements);
  std::vector<Expr> before, after;
  std::vector<std::string> names;
  for (const Parameter& a : k.accumulators) {
    before.push_back(variable(a.name, k.at));
    names.push_back(fresh_.name(a.name));
    after.push_back(variable(names.back(), k.at));
  }
  Expr choice{IfExpr{std::move(p.values[0]), body_of(std::move(k.reversed), std::move(k.value)),
                     tuple_of(std::move(before), k.at)},
              k.at};
  k.reversed = {let(pattern_of(names, k.at), std::move(choice))};
  k.value = tuple_of(std::move(after), k.at);
  std::vector<Binding> shared;
  k.inputs.clear();
  for (auto i = p.inputs.rbegin(); i != p.inputs.rend(); ++i) k.inputs.put_first(std::move(*i), shared);
  put_before(k, p.bindings);
  put_before(k, shared);
}

// λu. if c1(u) then c2(u_σ) else false, of all that the producer goes over, and again of what the kernel goes over
// twice; what the kernel gives are outputs of these, others dead.
void Kernels::merge_filters(Kernel& k, Made p, const std::vector<std::string>& arrays) {
  std::vector<Binding> elements;
  const std::vector<std::string> given = names_of(k.outputs);
  std::vector<std::string> outputs(arrays.size());
  const std::vector<Kernel::Input> inputs = k.inputs.all();
  for (std::size_t j = 0; j < inputs.size(); ++j) {
    const std::size_t w = *place_of(inputs[j].array, arrays);
    elements.push_back(let(inputs[j].parameter.name, variable(p.inputs[w].parameter.name)));
    if (outputs[w].empty()) {
      outputs[w] = given[j];
      continue;
    }
    Kernel::Input again = p.inputs[w];
    again.parameter.name = fresh_.name(again.parameter.name);
    p.inputs.push_back(std::move(again));
    outputs.push_back(given[j]);
  }
  for (std::string& o : outputs)
    if (o.empty()) o = "_";
  put_before(k, elements);
  const std::string passes = fresh_.name("c");
  Expr choice{IfExpr{std::move(p.values[0]), body_of(std::move(k.reversed), std::move(k.value)),
                     Expr{Literal{make_bool(false)}, k.at}},
              k.at};
  k.reversed = {let(passes, std::move(choice))};
  k.value = variable(passes, k.at);
  k.inputs.clear();
  for (Kernel::Input& i : p.inputs) k.inputs.put_last(std::move(i));
  k.outputs = pattern_of(outputs, k.outputs.region);
  put_before(k, p.bindings);
}

void Kernels::merge(Id producer, const std::vector<Id>& kernels, fusion::Name instead) {
  const Kernel& p = kernels_.at(producer);
  const std::vector<std::string> arrays = outputs_of(producer);
  for (std::size_t n = 0; n < kernels.size(); ++n) {
    Kernel& k = kernels_.at(kernels[n]);
    if (p.op == Soac::Map2)
      merge_map(k, made(p, n > 0), arrays);
    else if (k.op == Soac::Filter2)
      merge_filters(k, made(p, n > 0), arrays);
    else
      merge_filter(k, made(p, n > 0), arrays);
  }
  gone_[producer] = true;
  if (instead != fusion::none)
    for (const std::string& o : arrays) lengths_[o] = d_.names[instead];
}

// replicate(N, a) is map2(λ_. a; iota(N)).
void Kernels::merge_copies(Id copies, Id kernel) {
  const auto& value = std::get<BuiltInExpr>(std::get<LetBinding>(d_.bindings[copies]->node).value->node);
  Copied& c = copied_[copies];
  if (c.length.empty()) {
    c.length = fresh_.name("i");
    types_.emplace(c.length, array_of(int_type));
  }
  const Parameter index{int_type, fresh_.name("k"), value.arguments[0]->region};
  merge_map(kernels_.at(kernel), {{{c.length, index, false, copies}}, {}, {*value.arguments[1]}, {}},
            outputs_of(copies));
}

void Kernels::remove_copies(Id copies) {
  copied_[copies].removed = true;
  lengths_[outputs_of(copies)[0]] = copied_[copies].length;
}

}  // namespace lockstep::l0

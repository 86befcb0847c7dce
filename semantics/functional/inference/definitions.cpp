// Definitions, their calls, and the body that a call stands for.
#include "semantics/functional/inference/definitions.h"

#include <algorithm>
#include <functional>

namespace lockstep::inference {

std::size_t arity_of(const Type& t) {
  std::size_t n = 0;
  for (const Type* at = &t; as<FunctionType>(*at); at = &*as<FunctionType>(*at)->to) ++n;
  return n;
}

std::string type_of(const Defined& d) {
  std::string text;
  for (const Defined::Parameter& p : d.parameters) {
    const std::string t = p.type ? show(*p.type) : "(" + p.name + " : nat)";
    text += (p.type && as<FunctionType>(*p.type) ? "(" + t + ")" : t) + " -> ";
  }
  return text + show(d.result);
}

std::vector<std::string> sizes_of(const Defined& d) {
  std::vector<std::string> out = d.implicit_sizes;
  for (const Defined::Parameter& p : d.parameters)
    if (!p.type) out.push_back(p.name);
  return out;
}

namespace {

// What stands for a call that is still to be expanded. Nothing that runs programs is given one.
PrimitiveRef call_of(const Defined& d) {
  const auto bug = [name = d.name](auto&&...) -> Value { throw Bug("the call of " + name + " was not expanded"); };
  const auto no_path = [](PathReader&, const Instance&, const Path&) -> kernel::Expr {
    throw Bug("a read path through a call");
  };
  return std::make_shared<const Primitive>(
      Primitive{"call " + d.name, "", View{.type = "", .equation = "", .meaning = bug, .read = no_path}});
}

}  // namespace

void Definitions::add(Defined d) {
  d.call = call_of(d);
  d.nodes = d.expanded_nodes = node_count(*d.body);
  const std::function<void(const PhraseRef&)> look = [&](const PhraseRef& p) {
    constexpr std::size_t many = std::size_t{1} << 60;  // and not more, so that nothing overflows
    if (const Defined* called = called_by(*p)) {
      d.has_calls = true;
      d.expanded_nodes = std::min(many, d.expanded_nodes + called->expanded_nodes);
    }
    for_each_child(*p, look);
  };
  look(d.body);
  of_call_.emplace(d.call.get(), list_.size());
  last_.insert_or_assign(d.name, list_.size());
  list_.push_back(std::move(d));
}

const Defined* Definitions::find(const std::string& name) const {
  const auto it = last_.find(name);
  return it == last_.end() ? nullptr : &list_[it->second];
}

const Defined* Definitions::called_by(const Phrase& p) const {
  const auto* x = as<PrimPhrase>(p);
  if (!x) return nullptr;
  const auto it = of_call_.find(x->primitive.get());
  return it == of_call_.end() ? nullptr : &list_[it->second];
}

PhraseRef instance_of(const Defined& d, const SizeSubstitution& sizes, const TypeSubstitution& types,
                      const std::vector<PhraseRef>& arguments, Names& names) {
  PhraseSubstitution by;
  std::size_t k = 0;
  for (const Defined::Parameter& p : d.parameters)
    if (p.type) by.insert_or_assign(p.name, arguments[k++]);
  return substitute(refresh(substitute_sizes(d.body, sizes, types), names), by);
}

}  // namespace lockstep::inference

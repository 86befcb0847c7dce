// The graph of types of inference: unification, concreteness, and copies for calls.
#include "semantics/snesl/elaborate_types.h"

#include <utility>

namespace lockstep::snesl::elaboration {

namespace {
constexpr int deepest_walk = 4000;  // of types that unknowns have joined
}  // namespace

TypeId TypeGraph::add(Node n) {
  nodes_.push_back(std::move(n));
  return size() - 1;
}
TypeId TypeGraph::unknown(const Region& region, Mask mask) {
  Node n;
  n.mask = mask;
  n.origin = region;
  return add(std::move(n));
}
TypeId TypeGraph::prim(Prim p) {
  Node n;
  n.form = Form::Prim;
  n.prim = p;
  n.concrete = true;
  return add(std::move(n));
}
TypeId TypeGraph::compound(Form form, std::vector<TypeId> items) {
  Node n;
  n.form = form;
  for (const TypeId t : items) n.depth = std::max(n.depth, nodes_[at(find(t))].depth + 1);
  if (n.depth > deepest_type) {
    too_deep_ = true;
    return wrong();
  }
  n.items = std::move(items);
  return add(std::move(n));
}
TypeId TypeGraph::tuple(std::vector<TypeId> items) { return compound(Form::Tuple, std::move(items)); }
TypeId TypeGraph::vector_of(TypeId element) { return compound(Form::Vector, {element}); }
TypeId TypeGraph::sequence_of(TypeId element) { return compound(Form::Sequence, {element}); }
TypeId TypeGraph::wrong() {
  Node n;
  n.form = Form::Wrong;
  return add(std::move(n));
}

TypeId TypeGraph::find(TypeId t) const {
  TypeId end = t;
  while (nodes_[at(end)].form == Form::Link) end = nodes_[at(end)].link;
  while (nodes_[at(t)].form == Form::Link) t = std::exchange(nodes_[at(t)].link, end);  // short from now on
  return end;
}
Mask TypeGraph::mask(TypeId t) const {
  const Node& n = nodes_[at(find(t))];
  if (n.form == Form::Wrong) return any_prim;
  if (n.form == Form::Prim) return mask_of(n.prim);
  if (n.form != Form::Unknown) return 0;
  return n.mask == 0 ? any_prim : n.mask;
}
bool TypeGraph::open_to_all(TypeId t) const {
  const Node& n = nodes_[at(find(t))];
  return n.form == Form::Unknown && n.mask == 0;
}
int TypeGraph::because(Why why) {
  whys_.push_back(std::move(why));
  return static_cast<int>(whys_.size()) - 1;
}

std::optional<Mismatch> TypeGraph::restrict(TypeId t, Mask mask) {
  Node& n = nodes_[at(find(t))];
  if (n.form == Form::Wrong) return std::nullopt;
  const Mask both = this->mask(t) & mask;
  if (both == 0) return Mismatch{};
  if (n.form == Form::Prim) return std::nullopt;
  n.mask = both;
  for (const Prim p : {Prim::Bool, Prim::Int, Prim::Real, Prim::Char})
    if (both == mask_of(p)) {
      n.form = Form::Prim;
      n.prim = p;
      n.concrete = true;
    }
  return std::nullopt;
}

std::optional<Mismatch> TypeGraph::make_concrete(TypeId t, int why, int depth) {
  Node& n = nodes_[at(find(t))];
  if (depth > deepest_walk) return Mismatch{Mismatch::Kind::Deep};
  switch (n.form) {
    case Form::Unknown:
      if (n.why < 0) n.why = why;
      return std::nullopt;
    case Form::Sequence:
      return Mismatch{Mismatch::Kind::Sequence, why, find(t)};
    case Form::Tuple:
      if (n.concrete) return std::nullopt;
      for (std::size_t k = 0; k < n.items.size(); ++k)
        if (const auto m = make_concrete(n.items[k], why, depth + 1)) return Mismatch{m->kind, m->why, find(t)};
      nodes_[at(find(t))].concrete = true;
      return std::nullopt;
    case Form::Vector:  // its elements are concrete from the first
    case Form::Prim:
    case Form::Wrong:
      return std::nullopt;
    case Form::Link:
      break;
  }
  throw Bug("a link found");
}

TypeGraph::Occurs TypeGraph::occurs(TypeId unknown, TypeId in, std::vector<char>& seen, int depth) const {
  in = find(in);
  if (in == unknown) return Occurs::Yes;
  if (nodes_[at(in)].items.empty()) return Occurs::No;
  if (depth > deepest_walk) return Occurs::Deep;
  if (seen.empty()) seen.resize(nodes_.size());
  if (seen[at(in)]) return Occurs::No;
  seen[at(in)] = 1;
  for (const TypeId t : nodes_[at(in)].items)
    if (const Occurs o = occurs(unknown, t, seen, depth + 1); o != Occurs::No) return o;
  return Occurs::No;
}

std::optional<Mismatch> TypeGraph::assign(TypeId unknown, TypeId t) {
  if (form(t) == Form::Unknown) {
    const Mask mine = nodes_[at(unknown)].mask;
    if (mine != 0)
      if (const auto m = restrict(t, mine)) return m;
    Node& other = nodes_[at(t)];
    if (other.form == Form::Unknown && other.why < 0) other.why = nodes_[at(unknown)].why;
  } else if (form(t) != Form::Wrong) {
    if (nodes_[at(unknown)].mask != 0) {
      if (const auto m = restrict(t, nodes_[at(unknown)].mask)) return m;
    } else {
      std::vector<char> seen;
      const Occurs o = occurs(unknown, t, seen, 0);
      if (o != Occurs::No) return Mismatch{o == Occurs::Yes ? Mismatch::Kind::Endless : Mismatch::Kind::Deep};
    }
    if (nodes_[at(unknown)].why >= 0)
      if (const auto m = make_concrete(t, nodes_[at(unknown)].why)) return m;
  }
  nodes_[at(unknown)].form = Form::Link;
  nodes_[at(unknown)].link = t;
  return std::nullopt;
}

std::optional<Mismatch> TypeGraph::unify(TypeId a, TypeId b, int depth) {
  a = find(a);
  b = find(b);
  if (a == b) return std::nullopt;
  if (depth > deepest_walk) return Mismatch{Mismatch::Kind::Deep};
  const Form fa = form(a), fb = form(b);
  if (fa == Form::Wrong || fb == Form::Wrong) return std::nullopt;
  if (fa == Form::Unknown) return assign(a, b);
  if (fb == Form::Unknown) return assign(b, a);
  if (fa != fb) return Mismatch{};
  if (fa == Form::Prim) return prim_of(a) == prim_of(b) ? std::nullopt : std::optional(Mismatch{});
  if (items(a).size() != items(b).size()) return Mismatch{};
  for (std::size_t k = 0; k < items(a).size(); ++k)
    if (const auto m = unify(items(a)[k], items(b)[k], depth + 1)) return m;
  const bool concrete = nodes_[at(a)].concrete || nodes_[at(b)].concrete;
  nodes_[at(b)].concrete = concrete;
  nodes_[at(a)].form = Form::Link;  // one from now on, so that what is shared is unified once
  nodes_[at(a)].link = b;
  return std::nullopt;
}

void TypeGraph::unknowns(TypeId t, std::vector<TypeId>& out) const {
  std::vector<TypeId> todo{t};
  std::unordered_map<TypeId, bool> seen;
  for (const TypeId u : out) seen[u] = true;
  while (!todo.empty()) {
    const TypeId u = find(todo.back());
    todo.pop_back();
    if (!seen.emplace(u, true).second) continue;
    if (nodes_[at(u)].form == Form::Unknown) out.push_back(u);
    todo.insert(todo.end(), nodes_[at(u)].items.rbegin(), nodes_[at(u)].items.rend());
  }
}

TypeId TypeGraph::copy(const TypeGraph& from, TypeId t, std::unordered_map<TypeId, TypeId>& made, const Region& region,
                       const std::string& within) {
  t = from.find(t);
  if (const auto it = made.find(t); it != made.end()) return it->second;
  const Node& n = from.nodes_[at(t)];
  TypeId out = -1;
  switch (n.form) {
    case Form::Unknown:
      out = unknown(region, n.mask);
      if (n.why >= 0) {
        Why why = from.why(n.why);
        why.region = region;
        if (!std::exchange(why.in_called, true))
          why.subject = "in " + within + " (" + show_position(from.why(n.why).region) + "), " + why.subject;
        nodes_[at(out)].why = because(std::move(why));
      }
      break;
    case Form::Prim:
      out = prim(n.prim);
      break;
    case Form::Wrong:
      out = wrong();
      break;
    case Form::Tuple:
    case Form::Vector:
    case Form::Sequence: {
      std::vector<TypeId> items;
      for (const TypeId i : n.items) items.push_back(copy(from, i, made, region, within));
      out = compound(n.form, std::move(items));
      break;
    }
    case Form::Link:
      throw Bug("a link of types that was not followed");
  }
  made[t] = out;
  return out;
}

}  // namespace lockstep::snesl::elaboration

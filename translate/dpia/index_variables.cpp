// Addresses with their repeated indices in variables (index_variables.h).
#include "translate/dpia/index_variables.h"

#include <algorithm>

#include "semantics/kernel/walk.h"

namespace lockstep {
namespace {

using kernel::Expr;

bool is_free(const Expr& e) {
  bool free = true;
  kernel::each_expression(e, [&](const Expr& x) {
    free = free && (std::holds_alternative<kernel::Const>(x.node) || std::holds_alternative<kernel::Var>(x.node) ||
                    std::holds_alternative<kernel::Arith>(x.node));
  });
  return free;
}

// What the arithmetic of an address is made of, where a run has to find it.
void found_by_runs(const Expr& address, std::vector<Expr>& found) {
  if (const auto* a = std::get_if<kernel::Arith>(&address.node)) {
    found_by_runs(*a->left, found);
    found_by_runs(*a->right, found);
  } else if (!is_free(address)) {
    found.push_back(address);
  }
}

// Those that it has more than once.
std::vector<Expr> repeated_in(const Expr& address) {
  std::vector<Expr> found, repeated;
  found_by_runs(address, found);
  for (const Expr& e : found)
    if (std::count(found.begin(), found.end(), e) > 1 && std::count(repeated.begin(), repeated.end(), e) == 0)
      repeated.push_back(e);
  return repeated;
}

const Expr* address_of(const Expr& e) {
  if (const auto* l = std::get_if<kernel::Load>(&e.node)) return &*l->index;
  if (const auto* l = std::get_if<kernel::VectorLoad>(&e.node)) return &*l->index;
  if (const auto* l = std::get_if<kernel::Lane>(&e.node)) return &*l->lane;
  return nullptr;
}

bool has_repeated(const Expr& e) {
  bool found = false;
  kernel::each_expression(e, [&](const Expr& x) {
    const Expr* address = address_of(x);
    found = found || (address && !repeated_in(*address).empty());
  });
  return found;
}

Expr replaced(const Expr& address, const Expr& from, const Expr& to) {
  if (address == from) return to;
  if (!std::holds_alternative<kernel::Arith>(address.node)) return address;
  return kernel::map_children(address, [&](const Expr& x) { return replaced(x, from, to); });
}

}  // namespace

Expr IndexVariables::variable(const char* name, const Expr& value, kernel::Block& front) {
  const Expr other = value.type.scalar == ScalarType::Bool ? kernel::constant(make_bool(false)) : kernel::constant(0);
  Expr there = value;
  for (auto b = around_.rbegin(); b != around_.rend(); ++b)
    there = {value.type, kernel::Choose{b->condition, b->holds ? there : other, b->holds ? other : there}};
  Expr v = kernel::variable(names_.fresh(name), value.type);
  front.statements.push_back({kernel::Declare{std::get<kernel::Var>(v.node).name, value.type, there}, value.region});
  return v;
}

Expr IndexVariables::in_address(const Expr& index, kernel::Block& front) {
  Expr out = index;  // the whole first: what is equal in it is so before it has variables itself
  for (const Expr& e : repeated_in(index)) out = replaced(out, e, variable("at", in(e, front), front));
  return in(out, front);
}

Expr IndexVariables::condition(const Expr& e, bool is_asked_again, kernel::Block& front) {
  Expr out = in(e, front);
  return is_asked_again && !is_free(out) ? variable("given", out, front) : out;
}

Expr IndexVariables::inside(Branch branch, const Expr& e, kernel::Block& front) {
  around_.push_back(std::move(branch));
  Expr out = in(e, front);
  around_.pop_back();
  return out;
}

Expr IndexVariables::in(const Expr& e, kernel::Block& front) {
  if (const Expr* address = address_of(e))
    return kernel::map_children(e, [&](const Expr& x) { return &x == address ? in_address(x, front) : in(x, front); });
  if (const auto* c = std::get_if<kernel::Choose>(&e.node)) {
    const Expr given = condition(*c->condition, has_repeated(*c->then) || has_repeated(*c->otherwise), front);
    const Expr then = inside({given, true}, *c->then, front);
    return {e.type, kernel::Choose{given, then, inside({given, false}, *c->otherwise, front)}, e.region};
  }
  return kernel::map_children(e, [&](const Expr& x) { return in(x, front); });
}

}  // namespace lockstep

// Unification: structural on types; a size equation is solved for an unknown that occurs in it once and linearly.
#include "semantics/functional/inference/unify.h"

#include <algorithm>

namespace lockstep {

Type Unifier::fresh_type(const Region& region, std::string what) {
  UnknownType u{{"?" + std::to_string(types_.size()), region, std::move(what)}};
  u.same_as = types_.size();
  types_.push_back(std::move(u));
  return type_variable(types_.back().name);
}
Size Unifier::fresh_size(const Region& region, std::string what) {
  sizes_.push_back({"?" + std::to_string(sizes_.size()), region, std::move(what)});
  return Size::name(sizes_.back().name);
}

bool Unifier::is_unknown(const Type& t) {
  const auto* v = as<TypeVariable>(t);
  return v && v->name.starts_with('?');
}
bool Unifier::has_unknown(const Size& s) {
  std::set<std::string> names;
  collect_names(s, names);
  return !names.empty() && names.begin()->starts_with('?');  // '?' sorts before every letter and '_'
}

static std::size_t number_of(const TypeVariable& unknown) { return std::stoul(unknown.name.substr(1)); }

// The oldest of those that are equal; the way there is made shorter for the next time.
std::size_t Unifier::root(std::size_t k) const {
  while (types_[k].same_as != k) k = types_[k].same_as = types_[types_[k].same_as].same_as;
  return k;
}

Type Unifier::shallow(const Type& t) const {
  if (!is_unknown(t)) return t;
  const UnknownType& u = types_[root(number_of(*as<TypeVariable>(t)))];
  return u.is ? *u.is : type_variable(u.name);
}

void Unifier::mark_number(const Type& unknown) {
  UnknownType& u = types_[root(number_of(*as<TypeVariable>(unknown)))];
  u.number = true;
  changed_.push_back(u.name);
}
bool Unifier::is_number(const Type& unknown) const {
  return types_[root(number_of(*as<TypeVariable>(unknown)))].number;
}

Size Unifier::size(const Size& s) const {
  Size out = s;
  for (int rounds = 0; has_unknown(out) && rounds < 1000; ++rounds) {
    const Size next = substitute(out, size_of_);
    if (next == out) break;
    out = next;
  }
  return out;
}

Type Unifier::deep(const Type& t) const {
  const Type top = shallow(t);
  const auto go = [this](const Ref<Type>& r) { return deep(*r); };
  return match(
      top.node, [](ScalarType s) { return scalar(s); }, [&](const IndexType& x) { return index_type(size(x.bound)); },
      [&](const ArrayType& x) { return array(size(x.length), go(x.element)); },
      [&](const PairType& x) { return pair(go(x.first), go(x.second)); },
      [&](const VectorType& x) { return vector_type(go(x.element), size(x.width)); },
      [&](const FunctionType& x) { return function(go(x.from), go(x.to)); }, [&](const TypeVariable&) { return top; });
}

void Unifier::equate(const Size& a, const Size& b, const Region& region, const std::string& origin) {
  SizeEquation e{a, b, region, origin, unification};
  if (!solve_one(e)) waiting_.push_back(std::move(e));
}

// `unknown` has no solution, and `value` is another.
bool Unifier::bind(const Type& unknown, const Type& value) {
  const std::size_t k = number_of(*as<TypeVariable>(unknown));
  changed_.push_back(types_[k].name);
  if (is_unknown(value)) {
    const std::size_t j = number_of(*as<TypeVariable>(value));
    changed_.push_back(types_[j].name);
    const std::size_t older = std::min(j, k), newer = std::max(j, k);
    types_[newer].same_as = older;
    types_[older].number = types_[older].number || types_[newer].number;
    return true;
  }
  Type whole = deep(value);
  std::set<std::string> sizes, types;
  collect_names(whole, sizes, types);
  if (types.contains(types_[k].name)) return false;  // infinite
  types_[k].is = std::move(whole);
  return true;
}

bool Unifier::unify(const Type& a, const Type& b, const Region& region, const std::string& origin) {
  const Type x = shallow(a), y = shallow(b);
  if (x == y) return true;
  if (is_unknown(x)) return bind(x, y);
  if (is_unknown(y)) return bind(y, x);
  if (x.node.index() != y.node.index()) return false;
  return match(
      x.node, [&](ScalarType s) { return s == std::get<ScalarType>(y.node); },
      [&](const IndexType& p) {
        equate(p.bound, as<IndexType>(y)->bound, region, origin);
        return true;
      },
      [&](const ArrayType& p) {
        if (!unify(*p.element, *as<ArrayType>(y)->element, region, origin)) return false;
        equate(p.length, as<ArrayType>(y)->length, region, origin);
        return true;
      },
      [&](const PairType& p) {
        return unify(*p.first, *as<PairType>(y)->first, region, origin) &&
               unify(*p.second, *as<PairType>(y)->second, region, origin);
      },
      [&](const VectorType& p) {
        if (!unify(*p.element, *as<VectorType>(y)->element, region, origin)) return false;
        equate(p.width, as<VectorType>(y)->width, region, origin);
        return true;
      },
      [&](const FunctionType& p) {
        return unify(*p.from, *as<FunctionType>(y)->from, region, origin) &&
               unify(*p.to, *as<FunctionType>(y)->to, region, origin);
      },
      [&](const TypeVariable& p) { return p.name == as<TypeVariable>(y)->name; });
}

// c * u + rest == 0 with u the only unknown, or one of several with c = 1 or -1: u = -rest / c. What the division and
// naturality of the solution need stays behind as an equation and is proved with the others.
bool Unifier::solve_one(SizeEquation& e) {
  e.left = size(e.left);
  e.right = size(e.right);
  const Size zero = e.left - e.right;
  if (!has_unknown(zero)) {
    equations_.push_back(e);
    return true;
  }
  std::set<std::string> names;
  collect_names(zero, names);
  std::vector<std::string> unknowns;
  for (const std::string& n : names)
    if (n.starts_with('?')) unknowns.push_back(n);
  for (const std::string& u : unknowns) {
    Size coefficient = 0, rest = 0;
    bool linear = true;
    for (const SizeTerm& t : zero.terms()) {
      Size product = t.coefficient;
      int times = 0;
      for (const auto& [atom, power] : t.powers) {
        if (!atom.division && atom.name == u) {
          times += power;
          continue;
        }
        const Size value = value_of(atom);
        if (atom.division && mentions(value, u)) linear = false;
        for (int k = 0; k < power; ++k) product = product * value;
      }
      if (times > 1) linear = false;
      (times > 0 ? coefficient : rest) = (times > 0 ? coefficient : rest) + product;
    }
    if (!linear || coefficient.terms().empty() || has_unknown(coefficient)) continue;
    const bool unit = coefficient == Size(1) || coefficient == Size(-1);
    if (!unit && unknowns.size() > 1) continue;
    Size solution = 0;
    if (coefficient == Size(1))
      solution = Size(0) - rest;
    else if (coefficient == Size(-1))
      solution = rest;
    else {
      const bool negative = coefficient.terms().front().coefficient < 0;
      solution = negative ? floor_div(rest, Size(0) - coefficient) : floor_div(Size(0) - rest, coefficient);
    }
    size_of_.insert_or_assign(u, solution);
    solved_from_.insert_or_assign(u, e);
    if (!unit)
      equations_.push_back({substitute(e.left, {{u, solution}}), substitute(e.right, {{u, solution}}), e.region,
                            e.origin, e.unification});
    return true;
  }
  return false;
}

bool Unifier::solve() {
  bool any = false;
  for (bool progress = true; progress;) {
    progress = false;
    std::vector<SizeEquation> left = std::exchange(waiting_, {});
    for (SizeEquation& e : left) {
      if (solve_one(e))
        progress = any = true;
      else
        waiting_.push_back(std::move(e));
    }
  }
  return any;
}

std::vector<Unifier::Open> Unifier::open_types() const {
  std::vector<Open> out;
  for (const UnknownType& u : types_)
    if (is_unknown(shallow(type_variable(u.name)))) out.push_back({u.region, u.what});
  return out;
}
std::vector<Unifier::Open> Unifier::open_sizes() const {
  std::vector<Open> out;
  for (const Unknown& u : sizes_)
    if (has_unknown(size(Size::name(u.name)))) out.push_back({u.region, u.what});
  return out;
}

const SizeEquation* Unifier::solved_from(const std::string& u) const {
  const auto it = solved_from_.find(u);
  return it == solved_from_.end() ? nullptr : &it->second;
}
const Region& Unifier::region_of(const std::string& u) const { return sizes_.at(std::stoul(u.substr(1))).region; }
const std::string& Unifier::what_of(const std::string& u) const { return sizes_.at(std::stoul(u.substr(1))).what; }

SizeSubstitution Unifier::size_solution() const {
  SizeSubstitution out;
  for (const Unknown& u : sizes_) out.insert_or_assign(u.name, size(Size::name(u.name)));
  return out;
}
TypeSubstitution Unifier::type_solution() const {
  TypeSubstitution out;
  for (const UnknownType& u : types_) out.insert_or_assign(u.name, deep(type_variable(u.name)));
  return out;
}

}  // namespace lockstep

#include "props/dpia/altered.h"

#include <optional>

#include "props/engine/places.h"
#include "props/engine/random.h"
#include "semantics/functional/syntax/walk.h"

namespace lockstep::props {
namespace {

using namespace surface;

Type changed(const Type& t, Random& r) {
  static const std::vector<ScalarType> scalars = {ScalarType::I32, ScalarType::F32,  ScalarType::I64,
                                                  ScalarType::U8,  ScalarType::Bool, ScalarType::F64};
  if (const auto* a = as<ArrayType>(t)) {
    const auto longer = [&] { return array(a->length + Size(1), *a->element); };
    const auto twice = [&] { return array(a->length * Size(2), *a->element); };
    const auto element = [&] { return array(a->length, changed(*a->element, r)); };
    const auto row = [&] { return *a->element; };
    return r.one_of(Way{2, longer}, Way{1, twice}, Way{2, element}, Way{1, row});
  }
  if (const auto* p = as<PairType>(t)) {
    if (r.percent(30)) return pair(*p->second, *p->first);
    return r.percent(50) ? pair(changed(*p->first, r), *p->second) : pair(*p->first, changed(*p->second, r));
  }
  if (const auto* v = as<VectorType>(t)) return vector_type(*v->element, v->width == Size(4) ? 2 : 4);
  if (as<ScalarType>(t)) return r.percent(80) ? scalar(r.among(scalars)) : array(2, t);
  return t;
}

// The functions of permute are left as they are: what they must be, no type says.
void collect_places(const Expr& e, std::size_t& at, std::vector<std::size_t>& into) {
  into.push_back(at++);
  const auto* a = std::get_if<Apply>(&e.node);
  const auto* f = a ? std::get_if<Name>(&a->function->node) : nullptr;
  std::vector<std::size_t> unused;
  const std::vector<const Expr*> below = children(e);
  for (std::size_t k = 0; k < below.size(); ++k)
    collect_places(*below[k], at, f && f->name == "permute" && k > 0 ? unused : into);
}

void collect_names(const Expr& e, std::vector<std::string>& into) {
  if (const auto* x = std::get_if<Name>(&e.node)) into.push_back(x->name);
  for (const Expr* c : children(e)) collect_names(*c, into);
}

// Nothing where this change has nothing to change there.
std::optional<Expr> changed(const Expr& e, const std::vector<std::string>& names, Random& r) {
  if (const auto* l = std::get_if<Literal>(&e.node)) {
    if (l->digits == "true" || l->digits == "false") return Expr{Literal{"1", {}}, {}};
    if (l->digits.find_first_not_of("0123456789") != std::string::npos || l->digits.size() > 6)
      return Expr{Literal{"2", {}}, {}};
    if (r.percent(25)) return Expr{Literal{"true", {}}, {}};
    if (r.percent(25)) return Expr{Literal{l->digits, r.percent(50) ? ScalarType::I64 : ScalarType::F32}, {}};
    return Expr{Literal{std::to_string(std::stoll(l->digits) + 1), l->suffix}, {}};
  }
  if (std::get_if<Name>(&e.node)) return Expr{Name{r.percent(90) ? r.among(names) : "nobody"}, {}};
  if (std::get_if<Operator>(&e.node)) {
    static const std::vector<std::string> all = {"+", "/", "<", "&&", "==", "<<", "%"};
    return Expr{Operator{r.among(all)}, {}};
  }
  if (const auto* a = std::get_if<Apply>(&e.node)) {
    const auto* inner = std::get_if<Apply>(&a->function->node);
    if (inner && r.percent(60)) {
      if (r.percent(60)) return Expr{Apply{Expr{Apply{*inner->function, *a->argument}, {}}, *inner->argument}, {}};
      return Expr{Apply{*inner->function, *a->argument}, {}};
    }
    return r.percent(50) ? *a->function : *a->argument;
  }
  if (const auto* t = std::get_if<Tuple>(&e.node)) {
    std::vector<Expr> parts(t->parts.rbegin(), t->parts.rend());
    return Expr{Tuple{std::move(parts)}, {}};
  }
  if (const auto* x = std::get_if<surface::Index>(&e.node)) return *x->array;
  return {};
}

void change_head(Definition& d, Random& r) {
  std::vector<Type*> types = {&d.result.type};
  for (Parameter& x : d.parameters)
    if (x.type) types.push_back(&x.type->type);
  if (!d.facts.empty() && r.percent(30)) {
    d.facts.erase(d.facts.begin() + r.below(static_cast<int>(d.facts.size())));
    return;
  }
  Type& t = *r.among(types);
  const Type before = t;
  for (int tries = 0; tries < 20 && t == before; ++tries) t = changed(before, r);
}

}  // namespace

Program altered(Program p, std::uint64_t seed) {
  Random r(seed);
  Definition& d = p.definitions[static_cast<std::size_t>(r.below(static_cast<int>(p.definitions.size())))];
  if (r.percent(25)) {
    change_head(d, r);
    return p;
  }
  std::vector<std::string> names;
  for (const Definition& x : p.definitions) {
    for (const Parameter& y : x.parameters) names.push_back(y.name);
    collect_names(x.body, names);
  }
  if (names.empty()) names.push_back("nobody");
  std::vector<std::size_t> places;
  std::size_t at = 0;
  collect_places(d.body, at, places);
  for (int tries = 0; tries < 40; ++tries) {
    const std::size_t k = r.among(places);
    if (auto e = changed(subtree(d.body, k), names, r); e && !(*e == subtree(d.body, k))) {
      d.body = replaced(d.body, k, *e);
      return p;
    }
  }
  return p;
}

}  // namespace lockstep::props

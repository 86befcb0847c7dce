// Claims are looked up at each component of what an operation makes.
#include "translate/rewriting/claims.h"

#include "semantics/primitives/build.h"
#include "translate/rewriting/zipped.h"

namespace lockstep::rewriting {
namespace {

Step operation_of(const LawQuestion& q) {
  if (const auto step = step_of(q.operation)) return *step;
  throw Bug("a law is asked of " + show(q.operation->type) + ", which is no function of two arguments");
}

bool is_identity(const ScalarOp& op, const Phrase* element) {
  const auto* l = element ? as<LiteralPhrase>(*element) : nullptr;
  if (!op.laws.identity || !l) return false;
  const double e = is_float(l->value.type) ? l->value.ieee() : static_cast<double>(l->value.integer());
  return e == static_cast<double>(*op.laws.identity);
}

bool is_component(const Phrase* element, const Phrase& of, const Components& path) {
  const auto e = element ? component_of_name(*element) : std::nullopt, all = component_of_name(of);
  if (!e || !all || e->name != all->name) return path.empty() && element && *element == of;
  Components whole = all->path;
  whole.insert(whole.end(), path.begin(), path.end());
  return e->path == whole;
}

// Of the component at `path`: an operator on that component of both arguments.
const Primitive* claimed_at(const LawQuestion& q, const Phrase& p, const Components& path, const Phrase* element) {
  const Step f = operation_of(q);
  const auto* use = as<PrimPhrase>(p);
  const auto* op = use ? std::get_if<ScalarOp>(&use->primitive->kind) : nullptr;
  if (!op || use->arguments.size() != 2) return nullptr;
  const auto a = component_of_name(*use->arguments[0]), b = component_of_name(*use->arguments[1]);
  if (!a || !b || a->path != path || b->path != path) return nullptr;
  const bool both =
      (a->name == f.x->name && b->name == f.acc->name) || (a->name == f.acc->name && b->name == f.x->name);
  const auto claims = [&] {
    switch (q.law) {
      case Law::Associative:
        return op->laws.associative;
      case Law::Commutative:
        return op->laws.commutative;
      case Law::Neutral:
        return is_identity(*op, element);
      case Law::Absorbed:
        return is_identity(*op, element) || (op->laws.idempotent && is_component(element, **q.start, path));
      case Law::Selective:
        return false;
    }
    throw Bug("law");
  };
  return both && claims() ? use->primitive.get() : nullptr;
}

void add_name(const Primitive& p, std::string& names) {
  if (names.find(p.name) == std::string::npos) names += (names.empty() ? "" : " and ") + p.name;
}

// Whether all components claim it; `names`: who.
bool all_claim(const LawQuestion& q, const Phrase& p, const Components& path, const Phrase* element,
               std::string& names) {
  const auto* pair = as<PrimPhrase>(p);
  if (!pair || !is_pair(*pair)) {
    const Primitive* by = claimed_at(q, p, path, element);
    if (by) add_name(*by, names);
    return by != nullptr;
  }
  const auto* elements = element ? as<PrimPhrase>(*element) : nullptr;
  if (element && !(elements && is_pair(*elements))) return false;
  for (const std::size_t k : {0U, 1U}) {
    const Components inner = below(path, static_cast<int>(k) + 1);
    if (!all_claim(q, *pair->arguments[k], inner, elements ? &*elements->arguments[k] : nullptr, names)) return false;
  }
  return true;
}

bool has_floats(const Type& t) {
  if (const auto* both = as<PairType>(t)) return has_floats(*both->first) || has_floats(*both->second);
  if (const auto* v = as<VectorType>(t)) return has_floats(Type(*v->element));
  const auto* s = as<ScalarType>(t);
  return s && is_float(*s);
}

}  // namespace

// Where a component of x is less, or greater, than that of acc x, else acc.
bool selects(const Step& f) {
  const auto* c = as<IfPhrase>(*f.body);
  const auto* order = c ? as<PrimPhrase>(*c->condition) : nullptr;
  const auto* op = order ? std::get_if<ScalarOp>(&order->primitive->kind) : nullptr;
  if (!op || !op->compares || op->compares->relation != Comparison::Less) return false;
  const auto a = component_of_name(*order->arguments[0]), b = component_of_name(*order->arguments[1]);
  if (!a || !b || a->path != b->path) return false;
  const bool of_both =
      (a->name == f.x->name && b->name == f.acc->name) || (a->name == f.acc->name && b->name == f.x->name);
  return of_both && is_whole(*c->then, *f.x) && is_whole(*c->otherwise, *f.acc);
}

const Primitive* claimed_by(const LawQuestion& q) {
  return claimed_at(q, *operation_of(q).body, {}, q.element ? &**q.element : nullptr);
}

LawOracle claimed_laws() {
  return [](const LawQuestion& q) -> LawAnswer {
    const Step f = operation_of(q);
    if (q.law == Law::Selective)
      return selects(f) ? LawAnswer{true, Knowledge::Assumed, false, "by its form, a choice by a strict order"}
                        : LawAnswer{.how = "it is no choice by a strict order"};
    std::string names;
    if (!all_claim(q, *f.body, {}, q.element ? &**q.element : nullptr, names)) return {.how = "no operator claims it"};
    return {true, Knowledge::Assumed, has_floats(data_of(f.x->parameter)), "claimed by " + names};
  };
}

}  // namespace lockstep::rewriting

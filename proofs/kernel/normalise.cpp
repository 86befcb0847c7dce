// Obligations by normal forms of sizes (semantics/core/size.h): what is known becomes facts and ranges; products with
// what the goal multiplies by are added, because x < y gives x*m <= y*m - m for natural m only where it is said.
#include <algorithm>

#include "proofs/kernel/digits.h"
#include "proofs/kernel/prover.h"

namespace lockstep::proofs::kernels {

using namespace kernel;

namespace {

Known known_around(const Accesses& a, const Situation& s, bool with_data) {
  Known k;
  k.facts = a.facts;
  for (int l : s.loops) {
    const LoopFrame& f = a.loops[static_cast<std::size_t>(l)];
    if (f.kind != LoopFrame::Kind::While) k.ranges.emplace_back(f.symbol, f.extent);
  }
  for (const Guard* g : with_data ? s.guards.in_order() : s.guards.of_sizes())
    for (Term& t : conjuncts(*g->condition))
      if (with_data || !mentions_data(t)) k.facts.push_back(std::move(t));
  if (with_data) k.universals = s.universals;
  return k;
}

}  // namespace

Known known_at(const Accesses& a, const Situation& s) { return known_around(a, s, true); }
Known known_of_sizes(const Accesses& a, const Situation& s) { return known_around(a, s, false); }

Known rename(const Known& k, const std::function<std::string(const std::string&)>& f) {
  Known out;
  for (const auto& [name, extent] : k.ranges) out.ranges.emplace_back(f(name), rename(extent, f));
  for (const Term& t : k.facts) out.facts.push_back(rename(t, f));
  for (const Universal& u : k.universals) {
    // Its own variables are bound: only what it mentions from outside changes.
    Universal v;
    const auto outside = [&](const std::string& n) {
      for (const auto& [name, extent] : u.variables)
        if (name == n) return n;
      return f(n);
    };
    for (const auto& [name, extent] : u.variables) v.variables.emplace_back(name, rename(extent, outside));
    v.condition = rename(u.condition, outside);
    out.universals.push_back(std::move(v));
  }
  return out;
}

Known joined(Known a, const Known& b) {
  const auto append = [](auto& to, const auto& from, const auto& same) {
    for (const auto& x : from)
      if (std::none_of(to.begin(), to.end(), [&](const auto& y) { return same(x, y); })) to.push_back(x);
  };
  append(a.ranges, b.ranges, [](const auto& x, const auto& y) { return x.first == y.first; });
  append(a.facts, b.facts, [](const Term& x, const Term& y) { return x == y; });
  append(a.universals, b.universals, [](const Universal& x, const Universal& y) { return x == y; });
  return a;
}

namespace {

// `outside`: where the name stands in divisions too, of the terms without these.
std::optional<Size> coefficient(const Size& s, const std::string& name, bool outside) {
  Size out = 0;
  for (const SizeTerm& t : s.terms()) {
    Size rest = t.coefficient;
    bool found = false, divided = false;
    for (const auto& [atom, power] : t.powers) {
      if (!atom.division && atom.name == name) {
        if (power != 1) return {};
        found = true;
        continue;
      }
      const Size value = value_of(atom);
      divided = divided || (atom.division && mentions(value, name));
      if (divided && !outside) return {};
      for (int k = 0; k < power; ++k) rest = rest * value;
    }
    if (found && !divided) out = out + rest;
  }
  return out;
}

}  // namespace

std::optional<Size> coefficient_of(const Size& s, const std::string& name) { return coefficient(s, name, false); }

Size turned_back(const Size& index, const std::string& j, const Size& n) {
  for (const SizeTerm& t : index.terms())
    for (const auto& [atom, power] : t.powers) {
      if (!atom.division || !(atom.division->second == n)) continue;
      const Size &sum = atom.division->first, alone = Size::name(j);
      const auto stride = coefficient(index, j, true);
      if (!stride || mentions(sum - alone, j) || mentions(*stride, j)) continue;
      const Size rest = index - *stride * modulo(sum, n);
      if (!mentions(rest, j)) return rest + *stride * alone;
    }
  return index;
}

std::optional<Size> natural_size(const Term& a) { return mentions_data(a) ? std::nullopt : as_size(a); }

namespace {

std::optional<SizeFact> fact_of(const Term& t) {
  const auto* x = std::get_if<Arith>(&t.node);
  if (!x) return {};
  const auto a = natural_size(*x->left), b = natural_size(*x->right);
  if (!a || !b) return {};
  switch (x->op) {
    case ArithOp::Less:
      return SizeFact{*a, SizeRelation::Less, *b};
    case ArithOp::LessEqual:
      return SizeFact{*a, SizeRelation::LessEqual, *b};
    case ArithOp::Equal:
      return SizeFact{*a, SizeRelation::Equal, *b};
    case ArithOp::Add:
    case ArithOp::Subtract:
    case ArithOp::Multiply:
    case ArithOp::Divide:
    case ArithOp::Modulo:
    case ArithOp::And:
      return {};
  }
  return {};
}

// What other factors stand beside another in the products of s: names and divisions.
std::vector<Size> multipliers(const Size& s) {
  std::vector<Size> out;
  for (const SizeTerm& t : s.terms()) {
    if (t.powers.size() < 2 && !(t.powers.size() == 1 && t.powers[0].second > 1)) continue;
    for (const auto& [atom, power] : t.powers) {
      const Size m = value_of(atom);
      if (std::find(out.begin(), out.end(), m) == out.end()) out.push_back(m);
    }
  }
  return out;
}

struct Context {
  SizeContext sizes;
  std::vector<Size> natural;  // differences known to be 0 or more
  std::vector<Size> not_zero;
  const std::vector<Term>* facts = nullptr;
};

// a == b ? false : true
std::optional<Size> known_different(const Term& t) {
  const auto* c = std::get_if<Choose>(&t.node);
  const auto* e = c ? std::get_if<Arith>(&c->condition->node) : nullptr;
  const auto* no = c ? std::get_if<Const>(&c->then->node) : nullptr;
  const auto* yes = c ? std::get_if<Const>(&c->otherwise->node) : nullptr;
  if (!e || e->op != ArithOp::Equal || !no || !yes || no->value.bits != 0 || yes->value.bits == 0) return {};
  const auto a = natural_size(*e->left), b = natural_size(*e->right);
  if (!a || !b) return {};
  return *a - *b;
}

Context context_of(const Known& known) {
  Context c;
  c.facts = &known.facts;
  for (const Term& t : known.facts)
    if (const auto d = known_different(t)) {
      c.not_zero.push_back(*d);
    } else if (const auto f = fact_of(t)) {
      c.sizes.assume(*f);
      if (f->relation == SizeRelation::Less) c.natural.push_back(f->right - f->left - Size(1));
      if (f->relation == SizeRelation::LessEqual) c.natural.push_back(f->right - f->left);
    }
  for (const auto& [name, extent] : known.ranges)
    if (const auto n = natural_size(extent)) {
      c.sizes.range(name, *n);
      c.natural.push_back(*n - Size::name(name) - Size(1));
      if (!n->constant()) c.sizes.assume({1, SizeRelation::LessEqual, *n});  // the loop runs
    }
  return c;
}

// s >= 0
bool proves_natural(const Context& context, const Size& s) {
  if (context.sizes.proves({0, SizeRelation::LessEqual, s})) return true;
  const Size goal = context.sizes.simplify(s);
  SizeContext more = context.sizes;
  std::size_t added = 0;
  for (const Size& m : multipliers(goal))
    for (const Size& k : context.natural) {
      const Size product = context.sizes.simplify(k * m);
      if (product.terms().size() > 8 || ++added > 24) continue;
      more.assume({0, SizeRelation::LessEqual, product});
    }
  return added > 0 && more.proves({0, SizeRelation::LessEqual, goal});
}

// Whether what is known cannot be.
bool is_absurd(const Context& c) {
  const auto negative = [&](const Size& k) {
    const Size s = c.sizes.simplify(k);
    return !s.terms().empty() && s.terms().back().powers.empty() && s.terms().back().coefficient < 0 &&
           c.sizes.proves({0, SizeRelation::LessEqual, Size(-1) - s});
  };
  return std::any_of(c.natural.begin(), c.natural.end(), negative) ||
         std::any_of(c.not_zero.begin(), c.not_zero.end(),
                     [&](const Size& s) { return c.sizes.simplify(s) == Size(0); });
}

bool proves(const Context& c, const Term& goal);

bool proves_conjunct(const Context& c, const Term& t) {
  if (std::find(c.facts->begin(), c.facts->end(), t) != c.facts->end()) return true;
  if (const auto* k = std::get_if<Const>(&t.node)) return k->value.bits != 0;
  if (const auto d = known_different(t); d && c.sizes.proves({*d, SizeRelation::NotEqual, 0})) return true;
  if (const auto* x = std::get_if<Choose>(&t.node)) {  // a disjunction: one side of it
    const auto* yes = std::get_if<Const>(&x->then->node);
    return yes && yes->value.bits != 0 && (proves(c, *x->condition) || proves(c, *x->otherwise));
  }
  const auto f = fact_of(t);
  if (!f) return false;
  switch (f->relation) {
    case SizeRelation::Less:
      return proves_natural(c, f->right - f->left - Size(1));
    case SizeRelation::LessEqual:
      return proves_natural(c, f->right - f->left);
    case SizeRelation::Equal:
    case SizeRelation::NotEqual:
      return c.sizes.proves(*f);
  }
  return false;
}

bool proves(const Context& c, const Term& goal) {
  const std::vector<Term> all = conjuncts(goal);
  return std::all_of(all.begin(), all.end(), [&](const Term& t) { return proves_conjunct(c, t); });
}

}  // namespace

bool follows(const Known& known, const Term& goal) { return proves(context_of(known), goal); }

bool Prover::by_normalisation(const Known& known, const Term& goal) {
  if (!follows(known, goal)) {
    const auto digits = in_digits(known, {goal}, follows);
    if (!digits || !follows(digits->known, digits->terms[0])) return false;
  }
  watch(known, goal);
  return true;
}

// Mixed radix: x and y are sums of the same strides times digits u and v, each digit below its extent and each stride
// at least the one below it times its extent, the least at least as wide as the accesses. Then x and y are as far apart
// as that, or the digits are equal: which cannot be, where what is known says that they are not.
bool Prover::apart_by_digits(const Known& known, const Size& x, int wx, const Size& y, int wy) const {
  struct Digit {
    std::string u, v;
    Size stride, extent;
  };
  std::vector<Digit> digits;
  Size rest = y - x;
  std::map<std::string, Term> equal_digits;
  for (const auto& [u, extent_u] : known.ranges) {
    const auto cu = coefficient_of(rest, u);
    const auto extent = natural_size(extent_u);
    if (!cu || cu->terms().empty() || !extent) continue;
    for (const auto& [v, extent_v] : known.ranges) {
      const auto cv = coefficient_of(rest, v);
      if (v == u || !cv || *cu + *cv != Size(0) || !(extent_u == extent_v)) continue;
      digits.push_back({u, v, *cv, *extent});
      equal_digits.emplace(v, named(u));
      rest = rest - *cv * (Size::name(v) - Size::name(u));
      break;
    }
  }
  const Context c = context_of(known);
  if (digits.empty() || c.sizes.simplify(rest) != Size(0)) return false;
  Size below = std::max(wx, wy);
  const auto take = [&](auto fits) {
    for (auto d = digits.begin(); d != digits.end(); ++d)
      for (const Size& stride : {d->stride, Size(0) - d->stride})  // it may count down
        if (fits(stride - below)) {
          below = stride * d->extent;
          digits.erase(d);
          return true;
        }
    return false;
  };
  while (!digits.empty())
    if (!take([&](const Size& gap) { return c.sizes.simplify(gap) == Size(0); }) &&
        !take([&](const Size& gap) { return proves_natural(c, gap); }))
      return false;
  return std::any_of(known.facts.begin(), known.facts.end(),
                     [&](const Term& f) { return proves(c, negation(substitute(f, equal_digits))); });
}

// Two loop variables, one of each side, that are multiplied by the same: below, equal, or above.
bool Prover::apart_by_normalisation(const Known& known, const Size& x, int wx, const Size& y, int wy,
                                    int splits) const {
  const Context c = context_of(known);
  if (is_absurd(c)) return true;
  const Size difference = y - x;
  if (proves_natural(c, difference - Size(wx)) || proves_natural(c, Size(0) - difference - Size(wy))) return true;
  if (splits == 0) return false;
  const auto with = [&](const std::string& name, const Size& value) {
    const std::map<std::string, Term> by{{name, as_term(value)}};
    Known k;
    for (const auto& [n, extent] : known.ranges) {
      if (n == name)
        k.facts.push_back(less(as_term(value), substitute(extent, by)));
      else
        k.ranges.emplace_back(n, substitute(extent, by));
    }
    for (const Term& t : known.facts) k.facts.push_back(substitute(t, by));
    const SizeSubstitution sizes{{name, value}};
    return apart_by_normalisation(k, lockstep::substitute(x, sizes), wx, lockstep::substitute(y, sizes), wy,
                                  splits - 1);
  };
  for (const auto& [u, extent_u] : known.ranges) {
    const auto cu = coefficient_of(difference, u);
    if (!cu || cu->terms().empty()) continue;
    for (const auto& [v, extent_v] : known.ranges) {
      if (!(u < v)) continue;
      const auto cv = coefficient_of(difference, v);
      if (!cv || *cv + *cu != Size(0)) continue;
      const Size more = Size(1) + Size::name(own_name("d" + std::to_string(splits)));
      if (extent_u == extent_v || splits > 1)
        return with(v, Size::name(u)) && with(v, Size::name(u) + more) && with(u, Size::name(v) + more);
    }
  }
  return false;
}

Answer Prover::prove_apart(const Known& known, const Term& x, int wx, const Term& y, int wy) {
  const Term apart = either(less_equal(add(x, number(wx)), y), less_equal(add(y, number(wy)), x));
  const auto sx = natural_size(x), sy = natural_size(y);
  const auto by_digits_of_variables = [&] {
    const auto digits = in_digits(known, {x, y}, follows);
    if (!digits) return false;
    const SizeContext c = context_of(digits->known).sizes;
    return apart_by_digits(digits->known, c.simplify(*natural_size(digits->terms[0])), wx,
                           c.simplify(*natural_size(digits->terms[1])), wy);
  };
  if (!sx || !sy ||
      !(apart_by_digits(known, *sx, wx, *sy, wy) || by_digits_of_variables() ||
        apart_by_normalisation(known, *sx, wx, *sy, wy, 4)))
    return prove(known, apart);
  watch(known, apart);
  return {smt::Verdict::Proved, {Method::Normalisation}, {}};
}

Answer Prover::prove_at(const Accesses& a, const Situation& s, const Term& goal) {
  if (mentions_data(goal)) return prove(known_at(a, s), goal);
  if (by_normalisation(known_of_sizes(a, s), goal)) return {smt::Verdict::Proved, {Method::Normalisation}, {}};
  return by_solver(known_at(a, s), goal);
}

Answer Prover::prove(const Known& known, const Term& goal) {
  if (by_normalisation(known, goal)) return {smt::Verdict::Proved, {Method::Normalisation}, {}};
  return by_solver(known, goal);
}

}  // namespace lockstep::proofs::kernels

// Digits of loop variables (digits.h).
#include "proofs/kernel/digits.h"

namespace lockstep::proofs::kernels {
namespace {

using namespace kernel;

constexpr int most_digits = 8;

void each_division(const Size& s, const std::function<void(const Size& dividend, const Size& divisor)>& f) {
  for (const SizeTerm& t : s.terms())
    for (const auto& [atom, power] : t.powers)
      if (atom.division) {
        f(atom.division->first, atom.division->second);
        each_division(atom.division->first, f);
        each_division(atom.division->second, f);
      }
}

Extents extents_of(const Known& k) {
  Extents out;
  for (const auto& [name, extent] : k.ranges)
    if (auto n = natural_size(extent)) out.emplace_back(name, std::move(*n));
  return out;
}

Known with(const Known& k, const Digits& d) {
  const std::map<std::string, Term> by{{d.name, as_term(d.value())}};
  Known out;
  for (const auto& [name, extent] : k.ranges)
    if (name == d.name) {
      out.ranges.emplace_back(d.high, as_term(d.above));
      out.ranges.emplace_back(d.low, as_term(d.below));
    } else {
      out.ranges.emplace_back(name, substitute(extent, by));
    }
  for (const Term& f : k.facts) out.facts.push_back(substitute(f, by));
  return out;
}

SizeContext ranges_of(const Known& k) {
  SizeContext c;
  for (const auto& [name, extent] : extents_of(k)) c.range(name, extent);
  return c;
}

// The divisions in t, as ranges alone simplify them.
void divisions_in(const Term& t, const SizeContext& ranges, std::vector<Size>& out) {
  std::vector<std::pair<Term, Term>> all;
  divisions(t, all);
  for (const auto& [x, y] : all) {
    const auto a = natural_size(x), b = natural_size(y);
    if (a && b && b->constant() != 0) out.push_back(ranges.simplify(floor_div(*a, *b)));
  }
}

// t with quotients in place of divisions, the innermost first.
class Quotients {
 public:
  Quotients(const Known& known, Prover& prover) : known_(known), prover_(prover), ranges_(ranges_of(known)) {}

  Term in(const Term& t) {
    if (const auto* c = std::get_if<Choose>(&t.node))
      return {t.type, Choose{in(*c->condition), in(*c->then), in(*c->otherwise)}};
    if (const auto* l = std::get_if<Load>(&t.node)) return {t.type, Load{l->buffer, in(*l->index)}};
    if (const auto* p = std::get_if<Apply>(&t.node)) {
      Apply out{p->primitive, p->operand, {}};
      for (const ExprRef& x : p->arguments) out.arguments.push_back(in(*x));
      return {t.type, std::move(out)};
    }
    const auto* a = std::get_if<Arith>(&t.node);
    if (!a) return t;
    const Term x = in(*a->left), y = in(*a->right);
    if (a->op == ArithOp::Divide || a->op == ArithOp::Modulo)
      if (const auto q = quotient(x, y)) return a->op == ArithOp::Divide ? *q : subtract(x, multiply(y, *q));
    return {t.type, Arith{a->op, x, y}};
  }

 private:
  std::optional<Term> quotient(const Term& x, const Term& y) {
    const auto a = natural_size(x), b = natural_size(y);
    if (!a || !b || b->constant() == 0) return {};
    const Size guess = ranges_.simplify(floor_div(*a, *b));
    bool divides = false;
    each_division(guess, [&](const Size&, const Size&) { divides = true; });
    if (divides) return {};
    const Term q = as_term(guess), least = multiply(y, q);
    const Term is_it = all_of({less_equal(number(1), y), less_equal(least, x), less(x, add(least, y))});
    return prover_.by_solver(known_, is_it).proved() ? std::optional(q) : std::nullopt;
  }

  const Known& known_;
  Prover& prover_;
  const SizeContext ranges_;
};

}  // namespace

std::optional<Digits> digits_in(const Size& s, const Extents& extents) {
  std::optional<Digits> out;
  each_division(s, [&](const Size& dividend, const Size& divisor) {
    for (const auto& [name, extent] : extents) {
      const bool other = out && (out->name != name || floor_div(divisor, out->below) * out->below != divisor);
      if (other || divisor == Size(0) || mentions(divisor, name)) continue;
      const auto times = coefficient_of(dividend, name);
      const Size above = floor_div(extent, divisor);
      if (!times || *times != Size(1) || above == Size(1) || above * divisor != extent) continue;
      out = Digits{name, own_name(name + "_high"), own_name(name + "_low"), above, divisor};
    }
  });
  return out;
}

std::optional<InDigits> in_digits(const Known& known, std::vector<Term> terms,
                                  const std::function<bool(const Known&, const Term&)>& proves) {
  std::vector<std::pair<Term, Term>> all;
  for (const Term& t : terms) divisions(t, all);
  if (all.empty() || !known.universals.empty()) return {};
  InDigits out{known, std::move(terms)};
  int found = 0;
  for (; found < most_digits; ++found) {
    std::vector<Size> spoken;
    const SizeContext ranges = ranges_of(out.known);
    for (const Term& t : out.terms) divisions_in(t, ranges, spoken);
    std::optional<Digits> d;
    for (const Size& s : spoken)
      if (!d) d = digits_in(s, extents_of(out.known));
    if (!d || !proves(out.known, less_equal(number(0), as_term(d->above))) ||
        !proves(out.known, less_equal(number(0), as_term(d->below))))
      break;
    out.known = with(out.known, *d);
    for (Term& t : out.terms) t = substitute(t, {{d->name, as_term(d->value())}});
  }
  return found > 0 ? std::optional(std::move(out)) : std::nullopt;
}

Term with_quotients(const Known& known, const Term& t, Prover& prover) { return Quotients(known, prover).in(t); }

}  // namespace lockstep::proofs::kernels

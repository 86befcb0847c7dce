// Instances of what loops have checked and inputs were given to hold, and products of what is known
// (lemmas.h). In: what is known and a goal; out: propositions that follow.
#include "proofs/kernel/lemmas.h"

#include <algorithm>

#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs::kernels {

using namespace kernel;

namespace {

constexpr std::size_t most_instances = 32;

struct Pattern {  // a universal, and the loads that say what its variables stand for
  const Universal* universal;
  std::set<std::string> holes;
  std::vector<Term> loads;
};

Term term_of_load(const Load& l) { return {{ScalarType::I64, 1}, l}; }

Pattern pattern_of(const Universal& u) {
  Pattern out{&u, {}, {}};
  for (const auto& [name, extent] : u.variables) out.holes.insert(name);
  each_load(u.condition, [&](const Load& l) { out.loads.push_back(term_of_load(l)); });
  return out;
}

Instantiation instance(const Universal& u, const std::map<std::string, Term>& found) {
  std::vector<Term> inside;
  for (const auto& [name, extent] : u.variables)
    inside.push_back(both(less_equal(number(0), found.at(name)), less(found.at(name), substitute(extent, found))));
  return {all_of(inside), substitute(u.condition, found)};
}

}  // namespace

// Load by load, the goal's first: of each all that is known of it.
std::vector<Instantiation> instances(const Known& known, const Term& goal) {
  std::vector<Pattern> patterns;
  for (const Universal& u : known.universals) patterns.push_back(pattern_of(u));
  if (patterns.empty()) return {};
  std::vector<Term> spoken;
  const auto speak = [&](const Term& t) { each_load(t, [&](const Load& l) { spoken.push_back(term_of_load(l)); }); };
  speak(goal);
  for (const auto& [name, extent] : known.ranges) speak(extent);
  for (const Term& t : known.facts) speak(t);
  std::vector<Instantiation> out;
  for (const Term& s : spoken)
    for (const Pattern& p : patterns)
      for (const Term& l : p.loads) {
        std::map<std::string, Term> found;
        if (!matches(l, s, p.holes, found) || found.size() != p.holes.size()) continue;
        Instantiation i = instance(*p.universal, found);
        const auto same = [&](const Instantiation& x) { return x.inside == i.inside && x.condition == i.condition; };
        if (std::any_of(out.begin(), out.end(), same)) continue;
        out.push_back(std::move(i));
        if (out.size() == most_instances) return out;
      }
  return out;
}

namespace {

using scalars::Definition;

bool is_argument(const Definition& d, int k) {
  const auto* x = std::get_if<Definition::Argument>(&d.node);
  return x && static_cast<int>(x->k) == k;
}
// The operator that a definition of two arguments is, but for a second one of -1.
std::optional<scalars::Operation> operation_of(const Definition& d) {
  if (const auto* c = std::get_if<Definition::Choice>(&d.node)) {
    const auto* is = std::get_if<Definition::Apply>(&c->operands.at(0).node);
    if (!is || is->op != scalars::Operation::Equal || !is_argument(is->operands.at(0), 1)) return {};
    const auto* n = std::get_if<Definition::Constant>(&is->operands.at(1).node);
    return n && n->value.integer() == -1 ? operation_of(c->operands.at(2)) : std::nullopt;
  }
  const auto* a = std::get_if<Definition::Apply>(&d.node);
  const bool of_both = a && a->operands.size() == 2 && is_argument(a->operands[0], 0) && is_argument(a->operands[1], 1);
  return of_both ? std::optional(a->op) : std::nullopt;
}

// 1 or more, or nothing.
std::optional<std::int64_t> positive(const Term& t) {
  const auto n = constant_of(t);
  return n && *n > 0 ? n : std::nullopt;
}

// Of a number of an integer type of fewer bits, as one of 64.
void bounds_of_widened(const Term& t, const kernel::Apply& a, const ScalarOp& op, std::vector<Term>& out) {
  const ScalarType from = a.operand.scalar;
  if (a.arguments.size() != 1 || a.operand.width != 1 || !is_integer(from) || bits_of(from) == 64 ||
      op.result(from) != ScalarType::I64)
    return;
  const Definition made = op.definition(from);
  const auto* x = std::get_if<Definition::Apply>(&made.node);
  if (!x || x->op != scalars::Operation::Convert || !is_argument(x->operands.at(0), 0)) return;
  const std::int64_t above = std::int64_t{1} << (bits_of(from) - (is_signed(from) ? 1 : 0));
  out.push_back(both(less_equal(number(is_signed(from) ? -above : 0), t), less(t, number(above))));
}

void bounds_of(const Term& t, std::vector<Term>& out) {
  const auto* a = std::get_if<kernel::Apply>(&t.node);
  const auto* op = a && a->primitive ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
  if (op) bounds_of_widened(t, *a, *op, out);
  if (!op || a->operand != KType{} || a->arguments.size() != 2 || op->result(a->operand.scalar) != ScalarType::I64)
    return;
  const auto what = operation_of(op->definition(a->operand.scalar));
  const Term &x = *a->arguments[0], &y = *a->arguments[1];
  if (what == scalars::Operation::Remainder && (positive(y) || !constant_of(y))) {
    const Term other = less(y, number(1));
    out.push_back(either(other, both(less(subtract(number(0), y), t), less(t, y))));
    out.push_back(either(other, either(less(x, number(0)), less_equal(number(0), t))));
  }
  if (what == scalars::Operation::And)
    for (const Term* mask : {&x, &y})
      if (const auto n = positive(*mask)) out.push_back(both(less_equal(number(0), t), less_equal(t, number(*n))));
}

}  // namespace

std::vector<Term> of_operators(const Known& known, const Term& goal) {
  std::vector<Term> out;
  const auto each = [&](const Term& t) { each_expression(t, [&](const Term& e) { bounds_of(e, out); }); };
  each(goal);
  for (const Term& f : known.facts) each(f);
  return out;
}

namespace {

// Names and quotients that are factors in t.
void factors(const Term& t, std::vector<Term>& out) {
  const auto note = [&](const Term& f) {
    const auto* a = std::get_if<Arith>(&f.node);
    const bool atom = std::holds_alternative<Var>(f.node) || (a && a->op == ArithOp::Divide);
    if (atom && std::find(out.begin(), out.end(), f) == out.end()) out.push_back(f);
  };
  if (const auto* c = std::get_if<Choose>(&t.node)) {
    factors(*c->condition, out), factors(*c->then, out), factors(*c->otherwise, out);
    return;
  }
  const auto* a = std::get_if<Arith>(&t.node);
  if (!a) return;
  const bool product = a->op == ArithOp::Multiply || a->op == ArithOp::Divide || a->op == ArithOp::Modulo;
  if (product) note(*a->right);
  if (a->op == ArithOp::Multiply) note(*a->left);
  factors(*a->left, out), factors(*a->right, out);
}

// What t says is 0 or more: y - x - 1 of x < y.
std::vector<Term> naturals_of(const Term& t) {
  std::vector<Term> out;
  for (const Term& c : conjuncts(t)) {
    const auto* a = std::get_if<Arith>(&c.node);
    if (a && a->op == ArithOp::Less) out.push_back(subtract(subtract(*a->right, *a->left), number(1)));
    if (a && a->op == ArithOp::LessEqual) out.push_back(subtract(*a->right, *a->left));
  }
  return out;
}

}  // namespace

std::vector<Term> lemmas(const Known& known, const Term& goal) {
  std::vector<Term> by, natural, out;
  factors(goal, by);
  std::erase_if(by, [](const Term& t) { return mentions_data(t); });
  for (const auto& [name, extent] : known.ranges) {
    natural.push_back(subtract(subtract(extent, named(name)), number(1)));
    natural.push_back(named(name));
  }
  for (const Term& f : known.facts)
    for (Term& n : naturals_of(f)) natural.push_back(std::move(n));
  const std::vector<Instantiation> at_loads = instances(known, goal);
  constexpr std::size_t most = 48;
  for (const Term& m : by) {
    for (const Term& n : natural)
      if (out.size() < most) out.push_back(less_equal(number(0), multiply(n, m)));
    for (const Instantiation& i : at_loads)
      for (const Term& n : naturals_of(i.condition))
        if (out.size() < most) out.push_back(either(negation(i.inside), less_equal(number(0), multiply(n, m))));
  }
  return out;
}

}  // namespace lockstep::proofs::kernels

// Sizes as arguments are written, and numbers that are sizes, as in xs ! (n - 1): decided when the program is checked,
// as sizes in types are.
#include "semantics/functional/inference/sizes.h"

#include "semantics/functional/inference/expressions.h"
#include "semantics/functional/inference/literals.h"

namespace lockstep::inference {

using namespace surface;

namespace {

// Of 64 bits whatever its names stand for: an array is no longer than 2^56 (solve_sizes.cpp).
bool stays_small(const Size& s) {
  if (s.terms().size() > 8) return false;
  for (const SizeTerm& t : s.terms()) {
    const std::int64_t most = t.powers.empty() ? 1 << 30 : 16;
    if (t.coefficient < -most || t.coefficient > most || t.powers.size() > 1) return false;
    for (const auto& [atom, power] : t.powers)
      if (power > 1 || (atom.division && !(stays_small(atom.division->first) && stays_small(atom.division->second))))
        return false;
  }
  return true;
}

bool settled(const Work& w, const SizeFact& goal) {
  return w.context.proves(goal) || w.in.implied(w.context.facts(), goal);
}

}  // namespace

bool is_written_size(const Work& w, const Expr& e) {
  if (const auto* l = std::get_if<Literal>(&e.node)) return !l->suffix && is_whole(l->digits);
  if (const auto* n = std::get_if<surface::Name>(&e.node)) {
    const Binding* b = w.bindings.find(n->name);
    return b && std::holds_alternative<Size>(b->meaning);
  }
  const auto* outer = std::get_if<surface::Apply>(&e.node);
  const auto* inner = outer ? std::get_if<surface::Apply>(&outer->function->node) : nullptr;
  return inner && std::holds_alternative<Operator>(inner->function->node) && is_written_size(w, *inner->argument) &&
         is_written_size(w, *outer->argument);
}

Size size_argument(Work& w, const Expr& e) {
  if (const auto* n = std::get_if<surface::Name>(&e.node)) {
    if (const Binding* b = w.bindings.find(n->name)) {
      if (const auto* s = std::get_if<Size>(&b->meaning)) return *s;
      w.fail(e.region, n->name + " is a value", "a size: a number, a size name, or arithmetic on them",
             "sizes are known before the program runs; take " + n->name + " as a parameter (" + n->name + " : nat)");
    }
    named(w, n->name, e.region);
    w.fail(e.region, n->name + " is not a size", "a size");
  }
  if (const auto* l = std::get_if<Literal>(&e.node); l && !l->suffix && is_whole(l->digits)) {
    const auto n = number_value(l->digits);
    if (!n) w.fail(e.region, "the size " + l->digits + " does not fit 64 bits");
    return Size(*n);
  }
  const auto* outer = std::get_if<Apply>(&e.node);
  const auto* inner = outer ? std::get_if<Apply>(&outer->function->node) : nullptr;
  const auto* op = inner ? std::get_if<Operator>(&inner->function->node) : nullptr;
  if (op && (op->symbol == "+" || op->symbol == "-" || op->symbol == "*" || op->symbol == "/" || op->symbol == "%")) {
    const Size a = size_argument(w, *inner->argument), b = size_argument(w, *outer->argument);
    const char symbol = op->symbol[0];
    if (symbol == '-') w.require({b, SizeRelation::LessEqual, a}, e.region, "the subtraction of sizes");
    if (symbol == '/' || symbol == '%') {
      if (b == Size(0)) w.fail(e.region, "a size is divided by 0", "a divisor of at least 1");
      w.require({1, SizeRelation::LessEqual, b}, e.region, "the division of sizes");
    }
    const auto n = combined(symbol, a, b);
    if (!n) w.fail(e.region, "this size is too large to reason about", "coefficients below 2^63");
    return *n;
  }
  w.fail(e.region, "this is not a size", "a size: a number, a size name, or + - * / % of them");
}

// i64 arithmetic on numbers and sizes as the size that it gives. Sums and products agree modulo 2^64 whatever they are;
// a division needs its operands as they are, and natural: there it rounds as a size's does.
std::optional<Size> size_of_index(const Work& w, const Phrase& i) {
  if (const auto* n = as<NatPhrase>(i)) return n->size;
  if (!(data_of(i) == scalar(ScalarType::I64))) return {};
  if (const auto* l = as<LiteralPhrase>(i)) return Size(l->value.integer());
  const auto* x = as<PrimPhrase>(i);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  if (!op || !(x->types.at(0) == scalar(ScalarType::I64))) return {};
  if (op->gives == ScalarType::I64) return size_of_index(w, *x->arguments[0]);
  const char symbol = op->on_sizes;
  if (!symbol) return {};
  const auto a = size_of_index(w, *x->arguments[0]), b = size_of_index(w, *x->arguments[1]);
  if (!a || !b) return {};
  if ((symbol == '/' || symbol == '%') &&
      !(stays_small(*a) && stays_small(*b) && settled(w, {1, SizeRelation::LessEqual, *b}) &&
        settled(w, {0, SizeRelation::LessEqual, *a})))
    return {};
  return combined(symbol, *a, *b);
}

bool inside(Work& w, const Size& k, const Size& n, const Region& region) {
  const SizeFact ends[] = {{0, SizeRelation::LessEqual, k}, {k, SizeRelation::Less, n}};
  for (const SizeFact& f : ends)
    if (!settled(w, f)) return false;
  for (const SizeFact& f : ends)
    if (!w.context.proves(f)) w.require(f, region, "this index");
  return true;
}

}  // namespace lockstep::inference

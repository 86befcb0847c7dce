// Values and conditions of a kernel's integers (index_values.h). What a scalar operator gives is read off its
// definition (semantics/scalars), so that no operator is known by name; a name stands for a natural here, and a number
// that may be negative is the difference of two.
#include "translate/dpia/index_values.h"

#include <algorithm>
#include <cmath>

#include "semantics/core/size_limit.h"
#include "semantics/primitives/primitive.h"

namespace lockstep {

using namespace kernel;
using scalars::Definition;
using scalars::Operation;

namespace {

constexpr std::size_t most_facts = 24;
constexpr int most_choices = 3;

bool is_number(const KType& t) { return t.width == 1 && is_integer(t.scalar) && t.scalar != ScalarType::U64; }

// The least and the greatest number of an integer type below 64 bits.
std::pair<Size, Size> ends_of(ScalarType t) {
  const std::int64_t above = std::int64_t{1} << (bits_of(t) - (is_signed(t) ? 1 : 0));
  return {is_signed(t) ? Size(-above) : Size(0), Size(above - 1)};
}

SizeFact negated(const SizeFact& f) {
  switch (f.relation) {
    case SizeRelation::Equal:
      return {f.left, SizeRelation::NotEqual, f.right};
    case SizeRelation::NotEqual:
      return {f.left, SizeRelation::Equal, f.right};
    case SizeRelation::LessEqual:
      return {f.right, SizeRelation::Less, f.left};
    case SizeRelation::Less:
      return {f.right, SizeRelation::LessEqual, f.left};
  }
  throw Bug("size relation");
}

// Nothing where a coefficient would leave 64 bits.
template <class F>
std::optional<Size> sized(F f) try {
  return f();
} catch (const SizeTooLarge&) {
  return {};
}

}  // namespace

std::optional<std::int64_t> step_of(const Size& s, const std::string& name) {
  const Size start = substitute(s, {{name, Size(0)}});
  const auto step = (substitute(s, {{name, Size(1)}}) - start).constant();
  return step && s == start + Size(*step) * Size::name(name) ? step : std::nullopt;
}

IndexValues::IndexValues(const Program& p) {
  for (const SizeFact& f : p.facts) assume(f);
  for (const std::string& s : p.sizes) {
    now_.variables[s] = {{}, Size::name(s)};
    now_.limits.push_back(Size::name(s));
  }
  for (const auto* buffers : {&p.inputs, &p.outputs})
    for (const Buffer& b : *buffers) now_.limits.push_back(b.count);
  for (const Buffer& b : p.inputs) inputs_[b.name] = &b;
}

// ------------------------------------------------------------------------------------------------- names
Size IndexValues::below(const Size& end) {
  const Size out = fresh();
  now_.facts.range(*out.as_name(), end);
  return out;
}

Size IndexValues::unknown(ScalarType t) {
  if (t == ScalarType::I64) return fresh() - fresh();
  const auto [least, greatest] = ends_of(t);
  return below(greatest - least + Size(1)) + least;
}

IndexValues::Value IndexValues::read(const Load& l, ScalarType t) {
  const auto buffer = inputs_.find(l.buffer);
  const Value at = buffer == inputs_.end() ? std::nullopt : value(*l.index);
  if (!at) return unknown(t);
  for (const auto& [name, place, found] : now_.reads)
    if (name == l.buffer && place == *at) return found;
  const auto& bound = buffer->second->below;
  const Size out = bound ? below(*bound) : unknown(t);
  now_.reads.emplace_back(l.buffer, *at, out);
  return out;
}

// A name of which nothing is known.
bool IndexValues::is_any(const std::string& name) const {
  const auto& facts = now_.facts.facts();
  return name.starts_with('#') && !now_.facts.ranges().contains(name) && !choices_.contains(name) &&
         std::none_of(facts.begin(), facts.end(),
                      [&](const SizeFact& f) { return mentions(f.left, name) || mentions(f.right, name); });
}

// ------------------------------------------------------------------------------------------------- values
IndexValues::Value IndexValues::value(const Expr& e) {
  return is_number(e.type) ? sized([&] { return of_number(e); }) : std::nullopt;
}

IndexValues::Value IndexValues::of_number(const Expr& e) {
  return match(
      e.node, [](const Const& c) -> Value { return Size(c.value.integer()); },
      [&](const Var& v) -> Value {
        Variable& x = now_.variables.at(v.name);
        if (!x.value) x.value = unknown(e.type.scalar);
        return x.value;
      },
      [&](const Arith& a) -> Value {
        const Value x = value(*a.left), y = value(*a.right);
        if (!x || !y) return {};
        const bool divides = a.op == ArithOp::Divide || a.op == ArithOp::Modulo;
        if (divides && !at_most(1, *y)) return {};
        static constexpr std::string_view symbols = "+-*/%";
        return combined(symbols[static_cast<std::size_t>(a.op)], *x, *y);
      },
      [&](const Load& l) { return read(l, e.type.scalar); }, [](const VectorLoad&) { return Value(); },
      [&](const kernel::Apply& a) -> Value {
        const auto* op = a.primitive ? std::get_if<ScalarOp>(&a.primitive->kind) : nullptr;
        if (!op || a.operand.width != 1) return {};
        std::vector<Value> arguments;
        for (const ExprRef& x : a.arguments) arguments.push_back(value(*x));
        return of_definition(op->definition(a.operand.scalar), arguments);
      },
      [&](const Choose& c) -> Value {
        const auto condition = condition_of(*c.condition, true).fact;
        if (holds(*c.condition)) return value(*c.then);
        if (holds(*c.condition, false)) return value(*c.otherwise);
        return chosen(condition, value(*c.then), value(*c.otherwise));
      },
      [](const Lane&) { return Value(); }, [](const Build&) { return Value(); }, [](const Splat&) { return Value(); });
}

IndexValues::Value IndexValues::of_definition(const Definition& d, const std::vector<Value>& arguments) {
  if (!is_number({d.type, 1})) return {};
  return match(
      d.node, [&](const Definition::Argument& a) -> Value { return arguments.at(a.k); },
      [](const Definition::Constant& c) -> Value { return Size(c.value.integer()); },
      [&](const Definition::Apply& a) { return of_operation(d, a, arguments); },
      [&](const Definition::Choice& c) -> Value {
        std::optional<SizeFact> condition;
        if (const auto* a = std::get_if<Definition::Apply>(&c.operands[0].node); a && a->operands.size() == 2) {
          const Value x = of_definition(a->operands[0], arguments), y = of_definition(a->operands[1], arguments);
          if (x && y && a->op == Operation::Equal) condition = {*x, SizeRelation::Equal, *y};
          if (x && y && a->op == Operation::Less) condition = {*x, SizeRelation::Less, *y};
          if (x && y && a->op == Operation::LessEqual) condition = {*x, SizeRelation::LessEqual, *y};
          if (x && y && a->op == Operation::Greater) condition = {*y, SizeRelation::Less, *x};
          if (x && y && a->op == Operation::GreaterEqual) condition = {*y, SizeRelation::LessEqual, *x};
        }
        if (!condition) return {};
        if (proves(*condition)) return of_definition(c.operands[1], arguments);
        if (proves(negated(*condition))) return of_definition(c.operands[2], arguments);
        return chosen(condition, of_definition(c.operands[1], arguments), of_definition(c.operands[2], arguments));
      },
      [](const Definition::Library&) { return Value(); });
}

IndexValues::Value IndexValues::of_operation(const Definition& d, const Definition::Apply& a,
                                             const std::vector<Value>& arguments) {
  const Value x = of_definition(a.operands.at(0), arguments);
  const Value y = a.operands.size() > 1 ? of_definition(a.operands[1], arguments) : Value();
  const auto exact = [&](char symbol) -> Value {
    const Value r = x && y ? combined(symbol, *x, *y) : std::nullopt;
    return r ? wrapped(*r, d.type) : std::nullopt;
  };
  const auto naturals = [&] { return x && y && at_most(1, *y) && at_most(0, *x); };
  if (a.op == Operation::Add) return exact('+');
  if (a.op == Operation::Subtract) return exact('-');
  if (a.op == Operation::Multiply) return exact('*');
  if (a.op == Operation::Divide) return naturals() ? combined('/', *x, *y) : std::nullopt;
  if (a.op == Operation::Remainder) {
    if (naturals()) return combined('%', *x, *y);
    return y && at_most(1, *y) ? Value(below(*y) - below(*y)) : Value();
  }
  if (a.op == Operation::And) {
    for (const Value& mask : {x, y})
      if (mask && mask->constant() && *mask->constant() >= 0) return below(*mask + Size(1));
    return {};
  }
  if (a.op == Operation::Negate) return x ? wrapped(Size(0) - *x, d.type) : std::nullopt;
  if (a.op == Operation::Convert) return x ? wrapped(*x, d.type) : std::nullopt;
  return {};  // of bits, or no integer
}

// The greatest number that a sum of multiples of sizes and variables of loops is, roughly: a size is 2^56 at most.
std::optional<double> IndexValues::greatest(const Size& s) const {
  std::set<std::string> names;
  collect_names(s, names);
  Size rest = s;
  double out = 0;
  for (const std::string& name : names) {
    const auto step = step_of(rest, name);
    if (!step) return {};
    rest = substitute(rest, {{name, Size(0)}});
    if (*step <= 0) continue;
    const auto range = now_.facts.ranges().find(name);
    const auto most = !name.starts_with('#')               ? std::optional(static_cast<double>(largest_size))
                      : range != now_.facts.ranges().end() ? greatest(range->second)
                                                           : std::nullopt;
    if (!most) return {};
    out += static_cast<double>(*step) * *most;
  }
  return out + static_cast<double>(rest.constant().value_or(0));
}

bool IndexValues::within(const Size& exact, ScalarType t) const {
  std::set<std::string> names;
  collect_names(exact, names);
  if (std::any_of(names.begin(), names.end(), [&](const std::string& n) { return is_any(n); })) return false;
  if (t != ScalarType::I64) {
    const auto [least, greatest] = ends_of(t);
    return at_most(least, exact) && at_most(exact, greatest);
  }
  constexpr std::int64_t half = std::int64_t{1} << 62;
  const auto above = [&](const Size& s) {
    return greatest(s).value_or(INFINITY) <= static_cast<double>(half) || at_most(s, half) ||
           std::any_of(now_.limits.begin(), now_.limits.end(), [&](const Size& l) { return at_most(s, l); });
  };
  return (at_most(0, exact) || above(Size(0) - exact)) && above(exact);
}

IndexValues::Value IndexValues::wrapped(const Size& exact, ScalarType t) const {
  return within(exact, t) ? Value(exact) : Value();
}

IndexValues::Value IndexValues::chosen(const std::optional<SizeFact>& condition, const Value& then,
                                       const Value& otherwise) {
  if (!then || !otherwise) return {};
  if (*then == *otherwise) return then;
  const bool natural = at_most(0, *then) && at_most(0, *otherwise);
  const Size name = fresh(), less = natural ? Size(0) : fresh();
  Choice c{condition, {}, *then + less, *otherwise + less};
  if (condition) c.otherwise = negated(*condition);
  choices_.emplace(*name.as_name(), std::move(c));
  return name - less;
}

// ------------------------------------------------------------------------------------------------- conditions
IndexValues::Condition IndexValues::condition_of(const Expr& e, bool truth) {
  const auto fact = [&](SizeRelation relation, const Expr& a, const Expr& b) -> Condition {
    const Value x = value(a), y = value(b);
    if (!x || !y) return {};
    const SizeFact f{*x, relation, *y};
    return {truth ? f : negated(f), {}, false};
  };
  // Both true: each of them, or both not true: one of them.
  const auto parts = [](const Expr& a, const Expr& b, bool value, bool any) {
    return Condition{{}, {{&a, value}, {&b, value}}, any};
  };
  if (const auto* a = std::get_if<Arith>(&e.node)) {
    if (a->op == ArithOp::And) return parts(*a->left, *a->right, truth, !truth);
    if (a->op == ArithOp::Less) return fact(SizeRelation::Less, *a->left, *a->right);
    if (a->op == ArithOp::LessEqual) return fact(SizeRelation::LessEqual, *a->left, *a->right);
    if (a->op == ArithOp::Equal) return fact(SizeRelation::Equal, *a->left, *a->right);
  } else if (const auto* x = std::get_if<kernel::Apply>(&e.node)) {
    const auto* op = x->primitive ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
    if (!op || x->operand.width != 1) return {};
    const Expr &left = *x->arguments.at(0), &right = *x->arguments.back();
    if (op->decided_by) return parts(left, right, truth, *op->decided_by == truth);
    if (op->negates) return {{}, {{&left, !truth}}, false};
    if (!op->compares || !is_number(x->operand)) return {};
    const auto relation = op->compares->relation;
    const bool swapped = op->compares->swapped;
    const auto relate = [&](SizeRelation r) { return fact(r, swapped ? right : left, swapped ? left : right); };
    switch (relation) {
      case Comparison::Equal:
        return relate(SizeRelation::Equal);
      case Comparison::NotEqual:
        return relate(SizeRelation::NotEqual);
      case Comparison::Less:
        return relate(SizeRelation::Less);
      case Comparison::LessEqual:
        return relate(SizeRelation::LessEqual);
    }
  } else if (const auto* c = std::get_if<Choose>(&e.node)) {
    const auto* then = std::get_if<Const>(&c->then->node);
    const auto* otherwise = std::get_if<Const>(&c->otherwise->node);
    if (then && otherwise && then->value.bits != otherwise->value.bits)
      return {{}, {{&*c->condition, truth == (then->value.bits != 0)}}, false};
  } else if (const auto* k = std::get_if<Const>(&e.node)) {
    return {SizeFact{Size((k->value.bits != 0) == truth ? 0 : 1), SizeRelation::Equal, 0}, {}, false};
  }
  return {};
}

bool IndexValues::holds(const Expr& condition, bool truth) {
  const Condition c = condition_of(condition, truth);
  if (c.fact) return proves(*c.fact);
  const auto part_holds = [&](const auto& part) { return holds(*part.first, part.second); };
  if (c.any) return std::any_of(c.parts.begin(), c.parts.end(), part_holds);
  return !c.parts.empty() && std::all_of(c.parts.begin(), c.parts.end(), part_holds);
}

std::optional<std::vector<SizeFact>> IndexValues::facts_of(const Expr& condition) {
  const auto all = [&](const auto& self, const Expr& e, bool truth) -> std::optional<std::vector<SizeFact>> {
    const Condition c = condition_of(e, truth);
    if (c.fact) return std::vector{*c.fact};
    if (c.any || c.parts.empty()) return {};
    std::vector<SizeFact> out;
    for (const auto& [part, value] : c.parts) {
      const auto more = self(self, *part, value);
      if (!more) return {};
      out.insert(out.end(), more->begin(), more->end());
    }
    return out;
  };
  return all(all, condition, true);
}

void IndexValues::suppose(const Expr& condition, bool truth) {
  const Condition c = condition_of(condition, truth);
  if (c.fact && now_.facts.facts().size() < most_facts) assume(*c.fact);
  if (!c.any)
    for (const auto& [part, value] : c.parts) suppose(*part, value);
}

bool IndexValues::is_unreachable() const {
  const auto& facts = now_.facts.facts();
  return std::any_of(facts.begin(), facts.end(), [&](const SizeFact& f) { return proves(negated(f)); });
}

// An expression's value is asked for with that of each around it: so is the same fact, again and again. A name's range
// or choice is there before anything is asked of it.
bool IndexValues::proves(const SizeFact& goal) const {
  const auto [at, is_new] = now_.asked.try_emplace(goal, false);
  if (is_new) at->second = proves(now_.facts, goal, most_choices);
  return at->second;
}

// Of a name that stands for one of two values: whichever of them it is.
bool IndexValues::proves(const SizeContext& known, const SizeFact& goal, int splits) const try {
  if (known.proves(goal)) return true;
  if (splits == 0) return false;
  std::set<std::string> names;
  collect_names(goal.left, names), collect_names(goal.right, names);
  for (const std::string& name : names) {
    const auto choice = choices_.find(name);
    if (choice == choices_.end()) continue;
    const auto with = [&](const Size& value, const std::optional<SizeFact>& condition) {
      const SizeSubstitution by{{name, value}};
      SizeContext inner;
      for (const auto& [other, end] : known.ranges()) inner.range(other, substitute(end, by));
      for (const SizeFact& f : known.facts()) inner.assume(substitute(f, by));
      if (condition) inner.assume(substitute(*condition, by));
      return proves(inner, substitute(goal, by), splits - 1);
    };
    return with(choice->second.then, choice->second.condition) && with(choice->second.other, choice->second.otherwise);
  }
  return false;
} catch (const SizeTooLarge&) {
  return false;
}

// ------------------------------------------------------------------------------------------------- statements
void IndexValues::declare(const std::string& name, const KType& type, const std::optional<Expr>& init) {
  const Value start = init ? value(*init) : std::nullopt;
  now_.variables.insert_or_assign(name, Variable{type, start});
}

void IndexValues::assign(const std::string& name, const Expr& e) {
  const Value now = value(e);
  now_.variables.at(name).value = now;
}

void IndexValues::enter_loop(const std::string& variable, const Expr& extent) {
  const Value end = value(extent);
  if (end) now_.limits.push_back(*end), assume({1, SizeRelation::LessEqual, *end});
  now_.variables.insert_or_assign(variable, Variable{{}, end ? below(*end) : fresh()});
}

void IndexValues::forget(const std::set<std::string>& assigned) {
  for (const std::string& name : assigned)
    if (const auto v = now_.variables.find(name); v != now_.variables.end()) v->second.value.reset();
}

void IndexValues::fits(const Expr& count) {
  if (const Value n = value(count)) now_.limits.push_back(*n);
}

void IndexValues::leave_block(const Variables& outer, const std::set<std::string>& declared) {
  for (const std::string& name : declared) {
    now_.variables.erase(name);
    if (const auto hidden = outer.find(name); hidden != outer.end())
      now_.variables.insert_or_assign(name, Variable{hidden->second.type, {}});
  }
}

}  // namespace lockstep

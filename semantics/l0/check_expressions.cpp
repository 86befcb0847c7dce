// Types of expressions but for array operations with functions.
#include <algorithm>

#include "semantics/l0/checker.h"
#include "semantics/l0/operators.h"

namespace lockstep::l0::checking {

Expr Checker::expression(const Expr& e) {
  Made made = match(e.node, [&](const auto& node) { return make(node, e.region); });
  return {std::move(made.node), e.region, {std::move(made.type)}};
}

std::vector<ExprRef> Checker::all(const std::vector<ExprRef>& items) {
  std::vector<ExprRef> out;
  for (const ExprRef& item : items) out.emplace_back(expression(*item));
  return out;
}

Checker::Made Checker::make(const Literal& l, const Region&) { return {l, scalar(l.value.type)}; }
Checker::Made Checker::make(const TextLiteral& t, const Region&) { return {t, array_of(char_type)}; }
Checker::Made Checker::make(const Variable& v, const Region& at) { return {v, variable(v.name, at)}; }

Checker::Made Checker::make(const TupleExpr& t, const Region&) {
  std::vector<ExprRef> items = all(t.items);
  std::vector<Type> types;
  for (const ExprRef& item : items) types.push_back(item->type.value);
  return {TupleExpr{std::move(items)}, {TupleType{std::move(types)}}};
}

Checker::Made Checker::make(const ArrayExpr& a, const Region&) {
  std::vector<ExprRef> items = all(a.items);
  const Type first = items[0]->type.value;
  for (const ExprRef& item : items)
    if (!fits(item->type.value, first)) {
      mismatch(item->region, "this element", item->type.value, show(first) + ", as the first has", "");
      break;
    }
  return {ArrayExpr{std::move(items)}, array_of(first)};
}

Checker::Made Checker::make(const PrefixExpr& p, const Region& at) {
  Expr operand = expression(*p.operand);
  const Type& t = operand.type.value;
  const ScalarType* s = as<ScalarType>(t);
  const auto result = s ? result_of(p.op, *s) : std::nullopt;
  if (!result && !is_unknown(t))
    mismatch(at, std::string("the operand of `") + (p.op == Prefix::Not ? "not" : "~") + "`", t,
             p.op == Prefix::Not ? "bool" : "int or real");
  return {PrefixExpr{p.op, std::move(operand)}, result ? scalar(*result) : unknown};
}

Type Checker::infix(Infix op, const Type& left, const Type& right, const Region& at) {
  if (is_unknown(left) || is_unknown(right)) return op >= Infix::Eq && op <= Infix::Ge ? bool_type : unknown;
  const ScalarType* s = as<ScalarType>(left);
  const auto result = s && fits(left, right) ? result_of(op, *s) : std::nullopt;
  if (result) return scalar(*result);
  const bool mixed = (is(left, ScalarType::I64) && is(right, ScalarType::F64)) ||
                     (is(left, ScalarType::F64) && is(right, ScalarType::I64));
  report(at,
         "the operands of `" + std::string(row_of(op).symbol) + "` have types " + show(left) + " and " + show(right),
         operands_of(op), mixed ? "`toReal(n)` converts an int, and a literal is written 1.0" : "");
  return unknown;
}

Checker::Made Checker::make(const InfixExpr& i, const Region& at) {
  Expr left = expression(*i.left), right = expression(*i.right);
  Type t = infix(i.op, left.type.value, right.type.value, at);
  return {InfixExpr{i.op, std::move(left), std::move(right)}, std::move(t)};
}

Checker::Made Checker::make(const IfExpr& i, const Region& at) {
  Expr condition = expression(*i.condition), yes = expression(*i.yes), no = expression(*i.no);
  expect(condition, bool_type, "the condition");
  Type t = is_unknown(yes.type.value) ? no.type.value : yes.type.value;
  if (!fits(yes.type.value, no.type.value))
    report(at, "the branches have types " + show(yes.type.value) + " and " + show(no.type.value), "one type");
  return {IfExpr{std::move(condition), std::move(yes), std::move(no)}, std::move(t)};
}

Checker::Made Checker::make(const BlockExpr& b, const Region&) {
  const Inside inside(scope_);
  std::vector<Binding> bindings;
  for (const Binding& x : b.bindings) bindings.push_back(binding(x));
  Expr result = expression(*b.result);
  Type t = result.type.value;
  return {BlockExpr{std::move(bindings), std::move(result)}, std::move(t)};
}

Binding Checker::binding(const Binding& b) {
  return match(b.node, [&](const auto& x) { return Binding{define(x, b.region), b.region}; });
}

LetBinding Checker::define(const LetBinding& b, const Region&) {
  Expr value = expression(*b.value);
  Pattern p = bind(b.pattern, value.type.value);
  return {std::move(p), std::move(value)};
}

UpdateBinding Checker::define(const UpdateBinding& b, const Region& at) {
  const Type array = variable(b.source, b.source_region);
  std::vector<ExprRef> indices = all(b.indices);
  Expr value = expression(*b.value);
  expect(value, indexed(b.source, array, indices, at), "the new value");
  bind(b.name, array);
  return {b.name, b.source, b.name_region, b.source_region, std::move(indices), std::move(value), {array}};
}

LoopBinding Checker::define(const LoopBinding& b, const Region&) {
  Expr init = expression(*b.init), bound = expression(*b.bound);
  expect(bound, int_type, "the number of rounds");
  std::optional<Expr> step;
  {
    const Inside inside(scope_);
    bind(b.merge, init.type.value);
    bind(b.index, int_type);
    step = expression(*b.step);
  }
  if (!fits(step->type.value, init.type.value))
    mismatch(step->region, "what a round gives", step->type.value, show(init.type.value) + ", as the loop starts with");
  Pattern merge = bind(b.merge, init.type.value);
  return {std::move(merge), std::move(init), b.index, b.index_region, std::move(bound), std::move(*step)};
}

void Checker::check_indices(const std::vector<ExprRef>& indices) {
  for (const ExprRef& i : indices) expect(*i, int_type, "an index");
}

Type Checker::indexed(const std::string& array, const Type& type, const std::vector<ExprRef>& indices,
                      const Region& at) {
  check_indices(indices);
  const Type* left = &type;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (is_unknown(*left)) return unknown;
    const Type* inner = element_of(*left);
    if (!inner) {
      report(at,
             "`" + array + "` of type " + show(type) + " is given " + std::to_string(indices.size()) +
                 (indices.size() == 1 ? " index" : " indices"),
             k == 0 ? "an array" : "at most " + std::to_string(k),
             as<TupleType>(*left) && k > 0
                 ? "an element that is a tuple is taken apart by a pattern: `let (x, y) = a[i] in …`"
                 : "");
      return unknown;
    }
    left = inner;
  }
  return *left;
}

Checker::Made Checker::make(const IndexExpr& i, const Region& at) {
  const Type array = variable(i.array, i.array_region);
  std::vector<ExprRef> indices = all(i.indices);
  Type t = indexed(i.array, array, indices, at);
  return {IndexExpr{i.array, i.array_region, std::move(indices)}, std::move(t)};
}

Checker::Made Checker::make(const CallExpr& c, const Region& at) {
  std::vector<ExprRef> arguments = all(c.arguments);
  std::vector<Type> types;
  std::vector<Region> places;
  for (const ExprRef& a : arguments) types.push_back(a->type.value), places.push_back(a->region);
  Type t = call(c.function, types, places, at);
  return {CallExpr{c.function, std::move(arguments)}, std::move(t)};
}

Type Checker::element(const Expr& array, const std::string& what) {
  const Type& t = array.type.value;
  if (const Type* e = element_of(t)) return *e;
  if (!is_unknown(t)) mismatch(array.region, what, t, "an array");
  return unknown;
}

Checker::Made Checker::make(const BuiltInExpr& b, const Region& at) {
  std::vector<ExprRef> arguments = all(b.arguments);
  Type t = built_in(b.op, arguments, at);
  return {BuiltInExpr{b.op, std::move(arguments)}, std::move(t)};
}

Type Checker::built_in(BuiltIn op, const std::vector<ExprRef>& x, const Region& at) {
  const std::string name(name_of(op)), argument = "the argument of `" + name + "`";
  std::vector<Type> elements;
  switch (op) {
    case BuiltIn::Zip:
    case BuiltIn::AssertZip:
      for (const ExprRef& a : x) elements.push_back(element(*a, "an argument of `" + name + "`"));
      return op == BuiltIn::AssertZip ? bool_type : array_of({TupleType{std::move(elements)}});
    case BuiltIn::Unzip: {
      const Type e = element(*x[0], argument);
      if (is_unknown(e)) return unknown;
      const auto* tuple = as<TupleType>(e);
      if (!tuple) return mismatch(at, argument, x[0]->type.value, "an array of tuples"), unknown;
      for (const Type& item : tuple->items) elements.push_back(array_of(item));
      return {TupleType{std::move(elements)}};
    }
    case BuiltIn::Iota:
      expect(*x[0], int_type, argument);
      return array_of(int_type);
    case BuiltIn::Size:
      element(*x[0], argument);
      return int_type;
    case BuiltIn::Transpose: {
      const Type e = element(*x[0], argument);
      if (!is_unknown(e) && !as<ArrayType>(e))
        return mismatch(at, argument, x[0]->type.value, "an array of arrays"), unknown;
      return x[0]->type.value;
    }
    case BuiltIn::Copy:
      return x[0]->type.value;
    case BuiltIn::Replicate:
      expect(*x[0], int_type, "how often `replicate` repeats");
      return array_of(x[1]->type.value);
    case BuiltIn::Split:
      expect(*x[0], int_type, "where `split` cuts");
      element(*x[1], "what `split` cuts");
      return {TupleType{{x[1]->type.value, x[1]->type.value}}};
    case BuiltIn::Concat:
      for (const ExprRef& a : x) element(*a, "an argument of `concat`");
      if (!fits(x[0]->type.value, x[1]->type.value))
        report(at, "the arguments of `concat` have types " + show(x[0]->type.value) + " and " + show(x[1]->type.value),
               "one type");
      return x[0]->type.value;
  }
  throw Bug("a built-in of no kind");
}

Checker::Made Checker::make(const ShiftExpr& s, const Region& at) {
  Expr array = expression(*s.array);
  const Type t = array.type.value;
  std::int64_t rank = 0;
  for (const Type* e = &t; (e = element_of(*e));) ++rank;
  if (!is_unknown(t) &&
      (s.dimension < 1 || s.dimension > rank || s.dimension + s.places < 1 || s.dimension + s.places > rank))
    report(at,
           "dimension " + std::to_string(s.dimension) + " of an array of type " + show(t) + " cannot move by " +
               std::to_string(s.places) + " places",
           "from and to one of the dimensions 1 to " + std::to_string(rank));
  return {ShiftExpr{s.dimension, s.places, std::move(array)}, t};
}

Checker::Made Checker::make(const FlattenExpr& f, const Region& at) {
  Expr array = expression(*f.array);
  Type t = array.type.value;
  for (std::int64_t k = 1; k < f.dimensions && !is_unknown(t); ++k) {
    const Type* e = element_of(t);
    if (!e || !as<ArrayType>(*e)) {
      report(at,
             "an array of type " + show(array.type.value) + " has no " + std::to_string(f.dimensions) +
                 " dimensions to join",
             "fewer dimensions");
      t = unknown;
      break;
    }
    t = Type(*e);
  }
  if (f.dimensions < 1) report(at, "no dimensions are joined", "1 dimension or more");
  return {FlattenExpr{f.dimensions, std::move(array)}, std::move(t)};
}

Checker::Made Checker::make(const SoacExpr& s, const Region& at) {
  SoacExpr out{s.op, s.functions, all(s.arguments)};
  Type t = soac(out, at);
  return {std::move(out), std::move(t)};
}

}  // namespace lockstep::l0::checking

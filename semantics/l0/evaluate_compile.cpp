// Expressions of L0 to closures, but for array operations with functions.
#include <algorithm>

#include "semantics/l0/evaluator.h"
#include "semantics/l0/operators.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/words.h"

namespace lockstep::l0::evaluating {

std::size_t slot_of(const Names& names, const std::string& name) {
  for (const Name* n = names.get(); n; n = n->outer.get())
    if (n->name == name) return n->slot;
  throw Bug("the variable " + name + " is not bound");
}

// The body is set after the function can be found, as it may call itself.
const Compiled& Compiler::function(const Function& f) {
  auto& found = functions_[f.name];
  if (found) return *found;
  found = std::make_unique<Compiled>(Compiled{&f, 0, {}});
  Compiled& compiled = *found;
  const std::size_t slots = std::exchange(slots_, 0);
  const Function* current = std::exchange(current_, &f);
  Names names;
  for (const Parameter& p : f.parameters) names = bind(names, p.name);
  compiled.body = code(*f.body, names, true);
  compiled.slots = std::exchange(slots_, slots);
  current_ = current;
  return compiled;
}

Names Compiler::bind(const Names& names, const std::string& name) {
  return std::make_shared<const Name>(Name{name, slots_++, names});
}

Code Compiler::code(const Expr& e, const Names& names, bool last) {
  return match(e.node, [&](const auto& node) { return make(node, e, names, last); });
}

std::vector<Code> Compiler::codes(const std::vector<ExprRef>& items, const Names& names) {
  std::vector<Code> out;
  for (const ExprRef& item : items) out.push_back(code(*item, names));
  return out;
}

namespace {

Values values_of(const std::vector<Code>& codes, Frame& f) {
  Values out;
  out.reserve(codes.size());
  for (const Code& c : codes) out.push_back(c(f));
  return out;
}

std::vector<std::int64_t> ints_of(const std::vector<Code>& codes, Frame& f) {
  std::vector<std::int64_t> out;
  for (const Code& c : codes) out.push_back(as_scalar(c(f)).integer());
  return out;
}

Scalar literal_in(const Scalar& s, const Domain& domain) {
  return s.type == ScalarType::F64 ? domain.from_ieee(s.type, s.ieee()) : s;
}

}  // namespace

Code Compiler::make(const Literal& l, const Expr&, const Names&, bool) {
  return [s = l.value](Frame& f) -> Value { return {literal_in(s, f.machine.domain())}; };
}

Code Compiler::make(const TextLiteral& t, const Expr&, const Names&, bool) {
  return [bytes = t.text](Frame& f) {
    f.machine.spend_beside(static_cast<std::int64_t>(bytes.size()));
    f.machine.counts.allocated += static_cast<std::int64_t>(bytes.size());
    return text_value(bytes);
  };
}

Code Compiler::make(const Variable& v, const Expr&, const Names& names, bool) {
  return [slot = slot_of(names, v.name)](Frame& f) { return f.slots[slot]; };
}

Code Compiler::make(const TupleExpr& t, const Expr&, const Names& names, bool) {
  return [items = codes(t.items, names)](Frame& f) { return tuple_value(values_of(items, f)); };
}

Code Compiler::make(const ArrayExpr& a, const Expr& e, const Names& names, bool) {
  return [items = codes(a.items, names), type = *element_of(e.type.value), at = e.region](Frame& f) {
    Gathering all(type);
    for (const Code& item : items)
      if (const auto wrong = all.add(item(f))) trap("{}", "irregular: " + *wrong, at);
    Value made = all.finish();
    f.machine.spend_beside(static_cast<std::int64_t>(items.size()));
    f.machine.gathered(made);
    return made;
  };
}

Code Compiler::make(const PrefixExpr& p, const Expr& e, const Names& names, bool) {
  return [op = p.op, operand = code(*p.operand, names), at = e.region](Frame& f) -> Value {
    const Scalar x = as_scalar(operand(f));
    f.machine.spend(1);
    return {apply(op, x, at, f.machine.domain())};
  };
}

Code Compiler::make(const InfixExpr& i, const Expr& e, const Names& names, bool) {
  Code left = code(*i.left, names), right = code(*i.right, names);
  if (i.op == Infix::And || i.op == Infix::Or)
    return [decided = i.op == Infix::Or, left = std::move(left), right = std::move(right)](Frame& f) {
      Value x = left(f);
      f.machine.spend(1);
      return (as_scalar(x).bits != 0) == decided ? x : right(f);
    };
  return [op = i.op, left = std::move(left), right = std::move(right), at = e.region](Frame& f) -> Value {
    const Scalar x = as_scalar(left(f)), y = as_scalar(right(f));
    f.machine.spend(1);
    return {apply(op, x, y, at, f.machine.domain())};
  };
}

Code Compiler::make(const IfExpr& i, const Expr&, const Names& names, bool last) {
  return [condition = code(*i.condition, names), yes = code(*i.yes, names, last),
          no = code(*i.no, names, last)](Frame& f) { return as_scalar(condition(f)).bits != 0 ? yes(f) : no(f); };
}

Code Compiler::make(const BlockExpr& b, const Expr&, const Names& names, bool last) {
  Names inside = names;
  std::vector<Done> bindings;
  for (const Binding& x : b.bindings)
    bindings.push_back(match(x.node, [&](const auto& node) { return define(node, x.region, inside); }));
  return [bindings = std::move(bindings), result = code(*b.result, inside, last)](Frame& f) {
    for (const Done& binding : bindings) binding(f);
    return result(f);
  };
}

Compiler::Binder Compiler::binder(const Pattern& p, Names& names) {
  return match(
      p.node,
      [&](const NamePattern& n) -> Binder {
        if (n.name == "_") return [](Frame&, const Value&) {};
        names = bind(names, n.name);
        return [slot = names->slot](Frame& f, const Value& v) { f.slots[slot] = v; };
      },
      [&](const TuplePattern& t) -> Binder {
        std::vector<Binder> parts;
        for (const Pattern& part : t.items) parts.push_back(binder(part, names));
        return [parts = std::move(parts)](Frame& f, const Value& v) {
          for (std::size_t k = 0; k < parts.size(); ++k) parts[k](f, as_tuple(v)[k]);
        };
      });
}

Compiler::Done Compiler::define(const LetBinding& b, const Region&, Names& names) {
  Code value = code(*b.value, names);
  return [value = std::move(value), bind = binder(b.pattern, names)](Frame& f) { bind(f, value(f)); };
}

// What is consumed is nobody's from then on: the slots let go of it, so that it is updated where it is.
Compiler::Done Compiler::define(const UpdateBinding& b, const Region& at, Names& names) {
  const std::size_t source = slot_of(names, b.source);
  std::vector<Code> indices = codes(b.indices, names);
  Code value = code(*b.value, names);
  names = bind(names, b.name);
  return [=, indices = std::move(indices), value = std::move(value), target = names->slot](Frame& f) {
    const std::vector<std::int64_t> place = ints_of(indices, f);
    const Value inserted = value(f);
    f.machine.spend_beside(static_cast<std::int64_t>(place.size()) + scalar_count(inserted));
    f.slots[target] = {};
    Value array = std::exchange(f.slots[source], {});
    f.slots[target] = updated(std::move(array), place, inserted, f.machine.how.poisons, at);
  };
}

Compiler::Done Compiler::define(const LoopBinding& b, const Region&, Names& names) {
  Code init = code(*b.init, names), bound = code(*b.bound, names);
  Names inside = names;
  const Binder merge = binder(b.merge, inside);
  inside = bind(inside, b.index);
  const std::size_t index = inside->slot;
  Code step = code(*b.step, inside);
  const Binder after = binder(b.merge, names);
  return [=, init = std::move(init), bound = std::move(bound), step = std::move(step)](Frame& f) {
    Value p = init(f);
    const std::int64_t n = as_scalar(bound(f)).integer();
    f.machine.spend(1);
    for (std::int64_t i = 0; i < n; ++i) {
      merge(f, std::exchange(p, {}));
      f.slots[index] = int_value(i);
      p = step(f);
      f.machine.spend(1);
    }
    after(f, p);
  };
}

Code Compiler::make(const IndexExpr& i, const Expr& e, const Names& names, bool) {
  return [slot = slot_of(names, i.array), indices = codes(i.indices, names), name = i.array, at = e.region](Frame& f) {
    const std::vector<std::int64_t> place = ints_of(indices, f);
    f.machine.spend(1);
    return indexed(f.slots[slot], place, name, at);
  };
}

Code Compiler::make(const CallExpr& c, const Expr& e, const Names& names, bool last) {
  std::vector<Code> arguments = codes(c.arguments, names);
  const Function* f = function_named(program_, c.function);
  if (!f) {
    const ScalarFunction& s = *scalar_function_named(c.function);
    return [&s, arguments = std::move(arguments), at = e.region](Frame& frame) -> Value {
      std::vector<Scalar> x;
      for (const Code& a : arguments) x.push_back(as_scalar(a(frame)));
      frame.machine.spend(1);
      return {apply(s, x, at, frame.machine.domain())};
    };
  }
  if (last && f == current_)
    return [arguments = std::move(arguments)](Frame& frame) {
      frame.again = values_of(arguments, frame);
      return Value{};
    };
  return [&called = function(*f), arguments = std::move(arguments), at = e.region](Frame& frame) {
    return call(frame.machine, called, values_of(arguments, frame), at);
  };
}

Code Compiler::make(const BuiltInExpr& b, const Expr& e, const Names& names, bool) {
  return [op = b.op, arguments = codes(b.arguments, names), at = e.region](Frame& f) -> Value {
    Values x = values_of(arguments, f);
    Machine& m = f.machine;
    const auto fresh = [&](Value made, std::int64_t least = 0) {
      m.spend_beside(std::max(least, scalar_count(made)));
      m.allocated(made);
      return made;
    };
    const auto one = [&](Value made) { return m.look(), made; };
    switch (op) {
      case BuiltIn::Zip:
        check_lengths("zip", x, at);
        return one(tuple_value(std::move(x)));
      case BuiltIn::AssertZip:
        check_lengths("assertZip", x, at);
        return one({make_bool(true)});
      case BuiltIn::Unzip:
        return one(x[0]);
      case BuiltIn::Iota:
        m.may_make(as_scalar(x[0]).integer(), 1);
        return fresh(iota(as_scalar(x[0]).integer(), at));
      case BuiltIn::Size:
        return one(int_value(length_of(x[0])));
      case BuiltIn::Transpose: {
        Value made = transposed(x[0]);
        m.allocated(made);
        return one(std::move(made));
      }
      case BuiltIn::Copy:
        return fresh(copied(x[0]));
      case BuiltIn::Replicate:
        m.may_make(as_scalar(x[0]).integer(), scalar_count(x[1]));
        return fresh(replicate(as_scalar(x[0]).integer(), x[1], at), as_scalar(x[0]).integer());
      case BuiltIn::Split: {
        const std::int64_t k = as_scalar(x[0]).integer(), n = length_of(x[1]);
        if (k < 0 || k > n)
          trap("split", "cut at " + std::to_string(k) + ", outside an array of " + std::to_string(n), at);
        return one(tuple_value({first_rows(x[1], 0, k), first_rows(x[1], k, n)}));
      }
      case BuiltIn::Concat:
        return fresh(concatenated(x[0], x[1], at));
    }
    throw Bug("a built-in of no kind");
  };
}

Code Compiler::make(const ShiftExpr& s, const Expr&, const Names& names, bool) {
  return [dimension = s.dimension, places = s.places, array = code(*s.array, names)](Frame& f) {
    f.machine.look();
    Value made = shifted(array(f), dimension, places);
    f.machine.allocated(made);
    return made;
  };
}

Code Compiler::make(const FlattenExpr& s, const Expr&, const Names& names, bool) {
  return [dimensions = s.dimensions, array = code(*s.array, names)](Frame& f) {
    f.machine.look();
    return flattened(array(f), dimensions);
  };
}

}  // namespace lockstep::l0::evaluating

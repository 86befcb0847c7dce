// Array operations with functions: map, filter, reduce, scan and redomap, of one array or of several.
#include <algorithm>
#include <bit>

#include "semantics/l0/check.h"
#include "semantics/l0/evaluator.h"
#include "semantics/l0/operators.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/words.h"

namespace lockstep::l0::evaluating {
namespace {

bool is_plain(Soac op) { return !soac_words[op].core || op == Soac::Redomap; }  // of one array, one accumulator

// What goes from call to call, as the function takes it, and what it gave, as arguments.
Values accumulators_of(const Value& given, std::size_t starts, bool plain) {
  if (plain || starts == 1) return {given};
  return as_tuple(given);
}
Value result_of_accumulators(Values accumulators) {
  return accumulators.size() == 1 ? std::move(accumulators[0]) : tuple_value(std::move(accumulators));
}

void append_rows(Values& to, const Values& arrays, std::int64_t i) {
  for (const Value& a : arrays) to.push_back(row_of(a, i));
}

// Steps beside each other: of depth, that of the deepest.
class Beside {
 public:
  explicit Beside(Machine& m) : m_(m), before_(m.counts.depth) {}
  void next() {
    deepest_ = std::max(deepest_, m_.counts.depth - before_);
    m_.counts.depth = before_;
  }
  // So many levels of them, one after another.
  void end(std::int64_t levels) { m_.counts.depth = before_ + levels * deepest_ + 1; }

 private:
  Machine& m_;
  std::int64_t before_, deepest_ = 0;
};
std::int64_t levels_of(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n)));
}

}  // namespace

Called Compiler::called(const Fn& f, const Names& names) {
  Called made = match(
      f.node, [&](const Lambda& l) { return called(l, names); },
      [&](const NamedFunction& n) { return called(n, f.region, names); },
      [&](const OperatorFunction& o) { return called(o, f.region, names); },
      [&](const PrefixFunction& p) -> Called {
        return {{}, [op = p.op, at = f.region](Frame& frame, Values x) -> Value {
                  frame.machine.spend(1);
                  return {apply(op, as_scalar(x[0]), at, frame.machine.domain())};
                }};
      });
  if (f.calls.value.unpacks)
    made.code = [code = std::move(made.code)](Frame& frame, Values x) { return code(frame, as_tuple(x[0])); };
  return made;
}

Called Compiler::called(const Lambda& l, const Names& names) {
  Names inside = names;
  std::vector<std::size_t> slots;
  for (const Parameter& p : l.parameters) {
    inside = bind(inside, p.name);
    slots.push_back(inside->slot);
  }
  return {{}, [slots = std::move(slots), body = code(*l.body, inside)](Frame& frame, Values x) {
            for (std::size_t k = 0; k < slots.size(); ++k) frame.slots[slots[k]] = std::move(x[k]);
            return body(frame);
          }};
}

Called Compiler::called(const NamedFunction& n, const Region& at, const Names& names) {
  Called made;
  for (const ExprRef& argument : n.arguments) made.first.emplace_back(slots_++, code(*argument, names));
  const auto all = [first = made.first](Frame& frame, const Values& x) {
    Values values;
    for (const auto& [slot, c] : first) values.push_back(frame.slots[slot]);
    values.insert(values.end(), x.begin(), x.end());
    return values;
  };
  if (const Function* f = function_named(program_, n.name)) {
    made.code = [&called = function(*f), all, at](Frame& frame, Values x) {
      return call(frame.machine, called, all(frame, x), at);
    };
    return made;
  }
  const ScalarFunction& s = *scalar_function_named(n.name);
  made.code = [&s, all, at](Frame& frame, Values x) -> Value {
    std::vector<Scalar> scalars;
    for (const Value& v : all(frame, x)) scalars.push_back(as_scalar(v));
    frame.machine.spend(1);
    return {apply(s, scalars, at, frame.machine.domain())};
  };
  return made;
}

Called Compiler::called(const OperatorFunction& o, const Region& at, const Names& names) {
  Called made;
  std::optional<std::size_t> first;
  if (o.first) {
    first = slots_++;
    made.first.emplace_back(*first, code(**o.first, names));
  }
  made.code = [op = o.op, first, at](Frame& frame, Values x) -> Value {
    const Scalar& left = first ? as_scalar(frame.slots[*first]) : as_scalar(x[0]);
    frame.machine.spend(1);
    return {apply(op, left, as_scalar(x.back()), at, frame.machine.domain())};
  };
  return made;
}

Code Compiler::make(const SoacExpr& s, const Expr& e, const Names& names, bool) {
  switch (s.op) {
    case Soac::Map:
    case Soac::Map2:
      return map(s, e, names);
    case Soac::Filter:
    case Soac::Filter2:
      return filter(s, e, names);
    case Soac::Reduce:
    case Soac::Reduce2:
    case Soac::Redomap:
    case Soac::Redomap2:
      return fold(s, e, names);
    case Soac::Scan:
    case Soac::Scan2:
      return scan(s, e, names);
  }
  throw Bug("an array operation of no kind");
}

Code Compiler::map(const SoacExpr& s, const Expr& e, const Names& names) {
  const Type row = result_of(s.functions[0]);
  return [=, this, f = called(s.functions[0], names), arguments = codes(s.arguments, names), fn = s.functions[0],
          name = name_of(s.op), at = e.region](Frame& frame) {
    f.prepare(frame);
    Values arrays;
    for (const Code& a : arguments) arrays.push_back(a(frame));
    check_lengths(std::string(name), arrays, at);
    const std::int64_t n = length_of(arrays[0]);
    Gathering all(row);
    Beside beside(frame.machine);
    for (std::int64_t i = 0; i < n; ++i) {
      Values x;
      append_rows(x, arrays, i);
      if (const auto wrong = all.add(f(frame, std::move(x)))) trap(std::string(name), "irregular: " + *wrong, at);
      beside.next();
    }
    beside.end(1);
    frame.machine.counts.work += n;
    Value made = n > 0 ? all.finish() : all.finish(row_shapes(fn, program_, names, frame, arrays));
    frame.machine.gathered(made);
    return made;
  };
}

Code Compiler::filter(const SoacExpr& s, const Expr& e, const Names& names) {
  std::vector<Type> elements;
  for (const ExprRef& a : s.arguments) elements.push_back(*element_of(a->type.value));
  return [=, f = called(s.functions[0], names), arguments = codes(s.arguments, names), name = name_of(s.op),
          at = e.region](Frame& frame) {
    f.prepare(frame);
    Values arrays;
    for (const Code& a : arguments) arrays.push_back(a(frame));
    check_lengths(std::string(name), arrays, at);
    const std::int64_t n = length_of(arrays[0]);
    std::vector<Gathering> kept(elements.begin(), elements.end());
    Beside beside(frame.machine);
    for (std::int64_t i = 0; i < n; ++i) {
      Values x;
      append_rows(x, arrays, i);
      const bool keeps = as_scalar(f(frame, x)).bits != 0;
      for (std::size_t k = 0; keeps && k < kept.size(); ++k) kept[k].add(x[k]);
      beside.next();
    }
    beside.end(1);
    frame.machine.counts.work += n;
    Values made;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      std::vector<Dimensions> rows;
      for (const Value* leaf : leaves_of(arrays[k])) rows.push_back(as_array(*leaf).shape.row().dimensions());
      made.push_back(kept[k].finish(rows));
      frame.machine.allocated(made.back());
    }
    return result_of_accumulators(std::move(made));
  };
}

// From the left, each start once. Of redomap the second function is what is applied: the first joins parts.
Code Compiler::fold(const SoacExpr& s, const Expr& e, const Names& names) {
  const std::size_t starts = s.starts.value;
  const bool plain = is_plain(s.op);
  const bool two = s.functions.size() > 1;
  const Called first = called(s.functions.front(), names);  // of redomap evaluated for its arguments alone
  return [=, f = called(s.functions.back(), names), arguments = codes(s.arguments, names), name = name_of(s.op),
          at = e.region](Frame& frame) {
    if (two) first.prepare(frame);
    f.prepare(frame);
    Values accumulators, arrays;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      (k < starts ? accumulators : arrays).push_back(arguments[k](frame));
    check_lengths(std::string(name), arrays, at);
    const std::int64_t n = length_of(arrays[0]);
    Beside beside(frame.machine);
    for (std::int64_t i = 0; i < n; ++i) {
      append_rows(accumulators, arrays, i);
      accumulators = accumulators_of(f(frame, std::exchange(accumulators, {})), starts, plain);
      beside.next();
    }
    beside.end(levels_of(n));
    frame.machine.counts.work += n;
    return result_of_accumulators(std::move(accumulators));
  };
}

Code Compiler::scan(const SoacExpr& s, const Expr& e, const Names& names) {
  const std::size_t starts = s.starts.value;
  const bool plain = is_plain(s.op);
  std::vector<Type> types;
  for (std::size_t k = 0; k < starts; ++k) types.push_back(s.arguments[k]->type.value);
  return [=, f = called(s.functions[0], names), arguments = codes(s.arguments, names), name = name_of(s.op),
          at = e.region](Frame& frame) {
    f.prepare(frame);
    Values accumulators, arrays;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      (k < starts ? accumulators : arrays).push_back(arguments[k](frame));
    check_lengths(std::string(name), arrays, at);
    const std::int64_t n = length_of(arrays[0]);
    std::vector<std::vector<Dimensions>> rows;
    for (const Value& x : accumulators) {
      rows.emplace_back();
      for (const Value* leaf : leaves_of(x)) {
        const auto* a = std::get_if<Array>(&leaf->node);
        rows.back().push_back(a ? a->shape.dimensions() : Dimensions{});
      }
    }
    std::vector<Gathering> prefixes(types.begin(), types.end());
    Beside beside(frame.machine);
    for (std::int64_t i = 0; i < n; ++i) {
      append_rows(accumulators, arrays, i);
      accumulators = accumulators_of(f(frame, std::exchange(accumulators, {})), starts, plain);
      for (std::size_t k = 0; k < starts; ++k) {
        const auto leaves = leaves_of(accumulators[k]);
        for (std::size_t j = 0; j < leaves.size(); ++j) {
          const auto* a = std::get_if<Array>(&leaves[j]->node);
          if (a && a->shape.dimensions() != rows[k][j])
            trap(std::string(name),
                 "the accumulator's shape changes from " + show(rows[k][j]) + " to " + show(a->shape.dimensions()), at);
        }
        prefixes[k].add(accumulators[k]);
      }
      beside.next();
    }
    beside.end(levels_of(n));
    frame.machine.counts.work += n;
    Values made;
    for (std::size_t k = 0; k < starts; ++k) {
      made.push_back(prefixes[k].finish(rows[k]));
      frame.machine.gathered(made.back());
    }
    return result_of_accumulators(std::move(made));
  };
}

}  // namespace lockstep::l0::evaluating

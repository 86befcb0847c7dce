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

Value result_of_accumulators(Values accumulators) {
  return accumulators.size() == 1 ? std::move(accumulators[0]) : tuple_value(std::move(accumulators));
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

std::vector<Type> accumulator_types(const SoacExpr& s) {
  std::vector<Type> types;
  for (std::size_t k = 0; k < s.starts.value; ++k) types.push_back(s.arguments[k]->type.value);
  return types;
}

}  // namespace

// What all of them do: functions and arguments evaluated, and the last function's calls on one element after another.
struct Pass {
  std::vector<Called> functions;
  std::vector<Code> arguments;
  std::size_t starts;
  std::string name;
  Region at;

  struct Over {
    Values starts{}, arrays{};
    std::int64_t length = 0;
  };
  Over begin(Frame& frame) const {
    for (const Called& f : functions) f.prepare(frame);
    Over out;
    for (const Code& a : arguments) (out.starts.size() < starts ? out.starts : out.arrays).push_back(a(frame));
    check_lengths(name, out.arrays, at);
    out.length = length_of(out.arrays[0]);
    return out;
  }
  // `step` on an element of each array; what it calls counts for depth as so many levels of what is beside each other.
  template <class Step>
  void each(Frame& frame, const Over& over, std::int64_t levels, const Step& step) const {
    Beside beside(frame.machine);
    for (std::int64_t i = 0; i < over.length; ++i) {
      Values elements;
      for (const Value& a : over.arrays) elements.push_back(row_of(a, i));
      step(std::move(elements));
      beside.next();
    }
    beside.end(levels);
    frame.machine.counts.work += over.length;
  }
  // From the left, each start once: what the accumulators are after each element.
  template <class After>
  Values fold(Frame& frame, const Over& over, std::int64_t levels, const After& after) const {
    Values accumulators = over.starts;
    each(frame, over, levels, [&](Values elements) {
      accumulators.insert(accumulators.end(), elements.begin(), elements.end());
      Value given = functions.back()(frame, std::exchange(accumulators, {}));
      accumulators = starts == 1 ? Values{std::move(given)} : as_tuple(given);
      after(accumulators);
    });
    return accumulators;
  }
  // The first function joins parts, which depth alone is about: the second takes each element into a part, side by
  // side, and the parts are joined in a tree.
  Values fold_and_join(Frame& frame, const Over& over) const {
    Values before = over.starts;
    std::int64_t deepest = 0;
    Values out = fold(frame, over, 1, [&](const Values& after) {
      deepest = std::max(deepest, depth_of_joining(frame, std::exchange(before, after), after));
    });
    frame.machine.counts.depth += std::max<std::int64_t>(levels_of(over.length) - 1, 0) * deepest;
    return out;
  }

 private:
  // Of two states as a fold has them; what it gives is not looked at, nor whether it traps.
  std::int64_t depth_of_joining(Frame& frame, Values before, const Values& after) const {
    Machine& m = frame.machine;
    const Counts counts = m.counts;
    const std::int64_t calls = m.calls;
    before.insert(before.end(), after.begin(), after.end());
    try {
      functions.front()(frame, std::move(before));
    } catch (const TrapSignal&) {
    }
    const std::int64_t depth = m.counts.depth - counts.depth;
    m.counts = counts, m.calls = calls;
    return depth;
  }
};

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

Pass Compiler::pass(const SoacExpr& s, const Expr& e, const Names& names) {
  std::vector<Called> functions;
  for (const Fn& f : s.functions) functions.push_back(called(f, names));
  return {std::move(functions), codes(s.arguments, names), s.starts.value, std::string(name_of(s.op)), e.region};
}

Code Compiler::map(const SoacExpr& s, const Expr& e, const Names& names) {
  return [this, names, pass = pass(s, e, names), fn = s.functions[0]](Frame& frame) {
    const Pass::Over over = pass.begin(frame);
    Gathering all(result_of(fn));
    pass.each(frame, over, 1, [&](Values elements) {
      if (const auto wrong = all.add(pass.functions[0](frame, std::move(elements))))
        trap(pass.name, "irregular: " + *wrong, pass.at);
    });
    Value made = over.length > 0 ? all.finish() : all.finish(row_shapes(fn, program_, names, frame, over.arrays));
    frame.machine.gathered(made);
    return made;
  };
}

Code Compiler::filter(const SoacExpr& s, const Expr& e, const Names& names) {
  std::vector<Type> elements;
  for (const ExprRef& a : s.arguments) elements.push_back(*element_of(a->type.value));
  return [pass = pass(s, e, names), elements = std::move(elements)](Frame& frame) {
    const Pass::Over over = pass.begin(frame);
    std::vector<Gathering> kept(elements.begin(), elements.end());
    pass.each(frame, over, 1, [&](const Values& x) {
      if (as_scalar(pass.functions[0](frame, x)).bits == 0) return;
      for (std::size_t k = 0; k < kept.size(); ++k) kept[k].add(x[k]);
    });
    Values made;
    for (std::size_t k = 0; k < kept.size(); ++k) {
      std::vector<Dimensions> rows;
      for (const Value* leaf : leaves_of(over.arrays[k])) rows.push_back(as_array(*leaf).shape.row().dimensions());
      made.push_back(kept[k].finish(rows));
      frame.machine.allocated(made.back());
    }
    return result_of_accumulators(std::move(made));
  };
}

Code Compiler::fold(const SoacExpr& s, const Expr& e, const Names& names) {
  return [pass = pass(s, e, names)](Frame& frame) {
    const Pass::Over over = pass.begin(frame);
    if (pass.functions.size() == 2 && frame.machine.how.counts)
      return result_of_accumulators(pass.fold_and_join(frame, over));
    return result_of_accumulators(pass.fold(frame, over, levels_of(over.length), [](const Values&) {}));
  };
}

Code Compiler::scan(const SoacExpr& s, const Expr& e, const Names& names) {
  return [pass = pass(s, e, names), types = accumulator_types(s)](Frame& frame) {
    const Pass::Over over = pass.begin(frame);
    std::vector<std::vector<Dimensions>> rows;
    for (const Value& x : over.starts) rows.push_back(dimensions_of_leaves(x));
    std::vector<Gathering> prefixes(types.begin(), types.end());
    pass.fold(frame, over, levels_of(over.length), [&](const Values& accumulators) {
      for (std::size_t k = 0; k < accumulators.size(); ++k) {
        const std::vector<Dimensions> found = dimensions_of_leaves(accumulators[k]);
        const auto [was, is] = std::mismatch(rows[k].begin(), rows[k].end(), found.begin());
        if (was != rows[k].end())
          trap(pass.name, "the accumulator's shape changes from " + show(*was) + " to " + show(*is), pass.at);
        prefixes[k].add(accumulators[k]);
      }
    });
    Values made;
    for (std::size_t k = 0; k < prefixes.size(); ++k) {
      made.push_back(prefixes[k].finish(rows[k]));
      frame.machine.gathered(made.back());
    }
    return result_of_accumulators(std::move(made));
  };
}

}  // namespace lockstep::l0::evaluating

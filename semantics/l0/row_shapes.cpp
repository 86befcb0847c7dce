// The shapes of rows that were never made: what a function gives, as far as that is known without the elements of the
// arrays it is called on (l0.md §1, "Empty arrays keep all dimensions"). Nothing here traps: what would is not known.
#include <algorithm>
#include <set>

#include "semantics/l0/check.h"
#include "semantics/l0/evaluator.h"
#include "semantics/l0/known.h"
#include "semantics/l0/operators.h"
#include "semantics/l0/scalar_functions.h"
#include "semantics/l0/words.h"

namespace lockstep::l0::evaluating {
namespace {

struct Local {
  std::string name;
  KnownValue value;
  std::shared_ptr<const Local> outer;
};
using Bound = std::shared_ptr<const Local>;

class Finder {
 public:
  Finder(const Program& program, const Names* names, Frame* frame) : program_(program), names_(names), frame_(frame) {}

  KnownValue called(const Fn& f, std::vector<KnownValue> arguments, const Bound& bound) {
    if (f.calls.value.unpacks) arguments = taken_apart(arguments[0], f.calls.value.arguments[0]);
    return match(
        f.node,
        [&](const Lambda& l) {
          Bound inside = bound;
          for (std::size_t k = 0; k < l.parameters.size(); ++k)
            inside = bind(l.parameters[k].name, std::move(arguments[k]), inside);
          return known(*l.body, inside);
        },
        [&](const NamedFunction& n) {
          std::vector<KnownValue> all;
          for (const ExprRef& a : n.arguments) all.push_back(known(*a, bound));
          all.insert(all.end(), arguments.begin(), arguments.end());
          return call(n.name, std::move(all), result_of(f));
        },
        [&](const OperatorFunction& o) {
          if (o.first) arguments.insert(arguments.begin(), known(**o.first, bound));
          return infix(o.op, arguments[0], arguments[1], result_of(f));
        },
        [&](const PrefixFunction& p) { return prefix(p.op, arguments[0], result_of(f)); });
  }

 private:
  static Bound bind(const std::string& name, KnownValue v, const Bound& outer) {
    return std::make_shared<const Local>(Local{name, std::move(v), outer});
  }

  std::vector<KnownValue> taken_apart(const KnownValue& v, const Type& type) {
    std::vector<KnownValue> out;
    auto next = v.begin();
    for (const Type& item : as<TupleType>(type)->items) {
      const auto end = next + static_cast<std::ptrdiff_t>(leaf_count(item));
      out.emplace_back(next, end);
      next = end;
    }
    return out;
  }

  Bound bind(const Pattern& p, const KnownValue& v, Bound bound) {
    return match(
        p.node, [&](const NamePattern& n) { return bind(n.name, v, bound); },
        [&](const TuplePattern& t) {
          const auto parts = taken_apart(v, p.type.value);
          for (std::size_t k = 0; k < t.items.size(); ++k) bound = bind(t.items[k], parts[k], bound);
          return bound;
        });
  }

  KnownValue variable(const std::string& name, const Type& type, const Bound& bound) {
    for (const Local* s = bound.get(); s; s = s->outer.get())
      if (s->name == name) return s->value;
    if (!frame_) return nothing_of(type);
    const std::size_t slot = slot_of(*names_, name);
    const auto met = outside_.find(slot);
    return met != outside_.end() ? met->second
                                 : outside_.emplace(slot, all_of(frame_->slots[slot], type)).first->second;
  }

  KnownValue scalar_result(const std::optional<Scalar>& s, const Type& type) {
    return s ? all_of({*s}, type) : nothing_of(type);
  }
  template <class F>
  KnownValue unless_it_traps(const Type& type, const F& f) {
    try {
      return scalar_result(f(), type);
    } catch (const TrapSignal&) {
      return nothing_of(type);
    }
  }
  const Domain& domain() const { return frame_ ? frame_->machine.domain() : ieee_domain(); }

  KnownValue infix(Infix op, const KnownValue& a, const KnownValue& b, const Type& type) {
    const auto x = scalar_of(a), y = scalar_of(b);
    if (op == Infix::And || op == Infix::Or) {
      const std::uint64_t decided = op == Infix::Or;
      if (x && (x->bits != 0) == (decided != 0)) return a;
      return x ? b : nothing_of(type);
    }
    if (!x || !y) return nothing_of(type);
    return unless_it_traps(type, [&] { return apply(op, *x, *y, {}, domain()); });
  }
  KnownValue prefix(Prefix op, const KnownValue& a, const Type& type) {
    const auto x = scalar_of(a);
    if (!x) return nothing_of(type);
    return unless_it_traps(type, [&] { return apply(op, *x, {}, domain()); });
  }

  KnownValue call(const std::string& name, std::vector<KnownValue> arguments, const Type& type) {
    const Function* f = function_named(program_, name);
    if (!f) {
      std::vector<Scalar> x;
      for (const KnownValue& a : arguments) {
        const auto s = scalar_of(a);
        if (!s) return nothing_of(type);
        x.push_back(*s);
      }
      return unless_it_traps(type, [&] { return apply(*scalar_function_named(name), x, {}, domain()); });
    }
    if (!within_.insert(name).second) return nothing_of(type);  // of a call within itself nothing is known
    Bound inside;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      inside = bind(f->parameters[k].name, std::move(arguments[k]), inside);
    Finder callee(program_, nullptr, nullptr);
    callee.within_ = within_;
    KnownValue out = callee.known(*f->body, inside);
    within_.erase(name);
    return out;
  }

  KnownValue known(const Expr& e, const Bound& bound) {
    return match(e.node, [&](const auto& node) { return of(node, e.type.value, bound); });
  }

  KnownValue of(const Literal& l, const Type& t, const Bound&) { return all_of({l.value}, t); }
  KnownValue of(const TextLiteral& x, const Type& t, const Bound&) {
    KnownValue out = nothing_of(t);
    out[0].lengths[0] = Length(static_cast<std::int64_t>(x.text.size()));
    return out;
  }
  KnownValue of(const Variable& v, const Type& t, const Bound& bound) { return variable(v.name, t, bound); }
  KnownValue of(const TupleExpr& x, const Type&, const Bound& bound) {
    KnownValue out;
    for (const ExprRef& item : x.items)
      for (Known& leaf : known(*item, bound)) out.push_back(std::move(leaf));
    return out;
  }
  KnownValue of(const ArrayExpr& x, const Type&, const Bound& bound) {
    KnownValue element = known(*x.items[0], bound);
    for (std::size_t k = 1; k < x.items.size(); ++k) element = either(std::move(element), known(*x.items[k], bound));
    return array_of_known(Length(static_cast<std::int64_t>(x.items.size())), element);
  }
  KnownValue of(const PrefixExpr& x, const Type& t, const Bound& bound) {
    return prefix(x.op, known(*x.operand, bound), t);
  }
  KnownValue of(const InfixExpr& x, const Type& t, const Bound& bound) {
    return infix(x.op, known(*x.left, bound), known(*x.right, bound), t);
  }
  KnownValue of(const IfExpr& x, const Type&, const Bound& bound) {
    const auto condition = scalar_of(known(*x.condition, bound));
    if (condition) return known(condition->bits != 0 ? *x.yes : *x.no, bound);
    return either(known(*x.yes, bound), known(*x.no, bound));
  }
  KnownValue of(const BlockExpr& x, const Type&, const Bound& bound) {
    Bound inside = bound;
    for (const Binding& b : x.bindings) inside = match(b.node, [&](const auto& node) { return after(node, inside); });
    return known(*x.result, inside);
  }
  Bound after(const LetBinding& b, const Bound& bound) { return bind(b.pattern, known(*b.value, bound), bound); }
  Bound after(const UpdateBinding& b, const Bound& bound) {
    return bind(b.name, shapes_of(variable(b.source, b.type.value, bound)), bound);
  }
  // What every round keeps of the shapes that the loop starts with.
  Bound after(const LoopBinding& b, const Bound& bound) {
    const KnownValue start = known(*b.init, bound);
    const auto n = int_of(known(*b.bound, bound));
    if (n && *n <= 0) return bind(b.merge, start, bound);
    return bind(b.merge,
                kept(start,
                     [&](const KnownValue& p) {
                       return known(*b.step, bind(b.index, nothing_of(int_type), bind(b.merge, p, bound)));
                     }),
                bound);
  }
  template <class F>
  KnownValue kept(const KnownValue& start, const F& round) {
    KnownValue p = shapes_of(start);
    for (;;) {
      KnownValue next = either(p, shapes_of(round(p)));
      if (std::equal(p.begin(), p.end(), next.begin(), same_lengths)) return p;
      p = std::move(next);
    }
  }

  KnownValue of(const IndexExpr& x, const Type& t, const Bound& bound) {
    Type array = t;
    for (std::size_t k = 0; k < x.indices.size(); ++k) array = array_of(array);
    KnownValue out = variable(x.array, array, bound);
    std::vector<std::int64_t> place;
    for (const ExprRef& i : x.indices)
      if (const auto n = int_of(known(*i, bound))) place.push_back(*n);
    for (Known& leaf : out) {
      // of one that had to be shorter the elements are not known
      const auto* made = leaf.value ? std::get_if<Array>(&leaf.value->node) : nullptr;
      const std::optional<Value> whole = made && leaf.lengths[0].get() == made->shape[0] ? leaf.value : std::nullopt;
      leaf.type.rank -= x.indices.size();
      leaf.lengths.erase(leaf.lengths.begin(), leaf.lengths.begin() + static_cast<std::ptrdiff_t>(x.indices.size()));
      leaf.value.reset();
      if (!whole || place.size() != x.indices.size()) continue;
      try {
        leaf.value = indexed(*whole, place, x.array, {});
      } catch (const TrapSignal&) {
      }
    }
    return out;
  }
  KnownValue of(const CallExpr& x, const Type& t, const Bound& bound) {
    std::vector<KnownValue> arguments;
    for (const ExprRef& a : x.arguments) arguments.push_back(known(*a, bound));
    return call(x.function, std::move(arguments), t);
  }
  KnownValue of(const BuiltInExpr& b, const Type& t, const Bound& bound) {
    std::vector<KnownValue> x;
    for (const ExprRef& a : b.arguments) x.push_back(known(*a, bound));
    switch (b.op) {
      case BuiltIn::Zip: {
        common_length(x);
        KnownValue out;
        for (KnownValue& a : x) out.insert(out.end(), a.begin(), a.end());
        return out;
      }
      case BuiltIn::AssertZip:
        common_length(x);
        return all_of({make_bool(true)}, t);
      case BuiltIn::Unzip:
      case BuiltIn::Copy:
        return x[0];
      case BuiltIn::Iota:
        return array_of_known(made_length(x[0]), nothing_of(int_type));
      case BuiltIn::Replicate:
        return array_of_known(made_length(x[0]), x[1]);
      case BuiltIn::Size:
        if (const auto n = x[0][0].lengths[0].get()) return all_of(int_value(*n), t);
        return nothing_of(t);
      case BuiltIn::Transpose:
        for (Known& leaf : x[0]) std::swap(leaf.lengths[0], leaf.lengths[1]);
        return shapes_of(std::move(x[0]));
      case BuiltIn::Split:
        return split(int_of(x[0]), x[1]);
      case BuiltIn::Concat:
        for (std::size_t k = 0; k < x[0].size(); ++k) {
          auto &m = x[0][k].lengths, &n = x[1][k].lengths;
          for (std::size_t d = 1; d < m.size(); ++d)
            if (m[d].get() != n[d].get()) m[d] = Length();
          const auto a = m[0].get(), c = n[0].get();
          m[0] = Length(a && c ? std::optional(*a + *c) : std::nullopt);
        }
        return shapes_of(std::move(x[0]));
    }
    throw Bug("a built-in of no kind");
  }
  static Length made_length(const KnownValue& n) {
    const auto k = int_of(n);
    return Length(k ? std::optional(std::max<std::int64_t>(*k, 0)) : std::nullopt);
  }
  KnownValue split(std::optional<std::int64_t> k, const KnownValue& a) {
    KnownValue first = shapes_of(a), rest = first;
    for (std::size_t j = 0; j < a.size(); ++j) {
      const auto n = a[j].lengths[0].get();
      const bool inside = k && *k >= 0 && n && *k <= *n;
      first[j].lengths[0] = Length(inside ? k : std::nullopt);
      rest[j].lengths[0] = Length(inside ? std::optional(*n - *k) : std::nullopt);
    }
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  }
  KnownValue of(const ShiftExpr& s, const Type&, const Bound& bound) {
    KnownValue out = shapes_of(known(*s.array, bound));
    for (Known& leaf : out) {
      const auto from = leaf.lengths.begin() + (s.dimension - 1), to = from + s.places;
      if (s.places > 0) std::rotate(from, from + 1, to + 1);
      if (s.places < 0) std::rotate(to, from, from + 1);
    }
    return out;
  }
  KnownValue of(const FlattenExpr& f, const Type&, const Bound& bound) {
    KnownValue out = shapes_of(known(*f.array, bound));
    for (Known& leaf : out)
      for (std::int64_t k = 1; k < f.dimensions; ++k) {
        auto& l = leaf.lengths;
        const auto m = l[0].get(), n = l[1].get();
        l[1] = Length(m && n ? std::optional(*m * *n) : std::nullopt);
        l.erase(l.begin());
        --leaf.type.rank;
      }
    return out;
  }

  KnownValue of(const SoacExpr& s, const Type&, const Bound& bound) {
    std::vector<KnownValue> starts, arrays;
    for (std::size_t k = 0; k < s.arguments.size(); ++k)
      (k < s.starts.value ? starts : arrays).push_back(known(*s.arguments[k], bound));
    const Length n = common_length(arrays);
    std::vector<KnownValue> elements;
    for (const KnownValue& a : arrays) elements.push_back(element_of_known(a));
    switch (s.op) {
      case Soac::Map:
      case Soac::Map2:
        return array_of_known(n, called(s.functions[0], elements, bound));
      case Soac::Filter:
      case Soac::Filter2: {
        KnownValue out;
        for (const KnownValue& e : elements)
          for (Known& leaf : array_of_known(n.get() == 0 ? n : Length(), e)) out.push_back(std::move(leaf));
        return out;
      }
      case Soac::Reduce:
      case Soac::Reduce2:
      case Soac::Redomap:
      case Soac::Redomap2:
        return folded(s, starts, elements, n.get(), bound);
      case Soac::Scan:
      case Soac::Scan2:
        return array_of_known(n, folded(s, starts, elements, n.get(), bound));
    }
    throw Bug("an array operation of no kind");
  }
  KnownValue folded(const SoacExpr& s, const std::vector<KnownValue>& starts, const std::vector<KnownValue>& elements,
                    std::optional<std::int64_t> n, const Bound& bound) {
    KnownValue start;
    for (const KnownValue& x : starts) start.insert(start.end(), x.begin(), x.end());
    if (n && *n == 0) return start;
    if (s.op == Soac::Scan || s.op == Soac::Scan2) return shapes_of(start);  // they keep it, or the scan traps
    return kept(start, [&](const KnownValue& p) {
      std::vector<KnownValue> arguments;
      auto next = p.begin();
      for (const KnownValue& x : starts) {
        const auto end = next + static_cast<std::ptrdiff_t>(x.size());
        arguments.emplace_back(next, end);
        next = end;
      }
      arguments.insert(arguments.end(), elements.begin(), elements.end());
      return called(s.functions.back(), std::move(arguments), bound);
    });
  }

  const Program& program_;
  const Names* names_;
  Frame* frame_;
  std::map<std::size_t, KnownValue> outside_;  // by slot
  std::set<std::string> within_;
};

}  // namespace

std::vector<Dimensions> row_shapes(const Fn& f, const Program& program, const Names& names, Frame& frame,
                                   const Values& arrays) {
  std::vector<KnownValue> elements;
  for (std::size_t k = 0; k < arrays.size(); ++k)
    elements.push_back(element_of_known(all_of(arrays[k], array_of(f.calls.value.arguments[k]))));
  Finder finder(program, &names, &frame);
  std::vector<Dimensions> out;
  for (const Known& leaf : finder.called(f, std::move(elements), nullptr)) {
    out.emplace_back();
    for (const Length& n : leaf.lengths) out.back().push_back(n.get().value_or(0));
  }
  return out;
}

}  // namespace lockstep::l0::evaluating

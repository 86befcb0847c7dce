// Shapes as terms over what is outside and the dimensions of parameters: equal terms are equal numbers.
#include "translate/l0/rows.h"

#include <algorithm>
#include <map>

#include "semantics/l0/words.h"

namespace lockstep::l0 {
namespace {

using Parameters = std::vector<bool>;  // a set of them; shorter where the rest are not in it
Parameters united(const Parameters& a, const Parameters& b) {
  Parameters out = a.size() < b.size() ? b : a;
  const Parameters& less = a.size() < b.size() ? a : b;
  for (std::size_t k = 0; k < less.size(); ++k) out[k] = out[k] || less[k];
  return out;
}
Parameters only(std::size_t k) {
  Parameters out(k + 1);
  out[k] = true;
  return out;
}

// A number: of a dimension, a scalar, or what stands in an array.
struct Number {
  std::size_t term = 0;       // 0: nothing is known of it
  bool varies = false;        // from call to call
  Parameters made_of{};       // whose values, or dimensions with something made of them, have a part in it
  Parameters dimension_of{};  // whose dimension it is
  bool certain = true;        // it is known wherever what it is made of is: nothing that makes it traps
};
struct Shape {
  std::vector<Number> lengths{};
  Number value{};  // of a scalar; of an array, what its elements depend on
};
using Shapes = std::vector<Shape>;

Number unknown(const std::vector<Number>& from) {
  Number out;
  for (const Number& n : from) {
    out.varies = out.varies || n.varies;
    out.certain = out.certain && n.certain;
    out.made_of = united(united(out.made_of, n.made_of), n.dimension_of);
  }
  return out;
}

class Finder {
 public:
  RowShapes of(const Lambda& f) {
    for (std::size_t k = 0; k < f.parameters.size(); ++k) {
      Shape s = outside(f.parameters[k].name, f.parameters[k].type);
      s.value.varies = true;
      s.value.made_of = only(k);
      for (Number& n : s.lengths) n.dimension_of = only(k);
      shapes_.insert_or_assign(f.parameters[k].name, std::move(s));
    }
    RowShapes out{true, true, std::vector<bool>(f.parameters.size())};
    for (const Shape& s : shapes(*f.body))
      for (const Number& n : s.lengths) {
        out.fixed = out.fixed && n.term != 0 && !n.varies;
        out.certain = out.certain && n.term != 0 && n.certain;
        const Parameters all = united(n.made_of, out.depends);
        out.depends.assign(all.begin(), all.end());
      }
    return out;
  }

 private:
  std::size_t term(std::string text) { return terms_.emplace(std::move(text), terms_.size() + 1).first->second; }
  Number number(std::string text) { return {term(std::move(text))}; }
  // An operation on them: known where they are.
  Number made(std::string op, const std::vector<Number>& from) {
    Number out = unknown(from);
    for (const Number& n : from) {
      if (n.term == 0) return out;
      op += ' ' + std::to_string(n.term);
    }
    out.term = term(std::move(op));
    return out;
  }
  // The same, of what may trap, or be nothing.
  Number perhaps(std::string op, const std::vector<Number>& from) {
    Number out = made(std::move(op), from);
    out.certain = false;
    return out;
  }
  // Of arrays that are equally long: it is known where all that is known of it is the same.
  Number common(const std::vector<Number>& from) {
    const bool same =
        std::all_of(from.begin(), from.end(), [&](const Number& n) { return n.term != 0 && n.term == from[0].term; });
    return same ? from[0] : perhaps("common", from);
  }
  static Number same_or_unknown(const Number& a, const Number& b) {
    return a.term != 0 && a.term == b.term ? a : unknown({a, b});
  }

  Shape outside(const std::string& name, const Type& type) {
    Shape out;
    const std::size_t rank = leaves_of(type)[0].rank;
    for (std::size_t d = 0; d < rank; ++d) out.lengths.push_back(number("size " + std::to_string(d) + " " + name));
    out.value = number("value " + name);
    return out;
  }
  Shape named(const std::string& name, const Type& type) {
    const auto at = shapes_.find(name);
    return at == shapes_.end() ? outside(name, type) : at->second;
  }
  static Shape array(Number n, Shape row) {
    row.lengths.insert(row.lengths.begin(), std::move(n));
    row.value.term = 0;
    return row;
  }
  static Shape row_of(Shape a) {
    a.lengths.erase(a.lengths.begin());
    a.value.term = 0;
    return a;
  }
  // Of what is called nothing is known.
  Shapes nothing(const Type& type, const Shapes& from) {
    std::vector<Number> all;
    for (const Shape& s : from) {
      all.push_back(s.value);
      all.insert(all.end(), s.lengths.begin(), s.lengths.end());
    }
    const Number n = unknown(all);
    Shapes out;
    for (const LeafType& leaf : leaves_of(type)) out.push_back({std::vector<Number>(leaf.rank, n), n});
    return out;
  }

  void bind(const Pattern& p, const Shapes& given) {
    if (const auto* n = std::get_if<NamePattern>(&p.node)) {
      shapes_.insert_or_assign(n->name, given[0]);
      return;
    }
    const auto& parts = std::get<TuplePattern>(p.node).items;
    for (std::size_t k = 0; k < parts.size(); ++k) bind(parts[k], {given[k]});
  }
  void bind(const std::vector<Parameter>& parameters, const Shapes& given) {
    for (std::size_t k = 0; k < parameters.size(); ++k) shapes_.insert_or_assign(parameters[k].name, given[k]);
  }

  Shapes all(const std::vector<ExprRef>& items) {
    Shapes out;
    for (const ExprRef& e : items)
      for (Shape& s : shapes(*e)) out.push_back(std::move(s));
    return out;
  }
  Number value(const Expr& e) { return shapes(e)[0].value; }
  std::vector<Number> values(const std::vector<ExprRef>& items) {
    std::vector<Number> out;
    for (const ExprRef& e : items) out.push_back(value(*e));
    return out;
  }
  static Shapes scalar(Number n) { return {{{}, std::move(n)}}; }

  Shapes shapes(const Expr& e) {
    return match(e.node, [&](const auto& node) { return find(node, e); });
  }
  Shapes find(const Literal& l, const Expr&) { return scalar(number("constant " + std::to_string(l.value.bits))); }
  Shapes find(const TextLiteral& t, const Expr&) {
    return {{{number("constant " + std::to_string(t.text.size()))}, number("text " + t.text)}};
  }
  Shapes find(const Variable& v, const Expr& e) { return {named(v.name, e.type.value)}; }
  Shapes find(const TupleExpr& t, const Expr&) { return all(t.items); }
  Shapes find(const ArrayExpr& a, const Expr&) {
    const Shapes items = all(a.items);
    Shape row = items[0];
    for (std::size_t k = 1; k < items.size(); ++k) row = either(row, items[k]);
    return {array(number("constant " + std::to_string(items.size())), std::move(row))};
  }
  Shapes find(const PrefixExpr& p, const Expr&) {
    return scalar(made("prefix " + std::to_string(static_cast<int>(p.op)), {value(*p.operand)}));
  }
  Shapes find(const InfixExpr& i, const Expr&) {
    const bool traps = i.op >= Infix::Shl && i.op != Infix::Add && i.op != Infix::Sub && i.op != Infix::Mul;
    const std::string op = "infix " + std::to_string(static_cast<int>(i.op));
    const std::vector<Number> sides{value(*i.left), value(*i.right)};
    return scalar(traps ? perhaps(op, sides) : made(op, sides));
  }
  Shape either(Shape a, const Shape& b) {
    for (std::size_t d = 0; d < a.lengths.size(); ++d) a.lengths[d] = same_or_unknown(a.lengths[d], b.lengths[d]);
    a.value = same_or_unknown(a.value, b.value);
    return a;
  }
  Shapes find(const IfExpr& i, const Expr&) {
    const Number c = value(*i.condition);
    Shapes yes = shapes(*i.yes);
    const Shapes no = shapes(*i.no);
    const auto chosen = [&](Number& a, const Number& b) {
      if (a.term == 0 || a.term != b.term) a = made("if", {c, a, b});
    };
    for (std::size_t k = 0; k < yes.size(); ++k) {
      for (std::size_t d = 0; d < yes[k].lengths.size(); ++d) chosen(yes[k].lengths[d], no[k].lengths[d]);
      chosen(yes[k].value, no[k].value);
    }
    return yes;
  }
  Shapes find(const BlockExpr& b, const Expr&) {
    for (const Binding& x : b.bindings)
      match(
          x.node,
          [&](const LetBinding& l) {
            const Shapes value = shapes(*l.value);
            equally_long(*l.value);
            bind(l.pattern, value);
          },
          [&](const UpdateBinding& u) {
            Shape s = named(u.source, u.type.value);
            std::vector<Number> from = values(u.indices);
            from.push_back(s.value);
            from.push_back(value(*u.value));
            s.value = unknown(from);
            shapes_.insert_or_assign(u.name, std::move(s));
          },
          [&](const LoopBinding& l) { loop(l); });
    return shapes(*b.result);
  }
  // What is behind it goes on with one length of all of these.
  void equally_long(const Expr& e) {
    std::vector<const ExprRef*> arrays;
    if (const auto* b = as<BuiltInExpr>(e); b && b->op == BuiltIn::AssertZip)
      for (const ExprRef& a : b->arguments) arrays.push_back(&a);
    if (const auto* s = as<SoacExpr>(e))
      for (std::size_t k = s->starts.value; k < s->arguments.size(); ++k) arrays.push_back(&s->arguments[k]);
    if (arrays.size() < 2) return;
    std::vector<Number> lengths;
    for (const ExprRef* a : arrays) lengths.push_back(shapes(**a)[0].lengths[0]);
    const Number n = common(lengths);
    for (const ExprRef* a : arrays)
      if (const auto* v = as<Variable>(**a)) {
        Shape s = named(v->name, (*a)->type.value);
        s.lengths[0] = n;
        shapes_.insert_or_assign(v->name, std::move(s));
      }
  }
  void loop(const LoopBinding& l) {
    const Number n = value(*l.bound);
    const Shapes start = shapes(*l.init);
    bind(l.merge, kept(start, n, [&](const Shapes& p) {
           bind(l.merge, p);
           shapes_.insert_or_assign(l.index, Shape{{}, unknown({n})});
           return shapes(*l.step);
         }));
  }
  // What rounds keep of the shapes that they start with.
  template <class F>
  Shapes kept(const Shapes& start, const Number& rounds, const F& round) {
    Shapes p = start;
    for (Shape& s : p) s.value = unknown({s.value, rounds});
    for (bool changed = true; changed;) {
      changed = false;
      const Shapes next = round(p);
      const auto meet = [&](Number& a, const Number& b, bool stays) {
        if (stays && a.term != 0 && a.term == b.term) return;
        Number both = unknown({a, b, rounds});
        if (a.term == 0 && both.varies == a.varies && both.made_of == a.made_of) return;
        a = std::move(both);
        changed = true;
      };
      for (std::size_t k = 0; k < p.size(); ++k) {
        for (std::size_t d = 0; d < p[k].lengths.size(); ++d) meet(p[k].lengths[d], next[k].lengths[d], true);
        meet(p[k].value, next[k].value, false);
      }
    }
    return p;
  }

  Shapes find(const IndexExpr& i, const Expr& e) {
    Type type = e.type.value;
    for (std::size_t k = 0; k < i.indices.size(); ++k) type = array_of(type);
    Shape s = named(i.array, type);
    s.lengths.erase(s.lengths.begin(), s.lengths.begin() + static_cast<std::ptrdiff_t>(i.indices.size()));
    std::vector<Number> from = values(i.indices);
    from.push_back(s.value);
    s.value = perhaps("index", from);
    return {std::move(s)};
  }
  Shapes find(const CallExpr& c, const Expr& e) {
    const Shapes given = all(c.arguments);
    if (!as<ScalarType>(e.type.value)) return nothing(e.type.value, given);
    std::vector<Number> from;
    for (const Shape& s : given) {
      if (!s.lengths.empty()) return nothing(e.type.value, given);
      from.push_back(s.value);
    }
    return scalar(perhaps("call " + c.function, from));
  }
  Shapes find(const BuiltInExpr& b, const Expr& e) {
    Shapes x = all(b.arguments);
    switch (b.op) {
      case BuiltIn::Zip:
      case BuiltIn::Unzip:
        return nothing(e.type.value, x);
      case BuiltIn::Copy:
        return x;
      case BuiltIn::AssertZip:
        return scalar(number("true"));
      case BuiltIn::Iota:
        return {array(x[0].value, {{}, x[0].value})};
      case BuiltIn::Replicate:
        return {array(x[0].value, x[1])};
      case BuiltIn::Size:
        return scalar(x[0].lengths[0]);
      case BuiltIn::Transpose:
        std::swap(x[0].lengths[0], x[0].lengths[1]);
        return {x[0]};
      case BuiltIn::Split: {
        Shape first = x[1], rest = x[1];
        first.lengths[0] = perhaps("first", {x[1].lengths[0], x[0].value});
        rest.lengths[0] = perhaps("rest", {x[1].lengths[0], x[0].value});
        return {std::move(first), std::move(rest)};
      }
      case BuiltIn::Concat:
        for (std::size_t d = 1; d < x[0].lengths.size(); ++d)
          x[0].lengths[d] = same_or_unknown(x[0].lengths[d], x[1].lengths[d]);
        x[0].lengths[0] = made("+", {x[0].lengths[0], x[1].lengths[0]});
        x[0].value = unknown({x[0].value, x[1].value});
        return {x[0]};
    }
    throw Bug("a built-in of no kind");
  }
  Shapes find(const ShiftExpr& s, const Expr&) {
    Shape out = shapes(*s.array)[0];
    const auto from = out.lengths.begin() + (s.dimension - 1), to = from + s.places;
    if (s.places > 0) std::rotate(from, from + 1, to + 1);
    if (s.places < 0) std::rotate(to, from, from + 1);
    return {std::move(out)};
  }
  Shapes find(const FlattenExpr& f, const Expr&) {
    Shape out = shapes(*f.array)[0];
    for (std::int64_t k = 1; k < f.dimensions; ++k) {
      out.lengths[1] = made("*", {out.lengths[0], out.lengths[1]});
      out.lengths.erase(out.lengths.begin());
    }
    return {std::move(out)};
  }

  Shapes find(const SoacExpr& s, const Expr& e) {
    const Shapes given = all(s.arguments);
    const auto split = given.begin() + static_cast<std::ptrdiff_t>(s.starts.value);
    const Shapes starts(given.begin(), split);
    Shapes elements(split, given.end());
    if (!std::all_of(s.functions.begin(), s.functions.end(),
                     [](const Fn& f) { return std::holds_alternative<Lambda>(f.node); }))
      return nothing(e.type.value, given);
    const Lambda& f = std::get<Lambda>(s.functions.back().node);
    std::vector<Number> lengths;
    for (const Shape& a : elements) lengths.push_back(a.lengths[0]);
    const Number n = common(lengths);
    std::transform(elements.begin(), elements.end(), elements.begin(), row_of);
    const auto called = [&](const Shapes& accumulators) {
      Shapes x = accumulators;
      x.insert(x.end(), elements.begin(), elements.end());
      bind(f.parameters, x);
      return shapes(*f.body);
    };
    switch (s.op) {
      case Soac::Map:
      case Soac::Map2: {
        Shapes out;
        for (Shape& row : called({})) out.push_back(array(n, std::move(row)));
        return out;
      }
      case Soac::Filter:
      case Soac::Filter2: {
        const Number kept_ones = unknown({called({})[0].value, n});
        Shapes out;
        for (const Shape& row : elements) out.push_back(array(kept_ones, row));
        return out;
      }
      case Soac::Reduce:
      case Soac::Reduce2:
      case Soac::Redomap:
      case Soac::Redomap2:
        return kept(starts, n, called);
      case Soac::Scan:
      case Soac::Scan2: {
        const Shapes values_after = kept(starts, n, called);
        Shapes out;
        for (std::size_t k = 0; k < starts.size(); ++k)
          out.push_back(array(n, {starts[k].lengths, values_after[k].value}));
        return out;
      }
    }
    throw Bug("an array operation of no kind");
  }

  std::map<std::string, Shape> shapes_;
  std::map<std::string, std::size_t> terms_;
};

}  // namespace

RowShapes row_shapes_of(const Lambda& f) { return Finder().of(f); }

}  // namespace lockstep::l0

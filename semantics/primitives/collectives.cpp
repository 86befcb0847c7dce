// reduceBlock, reduceWarp, scanBlock, scanWarp: by the threads of a block together, or by the lanes of a warp, in an
// order that is part of the meaning and hangs on the number of elements alone. Of an associative function it is the
// left fold's result. Both are translated into mapLocal, level by level: a reduction as a tree of neighbours, a scan as
// in Hillis and Steele, "Data parallel algorithms", 1986.
#include "semantics/primitives/build.h"
#include "semantics/primitives/calculus.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

using Primitives = std::function<PrimitiveRef(std::string_view)>;

// The standard ones, for costs, which are asked without a calculus.
PrimitiveRef standard(std::string_view name) {
  static const Calculus calculus = standard_calculus();
  return calculus.primitive(name);
}

// What collectives are made of. 'a: the elements' type; arrays are [n]'a with n a number.
struct Parts {
  const Primitives& primitive;
  Type a;

  std::int64_t length(const PhraseRef& xs) const { return *array_length(*xs).constant(); }
  PhraseRef take(std::int64_t k, const PhraseRef& xs) const {
    return prim(primitive("take"), {k, length(xs) - k}, {a}, {xs}, array(k, a));
  }
  PhraseRef drop(std::int64_t k, const PhraseRef& xs) const {
    return prim(primitive("drop"), {k, length(xs) - k}, {a}, {xs}, array(length(xs) - k, a));
  }
  PhraseRef concat(const PhraseRef& xs, const PhraseRef& ys) const {
    const std::int64_t n = length(xs), m = length(ys);
    return prim(primitive("concat"), {n, m}, {a}, {xs, ys}, array(n + m, a));
  }
  PhraseRef element(const PhraseRef& xs, std::int64_t i) const {
    return idx_of(primitive("idx"), xs, index_at(i, length(xs)));
  }
  PhraseRef map_local(const PhraseRef& f, const PhraseRef& xs) const {
    return prim(primitive("mapLocal"), {length(xs)}, {element_type(*xs), a}, {f, xs}, array(length(xs), a));
  }
};

// As a left fold gives them to its function: what comes later first.
PhraseRef combined(const PhraseRef& f, const PhraseRef& earlier, const PhraseRef& later) {
  return apply(apply(f, later), earlier);
}
Value combined(const Value& f, const Value& earlier, const Value& later) {
  const Value both[2] = {later, earlier};
  return stored(call(f, both));
}

// A level: what its threads do to each element of `over`.
struct Step {
  PhraseRef over;
  PhraseRef function;
};

// ------------------------------------------------------------------------------------------------- reductions
// x0 x1 x2 x3 x4 -> x0x1 x2x3 x4: neighbours are combined; a last one without a neighbour stays.
Step neighbours(const Parts& parts, const PhraseRef& f, const PhraseRef& xs, const std::string& name) {
  const std::int64_t pairs = parts.length(xs) / 2;
  const PhraseRef even = parts.length(xs) % 2 == 0 ? xs : parts.take(2 * pairs, xs);
  const PhraseRef p = ident(name, exp_type(array(2, parts.a)));
  return {prim(parts.primitive("split"), {2, pairs}, {parts.a}, {even}, array(pairs, array(2, parts.a))),
          lambda(name, p->type, combined(f, parts.element(p, 0), parts.element(p, 1)))};
}
PhraseRef with_the_last(const Parts& parts, const PhraseRef& combined_ones, const PhraseRef& xs) {
  const std::int64_t n = parts.length(xs);
  return n % 2 == 0 ? combined_ones : parts.concat(combined_ones, parts.drop(n - 1, xs));
}

// c is given the result: of no element the start.
PhraseRef reduced(Translation& t, const PrimPhrase& e, const std::function<PhraseRef(PhraseRef)>& c) {
  const Primitives primitive = [&](std::string_view name) { return t.primitive(name); };
  const Parts parts{primitive, e.types[0]};
  return t.continuation(e.arguments[2], [&](const PhraseRef& all) {
    return t.named(e.arguments[1], [&](const PhraseRef& start) {
      const std::function<PhraseRef(PhraseRef)> levels = [&](const PhraseRef& xs) {
        const std::int64_t n = parts.length(xs);
        if (n == 0) return c(start);
        if (n == 1) return c(combined(e.arguments[0], start, parts.element(xs, 0)));
        return new_variable(Space::Auto, array(n / 2, parts.a), t.fresh("tree"), [&](const PhraseRef& v) {
          const Step level = neighbours(parts, e.arguments[0], xs, t.fresh("p"));
          return seq({t.acceptor(parts.map_local(level.function, level.over), proj(1, v)),
                      levels(with_the_last(parts, proj(2, v), xs))});
        });
      };
      return levels(all);
    });
  });
}

Value reduced_value(const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
  std::vector<Value> xs;
  for (std::int64_t i = 0; i < sizes[0]; ++i) xs.push_back(stored(element_of(args[2], i)));
  if (xs.empty()) return stored(args[1]);
  while (xs.size() > 1) {
    std::vector<Value> next;
    for (std::size_t i = 0; i + 1 < xs.size(); i += 2) next.push_back(combined(args[0], xs[i], xs[i + 1]));
    if (xs.size() % 2 == 1) next.push_back(xs.back());
    xs = std::move(next);
  }
  return combined(args[0], args[1], xs[0]);
}

// What a level's function is given, where its cost is asked for: a name that no program has.
const std::string operands = "a level's operands";
// What a temporary of the translation is read as.
PhraseRef temporary(std::int64_t n, const Type& a) { return proj(2, ident("", var_type(array(n, a)))); }

// One call more, of an element of xs and the start, which has a name by then.
Cost with_start(SourceCosts& costs, const PrimPhrase& e, const PhraseRef& xs) {
  if (const auto* f = as<LambdaPhrase>(*e.arguments[0])) costs.bind(f->body, e.arguments[1]);
  return costs.call(e.arguments[0], {xs});
}

Cost reduce_cost(SourceCosts& costs, const PrimPhrase& e, bool to_acceptor) {
  const Primitives primitive = standard;
  const Parts parts{primitive, e.types[0]};
  const PhraseRef& f = e.arguments[0];
  Cost all = costs.before(e.arguments[2]) + costs.named(e.arguments[1]);
  PhraseRef xs = e.arguments[2];
  while (parts.length(xs) > 1) {
    const std::int64_t pairs = parts.length(xs) / 2;
    const Step level = neighbours(parts, f, xs, operands);
    all = all +
          with_space(Size(pairs) * scalars_in(parts.a), side_by_side(pairs, costs.call(level.function, {level.over})));
    xs = with_the_last(parts, temporary(pairs, parts.a), xs);
  }
  const bool none = parts.length(xs) == 0;
  if (none) return to_acceptor ? all + costs.assigned(e.arguments[1]) : all;
  return with_space(to_acceptor ? Size(0) : scalars_in(parts.a), all + with_start(costs, e, xs));
}

std::vector<Type> reduce_temporaries(const PrimPhrase& e) {
  std::vector<Type> out;
  for (std::int64_t n = *e.sizes[0].constant(); n > 1; n = (n + 1) / 2) out.push_back(array(n / 2, e.types[0]));
  return out;
}

Size reduce_writes(DeclaredWrites& w, const PrimPhrase& e, bool to_acceptor) {
  const Size &n = e.sizes[0], before = w.before(e.arguments[2]) + w.named(e.arguments[1]);
  return n == Size(0) ? before + copies(e.types[0], to_acceptor) : before + n * w.body(e.arguments[0]);
}

// ------------------------------------------------------------------------------------------------- scans
// Element i with the one s before it; the first s stay.
Step with_earlier(const Parts& parts, const PhraseRef& f, const PhraseRef& xs, std::int64_t s,
                  const std::string& name) {
  const std::int64_t n = parts.length(xs) - s;
  const Type both = pair(parts.a, parts.a);
  const PhraseRef p = ident(name, exp_type(both));
  const PhraseRef earlier = prim(parts.primitive("fst"), {}, {parts.a, parts.a}, {p}, parts.a),
                  later = prim(parts.primitive("snd"), {}, {parts.a, parts.a}, {p}, parts.a);
  return {prim(parts.primitive("zip"), {n}, {parts.a, parts.a}, {parts.take(n, xs), parts.drop(s, xs)}, array(n, both)),
          lambda(name, p->type, combined(f, earlier, later))};
}

PhraseRef scanned(Translation& t, const PrimPhrase& e, const PhraseRef& a) {
  const Primitives primitive = [&](std::string_view name) { return t.primitive(name); };
  const Parts parts{primitive, e.types[0]};
  const std::int64_t n = *e.sizes[0].constant();
  return t.continuation(e.arguments[2], [&](const PhraseRef& all) {
    return t.named(e.arguments[1], [&](const PhraseRef& start) {
      const std::function<PhraseRef(PhraseRef, std::int64_t)> levels = [&](const PhraseRef& xs, std::int64_t s) {
        if (s >= n) {
          const std::string x = t.fresh("x");
          const PhraseRef element = ident(x, exp_type(parts.a));
          const PhraseRef f = lambda(x, element->type, combined(e.arguments[0], start, element));
          return t.acceptor(parts.map_local(f, xs), a);
        }
        return new_variable(Space::Auto, array(n, parts.a), t.fresh("prefixes"), [&](const PhraseRef& v) {
          const Step level = with_earlier(parts, e.arguments[0], xs, s, t.fresh("p"));
          const PhraseRef next = parts.concat(parts.take(s, xs), parts.map_local(level.function, level.over));
          return seq({t.acceptor(next, proj(1, v)), levels(proj(2, v), 2 * s)});
        });
      };
      return levels(all, 1);
    });
  });
}

Value scanned_value(const std::vector<std::int64_t>& sizes, std::span<const Value> args) {
  std::vector<Value> xs;
  for (std::int64_t i = 0; i < sizes[0]; ++i) xs.push_back(stored(element_of(args[2], i)));
  for (std::size_t s = 1; s < xs.size(); s *= 2) {
    const std::vector<Value> before = xs;
    for (std::size_t i = s; i < xs.size(); ++i) xs[i] = combined(args[0], before[i - s], before[i]);
  }
  for (Value& x : xs) x = combined(args[0], args[1], x);
  return array_value(std::move(xs));
}

Cost scan_cost(SourceCosts& costs, const PrimPhrase& e, bool) {
  const Primitives primitive = standard;
  const Parts parts{primitive, e.types[0]};
  const PhraseRef& f = e.arguments[0];
  Cost all = costs.before(e.arguments[2]) + costs.named(e.arguments[1]);
  PhraseRef xs = e.arguments[2];
  const std::int64_t n = parts.length(xs);
  for (std::int64_t s = 1; s < n; s *= 2) {
    const Step level = with_earlier(parts, f, xs, s, operands);
    const Cost kept = costs.assigned(parts.take(s, xs));
    all = all + with_space(Size(n) * scalars_in(parts.a),
                           kept + side_by_side(n - s, costs.call(level.function, {level.over})));
    xs = temporary(n, parts.a);
  }
  return all + side_by_side(n, with_start(costs, e, xs));
}

std::vector<Type> scan_temporaries(const PrimPhrase& e) {
  std::vector<Type> out;
  for (std::int64_t s = 1; s < *e.sizes[0].constant(); s *= 2) out.push_back(array(e.sizes[0], e.types[0]));
  return out;
}

Size scan_writes(DeclaredWrites& w, const PrimPhrase& e, bool) {
  const std::int64_t n = *e.sizes[0].constant();
  const Size body = w.body(e.arguments[0]);
  Size all = w.before(e.arguments[2]) + w.named(e.arguments[1]) + Size(n) * body;
  for (std::int64_t s = 1; s < n; s *= 2) all = all + Size(s) * scalars_in(e.types[0]) + Size(n - s) * body;
  return all;
}

PrimitiveRef together(Level group, const char* name, const char* summary, bool scan) {
  Loop loop{.type = scan ? "('a -> 'a -> 'a) -> 'a -> [n]'a -> [n]'a" : "('a -> 'a -> 'a) -> 'a -> [n]'a -> 'a",
            .meaning = scan ? scanned_value : reduced_value,
            .cost = scan ? scan_cost : reduce_cost,
            .acceptor =
                [scan](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                  if (scan) return scanned(t, e, a);
                  return reduced(t, e, [&](const PhraseRef& r) { return t.acceptor(r, a); });
                },
            .level = Level::Local,
            .together = group,
            .total = true,
            .temporaries = scan ? scan_temporaries : reduce_temporaries,
            .writes = scan ? scan_writes : reduce_writes};
  if (!scan)
    loop.continuation = [](Translation& t, const PrimPhrase& e, const auto& c) {
      return reduced(t, e, [&](const PhraseRef& r) {
        if (e.sizes[0] == Size(0)) return c(r);
        return new_variable(Space::Auto, e.types[0], t.fresh("r"), [&](const PhraseRef& v) {
          return seq({t.acceptor(r, proj(1, v)), c(proj(2, v))});
        });
      });
    };
  return std::make_shared<const Primitive>(Primitive{name, summary, std::move(loop)});
}

}  // namespace

std::vector<PrimitiveRef> collective_primitives() {
  return {together(Level::Workgroup, "reduceBlock",
                   "n elements, n a number, combined by the threads of a block as a tree of neighbours", false),
          together(Level::Warp, "reduceWarp",
                   "n elements, n a number, combined by the lanes of a warp as a tree of neighbours", false),
          together(Level::Workgroup, "scanBlock",
                   "the prefixes of n elements, n a number, by the threads of a block in log2 n steps", true),
          together(Level::Warp, "scanWarp",
                   "the prefixes of n elements, n a number, by the lanes of a warp in log2 n steps", true)};
}

}  // namespace lockstep

// Random SNESL expressions of tuple, vector and sequence types.
#include "props/snesl/generate_state.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::as;
using snesl::prim;

template <class F>
auto Generator::within(const F& body) {
  const auto saved = scope_;
  std::erase_if(scope_, [](const Variable& v) { return !snesl::is_concrete(v.type); });
  ++depth_;
  auto r = body();
  --depth_;
  scope_ = saved;
  return r;
}

// A sequence of whatever element type: one that is there already, if it can be.
std::pair<Expr, snesl::Type> Generator::some_sequence(int b) {
  std::vector<const Variable*> there;
  for (const Variable& v : scope_)
    if (as<snesl::SequenceType>(v.type) && !summed_.contains(v.name)) there.push_back(&v);
  if (!there.empty() && random_.percent(55)) {
    const Variable v = *random_.among(there);
    unread_.erase(v.name);
    return {make::name(v.name), v.type};
  }
  const Type t = snesl::sequence_of(random_type(2, false));
  return {expression(t, b), t};
}

// {body : p in source; ... | condition}
Expr Generator::comprehension(const Type& t, int b) {
  ComprehensionExpr c{make::boolean(false), {}, std::nullopt};
  const int mine = part(b);
  struct Generated {
    Expr source;
    Variable like;  // its elements
  };
  std::vector<Generated> all;
  if (random_.percent(35)) {
    all.push_back({make::prefix(Prefix::Iota, small(mine)), {"", prim(Prim::Int), true}});
  } else {
    auto [s, type] = some_sequence(mine);
    all.push_back({std::move(s), {"", *as<snesl::SequenceType>(type)->element}});
  }
  const bool several = random_.percent(20);
  if (several) {  // of the same length: the same once more, or made of it
    if (random_.percent(10)) {
      auto [s, type] = some_sequence(mine);
      all.push_back({std::move(s), {"", *as<snesl::SequenceType>(type)->element}});
    } else if (std::holds_alternative<snesl::surface::Variable>(all[0].source.node) ||
               std::holds_alternative<PrefixExpr>(all[0].source.node)) {
      all.push_back(all[0]);
    }
  }
  for (Generated& g : all) g.like.given = is_given(g.source);
  return within([&]() -> Expr {
    distinct_ = all.size() > 1;
    for (Generated& g : all) c.generators.push_back({pattern_for(g.like), std::move(g.source)});
    distinct_ = false;
    const int rest = b - mine;
    if (random_.percent(25)) c.condition = expression(prim(Prim::Bool), rest / 3);
    c.body = expression(t, rest - 1);
    return {std::move(c), {}};
  });
}

// Sequences of one length, from one traversal or not.
Expr Generator::zipped(const snesl::TupleType& t, int b) {
  const int each = b / static_cast<int>(t.items.size() + 1);
  std::vector<Expr> parts;
  if (random_.percent(10)) {
    for (const Type& i : t.items) parts.push_back(expression(snesl::sequence_of(i), each));
    return make::call("zip", std::move(parts));
  }
  auto [s, type] = some_sequence(each);
  const Type element = *as<snesl::SequenceType>(type)->element;
  const std::string x = "s" + std::to_string(count_++);
  const bool given = is_given(s);
  for (const Type& i : t.items) {
    if (i == prim(Prim::Bool) && random_.percent(40)) {
      parts.push_back(make::call("tail_flags", {make::name(x)}));
      continue;
    }
    if (i == element && random_.percent(60)) {
      parts.push_back(make::name(x));
      continue;
    }
    parts.push_back(within([&] {
      Pattern p = pattern_for({"", element, false, given});
      Expr body = expression(i, each);
      return make::comprehension(std::move(body), std::move(p), make::name(x));
    }));
  }
  return make::let(make::bind(x), std::move(s), make::call("zip", std::move(parts)));
}

// flagpart with flags that fit: false for each element, true at the end of each segment.
Expr Generator::partition(const Type& t, int b) {
  const auto flags = [](Expr s) {
    return make::append(make::comprehension(make::boolean(false), make::bind("_"), std::move(s)),
                        make::sequence({make::boolean(true)}));
  };
  if (random_.percent(15)) {
    Expr s = expression(snesl::sequence_of(t), b / 2);
    return make::call("flagpart", {std::move(s), expression(snesl::sequence_of(prim(Prim::Bool)), b / 2)});
  }
  const std::string x = "s" + std::to_string(count_++), y = "s" + std::to_string(count_++);
  if (random_.percent(50))
    return make::let(make::bind(x), expression(snesl::sequence_of(t), b - 5),
                     make::call("flagpart", {make::name(x), flags(make::name(x))}));
  return make::let(
      make::bind(x), expression(snesl::sequence_of(snesl::sequence_of(t)), b - 8),
      make::call("flagpart",
                 {make::call("concat", {make::name(x)}),
                  make::call("concat", {make::comprehension(flags(make::name(y)), make::bind(y), make::name(x))})}));
}

void Generator::of_tuple(const snesl::TupleType& t, int b, Makers& out) {
  if (t.items.empty()) {
    out.push_back([] { return make::tuple({}); });
    if (entry_)  // a name of its own for each: the order of writes from several places is not the source's
      out.push_back([this, b] {
        Expr s = expression(snesl::sequence_of(prim(Prim::Char)), b - 2);
        return make::call("write_file", {make::text("out" + std::to_string(files_++)), std::move(s)});
      });
    return;
  }
  for (int twice = 0; twice < 2; ++twice)
    out.push_back([this, &t, b] {
      std::vector<Expr> items;
      for (const Type& i : t.items) items.push_back(expression(i, (b - 1) / static_cast<int>(t.items.size())));
      return make::tuple(std::move(items));
    });
  std::vector<Type> elements;
  for (const Type& i : t.items)
    if (const auto* s = as<snesl::SequenceType>(i)) elements.push_back(*s->element);
  if (elements.size() == t.items.size() && elements.size() > 1)
    for (int twice = 0; twice < 2; ++twice)
      out.push_back([this, elements, b] {
        return make::call("unzip", {expression(snesl::sequence_of(snesl::tuple(elements)), b - 1)});
      });
}

void Generator::of_vector(const Type& t, int b, Makers& out) {
  for (int twice = 0; twice < 2; ++twice)
    out.push_back([this, t, b] { return make::call("tab", {expression(snesl::sequence_of(t), b - 1)}); });
  out.push_back([this, t, b] {
    std::vector<Expr> items;
    for (int n = few(); n > 0; --n) items.push_back(expression(t, b / 3));
    return make::vector(std::move(items));
  });
}

void Generator::of_sequence_of_prim(Prim p, int b, Makers& out) {
  const Type type = snesl::sequence_of(prim(p));
  if (p == Prim::Int)
    for (int twice = 0; twice < 2; ++twice)
      out.push_back([this, b] { return make::prefix(Prefix::Iota, small(b - 1)); });
  if (p == Prim::Int || p == Prim::Real)
    for (int twice = 0; twice < 2; ++twice)
      out.push_back([this, type, b] {
        static const std::vector<std::string> all{"scan-plus", "scan-times", "scan-max", "scan-min"};
        const std::string& name = random_.among(all);
        return make::call(name, {expression(type, b - 1)});
      });
  if (p == Prim::Bool) {
    out.push_back([this, type, b] {
      const std::string name = random_.percent(50) ? "scan-or" : "scan-and";
      return make::call(name, {expression(type, b - 1)});
    });
    out.push_back([this, b] { return make::call("tail_flags", {some_sequence(b - 1).first}); });
  }
  if (!deep() && p != Prim::Char)
    for (int twice = 0; twice < 2; ++twice)
      out.push_back([this, p, type, b] {  // the reductions of segments
        const std::string x = "s" + std::to_string(count_++);
        Expr segments = expression(snesl::sequence_of(type), b - 3);
        return make::comprehension(reduced(p, make::name(x)), make::bind(x), std::move(segments));
      });
  if (p == Prim::Char)
    for (int twice = 0; twice < 2; ++twice)
      out.push_back([this] {
        static const std::vector<std::string> all{"text", "text", "lines", "lines", "words", "empty"};
        return make::call("read_file", {make::text(random_.percent(4) ? "missing" : random_.among(all))});
      });
}

// {{σ}}
void Generator::of_segments(const Type& inner, int b, Makers& out) {
  const auto* p = as<Prim>(inner);
  if (p && *p != Prim::Char && !deep())
    for (int times = 0; times < 3; ++times)
      out.push_back([this, p = *p, b] {  // the scans of segments
        const std::string x = "s" + std::to_string(count_++);
        static const std::vector<std::string> of_numbers{"scan-plus", "scan-times", "scan-max", "scan-min"};
        static const std::vector<std::string> of_flags{"scan-or", "scan-and", "tail_flags"};
        Expr segments = expression(snesl::sequence_of(snesl::sequence_of(prim(p))), b - 3);
        return make::comprehension(make::call(random_.among(p == Prim::Bool ? of_flags : of_numbers), {make::name(x)}),
                                   make::bind(x), std::move(segments));
      });
  out.push_back([this, inner, b] { return partition(inner, b); });
  out.push_back([this, inner, b] {
    return make::call("sep", {expression(snesl::sequence_of(snesl::tuple({inner, prim(Prim::Bool)})), b - 1)});
  });
}

void Generator::of_sequence(const Type& t, int b, Makers& out) {
  const Type whole = snesl::sequence_of(t);
  out.push_back([this, t, b] {
    std::vector<Expr> items;
    for (int n = few(); n > 0; --n) items.push_back(expression(t, b / 3));
    return make::sequence(std::move(items));
  });
  if (!deep())
    for (int times = 0; times < 4; ++times) out.push_back([this, t, b] { return comprehension(t, b); });
  out.push_back([this, whole, b] {
    if (random_.percent(12)) return make::append(make::sequence({}), expression(whole, b - 2));
    Expr left = expression(whole, b / 2);
    return make::append(std::move(left), expression(whole, b / 2));
  });
  out.push_back([this, t, b] {
    Expr c = expression(prim(Prim::Bool), b / 3);
    return make::guarded(expression(t, b - b / 3 - 1), std::move(c));
  });
  if (random_.percent(50))
    out.push_back([this, whole, b] { return make::call("concat", {expression(snesl::sequence_of(whole), b - 1)}); });
  if (snesl::is_concrete(t)) {
    out.push_back([this, t, b] { return make::call("seq", {expression(snesl::vector_of(t), b - 1)}); });
    if (!deep())
      out.push_back([this, t, b] {  // a vector read backwards
        const std::string v = "v" + std::to_string(count_++), i = "i" + std::to_string(count_++);
        const auto n = [&] { return make::prefix(Prefix::Length, make::name(v)); };
        Expr at = make::infix(Infix::Sub, make::infix(Infix::Sub, n(), make::number(1)), make::name(i));
        return make::let(make::bind(v), expression(snesl::vector_of(t), b - 8),
                         make::comprehension(make::index(make::name(v), std::move(at)), make::bind(i),
                                             make::prefix(Prefix::Iota, n())));
      });
  }
  if (const auto* p = as<Prim>(t)) of_sequence_of_prim(*p, b, out);
  if (const auto* x = as<snesl::TupleType>(t); x && x->items.size() > 1 && !deep())
    for (int twice = 0; twice < 3; ++twice) out.push_back([this, x = *x, b] { return zipped(x, b); });
  if (const auto* x = as<snesl::SequenceType>(t)) of_segments(*x->element, b, out);
}

}  // namespace lockstep::props::stream

// What a random SNESL expression of any type can be made by.
#include "props/snesl/generate_state.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::as;
using snesl::prim;

Expr Generator::literal(Prim p) {
  switch (p) {
    case Prim::Bool:
      return make::boolean(random_.percent(50));
    case Prim::Int:
      if (random_.percent(3)) return make::number(random_.percent(50) ? INT64_MIN : INT64_MAX);
      return make::number(random_.below(9) - 2);
    case Prim::Real: {
      static const std::vector<double> all{0, -0.0, 1, 1.5, 0.1, -2.25, 1e-3, 3, 1e17, 2.5, 0.3};
      return {Literal{snesl::real_atom(random_.among(all))}, {}};
    }
    case Prim::Char: {
      static const std::string all = "abc ,\n'\"\\\xff";
      return {Literal{snesl::char_atom(static_cast<unsigned char>(all[static_cast<std::size_t>(random_.below(10))]))},
              {}};
    }
    case Prim::Unit:
      break;
  }
  throw Bug("a literal of units");
}

// A variable of the type, or a component of one: most often of one that inputs vary.
std::optional<Expr> Generator::variable(const Type& t) {
  std::vector<Expr> found, given;
  for (const Variable& v : scope_) {
    if (summed_.contains(v.name)) continue;
    std::vector<Expr>& into = v.given ? given : found;
    if (v.type == t) into.push_back(make::name(v.name));
    if (const auto* tuple = as<snesl::TupleType>(v.type))
      for (std::size_t k = 0; k < tuple->items.size(); ++k)
        if (tuple->items[k] == t) into.push_back(make::project(make::name(v.name), static_cast<int>(k) + 1));
  }
  if (found.empty() || (!given.empty() && random_.percent(85))) found = std::move(given);
  if (found.empty()) return std::nullopt;
  const Expr& e = random_.among(found);
  if (const auto* x = std::get_if<snesl::surface::Variable>(&e.node)) unread_.erase(x->name);
  return e;
}

Expr Generator::leaf(const Type& t) {
  if (random_.percent(75))
    if (auto v = variable(t)) return *v;
  return match(
      t.node,
      [&](Prim p) {
        if (random_.percent(75))
          if (auto e = read_from_scope(p)) return std::move(*e);
        return literal(p);
      },
      [&](const snesl::TupleType& x) {
        std::vector<Expr> items;
        for (const Type& i : x.items) items.push_back(leaf(i));
        return items.size() == 1 ? items[0] : make::tuple(std::move(items));
      },
      [&](const snesl::VectorType& x) {
        if (*x.element == prim(Prim::Char) && random_.percent(30)) {
          static const std::vector<std::string> all{"", "a", "ab c", "x\n\"y\"\\"};
          return make::text(random_.among(all));
        }
        std::vector<Expr> items;
        for (int n = few(); n > 0; --n) items.push_back(leaf(*x.element));
        return make::vector(std::move(items));
      },
      [&](const snesl::SequenceType& x) {
        if (*x.element == prim(Prim::Int) && random_.percent(50)) return make::prefix(Prefix::Iota, small(3));
        if (random_.percent(25)) {
          Expr item = leaf(*x.element);
          return make::guarded(std::move(item), leaf(prim(Prim::Bool)));
        }
        std::vector<Expr> items;
        for (int n = few(); n > 0; --n) items.push_back(leaf(*x.element));
        return make::sequence(std::move(items));
      });
}

Expr Generator::let_in(const Type& t, int b) {
  if (random_.percent(12)) {
    const int mine = part(b);
    Expr value = unused(mine);
    return make::let(make::bind("_"), std::move(value), expression(t, b - mine));
  }
  const auto saved = scope_;
  LetExpr let{{}, make::boolean(false)};
  for (int n = random_.percent(25) ? 2 : 1; n > 0; --n) {
    const int mine = part(b);
    const Type of = random_type(3, false);
    Expr value = expression(of, mine);
    const bool given = is_given(value);
    let.bindings.push_back({pattern_for({"", of, false, given}), std::move(value)});
    b -= mine;
  }
  let.body = expression(t, b - 1);
  scope_ = saved;
  return {std::move(let), {}};
}

Expr Generator::component(const Type& t, int b) {
  std::vector<Type> items;
  for (int n = random_.below(2); n >= 0; --n) items.push_back(random_type(1, false));
  const int k = random_.below(static_cast<int>(items.size()) + 1);
  items.insert(items.begin() + k, t);
  return make::project(expression(snesl::tuple(items), b - 1), k + 1);
}

// v ! i. Where the vector may be shorter, the length is asked for.
Expr Generator::element(const Type& t, int b) {
  const Type v = snesl::vector_of(t);
  if (random_.percent(25)) {
    std::vector<Expr> items;
    for (int n = 1 + random_.below(3); n > 0; --n) items.push_back(expression(t, b / 3));
    const int i = random_.below(static_cast<int>(items.size()) + (random_.percent(10) ? 1 : 0));
    return make::index(make::vector(std::move(items)), make::number(i));
  }
  const int mine = part(b);
  if (random_.percent(12)) {
    Expr whole = expression(v, mine);
    return make::index(std::move(whole), expression(prim(Prim::Int), b - mine));
  }
  const std::string x = "v" + std::to_string(count_++);
  Expr at =
      make::infix(Infix::Mod, make::infix(Infix::BitAnd, expression(prim(Prim::Int), (b - mine) / 2), make::number(7)),
                  make::prefix(Prefix::Length, make::name(x)));
  Expr value = expression(v, mine);
  return make::let(make::bind(x), std::move(value),
                   make::choice(make::infix(Infix::Gt, make::prefix(Prefix::Length, make::name(x)), make::number(0)),
                                make::index(make::name(x), std::move(at)), leaf(t)));
}

void Generator::general(const Type& t, int b, Makers& out) {
  out.push_back([&, b] { return let_in(t, b); });
  out.push_back([&, b] {
    const int c = part(b / 2);
    Expr condition = expression(prim(Prim::Bool), c);
    Expr yes = expression(t, (b - c) / 2);
    return make::choice(std::move(condition), std::move(yes), expression(t, (b - c) / 2));
  });
  out.push_back([&, b] { return component(t, b); });
  if (snesl::is_concrete(t)) out.push_back([&, b] { return element(t, b); });
  if (b > 3)
    out.push_back([&, b] {
      if (random_.percent(25)) return make::call("the", {expression(snesl::sequence_of(t), b - 1)});
      return make::call("the", {make::sequence({expression(t, b - 2)})});
    });
  for (const Helper& h : helpers_)
    if (h.result == t)
      for (int twice = 0; twice < 4; ++twice)
        out.push_back([&, b] {
          std::vector<Expr> arguments;
          for (const Type& p : h.parameters)
            arguments.push_back(expression(p, b / static_cast<int>(h.parameters.size() + 1)));
          return make::call(h.name, std::move(arguments));
        });
}

Expr Generator::expression(const Type& t, int b) {
  if (seldom_ && entry_ && !asked_ && depth_ == 0 && t == prim(Prim::Int) && random_.percent(40)) return seldom_asked();
  if (b <= 1) return leaf(t);
  if (random_.percent(std::holds_alternative<snesl::SequenceType>(t.node) ? 25 : 15))
    if (auto v = variable(t)) return *v;
  Makers all;
  match(
      t.node, [&](Prim p) { of_prim(p, b, all); }, [&](const snesl::TupleType& x) { of_tuple(x, b, all); },
      [&](const snesl::VectorType& x) { of_vector(*x.element, b, all); },
      [&](const snesl::SequenceType& x) { of_sequence(*x.element, b, all); });
  if (!random_.percent(25)) return random_.among(all)();
  all.clear();
  general(t, b, all);
  return random_.among(all)();
}

}  // namespace lockstep::props::stream

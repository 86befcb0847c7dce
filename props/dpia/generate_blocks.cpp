// Random nests for the blocks, warps and threads of a GPU: a block's threads make arrays in the block's memory one
// after the other, each from elements that other threads of the block have made; or its warps make parts of one, in the
// same way each.
#include <algorithm>

#include "props/dpia/generate_state.h"

namespace lockstep::props {

// n elements, of arrays that are made already where there are such: not each thread's own.
surface::Expr Generator::of_other_threads(const Size& n, Type& element, int budget) {
  std::vector<Variable> made;
  for (const Variable& v : scope_)
    if (const auto* a = as<ArrayType>(v.type); a && a->length == n) made.push_back(v);
  if (made.empty()) {
    element = source_element(n);
    return expression(array(n, element), budget, false);
  }
  const Variable xs = random_.percent(85) ? made.back() : random_.among(made);
  element = *as<ArrayType>(xs.type)->element;
  Expr all = make::name(xs.name);
  const auto turned = [&] { return make::call("reverse", {all}); };
  const auto next = [&] {  // xs[i + 1], the first after the last
    const std::string i = fresh("i");
    Expr length = make::call("max", {make::number(1), make::call("i64", {make::size(n)})});
    Expr at =
        make::binary("%", make::binary("+", make::name(i), make::number(1 + random_.below(2))), std::move(length));
    Expr is = make::call("generate", {make::size(n), make::lambda({make::bind(i)}, std::move(at))});
    return make::call("gather", {std::move(is), all});
  };
  const auto with_neighbour = [&] {
    const Variable& other = random_.among(made);
    Expr there = make::call("reverse", {make::name(other.name)});
    element = pair(element, *as<ArrayType>(other.type)->element);
    return make::call("zip", {all, std::move(there)});
  };
  return random_.one_of(Way{5, turned}, Way{1, next}, Way{2, with_neighbour}, Way{1, [&] { return all; }});
}

// n elements as rows, each for a warp; nothing where n has no parts.
std::optional<surface::Expr> Generator::warps(const ArrayType& a, const Type& element, const Expr& xs, int budget) {
  const auto n = a.length.constant();
  if (!n || *n < 1 || around_ != Around::Workgroup) return {};
  std::vector<std::int64_t> parts;
  for (std::int64_t m = random_.percent(80) && *n > 1 ? 2 : 1; m <= *n; ++m)
    if (*n % m == 0) parts.push_back(m);
  const std::int64_t m = random_.among(parts);
  const Inside inside(*this, *n / m);
  const Place place(*this, Around::Warp);
  const Scope scope(*this);
  const std::string w = fresh("x");
  scope_.push_back({w, array(m, element)});
  const int temporaries = random_.among(std::vector<int>{0, 1, 1, 1});
  Expr body = block(array(m, *a.element), temporaries, budget);
  Expr rows = make::call("split", {make::number(m), xs});
  return make::call("join", {make::call("mapWarp", {make::lambda({make::bind(w)}, std::move(body)), std::move(rows)})});
}

surface::Expr Generator::threads(const ArrayType& a, int budget) {
  Type element = scalar(ScalarType::I32);
  Expr xs = of_other_threads(a.length, element, budget / 3);
  if (random_.percent(5))
    if (auto by_warps = warps(a, element, xs, budget / 3)) return std::move(*by_warps);
  const Inside inside(*this, a.length);
  const Place place(*this, Around::Inner);
  return make::call("mapLocal", {function({element}, *a.element, budget * 2 / 3, false), std::move(xs)});
}

// By the threads of the block or warp together: a value of some elements, or the prefixes of n.
surface::Expr Generator::together(const Type& t, const std::optional<std::int64_t>& n, int budget) {
  const std::int64_t length = n ? *n : 1 + random_.below(6);
  const std::string group = around_ == Around::Warp ? "Warp" : "Block";
  Expr start = leaf(t, false);
  Expr xs = threads(*as<ArrayType>(array(length, t)), budget / 2);
  const Inside inside(*this, length);
  const Place place(*this, Around::Inner);
  return make::call((n ? "scan" : "reduce") + group,
                    {function_or_operator({t, t}, t, budget / 2, false), std::move(start), std::move(xs)});
}

// What a block makes: temporaries in turn, and its result from them.
surface::Expr Generator::block(const Type& t, int temporaries, int budget) {
  const auto* a = as<ArrayType>(t);
  if (temporaries == 0) {
    if (!a && random_.percent(40)) return together(t, {}, budget);
    if (!a) return expression(t, std::max(4, budget), false);
    if (random_.percent(8))
      if (auto atomics = random_.percent(15) ? spread(*a, budget, false, true) : permuted(*a, budget, false, true))
        return std::move(*atomics);
    const bool in_warp = around_ == Around::Warp;
    if (const auto n = a->length.constant(); n && random_.percent(in_warp ? 40 : 18)) {
      if (random_.percent(in_warp ? 85 : 60)) return together(*a->element, n, budget);
      return make::call("replicate", {make::number(*n), block(*a->element, 0, budget)});
    }
    if (random_.percent(15) && affordable(a->length * Size(2))) {  // again and again, each round from the last
      const std::string s = fresh("s");
      Expr start = leaf(t, false);
      const Inside inside(*this, 2);
      const Scope scope(*this);
      scope_.push_back({s, t});
      Expr round = threads(*a, budget / 2);
      return make::call("iterate", {make::number(1 + random_.below(3)), make::lambda({make::bind(s)}, std::move(round)),
                                    std::move(start)});
    }
    return threads(*a, budget);
  }
  const Size n = a && random_.percent(95) ? a->length : Size(1 + random_.below(4));
  const Type made = array(n, random_.percent(80) ? scalar(random_scalar_type()) : random_type(1));
  const Scope scope(*this);
  const std::string x = fresh("x");
  Type element = scalar(ScalarType::I32);
  Expr xs = of_other_threads(n, element, budget / 4);
  const auto f = [&] {
    const std::string ys = fresh("x");
    if (random_.percent(5))
      if (auto by_warps = warps(*as<ArrayType>(made), element, make::name(ys), budget / 6))
        return make::lambda({make::bind(ys)}, std::move(*by_warps));
    const Inside inside(*this, n);
    const Place place(*this, Around::Inner);
    return make::call("mapLocal", {function({element}, *as<ArrayType>(made)->element, budget / 3, false)});
  };
  const std::string memory = random_.percent(75) ? "toLocal" : "toGlobal";
  Expr value = make::call(memory, {f(), std::move(xs)});
  scope_.push_back({x, made});
  Expr rest = block(t, temporaries - 1, budget / 2);
  return {surface::Let{make::bind(x), std::move(value), std::move(rest)}, {}};
}

void Generator::blocks(surface::Definition& d) {
  std::vector<Size> lengths = {2, 3, 4};
  for (const Size& n : sizes_)
    if (nominal(n) <= 8) lengths.push_back(n);
  const Size grid = random_.among(lengths);
  const bool is_array = random_.percent(85);
  const bool by_warps = is_array && random_.percent(40);  // their temporaries in place of the block's
  if (by_warps) lengths = {2, 3, 6, 8};
  lengths.insert(lengths.end(), {4, 4});
  const Size n = random_.among(lengths);
  const Type element = random_.percent(80) ? scalar(random_scalar_type()) : random_type(1);
  const Type made = is_array ? array(n, element) : element;
  const Type given = source_element(grid);
  const int budget = std::max(3, nodes_ / 11);
  Expr xs = expression(array(grid, given), budget / 4, false);
  Expr body = make::number(0);
  {
    const Inside inside(*this, grid);
    const Place place(*this, Around::Workgroup);
    const Scope scope(*this);
    const std::string x = fresh("x");
    scope_.push_back({x, given});
    std::optional<Expr> f;
    if (by_warps) {
      Type from = scalar(ScalarType::I32);
      Expr row = of_other_threads(n, from, budget / 4);
      f = warps(*as<ArrayType>(made), from, row, budget / 2);
    }
    if (!f) f = block(made, random_.among(std::vector<int>{1, 1, 1, 1, 1, 1, 1, 2, 2, 3}), budget);
    body = make::call("mapWorkgroup", {make::lambda({make::bind(x)}, std::move(*f)), std::move(xs)});
  }
  Type result = array(grid, made);
  if (is_array && random_.percent(40)) {
    body = make::call("join", {std::move(body)});
    result = array(grid * n, element);
  } else if (random_.percent(20)) {  // and something after the blocks
    const std::string y = fresh("x");
    const Scope scope(*this);
    scope_.push_back({y, result});
    result = result_type();
    body = {surface::Let{make::bind(y), std::move(body), expression(result, budget / 2, true)}, {}};
  }
  d.result = {declared(result), {}, {}};
  d.body = std::move(body);
}

}  // namespace lockstep::props

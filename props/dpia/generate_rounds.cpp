// Random loops that end: `while` in the shapes that people write.
#include "props/dpia/generate_state.h"

namespace lockstep::props {

using surface::Pattern;

namespace {
Pattern both(Pattern a, Pattern b) { return {surface::TuplePattern{{std::move(a), std::move(b)}}, {}}; }
surface::Expr digit(int n, ScalarType t) { return {surface::Literal{std::to_string(n), t}, {}}; }
surface::Expr loop(surface::Expr condition, surface::Expr step, surface::Expr start) {
  return make::call("while", {std::move(condition), std::move(step), std::move(start)});
}
}  // namespace

// A counter beside the state, and now and then what else the condition says.
surface::Expr Generator::by_counter(const Type& t, int budget, bool known) {
  const ScalarType c = random_.percent(50) ? ScalarType::I32 : ScalarType::I64;
  Expr start = make::tuple(digit(0, c), expression(t, budget / 4, known));
  const std::string i = fresh("i"), j = fresh("i"), x = fresh("x");
  Expr test = make::binary("<", make::name(i), digit(random_.below(5), c));
  const Inside inside(*this, 5);
  if (random_.percent(30)) test = make::binary("&&", std::move(test), boolean(budget / 6));
  Expr condition = make::lambda({both(make::bind(i), make::wild())}, std::move(test));
  const Scope scope(*this);
  scope_.push_back({x, t});
  scope_.push_back({j, scalar(c)});
  Expr next = make::tuple(make::binary("+", make::name(j), digit(1, c)), expression(t, budget / 3, true));
  Expr step = make::lambda({both(make::bind(j), make::bind(x))}, std::move(next));
  return make::call("snd", {loop(std::move(condition), std::move(step), std::move(start))});
}

// (go on?, (how often, x)): the step decides whether there is another.
surface::Expr Generator::by_flag(const Type& t, int budget, bool known) {
  Expr first = boolean(budget / 6);
  Expr start = make::tuple(std::move(first), make::tuple(digit(0, ScalarType::I32), expression(t, budget / 4, known)));
  const std::string go = fresh("x"), j = fresh("i"), x = fresh("x");
  Expr condition = make::lambda({both(make::bind(go), make::wild())}, make::name(go));
  const Inside inside(*this, 4);
  const Scope scope(*this);
  scope_.push_back({x, t});
  scope_.push_back({j, scalar(ScalarType::I32)});
  Expr more = make::binary("<", make::name(j), digit(random_.below(4), ScalarType::I32));
  if (random_.percent(50)) more = make::binary("&&", std::move(more), boolean(budget / 5));
  Expr count = make::binary("+", make::name(j), digit(1, ScalarType::I32));
  Expr next = make::tuple(std::move(more), make::tuple(std::move(count), expression(t, budget / 3, true)));
  Expr step = make::lambda({both(make::wild(), both(make::bind(j), make::bind(x)))}, std::move(next));
  return make::call("snd", {make::call("snd", {loop(std::move(condition), std::move(step), std::move(start))})});
}

surface::Expr Generator::by_counter_in_array(const Type& t, int budget, bool known) {
  const ScalarType c = ScalarType::I32;
  Expr counts = {surface::ArrayLiteral{{digit(0, c), digit(random_.below(3), c)}}, {}};
  Expr start = make::tuple(std::move(counts), expression(t, budget / 4, known));
  const std::string s = fresh("s"), is = fresh("x"), x = fresh("x"), i = fresh("i");
  Expr sum = make::call("reduce", {make::operation("+"), digit(0, c), make::call("fst", {make::name(s)})});
  Expr condition = make::lambda({make::bind(s)}, make::binary("<", std::move(sum), digit(2 + random_.below(5), c)));
  const Inside inside(*this, 5);
  const Scope scope(*this);
  scope_.push_back({x, t});
  scope_.push_back({is, array(2, scalar(c))});
  Expr more = make::lambda({make::bind(i)}, make::binary("+", make::name(i), digit(1, c)));
  Expr counted = make::call(around_ == Around::Private ? "mapSeq" : "map", {std::move(more), make::name(is)});
  Expr next = make::tuple(std::move(counted), expression(t, budget / 3, true));
  Expr step = make::lambda({both(make::bind(is), make::bind(x))}, std::move(next));
  return make::call("snd", {loop(std::move(condition), std::move(step), std::move(start))});
}

surface::Expr Generator::state_of(Expr e, ScalarType t) { return make::binary("&", std::move(e), digit(7, t)); }

// Down from a number that the data give.
surface::Expr Generator::as_often_as_given(const Type& t, int budget, bool known) {
  static const std::vector<ScalarType> counters = {ScalarType::I32, ScalarType::U8, ScalarType::I64, ScalarType::U64};
  const ScalarType c = random_.among(counters);
  Expr often = state_of(expression(scalar(c), budget / 5, false), c);
  Expr start = make::tuple(expression(t, budget / 4, known), std::move(often));
  const std::string i = fresh("i"), j = fresh("i"), x = fresh("x");
  Expr condition = make::lambda({both(make::wild(), make::bind(i))}, make::binary("!=", make::name(i), digit(0, c)));
  const Inside inside(*this, 4);
  const Scope scope(*this);
  scope_.push_back({x, t});
  scope_.push_back({j, scalar(c)});
  Expr next = expression(t, budget / 3, true);
  next = make::tuple(std::move(next), make::binary("-", make::name(j), digit(1, c)));
  Expr step = make::lambda({both(make::bind(x), make::bind(j))}, std::move(next));
  return make::call("fst", {loop(std::move(condition), std::move(step), std::move(start))});
}

// The number itself is the state.
std::optional<surface::Expr> Generator::until_small(const Type& t, int budget, bool known) {
  const auto* s = as<ScalarType>(t);
  if (!s || *s == ScalarType::Bool) return {};
  Expr start = expression(t, budget / 2, known);
  const std::string x = fresh("x"), y = fresh("x");
  if (is_float(*s)) {
    const auto number = [&](const char* digits) { return Expr{surface::Literal{digits, *s}, {}}; };
    Expr test = make::binary("&&", make::binary(">", make::name(x), number("0.5")),
                             make::binary("<", make::name(x), number("1e9")));
    Expr half = random_.percent(50) ? make::binary("*", make::name(y), number("0.5"))
                                    : make::binary("/", make::name(y), number("2.0"));
    return loop(make::lambda({make::bind(x)}, std::move(test)), make::lambda({make::bind(y)}, std::move(half)),
                std::move(start));
  }
  Expr test = make::binary(">", make::name(x), digit(random_.below(4), *s));
  Expr half = random_.percent(50) ? make::binary("/", make::name(y), digit(2 + random_.below(3), *s))
                                  : make::binary(">>", make::name(y), digit(1, *s));
  return loop(make::lambda({make::bind(x)}, std::move(test)), make::lambda({make::bind(y)}, std::move(half)),
              std::move(start));
}

// Euclid's: both components change at once.
std::optional<surface::Expr> Generator::greatest_divisor(const Type& t, int budget, bool known) {
  const auto* s = as<ScalarType>(t);
  if (!s || !is_integer(*s) || is_signed(*s)) return {};  // the least by -1 traps
  Expr a = expression(t, budget / 3, false);
  Expr start = make::tuple(std::move(a), expression(t, budget / 3, known));
  const std::string i = fresh("x"), x = fresh("x"), y = fresh("x");
  Expr condition = make::lambda({both(make::wild(), make::bind(i))}, make::binary("!=", make::name(i), digit(0, *s)));
  Expr next = make::tuple(make::name(y), make::binary("%", make::name(x), make::name(y)));
  Expr step = make::lambda({both(make::bind(x), make::bind(y))}, std::move(next));
  return make::call("fst", {loop(std::move(condition), std::move(step), std::move(start))});
}

surface::Expr Generator::while_loop(const Type& t, int budget, bool known) {
  const auto maybe = [](Expr e) { return std::optional<Expr>(std::move(e)); };
  for (;;)
    if (auto e = random_.one_of(Way{2, [&] { return maybe(by_counter(t, budget, known)); }},
                                Way{2, [&] { return maybe(by_flag(t, budget, known)); }},
                                Way{1, [&] { return maybe(by_counter_in_array(t, budget, known)); }},
                                Way{2, [&] { return maybe(as_often_as_given(t, budget, known)); }},
                                Way{3, [&] { return until_small(t, budget, known); }},
                                Way{2, [&] { return greatest_divisor(t, budget, known); }}))
      return std::move(*e);
}

}  // namespace lockstep::props

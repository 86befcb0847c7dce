// Push arrays, where they are written: levels as strategies, and spaces of memory.
#include "semantics/functional/source.h"
#include "translate/fcl/lower/lowering.h"

namespace lockstep::fcl::lowering {
namespace {

using make::apply, make::call, make::name;

Text lambda(const std::string& parameter, Text body) {
  surface::Pattern p = parameter == "_" ? surface::Pattern{surface::WildPattern{}, {}} : make::bind(parameter);
  return make::lambda({std::move(p)}, std::move(body));
}
Text indices(const Size& n) { return call("indices", {source_of(n)}); }
// generate n (fn i => …): n
const Expr& length_of(const Expr& generate) { return *spine_of(generate).arguments[0]; }

// Over all threads of the place, or what one of its threads does alone.
std::string strategy(int level) {
  static constexpr const char* names[] = {"mapSeq", "mapLocal", "mapLocal", "mapGlobal"};
  return names[level];
}
// Over the units of a level that the one above it has.
std::string over_units(int level) {
  static constexpr const char* names[] = {"mapLocal", "mapWarp", "mapWorkgroup"};
  return names[level];
}

}  // namespace

Text Lowering::over(int level, const std::string& index, Text element, const Size& n) {
  return call(strategy(level), {lambda(index, std::move(element)), indices(n)});
}

// At a place, what a unit of a lower level does: the first of each level between.
Text Lowering::on_first(int level, int place, Text text) {
  for (int unit = level; unit < place; ++unit)
    text = call("join", {call(over_units(unit), {lambda("_", std::move(text)), indices(1)})});
  return text;
}

// What a function of an index below the length gives; nothing behind a length that is less when it runs.
Text Lowering::element(const Expr& f, const Size& length, Low& made, const std::optional<Wide>& below) {
  const auto& fn = std::get<FnExpr>(f.node);
  const std::string& i = fn.parameters[0].name;
  const std::string own = fresh(i);
  const Size here = below ? below->most : length;
  names_.insert_or_assign(i, low(Number{ScalarType::I32, call("i32", {name(own)}), Wide{name(own), 0, here - 1}}));
  Text body = entered(here, [&] {
    return within([&] {
      made = scalar(*fn.body);
      return tuple(made);
    });
  });
  if (below) body = Text{surface::If{make::binary("<", name(own), below->text), std::move(body), nothing(made)}, {}};
  return lambda(own, std::move(body));
}

Text Lowering::nothing(const Low& l) {
  if (const auto* p = std::get_if<std::shared_ptr<const std::pair<Low, Low>>>(&l.node))
    return make::tuple({nothing((*p)->first), nothing((*p)->second)});
  const ScalarType t = number(l).type;
  return source_of(t == ScalarType::Bool ? make_bool(false) : is_float(t) ? make_ieee(t, 0) : make_integer(t, 0));
}

Lowering::Made Lowering::pushed(const Spine& s, int place, const Region& at, State* state) {
  const int level = s.level->above;
  const Expr& g = *s.arguments[0];
  Low made{};
  if (!state) {
    const Size n = as_size(scalar(length_of(g)), "the length of a push array", at);
    Text f = element(*spine_of(g).arguments[1], n, made);
    return {on_first(level, place, call(strategy(level), {std::move(f), indices(n)})), n, std::move(made)};
  }
  const Wide n = running(length_of(g), at);
  if (!state->capacity) state->capacity = upper(n.most);
  const Size all = *state->capacity;
  const bool filled = n.is_size() && n.most == all;
  Text f = element(*spine_of(g).arguments[1], all, made, filled ? std::nullopt : std::optional(n));
  Text array = on_first(level, place, call(strategy(level), {std::move(f), indices(all)}));
  return {with_length(n, std::move(array), *state, at), all, std::move(made)};
}

// Chunks that stand one behind the other, or whose digits do in another order.
Lowering::Made Lowering::interleaved(const Spine& s, int place, const Region& at, State* state) {
  const Size n = as_size(scalar(*s.arguments[0]), "the length of a chunk", at);
  const Expr& g = *s.arguments[2];
  const std::optional<Wide> chunks_now = state ? std::optional(running(length_of(g), at)) : std::nullopt;
  const bool joined = is_joined(*s.arguments[1], *s.arguments[0]);
  Size m = 0;
  if (!state) {
    m = as_size(scalar(length_of(g)), "the number of chunks", at);
  } else {
    if (!joined) refuse(at, "an `interleave` of as many chunks as it has when it runs is taken to targets as `concat`");
    if (!state->capacity) state->capacity = upper(chunks_now->most) * n;
    m = floor_div(*state->capacity, n);
    if (!proves({m * n, SizeRelation::Equal, *state->capacity}))
      refuse(at, "chunks of a `while` that do not fill what it began with are not taken to targets");
  }
  const std::optional<Digits> digits = joined ? std::nullopt : digits_of(*s.arguments[1], m, n, at);
  if (digits) by_digits_.push_back(at);
  const FnExpr& fn = function_of(g);
  const int level = level_of(*fn.body);
  const std::string own = fresh(fn.parameters[0].name);
  const Size here = chunks_now ? chunks_now->most : m;
  names_.insert_or_assign(fn.parameters[0].name,
                          low(Number{ScalarType::I32, call("i32", {name(own)}), Wide{name(own), 0, here - 1}}));
  Made chunk = entered(here, [&] { return body(*fn.body, level); });
  sizes_.same(chunk.length, n, at);
  if (digits && digits->of_element.size() > 1)
    chunk.text = call("split", {source_of(digits->of_element[1].radix), std::move(chunk.text)});
  if (state)
    chunk.text = Text{surface::If{make::binary("<", name(own), chunks_now->text), std::move(chunk.text),
                                  over(level, "_", nothing(chunk.element), n)},
                      {}};
  Text chunks = call(over_units(level), {lambda(own, std::move(chunk.text)), indices(m)});
  chunks = joined   ? call("join", {std::move(chunks)})
           : digits ? in_order(std::move(chunks), *digits)
                    : at_places(*s.arguments[1], std::move(chunks), m, n, level + 1, at);
  Text all = on_first(level + 1, place, std::move(chunks));
  if (!state) return {std::move(all), n * m, std::move(chunk.element)};
  const Text length = make::binary("*", chunks_now->text, size_text(n));
  return {with_length({length, chunks_now->least * n, chunks_now->most * n}, std::move(all), *state, at),
          *state->capacity, std::move(chunk.element)};
}

Wide Lowering::running(const Expr& length, const Region& at) {
  const Number n = number(scalar(length));
  if (!n.wide) refuse(at, "a length of a `while` that data make is not taken to targets");
  natural_when_run(*n.wide, at);
  for (const SizeFact& f : n.needs) sizes_.at_most(f.left, f.right, at);
  return {n.wide->text, n.wide->least, sizes_.current(n.wide->most)};
}

void Lowering::check_that(Text condition, const Region& at) {
  Text checked = make::indexed({surface::ArrayLiteral{{source_of(make_bool(true))}}, {}},
                               Text{surface::If{std::move(condition), source_of(make_integer(ScalarType::I64, 0)),
                                                source_of(make_integer(ScalarType::I64, 1))},
                                    {}});
  checked.region = at;
  lets_.emplace_back(make::bind(fresh("holds")), std::move(checked));
}

// It does not outgrow what it began with, and where nothing else ends the loop it changes.
Text Lowering::with_length(const Wide& n, Text array, State& state, const Region& at) {
  const std::string own = fresh("n");
  lets_.emplace_back(make::bind(own), n.text);
  if (!proves({n.most, SizeRelation::LessEqual, *state.capacity}))
    check_that(make::binary("<=", name(own), size_text(*state.capacity)), at);
  if (state.before) check_that(make::binary("!=", name(own), *state.before), at);
  return make::tuple({name(own), std::move(array)});
}

// fn p => fst p * n + snd p
bool Lowering::is_joined(const Expr& f, const Expr& n) {
  const auto& fn = std::get<FnExpr>(f.node);
  const auto part = [&](const std::string& which) {
    return Expr{ApplyExpr{Expr{Variable{which}}, Expr{Variable{fn.parameters[0].name}}}};
  };
  return *fn.body == Expr{InfixExpr{Infix::Add, Expr{InfixExpr{Infix::Mul, part("fst"), n}}, part("snd")}};
}

Lowering::Made Lowering::scheme(const Expr& e, int place, State* state) {
  if (const auto* i = as<IfExpr>(e)) {
    const Number c = number(scalar(*i->condition));
    Made yes = body(*i->yes, place, state), no = body(*i->no, place, state);
    const Size n = sizes_.same(yes.length, no.length, e.region);
    return {Text{surface::If{c.text, std::move(yes.text), std::move(no.text)}, {}}, n, std::move(yes.element)};
  }
  const Spine s = spine_of(e);
  return s.head == "push" ? pushed(s, place, e.region, state) : interleaved(s, place, e.region, state);
}

Lowering::Made Lowering::body(const Expr& e, int place, State* state) {
  Made made{};
  Text text = within([&] {
    const Expr* rest = &e;
    if (const auto* l = as<LetExpr>(e)) {
      for (const Binding& b : l->bindings) bind(b, place);
      rest = &*l->body;
    }
    made = scheme(*rest, place, state);
    return std::move(made.text);
  });
  made.text = std::move(text);
  return made;
}

Low Lowering::array_named(const std::string& own, const Size& length, const Low& element, std::optional<Wide> running) {
  return low_array(
      length, [this, own, element](const Text& k) { return of_text(make::indexed(name(own), k), element); },
      std::move(running));
}

// force at a place, and while: written to the memory that is its own.
void Lowering::bind(const Binding& b, int place) {
  const Spine s = spine_of(*b.value);
  if (s.head == "while") {
    names_.insert_or_assign(b.name, looped(s, place, b.name));
    return;
  }
  if (s.head != "force") {
    names_.insert_or_assign(b.name, named(b.name, scalar(*b.value)));
    return;
  }
  Made made = scheme(*s.arguments[0], place);
  const std::string own = fresh(b.name);
  lets_.emplace_back(make::bind(own), in_memory(std::move(made.text), place));
  names_.insert_or_assign(b.name, array_named(own, made.length, made.element));
}

}  // namespace lockstep::fcl::lowering

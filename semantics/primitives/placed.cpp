// Values at places that a run finds.
#include "semantics/primitives/placed.h"

namespace lockstep::placed {

std::int64_t number_at(const Value& is, std::int64_t j) { return as_scalar(force(element_of(is, j))).integer(); }

std::vector<Value> elements(const Value& xs, std::int64_t n) {
  std::vector<Value> out;
  for (std::int64_t i = 0; i < n; ++i) out.push_back(stored(element_of(xs, i)));
  return out;
}

std::optional<std::int64_t> place_below(std::int64_t m, std::int64_t i, const char* loop, const Region& where) {
  if (i < 0) return {};
  if (i >= m)
    throw TrapSignal{{loop, "index " + std::to_string(i) + " is outside [0, " + std::to_string(m) + ")", where}};
  return i;
}

PlaceOf element_of_array(const PhraseRef& is) {
  return [is](Expansion& t, const PhraseRef& j, kernel::Block&) {
    return t.value(is, {PathIndex{Size::name(std::get<Ident>(j->node).name)}});
  };
}

PlaceOf by_function(const PhraseRef& f, const PhraseRef& xs) {
  return [f, xs](Expansion& t, const PhraseRef& j, kernel::Block& out) {
    const Type i64 = scalar(ScalarType::I64);
    const PhraseRef element = idx_of(t.primitive("idx"), xs, j);
    const auto of = [&](const PhraseRef& place) { return apply(apply(f, element), proj(1, place)); };
    const PhraseRef found = of(ident("", var_type(i64)));
    const auto* x = as<ImpPhrase>(*found);
    if (x && as<imp::Assign>(*x)) return t.value(x->arguments[1], {});
    const PhraseRef place = t.declare(t.fresh("place"), i64, out);
    t.command(of(place), out);
    return t.value(proj(2, place), {});
  };
}

void at_index(
    Expansion& t, const char* loop, Level level, const ImpPhrase& x, const PlaceOf& place, const Region& region,
    kernel::Block& out,
    const std::function<void(const std::string& i, const PhraseRef& at, const PhraseRef& j, kernel::Block&)>& rest) {
  const Size &m = x.sizes[0], &n = x.sizes[1];
  const std::string j = t.fresh("j"), i = t.fresh("i");
  const PhraseRef index = t.index(j, n);
  kernel::Block body, taken;
  const kernel::Expr found = place(t, index, body);
  t.emit(body, kernel::Declare{i, kernel::KType{}, found});
  const kernel::Expr at = kernel::variable(i);
  t.emit(taken, kernel::Check{kernel::arith(kernel::ArithOp::Less, at, t.extent(m)),
                              loop,
                              "index {0} is outside [0, {1})",
                              {at, t.extent(m)},
                              region});
  rest(i, t.index(i, m), index, taken);
  t.emit(body, kernel::If{kernel::arith(kernel::ArithOp::LessEqual, kernel::constant(0), at),
                          kernel::Stmt{std::move(taken)}, kernel::Stmt{kernel::Block{}}});
  t.emit(out, loop_at(level, j, t.extent(n), std::move(body)));
}

// \x -> fst (snd x), or, as a translated one, \x o. o := fst (snd x)
static bool is_component(const Phrase& f) {
  const auto* x = as<LambdaPhrase>(f);
  const auto* o = x ? as<LambdaPhrase>(*x->body) : nullptr;
  const Phrase* body = o ? &*o->body : x ? &*x->body : nullptr;
  if (const auto* a = body ? as<ImpPhrase>(*body) : nullptr) body = as<imp::Assign>(*a) ? &*a->arguments[1] : nullptr;
  for (const PrimPhrase* p = body ? as<PrimPhrase>(*body) : nullptr; p && component_taken(*p) != 0;
       p = as<PrimPhrase>(*body))
    body = &*p->arguments[0];
  const auto* name = body ? as<Ident>(*body) : nullptr;
  return name && name->name == x->name;
}

Cost place_cost(const PhraseRef& f, const Cost& call) {
  if (is_component(*f)) return {call.work - Size(1), call.depth - Size(1), call.space};
  return {call.work + Size(1), call.depth + Size(1), call.space + Size(1)};
}

}  // namespace lockstep::placed

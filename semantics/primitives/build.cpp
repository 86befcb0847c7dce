// Makers of primitive applications, with their types.
#include "semantics/primitives/build.h"

namespace lockstep {

PhraseRef prim(PrimitiveRef p, std::vector<Size> sizes, std::vector<Type> types, std::vector<PhraseRef> arguments,
               Type result, Region region) {
  return Phrase{exp_type(std::move(result)),
                PrimPhrase{std::move(p), -1, std::move(sizes), std::move(types), std::move(arguments)},
                std::move(region)};
}

namespace {
const View* view_of(const PrimPhrase& p) { return p.acceptor < 0 ? std::get_if<View>(&p.primitive->kind) : nullptr; }
const Loop* loop_of(const PrimPhrase& p) { return std::get_if<Loop>(&p.primitive->kind); }
}  // namespace

int component_taken(const PrimPhrase& p) {
  const View* v = view_of(p);
  return v ? v->component : 0;
}
bool is_pair(const PrimPhrase& p) {
  const View* v = view_of(p);
  return v && v->made_of == MadeOf::Components;
}
bool is_element(const PrimPhrase& p) {
  const View* v = view_of(p);
  return v && v->element;
}
bool is_unchecked_element(const PrimPhrase& p) { return is_element(p) && !view_of(p)->indexed; }
bool is_literal_array(const PrimPhrase& p) {
  const Loop* l = loop_of(p);
  return l && l->literal;
}
Level level_of(const PrimPhrase& p) {
  const Loop* l = loop_of(p);
  return l ? l->level : Level::Auto;
}
bool is_in_family(const PrimPhrase& p, std::string_view name) {
  const Loop* l = loop_of(p);
  return l && l->family == name;
}

PhraseRef component_of(int k, const PrimitiveRef& p, const PhraseRef& e) {
  if (const auto* both = as<PrimPhrase>(*e); both && is_pair(*both))
    return both->arguments[static_cast<std::size_t>(k - 1)];
  const auto* t = as<PairType>(data_of(*e));
  if (!t) throw Bug(p->name + " of a phrase of type " + show(e->type));
  return prim(p, {}, {*t->first, *t->second}, {e}, k == 1 ? *t->first : *t->second, e->region);
}
PhraseRef fst_of(const PrimitiveRef& fst, const PhraseRef& e) { return component_of(1, fst, e); }
PhraseRef snd_of(const PrimitiveRef& snd, const PhraseRef& e) { return component_of(2, snd, e); }

PrimitiveRef operator_of(const Phrase& function) {
  const auto* x = as<LambdaPhrase>(function);
  const auto* y = x ? as<LambdaPhrase>(*x->body) : nullptr;
  if (!y) return nullptr;
  const Phrase* body = &*y->body;
  if (const auto* o = as<LambdaPhrase>(*body)) {
    const auto* write = use_of<imp::Assign>(*o->body);
    const auto* to = write ? as<Ident>(*write->arguments[0]) : nullptr;
    if (!to || to->name != o->name) return nullptr;
    body = &*write->arguments[1];
  }
  const auto* p = as<PrimPhrase>(*body);
  const auto* op = p ? std::get_if<ScalarOp>(&p->primitive->kind) : nullptr;
  if (!op || p->arguments.size() != 2) return nullptr;
  const auto is = [&](std::size_t k, const std::string& name) {
    const auto* i = as<Ident>(*p->arguments[k]);
    return i && i->name == name;
  };
  const bool in_order = is(0, x->name) && is(1, y->name), turned = is(0, y->name) && is(1, x->name);
  return in_order || (turned && op->laws.commutative) ? p->primitive : nullptr;
}

const Type& element_type(const Phrase& array) {
  const auto* t = as<ArrayType>(data_of(array));
  if (!t) throw Bug("an array was expected, not " + show(array.type));
  return *t->element;
}
const Size& array_length(const Phrase& array) {
  const auto* t = as<ArrayType>(data_of(array));
  if (!t) throw Bug("an array was expected, not " + show(array.type));
  return t->length;
}

PhraseRef idx_of(const PrimitiveRef& idx, const PhraseRef& array, const PhraseRef& index) {
  return prim(idx, {array_length(*array)}, {element_type(*array)}, {array, index}, element_type(*array), array->region);
}

PhraseRef view_acceptor(const Phrase& e, std::size_t k, const PhraseRef& a) {
  const PrimPhrase& p = *as<PrimPhrase>(e);
  const AcceptorFacet& facet = std::get<View>(p.primitive->kind).acceptors.at(k);
  Type accepted = data_of(*p.arguments.at(facet.argument));
  return Phrase{acc_type(std::move(accepted)), PrimPhrase{p.primitive, static_cast<int>(k), p.sizes, p.types, {a}},
                e.region};
}

PhraseRef apply_binary(const PrimitiveRef& op, const PhraseRef& a, const PhraseRef& b) {
  const bool to_bool = std::get<ScalarOp>(op->kind).gives_bool;
  Type result = to_bool ? scalar(ScalarType::Bool) : data_of(*a);
  return prim(op, {}, {data_of(*a)}, {a, b}, std::move(result));
}

PhraseRef inside(Translation& t, const PhraseRef& i, const Size& n) {
  const PhraseRef zero = nat(0);
  return apply_binary(t.primitive("&&"), apply_binary(t.primitive("<="), zero, i),
                      apply_binary(t.primitive("<"), i, nat(n)));
}

PhraseRef acceptor_of(Translation& t, const PhraseRef& f, const std::vector<Type>& parameters, const Type& result) {
  PhraseRef value = f;
  std::vector<std::string> names;
  for (const Type& d : parameters) {
    names.push_back(t.fresh(names.empty() ? "x" : "y"));
    value = apply(value, ident(names.back(), exp_type(d)));
  }
  const std::string o = t.fresh("o");
  PhraseRef out = lambda(o, acc_type(result), t.acceptor(value, ident(o, acc_type(result))));
  for (std::size_t k = parameters.size(); k-- > 0;) out = lambda(names[k], exp_type(parameters[k]), out);
  return out;
}

}  // namespace lockstep

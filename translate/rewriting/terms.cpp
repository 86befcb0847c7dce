// Makers go through the calculus's entries, so that a primitive's type is written once, in its own file.
#include "translate/rewriting/terms.h"

#include <algorithm>

#include "semantics/functional/shape.h"
#include "semantics/primitives/build.h"

namespace lockstep::rewriting {

const PrimPhrase* as_call(const Phrase& p, std::string_view name) {
  const auto* x = as<PrimPhrase>(p);
  return x && x->acceptor < 0 && x->primitive->name == name ? x : nullptr;
}
const PrimPhrase* as_map(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  return x && is_in_family(*x, "map") ? x : nullptr;
}
const PrimPhrase* as_reduce(const Phrase& p) {
  const PrimPhrase* x = as_call(p, "reduce");
  return x ? x : as_call(p, "reduceSeq");
}
const LambdaPhrase* as_lambda(const Phrase& p) { return as<LambdaPhrase>(p); }

const Type& result_of(const Phrase& f) {
  const auto* t = as<PhraseFunction>(f.type);
  if (!t) throw Bug("a function was expected, not " + show(f.type));
  return as<PhraseFunction>(*t->to) ? data_of(*as<PhraseFunction>(*t->to)->to) : data_of(*t->to);
}

// ---------------------------------------------------------------------------------------------- makers
PhraseRef call(const Site& s, std::string_view name, std::vector<Size> sizes, std::vector<Type> types,
               std::vector<PhraseRef> arguments) {
  const Calculus::Entry* entry = s.calculus.find(name);
  if (!entry || entry->sizes.size() != sizes.size() || entry->types.size() != types.size())
    throw Bug("an application of " + std::string(name) + " with another number of sizes or types than it has");
  SizeSubstitution by_size;
  TypeSubstitution by_type;
  for (std::size_t k = 0; k < sizes.size(); ++k) by_size.insert_or_assign(entry->sizes[k], sizes[k]);
  for (std::size_t k = 0; k < types.size(); ++k) by_type.insert_or_assign(entry->types[k], types[k]);
  Type result = entry->scheme.type;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const Type rest = *as<FunctionType>(result)->to;
    result = rest;
  }
  return prim(entry->primitive, std::move(sizes), std::move(types), std::move(arguments),
              substitute(result, by_size, by_type));
}

PhraseRef map_of(const Site& s, std::string_view name, const PhraseRef& f, const PhraseRef& xs) {
  return call(s, name, {array_length(*xs)}, {element_type(*xs), result_of(*f)}, {f, xs});
}
PhraseRef reduce_of(const Site& s, std::string_view name, const PhraseRef& f, const PhraseRef& z, const PhraseRef& xs) {
  return call(s, name, {array_length(*xs)}, {element_type(*xs), data_of(*z)}, {f, z, xs});
}
PhraseRef split_of(const Site& s, const Size& k, const PhraseRef& xs) {
  return call(s, "split", {k, s.context.simplify(floor_div(array_length(*xs), k))}, {element_type(*xs)}, {xs});
}
PhraseRef join_of(const Site& s, const PhraseRef& xss) {
  const Type& row = element_type(*xss);
  return call(s, "join", {array_length(*xss), as<ArrayType>(row)->length}, {*as<ArrayType>(row)->element}, {xss});
}
PhraseRef transpose_of(const Site& s, const PhraseRef& xss) {
  const auto* row = as<ArrayType>(element_type(*xss));
  return call(s, "transpose", {array_length(*xss), row->length}, {*row->element}, {xss});
}
PhraseRef zip_of(const Site& s, const PhraseRef& xs, const PhraseRef& ys) {
  return call(s, "zip", {array_length(*xs)}, {element_type(*xs), element_type(*ys)}, {xs, ys});
}
PhraseRef pair_of(const Site& s, const PhraseRef& a, const PhraseRef& b) {
  return call(s, "pair", {}, {data_of(*a), data_of(*b)}, {a, b});
}
PhraseRef replicate_of(const Site& s, const Size& n, const PhraseRef& x) {
  return call(s, "replicate", {n}, {data_of(*x)}, {x});
}
PhraseRef take_of(const Site& s, const Size& k, const PhraseRef& xs) {
  return call(s, "take", {k, array_length(*xs) - k}, {element_type(*xs)}, {xs});
}
PhraseRef drop_of(const Site& s, const Size& k, const PhraseRef& xs) {
  return call(s, "drop", {k, array_length(*xs) - k}, {element_type(*xs)}, {xs});
}
PhraseRef as_vector_of(const Site& s, const Size& w, const PhraseRef& xs) {
  return call(s, "asVector", {w, s.context.simplify(floor_div(array_length(*xs), w))}, {element_type(*xs)}, {xs});
}
PhraseRef as_scalar_of(const Site& s, const PhraseRef& vs) {
  const auto* v = as<VectorType>(element_type(*vs));
  return call(s, "asScalar", {array_length(*vs), v->width}, {*v->element}, {vs});
}
PhraseRef splat_of(const Site& s, const Size& w, const PhraseRef& x) {
  return call(s, "splat", {w}, {data_of(*x)}, {x});
}
PhraseRef pad_of(const Site& s, const Size& before, const Size& after, const PhraseRef& x, const PhraseRef& xs) {
  return call(s, "pad", {before, after, array_length(*xs)}, {data_of(*x)}, {x, xs});
}

PhraseRef function_of(Site& s, const std::string& base, const Type& parameter,
                      const std::function<PhraseRef(PhraseRef)>& body) {
  const std::string x = s.names.fresh(base);
  return lambda(x, exp_type(parameter), body(ident(x, exp_type(parameter))));
}

// ---------------------------------------------------------------------------------------------- what a phrase does
bool is_atomic(const Phrase& p) {
  if (as<Ident>(p) || as<LiteralPhrase>(p) || as<NatPhrase>(p)) return true;
  const auto* x = as<PrimPhrase>(p);
  return x && component_taken(*x) && is_atomic(*x->arguments[0]);
}

bool is_cheap_view(const Phrase& p) {
  if (is_atomic(p)) return true;
  const auto* x = as<PrimPhrase>(p);
  const auto* view = x ? std::get_if<View>(&x->primitive->kind) : nullptr;
  if (!view || view->check || !(view->read_cost == Size(0))) return false;
  return std::all_of(x->arguments.begin(), x->arguments.end(), [](const PhraseRef& a) { return is_cheap_view(*a); });
}

namespace {
bool traps(const PrimPhrase& x) {
  return match(
      x.primitive->kind, [&](const ScalarOp& op) { return can_trap(op, x.types.at(0)); },
      [](const View& v) { return static_cast<bool>(v.check) || static_cast<bool>(v.check_meaning); },
      [](const Loop& l) { return !l.total; });
}
}  // namespace

bool is_total(const Phrase& p) {
  if (const auto* x = as<PrimPhrase>(p); x && traps(*x)) return false;
  bool total = true;
  for_each_child(p, [&](const PhraseRef& c) { total = total && is_total(*c); });
  return total;
}

bool is_branch(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  return as<IfPhrase>(p) || (op && op->decided_by);
}

Uses uses_of(const std::string& name, const Phrase& p) {
  if (const auto* i = as<Ident>(p)) return {i->name == name ? 1U : 0U, true};
  const bool branch = is_branch(p);
  const bool below = as<LambdaPhrase>(p) != nullptr;
  Uses out;
  std::size_t k = 0;
  for_each_child(p, [&](const PhraseRef& c) {
    const Uses inside = uses_of(name, *c);
    out.count += inside.count;
    out.plain = out.plain && (inside.count == 0 || (inside.plain && !below && !(branch && k > 0)));
    ++k;
  });
  return out;
}
bool mentions_name(const Phrase& p, const std::string& name) { return uses_of(name, p).count > 0; }

bool has_loop(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  bool found = x && std::holds_alternative<Loop>(x->primitive->kind);
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_loop(*c); });
  return found;
}

PhraseRef call_function(Site& s, const PhraseRef& f, const PhraseRef& x) {
  const LambdaPhrase* l = as_lambda(*f);
  if (!l) return apply(f, x);
  const Uses uses = uses_of(l->name, *l->body);
  const bool substituted = is_atomic(*x) || (uses.count == 1 && uses.plain) || (uses.count == 0 && is_total(*x));
  if (substituted) return apply(f, x);
  const std::string y = s.names.fresh(l->name);
  return let(y, x, apply(f, ident(y, x->type)));
}

PhraseRef sharing(Site& s, const PhraseRef& xs, const std::function<PhraseRef(PhraseRef)>& body) {
  if (is_cheap_view(*xs)) return body(xs);
  const std::string y = s.names.fresh("ys");
  return let(y, xs, body(ident(y, xs->type)));
}

}  // namespace lockstep::rewriting

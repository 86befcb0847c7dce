// Short vectors: a function on scalars at all lanes at once. Each lane computes what the scalar would, bit for bit.
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/rules.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

struct CannotLift {
  std::string why;
};

// Scalars become vectors, pairs pairs of them.
Type lifted(const Type& t, const Size& w) {
  if (const auto* both = as<PairType>(t)) return pair(lifted(*both->first, w), lifted(*both->second, w));
  if (!as<ScalarType>(t)) throw CannotLift{"a value of the type " + show(t) + " has no short vector"};
  return vector_type(t, w);
}

// x of x_2
std::string stem(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end > 0 && name[end] == '_' ? name.substr(0, end) : name;
}

class Lifting {
 public:
  Lifting(Site& s, Size w) : s_(s), w_(std::move(w)) {}

  // \x ... -> body with each parameter lifted, under new names
  PhraseRef function(const PhraseRef& f) {
    const LambdaPhrase* l = as_lambda(*f);
    if (!l) return lift(f);
    const std::string x = s_.names.fresh(stem(l->name));
    const PhraseType t = exp_type(lifted(data_of(l->parameter), w_));
    bound_.insert_or_assign(l->name, ident(x, t));
    return lambda(x, t, function(l->body));
  }

 private:
  bool varies(const Phrase& p) const {
    std::set<std::string> free;
    collect_free(p, free);
    return std::any_of(free.begin(), free.end(), [&](const std::string& n) { return bound_.contains(n); });
  }

  PhraseRef lift(const PhraseRef& p) {
    if (!varies(*p)) {
      if (!as<ScalarType>(data_of(*p)))
        throw CannotLift{"a value of the type " + show(data_of(*p)) + " has no short vector"};
      return splat_of(s_, w_, p);
    }
    if (const auto* i = as<Ident>(*p)) return bound_.at(i->name);
    if (const auto* l = as<LetPhrase>(*p)) {
      const PhraseRef value = lift(l->value);
      const std::string x = s_.names.fresh(stem(l->name));
      bound_.insert_or_assign(l->name, ident(x, value->type));
      return let(x, value, lift(l->body));
    }
    if (as<IfPhrase>(*p)) throw CannotLift{"if has no form on short vectors"};
    const auto* x = as<PrimPhrase>(*p);
    if (!x) throw CannotLift{"a phrase that is no operator has no form on short vectors"};
    const std::string& n = x->primitive->name;
    if (const int k = component_taken(*x)) return component_of(k, x->primitive, lift(x->arguments[0]));
    if (is_pair(*x)) {
      const PhraseRef a = lift(x->arguments[0]);
      return pair_of(s_, a, lift(x->arguments[1]));
    }
    const auto* op = std::get_if<ScalarOp>(&x->primitive->kind);
    if (!op || !op->keeps() || op->operands == Operands::Bool || op->operands == Operands::Any ||
        !as<ScalarType>(x->types[0]))
      throw CannotLift{n + " has no form on short vectors"};
    std::vector<PhraseRef> arguments;
    for (const PhraseRef& a : x->arguments) arguments.push_back(lift(a));
    return apply_operator(x->primitive, std::move(arguments));
  }

  Site& s_;
  Size w_;
  std::map<std::string, PhraseRef> bound_;
};

// Arrays of scalars, and zips of them.
PhraseRef vectors_of(const Site& s, const Size& w, const PhraseRef& xs) {
  if (const PrimPhrase* zip = as_call(*xs, "zip")) {
    const PhraseRef a = vectors_of(s, w, zip->arguments[0]);
    return zip_of(s, a, vectors_of(s, w, zip->arguments[1]));
  }
  if (!as<ScalarType>(element_type(*xs)))
    throw CannotLift{"an array of " + show(element_type(*xs)) + " is no array of scalars, nor a zip of such"};
  return as_vector_of(s, w, xs);
}

tl::expected<Size, Refused> width_of(const std::string& text, const Site& s) {
  const auto w = parse_size(text, s.sizes);
  if (!w) return refused(w.error());
  const auto k = w->constant();
  if (!k || !(*k == 2 || *k == 3 || *k == 4 || *k == 8 || *k == 16))
    return refused("a short vector has 2, 3, 4, 8 or 16 lanes, not " + lockstep::show(*w));
  return *w;
}

Outcome vectorise(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* m = as_map(*p);
  if (!m) return no("it is no map");
  if (!as<ScalarType>(m->types[1])) return refused("its function gives " + show(m->types[1]) + ", not a scalar");
  const auto w = width_of(words[0], s);
  if (!w) return tl::unexpected(w.error());
  const auto whole = s.divides(*w, m->sizes[0]);
  if (!whole) return tl::unexpected(whole.error());
  try {
    const PhraseRef vs = vectors_of(s, *w, m->arguments[1]);
    return Rewritten{as_scalar_of(s, map_of(s, m->primitive->name, Lifting(s, *w).function(m->arguments[0]), vs)),
                     {*whole}};
  } catch (const CannotLift& e) {
    return refused(e.why);
  }
}

Outcome reduce_vector(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* r = as_call(*p, "reduce");
  if (!r)
    return as_call(*p, "reduceSeq") ? Outcome(refused("reduceSeq is one sequential loop in one order, by definition"))
                                    : Outcome(no("it is no reduce"));
  if (!as<ScalarType>(r->types[1])) return refused("it gives " + show(r->types[1]) + ", not a scalar");
  const auto w = width_of(words[0], s);
  if (!w) return tl::unexpected(w.error());
  const auto whole = s.divides(*w, r->sizes[0]);
  if (!whole) return tl::unexpected(whole.error());
  auto split = splitting_of(s, *r, true);
  if (!split) return tl::unexpected(split.error());
  split->conditions.insert(split->conditions.begin(), *whole);
  try {
    const PhraseRef vs = vectors_of(s, *w, r->arguments[2]);
    const PhraseRef f = Lifting(s, *w).function(r->arguments[0]);
    const PhraseRef sums = reduce_of(s, "reduce", f, splat_of(s, *w, split->start), vs);
    const PhraseRef lanes = call(s, "lanes", {*w}, {r->types[1]}, {sums});
    return Rewritten{reduce_of(s, "reduce", refresh(split->op, s.names), r->arguments[1], lanes), split->conditions,
                     split->rounding};
  } catch (const CannotLift& e) {
    return refused(e.why);
  }
}

// The sums of all lanes together, one by one: what reduce_vector gives, where its function is the operator.
Outcome reduce_scalars(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* outer = as_call(*p, "reduce");
  const PrimPhrase* lanes = outer ? as_call(*outer->arguments[2], "lanes") : nullptr;
  const PrimPhrase* inner = lanes ? as_call(*lanes->arguments[0], "reduce") : nullptr;
  const PrimPhrase* start = inner ? as_call(*inner->arguments[1], "splat") : nullptr;
  if (!start) return no("it is no reduce of the lanes of a reduce from a splat");
  const auto parts = reduction_of(s, outer->arguments[0]);
  if (!parts || parts->g) return refused("its function is not an operator on what is reduced");
  try {
    if (!alpha_equal(*Lifting(s, lanes->sizes[0]).function(parts->op), *inner->arguments[0]))
      return refused("the lanes are reduced by another function than their sums");
  } catch (const CannotLift& e) {
    return refused(e.why);
  }
  auto laws = require_laws(s, {Law::Associative, Law::Commutative}, parts->op);
  if (!laws) return tl::unexpected(laws.error());
  const auto neutral = require_law(s, Law::Neutral, parts->op, start->arguments[0]);
  if (!neutral) return tl::unexpected(neutral.error());
  laws->add(*neutral);
  return Rewritten{
      reduce_of(s, "reduce", outer->arguments[0], outer->arguments[1], as_scalar_of(s, inner->arguments[2])),
      laws->conditions, laws->rounding};
}

}  // namespace

RuleList vector_rules() {
  return {{"vectorise",
           {ParameterKind::Size},
           "map f xs",
           "asScalar (map fv (asVector w xs)), fv being f on all lanes",
           "xs : [n]s or a zip of such, n % w == 0, w one of 2 3 4 8 16; f gives a scalar by arithmetic and functions "
           "that short vectors have",
           "",
           vectorise},
          {"reduceVector",
           {ParameterKind::Size},
           "reduce f z xs",
           "reduce (+) z (lanes (reduce fv (splat w e) (asVector w xs)))",
           "as for vectorise and reduceBlocks; the result is a scalar",
           "associative, commutative, neutral",
           reduce_vector},
          {"reduceScalars",
           {},
           "reduce (+) z (lanes (reduce (+) (splat w e) vs))",
           "reduce (+) z (asScalar vs)",
           "",
           "associative, commutative, neutral",
           reduce_scalars}};
}

}  // namespace lockstep::rewriting

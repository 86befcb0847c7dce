// Laws are asked of the oracle; a start is looked for among z and numbers that are often neutral.
#include "translate/rewriting/reduction.h"

#include <functional>
#include <limits>

#include "semantics/functional/source.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "translate/rewriting/zipped.h"

namespace lockstep::rewriting {

PhraseRef number(ScalarType t, std::int64_t n) {
  if (is_float(t)) return literal(make_ieee(t, static_cast<double>(n)), std::to_string(n));
  if (t == ScalarType::Bool) return bool_literal(n != 0);
  return literal(make_integer(t, static_cast<std::uint64_t>(n)));
}

namespace {

std::vector<PhraseRef> numbers(ScalarType t) {
  std::vector<PhraseRef> out{number(t, 0), number(t, 1)};
  if (!is_integer(t)) return out;
  const int bits = bits_of(t);
  const std::uint64_t top = is_signed(t) ? (std::uint64_t{1} << (bits - 1)) - 1
                            : bits == 64 ? ~std::uint64_t{0}
                                         : (std::uint64_t{1} << bits) - 1;
  out.push_back(literal(make_integer(t, is_signed(t) ? top + 1 : 0)));
  out.push_back(literal(make_integer(t, top)));
  return out;
}

// Numbers of a type; pairs of them for pairs, not too many, those of the first numbers first.
std::vector<PhraseRef> candidates(const Site& s, const Type& t) {
  if (const auto* scalar = as<ScalarType>(t)) return numbers(*scalar);
  std::vector<PhraseRef> out;
  if (const auto* v = as<VectorType>(t))
    for (const PhraseRef& e : candidates(s, *v->element)) out.push_back(splat_of(s, v->width, e));
  const auto* both = as<PairType>(t);
  if (!both) return out;
  const auto left = candidates(s, *both->first), right = candidates(s, *both->second);
  for (std::size_t sum = 0; sum + 1 < left.size() + right.size(); ++sum)
    for (std::size_t k = 0; k < left.size() && k <= sum; ++k)
      if (sum - k < right.size() && out.size() < 64) out.push_back(pair_of(s, left[k], right[sum - k]));
  return out;
}

bool has_vector_name(const Phrase& p) {
  if (as<Ident>(p)) return as<ExpType>(p.type) && as<VectorType>(data_of(p));
  bool out = false;
  for_each_child(p, [&](const PhraseRef& c) { out = out || has_vector_name(*c); });
  return out;
}
// What an operator on short vectors, or a splat, does in a lane; nothing where lanes have more than one operator.
std::optional<PhraseRef> lane_of(const PhraseRef& p) {
  const auto scalar = [](const PhraseType& t) {
    const auto* v = as<VectorType>(data_of(t));
    return v ? exp_type(*v->element) : t;
  };
  if (const auto* l = as<LambdaPhrase>(*p)) {
    const auto body = lane_of(l->body);
    if (!body) return {};
    return lambda(l->name, scalar(l->parameter), *body);
  }
  if (const auto* x = as<Ident>(*p)) return ident(x->name, scalar(p->type));
  if (const PrimPhrase* splat = as_call(*p, "splat"))  // of what is no lane of another
    return has_vector_name(*splat->arguments[0]) ? std::nullopt : std::optional(splat->arguments[0]);
  const auto* x = as<PrimPhrase>(*p);
  if (!x || !std::holds_alternative<ScalarOp>(x->primitive->kind)) return {};
  std::vector<PhraseRef> arguments;
  for (const PhraseRef& a : x->arguments) {
    const auto lane = as<Ident>(*a) ? lane_of(a) : std::nullopt;
    if (!lane) return {};
    arguments.push_back(*lane);
  }
  return apply_operator(x->primitive, std::move(arguments));
}

std::string shown(const Site& s, const PhraseRef& p) { return print(source_of(*p, s.calculus, Suffixes::Never)); }

bool is_constant(const Phrase& p) {
  if (as<LiteralPhrase>(p)) return true;
  if (const PrimPhrase* splat = as_call(p, "splat")) return is_constant(*splat->arguments[0]);
  const PrimPhrase* both = as_call(p, "pair");
  return both && is_constant(*both->arguments[0]) && is_constant(*both->arguments[1]);
}

}  // namespace

tl::expected<LawFound, Refused> require_law(const Site& s, Law law, const PhraseRef& op,
                                            const std::optional<PhraseRef>& element,
                                            const std::optional<PhraseRef>& start,
                                            const std::optional<PhraseRef>& made) {
  std::string what = element ? shown(s, *element) + " is " + std::string(show(law)) +
                                   (start ? " beside " + shown(s, *start) + " by " : " for ") + shown(s, op)
                             : shown(s, op) + " is " + std::string(show(law));
  if (made) what += " of what " + shown(s, *made) + " makes";
  if (!s.laws) return refused("it needs that " + what + ", and there is nothing to ask for laws");
  LawQuestion question{law, op, element, start, made};
  if (const LambdaPhrase* x = as_lambda(*op); x && as<VectorType>(data_of(x->parameter))) {
    const auto lane = lane_of(op);
    if (!lane) return refused("it needs that " + what + ", which is not known of what lanes do one by one");
    question.operation = *lane;
    if (element) question.element = lane_of(*element);
  }
  const LawAnswer answer = s.laws(question);
  if (!answer.holds) return refused("it needs that " + what + ", which does not hold: " + answer.how);
  return LawFound{{what + (answer.rounding ? " up to rounding" : ""), answer.how, answer.knowledge}, answer.rounding};
}

void LawsFound::add(const LawFound& found) {
  conditions.push_back(found.condition);
  rounding = rounding || found.rounding;
}

tl::expected<LawsFound, Refused> require_laws(const Site& s, std::initializer_list<Law> laws, const PhraseRef& op) {
  LawsFound out;
  for (const Law law : laws) {
    const auto found = require_law(s, law, op);
    if (!found) return tl::unexpected(found.error());
    out.add(*found);
  }
  return out;
}

namespace {
tl::expected<Reduction, Refused> taken_apart(Site& s, const PrimPhrase& reduce) {
  if (auto r = reduction_of(s, reduce.arguments[0])) return std::move(*r);
  return refused(
      "its function's result cannot be taken apart as g x + acc with an operator that claims a law, and its two "
      "arguments have different types");
}

// The first of these for which g of it is neutral for op.
tl::expected<Neutral, Refused> first_neutral(Site& s, const PhraseRef& op, const std::vector<PhraseRef>& tried,
                                             const std::function<PhraseRef(const PhraseRef&)>& g,
                                             const std::string& what) {
  std::string why;
  for (const PhraseRef& e : tried) {
    auto found = require_law(s, Law::Neutral, op, g(e));
    if (found) return Neutral{e, std::move(*found)};
    if (why.empty()) why = found.error().why;
  }
  return refused("it needs " + what + ", and none of " + std::to_string(tried.size()) + " that were tried is one" +
                 (why.empty() ? "" : "; the first: " + why));
}
}  // namespace

tl::expected<Neutral, Refused> neutral_element(Site& s, const PhraseRef& op, const PhraseRef& z) {
  std::vector<PhraseRef> tried;
  if (is_constant(*z)) tried.push_back(z);
  for (const PhraseRef& c : candidates(s, data_of(*z))) tried.push_back(c);
  return first_neutral(
      s, op, tried, [](const PhraseRef& e) { return e; },
      "a neutral element of " + shown(s, op) + " to start a block from");
}

std::optional<PhraseRef> filler_of(const Site& s, const Type& t) {
  if (const auto* array = as<ArrayType>(t)) {
    const auto e = filler_of(s, *array->element);
    if (!e) return {};
    return replicate_of(s, array->length, *e);
  }
  const auto all = candidates(s, t);
  if (all.empty()) return {};
  return all.front();
}

tl::expected<Neutral, Refused> neutral_item(Site& s, const PrimPhrase& reduce) {
  const auto r = taken_apart(s, reduce);
  if (!r) return tl::unexpected(r.error());
  const LambdaPhrase* g = r->g ? as_lambda(**r->g) : nullptr;
  if (g) {  // 0 * y is not 0 for all y
    std::set<std::string> free;
    collect_free(**r->g, free);
    if (!free.empty()) return refused("what is accumulated of an element depends on " + *free.begin() + " too");
  }
  return first_neutral(
      s, r->op, candidates(s, reduce.types[0]),
      [&](const PhraseRef& e) {
        return g ? with_components(s, g->body, g->name, {{{}, e}}) : e;
      },
      "an element that leaves what " + shown(s, r->op) + " has accumulated as it is, to continue the array by");
}

std::optional<PhraseRef> an_element_of(const PhraseRef& xs) {
  if (const PrimPhrase* all = as_call(*xs, "replicate")) return all->arguments[0];
  if (const auto* t = as<ScalarType>(element_type(*xs)); t && is_integer(*t)) return literal(make_integer(*t, 0));
  return {};
}

namespace {
tl::expected<Splitting, Refused> from_neutral(Site& s, const PhraseRef& op, const PhraseRef& z, LawsFound laws) {
  auto neutral = neutral_element(s, op, z);
  if (!neutral) return tl::unexpected(neutral.error());
  laws.add(neutral->found);
  return Splitting{op, neutral->element, std::move(laws.conditions), laws.rounding};
}
}  // namespace

tl::expected<Splitting, Refused> splitting_of(Site& s, const PrimPhrase& reduce, bool commutes) {
  const auto r = taken_apart(s, reduce);
  if (!r) return tl::unexpected(r.error());
  auto laws = commutes ? require_laws(s, {Law::Associative, Law::Commutative}, r->op)
                       : require_laws(s, {Law::Associative}, r->op);
  if (!laws) return tl::unexpected(laws.error());
  return from_neutral(s, r->op, reduce.arguments[1], std::move(*laws));
}

namespace {
// Of each component what its operator leaves as it is: a number, or what z has there.
std::optional<PhraseRef> start_beside(const Site& s, const Phrase& p, const PhraseRef& z, const Components& path) {
  const auto* x = as<PrimPhrase>(p);
  if (x && is_pair(*x)) {
    std::vector<PhraseRef> both;
    for (const int k : {1, 2}) {
      const Components inner = below(path, k);
      const auto one = start_beside(s, *x->arguments[static_cast<std::size_t>(k - 1)], z, inner);
      if (!one) return {};
      both.push_back(*one);
    }
    return pair_of(s, both[0], both[1]);
  }
  const auto* op = x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  const auto* t = op ? as<ScalarType>(data_of(p)) : nullptr;
  if (!t) return {};
  if (op->laws.identity) return number(*t, *op->laws.identity);
  return op->laws.idempotent ? std::optional(component_at(s, z, path)) : std::nullopt;
}
}  // namespace

tl::expected<Splitting, Refused> splitting_from_start(Site& s, const PrimPhrase& reduce) {
  const auto r = taken_apart(s, reduce);
  if (!r) return tl::unexpected(r.error());
  auto laws = require_laws(s, {Law::Associative, Law::Commutative}, r->op);
  if (!laws) return tl::unexpected(laws.error());
  const PhraseRef& z = reduce.arguments[1];
  const auto e = start_beside(s, *step_of(r->op)->body, z, {});
  if (!e) return refused("its operator is not made of such that leave a number, or what they hold, as it is");
  const auto found = require_law(s, Law::Absorbed, r->op, *e, z);
  if (!found) return tl::unexpected(found.error());
  laws->add(*found);
  return Splitting{r->op, *e, laws->conditions, laws->rounding};
}

// Of parts A and B, folded from s: f (B s) (A z) is the fold of both. By associativity B s = f b s, where b is what B's
// elements make without a start; f (f b s) (A z) = f b (f s (A z)), in which s is neutral, or z, which A z absorbs; and
// f b (A z) is B's fold from A z. That f z a = a of all folds a from z follows from z, f z z = z, and a fold of one
// element, f z (f x z) = f x z: f x a = f x (f z a) = f (f x z) a = f (f z (f x z)) a = f z (f x a).
tl::expected<Splitting, Refused> splitting_in_order(Site& s, const PrimPhrase& reduce, const PhraseRef& z) {
  const auto r = taken_apart(s, reduce);
  if (!r) return tl::unexpected(r.error());
  auto laws = require_laws(s, {Law::Associative}, r->op);
  if (!laws) return tl::unexpected(laws.error());
  std::vector<std::optional<PhraseRef>> elements;  // any, or those that are made
  if (is_constant(*z)) elements.emplace_back();
  if (is_constant(*z) && r->g) elements.push_back(r->g);
  for (const auto& made : elements) {
    const auto found = require_law(s, Law::Absorbed, r->op, z, z, made);
    if (!found) continue;
    laws->add(*found);
    return Splitting{r->op, reduce.arguments[1], laws->conditions, laws->rounding};
  }
  return from_neutral(s, r->op, z, std::move(*laws));
}

tl::expected<PhraseRef, Refused> selection_of(Site& s, const PrimPhrase& reduce) {
  const auto step = step_of(reduce.arguments[0]);
  const Phrase* body = step ? &*step->body : nullptr;
  while (const auto* l = body ? as<LetPhrase>(*body) : nullptr)
    body = mentions_name(*l->value, step->acc->name) ? nullptr : &*l->body;
  const auto* choice = body ? as<IfPhrase>(*body) : nullptr;
  const auto* order = choice ? as<PrimPhrase>(*choice->condition) : nullptr;
  if (!order || order->arguments.size() != 2 || !is_whole(*choice->otherwise, *step->acc))
    return refused("its function is no choice between what is made of an element and what is accumulated");
  if (mentions_name(*choice->then, step->acc->name)) return refused("what it chooses hangs on what is accumulated");
  std::optional<std::size_t> at;  // the argument that is of what is accumulated
  Components path;
  for (const std::size_t k : {0U, 1U})
    if (const auto c = component_of_name(*order->arguments[k]); c && c->name == step->acc->name) at = k, path = c->path;
  if (!at || !alpha_equal(*component_at(s, choice->then, path), *order->arguments[1 - *at]))
    return refused("what it chooses by is not a component of both");
  const PhraseRef x = ident(s.names.fresh("x"), step->acc->parameter);
  const auto in_order = [&](const PhraseRef& made, const PhraseRef& acc) {
    PrimPhrase c = *order;
    c.arguments[*at] = component_at(s, acc, path);
    c.arguments[1 - *at] = component_at(s, made, path);
    return if_else(Phrase{choice->condition->type, std::move(c), {}}, made, acc);
  };
  const PhraseRef acc = ident(s.names.fresh("acc"), step->acc->parameter);
  const PhraseRef op = lambda(as<Ident>(*x)->name, x->type, lambda(as<Ident>(*acc)->name, acc->type, in_order(x, acc)));
  const auto found = require_law(s, Law::Selective, op);
  if (!found) return tl::unexpected(found.error());
  return op;
}

}  // namespace lockstep::rewriting

// Names with a '#' are no program's: the index, elements of arrays, sums of those before it.
#include "translate/dpia/elements_at.h"

#include <algorithm>
#include <limits>

#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "translate/rewriting/reduction.h"

namespace lockstep {
namespace {

constexpr const char* the_index = "#i";

const ScalarOp* operator_in(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  return x ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
}
const std::vector<PhraseRef>& operands(const Phrase& p) { return std::get<PrimPhrase>(p.node).arguments; }

std::optional<ScalarType> integer_type(const Phrase& p) {
  const auto* data = as<ExpType>(p.type);
  const auto* t = data ? as<ScalarType>(data->data) : nullptr;
  return t && is_integer(*t) ? std::optional(*t) : std::nullopt;
}
std::optional<std::int64_t> literal_of(const Phrase& p) {
  const auto* l = as<LiteralPhrase>(p);
  const auto t = integer_type(p);
  if (!l || !t || (!is_signed(*t) && l->value.integer() < 0)) return {};
  return l->value.integer();
}
// All that a type has; nothing of those of 64 bits.
std::optional<Between> all_of(ScalarType t) {
  if (!is_integer(t) || bits_of(t) > 32) return {};
  const std::int64_t values = std::int64_t{1} << bits_of(t);
  return is_signed(t) ? Between{-values / 2, values / 2 - 1} : Between{0, values - 1};
}

std::optional<bool> decided(Comparison c, const Between& a, const Between& b) {
  const bool below = a.high < b.low, above = b.high < a.low;
  if (c == Comparison::Less || c == Comparison::LessEqual) {
    const bool equal = c == Comparison::LessEqual;
    if (below || (equal && a.high == b.low)) return true;
    return above || (!equal && a.low == b.high) ? std::optional(false) : std::nullopt;
  }
  const bool same = a.low == a.high && b.low == b.high && a.low == b.low;
  return below || above || same ? std::optional(same == (c == Comparison::Equal)) : std::nullopt;
}

// What is left of an interval where x c k, or k c x, has this truth.
void narrow(Between& x, Comparison c, bool first, std::int64_t k, bool truth) {
  const auto below = [&](std::int64_t most) { x.high = std::min(x.high, most); };
  const auto above = [&](std::int64_t least) { x.low = std::max(x.low, least); };
  if (c == Comparison::Equal || c == Comparison::NotEqual) {
    if ((c == Comparison::Equal) == truth)
      below(k), above(k);
    else if (k == x.low)
      ++x.low;
    else if (k == x.high)
      --x.high;
    return;
  }
  const std::int64_t equal = c == Comparison::LessEqual ? 1 : 0;
  if (first == truth)
    first ? below(k - 1 + equal) : below(k - equal);
  else
    first ? above(k + equal) : above(k + 1 - equal);
}

struct Compared {
  Comparison relation;
  PhraseRef left, right;
};
std::optional<Compared> compared(const Phrase& p) {
  const ScalarOp* op = operator_in(p);
  if (!op || !op->compares) return {};
  const auto& of = operands(p);
  return op->compares->swapped ? Compared{op->compares->relation, of[1], of[0]}
                               : Compared{op->compares->relation, of[0], of[1]};
}

// b, of i64 b.
const PhraseRef* converted_bool(const Phrase& p) {
  const ScalarOp* op = operator_in(p);
  if (!op || !op->gives || !integer_type(p)) return nullptr;
  const auto* t = as<ScalarType>(data_of(*operands(p)[0]));
  return t && *t == ScalarType::Bool ? &operands(p)[0] : nullptr;
}

}  // namespace

Definitions definitions_in(const PhraseRef& p) {
  Definitions out;
  const std::function<void(const PhraseRef&)> look = [&](const PhraseRef& q) {
    if (const auto* l = as<LetPhrase>(*q)) out.emplace(l->name, l->value);
    for_each_child(*q, look);
  };
  look(p);
  return out;
}

// ------------------------------------------------------------------------------------------------- what is known
void Known::learn(const PhraseRef& condition, bool truth) {
  facts_.emplace_back(condition, truth);
  const ScalarOp* op = operator_in(*condition);
  if (!op) return;
  const auto& of = operands(*condition);
  if (op->negates) learn(of[0], !truth);
  if (op->decided_by && *op->decided_by != truth)
    for (const PhraseRef& c : of) learn(c, truth);
  const auto c = compared(*condition);
  if (!c) return;
  for (const bool first : {true, false}) {
    const PhraseRef* b = converted_bool(first ? *c->left : *c->right);
    const auto k = literal_of(first ? *c->right : *c->left);
    if (!b || !k) continue;
    Between one{0, 1};
    narrow(one, c->relation, first, *k, truth);
    if (one.low == one.high) learn(*b, one.low == 1);
  }
}

std::optional<bool> Known::truth(const Phrase& condition) const {
  if (const auto* l = as<LiteralPhrase>(condition)) return l->value.bits != 0;
  for (const auto& [fact, truth] : facts_)
    if (alpha_equal(*fact, condition)) return truth;
  const ScalarOp* op = operator_in(condition);
  if (!op) return {};
  const auto& of = operands(condition);
  if (op->negates) {
    const auto t = truth(*of[0]);
    return t ? std::optional(!*t) : std::nullopt;
  }
  if (op->decided_by) {
    const auto a = truth(*of[0]), b = truth(*of[1]);
    if (a == *op->decided_by || b == *op->decided_by) return op->decided_by;
    return a && b ? std::optional(!*op->decided_by) : std::nullopt;
  }
  const auto c = compared(condition);
  if (!c) return {};
  const auto a = range(*c->left), b = range(*c->right);
  return a && b ? decided(c->relation, *a, *b) : std::nullopt;
}

std::optional<Between> Known::range(const Phrase& number) const {
  auto out = computed(number);
  if (!out) return {};
  for (const auto& [fact, truth] : facts_) {
    const auto c = compared(*fact);
    if (!c) continue;
    for (const bool first : {true, false}) {
      const auto k = literal_of(first ? *c->right : *c->left);
      if (k && alpha_equal(first ? *c->left : *c->right, number)) narrow(*out, c->relation, first, *k, truth);
    }
  }
  return out;
}

std::optional<Between> Known::computed(const Phrase& number) const {
  if (const auto k = literal_of(number)) return Between{*k, *k};
  const auto t = integer_type(number);
  if (!t) return {};
  const auto all = all_of(*t);
  if (const auto* choice = as<IfPhrase>(number)) {
    if (const auto c = truth(*choice->condition)) return range(*c ? *choice->then : *choice->otherwise);
    const auto a = range(*choice->then), b = range(*choice->otherwise);
    return a && b ? std::optional(Between{std::min(a->low, b->low), std::max(a->high, b->high)}) : all;
  }
  if (const PhraseRef* b = converted_bool(number)) {
    const auto c = truth(**b);
    return c ? Between{*c, *c} : Between{0, 1};
  }
  const ScalarOp* op = operator_in(number);
  if (op && op->gives && integer_type(*operands(number)[0])) {
    const auto from = range(*operands(number)[0]);
    const Between positive{0, std::numeric_limits<std::int64_t>::max()};
    const Between fits = all             ? *all
                         : is_signed(*t) ? Between{std::numeric_limits<std::int64_t>::min(), positive.high}
                                         : positive;
    return from && from->within(fits.low, fits.high) ? from : all;
  }
  if (const PrimPhrase* bits = rewriting::as_call(number, "&"))
    for (const PhraseRef& mask : bits->arguments)
      if (const auto k = literal_of(*mask); k && *k >= 0) return Between{0, *k};
  return all;
}

// ------------------------------------------------------------------------------------------------- elements
bool ElementsAt::varies(const Phrase& p) const {
  std::set<std::string> free;
  collect_free(p, free);
  return std::ranges::any_of(free, [](const std::string& name) { return name.starts_with('#'); });
}

const PhraseRef& ElementsAt::opaque(const PhraseRef& p, const PhraseType& type, bool varies) {
  for (const Opaque& o : opaque_)
    if (o.name->type == type && alpha_equal(*o.phrase, *p)) return o.name;
  opaque_.push_back({p, ident((varies ? "#x" : "#c") + std::to_string(opaque_.size()), type), varies});
  return opaque_.back().name;
}

PhraseRef ElementsAt::element(const PhraseRef& array) {
  const PhraseType type = exp_type(element_type(*array));
  if (const auto* i = as<Ident>(*array))
    if (const auto found = definitions_.find(i->name); found != definitions_.end()) return element(found->second);
  const auto* x = as<PrimPhrase>(*array);
  const auto* loop = x && x->acceptor < 0 ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  if (const PrimPhrase* m = rewriting::as_map(*array); m && as<LambdaPhrase>(*m->arguments[0]))
    return normal(apply(m->arguments[0], element(m->arguments[1])));
  if (const PrimPhrase* z = rewriting::as_call(*array, "zip"))
    return rewriting::pair_of(s_, element(z->arguments[0]), element(z->arguments[1]));
  if (rewriting::as_call(*array, "iota") || rewriting::as_call(*array, "indices")) return ident(the_index, type);
  if (const PrimPhrase* g = rewriting::as_call(*array, "generate"); g && as<LambdaPhrase>(*g->arguments[0]))
    return normal(apply(g->arguments[0], ident(the_index, exp_type(index_type(g->sizes[0])))));
  if (const PrimPhrase* r = rewriting::as_call(*array, "replicate")) return normal(r->arguments[0]);
  if (loop && loop->prefixes)
    if (const auto value = sum_of(*x, false)) {
      for (const Scan& s : scans_)
        if (s.value == *value) return ident(s.name, type);
      scans_.push_back({"#s" + std::to_string(scans_.size()), *value});
      return ident(scans_.back().name, type);
    }
  return opaque(array, type, true);
}

PhraseRef ElementsAt::normal(const PhraseRef& p) {
  constexpr std::size_t most = 10000;
  if (++steps_ > most) return p;
  if (const auto* i = as<Ident>(*p)) {
    const auto found = definitions_.find(i->name);
    const auto* data = as<ExpType>(p->type);
    const bool inlined = found != definitions_.end() && data && !as<ArrayType>(data->data);
    return inlined ? normal(found->second) : p;
  }
  if (const auto* l = as<LetPhrase>(*p)) return normal(substitute(l->body, {{l->name, l->value}}));
  const auto* x = as<PrimPhrase>(*p);
  if (const int k = x ? component_taken(*x) : 0) return component_of(k, x->primitive, normal(x->arguments[0]));
  if (x && is_element(*x)) {
    const PhraseRef index = normal(x->arguments[1]);
    const auto* at = as<Ident>(*index);
    if (at && at->name == the_index) return element(x->arguments[0]);
  }
  return map_children(p, [&](const PhraseRef& c) { return normal(c); });
}

// ------------------------------------------------------------------------------------------------- numbers
// Of the elements before the index, with its own where the fold takes it in, or of all.
std::optional<Size> ElementsAt::sum_of(const PrimPhrase& fold, bool whole) {
  const auto step = rewriting::step_of(fold.arguments[0]);
  const PrimPhrase* sum = step ? rewriting::as_call(*step->body, "+") : nullptr;
  if (!sum || integer_type(*step->body) != ScalarType::I64) return {};
  const auto is_acc = [&](const Phrase& p) {
    const auto* i = as<Ident>(p);
    return i && i->name == step->acc->name;
  };
  const std::size_t at = is_acc(*sum->arguments[0]) ? 0 : 1;
  const PhraseRef& made = sum->arguments[1 - at];
  if (!is_acc(*sum->arguments[at]) || rewriting::mentions_name(*made, step->acc->name)) return {};
  if (whole && !(s_.context.simplify(fold.sizes[0] - n_) == Size(0))) return {};
  const auto start = number(normal(fold.arguments[1]));
  const PhraseRef summed = normal(substitute(made, {{step->x->name, element(fold.arguments[2])}}));
  const auto own = number(summed);
  if (!start || !own) return {};
  auto found = std::ranges::find_if(sums_, [&](const Sum& s) { return alpha_equal(*s.summed, *summed); });
  if (found == sums_.end()) {
    const std::string k = std::to_string(sums_.size());
    sums_.push_back({summed, "#before" + k, "total" + k + "#"});
    found = sums_.end() - 1;
  }
  if (whole) return *start + Size::name(found->total);
  const bool inclusive = fold.primitive != s_.calculus.primitive("scanExclusive");
  return *start + Size::name(found->before) + (inclusive ? *own : Size(0));
}

std::optional<Size> ElementsAt::number(const PhraseRef& p) {
  if (const auto k = literal_of(*p)) return Size(*k);
  if (const auto* n = as<NatPhrase>(*p)) return n->size;
  if (const auto* i = as<Ident>(*p)) {
    if (i->name == the_index) return Size::name(the_index);
    for (const Scan& s : scans_)
      if (s.name == i->name) return s.value;
  }
  if (integer_type(*p) != ScalarType::I64) return {};
  const ScalarOp* op = operator_in(*p);
  if (op && op->gives == ScalarType::I64 && as<IndexType>(data_of(*operands(*p)[0]))) return number(operands(*p)[0]);
  if (const PrimPhrase* negative = rewriting::as_call(*p, "neg")) {
    const auto a = number(negative->arguments[0]);
    return a ? combined('-', Size(0), *a) : std::nullopt;
  }
  if (op && (op->on_sizes == '+' || op->on_sizes == '-' || op->on_sizes == '*')) {
    const auto a = number(operands(*p)[0]), b = number(operands(*p)[1]);
    return a && b ? combined(op->on_sizes, *a, *b) : std::nullopt;
  }
  if (const PrimPhrase* r = rewriting::as_reduce(*p))
    if (const auto total = sum_of(*r, true)) return total;
  return Size::name(std::get<Ident>(opaque(p, p->type, varies(*p))->node).name);
}

std::optional<Form> ElementsAt::form(const PhraseRef& place, const Known& known) {
  auto value = number(place);
  if (!value) return {};
  SizeSubstitution settled;
  for (const Opaque& o : opaque_)
    if (const auto r = o.varies && integer_type(*o.phrase) ? known.range(*o.phrase) : std::nullopt;
        r && r->low == r->high)
      settled.insert_or_assign(std::get<Ident>(o.name->node).name, Size(r->low));
  value = substitute(*value, settled);
  Form out;
  for (const SizeTerm& t : value->terms()) {
    std::set<std::string> names;
    collect_names(product_of(1, t), names);
    if (std::ranges::none_of(names, [](const std::string& n) { return n.starts_with("#") && !n.starts_with("#c"); })) {
      out.rest = out.rest + product_of(t.coefficient, t);
      continue;
    }
    const auto name = product_of(1, t).as_name();
    const auto sum = std::ranges::find_if(sums_, [&](const Sum& s) { return name == s.before; });
    if (name == the_index) {
      out.index = t.coefficient;
    } else if (sum != sums_.end() && out.sum == 0) {
      out.sum = t.coefficient;
      out.summed = sum->summed;
      out.total = Size::name(sum->total);
    } else {
      return {};
    }
  }
  return out;
}

}  // namespace lockstep

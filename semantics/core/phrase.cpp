// Phrases: makers that compute types, constants' signatures (Fig. 4), substitution, renaming, traversal.
#include "semantics/core/phrase.h"

#include <algorithm>

#include "semantics/core/table.h"

namespace lockstep {

std::string_view show(Level l) {
  static constexpr auto rows = table<Level>({{Level::Auto, ""},
                                             {Level::Seq, "Seq"},
                                             {Level::Par, "Par"},
                                             {Level::Global, "Global"},
                                             {Level::Workgroup, "Workgroup"},
                                             {Level::Local, "Local"},
                                             {Level::Unroll, "Unroll"}});
  return rows[l];
}
bool is_parallel(Level l) {
  return l == Level::Par || l == Level::Global || l == Level::Workgroup || l == Level::Local;
}
std::string_view show(Space s) {
  static constexpr auto rows = table<Space>({{Space::Auto, ""},
                                             {Space::Global, "Global"},
                                             {Space::Local, "Local"},
                                             {Space::Private, "Private"},
                                             {Space::Stream, "Stream"}});
  return rows[s];
}
std::string_view show(Imp op) {
  using enum Imp;
  static constexpr auto rows = table<Imp>({{Skip, "skip"},
                                           {Seq, ";"},
                                           {New, "new"},
                                           {Assign, ":="},
                                           {For, "for"},
                                           {ParFor, "parfor"},
                                           {IdxAcc, "idxAcc"},
                                           {Cond, "cond"},
                                           {While, "whileDo"},
                                           {Check, "check"},
                                           {MapI, "mapI"},
                                           {ReduceI, "reduceI"},
                                           {ScanI, "scanI"},
                                           {IterateI, "iterateI"},
                                           {WhileI, "whileI"},
                                           {Own, "own"},
                                           {Barrier, "barrier"}});
  return rows[op];
}

std::string_view name_of(const ImpPhrase& p) { return p.own ? std::string_view(p.own->name) : show(p.op); }

// ---------------------------------------------------------------------------------------------- types of constants
ImpSignature signature(const ImpPhrase& p) {
  const auto comm = comm_type();
  const auto t = [&](std::size_t k) -> const Type& { return p.types.at(k); };
  const auto n = [&](std::size_t k) -> const Size& { return p.sizes.at(k); };
  const auto to = [](PhraseType a, PhraseType b) { return phrase_function(std::move(a), std::move(b)); };
  const auto passive = [](PhraseType a, PhraseType b) { return phrase_function(std::move(a), std::move(b), true); };
  switch (p.op) {
    case Imp::Skip:
    case Imp::Barrier:
      return {{}, {}, comm};
    case Imp::Seq:
      return {{comm, comm}, {0, 0}, comm};
    case Imp::New:
      return {{to(var_type(t(0)), comm)}, {0}, comm};
    case Imp::Assign:
      return {{acc_type(t(0)), exp_type(t(0))}, {0, 0}, comm};
    case Imp::For:
      return {{to(exp_type(index_type(n(0))), comm)}, {0}, comm};
    case Imp::ParFor:
      return {
          {acc_type(array(n(0), t(0))), to(exp_type(index_type(n(0))), passive(acc_type(t(0)), comm))}, {0, 1}, comm};
    case Imp::IdxAcc:
      return {{acc_type(array(n(0), t(0))), exp_type(index_type(n(0)))}, {0, 1}, acc_type(t(0))};
    case Imp::Cond:
      return {{exp_type(scalar(ScalarType::Bool)), comm, comm}, {0, 0, 0}, comm};
    case Imp::While:
      return {{exp_type(scalar(ScalarType::Bool)), comm}, {0, 0}, comm};
    case Imp::Check: {
      ImpSignature s{{exp_type(scalar(ScalarType::Bool))}, {0}, comm};
      for (std::size_t k = 1; k < p.arguments.size(); ++k) {
        const auto* value = as<ExpType>(p.arguments[k]->type);
        const auto* its = value ? as<ScalarType>(value->data) : nullptr;
        s.arguments.push_back(exp_type(scalar(its ? *its : ScalarType::I64)));
        s.group.push_back(0);
      }
      return s;
    }
    case Imp::MapI:
      return {
          {to(exp_type(t(0)), passive(acc_type(t(1)), comm)), exp_type(array(n(0), t(0))), acc_type(array(n(0), t(1)))},
          {0, 1, 2},
          comm};
    case Imp::ReduceI:
      return {{to(exp_type(t(0)), to(exp_type(t(1)), to(acc_type(t(1)), comm))), exp_type(t(1)),
               exp_type(array(n(0), t(0))), to(exp_type(t(1)), comm)},
              {0, 1, 2, 3},
              comm};
    case Imp::ScanI:
      return {{to(exp_type(t(0)), to(exp_type(t(1)), to(acc_type(t(1)), comm))), exp_type(t(1)),
               exp_type(array(n(0), t(0))), acc_type(array(n(0), t(1)))},
              {0, 1, 2, 3},
              comm};
    case Imp::IterateI:
      return {
          {to(exp_type(t(0)), to(acc_type(t(0)), comm)), exp_type(t(0)), to(exp_type(t(0)), comm)}, {0, 1, 2}, comm};
    case Imp::WhileI:
      return {{to(exp_type(t(0)), to(acc_type(scalar(ScalarType::Bool)), comm)),
               to(exp_type(t(0)), to(acc_type(t(0)), comm)), exp_type(t(0)), to(exp_type(t(0)), comm)},
              {0, 1, 2, 3},
              comm};
    case Imp::Own: {
      ImpSignature s{p.own->arguments(p.sizes, p.types), {}, comm};
      for (std::size_t k = 0; k < s.arguments.size(); ++k) s.group.push_back(static_cast<int>(k));
      return s;
    }
  }
  throw Bug("imperative constant");
}

// ---------------------------------------------------------------------------------------------- equality
namespace {

bool same_literal(const LiteralPhrase& a, const LiteralPhrase& b) {
  return a.value.type == b.value.type && a.value.bits == b.value.bits && a.digits == b.digits;
}

// Binders of a paired with binders of b; empty for plain equality.
using Pairing = std::vector<std::pair<std::string, std::string>>;

bool same_name(const std::string& a, const std::string& b, const Pairing& bound) {
  for (auto it = bound.rbegin(); it != bound.rend(); ++it)
    if (it->first == a || it->second == b) return it->first == a && it->second == b;
  return a == b;
}

bool same(const Phrase& a, const Phrase& b, Pairing& bound, bool alpha) {
  if (&a == &b && (bound.empty() || !alpha)) return true;
  if (a.node.index() != b.node.index() || !(a.type == b.type)) return false;
  const auto all = [&](const std::vector<PhraseRef>& x, const std::vector<PhraseRef>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!same(*x[k], *y[k], bound, alpha)) return false;
    return true;
  };
  const auto under = [&](const std::string& x, const std::string& y, const PhraseRef& p, const PhraseRef& q) {
    if (!alpha) return x == y && same(*p, *q, bound, alpha);
    bound.emplace_back(x, y);
    const bool result = same(*p, *q, bound, alpha);
    bound.pop_back();
    return result;
  };
  return match(
      a.node, [&](const Ident& x) { return same_name(x.name, as<Ident>(b)->name, bound); },
      [&](const LiteralPhrase& x) { return same_literal(x, *as<LiteralPhrase>(b)); },
      [&](const NatPhrase& x) { return x.size == as<NatPhrase>(b)->size; },
      [&](const LambdaPhrase& x) {
        const auto* y = as<LambdaPhrase>(b);
        return x.parameter == y->parameter && under(x.name, y->name, x.body, y->body);
      },
      [&](const ApplyPhrase& x) {
        const auto* y = as<ApplyPhrase>(b);
        return same(*x.function, *y->function, bound, alpha) && same(*x.argument, *y->argument, bound, alpha);
      },
      [&](const LetPhrase& x) {
        const auto* y = as<LetPhrase>(b);
        return same(*x.value, *y->value, bound, alpha) && under(x.name, y->name, x.body, y->body);
      },
      [&](const IfPhrase& x) {
        const auto* y = as<IfPhrase>(b);
        return same(*x.condition, *y->condition, bound, alpha) && same(*x.then, *y->then, bound, alpha) &&
               same(*x.otherwise, *y->otherwise, bound, alpha);
      },
      [&](const PairPhrase& x) {
        const auto* y = as<PairPhrase>(b);
        return same(*x.first, *y->first, bound, alpha) && same(*x.second, *y->second, bound, alpha);
      },
      [&](const ProjPhrase& x) {
        return x.index == as<ProjPhrase>(b)->index && same(*x.phrase, *as<ProjPhrase>(b)->phrase, bound, alpha);
      },
      [&](const PrimPhrase& x) {
        const auto* y = as<PrimPhrase>(b);
        return x.primitive == y->primitive && x.acceptor == y->acceptor && x.sizes == y->sizes && x.types == y->types &&
               all(x.arguments, y->arguments);
      },
      [&](const ImpPhrase& x) {
        const auto* y = as<ImpPhrase>(b);
        return x.op == y->op && x.level == y->level && x.space == y->space && x.sizes == y->sizes &&
               x.types == y->types && x.trap_primitive == y->trap_primitive && x.trap_message == y->trap_message &&
               x.own == y->own && all(x.arguments, y->arguments);
      });
}

}  // namespace

bool operator==(const Phrase& a, const Phrase& b) {
  Pairing bound;
  return same(a, b, bound, false);
}
bool alpha_equal(const Phrase& a, const Phrase& b) {
  Pairing bound;
  return same(a, b, bound, true);
}

// ---------------------------------------------------------------------------------------------- makers
const Type& data_of(const PhraseType& t) {
  if (const auto* e = as<ExpType>(t)) return e->data;
  if (const auto* a = as<AccType>(t)) return a->data;
  throw Bug("a phrase of type " + show(t) + " where data was expected");
}
const Type& data_of(const Phrase& p) { return data_of(p.type); }

PhraseRef ident(std::string name, PhraseType type) { return Phrase{std::move(type), Ident{std::move(name)}}; }
PhraseRef literal(Scalar value, std::string digits) {
  const ScalarType t = value.type;
  return Phrase{exp_type(scalar(t)), LiteralPhrase{std::move(value), std::move(digits)}};
}
PhraseRef bool_literal(bool b) { return literal(Scalar{ScalarType::Bool, b ? 1U : 0U, nullptr}); }
PhraseRef nat(Size n) { return Phrase{exp_type(scalar(ScalarType::I64)), NatPhrase{std::move(n)}}; }
PhraseRef index_at(Size i, Size bound) {
  return Phrase{exp_type(index_type(std::move(bound))), NatPhrase{std::move(i)}};
}

PhraseRef lambda(std::string name, PhraseType parameter, PhraseRef body, bool passive) {
  PhraseType type = phrase_function(parameter, body->type, passive);
  return Phrase{std::move(type), LambdaPhrase{std::move(name), std::move(parameter), std::move(body)}};
}

PhraseRef apply(PhraseRef function, PhraseRef argument) {
  if (const auto* l = as<LambdaPhrase>(*function)) return substitute(l->body, {{l->name, argument}});
  const auto* f = as<PhraseFunction>(function->type);
  if (!f) throw Bug("application of a phrase of type " + show(function->type));
  return Phrase{*f->to, ApplyPhrase{std::move(function), std::move(argument)}};
}

PhraseRef let(std::string name, PhraseRef value, PhraseRef body) {
  PhraseType type = body->type;
  return Phrase{std::move(type), LetPhrase{std::move(name), std::move(value), std::move(body)}};
}
PhraseRef if_else(PhraseRef condition, PhraseRef then, PhraseRef otherwise, Region region) {
  PhraseType type = then->type;
  return Phrase{std::move(type), IfPhrase{std::move(condition), std::move(then), std::move(otherwise)},
                std::move(region)};
}
PhraseRef phrase_pair(PhraseRef a, PhraseRef b) {
  PhraseType type = phrase_product(a->type, b->type);
  return Phrase{std::move(type), PairPhrase{std::move(a), std::move(b)}};
}
PhraseRef proj(int index, PhraseRef p) {
  if (const auto* both = as<PairPhrase>(*p)) return index == 1 ? both->first : both->second;
  const auto* product = as<PhraseProduct>(p->type);
  if (!product) throw Bug("projection from a phrase of type " + show(p->type));
  return Phrase{index == 1 ? *product->first : *product->second, ProjPhrase{index, std::move(p)}};
}
PhraseRef with_region(PhraseRef p, Region region) { return Phrase{p->type, p->node, std::move(region)}; }
PhraseRef default_region(PhraseRef p, const Region& region) {
  return p->region.source || !region.source ? p : with_region(std::move(p), region);
}

PhraseRef imp(ImpPhrase p, Region region) {
  const ImpSignature s = signature(p);
  if (s.arguments.size() != p.arguments.size())
    throw Bug(std::string(name_of(p)) + " with a wrong number of arguments");
  return Phrase{s.result, std::move(p), std::move(region)};
}

namespace {
PhraseRef make(Imp op, Level level, std::vector<Size> sizes, std::vector<Type> types,
               std::vector<PhraseRef> arguments) {
  return imp({op, level, Space::Auto, std::move(sizes), std::move(types), std::move(arguments)});
}
bool is_skip(const Phrase& p) {
  const auto* i = as<ImpPhrase>(p);
  return i && i->op == Imp::Skip;
}
}  // namespace

PhraseRef skip() { return make(Imp::Skip, Level::Auto, {}, {}, {}); }
PhraseRef seq(PhraseRef a, PhraseRef b) {
  if (is_skip(*a)) return b;
  if (is_skip(*b)) return a;
  return make(Imp::Seq, Level::Auto, {}, {}, {std::move(a), std::move(b)});
}
PhraseRef seq(std::vector<PhraseRef> commands) {
  PhraseRef out = skip();
  for (auto it = commands.rbegin(); it != commands.rend(); ++it) out = seq(*it, out);
  return out;
}
PhraseRef new_variable(Space space, const Type& d, const std::string& name,
                       const std::function<PhraseRef(PhraseRef)>& body) {
  PhraseRef b = body(ident(name, var_type(d)));
  return imp({Imp::New, Level::Auto, space, {}, {d}, {lambda(name, var_type(d), std::move(b))}});
}
PhraseRef assign(PhraseRef acceptor, PhraseRef value, Region region) {
  Type d = data_of(*acceptor);
  return imp({Imp::Assign, Level::Auto, Space::Auto, {}, {std::move(d)}, {std::move(acceptor), std::move(value)}},
             std::move(region));
}
PhraseRef for_loop(Level level, const Size& n, const std::string& i, const std::function<PhraseRef(PhraseRef)>& body) {
  const PhraseType index = exp_type(index_type(n));
  return make(Imp::For, level, {n}, {}, {lambda(i, index, body(ident(i, index)))});
}
PhraseRef par_for(Level level, PhraseRef acceptor, const std::string& i, const std::string& o,
                  const std::function<PhraseRef(PhraseRef, PhraseRef)>& body) {
  const auto* a = as<ArrayType>(data_of(*acceptor));
  if (!a) throw Bug("parfor over an acceptor of type " + show(acceptor->type));
  const Size n = a->length;
  const Type d = *a->element;
  const PhraseType index = exp_type(index_type(n));
  PhraseRef b = body(ident(i, index), ident(o, acc_type(d)));
  return make(Imp::ParFor, level, {n}, {d},
              {std::move(acceptor), lambda(i, index, lambda(o, acc_type(d), std::move(b), true))});
}
PhraseRef idx_acc(PhraseRef acceptor, PhraseRef index) {
  const auto* a = as<ArrayType>(data_of(*acceptor));
  if (!a) throw Bug("idxAcc of an acceptor of type " + show(acceptor->type));
  const Size n = a->length;
  const Type d = *a->element;
  return make(Imp::IdxAcc, Level::Auto, {n}, {d}, {std::move(acceptor), std::move(index)});
}
PhraseRef cond(PhraseRef condition, PhraseRef then, PhraseRef otherwise) {
  return make(Imp::Cond, Level::Auto, {}, {}, {std::move(condition), std::move(then), std::move(otherwise)});
}
PhraseRef while_loop(PhraseRef condition, PhraseRef body) {
  return make(Imp::While, Level::Auto, {}, {}, {std::move(condition), std::move(body)});
}
PhraseRef check(PhraseRef condition, std::string primitive, std::string message, std::vector<PhraseRef> values,
                Region region) {
  values.insert(values.begin(), std::move(condition));
  return imp(
      {Imp::Check, Level::Auto, Space::Auto, {}, {}, std::move(values), std::move(primitive), std::move(message)},
      std::move(region));
}

// ---------------------------------------------------------------------------------------------- traversal
void for_each_child(const Phrase& p, const std::function<void(const PhraseRef&)>& f) {
  const auto all = [&](const std::vector<PhraseRef>& v) { std::for_each(v.begin(), v.end(), f); };
  match(
      p.node, [](const Ident&) {}, [](const LiteralPhrase&) {}, [](const NatPhrase&) {},
      [&](const LambdaPhrase& x) { f(x.body); }, [&](const ApplyPhrase& x) { f(x.function), f(x.argument); },
      [&](const LetPhrase& x) { f(x.value), f(x.body); },
      [&](const IfPhrase& x) { f(x.condition), f(x.then), f(x.otherwise); },
      [&](const PairPhrase& x) { f(x.first), f(x.second); }, [&](const ProjPhrase& x) { f(x.phrase); },
      [&](const PrimPhrase& x) { all(x.arguments); }, [&](const ImpPhrase& x) { all(x.arguments); });
}

namespace {
std::optional<std::vector<PhraseRef>> mapped(const std::vector<PhraseRef>& v,
                                             const std::function<PhraseRef(const PhraseRef&)>& f) {
  std::vector<PhraseRef> out;
  out.reserve(v.size());
  bool changed = false;
  for (const PhraseRef& p : v) {
    out.push_back(f(p));
    changed |= out.back().get() != p.get();
  }
  if (!changed) return {};
  return out;
}
}  // namespace

PhraseRef map_children(const PhraseRef& p, const std::function<PhraseRef(const PhraseRef&)>& f) {
  const auto with = [&](auto node) -> PhraseRef { return Phrase{p->type, std::move(node), p->region}; };
  return match(
      p->node, [&](const Ident&) { return p; }, [&](const LiteralPhrase&) { return p; },
      [&](const NatPhrase&) { return p; },
      [&](const LambdaPhrase& x) {
        PhraseRef body = f(x.body);
        return body.get() == x.body.get() ? p : with(LambdaPhrase{x.name, x.parameter, std::move(body)});
      },
      [&](const ApplyPhrase& x) {
        PhraseRef function = f(x.function), argument = f(x.argument);
        if (function.get() == x.function.get() && argument.get() == x.argument.get()) return p;
        return with_region(apply(std::move(function), std::move(argument)), p->region);
      },
      [&](const LetPhrase& x) {
        PhraseRef value = f(x.value), body = f(x.body);
        if (value.get() == x.value.get() && body.get() == x.body.get()) return p;
        return with(LetPhrase{x.name, std::move(value), std::move(body)});
      },
      [&](const IfPhrase& x) {
        PhraseRef c = f(x.condition), t = f(x.then), e = f(x.otherwise);
        if (c.get() == x.condition.get() && t.get() == x.then.get() && e.get() == x.otherwise.get()) return p;
        return with(IfPhrase{std::move(c), std::move(t), std::move(e)});
      },
      [&](const PairPhrase& x) {
        PhraseRef a = f(x.first), b = f(x.second);
        if (a.get() == x.first.get() && b.get() == x.second.get()) return p;
        return with(PairPhrase{std::move(a), std::move(b)});
      },
      [&](const ProjPhrase& x) {
        PhraseRef q = f(x.phrase);
        return q.get() == x.phrase.get() ? p : proj(x.index, std::move(q));
      },
      [&](const PrimPhrase& x) {
        auto arguments = mapped(x.arguments, f);
        if (!arguments) return p;
        return with(PrimPhrase{x.primitive, x.acceptor, x.sizes, x.types, std::move(*arguments)});
      },
      [&](const ImpPhrase& x) {
        auto arguments = mapped(x.arguments, f);
        if (!arguments) return p;
        ImpPhrase y = x;
        y.arguments = std::move(*arguments);
        return with(std::move(y));
      });
}

PhraseRef substitute(const PhraseRef& p, const PhraseSubstitution& by) {
  if (by.empty()) return p;
  const auto without = [&](const std::string& name, const PhraseRef& body) {
    if (!by.contains(name)) return substitute(body, by);
    PhraseSubstitution rest = by;
    rest.erase(name);
    return substitute(body, rest);
  };
  if (const auto* x = as<Ident>(*p)) {
    const auto it = by.find(x->name);
    return it == by.end() ? p : it->second;
  }
  if (const auto* x = as<LambdaPhrase>(*p)) {
    PhraseRef body = without(x->name, x->body);
    return body.get() == x->body.get()
               ? p
               : PhraseRef(Phrase{p->type, LambdaPhrase{x->name, x->parameter, std::move(body)}, p->region});
  }
  if (const auto* x = as<LetPhrase>(*p)) {
    PhraseRef value = substitute(x->value, by), body = without(x->name, x->body);
    if (value.get() == x->value.get() && body.get() == x->body.get()) return p;
    return Phrase{p->type, LetPhrase{x->name, std::move(value), std::move(body)}, p->region};
  }
  return map_children(p, [&](const PhraseRef& c) { return substitute(c, by); });
}

PhraseRef substitute_sizes(const PhraseRef& p, const SizeSubstitution& sizes, const TypeSubstitution& types) {
  if (sizes.empty() && types.empty()) return p;
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return substitute_sizes(c, sizes, types); });
  Phrase out = *q;
  out.type = substitute(out.type, sizes, types);
  const auto all = [&](std::vector<Size>& s, std::vector<Type>& t) {
    for (Size& x : s) x = substitute(x, sizes);
    for (Type& x : t) x = substitute(x, sizes, types);
  };
  match(
      out.node, [](Ident&) {}, [](LiteralPhrase&) {}, [&](NatPhrase& x) { x.size = substitute(x.size, sizes); },
      [&](LambdaPhrase& x) { x.parameter = substitute(x.parameter, sizes, types); }, [](ApplyPhrase&) {},
      [](LetPhrase&) {}, [](IfPhrase&) {}, [](PairPhrase&) {}, [](ProjPhrase&) {},
      [&](PrimPhrase& x) { all(x.sizes, x.types); }, [&](ImpPhrase& x) { all(x.sizes, x.types); });
  return out;
}

std::string Names::fresh(const std::string& base) {
  const auto [it, first] = used_.try_emplace(base, 0);
  if (first) return base;
  while (true) {
    std::string name = base + "_" + std::to_string(++it->second);
    if (used_.try_emplace(name, 0).second) return name;
  }
}
void Names::reserve(const std::string& name) { used_.try_emplace(name, 0); }

namespace {
std::string base_of(const std::string& name) {
  const std::size_t underscore = name.rfind('_');
  if (underscore == std::string::npos || underscore == 0 || underscore + 1 == name.size()) return name;
  const bool number = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(underscore) + 1, name.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  return number ? name.substr(0, underscore) : name;
}

PhraseRef refresh_in(const PhraseRef& p, Names& names, std::map<std::string, std::string>& renamed) {
  const auto under = [&](const std::string& name, const std::string& fresh, const PhraseRef& body) {
    const auto old = renamed.find(name);
    const std::optional<std::string> saved = old == renamed.end() ? std::nullopt : std::optional(old->second);
    renamed[name] = fresh;
    PhraseRef out = refresh_in(body, names, renamed);
    if (saved)
      renamed[name] = *saved;
    else
      renamed.erase(name);
    return out;
  };
  if (const auto* x = as<Ident>(*p)) {
    const auto it = renamed.find(x->name);
    return it == renamed.end() ? p : PhraseRef(Phrase{p->type, Ident{it->second}, p->region});
  }
  if (const auto* x = as<LambdaPhrase>(*p)) {
    std::string fresh = names.fresh(base_of(x->name));
    PhraseRef body = under(x->name, fresh, x->body);
    return Phrase{p->type, LambdaPhrase{std::move(fresh), x->parameter, std::move(body)}, p->region};
  }
  if (const auto* x = as<LetPhrase>(*p)) {
    PhraseRef value = refresh_in(x->value, names, renamed);
    std::string fresh = names.fresh(base_of(x->name));
    PhraseRef body = under(x->name, fresh, x->body);
    return Phrase{p->type, LetPhrase{std::move(fresh), std::move(value), std::move(body)}, p->region};
  }
  return map_children(p, [&](const PhraseRef& c) { return refresh_in(c, names, renamed); });
}
}  // namespace

PhraseRef refresh(const PhraseRef& p, Names& names) {
  std::map<std::string, std::string> renamed;
  return refresh_in(p, names, renamed);
}

void collect_free(const Phrase& p, std::set<std::string>& into) {
  const auto under = [&](const std::string& name, const PhraseRef& body) {
    std::set<std::string> inside;
    collect_free(*body, inside);
    inside.erase(name);
    into.merge(inside);
  };
  if (const auto* x = as<Ident>(p)) {
    into.insert(x->name);
  } else if (const auto* l = as<LambdaPhrase>(p)) {
    under(l->name, l->body);
  } else if (const auto* y = as<LetPhrase>(p)) {
    collect_free(*y->value, into);
    under(y->name, y->body);
  } else {
    for_each_child(p, [&](const PhraseRef& c) { collect_free(*c, into); });
  }
}

std::size_t node_count(const Phrase& p) {
  std::size_t n = 1;
  for_each_child(p, [&](const PhraseRef& c) { n += node_count(*c); });
  return n;
}

SizeContext context_of(const PhraseProgram& p) {
  SizeContext context;
  for (const SizeFact& f : p.facts) context.assume(f);
  return context;
}

}  // namespace lockstep

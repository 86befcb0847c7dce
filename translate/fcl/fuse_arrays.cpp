// Array operations: what delayed arrays and push arrays are made of, and what is left of them.
#include "semantics/fcl/parse.h"
#include "translate/fcl/fusing.h"

namespace lockstep::fcl::fusing {
namespace {

Expr fn(const std::string& parameter, Expr body) { return {FnExpr{{{parameter, false}}, std::move(body)}}; }
// generate n (fn i => i)
Expr indices(const Expr& n) { return applied("generate", {n, fn("i", name_expr("i"))}); }
const Base& base_of(const Sem& s) { return std::get<Base>(s.node); }
const Written& written_of(const Sem& s) { return *std::get<std::shared_ptr<const Written>>(s.node); }

}  // namespace

Delayed Fusion::delayed(const Sem& s) { return *std::get<std::shared_ptr<const Delayed>>(s.node); }

// ---------------------------------------------------------------------------------------------------- what is known

bool Fusion::is_natural(const Expr& e) const {
  if (const auto n = int_literal(e)) return *n >= 0;
  if (const auto* v = as<Variable>(e)) return naturals_.contains(v->name);
  if (const auto* a = as<ApplyExpr>(e)) {
    const auto* f = as<Variable>(*a->function);
    return f && (f->name == "lengthPull" || f->name == "lengthPush");
  }
  const auto* i = as<InfixExpr>(e);
  return i && (i->op == Infix::Div || i->op == Infix::Mod) && is_natural(*i->left) && is_natural(*i->right);
}
bool Fusion::is_inside(const Expr& index, const Base& length) const {
  const auto k = int_literal(index), n = int_literal(length.left);
  if (k && n) return *k >= 0 && *k < *n;
  const auto* v = as<Variable>(index);
  if (!v) return false;
  const auto known = below_.find(v->name);
  return inside_.contains({v->name, print(length.left)}) || (n && known != below_.end() && known->second <= *n);
}
void Fusion::note_inside(const std::string& index, const Base& length) {
  naturals_.insert(index);
  inside_.emplace(index, print(length.left));
  if (const auto n = int_literal(length.left)) below_.emplace(index, *n);
}

// ---------------------------------------------------------------------------------------------------- what is there

Base Fusion::length_of(const Expr& array) { return named({applied("lengthPull", {array}), int_type}, "n"); }

// Of what has a value in memory.
Sem Fusion::given(const Expr& e, const Type& type) {
  if (const auto* a = as<PullType>(type)) {
    const Base x = named({e, type}, "row");
    return sem(Delayed{length_of(x.left), [this, x, element = Type(*a->element)](const Base& k) {
                         return given(applied("index", {x.left, k.left}), element);
                       }});
  }
  const Base b = named({e, type}, "v");
  const auto* p = as<PairOf>(type);
  if (!p) return sem(b);
  Sem first = given(applied("fst", {b.left}), *p->first);
  return sem_pair(std::move(first), given(applied("snd", {b.left}), *p->second));
}

// ---------------------------------------------------------------------------------------------------- pull arrays

Sem Fusion::generated(const Base& n, const Sem& f, const Env& env, const Region& at) {
  Base length = named(n, "n");
  if (!is_natural(length.left))
    length = trapping({applied("lengthPull", {told_at(indices(length.left), env, at)}), int_type}, env, at);
  return sem(Delayed{length, [f](const Base& k) { return apply(f, sem(k)); }});
}

Sem Fusion::indexed(const Sem& array, const Sem& index, const Env& env, const Region& at) {
  const Delayed a = delayed(array);
  Base k = named(base_of(index), "k");
  if (!is_inside(k.left, a.length)) {
    k = trapping({applied("index", {indices(a.length.left), k.left}), int_type}, env, at);
    note_inside(std::get<Variable>(k.left.node).name, a.length);
  }
  return a.at(k);
}

Sem Fusion::mapped(const Sem& f, const Sem& array) {
  if (const auto* w = std::get_if<std::shared_ptr<const Written>>(&array.node))
    return sem(Written{(*w)->length, [f, w = *w](const std::function<Sem(const Sem&)>& each) {
                         return w->scheme([&](const Sem& x) { return each(apply(f, x)); });
                       }});
  const Delayed a = delayed(array);
  return sem(Delayed{a.length, [f, a](const Base& k) { return apply(f, a.at(k)); }});
}

Sem Fusion::literal_array(const ArrayExpr& a, const Env& env, const Region& at) {
  const auto n = static_cast<std::int64_t>(a.items.size());
  return sem(Delayed{int_base(n), [this, &a, env, at](const Base& k) { return item(a, 0, k, env, at); }});
}
Sem Fusion::item(const ArrayExpr& a, std::size_t j, const Base& k, const Env& env, const Region& at) {
  if (const auto known = int_literal(k.left)) return eval(*a.items[static_cast<std::size_t>(*known)], env);
  if (a.items.empty()) refuse("an element of an array of nothing is used", at);
  if (j + 1 == a.items.size()) return eval(*a.items[j], env);
  const Base is_this{infix_expr(Infix::Eq, k.left, int_expr(static_cast<std::int64_t>(j))), bool_type};
  return branches(
      is_this, [&] { return eval(*a.items[j], env); }, [&] { return item(a, j + 1, k, env, at); }, at);
}

// ---------------------------------------------------------------------------------------------------- push arrays

Sem Fusion::pushed(const Level& l, const Sem& array) {
  const Delayed a = delayed(array);
  return sem(Written{a.length, [this, l, a](const std::function<Sem(const Sem&)>& each) {
                       const std::string i = fresh("i");
                       note_inside(i, a.length);
                       Type type = int_type;
                       Expr f = element(
                           i,
                           [&] {
                             return each(a.at({name_expr(i), int_type}));
                           },
                           type);
                       Expr push = {LevelApplyExpr{name_expr("push"), l}};
                       Expr all = {ApplyExpr{std::move(push), applied("generate", {a.length.left, std::move(f)})}};
                       return std::pair(std::move(all), std::move(type));
                     }});
}

Sem Fusion::forced(const Sem& array, const Env& env, const Region& at) {
  const Written& w = written_of(array);
  auto [scheme, type] = w.scheme([](const Sem& x) { return x; });
  Expr force = told_at(applied("force", {std::move(scheme)}), env, at);
  const Base a = named({std::move(force), pull(type)}, "a");
  return sem(Delayed{w.length, [this, a, type = type](const Base& k) {
                       return given(applied("index", {a.left, k.left}), type);
                     }});
}

Sem Fusion::interleaved(const Base& n, const Sem& f, const Sem& chunks, const Env& env, const Region& at) {
  const Delayed a = delayed(chunks);
  const Base length = named({infix_expr(Infix::Mul, n.left, a.length.left), int_type}, "n");
  return sem(Written{length, [this, n, f, a, env, at](const std::function<Sem(const Sem&)>& each) {
                       const std::string p = fresh("p"), c = fresh("c");
                       note_inside(c, a.length);
                       Type place = int_type, type = int_type;
                       const Expr pair = name_expr(p);
                       Expr to = element(
                           p,
                           [&] {
                             return apply(f, sem_pair(sem(Base{applied("fst", {pair}), int_type}),
                                                      sem(Base{applied("snd", {pair}), int_type})));
                           },
                           place);
                       Scope inside;
                       Expr chunk = within(inside, [&] {
                         auto made = written_of(a.at({name_expr(c), int_type})).scheme(each);
                         type = std::move(made.second);
                         return std::move(made.first);
                       });
                       Expr all = applied(
                           "interleave",
                           {n.left, std::move(to),
                            applied("generate", {a.length.left, fn(c, closed(std::move(inside), std::move(chunk)))})});
                       return std::pair(told_at(std::move(all), env, at), std::move(type));
                     }});
}

// How many rounds there are, where that is known from lengths: found on an array of which nothing else is.
std::optional<int> Fusion::rounds_of(const Sem& condition, const Sem& step, const Written& init) {
  const auto capacity = int_literal(init.length.left);
  if (!capacity) return std::nullopt;
  Scope apart;
  return within(apart, [&]() -> std::optional<int> {
    const Type type = init.scheme([](const Sem& x) { return x; }).second;
    std::int64_t n = *capacity;
    for (int rounds = 0; rounds <= most_unrolled; ++rounds) {
      const Expr name = name_expr(fresh("a"));
      const Sem x = sem(Delayed{int_base(n), [this, name, type](const Base& k) {
                                  return given(applied("index", {name, k.left}), type);
                                }});
      const auto* holds = as<Literal>(base_of(apply(condition, x)).left);
      if (!holds) return std::nullopt;
      if (holds->value.bits == 0) return rounds;
      const auto next = int_literal(written_of(apply(step, x)).length.left);
      if (!next || *next > *capacity || *next == n) return std::nullopt;
      n = *next;
    }
    return std::nullopt;
  });
}

Sem Fusion::looped(const Sem& condition, const Sem& step, const Sem& init, const Env& env, const Region& at) {
  if (const auto rounds = unrolls_ ? rounds_of(condition, step, written_of(init)) : std::nullopt) {
    Sem x = forced(init, env, at);
    for (int k = 0; k < *rounds; ++k) x = forced(apply(step, x), env, at);
    return x;
  }
  auto [scheme, element] = written_of(init).scheme([](const Sem& x) { return x; });
  const Type type = std::move(element);  // of a name of its own, for lambdas
  const auto round = [&](const std::function<Expr(const Sem&)>& body) {
    const std::string x = fresh("a");
    Scope inside;
    Expr made = within(inside, [&] { return body(given(name_expr(x), pull(type))); });
    return fn(x, closed(std::move(inside), std::move(made)));
  };
  Expr holds = round([&](const Sem& x) { return base_of(apply(condition, x)).left; });
  Expr next =
      round([&](const Sem& x) { return written_of(apply(step, x)).scheme([](const Sem& y) { return y; }).first; });
  Expr loop = told_at(applied("while", {std::move(holds), std::move(next), std::move(scheme)}), env, at);
  return given(named({std::move(loop), pull(type)}, "a").left, pull(type));
}

// ---------------------------------------------------------------------------------------------------- all of them

Sem Fusion::built_in(BuiltIn op, std::span<const Sem> x, const Env& env, const Region& at) {
  switch (op) {
    case BuiltIn::Generate:
      return generated(base_of(x[0]), x[1], env, at);
    case BuiltIn::Index:
      return indexed(x[0], x[1], env, at);
    case BuiltIn::LengthPull:
    case BuiltIn::LengthPush:
    case BuiltIn::Length:
      if (const auto* w = std::get_if<std::shared_ptr<const Written>>(&x[0].node)) return sem((*w)->length);
      return sem(delayed(x[0]).length);
    case BuiltIn::MapPull:
    case BuiltIn::MapPush:
    case BuiltIn::Map:
      return mapped(x[0], x[1]);
    case BuiltIn::Force:
      return forced(x[0], env, at);
    case BuiltIn::Interleave:
      return interleaved(base_of(x[0]), x[1], x[2], env, at);
    case BuiltIn::While:
      return looped(x[0], x[1], x[2], env, at);
    case BuiltIn::Fst:
    case BuiltIn::Snd: {
      const auto& p = *std::get<std::shared_ptr<const std::pair<Sem, Sem>>>(x[0].node);
      return op == BuiltIn::Fst ? p.first : p.second;
    }
    case BuiltIn::Assert:
      asserted(base_of(x[0]), env, at);
      return x[1];
    case BuiltIn::Push:
      break;  // it takes a level
  }
  throw Bug("a built-in of FCL that is none");
}

void Fusion::asserted(const Base& c, const Env& env, const Region& at) {
  const auto* known = as<Literal>(c.left);
  if (!known || known->value.bits == 0)
    trapping({applied("assert", {c.left, {Literal{make_bool(true)}}}), bool_type}, env, at);
}

}  // namespace lockstep::fcl::fusing

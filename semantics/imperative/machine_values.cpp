// Expressions, acceptors and functions to closures.
#include <array>

#include "semantics/imperative/machine.h"

namespace lockstep::imperative {
namespace {

template <class T>
Code<T> constantly(T v) {
  return [v = std::move(v)](Frame&) { return v; };
}

const Value& value_in(const Meaning& m) {
  const auto* v = std::get_if<Value>(&m.node);
  if (!v) throw Bug("an identifier that stands for no value");
  return *v;
}

Scalar forced_scalar(const Value& v) {
  if (const auto* s = std::get_if<Scalar>(&v.node)) return *s;
  const Value now = force(v);
  return as_scalar(now);
}

// A trap of a primitive's meaning gets the source position of its use.
template <class F>
auto located(const Region& region, const F& f) {
  try {
    return f();
  } catch (TrapSignal& signal) {
    if (!signal.trap.region.source) signal.trap.region = region;
    throw;
  }
}

// At most `limit` binders of a curried lambda, and what is under them.
std::pair<std::vector<std::string>, const Phrase*> binders_of(const Phrase& p, std::size_t limit) {
  std::vector<std::string> names;
  const Phrase* body = &p;
  for (const auto* l = as<LambdaPhrase>(*body); l && names.size() < limit; l = as<LambdaPhrase>(*body)) {
    names.push_back(l->name);
    body = l->body.get();
  }
  return {std::move(names), body};
}

bool is_single(const Type& d) { return as<ScalarType>(d) || as<IndexType>(d); }

}  // namespace

std::size_t Compiler::slot(const std::string& name) {
  slots_[name].push_back(count_);
  return count_++;
}
void Compiler::leave(const std::string& name) { slots_[name].pop_back(); }
std::size_t Compiler::slot_of(const std::string& name) const {
  const auto it = slots_.find(name);
  if (it == slots_.end() || it->second.empty()) throw Bug("the identifier " + name + " is not bound");
  return it->second.back();
}
std::vector<std::size_t> Compiler::slots_read_by(const Phrase& p) const {
  std::set<std::string> names;
  collect_free(p, names);
  std::vector<std::size_t> out;
  for (const std::string& n : names) out.push_back(slot_of(n));
  return out;
}
std::int64_t Compiler::size_of(const Size& s) const {
  const auto n = evaluate(s, sizes_);
  if (!n) throw Bug("the size " + show(s) + " has no value");
  return *n;
}
std::vector<std::int64_t> Compiler::sizes_of(const std::vector<Size>& s) const {
  std::vector<std::int64_t> out;
  for (const Size& x : s) out.push_back(size_of(x));
  return out;
}
Value Compiler::literal_value(const LiteralPhrase& x) const {
  if (is_float(x.value.type) && !x.digits.empty()) return scalar_value(domain_.literal(x.value.type, x.digits));
  if (is_float(x.value.type)) return scalar_value(domain_.from_ieee(x.value.type, x.value.ieee()));
  return scalar_value(x.value);
}

// ---------------------------------------------------------------------------------------------- any phrase
Code<Meaning> Compiler::meaning(const Phrase& p) {
  if (const auto* x = as<Ident>(p)) return [k = slot_of(x->name)](Frame& f) { return f[k]; };
  if (const auto* x = as<PairPhrase>(p)) {
    return [a = meaning(*x->first), b = meaning(*x->second)](Frame& f) {
      return Meaning{std::make_shared<const BothMeanings>(BothMeanings{a(f), b(f)})};
    };
  }
  if (const auto* x = as<ProjPhrase>(p)) {
    return [this, m = meaning(*x->phrase), k = x->index](Frame& f) -> Meaning {
      const Meaning both = m(f);
      if (const auto* v = std::get_if<Variable>(&both.node)) return k == 1 ? acceptor_of(*v) : value_of(*v);
      const auto* pair = std::get_if<std::shared_ptr<const BothMeanings>>(&both.node);
      if (!pair) throw Bug("a component of what is no pair");
      return k == 1 ? (*pair)->first : (*pair)->second;
    };
  }
  if (const auto* x = as<ApplyPhrase>(p); x && !as<ExpType>(p.type)) {
    return [g = meaning(*x->function), a = meaning(*x->argument)](Frame& f) {
      const Meaning head = g(f);
      const auto* function = std::get_if<std::shared_ptr<const Function>>(&head.node);
      if (!function) throw Bug("the application of what is no function");
      return (**function)(a(f));
    };
  }
  return match(
      p.type.node, [&](const ExpType&) -> Code<Meaning> { return [c = value(p)](Frame& f) { return Meaning{c(f)}; }; },
      [&](const AccType&) -> Code<Meaning> { return [c = acceptor(p)](Frame& f) { return Meaning{c(f)}; }; },
      [&](const CommType&) -> Code<Meaning> {
        return [c = std::make_shared<const Code<void>>(command(p))](Frame& f) {
          return Meaning{std::make_shared<const Command>([c, &f] { (*c)(f); })};
        };
      },
      [&](const PhraseFunction&) { return function_meaning(p); },
      [](const PhraseProduct&) -> Code<Meaning> { throw Bug("a product that is no pair"); });
}

// A lambda; into data it is a value that primitives call, into anything else a function on meanings.
Code<Meaning> Compiler::function_meaning(const Phrase& p) {
  const PhraseType* result = &p.type;
  while (const auto* arrow = as<PhraseFunction>(*result)) result = &*arrow->to;
  if (as<ExpType>(*result)) return [c = function(p)](Frame& f) { return Meaning{c(f)}; };
  const auto* l = as<LambdaPhrase>(p);
  if (!l) throw Bug("a function that is no lambda");
  const std::size_t k = slot(l->name);
  auto body = std::make_shared<const Code<Meaning>>(meaning(*l->body));
  leave(l->name);
  return [k, body = std::move(body)](Frame& f) {
    return Meaning{std::make_shared<const Function>([&f, k, body](const Meaning& argument) {
      f[k] = argument;
      return (*body)(f);
    })};
  };
}

// All arguments of a constant's function at once: no closures are made where it is written as lambdas.
Procedure Compiler::procedure(const Phrase& p, std::size_t parameters) {
  const auto [binders, body] = binders_of(p, parameters);
  if (binders.size() == parameters) {
    std::vector<std::size_t> slots;
    for (const std::string& b : binders) slots.push_back(slot(b));
    Code<void> c = command(*body);
    for (const std::string& b : binders) leave(b);
    return [slots, c = std::move(c)](Frame& f, std::span<Meaning> arguments) {
      for (std::size_t k = 0; k < slots.size(); ++k) f[slots[k]] = arguments[k];
      c(f);
    };
  }
  return [g = meaning(p)](Frame& f, std::span<Meaning> arguments) {
    Meaning m = g(f);
    for (const Meaning& a : arguments) {
      const auto* function = std::get_if<std::shared_ptr<const Function>>(&m.node);
      if (!function) throw Bug("the application of what is no function");
      const auto kept = *function;
      m = (*kept)(a);
    }
    (*std::get<std::shared_ptr<const Command>>(m.node))();
  };
}

// ---------------------------------------------------------------------------------------------- acceptors
Code<Acceptor> Compiler::acceptor(const Phrase& p) {
  if (const auto* x = use_of<imp::IdxAcc>(p)) {
    return [a = acceptor(*x->arguments[0]), i = scalar(*x->arguments[1])](Frame& f) {
      const Acceptor all = a(f);
      return element_of(all, i(f).integer());
    };
  }
  if (const auto* x = as<PrimPhrase>(p)) {
    return [g = view_acceptor(*x), a = acceptor(*x->arguments.at(0))](Frame& f) { return g(a(f)); };
  }
  return [m = meaning(p)](Frame& f) {
    Meaning a = m(f);
    auto* found = std::get_if<Acceptor>(&a.node);
    if (!found) throw Bug("a phrase that stands for no acceptor");
    return std::move(*found);
  };
}

AcceptorFunction Compiler::view_acceptor(const PrimPhrase& x) {
  const auto* view = std::get_if<View>(&x.primitive->kind);
  if (!view || x.acceptor < 0) throw Bug("an acceptor of " + x.primitive->name);
  const AcceptorFacet& facet = view->acceptors.at(static_cast<std::size_t>(x.acceptor));
  const std::vector<std::int64_t> sizes = sizes_of(x.sizes);
  if (facet.meaning && !options_.invert_acceptors)
    return [&meaning = facet.meaning, sizes](const Acceptor& a) { return meaning(sizes, a); };
  PrimPhrase as_view = x;
  as_view.acceptor = -1;
  const auto type = instances_.type_of(as_view);
  if (!type) throw Bug(type.error());
  std::vector<const Layout*> arguments;
  for (const PhraseType& t : type->arguments) arguments.push_back(&layout(data_of(t)));
  return inverted_acceptor(*view, sizes, facet.argument, arguments, layout(data_of(type->result)));
}

// ---------------------------------------------------------------------------------------------- expressions
Code<Value> Compiler::value(const Phrase& p) {
  return match(
      p.node, [&](const Ident& x) -> Code<Value> { return [k = slot_of(x.name)](Frame& f) { return value_in(f[k]); }; },
      [&](const LiteralPhrase& x) -> Code<Value> { return constantly(literal_value(x)); },
      [&](const NatPhrase& x) -> Code<Value> {
        return constantly(scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(size_of(x.size)))));
      },
      [&](const LambdaPhrase&) { return function(p); }, [&](const ApplyPhrase&) { return application(p); },
      [&](const LetPhrase& x) -> Code<Value> {
        Code<Value> v = value(*x.value);
        const std::size_t k = slot(x.name);
        Code<Value> body = value(*x.body);
        leave(x.name);
        return [v = std::move(v), k, body = std::move(body)](Frame& f) {
          f[k] = {stored(v(f))};
          return body(f);
        };
      },
      [&](const IfPhrase& x) -> Code<Value> {
        return [c = scalar(*x.condition), t = value(*x.then), e = value(*x.otherwise)](Frame& f) {
          return c(f).bits ? t(f) : e(f);
        };
      },
      [](const PairPhrase&) -> Code<Value> { throw Bug("a pair of phrases as an expression"); },
      [&](const ProjPhrase&) -> Code<Value> { return [m = meaning(p)](Frame& f) { return value_in(m(f)); }; },
      [&](const PrimPhrase& x) { return primitive(x, p); },
      [](const ImpPhrase&) -> Code<Value> { throw Bug("a command as an expression"); });
}

Code<Scalar> Compiler::scalar(const Phrase& p) {
  if (const auto* x = as<Ident>(p)) return [k = slot_of(x->name)](Frame& f) { return forced_scalar(value_in(f[k])); };
  if (const auto* x = as<ProjPhrase>(p)) {
    if (const auto* v = as<Ident>(*x->phrase); v && x->index == 2) {
      return [this, k = slot_of(v->name), otherwise = value(p)](Frame& f) {
        if (const auto* variable = std::get_if<Variable>(&f[k].node)) return store_.read(variable->cell);
        return forced_scalar(otherwise(f));
      };
    }
  }
  if (const auto* x = as<IfPhrase>(p)) {
    return [c = scalar(*x->condition), t = scalar(*x->then), e = scalar(*x->otherwise)](Frame& f) {
      return c(f).bits ? t(f) : e(f);
    };
  }
  if (const auto* x = as<PrimPhrase>(p); x && x->acceptor < 0) {
    const auto* op = std::get_if<ScalarOp>(&x->primitive->kind);
    if (op && op->decided_by) return connective(*op, *x);
    if (op && is_single(x->types.at(0))) return operator_scalar(*op, *x, p);
  }
  return [v = value(p)](Frame& f) { return forced_scalar(v(f)); };
}

// Called in a copy of the frame, because its result may be forced after another call.
Code<Value> Compiler::function(const Phrase& p) {
  const auto [binders, body] = binders_of(p, SIZE_MAX);
  std::vector<std::size_t> parameters;
  for (const std::string& b : binders) parameters.push_back(slot(b));
  auto code = std::make_shared<const Code<Value>>(value(*body));
  for (const std::string& b : binders) leave(b);
  return [parameters, code = std::move(code)](Frame& f) {
    return function_value([frame = f, parameters, code](std::span<const Value> arguments) {
      Frame own = frame;
      for (std::size_t k = 0; k < parameters.size(); ++k) own[parameters[k]] = {arguments[k]};
      return (*code)(own);
    });
  };
}

Code<Value> Compiler::application(const Phrase& p) {
  std::vector<Code<Value>> arguments;
  const Phrase* head = &p;
  while (const auto* a = as<ApplyPhrase>(*head)) {
    arguments.insert(arguments.begin(), value(*a->argument));
    head = a->function.get();
  }
  return [h = meaning(*head), arguments](Frame& f) {
    std::vector<Value> values;
    for (const auto& c : arguments) values.push_back(c(f));
    return call(value_in(h(f)), values);
  };
}

Code<Value> Compiler::primitive(const PrimPhrase& x, const Phrase& p) {
  if (x.acceptor >= 0) throw Bug("an acceptor as an expression");
  return match(
      x.primitive->kind,
      [&](const ScalarOp& op) { return op.decided_by ? connective_value(op, x) : operator_value(op, x, p); },
      [&](const View& v) { return view_value(v, x, p); },
      [&](const Loop& l) -> Code<Value> {
        std::vector<Code<Value>> arguments;
        for (const PhraseRef& a : x.arguments) {
          arguments.push_back([m = meaning(*a)](Frame& f) { return value_in(m(f)); });
        }
        return [&l, sizes = sizes_of(x.sizes), arguments](Frame& f) {
          std::vector<Value> values;
          for (const auto& c : arguments) values.push_back(c(f));
          return l.meaning(sizes, std::span<const Value>(values));
        };
      });
}

Code<Scalar> Compiler::connective(const ScalarOp& op, const PrimPhrase& x) {
  return [a = scalar(*x.arguments[0]), b = scalar(*x.arguments[1]), decided_by = *op.decided_by](Frame& f) {
    Scalar left = a(f);
    return (left.bits != 0) == decided_by ? left : b(f);
  };
}

Code<Value> Compiler::connective_value(const ScalarOp& op, const PrimPhrase& x) {
  return [a = value(*x.arguments[0]), b = value(*x.arguments[1]), decided_by = *op.decided_by](Frame& f) {
    return delayed_value([a = a(f), b = b(f), decided_by] {
      const Value left = force(a);
      return (as_scalar(left).bits != 0) == decided_by ? left : force(b);
    });
  };
}

Code<Scalar> Compiler::operator_scalar(const ScalarOp& op, const PrimPhrase& x, const Phrase& p) {
  std::vector<Code<Scalar>> arguments;
  for (const PhraseRef& a : x.arguments) arguments.push_back(scalar(*a));
  const auto* s = as<ScalarType>(x.types[0]);
  const ScalarType t = s ? *s : ScalarType::I64;  // idx(n)
  return [&op, &domain = domain_, t, arguments, &region = p.region](Frame& f) {
    std::array<Scalar, 3> values;
    for (std::size_t k = 0; k < arguments.size(); ++k) values.at(k) = arguments[k](f);
    return located(region,
                   [&] { return op.meaning(domain, t, std::span<const Scalar>(values.data(), arguments.size())); });
  };
}

// Delayed: what it reads it reads when it is forced.
Code<Value> Compiler::operator_value(const ScalarOp& op, const PrimPhrase& x, const Phrase& p) {
  std::vector<Code<Value>> arguments;
  for (const PhraseRef& a : x.arguments) arguments.push_back(value(*a));
  const auto* vector = as<VectorType>(x.types.at(0));
  const auto* s = vector ? as<ScalarType>(*vector->element) : as<ScalarType>(x.types[0]);
  const ScalarType t = s ? *s : ScalarType::I64;  // idx(n)
  const std::int64_t width = vector ? size_of(vector->width) : 0;
  return [&op, &domain = domain_, t, width, arguments, &region = p.region](Frame& f) {
    std::vector<Value> values;
    for (const auto& c : arguments) values.push_back(c(f));
    return delayed_value([&op, &domain, t, width, values, &region] {
      std::vector<Value> now;
      for (const Value& v : values) now.push_back(force(v));
      std::vector<Scalar> lane(now.size());
      const auto apply_op = [&] {
        return located(region, [&] { return op.meaning(domain, t, std::span<const Scalar>(lane)); });
      };
      if (width == 0) {
        for (std::size_t k = 0; k < now.size(); ++k) lane[k] = as_scalar(now[k]);
        return scalar_value(apply_op());
      }
      Lanes out;
      for (std::int64_t l = 0; l < width; ++l) {
        for (std::size_t k = 0; k < now.size(); ++k) lane[k] = as_lanes(now[k]).at(static_cast<std::size_t>(l));
        out.push_back(apply_op());
      }
      return lanes_value(std::move(out));
    });
  };
}

Code<Value> Compiler::view_value(const View& v, const PrimPhrase& x, const Phrase& p) {
  std::vector<Code<Value>> arguments;
  for (const PhraseRef& a : x.arguments) arguments.push_back(value(*a));
  const bool check_it = options_.check_views && v.check_meaning;
  return [&v, sizes = sizes_of(x.sizes), arguments, check_it, &region = p.region](Frame& f) {
    std::vector<Value> values;
    values.reserve(arguments.size());
    for (const auto& c : arguments) values.push_back(c(f));
    return located(region, [&] {
      if (check_it) v.check_meaning(sizes, std::span<const Value>(values));
      return v.meaning(sizes, std::span<const Value>(values));
    });
  };
}

}  // namespace lockstep::imperative

// C[E](C), the continuation-passing translation (DPIA Fig. 5b): a command that acts as C(E). Cases in the figure's
// order.
#include "semantics/functional/shape.h"
#include "semantics/primitives/operators.h"
#include "translate/dpia/fig5.h"

namespace lockstep {

PhraseRef Fig5::continuation(const PhraseRef& e, const Continuation& c) {
  return match(
      e->node, [&](const Ident& x) { return c(bound(x, e)); },  // C[x](C) = C(x)
      [&](const LiteralPhrase&) { return c(e); },               // C[n](C) = C(n)
      [&](const NatPhrase&) { return c(e); },
      [](const LambdaPhrase&) -> PhraseRef { throw Bug("the continuation translation of a function"); },
      [](const ApplyPhrase&) -> PhraseRef {
        throw Bug("the continuation translation of an application: not in normal form");
      },
      [&](const LetPhrase& x) { return bind(x.name, x.value, [&] { return continuation(x.body, c); }); },
      [&](const IfPhrase& x) { return branch(e, x, c); },
      [](const PairPhrase&) -> PhraseRef { throw Bug("the continuation translation of a phrase pair"); },
      [&](const ProjPhrase&) { return c(e); },
      [&](const PrimPhrase& p) {
        return match(
            p.primitive->kind, [&](const ScalarOp&) { return scalar_operator(e, p, c); },
            [&](const View&) { return view(e, p, c); },
            [&](const Loop& l) {
              where_ = e->region;
              return default_region(l.continuation ? l.continuation(*this, p, c) : temporary(e, c), e->region);
            });
      },
      [](const ImpPhrase&) -> PhraseRef { throw Bug("the continuation translation of a command"); });
}

// C[E](C) = new d (\tmp. A[E](tmp.1); C(tmp.2)), as for map in the figure.
PhraseRef Fig5::temporary(const PhraseRef& e, const Continuation& c) {
  return new_variable(Space::Auto, data_of(*e), fresh("tmp"), [&](const PhraseRef& v) {
    return seq({acceptor(e, proj(1, v)), c(proj(2, v))});
  });
}

// An expression is passed by name; a scalar that is computed would be computed at every use.
PhraseRef Fig5::named(const PhraseRef& e, const Continuation& c) {
  return continuation(e, [&](const PhraseRef& x) {
    if (!is_scalar_data(data_of(*x)) || is_atom(*x)) return c(x);
    return new_variable(Space::Auto, data_of(*x), fresh("t"), [&](const PhraseRef& v) {
      return seq(lockstep::assign(proj(1, v), x, e->region), c(proj(2, v)));
    });
  });
}

// let: as named, and a view whose reads cost something is stored. What the name stands for is looked up where it is
// used: to substitute it here would walk the rest of the program at every let.
PhraseRef Fig5::bind(const std::string& name, const PhraseRef& e, const std::function<PhraseRef()>& body) {
  const Continuation enter = [&](const PhraseRef& v) {
    bound_.insert_or_assign(name, v);
    return body();
  };
  return named(e, [&](const PhraseRef& x) {
    if (read_cost(*x).constant() == 0) return enter(x);
    return new_variable(Space::Auto, data_of(*x), fresh("tmp"), [&](const PhraseRef& v) {
      checked_ = true;  // by the commands that are run before x
      const PhraseRef stored = acceptor(x, proj(1, v));
      checked_ = false;
      return seq({stored, enter(proj(2, v))});
    });
  });
}

PhraseRef Fig5::call(const PhraseRef& f, const PhraseRef& e) {
  const auto* l = as<LambdaPhrase>(*f);
  if (!l) return apply(f, e);
  bound_.insert_or_assign(l->name, e);
  return l->body;
}

PhraseRef Fig5::bound(const Ident& x, const PhraseRef& e) const {
  const auto it = bound_.find(x.name);
  return it == bound_.end() ? e : default_region(it->second, e->region);
}

PhraseRef Fig5::operands(const PrimPhrase& p, bool names, const std::function<PhraseRef(std::vector<PhraseRef>)>& c) {
  std::vector<PhraseRef> done;
  const std::function<PhraseRef(std::size_t)> go = [&](std::size_t k) -> PhraseRef {
    if (k == p.arguments.size()) return c(done);
    const auto next = [&, k](const PhraseRef& x) {
      done.push_back(x);
      PhraseRef out = go(k + 1);
      done.pop_back();
      return out;
    };
    return names ? named(p.arguments[k], next) : continuation(p.arguments[k], next);
  };
  return go(0);
}

// A choice between scalars that need no commands stays an expression.
PhraseRef Fig5::branch(const PhraseRef& e, const IfPhrase& x, const Continuation& c) {
  if (!is_scalar_data(data_of(*e)) || !is_simple(*x.then) || !is_simple(*x.otherwise))
    return default_region(temporary(e, c), e->region);
  return continuation(x.condition, [&](const PhraseRef& condition) {
    return continuation(x.then, [&](const PhraseRef& then) {
      return continuation(x.otherwise, [&](const PhraseRef& otherwise) {
        return c(Phrase{e->type, IfPhrase{condition, then, otherwise}, e->region});
      });
    });
  });
}

PhraseRef Fig5::scalar_operator(const PhraseRef& e, const PrimPhrase& p, const Continuation& c) {
  const auto rebuilt = [&](std::vector<PhraseRef> args) -> PhraseRef {
    PrimPhrase q = p;
    q.arguments = std::move(args);
    return Phrase{e->type, std::move(q), e->region};
  };
  const auto& op = std::get<ScalarOp>(p.primitive->kind);
  if (op.decided_by && !is_simple(*p.arguments[1])) {
    // The right side runs only where it is needed: a && b is `if a then b else false`.
    const PhraseRef constant = bool_literal(*op.decided_by);
    const auto branches = *op.decided_by ? std::pair{constant, p.arguments[1]} : std::pair{p.arguments[1], constant};
    return continuation(if_else(p.arguments[0], branches.first, branches.second, e->region), c);
  }
  const auto* vector = as<VectorType>(p.types.at(0));
  if (!can_trap(op, p.types.at(0)))
    return operands(p, false, [&](std::vector<PhraseRef> args) { return c(rebuilt(std::move(args))); });
  // E1 op E2 where op can trap: the check reads the operands too, so they are named.
  return operands(p, true, [&](const std::vector<PhraseRef>& args) {
    PhraseRef checks = skip();
    const auto guard_on = [&](const std::vector<PhraseRef>& scalars) {
      const auto guard = op.guard(operand_scalar(p.types.at(0)));
      std::vector<PhraseRef> shown;
      for (const std::size_t k : guard->shown) shown.push_back(scalars.at(k));
      return check(phrase_of(guard->ok, scalars), p.primitive->name, guard->message, shown, e->region);
    };
    if (!vector) {
      checks = guard_on(args);
    } else {
      const Size width = vector->width;
      checks = for_loop(Level::Seq, width, fresh("l"), [&](const PhraseRef& l) {
        std::vector<PhraseRef> scalars;
        for (const PhraseRef& a : args)
          scalars.push_back(
              idx_of(primitive("idx"),
                     prim(primitive("lanes"), {width}, {*vector->element}, {a}, array(width, *vector->element)), l));
        return guard_on(scalars);
      });
    }
    return seq(checks, c(rebuilt(args)));
  });
}

// C[view E1 .. Ek](C) = C[E1](\x1. .. C(view x1 .. xk)); what can trap is checked first: the view is lazy, the trap
// not.
PhraseRef Fig5::view(const PhraseRef& e, const PrimPhrase& p, const Continuation& c) {
  return operands(p, true, [&](std::vector<PhraseRef> args) {
    const auto& facets = std::get<View>(p.primitive->kind);
    PrimPhrase q = p;
    q.arguments = args;
    where_ = e->region;
    PhraseRef checks =
        facets.check && !checked_ ? with_region(facets.check(*this, Instance{q}, args), e->region) : skip();
    const PhraseRef x = facets.component ? component_of(facets.component, p.primitive, args[0])
                                         : PhraseRef(Phrase{e->type, std::move(q), e->region});
    return seq(std::move(checks), c(x));
  });
}

}  // namespace lockstep

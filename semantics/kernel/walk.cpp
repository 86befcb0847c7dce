// Walking and rewriting kernel trees. What a form holds is said once, for trees to read and for copies to change.
#include "semantics/kernel/walk.h"

namespace lockstep::kernel {
namespace {

// f on every edge to an expression directly in e.
template <class E, class F>
void each_edge(E& e, const F& f) {
  match(
      e.node, [](Like<E, Const>&) {}, [](Like<E, Var>&) {}, [&](Like<E, Arith>& x) { f(x.left), f(x.right); },
      [&](Like<E, Load>& x) { f(x.index); }, [&](Like<E, VectorLoad>& x) { f(x.index); },
      [&](Like<E, Apply>& x) {
        for (auto& a : x.arguments) f(a);
      },
      [&](Like<E, Choose>& x) { f(x.condition), f(x.then), f(x.otherwise); },
      [&](Like<E, Lane>& x) { f(x.vector), f(x.lane); },
      [&](Like<E, Build>& x) {
        for (auto& l : x.lanes) f(l);
      },
      [&](Like<E, Splat>& x) { f(x.scalar); });
}

template <class A, class F>
void each_of_array(A& a, const F& f) {
  f(a.count);
  if (a.at) f(*a.at);
}

// f on every expression that s itself holds.
template <class S, class F>
void each_own(S& s, const F& f) {
  match(
      s.node, [](Like<S, Block>&) {},
      [&](Like<S, Declare>& x) {
        if (x.init) f(*x.init);
      },
      [&](Like<S, Assign>& x) { f(x.value); }, [&](Like<S, Store>& x) { f(x.index), f(x.value); },
      [&](Like<S, Atomic>& x) { f(x.index), f(x.value); }, [&](Like<S, For>& x) { f(x.extent); },
      [&](Like<S, Allocate>& x) { each_of_array(x, f); },
      [&](Like<S, ParallelFor>& x) {
        f(x.extent);
        if (x.units) f(*x.units);
        for (auto& a : x.scratch) each_of_array(a, f);
      },
      [&](Like<S, If>& x) { f(x.condition); }, [&](Like<S, While>& x) { f(x.condition); },
      [&](Like<S, Check>& x) {
        f(x.ok);
        for (auto& v : x.values) f(v);
      },
      [](Like<S, Barrier>&) {}, [](Like<S, Comment>&) {}, [&](Like<S, Shuffle>& x) { f(x.value), f(x.lane); });
}

// What s is made of: the statements of a block, or the edges to bodies.
template <class S, class OnBlock, class OnBody>
void each_inside(S& s, const OnBlock& block, const OnBody& body) {
  match(
      s.node, [&](Like<S, Block>& x) { block(x.statements); }, [](Like<S, Declare>&) {}, [](Like<S, Assign>&) {},
      [](Like<S, Store>&) {}, [](Like<S, Atomic>&) {}, [&](Like<S, For>& x) { body(x.body); },
      [](Like<S, Allocate>&) {}, [&](Like<S, ParallelFor>& x) { body(x.body); },
      [&](Like<S, If>& x) { body(x.then), body(x.otherwise); }, [&](Like<S, While>& x) { body(x.body); },
      [](Like<S, Check>&) {}, [](Like<S, Barrier>&) {}, [](Like<S, Comment>&) {}, [](Like<S, Shuffle>&) {});
}

}  // namespace

// ------------------------------------------------------------------------------------------------- walking
void each_expression(const Expr& e, const OnExpr& f) {
  f(e);
  each_edge(e, [&](const ExprRef& r) { each_expression(*r, f); });
}

void each_statement(const Stmt& s, const OnStmt& f) {
  f(s);
  const auto all = [&](const std::vector<Stmt>& statements) {
    for (const Stmt& c : statements) each_statement(c, f);
  };
  each_inside(s, all, [&](const StmtRef& r) { each_statement(*r, f); });
}

void own_expressions(const Stmt& s, const OnExpr& f) { each_own(s, f); }

void each_node(const Stmt& s, const OnStmt& on_statement, const OnExpr& on_expression) {
  each_statement(s, [&](const Stmt& c) {
    on_statement(c);
    each_own(c, [&](const Expr& e) { each_expression(e, on_expression); });
  });
}

void each_expression(const Stmt& s, const OnExpr& f) {
  each_node(
      s, [](const Stmt&) {}, f);
}

bool is_read_of(const Expr& e, const std::string& name) {
  if (const auto* v = std::get_if<Var>(&e.node)) return v->name == name;
  if (const auto* l = std::get_if<Load>(&e.node)) return l->buffer == name;
  if (const auto* l = std::get_if<VectorLoad>(&e.node)) return l->buffer == name;
  return false;
}
bool is_write_of(const Stmt& s, const std::string& name) {
  if (const auto* a = std::get_if<Assign>(&s.node)) return a->name == name;
  if (const auto* a = std::get_if<Store>(&s.node)) return a->buffer == name;
  if (const auto* a = std::get_if<Atomic>(&s.node)) return a->buffer == name;
  return false;
}

bool reads(const Expr& e, const std::string& name) {
  bool found = false;
  each_expression(e, [&](const Expr& x) { found = found || is_read_of(x, name); });
  return found;
}
bool reads(const Stmt& s, const std::string& name) {
  bool found = false;
  each_statement(s, [&](const Stmt& c) {
    const auto* a = std::get_if<Atomic>(&c.node);
    found = found || (a && a->buffer == name);
    own_expressions(c, [&](const Expr& e) { found = found || reads(e, name); });
  });
  return found;
}
bool writes(const Stmt& s, const std::string& name) {
  bool found = false;
  each_statement(s, [&](const Stmt& c) { found = found || is_write_of(c, name); });
  return found;
}

std::size_t node_count(const Program& p) {
  std::size_t n = 0;
  each_node(
      p.body, [&](const Stmt&) { ++n; }, [&](const Expr&) { ++n; });
  return n;
}

// ------------------------------------------------------------------------------------------------- rewriting
bool divides_by_sizes(const Size& s) {
  bool found = false;
  each_expression(size_expr(s), [&](const Expr& e) {
    const auto* a = std::get_if<Arith>(&e.node);
    found = found || (a && (a->op == ArithOp::Divide || a->op == ArithOp::Modulo) && !constant_of(*a->right));
  });
  return found;
}

Expr map_children(const Expr& e, const ExprChange& change) {
  Expr out = e;
  each_edge(out, [&](ExprRef& r) { r = change(*r); });
  return out;
}

Expr rewritten(const Expr& e, const ExprChange& change) {
  return change(map_children(e, [&](const Expr& c) { return rewritten(c, change); }));
}

Stmt map_own(const Stmt& s, const ExprChange& change) {
  Stmt out = s;
  each_own(out, [&](Expr& e) { e = change(e); });
  return out;
}

Stmt rewritten(const Stmt& s, const ExprChange& change) {
  Stmt out = map_own(s, [&](const Expr& e) { return rewritten(e, change); });
  const auto all = [&](std::vector<Stmt>& statements) {
    for (Stmt& c : statements) c = rewritten(c, change);
  };
  each_inside(out, all, [&](StmtRef& r) { r = rewritten(*r, change); });
  return out;
}

namespace {

std::vector<Stmt> replaced(const Stmt& s, const StmtChange& change) {
  Stmt out = s;
  const auto all = [&](std::vector<Stmt>& statements) {
    std::vector<Stmt> now;
    for (const Stmt& c : statements)
      for (Stmt& r : replaced(c, change)) now.push_back(std::move(r));
    statements = std::move(now);
  };
  each_inside(out, all, [&](StmtRef& r) { r = rewritten(*r, change); });
  return change(out);
}

}  // namespace

Stmt rewritten(const Stmt& s, const StmtChange& change) {
  std::vector<Stmt> now = replaced(s, change);
  return now.size() == 1 ? now[0] : Stmt{Block{std::move(now)}};
}

namespace {
ExprChange value_for(const std::string& name, const Expr& value) {
  return [name, value](const Expr& e) { return is_read_of(e, name) ? value : e; };
}
}  // namespace
Expr with_value(const Expr& e, const std::string& name, const Expr& value) {
  return rewritten(e, value_for(name, value));
}
Stmt with_value(const Stmt& s, const std::string& name, const Expr& value) {
  return rewritten(s, value_for(name, value));
}

Stmt rename(const Stmt& s, const std::string& from, const std::string& to) {
  const auto rename_in = [&](std::string& name) {
    if (name == from) name = to;
  };
  const auto in_expression = [&](const Expr& e) {
    Expr out = e;
    if (auto* v = std::get_if<Var>(&out.node)) rename_in(v->name);
    if (auto* l = std::get_if<Load>(&out.node)) rename_in(l->buffer);
    if (auto* l = std::get_if<VectorLoad>(&out.node)) rename_in(l->buffer);
    return out;
  };
  const auto in_statement = [&](const Stmt& x) {
    Stmt out = x;
    if (auto* d = std::get_if<Declare>(&out.node)) rename_in(d->name);
    if (auto* d = std::get_if<Shuffle>(&out.node)) rename_in(d->name);
    if (auto* a = std::get_if<Assign>(&out.node)) rename_in(a->name);
    if (auto* t = std::get_if<Store>(&out.node)) rename_in(t->buffer);
    if (auto* t = std::get_if<Atomic>(&out.node)) rename_in(t->buffer);
    if (auto* a = std::get_if<Allocate>(&out.node)) rename_in(a->name);
    if (auto* p = std::get_if<ParallelFor>(&out.node))
      for (Allocate& a : p->scratch) rename_in(a.name);
    return std::vector<Stmt>{std::move(out)};
  };
  return rewritten(rewritten(s, ExprChange(in_expression)), StmtChange(in_statement));
}

Stmt shift(const Stmt& s, const std::string& buffer, const Expr& offset) {
  const auto moved = [&](const Expr& index) { return arith(ArithOp::Add, offset, index); };
  const auto in_expression = [&](const Expr& e) {
    Expr out = e;
    if (auto* l = std::get_if<Load>(&out.node); l && l->buffer == buffer) l->index = ExprRef(moved(*l->index));
    if (auto* l = std::get_if<VectorLoad>(&out.node); l && l->buffer == buffer) l->index = ExprRef(moved(*l->index));
    return out;
  };
  const auto in_statement = [&](const Stmt& x) {
    Stmt out = x;
    if (auto* t = std::get_if<Store>(&out.node); t && t->buffer == buffer) t->index = moved(t->index);
    if (auto* t = std::get_if<Atomic>(&out.node); t && t->buffer == buffer) t->index = moved(t->index);
    return std::vector<Stmt>{std::move(out)};
  };
  return rewritten(rewritten(s, ExprChange(in_expression)), StmtChange(in_statement));
}

}  // namespace lockstep::kernel

// Walking and rewriting kernel trees, a case for each form.
#include "translate/kernel_walk.h"

namespace lockstep::kernel {

void each_expression(const Expr& e, const std::function<void(const Expr&)>& f) {
  f(e);
  const auto go = [&](const ExprRef& r) { each_expression(*r, f); };
  std::visit(Cases{
                 [](const Const&) {},
                 [](const Var&) {},
                 [&](const Arith& x) { go(x.left), go(x.right); },
                 [&](const Load& x) { go(x.index); },
                 [&](const VectorLoad& x) { go(x.index); },
                 [&](const Apply& x) {
                   for (const ExprRef& a : x.arguments) go(a);
                 },
                 [&](const Choose& x) { go(x.condition), go(x.then), go(x.otherwise); },
                 [&](const Lane& x) { go(x.vector), go(x.lane); },
                 [&](const Build& x) {
                   for (const ExprRef& l : x.lanes) go(l);
                 },
                 [&](const Splat& x) { go(x.scalar); },
             },
             e.node);
}

void each_statement(const Stmt& s, const std::function<void(const Stmt&)>& f) {
  f(s);
  std::visit(Cases{
                 [&](const Block& x) {
                   for (const Stmt& c : x.statements) each_statement(c, f);
                 },
                 [](const Declare&) {},
                 [](const Assign&) {},
                 [](const Store&) {},
                 [&](const For& x) { each_statement(*x.body, f); },
                 [](const Allocate&) {},
                 [&](const ParallelFor& x) { each_statement(*x.body, f); },
                 [&](const If& x) { each_statement(*x.then, f), each_statement(*x.otherwise, f); },
                 [&](const While& x) { each_statement(*x.body, f); },
                 [](const Check&) {},
                 [](const Barrier&) {},
                 [](const Comment&) {},
             },
             s.node);
}

void own_expressions(const Stmt& s, const std::function<void(const Expr&)>& go) {
  std::visit(Cases{
                 [](const Block&) {},
                 [&](const Declare& x) {
                   if (x.init) go(*x.init);
                 },
                 [&](const Assign& x) { go(x.value); },
                 [&](const Store& x) { go(x.index), go(x.value); },
                 [&](const For& x) { go(x.extent); },
                 [&](const Allocate& x) { go(x.count); },
                 [&](const ParallelFor& x) {
                   go(x.extent);
                   for (const Allocate& a : x.scratch) go(a.count);
                 },
                 [&](const If& x) { go(x.condition); },
                 [&](const While& x) { go(x.condition); },
                 [&](const Check& x) {
                   go(x.ok);
                   for (const Expr& v : x.values) go(v);
                 },
                 [](const Barrier&) {},
                 [](const Comment&) {},
             },
             s.node);
}

void each_expression(const Stmt& s, const std::function<void(const Expr&)>& f) {
  const auto all = [&](const Expr& e) { each_expression(e, f); };
  each_statement(s, [&](const Stmt& c) { own_expressions(c, all); });
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
  return false;
}

bool reads(const Expr& e, const std::string& name) {
  bool found = false;
  each_expression(e, [&](const Expr& x) {
    found = found || is_read_of(x, name);
  });
  return found;
}
bool reads(const Stmt& s, const std::string& name) {
  bool found = false;
  each_statement(s, [&](const Stmt& c) {
    own_expressions(c, [&](const Expr& e) { found = found || reads(e, name); });
  });
  return found;
}
bool writes(const Stmt& s, const std::string& name) {
  bool found = false;
  each_statement(s, [&](const Stmt& c) { found = found || is_write_of(c, name); });
  return found;
}

namespace {

// The whole tree again, with other names and with other indices into buffers.
struct Rewriting {
  std::function<std::string(const std::string&)> name;
  std::function<Expr(const std::string& buffer, Expr)> index;

  Expr operator()(const Expr& e) const {
    const auto go = [&](const ExprRef& r) { return ExprRef((*this)(*r)); };
    const auto all = [&](const std::vector<ExprRef>& v) {
      std::vector<ExprRef> out;
      for (const ExprRef& r : v) out.push_back(go(r));
      return out;
    };
    return std::visit(Cases{
                          [&](const Const&) { return e; },
                          [&](const Var& x) { return Expr{e.type, Var{name(x.name)}}; },
                          [&](const Arith& x) { return Expr{e.type, Arith{x.op, go(x.left), go(x.right)}}; },
                          [&](const Load& x) { return Expr{e.type, Load{name(x.buffer), index(x.buffer, (*this)(*x.index))}}; },
                          [&](const VectorLoad& x) { return Expr{e.type, VectorLoad{name(x.buffer), x.width, index(x.buffer, (*this)(*x.index))}}; },
                          [&](const Apply& x) { return Expr{e.type, Apply{x.primitive, x.operand, all(x.arguments)}}; },
                          [&](const Choose& x) { return Expr{e.type, Choose{go(x.condition), go(x.then), go(x.otherwise)}}; },
                          [&](const Lane& x) { return Expr{e.type, Lane{go(x.vector), go(x.lane)}}; },
                          [&](const Build& x) { return Expr{e.type, Build{all(x.lanes)}}; },
                          [&](const Splat& x) { return Expr{e.type, Splat{x.width, go(x.scalar)}}; },
                      },
                      e.node);
  }

  Allocate operator()(const Allocate& x) const { return {name(x.name), x.type, (*this)(x.count), x.space}; }

  Stmt operator()(const Stmt& s) const {
    const auto go = [&](const StmtRef& r) { return StmtRef((*this)(*r)); };
    return std::visit(
        Cases{
            [&](const Block& x) {
              Block out;
              for (const Stmt& c : x.statements) out.statements.push_back((*this)(c));
              return Stmt{std::move(out)};
            },
            [&](const Declare& x) {
              std::optional<Expr> init;
              if (x.init) init = (*this)(*x.init);
              return Stmt{Declare{name(x.name), x.type, std::move(init)}};
            },
            [&](const Assign& x) { return Stmt{Assign{name(x.name), (*this)(x.value)}}; },
            [&](const Store& x) { return Stmt{Store{name(x.buffer), index(x.buffer, (*this)(x.index)), (*this)(x.value), x.streaming}}; },
            [&](const For& x) { return Stmt{For{x.name, (*this)(x.extent), go(x.body), x.unroll}}; },
            [&](const Allocate& x) { return Stmt{(*this)(x)}; },
            [&](const ParallelFor& x) {
              std::vector<Allocate> scratch;
              for (const Allocate& a : x.scratch) scratch.push_back((*this)(a));
              return Stmt{ParallelFor{x.level, x.name, (*this)(x.extent), std::move(scratch), go(x.body)}};
            },
            [&](const If& x) { return Stmt{If{(*this)(x.condition), go(x.then), go(x.otherwise)}}; },
            [&](const While& x) { return Stmt{While{(*this)(x.condition), go(x.body)}}; },
            [&](const Check& x) {
              std::vector<Expr> values;
              for (const Expr& v : x.values) values.push_back((*this)(v));
              return Stmt{Check{(*this)(x.ok), x.primitive, x.message, std::move(values), x.region}};
            },
            [&](const Barrier&) { return s; },
            [&](const Comment&) { return s; },
        },
        s.node);
  }
};

}  // namespace

Stmt rename(const Stmt& s, const std::string& from, const std::string& to) {
  return Rewriting{[&](const std::string& n) { return n == from ? to : n; }, [](const std::string&, Expr i) { return i; }}(s);
}
Stmt shift(const Stmt& s, const std::string& buffer, const Expr& offset) {
  return Rewriting{[](const std::string& n) { return n; },
                   [&](const std::string& b, Expr i) { return b == buffer ? arith(ArithOp::Add, offset, std::move(i)) : std::move(i); }}(s);
}

}  // namespace lockstep::kernel

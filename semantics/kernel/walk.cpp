// Walking kernel trees, a case for each form.
#include "semantics/kernel/walk.h"

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
  each_expression(e, [&](const Expr& x) { found = found || is_read_of(x, name); });
  return found;
}
bool reads(const Stmt& s, const std::string& name) {
  bool found = false;
  each_statement(s,
                 [&](const Stmt& c) { own_expressions(c, [&](const Expr& e) { found = found || reads(e, name); }); });
  return found;
}
bool writes(const Stmt& s, const std::string& name) {
  bool found = false;
  each_statement(s, [&](const Stmt& c) { found = found || is_write_of(c, name); });
  return found;
}

std::size_t node_count(const Program& p) {
  std::size_t n = 0;
  each_statement(p.body, [&](const Stmt&) { ++n; });
  each_expression(p.body, [&](const Expr&) { ++n; });
  return n;
}

}  // namespace lockstep::kernel

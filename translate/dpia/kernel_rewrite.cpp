// Rewriting kernel trees, a case for each form.
#include "translate/dpia/kernel_rewrite.h"

namespace lockstep::kernel {

Expr rewritten(const Expr& e, const ExprChange& change) {
  const auto go = [&](const ExprRef& r) { return ExprRef(rewritten(*r, change)); };
  const auto all = [&](const std::vector<ExprRef>& v) {
    std::vector<ExprRef> out;
    for (const ExprRef& r : v) out.push_back(go(r));
    return out;
  };
  Expr out = std::visit(Cases{
                            [&](const Const&) { return e; },
                            [&](const Var&) { return e; },
                            [&](const Arith& x) {
                              return Expr{e.type, Arith{x.op, go(x.left), go(x.right)}};
                            },
                            [&](const Load& x) {
                              return Expr{e.type, Load{x.buffer, go(x.index)}};
                            },
                            [&](const VectorLoad& x) {
                              return Expr{e.type, VectorLoad{x.buffer, x.width, go(x.index)}};
                            },
                            [&](const Apply& x) {
                              return Expr{e.type, Apply{x.primitive, x.operand, all(x.arguments)}};
                            },
                            [&](const Choose& x) {
                              return Expr{e.type, Choose{go(x.condition), go(x.then), go(x.otherwise)}};
                            },
                            [&](const Lane& x) {
                              return Expr{e.type, Lane{go(x.vector), go(x.lane)}};
                            },
                            [&](const Build& x) {
                              return Expr{e.type, Build{all(x.lanes)}};
                            },
                            [&](const Splat& x) {
                              return Expr{e.type, Splat{x.width, go(x.scalar)}};
                            },
                        },
                        e.node);
  out.region = e.region;
  return change(out);
}

namespace {

Allocate with_count(const Allocate& a, const ExprChange& change) {
  return {a.name, a.type, rewritten(a.count, change), a.space};
}

}  // namespace

Stmt rewritten(const Stmt& s, const ExprChange& change) {
  const auto ex = [&](const Expr& e) { return rewritten(e, change); };
  const auto go = [&](const StmtRef& r) { return StmtRef(rewritten(*r, change)); };
  Stmt out =
      std::visit(Cases{
                     [&](const Block& x) {
                       Block out;
                       for (const Stmt& c : x.statements) out.statements.push_back(rewritten(c, change));
                       return Stmt{std::move(out)};
                     },
                     [&](const Declare& x) {
                       return Stmt{Declare{x.name, x.type, x.init ? std::optional<Expr>(ex(*x.init)) : std::nullopt}};
                     },
                     [&](const Assign& x) {
                       return Stmt{Assign{x.name, ex(x.value)}};
                     },
                     [&](const Store& x) {
                       return Stmt{Store{x.buffer, ex(x.index), ex(x.value), x.streaming}};
                     },
                     [&](const For& x) {
                       return Stmt{For{x.name, ex(x.extent), go(x.body), x.unroll}};
                     },
                     [&](const Allocate& x) { return Stmt{with_count(x, change)}; },
                     [&](const ParallelFor& x) {
                       ParallelFor out{x.level, x.name, ex(x.extent), {}, go(x.body)};
                       for (const Allocate& a : x.scratch) out.scratch.push_back(with_count(a, change));
                       return Stmt{std::move(out)};
                     },
                     [&](const If& x) {
                       return Stmt{If{ex(x.condition), go(x.then), go(x.otherwise)}};
                     },
                     [&](const While& x) {
                       return Stmt{While{ex(x.condition), go(x.body)}};
                     },
                     [&](const Check& x) {
                       Check out{ex(x.ok), x.primitive, x.message, {}, x.region};
                       for (const Expr& v : x.values) out.values.push_back(ex(v));
                       return Stmt{std::move(out)};
                     },
                     [&](const Barrier&) { return s; },
                     [&](const Comment&) { return s; },
                 },
                 s.node);
  out.region = s.region;
  return out;
}

namespace {

std::vector<Stmt> replaced(const Stmt& s, const StmtChange& change) {
  const auto go = [&](const StmtRef& r) {
    std::vector<Stmt> now = replaced(*r, change);
    return StmtRef(now.size() == 1 ? now[0] : Stmt{Block{std::move(now)}});
  };
  Stmt out = std::visit(Cases{
                            [&](const Block& x) {
                              Block out;
                              for (const Stmt& c : x.statements)
                                for (Stmt& now : replaced(c, change)) out.statements.push_back(std::move(now));
                              return Stmt{std::move(out)};
                            },
                            [&](const Declare&) { return s; },
                            [&](const Assign&) { return s; },
                            [&](const Store&) { return s; },
                            [&](const For& x) {
                              return Stmt{For{x.name, x.extent, go(x.body), x.unroll}};
                            },
                            [&](const Allocate&) { return s; },
                            [&](const ParallelFor& x) {
                              return Stmt{ParallelFor{x.level, x.name, x.extent, x.scratch, go(x.body)}};
                            },
                            [&](const If& x) {
                              return Stmt{If{x.condition, go(x.then), go(x.otherwise)}};
                            },
                            [&](const While& x) {
                              return Stmt{While{x.condition, go(x.body)}};
                            },
                            [&](const Check&) { return s; },
                            [&](const Barrier&) { return s; },
                            [&](const Comment&) { return s; },
                        },
                        s.node);
  out.region = s.region;
  return change(out);
}

}  // namespace

Stmt rewritten(const Stmt& s, const StmtChange& change) {
  std::vector<Stmt> now = replaced(s, change);
  return now.size() == 1 ? now[0] : Stmt{Block{std::move(now)}};
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
    if (auto* a = std::get_if<Assign>(&out.node)) rename_in(a->name);
    if (auto* t = std::get_if<Store>(&out.node)) rename_in(t->buffer);
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
    return std::vector<Stmt>{std::move(out)};
  };
  return rewritten(rewritten(s, ExprChange(in_expression)), StmtChange(in_statement));
}

}  // namespace lockstep::kernel

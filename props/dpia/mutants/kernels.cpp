// Kernels altered by changes of their expressions and statements.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {

using namespace kernel;

KernelTransform on_expressions(const ExprChange& change) {
  return [change](const Program& p) {
    Program out = p;
    out.body = rewritten(p.body, change);
    return out;
  };
}
KernelTransform on_statements(const StmtChange& change) {
  return [change](const Program& p) {
    Program out = p;
    out.body = rewritten(p.body, change);
    return out;
  };
}
KernelTransform on_dealt_loops(const LoopChange& change) {
  return on_statements([change](const kernel::Stmt& s) {
    kernel::Stmt out = s;
    if (auto* p = std::get_if<kernel::ParallelFor>(&out.node); p && p->units) change(*p);
    return std::vector<kernel::Stmt>{std::move(out)};
  });
}

KernelTransform on_first_statement(const StmtChange& change) {
  return [change](const Program& p) {
    bool done = false;
    const StmtChange once = [&](const Stmt& s) -> std::vector<Stmt> {
      if (done) return {s};
      std::vector<Stmt> now = change(s);
      done = !(now.size() == 1 && now[0] == s);
      return now;
    };
    Program out = p;
    out.body = rewritten(p.body, once);
    return out;
  };
}

}  // namespace lockstep::props

// One function takes the children out and another puts one back, the rest is made of them.
#include "props/snesl/tree.h"

#include "props/engine/places.h"

namespace lockstep::props::stream {

using namespace snesl::surface;

namespace {

using Places = std::vector<ExprRef*>;

// The children of a copy that may be changed, in the order in which they are written.
Places places(Expr& e) {
  const auto all = [](std::vector<ExprRef>& items) {
    Places out;
    for (ExprRef& i : items) out.push_back(&i);
    return out;
  };
  return std::visit(Cases{[](Variable&) { return Places{}; }, [](Literal&) { return Places{}; },
                          [](TextLiteral&) { return Places{}; },
                          [](LetExpr& x) {
                            Places out;
                            for (Binding& b : x.bindings) out.push_back(&b.value);
                            out.push_back(&x.body);
                            return out;
                          },
                          [](IfExpr& x) {
                            return Places{&x.condition, &x.yes, &x.no};
                          },
                          [](SelectExpr& x) {
                            return Places{&x.condition, &x.yes, &x.no};
                          },
                          [](ComprehensionExpr& x) {
                            Places out{&x.body};
                            for (Binding& b : x.generators) out.push_back(&b.value);
                            if (x.condition) out.push_back(&*x.condition);
                            return out;
                          },
                          [](GuardedExpr& x) {
                            return Places{&x.body, &x.condition};
                          },
                          [&](SequenceExpr& x) { return all(x.items); }, [&](VectorExpr& x) { return all(x.items); },
                          [&](TupleExpr& x) { return all(x.items); }, [](ProjectExpr& x) { return Places{&x.tuple}; },
                          [](PrefixExpr& x) { return Places{&x.operand}; },
                          [](InfixExpr& x) {
                            return Places{&x.left, &x.right};
                          },
                          [](IndexExpr& x) {
                            return Places{&x.vector, &x.index};
                          },
                          [](AppendExpr& x) {
                            return Places{&x.left, &x.right};
                          },
                          [&](CallExpr& x) { return all(x.arguments); }},
                    e.node);
}

}  // namespace

std::vector<const Expr*> children(const Expr& e) {
  Expr copy = e;
  std::vector<const Expr*> out;
  for (const ExprRef* r : places(copy)) out.push_back(r->get());  // the trees themselves are shared with e
  return out;
}

Expr with_child(const Expr& e, std::size_t k, const Expr& child) {
  Expr copy = e;
  *places(copy).at(k) = ExprRef(child);
  return copy;
}

std::size_t node_count(const Expr& e) {
  std::size_t n = 1;
  for (const Expr* c : children(e)) n += node_count(*c);
  return n;
}

std::size_t node_count(const Program& p) {
  std::size_t n = 0;
  for (const Function& f : p.functions) n += node_count(*f.body);
  return n;
}

const Expr& subtree(const Expr& e, std::size_t k) {
  return subtree_at(e, k, children, [](const Expr& x) { return node_count(x); });
}

Expr replaced(const Expr& e, std::size_t k, const Expr& by) {
  return replaced_at(
      e, k, by, children, [](const Expr& x) { return node_count(x); }, with_child);
}

}  // namespace lockstep::props::stream

// What may stand in the place of a program that fails.
#include "props/snesl/shrink.h"

#include "props/snesl/tree.h"

namespace lockstep::props::stream {
namespace {

using namespace snesl::surface;

// A binding, a generator, a condition, an element less.
void fewer_parts(const Expr& e, std::vector<Expr>& out) {
  if (const auto* x = std::get_if<LetExpr>(&e.node)) {
    for (std::size_t k = 0; x->bindings.size() > 1 && k < x->bindings.size(); ++k)
      out.push_back({LetExpr{without(x->bindings, k), x->body}, {}});
    if (x->bindings.size() == 1)
      if (const auto* n = std::get_if<NamePattern>(&x->bindings[0].pattern.node))
        out.push_back(substituted<Variable>(*x->body, n->name, *x->bindings[0].value));
  }
  if (const auto* x = std::get_if<ComprehensionExpr>(&e.node)) {
    if (x->condition) out.push_back({ComprehensionExpr{x->body, x->generators, std::nullopt}, {}});
    for (std::size_t k = 0; x->generators.size() > 1 && k < x->generators.size(); ++k)
      out.push_back({ComprehensionExpr{x->body, without(x->generators, k), x->condition}, {}});
  }
  if (const auto* x = std::get_if<SequenceExpr>(&e.node))
    for (std::size_t k = 0; k < x->items.size(); ++k) out.push_back({SequenceExpr{without(x->items, k)}, {}});
  if (const auto* x = std::get_if<VectorExpr>(&e.node))
    for (std::size_t k = 0; k < x->items.size(); ++k) out.push_back({VectorExpr{without(x->items, k)}, {}});
  if (const auto* x = std::get_if<TupleExpr>(&e.node))
    for (std::size_t k = 0; x->items.size() > 2 && k < x->items.size(); ++k)
      out.push_back({TupleExpr{without(x->items, k)}, {}});
}

std::vector<Expr> simpler(const Expr& e) {
  std::vector<Expr> out = subtrees_below(e, 19);
  const bool compound = !out.empty();
  const auto literal = [](snesl::Atom a) { return Expr{Literal{a}, {}}; };
  const Expr zero = literal(snesl::int_atom(0)), one = literal(snesl::int_atom(1)), two = literal(snesl::int_atom(2));
  const Expr no = literal(snesl::bool_atom(false)), yes = literal(snesl::bool_atom(true));
  const auto* known = std::get_if<Literal>(&e.node);
  if (compound || known || std::holds_alternative<Variable>(e.node)) {
    if (compound || !known || known->atom.type == snesl::Prim::Int)
      for (const Expr& x : {zero, one, two}) out.push_back(x);
    if (compound || !known || known->atom.type == snesl::Prim::Bool)
      for (const Expr& x : {no, yes}) out.push_back(x);
    for (const double r : {0.0, 1.0}) out.push_back(literal(snesl::real_atom(r)));
    out.push_back(literal(snesl::char_atom('a')));
  }
  if (compound) {
    out.push_back({TupleExpr{}, {}});
    out.push_back({SequenceExpr{{zero}}, {}});
    out.push_back({PrefixExpr{Prefix::Iota, two}, {}});
    out.push_back({TextLiteral{"a"}, {}});
  }
  fewer_parts(e, out);
  return out;
}

std::size_t weight(const Expr& e) {
  if (const auto* l = std::get_if<Literal>(&e.node)) {
    if (l->atom.type == snesl::Prim::Real) return l->atom.ieee() == 0 ? 2 : l->atom.ieee() == 1 ? 3 : 9;
    const std::int64_t n = l->atom.integer;
    return n == 0 ? 1 : n > 0 && n < 3 ? 2 : 6;
  }
  if (std::holds_alternative<Variable>(e.node)) return 8;
  std::size_t n = 10;
  for (const Expr* c : children(e)) n += 10 + weight(*c);
  return n;
}
}  // namespace

std::size_t measure(const GeneratedProgram& g) {
  std::size_t n = 0;
  for (const Function& f : g.program.functions) n += weight(*f.body) + 15 + 4 * f.parameters.size();
  return n;
}

std::vector<GeneratedProgram> smaller_programs(const GeneratedProgram& g) {
  std::vector<GeneratedProgram> out;
  const auto changed = [&](std::size_t f, const auto& change) {
    GeneratedProgram q = g;
    change(q.program.functions[f]);
    out.push_back(std::move(q));
  };
  const std::size_t last = g.program.functions.size() - 1;
  for (std::size_t f = 0; f < last; ++f) {
    out.push_back(g);
    out.back().program.functions = without(g.program.functions, f);
  }
  for (std::size_t k = 0; k < g.program.functions[last].parameters.size(); ++k) {
    out.push_back(g);
    auto& parameters = out.back().program.functions[last].parameters;
    out.back().types.erase(parameters[k].name);
    parameters = without(parameters, k);
  }
  for (std::size_t f = 0; f <= last; ++f) {
    const Expr& body = *g.program.functions[f].body;
    for (std::size_t k = 0, all = node_count(body); k < all; ++k)
      for (const Expr& s : simpler(subtree(body, k)))
        changed(f, [&](Function& x) { x.body = ExprRef(replaced(body, k, s)); });
  }
  return out;
}

}  // namespace lockstep::props::stream

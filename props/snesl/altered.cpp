#include "props/snesl/altered.h"

#include <set>

#include "props/snesl/tree.h"

namespace lockstep::props::stream {
namespace {

using namespace snesl::surface;
using snesl::Prim, snesl::Type;

Type changed(const Type& t, Random& r) {
  static const std::vector<Prim> prims = {Prim::Int, Prim::Real, Prim::Bool, Prim::Char};
  if (const auto* s = snesl::as<snesl::SequenceType>(t)) {
    const auto element = [&] { return *s->element; };
    const auto of_sequences = [&] { return snesl::sequence_of(t); };
    const auto of_others = [&] { return snesl::sequence_of(changed(*s->element, r)); };
    return r.one_of(Way{1, element}, Way{1, of_sequences}, Way{2, of_others});
  }
  if (const auto* v = snesl::as<snesl::VectorType>(t))
    return r.percent(50) ? snesl::sequence_of(*v->element) : *v->element;
  if (const auto* x = snesl::as<snesl::TupleType>(t); x && !x->items.empty())
    return {snesl::TupleType{{x->items.rbegin(), x->items.rend()}}};
  return r.percent(80) ? snesl::prim(r.among(prims)) : snesl::sequence_of(t);
}

void collect_names(const Expr& e, std::set<std::string>& into) {
  if (const auto* x = std::get_if<Variable>(&e.node)) into.insert(x->name);
  for (const Expr* c : children(e)) collect_names(*c, into);
}

std::vector<ExprRef> exchanged(std::vector<ExprRef> all) {
  if (all.size() > 1) std::swap(all.front(), all.back());
  return all;
}

snesl::Atom changed(const snesl::Atom& a, Random& r) {
  switch (a.type) {
    case Prim::Int:
      return r.percent(60) ? snesl::int_atom(a.integer + 1) : snesl::real_atom(1.5);
    case Prim::Bool:
      return r.percent(60) ? snesl::bool_atom(a.integer == 0) : snesl::int_atom(1);
    case Prim::Real:
      return r.percent(60) ? snesl::real_atom(-0.5) : snesl::int_atom(2);
    case Prim::Char:
      return r.percent(60) ? snesl::char_atom('\n') : snesl::bool_atom(true);
    case Prim::Unit:
      return snesl::int_atom(0);
  }
  throw Bug("a literal of no type");
}

// What may stand there in its place; e itself where this change has nothing to change.
Expr changed(const Expr& e, const std::vector<std::string>& names, Random& r) {
  static const std::vector<Infix> infixes = {Infix::OpOr, Infix::Eq,  Infix::Le,  Infix::BitXor,
                                             Infix::Add,  Infix::Mul, Infix::Mod, Infix::Shr};
  static const std::vector<Prefix> prefixes = {Prefix::Length, Prefix::Negate, Prefix::Not};
  static const std::vector<std::string> functions = {"sum",  "tab",  "seq",   "scan",   "concat",
                                                     "real", "part", "empty", "nothing"};
  const auto made = [](auto node) { return Expr{std::move(node), {}}; };
  return match(
      e.node, [&](const Variable&) { return made(Variable{r.percent(90) ? r.among(names) : "nobody"}); },
      [&](const Literal& x) { return made(Literal{changed(x.atom, r)}); },
      [&](const TextLiteral&) { return made(Literal{snesl::char_atom('t')}); },
      [&](const LetExpr& x) { return r.percent(50) ? *x.body : *x.bindings.front().value; },
      [&](const IfExpr& x) {
        return made(IfExpr{x.condition, x.no, x.yes});
      },
      [&](const SelectExpr& x) {
        return r.percent(50) ? made(SelectExpr{x.condition, x.no, x.yes}) : made(IfExpr{x.condition, x.yes, x.no});
      },
      [&](const ComprehensionExpr& x) {
        if (x.condition && r.percent(50)) return made(ComprehensionExpr{x.body, x.generators, {}});
        if (x.generators.size() > 1 && r.percent(50))
          return made(ComprehensionExpr{x.body, {x.generators.front()}, x.condition});
        return r.percent(50) ? *x.body : *x.generators.front().value;
      },
      [&](const GuardedExpr& x) { return *x.body; },
      [&](const SequenceExpr& x) {
        return r.percent(50) ? made(VectorExpr{x.items}) : made(SequenceExpr{exchanged(x.items)});
      },
      [&](const VectorExpr& x) { return made(SequenceExpr{x.items}); },
      [&](const TupleExpr& x) { return made(TupleExpr{exchanged(x.items)}); },
      [&](const ProjectExpr& x) {
        return made(ProjectExpr{x.tuple, r.percent(50) ? x.index + 1 : 1});
      },
      [&](const PrefixExpr& x) {
        return x.op != Prefix::Iota && r.percent(50) ? made(PrefixExpr{r.among(prefixes), x.operand}) : *x.operand;
      },
      [&](const InfixExpr& x) {
        return r.percent(50) ? made(InfixExpr{x.op, x.right, x.left})
                             : made(InfixExpr{r.among(infixes), x.left, x.right});
      },
      [&](const IndexExpr& x) {
        return r.percent(50) ? *x.vector : made(IndexExpr{x.index, x.vector});
      },
      [&](const AppendExpr& x) {
        return r.percent(70) ? made(AppendExpr{x.right, x.left}) : *x.left;
      },
      [&](const CallExpr& x) {
        if (r.percent(30)) return made(CallExpr{r.among(functions), x.arguments});
        if (x.arguments.size() > 1 && r.percent(60)) return made(CallExpr{x.function, exchanged(x.arguments)});
        if (x.arguments.empty()) return made(CallExpr{x.function, {made(Literal{snesl::int_atom(1)})}});
        return made(CallExpr{x.function, without(x.arguments, x.arguments.size() - 1)});
      });
}

// &x is &(x & 7) but where x is a number or a length.
Expr small_counts(Expr e) {
  each_child(e, [](ExprRef& c) { c = small_counts(*c); });
  auto* x = std::get_if<PrefixExpr>(&e.node);
  if (!x || x->op != Prefix::Iota) return e;
  const auto* inner = std::get_if<PrefixExpr>(&x->operand->node);
  if (std::holds_alternative<Literal>(x->operand->node) || (inner && inner->op == Prefix::Length)) return e;
  x->operand = Expr{InfixExpr{Infix::BitAnd, *x->operand, Expr{Literal{snesl::int_atom(7)}, {}}}, {}};
  return e;
}

void change_one(GeneratedProgram& p, Random& r) {
  if (!p.types.empty() && r.percent(20)) {
    auto at = p.types.begin();
    std::advance(at, r.below(static_cast<int>(p.types.size())));
    at->second = changed(at->second, r);
    return;
  }
  Function& f = p.program.functions[static_cast<std::size_t>(r.below(static_cast<int>(p.program.functions.size())))];
  std::set<std::string> all{"nobody"};
  for (const Function& g : p.program.functions) {
    for (const Parameter& x : g.parameters) all.insert(x.name);
    collect_names(*g.body, all);
  }
  const std::vector<std::string> names(all.begin(), all.end());
  for (int tries = 0; tries < 40; ++tries) {
    const auto k = static_cast<std::size_t>(r.below(static_cast<int>(props::node_count(*f.body))));
    const Expr before = subtree(*f.body, k), after = changed(before, names, r);
    if (after == before) continue;
    f.body = replaced(*f.body, k, after);
    return;
  }
}

}  // namespace

GeneratedProgram altered(GeneratedProgram p, std::uint64_t seed) {
  Random r(seed);
  change_one(p, r);
  for (Function& f : p.program.functions) f.body = small_counts(*f.body);
  return p;
}

}  // namespace lockstep::props::stream

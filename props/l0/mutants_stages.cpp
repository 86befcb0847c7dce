// What stages give, made wrong.
#include <algorithm>

#include "props/l0/mutants.h"
#include "semantics/l0/check.h"
#include "semantics/l0/walk.h"

namespace lockstep::props::l0 {
namespace {

using namespace lockstep::l0;

using Change = std::function<Expr(Expr)>;  // of one node, after what is in it

Expr changed(const Expr& e, const Change& change) {
  Expr out = e;
  each_child(out, [&](ExprRef& c) { c = changed(*c, change); });
  return change(std::move(out));
}

// The program after a stage, changed; those after it are made of it no more.
Mutant mutant(std::string name, std::string stage, std::string description, const Change& change,
              std::vector<std::string> directed = {}) {
  const auto trace = [stage, change](const Entry& e, FusionMode mode) {
    Trace out = trace_of(e, mode);
    for (Step& s : out.steps) {
      if (s.name != stage) continue;
      Entry wrong = s.program.as<Entry>();
      for (Function& f : wrong.program.functions) f.body = changed(*f.body, change);
      if (auto again = typed(wrong.program)) wrong.program = std::move(*again);
      s.program = AnyProgram(s.program.language_ref(), std::move(wrong));
    }
    return out;
  };
  return {std::move(name), "stages", std::move(description), {trace}, std::move(directed)};
}

template <class Node, class F>
Change of(const F& f) {
  return [f](Expr e) {
    if (auto* node = std::get_if<Node>(&e.node)) f(*node, e);
    return e;
  };
}
Change of_built_in(BuiltIn op, const std::function<void(BuiltInExpr&, Expr&)>& f) {
  return of<BuiltInExpr>([op, f](BuiltInExpr& b, Expr& e) {
    if (b.op == op) f(b, e);
  });
}
Change of_soac(Soac op, const std::function<void(SoacExpr&)>& f) {
  return of<SoacExpr>([op, f](SoacExpr& s, Expr&) {
    if (s.op == op) f(s);
  });
}
void exchange_inputs(SoacExpr& s) {
  const std::size_t n = s.arguments.size();
  if (n >= s.starts.value + 2) std::swap(s.arguments[n - 1], s.arguments[n - 2]);
}
Lambda* function_of(SoacExpr& s) { return std::get_if<Lambda>(&s.functions.back().node); }

// Operations, branches, rounds, checks.
std::vector<Mutant> control_mutants() {
  const auto no_check =
      of_built_in(BuiltIn::AssertZip, [](BuiltInExpr&, Expr& e) { e.node = Literal{make_bool(true)}; });
  const auto exchanged_operands = of<InfixExpr>([](InfixExpr& i, Expr&) {
    if (i.op == Infix::Sub || i.op == Infix::Lt || i.op == Infix::Div) std::swap(i.left, i.right);
  });
  const auto exchanged_branches = of<IfExpr>([](IfExpr& i, Expr&) { std::swap(i.yes, i.no); });
  const auto first_forgotten = of<BlockExpr>([](BlockExpr& b, Expr& e) {
    if (b.bindings.size() > 1)
      b.bindings.pop_back();
    else
      e = Expr(*b.result);
  });
  const auto update_elsewhere = of<BlockExpr>([](BlockExpr& b, Expr&) {
    for (Binding& x : b.bindings)
      if (auto* u = std::get_if<UpdateBinding>(&x.node)) u->value = u->indices[0];
  });
  const auto round_less = of<BlockExpr>([](BlockExpr& b, Expr&) {
    for (Binding& x : b.bindings)
      if (auto* l = std::get_if<LoopBinding>(&x.node))
        l->bound = Expr{InfixExpr{Infix::Sub, l->bound, Expr{Literal{make_integer(ScalarType::I64, 1)}}}};
  });
  const std::vector<std::string> unequal{"fun int main() = size(zip(iota(2), iota(3)))"};
  return {
      mutant("no assertZip", "tuples", "zip's check of lengths is lost", no_check, unequal),
      mutant("no assertZip after fusion", "fuse", "... in fusion", no_check, unequal),
      mutant("no assertZip in the end", "hindrances", "... as known, where it is not", no_check),
      mutant("operands exchanged", "normalise", "a - b is b - a", exchanged_operands),
      mutant("operands exchanged in fusion", "fuse", "a - b is b - a", exchanged_operands),
      mutant("branches exchanged", "inline", "if c then e else t", exchanged_branches),
      mutant("filters pass what they stop", "fuse", "if c(u) then acc else g(acc, u)", exchanged_branches),
      mutant("a binding is lost", "simplify", "the last of a block", first_forgotten),
      mutant("a check is dead", "simplify", "a binding that traps is taken for dead",
             of<BlockExpr>([](BlockExpr& b, Expr&) {
               std::erase_if(b.bindings, [&](const Binding& x) {
                 const auto* l = std::get_if<LetBinding>(&x.node);
                 const auto* n = l ? std::get_if<NamePattern>(&l->pattern.node) : nullptr;
                 return n && n->name.substr(0, 1) == "d" && as<BuiltInExpr>(*l->value);
               });
             }),
             unequal),
      mutant("another value is put", "normalise", "an update writes its index", update_elsewhere),
      mutant("a round less", "inline", "loops end before the last round", round_less),
  };
}

// Array operations.
std::vector<Mutant> array_mutants() {
  const auto accumulator_and_element = [](SoacExpr& s) {
    if (Lambda* f = function_of(s); f && f->parameters.size() == 2)
      std::swap(f->parameters[0].name, f->parameters[1].name);
  };
  const auto start_zero = [](SoacExpr& s) {
    if (is(s.arguments[0]->type.value, ScalarType::I64))
      s.arguments[0] = Expr{Literal{make_integer(ScalarType::I64, 0)}};
    else if (is(s.arguments[0]->type.value, ScalarType::F64))
      s.arguments[0] = Expr{Literal{make_ieee(ScalarType::F64, 0)}};
  };
  const auto all_pass = [](SoacExpr& s) {
    if (Lambda* f = function_of(s)) f->body = Expr{Literal{make_bool(true)}};
  };
  return {
      mutant("accumulator and element exchanged", "inline", "f(x, acc)",
             of_soac(Soac::Reduce2, accumulator_and_element)),
      mutant("accumulator and element exchanged in redomap", "fuse", "g(x, acc)",
             of_soac(Soac::Redomap2, accumulator_and_element)),
      mutant("scans the other way", "inline", "f(x, acc) of a scan", of_soac(Soac::Scan2, accumulator_and_element)),
      mutant("inputs of a map exchanged", "fuse", "J and I in the wrong order", of_soac(Soac::Map2, exchange_inputs)),
      mutant("inputs of a filter exchanged", "normalise", "outputs of others", of_soac(Soac::Filter2, exchange_inputs)),
      mutant("inputs of a redomap exchanged", "fuse", "J and I in the wrong order",
             of_soac(Soac::Redomap2, exchange_inputs)),
      mutant("starts from nothing", "fuse", "the start of a reduction is lost", of_soac(Soac::Redomap2, start_zero)),
      mutant("scans from nothing", "tuples", "the start of a scan is lost", of_soac(Soac::Scan2, start_zero)),
      mutant("a filter is none", "fuse", "all elements pass", of_soac(Soac::Filter2, all_pass)),
      mutant("a copy less", "normalise", "what is consumed is others'",
             of_built_in(BuiltIn::Copy, [](BuiltInExpr& b, Expr& e) { e = Expr(*b.arguments[0]); }),
             {"fun ([int], [int]) main() = let a = iota(2) in let b = copy(a) in let b[0] = 5 in (a, b)"}),
      mutant("a copy too many", "fuse", "copies are replicated once more",
             of_built_in(BuiltIn::Replicate,
                         [](BuiltInExpr& b, Expr&) {
                           b.arguments[0] = Expr{
                               InfixExpr{Infix::Add, b.arguments[0], Expr{Literal{make_integer(ScalarType::I64, 1)}}}};
                         })),
      mutant("parts exchanged", "normalise", "split gives the rest first", of<BlockExpr>([](BlockExpr& b, Expr&) {
               for (Binding& x : b.bindings)
                 if (auto* l = std::get_if<LetBinding>(&x.node))
                   if (const auto* s = as<BuiltInExpr>(*l->value); s && s->op == BuiltIn::Split)
                     if (auto* t = std::get_if<TuplePattern>(&l->pattern.node)) std::swap(t->items[0], t->items[1]);
             })),
      mutant("one array behind the other", "tuples", "concat(b, a)",
             of_built_in(BuiltIn::Concat, [](BuiltInExpr& b, Expr&) { std::swap(b.arguments[0], b.arguments[1]); })),
      mutant("rows are columns", "simplify", "a transpose is lost",
             of_built_in(BuiltIn::Transpose, [](BuiltInExpr& b, Expr& e) { e = Expr(*b.arguments[0]); })),
      mutant("lengths of another array", "hindrances", "size(x) is one more", of<BlockExpr>([](BlockExpr& b, Expr&) {
               for (Binding& x : b.bindings)
                 if (auto* l = std::get_if<LetBinding>(&x.node))
                   if (const auto* s = as<BuiltInExpr>(*l->value); s && s->op == BuiltIn::Size)
                     l->value = Expr{Literal{make_integer(ScalarType::I64, 3)}};
             })),
      mutant("numbers from one", "fuse", "iota(n) is a number longer",
             of_built_in(BuiltIn::Iota,
                         [](BuiltInExpr& b, Expr&) {
                           b.arguments[0] = Expr{
                               InfixExpr{Infix::Add, b.arguments[0], Expr{Literal{make_integer(ScalarType::I64, 1)}}}};
                         })),
  };
}

}  // namespace

std::vector<Mutant> stage_mutants() {
  std::vector<Mutant> all = control_mutants();
  for (Mutant& m : array_mutants()) all.push_back(std::move(m));
  return all;
}

}  // namespace lockstep::props::l0

// Work done twice, temporaries that no clause introduces, and cost rules that lie: found by the cost relation.
#include "props/dpia/cost_relation.h"
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"

namespace lockstep::props {
namespace {

// Both translations of a loop write the result twice.
void twice(Loop& l) {
  l.acceptor = [old = l.acceptor](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
    return seq({old(t, e, a), old(t, e, a)});
  };
}
// A[E](A) by way of a temporary.
void through_a_temporary(Loop& l) {
  l.acceptor = [old = l.acceptor](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
    return new_variable(Space::Auto, data_of(*a), t.fresh("tmp"), [&](const PhraseRef& v) {
      return seq({old(t, e, proj(1, v)), t.assign(a, proj(2, v))});
    });
  };
}
// What is computed for it is given to a function of memory by name.
void by_name(Loop& l) {
  l.acceptor = [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
    return t.continuation(e.arguments[1], [&](const PhraseRef& x) {
      return new_variable(Space::Global, e.types[1], t.fresh("tmp"), [&](const PhraseRef& v) {
        return seq({t.acceptor(apply(e.arguments[0], x), proj(1, v)), t.assign(a, proj(2, v))});
      });
    });
  };
}
MakeCalculus with_cost(const char* name, std::function<Cost(const Instance&, const std::vector<Cost>&)> cost) {
  return altered<Loop>(name, [cost](Loop& l) { l.cost = cost; });
}
// One call is all calls.
Cost of_one_call(const Instance&, const std::vector<Cost>& f) { return {f[0].work + Size(1), f[0].depth + Size(1), 0}; }

PhraseRef let_by_name(const PhraseRef& p) {
  const auto* x = as<LetPhrase>(*p);
  if (!x) return p;
  std::set<std::string> used;
  collect_free(*x->body, used);
  return used.contains(x->name) ? substitute(x->body, {{x->name, x->value}}) : p;
}

PhraseRef assigned_twice(const PhraseRef& p) { return use_of<imp::Assign>(*p) ? seq(p, p) : p; }

PhraseRef with_unused_variable(const PhraseRef& p) {
  const auto* x = use_of<imp::Assign>(*p);
  if (!x) return p;
  return new_variable(Space::Auto, array(7, x->types[0]), "unused", [&](const PhraseRef&) { return p; });
}

std::vector<kernel::Stmt> stores_twice(const kernel::Stmt& s) {
  if (std::holds_alternative<kernel::Store>(s.node)) return {s, s};
  return {s};
}

std::vector<kernel::Stmt> allocated_twice(const kernel::Stmt& s) {
  const auto* a = std::get_if<kernel::Allocate>(&s.node);
  if (!a) return {s};
  kernel::Allocate again = *a;
  again.name += "_again";
  return {s, kernel::Stmt{std::move(again)}};
}
std::vector<kernel::Stmt> checked_twice(const kernel::Stmt& s) {
  if (std::holds_alternative<kernel::Check>(s.node)) return {s, s};
  return {s};
}

// The cost of a kernel is that of another.
Toolchain with_cost_of(const KernelTransform& change) {
  return with_kernels([change](Language& l) {
    l.cost = [change, right = l.cost](const AnyProgram& p) {
      return right(AnyProgram(p.language_ref(), change(p.as<kernel::Program>())));
    };
  });
}
std::vector<kernel::Stmt> loops_once(const kernel::Stmt& s) {
  const auto* f = std::get_if<kernel::For>(&s.node);
  if (!f) return {s};
  return {kernel::Stmt{kernel::For{f->name, kernel::constant(1), f->body, f->unroll}}};
}
std::vector<kernel::Stmt> without_else(const kernel::Stmt& s) {
  const auto* i = std::get_if<kernel::If>(&s.node);
  if (!i) return {s};
  return {kernel::Stmt{kernel::If{i->condition, i->otherwise, i->otherwise}}};
}
std::vector<kernel::Stmt> without_scratch(const kernel::Stmt& s) {
  if (std::holds_alternative<kernel::Allocate>(s.node)) return {};
  const auto* p = std::get_if<kernel::ParallelFor>(&s.node);
  if (!p) return {s};
  return {kernel::Stmt{kernel::ParallelFor{p->level, p->name, p->extent, {}, p->body}}};
}
kernel::Expr as_scalar_load(const kernel::Expr& e) {
  const auto* v = std::get_if<kernel::VectorLoad>(&e.node);
  if (!v) return e;
  const kernel::KType scalar{e.type.scalar, 1};
  return {e.type, kernel::Splat{v->width, kernel::Expr{scalar, kernel::Load{v->buffer, v->index}}}};
}
kernel::Expr operands_only(const kernel::Expr& e) {
  const auto* a = std::get_if<kernel::Apply>(&e.node);
  return a && a->arguments.size() == 1 ? *a->arguments[0] : e;
}

void lying_rules(std::vector<Mutant>& all) {
  const auto rule = [&](const char* name, const char* description, const char* primitive, const char* program) {
    Mutant m{name, "cost", description, with_cost(primitive, of_one_call)};
    m.directed = {{program}};
    all.push_back(std::move(m));
  };
  rule("map-rule", "map costs what one call costs", "map",
       "fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * x + 3) xs\n");
  rule("generate-rule", "generate costs what one call costs", "generate",
       "fun main [n] : [n]i64 = generate n (\\i -> i64 i * 5 + 1)\n");
  rule("reduce-rule", "reduce costs what one call costs", "reduce",
       "fun main [n] (xs : [n]i32) : i32 = reduce (\\x a -> x * x + a) 0 xs\n");
  rule("scan-rule", "scan costs what one call costs", "scan",
       "fun main [n] (xs : [n]i32) : [n]i32 = scan (\\x a -> x * x + a) 0 xs\n");
  rule("iterate-rule", "iterate costs what one call costs", "iterate",
       "fun main (x : i32) : i32 = iterate 9 (\\y -> y * 3 + 1) x\n");
  const auto model = [&](const char* name, const char* description, const KernelTransform& change,
                         std::vector<DirectedProgram> directed = {}) {
    Mutant m{name, "cost", description};
    m.tools = with_cost_of(change);
    m.directed = std::move(directed);
    all.push_back(std::move(m));
  };
  model("kernel-loops", "the kernel's cost counts a loop's body once", on_statements(loops_once));
  model("kernel-branches", "the kernel's cost forgets the branch that is taken", on_statements(without_else));
  model("kernel-space", "the kernel's cost forgets what is allocated", on_statements(without_scratch));
  model("kernel-vectors", "the kernel's cost counts a vector load as a scalar's", on_expressions(as_scalar_load));
  model("kernel-unary", "the kernel's cost forgets operators of one operand", on_expressions(operands_only));
  const auto said = [&](const char* name, const char* description, const std::function<void(Cost&)>& lie) {
    Mutant m{name, "cost", description};
    m.tools = with_kernels([lie](Language& l) {
      l.cost = [lie, right = l.cost](const AnyProgram& p) {
        Cost c = right(p);
        lie(c);
        return c;
      };
    });
    all.push_back(std::move(m));
  };
  said("kernel-depth", "the kernel's cost says that everything runs side by side", [](Cost& c) { c.depth = 1; });
  said("kernel-overstates", "the kernel's cost says one operation too many",
       [](Cost& c) { c.work = c.work + Size(1); });
  Mutant imperative{"imperative-work", "cost", "the imperative cost of everything is 1"};
  imperative.tools = with_imperative([](Language& l) {
    l.cost = [right = l.cost](const AnyProgram& p) {
      Cost c = right(p);
      c.work = 1;
      return c;
    };
  });
  all.push_back(std::move(imperative));
  Mutant depth{"hoist-depth", "cost", "hoisting makes the program a step deeper"};
  depth.tools = with_imperative([](Language& l) {
    l.cost = [right = l.cost](const AnyProgram& p) {
      Cost c = right(p);
      bool hoisted = false;
      const std::function<void(const Phrase&)> look = [&](const Phrase& q) {
        const auto* x = as<ImpPhrase>(q);
        const auto* v = x ? as<imp::New>(*x) : nullptr;
        hoisted = hoisted || (v && v->space != Space::Auto);
        for_each_child(q, [&](const PhraseRef& r) { look(*r); });
      };
      look(*p.as<PhraseProgram>().body);
      if (hoisted) c.depth = c.depth + Size(1);
      return c;
    };
  });
  all.push_back(std::move(depth));
}

}  // namespace

void cost_mutants(std::vector<Mutant>& all) {
  const auto calculus = planting<&Mutant::calculus>(all, "cost");
  const auto stage = planting<&Mutant::tools>(all, "cost");
  calculus("map-twice", "map computes and writes every element twice", altered<Loop>("mapSeq", twice),
           {{"fun main [n] (xs : [n]i32) : [n]i32 = mapSeq (\\x -> x + 1) xs\n"}});
  calculus("generate-twice", "generate computes and writes every element twice", altered<Loop>("generate", twice));
  calculus("array-twice", "a literal array is written twice", altered<Loop>("array", twice));
  calculus("map-temporary", "map writes a temporary and copies it", altered<Loop>("mapSeq", through_a_temporary),
           {{"fun main [n] (xs : [n]i32) : [n]i32 = mapSeq (\\x -> x) xs\n"}});
  calculus("scan-temporary", "scan writes a temporary and copies it", altered<Loop>("scan", through_a_temporary));
  calculus("memory-by-name", "what toGlobal's function is given is computed at every use",
           altered<Loop>("toGlobal", by_name),
           {{"fun main [n] (x : f32) (xs : [n]f32) : [n]f32 = toGlobal (\\y -> map (\\z -> y + z) xs) (x * 3.0)\n"}});
  stage("unused-temporary", "every assignment has a variable that nobody uses",
        tools_with("translate", on_phrases(with_unused_variable)));
  stage("let-by-name", "what a let binds is computed at every use", tools_with("strategies", on_phrases(let_by_name)));
  stage("assigned-twice", "every assignment is made twice", tools_with("loops", on_phrases(assigned_twice)));
  stage("stored-twice", "every store is made twice", tools_with("in-place", on_statements(stores_twice)));
  stage("copied-twice", "the loops stage makes every assignment twice, of nothing but copies",
        tools_with("loops", on_phrases(assigned_twice)),
        {{"fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x) xs\n"}});
  stage("allocated-twice", "the in-place stage allocates every buffer twice",
        tools_with("in-place", on_statements(allocated_twice)));
  stage("checked-twice", "the in-place stage makes every check twice",
        tools_with("in-place", on_statements(checked_twice)),
        {{"fun main [n] : [n]i32 = map (\\x -> x) (gather (map (\\i -> i) (iota n)) (replicate n 3))\n"}});
  lying_rules(all);
}

}  // namespace lockstep::props

// Costs that lie: rules of loops, and what a language says of a program. Found by the cost relation.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"

namespace lockstep::props {
namespace {

MakeCalculus with_cost(const char* name, const std::function<Cost(SourceCosts&, const PrimPhrase&, bool)>& cost) {
  return altered<Loop>(name, [cost](Loop& l) { l.cost = cost; });
}
// One call is all calls.
Cost of_one_call(SourceCosts& costs, const PrimPhrase& e, bool) { return costs.call(e.arguments[0]); }

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
  return {kernel::Stmt{kernel::ParallelFor{p->level, p->name, p->extent, {}, p->body, p->units}}};
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

bool has(const Phrase& p, const std::function<bool(const Phrase&)>& what) {
  bool found = what(p);
  for_each_child(p, [&](const PhraseRef& c) { found = found || has(*c, what); });
  return found;
}
// What a language says of a program's cost, altered by who sees the program.
template <class Program>
LanguageChange saying(const std::function<void(Cost&, const Program&)>& lie) {
  return [lie](Language& l) {
    l.cost = [lie, right = l.cost](const AnyProgram& p) {
      Cost c = right(p);
      lie(c, p.as<Program>());
      return c;
    };
  };
}
bool has_levels(const Phrase& p) {
  return has(p, [](const Phrase& q) {
    const auto* x = as<PrimPhrase>(q);
    return x && is_parallel(level_of(*x));
  });
}
bool has_loops_only(const Phrase& p) {
  return !has(p, [](const Phrase& q) {
    const auto* x = as<ImpPhrase>(q);
    return x && (as<imp::MapI>(*x) || as<imp::ReduceI>(*x) || as<imp::ScanI>(*x) || as<imp::IterateI>(*x) ||
                 as<imp::WhileI>(*x));
  });
}
// A name in the place of what gather gives.
PhraseRef before_gather(const PhraseRef& p) {
  const auto* x = as<PrimPhrase>(*p);
  return x && x->primitive->name == "gather" ? ident("gathered", p->type) : p;
}
// A loop that is stripped of what one of its parts costs.
MakeCalculus without(const char* name, const std::function<Cost(SourceCosts&, const PrimPhrase&)>& part) {
  return altered<Loop>(name, [part](Loop& l) {
    const std::function<Cost(SourceCosts&, const PrimPhrase&, bool)> right = l.cost;
    l.cost = [part, right](SourceCosts& costs, const PrimPhrase& e, bool to_acceptor) {
      const Cost all = right(costs, e, to_acceptor), less = part(costs, e);
      return Cost{all.work - less.work, all.depth - less.depth, all.space};
    };
  });
}

void lies_of_the_source(std::vector<Mutant>& all) {
  const auto calculus = planting<&Mutant::calculus>(all, "cost");
  const auto tools = planting<&Mutant::tools>(all, "cost");
  const DirectedProgram gather{"fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x) (gather (iota n) xs)\n"};
  calculus("source-while", "the source's cost leaves out the condition of `while`",
           without("while", [](SourceCosts& costs, const PrimPhrase& e) { return costs.call(e.arguments[0]); }),
           {{"fun main (x : i32) : i32 = while (\\y -> y * y < 99) (\\y -> y + 7) 1\n"}});
  calculus("source-permute", "the source's cost leaves out what permute stores",
           without("permute",
                   [](SourceCosts&, const PrimPhrase& e) {
                     return Cost{e.sizes[1], e.sizes[1], 0};
                   }),
           {{"fun main [n] (xs : [n]i32) : [n]i32 = permute (+) (replicate n 0) (iota n) xs\n"}});
  calculus("source-check", "the source's cost leaves out gather's check",
           altered<View>("gather",
                         [](View& v) { v.check_cost = [](SourceCosts&, const PrimPhrase&) {
                                         return Cost{0, 0, 0};
                                       }; }),
           {gather});
  tools("source-gather", "the source's cost takes what gather gives for free", with_functional([](Language& l) {
          l.cost = [right = l.cost](const AnyProgram& p) {
            PhraseProgram other = p.as<PhraseProgram>();
            other.body = rewritten(other.body, before_gather);
            return right(AnyProgram(p.language_ref(), other));
          };
        }),
        {gather});
  tools("source-depth", "the source's cost says that everything runs side by side",
        with_functional(saying<PhraseProgram>([](Cost& c, const PhraseProgram&) { c.depth = 1; })));
  tools("source-space", "the source's cost forgets what is stored",
        with_functional(saying<PhraseProgram>([](Cost& c, const PhraseProgram&) { c.space = 0; })));
  tools("strategies-work", "the cost of a program with levels says an operation more",
        with_functional(saying<PhraseProgram>([](Cost& c, const PhraseProgram& p) {
          if (has_levels(*p.body)) c.work = c.work + Size(1);
        })));
  tools("loops-depth", "the cost of a program of loops says ten times its depth",
        with_imperative(saying<PhraseProgram>([](Cost& c, const PhraseProgram& p) {
          if (has_loops_only(*p.body)) c.depth = c.depth * Size(10);
        })),
        {{"fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x) xs\n"}});
  tools("kernel-overstates-depth", "the kernel's cost says ten times its depth",
        with_kernels(saying<kernel::Program>([](Cost& c, const kernel::Program&) { c.depth = c.depth * Size(10); })));
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
  model("kernel-loops", "the kernel's cost counts a loop's body once", on_statements(loops_once),
        {{"fun main (xs : [5]i32) : [5]i32 = mapSeq (\\x -> x * x + 3) xs\n"}});
  model("kernel-branches", "the kernel's cost forgets the branch that is taken", on_statements(without_else));
  model("kernel-space", "the kernel's cost forgets what is allocated", on_statements(without_scratch));
  model("kernel-vectors", "the kernel's cost counts a vector load as a scalar's", on_expressions(as_scalar_load));
  model("kernel-unary", "the kernel's cost forgets operators of one operand", on_expressions(operands_only));
  const auto said = [&](const char* name, const char* description, const std::function<void(Cost&)>& lie,
                        std::vector<DirectedProgram> directed = {}) {
    Mutant m{name, "cost", description};
    m.directed = std::move(directed);
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
  said("kernel-overstates", "the kernel's cost says one operation too many", [](Cost& c) { c.work = c.work + Size(1); },
       {{"fun main [n] (xs : [n]i32) : [n]i32 = mapSeq (\\x -> x * x) xs\n"}});
  Mutant imperative{"imperative-work", "cost", "the imperative cost of everything is 1"};
  imperative.tools = with_imperative([](Language& l) {
    l.cost = [right = l.cost](const AnyProgram& p) {
      Cost c = right(p);
      c.work = 1;
      return c;
    };
  });
  // Operators are counted before the kernel's cost is compared.
  imperative.directed = {{"fun main [n] (xs : [n+2]i32) : [n+2]i32 = map (\\x -> x * 3 + 1) xs\n"}};
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

void said_cost_mutants(std::vector<Mutant>& all) {
  lying_rules(all);
  lies_of_the_source(all);
}

}  // namespace lockstep::props

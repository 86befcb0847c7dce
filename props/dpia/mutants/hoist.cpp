// Hoisting and allocation: not multiplied, by the wrong extent, out of where each thread has its own (§6.4).
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"

namespace lockstep::props {
namespace {

using Types = std::map<std::string, Type>;  // of variables, by their names

void collect_variables(const Phrase& p, Types& into) {
  if (const auto* x = use_of<imp::New>(p))
    if (const auto* l = as<LambdaPhrase>(*x->arguments[0])) into.insert_or_assign(l->name, x->types[0]);
  for_each_child(p, [&](const PhraseRef& c) { collect_variables(*c, into); });
}

// The extents by which hoisting multiplied.
std::map<std::string, Size> multiplied(const PhraseProgram& before, const PhraseProgram& after) {
  Types old, now;
  collect_variables(*before.body, old);
  collect_variables(*after.body, now);
  std::map<std::string, Size> out;
  for (const auto& [name, type] : now) {
    const auto* a = as<ArrayType>(type);
    const auto was = old.find(name);
    if (a && was != old.end() && !(type == was->second)) out.insert_or_assign(name, a->length);
  }
  return out;
}

const std::string* variable_of(const Phrase& p) {
  const auto* x = as<ProjPhrase>(p);
  const auto* v = x ? as<Ident>(*x->phrase) : nullptr;
  return v ? &v->name : nullptr;
}

// Every iteration uses element 0.
PhraseProgram not_multiplied(const PhraseProgram& p, const PhraseProgram& before, Machine) {
  const auto grown = multiplied(before, p);
  const auto first_of = [&](const Phrase& array, const PhraseRef& index) -> PhraseRef {
    const std::string* v = variable_of(array);
    const auto it = v ? grown.find(*v) : grown.end();
    return it == grown.end() ? index : index_at(0, it->second);
  };
  PhraseProgram out = p;
  out.body = rewritten(p.body, [&](const PhraseRef& q) -> PhraseRef {
    if (const auto* x = use_of<imp::IdxAcc>(*q))
      return idx_acc(x->arguments[0], first_of(*x->arguments[0], x->arguments[1]));
    if (const auto* x = as<PrimPhrase>(*q); x && x->acceptor < 0 && x->primitive->name == "idx")
      return idx_of(x->primitive, x->arguments[0], first_of(*x->arguments[0], x->arguments[1]));
    return q;
  });
  return out;
}

// One thing too much: an array that nobody uses.
PhraseProgram hoisted_twice(const PhraseProgram& p, const PhraseProgram& before, Machine) {
  PhraseProgram out = p;
  Types now;
  collect_variables(*p.body, now);
  for (const auto& [name, extent] : multiplied(before, p))
    out.body = new_variable(Space::Global, now.at(name), name + "_again", [&](const PhraseRef&) { return out.body; });
  return out;
}

// On the CPU: what each thread has of its own leaves the parallel loop without being multiplied.
PhraseRef out_of_the_threads(const PhraseRef& p) {
  const auto* x = use_of<imp::ParFor>(*p);
  if (!x) return p;
  const auto* i = as<LambdaPhrase>(*x->arguments[1]);
  const auto* o = i ? as<LambdaPhrase>(*i->body) : nullptr;
  const auto* own = o ? use_of<imp::New>(*o->body) : nullptr;
  const Space space = own ? as<imp::New>(*own)->space : Space::Private;
  if (space == Space::Private) return p;
  const auto* v = as<LambdaPhrase>(*own->arguments[0]);
  if (!v) return p;
  ImpPhrase loop = *x;
  loop.arguments[1] = lambda(i->name, i->parameter, lambda(o->name, o->parameter, v->body, true));
  return new_variable(space, own->types[0], v->name, [&](const PhraseRef&) { return phrase_of(loop, p->region); });
}

// What a block has in its own memory is allocated in global memory, where each block has its own as well.
PhraseRef local_in_global(const PhraseRef& p) {
  const auto* x = use_of<imp::New>(*p);
  const auto* v = x ? as<LambdaPhrase>(*x->arguments[0]) : nullptr;
  if (!v || as<imp::New>(*x)->space != Space::Local) return p;
  return new_variable(Space::Global, x->types[0], v->name, [&](const PhraseRef& here) {
    return substitute(v->body, {{v->name, here}});
  });
}
// A thread's variable is the block's: each of them writes it.
PhraseRef private_in_local(const PhraseRef& p) {
  const auto* x = use_of<imp::New>(*p);
  const auto* v = x ? as<LambdaPhrase>(*x->arguments[0]) : nullptr;
  if (!v || as<imp::New>(*x)->space != Space::Private) return p;
  return new_variable(Space::Local, x->types[0], v->name, [&](const PhraseRef& here) {
    return substitute(v->body, {{v->name, here}});
  });
}
// A block's array is allocated before the loop over the blocks, in a block's memory.
PhraseRef local_outlives(const PhraseRef& p) {
  const auto* x = use_of<imp::ParFor>(*p);
  if (!x || as<imp::ParFor>(*x)->level != Level::Workgroup) return p;
  const auto* i = as<LambdaPhrase>(*x->arguments[1]);
  const auto* o = i ? as<LambdaPhrase>(*i->body) : nullptr;
  const auto* own = o ? use_of<imp::New>(*o->body) : nullptr;
  const auto* v = own ? as<LambdaPhrase>(*own->arguments[0]) : nullptr;
  if (!v || as<imp::New>(*own)->space != Space::Local) return p;
  ImpPhrase loop = *x;
  loop.arguments[1] = lambda(i->name, i->parameter, lambda(o->name, o->parameter, v->body, true));
  return new_variable(Space::Local, own->types[0], v->name,
                      [&](const PhraseRef&) { return phrase_of(loop, p->region); });
}

// Every buffer's count changed.
KernelTransform counting(const std::function<kernel::Expr(const kernel::Allocate&)>& count) {
  return [count](const kernel::Program& p) {
    const auto changed = [&](kernel::Allocate a) {
      a.count = count(a);
      return a;
    };
    kernel::Program out = p;
    out.body = rewritten(p.body, StmtChange([&](const kernel::Stmt& s) -> std::vector<kernel::Stmt> {
                           if (const auto* a = std::get_if<kernel::Allocate>(&s.node))
                             return {kernel::Stmt{changed(*a)}};
                           const auto* f = std::get_if<kernel::ParallelFor>(&s.node);
                           if (!f) return {s};
                           kernel::ParallelFor loop = *f;
                           for (kernel::Allocate& a : loop.scratch) a = changed(a);
                           return {kernel::Stmt{std::move(loop)}};
                         }));
    return out;
  };
}

const char* const row_copies =
    "fun main [m n] (a : [m][n]i32) : [m][n]i32 =\n"
    "  mapGlobal (\\row -> reverse (toGlobal (mapSeq (\\x -> x * 2)) row)) a\n";
const char* const tile_of_a_block =
    "fun main [n] (a : [n][4]i32) : [n][4]i32 =\n"
    "  mapWorkgroup (\\row -> mapLocal (\\x -> x) (reverse (toLocal (mapLocal (\\x -> x * 2)) row))) a\n";
const char* const sums_of_threads =
    "fun main [n] (a : [n][4][3]i32) : [n][4]i32 =\n"
    "  mapWorkgroup (mapLocal (\\xs -> reduceSeq (+) 0 xs)) a\n";
const char* const row_copies_on_threads =
    "fun main [m n] (a : [m][n]i32) : [m][n]i32 =\n"
    "  mapPar (\\row -> reverse (toGlobal (mapSeq (\\x -> x * 2)) row)) a\n";

}  // namespace

void hoist_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "hoist");
  const std::vector<DirectedProgram> on_gpu{{row_copies, Machine::Gpu}};
  add("hoist-not-multiplied", "an array that leaves a parallel loop is not multiplied by its iterations",
      tools_with("hoist", PhraseTransform(not_multiplied)), on_gpu);
  add("hoist-allocates-twice", "an array that leaves a parallel loop is allocated twice over",
      tools_with("hoist", PhraseTransform(hoisted_twice)), on_gpu);
  add("hoist-out-of-threads", "the threads of a CPU share an array that each should have",
      tools_with("hoist", on_phrases(out_of_the_threads)), {{row_copies_on_threads}});
  add("hoist-local-in-global", "what a block has in its memory is allocated in global memory, as much of it",
      tools_with("hoist", on_phrases(local_in_global)), {{tile_of_a_block, Machine::Gpu}});
  add("hoist-private-in-local", "a variable of each thread is one of the block",
      tools_with("hoist", on_phrases(private_in_local)), {{sums_of_threads, Machine::Gpu}});
  add("hoist-local-outlives", "a block's array is allocated outside the loop over blocks",
      tools_with("hoist", on_phrases(local_outlives)), {{tile_of_a_block, Machine::Gpu}});
  add("allocation-of-one-row", "an array that leaves a parallel loop has room for one iteration",
      tools_with_last(counting([](const kernel::Allocate& a) {
        const auto* product = std::get_if<kernel::Arith>(&a.count.node);
        const bool many = product && product->op == kernel::ArithOp::Multiply;
        return many ? *product->left : a.count;
      })),
      on_gpu);
  add("allocation-short", "a buffer is one scalar too short", tools_with_last(counting([](const kernel::Allocate& a) {
        return kernel::arith(kernel::ArithOp::Subtract, a.count, kernel::constant(1));
      })));
  add("allocation-of-vectors", "a buffer of short vectors has room for as many scalars",
      tools_with_last(counting([](const kernel::Allocate& a) {
        return a.type.width == 1 ? a.count
                                 : kernel::arith(kernel::ArithOp::Divide, a.count, kernel::constant(a.type.width));
      })));
}

}  // namespace lockstep::props

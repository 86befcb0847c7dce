// Hoisting (DPIA §6.4, as design.md amends it). An array that cannot live in registers is allocated as far out as its
// scope may go: out of sequential loops always, which multiplies nothing. On the CPU it stops at the body of the
// parallel loop around it, where each thread has its own; on the GPU global arrays go to the top, multiplied by the
// iterations of every parallel loop that they leave, as in the paper, and local ones to the body of their block or
// warp.
#include <algorithm>

#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

// At most this many scalars stay where they are, in registers or on the stack.
constexpr std::int64_t register_scalars = 4096;

// And so many in the memory of a block.
constexpr std::int64_t shared_scalars = 1024;

// How many scalars d is made of; more than any limit where that depends on the sizes.
std::int64_t scalars_in(const Type& d) {
  std::int64_t scalars = 0;
  for (const Leaf& leaf : leaves_of(d)) {
    const auto n = element_count(leaf).constant();
    if (!n || *n > register_scalars) return register_scalars + 1;
    scalars += *n;
  }
  return scalars;
}

Space resolved_space(Space s, const Type& d) {
  if (s == Space::Stream) return Space::Global;
  if (s != Space::Auto) return s;
  return scalars_in(d) <= register_scalars ? Space::Private : Space::Global;
}

// Whether a loop over the threads or warps of a block stands in p and writes v there.
bool written_by_threads(const Phrase& p, const std::string& v, bool inside = false) {
  if (const auto* x = as<ProjPhrase>(p); x && inside && x->index == 1)
    if (const auto* i = as<Ident>(*x->phrase); i && i->name == v) return true;
  const auto* x = as<ImpPhrase>(p);
  const auto* loop = x ? as<imp::ParFor>(*x) : nullptr;
  const auto* own = x ? as<imp::Own>(*x) : nullptr;
  const bool by_own = own && own->constant->facets->level == Level::Local;
  const bool updated = by_own && std::any_of(x->arguments.begin(), x->arguments.end(), [&](const PhraseRef& a) {
                         const auto* i = as<Ident>(*a);
                         return i && i->name == v;
                       });
  if (updated) return true;
  const bool local = inside || by_own || (loop && (loop->level == Level::Warp || loop->level == Level::Local));
  bool found = false;
  for_each_child(p, [&](const PhraseRef& c) { found = found || written_by_threads(*c, v, local); });
  return found;
}

// Whether a parallel loop stands in p and uses v, be it as the array that it writes. What a constant is given, loops in
// its function may use.
bool used_by_threads(const Phrase& p, const std::string& v, bool inside = false) {
  if (const auto* i = as<Ident>(p)) return inside && i->name == v;
  const auto* x = as<ImpPhrase>(p);
  const bool threads = inside || (x && (as<imp::ParFor>(*x) || (as<imp::Own>(*x) && has_parallel_loop(p))));
  bool found = false;
  for_each_child(p, [&](const PhraseRef& c) { found = found || used_by_threads(*c, v, threads); });
  return found;
}

struct Hoisted {
  Space space;
  Type type;
  std::string name;
};

class Hoist {
 public:
  Hoist(const Calculus& calculus, Machine machine) : calculus_(calculus), machine_(machine) {}

  // p without the allocations that leave it; those are added to out.
  PhraseRef command(const PhraseRef& p, std::vector<Hoisted>& out) {
    const auto* x = as<ImpPhrase>(*p);
    if (!x) return map_children(p, [&](const PhraseRef& c) { return command(c, out); });
    if (const auto* c = as<imp::New>(*x)) return allocation(p, c->space, *x, out);
    if (const auto* c = as<imp::ParFor>(*x)) return parallel(p, c->level, *x, out);
    return map_children(p, [&](const PhraseRef& c) { return command(c, out); });
  }

  static PhraseRef allocate(const std::vector<Hoisted>& all, PhraseRef body) {
    for (auto it = all.rbegin(); it != all.rend(); ++it)
      body = new_variable(it->space, it->type, it->name, [&](const PhraseRef&) { return body; });
    return body;
  }

 private:
  PhraseRef allocation(const PhraseRef& p, Space wanted, const ImpPhrase& x, std::vector<Hoisted>& out) {
    const auto* binder = as<LambdaPhrase>(*x.arguments[0]);
    if (!binder) throw Bug("new without a block");
    Space space = resolved_space(wanted, x.types[0]);
    // What the threads of a block write together is the block's: a private array has a copy for each of them.
    if (space == Space::Private && machine_ == Machine::Gpu && written_by_threads(*binder->body, binder->name))
      space = scalars_in(x.types[0]) <= shared_scalars ? Space::Local : Space::Global;
    // What the thread outside every loop has in its registers, no thread of a GPU's kernels can read.
    if (space == Space::Private && machine_ == Machine::Gpu && loops_ == 0 &&
        used_by_threads(*binder->body, binder->name))
      space = Space::Global;
    PhraseRef body = command(binder->body, out);
    const PhraseType variable = var_type(x.types[0], space);
    body = substitute(body, {{binder->name, ident(binder->name, variable)}});
    if (space == Space::Private)
      return phrase_of({imp::New{space}, {}, x.types, {lambda(binder->name, variable, std::move(body))}}, p->region);
    out.push_back({space, x.types[0], binder->name});
    return default_region(std::move(body), p->region);
  }

  PhraseRef parallel(const PhraseRef& p, Level level, const ImpPhrase& x, std::vector<Hoisted>& out) {
    const auto* i = as<LambdaPhrase>(*x.arguments[1]);
    const auto* o = i ? as<LambdaPhrase>(*i->body) : nullptr;
    if (!o) throw Bug("parfor without a body");
    std::vector<Hoisted> inside;
    ++loops_;
    PhraseRef body = command(o->body, inside);
    --loops_;
    std::vector<Hoisted> stay;
    PhraseSubstitution moved;
    for (Hoisted& h : inside) {
      const bool leaves = machine_ == Machine::Gpu ? (h.space == Space::Global || level == Level::Local)
                                                   : level == Level::Local;  // on the CPU a local loop is sequential
      if (!leaves) {
        stay.push_back(std::move(h));
        continue;
      }
      if (machine_ == Machine::Cpu) {
        out.push_back(std::move(h));
        continue;
      }
      // tmp becomes idx tmp' i (§6.4)
      const Type all = array(x.sizes[0], h.type);
      const PhraseRef v = ident(h.name, var_type(all, h.space)), index = ident(i->name, i->parameter);
      moved.insert_or_assign(
          h.name, phrase_pair(idx_acc(proj(1, v), index), idx_of(calculus_.primitive("idx"), proj(2, v), index)));
      out.push_back({h.space, all, h.name});
    }
    body = allocate(stay, substitute(body, moved));
    ImpPhrase y = x;
    y.arguments = {x.arguments[0], lambda(i->name, i->parameter, lambda(o->name, o->parameter, std::move(body), true))};
    return phrase_of(std::move(y), p->region);
  }

  const Calculus& calculus_;
  Machine machine_;
  int loops_ = 0;  // parallel, around
};

}  // namespace

Stage hoist(const DpiaLanguages& l, Machine machine) {
  using Change = CostRelation::Change;
  return stage_of<PhraseProgram, PhraseProgram>("hoist", "DPIA §6.4, amended", l.imperative, l.hoisted,
                                                [c = l.calculus, machine](const PhraseProgram& p, Owed*) {
                                                  PhraseProgram out = p;
                                                  std::vector<Hoisted> all;
                                                  const PhraseRef body = Hoist(*c, machine).command(p.body, all);
                                                  out.body = Hoist::allocate(all, body);
                                                  return out;
                                                },
                                                {Change::Same, Change::Same, CostRelation::Space::Hoisted});
}

}  // namespace lockstep

// What the clauses of Fig. 5, of the amended loops and of hoisting say that they write and allocate, read off the
// program before them. d: scalars in a type, n: iterations.
#include "props/dpia/cost_relation.h"
#include "semantics/core/cost.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"

namespace lockstep::props {
namespace {

struct DataDependent {};  // a while loop

Size scalars_of(const Type& t) {
  Size n = 0;
  for (const Leaf& leaf : leaves_of(t)) n = n + element_count(leaf);
  return n;
}

class Writes final : public DeclaredWrites {
 public:
  Size into(const PhraseRef& e) override {
    if (const auto* x = as<LetPhrase>(*e)) {
      const Size value = bound(*x);  // before the body: it says what the name stands for
      return value + into(x->body);
    }
    if (const auto* x = as<IfPhrase>(*e)) return branch(*x, *e);
    const auto* p = as<PrimPhrase>(*e);
    if (!p) return scalars_of(data_of(*e));
    if (const auto* v = std::get_if<View>(&p->primitive->kind); v && !v->acceptors.empty() && !is_single(data_of(*e))) {
      Size n = 0;
      for (const AcceptorFacet& a : v->acceptors) n = n + into(p->arguments[a.argument]);
      return n;
    }
    if (!std::holds_alternative<Loop>(p->primitive->kind)) return before(e) + scalars_of(data_of(*e));
    return loop(*p, true);
  }

  Size before(const PhraseRef& e) override {
    if (const auto* x = as<LetPhrase>(*e)) {
      const Size value = bound(*x);
      return value + before(x->body);
    }
    if (const auto* x = as<IfPhrase>(*e)) return branch(*x, *e);
    const auto* p = as<PrimPhrase>(*e);
    if (!p) return 0;
    if (std::holds_alternative<Loop>(p->primitive->kind)) return loop(*p, false);
    const auto* op = std::get_if<ScalarOp>(&p->primitive->kind);
    if (op && op->decided_by)  // an if where the right side needs commands
      return before(p->arguments[0]) + into(p->arguments[1]);
    Size n = 0;
    for (const PhraseRef& a : p->arguments) n = n + (op && !op->guard ? before(a) : named(a));
    return n;
  }
  Size named(const PhraseRef& e) override {
    return before(e) + (is_single(data_of(*e)) && !is_name(*e) ? scalars_of(data_of(*e)) : Size(0));
  }
  Size body(const PhraseRef& f) override {
    PhraseRef b = f;
    while (const auto* l = as<LambdaPhrase>(*b)) b = l->body;
    return into(b);
  }
  void bind(const PhraseRef& f, const PhraseRef& e) override {
    if (const auto* l = as<LambdaPhrase>(*f)) stands_for(l->name, *e);
  }

 private:
  bool is_name(const Phrase& e) const {
    if (const auto* x = as<Ident>(e)) return !views_.contains(x->name);
    const auto* p = as<PrimPhrase>(e);
    return !p ? !as<LetPhrase>(e) && !as<IfPhrase>(e) : component_taken(*p) && is_name(*p->arguments[0]);
  }
  // The name stands for e, which may be a view.
  void stands_for(const std::string& name, const Phrase& e) {
    if (!is_single(data_of(e)) && !is_name(e)) views_.insert(name);
  }
  // let: also a view that costs something to read is stored.
  Size bound(const LetPhrase& x) {
    const PhraseRef& e = x.value;
    stands_for(x.name, *e);
    if (is_single(data_of(*e)) || is_name(*e)) return named(e);
    const auto* p = as<PrimPhrase>(*e);
    const bool stored = as<IfPhrase>(*e) || (p && std::holds_alternative<Loop>(p->primitive->kind));
    return before(e) + (stored ? Size(0) : scalars_of(data_of(*e)));
  }

  // To an acceptor, or to a temporary that a name then stands for.
  Size branch(const IfPhrase& x, const Phrase& e) {
    if (is_single(data_of(e)))  // what scalar branches need without a trap is made before the choice
      return before(x.condition) + before(x.then) + before(x.otherwise) + scalars_of(data_of(e));
    return before(x.condition) + upper_maximum({}, into(x.then), into(x.otherwise));
  }
  Size loop(const PrimPhrase& p, bool acceptor) {
    const auto& writes = std::get<Loop>(p.primitive->kind).writes;
    if (!writes) throw DataDependent{};
    return writes(*this, p, acceptor);
  }

  std::set<std::string> views_;  // names that stand for views, whose components are no names
};

constexpr std::int64_t register_scalars = 4096, shared_scalars = 1024;

struct Around {
  Level level;
  Size extent;
};
bool is_group(Level l) { return l == Level::Warp || l == Level::Local; }

// A variable that a constant is given whole, it writes.
bool is_given(const ImpPhrase& x, const std::string& v) {
  return std::any_of(x.arguments.begin(), x.arguments.end(), [&](const PhraseRef& a) {
    const auto* i = as<Ident>(*a);
    return i && i->name == v;
  });
}

// Whether a loop that `counts` uses v, or only writes it. A constant's loops may read what it is given.
bool used_in(const Phrase& p, const std::string& v, bool only_written, bool (*counts)(Level), bool inside = false) {
  if (const auto* x = as<ProjPhrase>(p))
    if (const auto* i = as<Ident>(*x->phrase); i && i->name == v) return inside && (x->index == 1 || !only_written);
  if (const auto* i = as<Ident>(p)) return i->name == v && inside && !only_written;
  const auto* x = as<ImpPhrase>(p);
  const bool counted = x && counts(loop_level(*x));
  if (counted && as<imp::Own>(*x) && is_given(*x, v)) return true;
  const bool in = inside || counted || (!only_written && x && as<imp::Own>(*x) && has_parallel_loop(p));
  bool found = false;
  for_each_child(p, [&](const PhraseRef& c) { found = found || used_in(*c, v, only_written, counts, in); });
  return found;
}

// Where a variable is put. §6.4 leaves small ones to registers; a GPU's threads share those of no other thread.
Space chosen(const ImpPhrase& x, Space wanted, bool outside_loops, Machine machine) {
  const auto n = scalars_of(x.types[0]).constant();
  const Space s = lives_in(wanted);
  const bool fits = n && *n <= register_scalars;
  if (s == Space::Global || s == Space::Local) return s;
  if (s == Space::Auto && !fits) return Space::Global;
  const auto* binder = as<LambdaPhrase>(*x.arguments[0]);
  if (machine == Machine::Cpu || !binder) return Space::Private;
  if (used_in(*binder->body, binder->name, true, is_group))
    return n && *n <= shared_scalars ? Space::Local : Space::Global;
  const bool elsewhere = outside_loops && used_in(*binder->body, binder->name, false, is_parallel);
  return elsewhere ? Space::Global : Space::Private;
}

// Of one allocation: once for each iteration of the loops that it leaves.
Size multiplied(const Type& d, Space space, const std::vector<Around>& loops, Machine machine) {
  Size n = scalars_of(d);
  if (machine == Machine::Cpu || space == Space::Private) return n;  // a thread's own, however often it is used
  const bool everywhere = space == Space::Global;
  for (auto l = loops.rbegin(); l != loops.rend() && (everywhere || l->level == Level::Local); ++l) n = n * l->extent;
  return n;
}

void allocated(const Phrase& p, std::vector<Around>& loops, Machine machine, SpaceOfEach& out) {
  const auto* x = as<ImpPhrase>(p);
  if (const auto* v = x ? as<imp::New>(*x) : nullptr) {
    const Space s = chosen(*x, v->space, loops.empty(), machine);
    Size& n = s == Space::Global ? out.global : s == Space::Local ? out.local : out.in_registers;
    n = n + multiplied(x->types[0], s, loops, machine);
  }
  const auto* loop = x ? as<imp::ParFor>(*x) : nullptr;
  if (loop) loops.push_back({loop->level, x->sizes[0]});
  for_each_child(p, [&](const PhraseRef& c) { allocated(*c, loops, machine, out); });
  if (loop) loops.pop_back();
}

}  // namespace

bool gives_names(const Primitive& loop) {
  const auto& l = std::get<Loop>(loop.kind);
  return l.writes || l.round;
}

std::optional<Size> declared_writes(const PhraseProgram& source) {
  try {
    return Writes().into(source.body);
  } catch (const DataDependent&) {
    return {};
  }
}

SpaceOfEach declared_hoisted_space(const PhraseProgram& before, Machine machine) {
  SpaceOfEach out;
  std::vector<Around> loops;
  allocated(*before.body, loops, machine, out);
  return out;
}

// Every space is written there.
SpaceOfEach hoisted_space(const PhraseProgram& after) {
  SpaceOfEach out;
  const std::function<void(const Phrase&)> go = [&](const Phrase& p) {
    if (const auto* x = use_of<imp::New>(p)) {
      const Space s = as<imp::New>(*x)->space;
      Size& n = s == Space::Local ? out.local : s == Space::Private ? out.in_registers : out.global;
      n = n + scalars_of(x->types[0]);
    }
    for_each_child(p, [&](const PhraseRef& c) { go(*c); });
  };
  go(*after.body);
  return out;
}

}  // namespace lockstep::props

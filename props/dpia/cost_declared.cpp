// What the clauses of Fig. 5, of the amended loops and of hoisting say that they write and allocate, read off the
// program before them. d: scalars in a type, n: iterations.
#include "props/dpia/cost_relation.h"
#include "semantics/core/cost.h"
#include "semantics/primitives/build.h"

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
    return before(x.condition) + upper_maximum(into(x.then), into(x.otherwise));
  }
  Size loop(const PrimPhrase& p, bool acceptor) {
    const auto& writes = std::get<Loop>(p.primitive->kind).writes;
    if (!writes) throw DataDependent{};
    return writes(*this, p, acceptor);
  }

  std::set<std::string> views_;  // names that stand for views, whose components are no names
};

constexpr std::int64_t register_scalars = 4096;

bool outside_registers(Space s, const Type& d) {
  if (s == Space::Private) return false;
  if (s != Space::Auto) return true;
  const auto n = scalars_of(d).constant();
  return !n || *n > register_scalars;
}

struct Around {
  Level level;
  Size extent;
};

// Of one allocation: once for each iteration of the loops that it leaves.
Size multiplied(const Type& d, Space space, const std::vector<Around>& loops, Machine machine) {
  Size n = scalars_of(d);
  if (machine == Machine::Cpu) return n;  // each thread has its own, however often it is used
  const bool everywhere = space != Space::Local;
  for (auto l = loops.rbegin(); l != loops.rend() && (everywhere || l->level == Level::Local); ++l) n = n * l->extent;
  return n;
}

Size allocated(const Phrase& p, std::vector<Around>& loops, Machine machine) {
  const auto* x = as<ImpPhrase>(p);
  Size n = 0;
  if (const auto* v = x ? as<imp::New>(*x) : nullptr; v && outside_registers(v->space, x->types[0]))
    n = multiplied(x->types[0], v->space, loops, machine);
  const auto* loop = x ? as<imp::ParFor>(*x) : nullptr;
  if (loop) loops.push_back({loop->level, x->sizes[0]});
  for_each_child(p, [&](const PhraseRef& c) { n = n + allocated(*c, loops, machine); });
  if (loop) loops.pop_back();
  return n;
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

Size declared_hoisted_space(const PhraseProgram& before, Machine machine) {
  std::vector<Around> loops;
  return allocated(*before.body, loops, machine);
}

Size hoisted_space(const PhraseProgram& after) {
  std::vector<Around> loops;
  return allocated(*after.body, loops, Machine::Cpu);
}

}  // namespace lockstep::props

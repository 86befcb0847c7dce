// What the clauses of Fig. 5, of the amended loops and of hoisting say that they write and allocate, read off the
// program before them. d: scalars in a type, n: iterations.
#include "props/dpia/cost_relation.h"
#include "semantics/core/cost.h"

namespace lockstep::props {
namespace {

struct DataDependent {};  // a while loop

Size scalars_of(const Type& t) {
  Size n = 0;
  for (const Leaf& leaf : leaves_of(t)) n = n + element_count(leaf);
  return n;
}

bool is_component(const std::string& name) { return name == "fst" || name == "snd"; }

class Writes {
 public:
  // Written by A[E](A).
  Size into(const PhraseRef& e) {
    if (const auto* x = as<LetPhrase>(*e)) {
      const Size value = bound(*x);  // before the body: it says what the name stands for
      return value + into(x->body);
    }
    const auto* p = as<PrimPhrase>(*e);
    if (!p) return scalars_of(data_of(*e));
    if (const auto* v = std::get_if<View>(&p->primitive->kind); v && !v->acceptors.empty() && !is_single(data_of(*e))) {
      Size n = 0;
      for (const AcceptorFacet& a : v->acceptors) n = n + into(p->arguments[a.argument]);
      // Lanes that may land apart are taken out of a vector of its own.
      return p->primitive->name == "asScalar" ? n + scalars_of(data_of(*e)) : n;
    }
    if (!std::holds_alternative<Loop>(p->primitive->kind)) return before(e) + scalars_of(data_of(*e));
    return loop(*p, true);
  }

 private:
  // Written by C[E](C) before C.
  Size before(const PhraseRef& e) {
    if (const auto* x = as<LetPhrase>(*e)) {
      const Size value = bound(*x);
      return value + before(x->body);
    }
    const auto* p = as<PrimPhrase>(*e);
    if (!p) return 0;
    if (std::holds_alternative<Loop>(p->primitive->kind)) return loop(*p, false);
    const auto* op = std::get_if<ScalarOp>(&p->primitive->kind);
    if (p->primitive->name == "&&" || p->primitive->name == "||")  // an if where the right side needs commands
      return before(p->arguments[0]) + into(p->arguments[1]);
    Size n = 0;
    for (const PhraseRef& a : p->arguments) n = n + (op && !op->guard ? before(a) : named(a));
    return n;
  }
  bool is_name(const Phrase& e) const {
    if (const auto* x = as<Ident>(e)) return !views_.contains(x->name);
    const auto* p = as<PrimPhrase>(e);
    return !p ? !as<LetPhrase>(e) : is_component(p->primitive->name) && is_name(*p->arguments[0]);
  }
  // The name stands for e, which may be a view.
  void stands_for(const std::string& name, const Phrase& e) {
    if (!is_single(data_of(e)) && !is_name(e)) views_.insert(name);
  }
  Size named(const PhraseRef& e) {
    return before(e) + (is_single(data_of(*e)) && !is_name(*e) ? scalars_of(data_of(*e)) : Size(0));
  }
  // let: also a view that costs something to read is stored.
  Size bound(const LetPhrase& x) {
    const PhraseRef& e = x.value;
    stands_for(x.name, *e);
    if (is_single(data_of(*e)) || is_name(*e)) return named(e);
    const auto* p = as<PrimPhrase>(*e);
    const bool stored = p && std::holds_alternative<Loop>(p->primitive->kind);
    return before(e) + (stored ? Size(0) : scalars_of(data_of(*e)));
  }
  Size body(const PhraseRef& f) {
    PhraseRef b = f;
    while (const auto* l = as<LambdaPhrase>(*b)) b = l->body;
    return into(b);
  }

  // To an acceptor, or to a temporary that a name then stands for.
  Size loop(const PrimPhrase& p, bool acceptor) {
    const std::string& name = p.primitive->name;
    const auto& a = p.arguments;
    if (name.starts_with("map")) return before(a[1]) + p.sizes[0] * body(a[0]);
    if (name == "generate") return p.sizes[0] * body(a[0]);
    if (name.starts_with("reduce")) {
      const Size d = scalars_of(p.types[1]);
      return before(a[2]) + before(a[1]) + d + p.sizes[0] * (body(a[0]) + d) + copied(d, acceptor);
    }
    if (name.starts_with("scan")) {
      const Size d = scalars_of(p.types[1]);
      return before(a[2]) + before(a[1]) + d + p.sizes[0] * (body(a[0]) + d + d);
    }
    if (name == "iterate") {
      const Size d = scalars_of(p.types[0]);
      return before(a[1]) + d + p.sizes[0] * (body(a[0]) + d) + copied(d, acceptor);
    }
    if (name == "if" && is_single(p.types[0]))  // what scalar branches need without a trap is made before the choice
      return before(a[0]) + before(a[1]) + before(a[2]) + scalars_of(p.types[0]);
    if (name == "if") return before(a[0]) + upper_maximum(into(a[1]), into(a[2]));
    if (name == "array") {
      Size n = 0;
      for (const PhraseRef& x : a) n = n + into(x);
      return n;
    }
    if (name == "scatter") {  // a mark for each place, and for each value its index and its mark
      const Size d = scalars_of(p.types[0]);
      return before(a[1]) + before(a[2]) + into(a[0]) + p.sizes[0] + p.sizes[1] * (d + Size(2));
    }
    if (name == "permute") {
      const Size d = scalars_of(p.types[0]);
      return before(a[2]) + before(a[3]) + into(a[1]) + p.sizes[1] * (body(a[0]) + d + Size(1)) +
             copied(p.sizes[0] * d, acceptor);
    }
    if (const auto* f = as<LambdaPhrase>(*a[0]); f && name.starts_with("to")) stands_for(f->name, *a[1]);
    if (name.starts_with("to"))
      return named(a[1]) + body(a[0]) + copied(scalars_of(p.types[1]), acceptor && name != "toStream");
    throw DataDependent{};  // while, and what is not known here
  }
  static Size copied(const Size& d, bool yes) { return yes ? d : Size(0); }

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
Size multiplied(const ImpPhrase& x, const std::vector<Around>& loops, Machine machine) {
  Size n = scalars_of(x.types[0]);
  if (machine == Machine::Cpu) return n;  // each thread has its own, however often it is used
  const bool everywhere = x.space != Space::Local;
  for (auto l = loops.rbegin(); l != loops.rend() && (everywhere || l->level == Level::Local); ++l) n = n * l->extent;
  return n;
}

Size allocated(const Phrase& p, std::vector<Around>& loops, Machine machine) {
  const auto* x = as<ImpPhrase>(p);
  Size n = 0;
  if (x && x->op == Imp::New && outside_registers(x->space, x->types[0])) n = multiplied(*x, loops, machine);
  const bool loop = x && x->op == Imp::ParFor;
  if (loop) loops.push_back({x->level, x->sizes[0]});
  for_each_child(p, [&](const PhraseRef& c) { n = n + allocated(*c, loops, machine); });
  if (loop) loops.pop_back();
  return n;
}

}  // namespace

bool gives_names(const Primitive& loop) {
  static const std::set<std::string> others = {"generate", "iterate", "if", "array", "scatter", "permute", "while"};
  const auto is = [&](const char* family) { return loop.name.starts_with(family); };
  return is("map") || is("reduce") || is("scan") || is("to") || others.contains(loop.name);
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

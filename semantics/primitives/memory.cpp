// toGlobal, toLocal, toPrivate, toStream (DPIA §6.2): where a function's result lives. Semantically the function
// itself.
#include "semantics/core/acceptor.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/list.h"
#include "semantics/primitives/loop_costs.h"

namespace lockstep {
namespace {

// "perform the memory allocation and trigger the acceptor-passing translation"
PhraseRef allocate(Translation& t, const PrimPhrase& e, Space space, const std::function<PhraseRef(PhraseRef)>& c) {
  return t.named(e.arguments[1], [&](const PhraseRef& x) {  // or what is computed once is computed at every use
    return new_variable(space, e.types[1], t.fresh("tmp"), [&](const PhraseRef& v) {
      return seq({t.acceptor(t.call(e.arguments[0], x), proj(1, v)), c(proj(2, v))});
    });
  });
}

Size computed(DeclaredWrites& w, const PrimPhrase& e) {
  w.bind(e.arguments[0], e.arguments[1]);
  const Size argument = w.named(e.arguments[1]);
  return argument + w.body(e.arguments[0]);
}

Cost of_call(SourceCosts& costs, const PrimPhrase& e) {
  costs.bind(e.arguments[0], e.arguments[1]);
  const Cost argument = costs.named(e.arguments[1]);
  return argument + costs.call(e.arguments[0]);
}

PrimitiveRef to_space(const char* name, Space space, const char* summary) {
  return std::make_shared<const Primitive>(
      Primitive{name, summary,
                Loop{
                    .type = "('a -> 'b) -> 'a -> 'b",
                    .meaning = [](const std::vector<std::int64_t>&,
                                  std::span<const Value> args) { return stored(call(args[0], args.subspan(1, 1))); },
                    .cost =
                        [](SourceCosts& costs, const PrimPhrase& e, bool copied) {
                          const Type& d = e.types[1];
                          const Cost result = copied ? costs.assigned(proj(2, ident("", var_type(d)))) : Cost{0, 0, 0};
                          return with_space(scalars_in(d), of_call(costs, e) + result);
                        },
                    .acceptor =
                        [space](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
                          return allocate(t, e, space, [&](const PhraseRef& r) { return t.assign(a, r); });
                        },
                    .continuation = [space](Translation& t, const PrimPhrase& e,
                                            const auto& c) { return allocate(t, e, space, c); },
                    .total = true,
                    .space = space,
                    .writes = [](DeclaredWrites& w, const PrimPhrase& e,
                                 bool copied) { return computed(w, e) + copies(e.types[1], copied); },
                }});
}

// Where there is an acceptor already, toStream writes to it, past the caches.
PrimitiveRef to_stream() {
  Loop loop = std::get<Loop>(to_space("toStream", Space::Stream, "")->kind);
  loop.acceptor = [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
    return t.named(e.arguments[1], [&](const PhraseRef& x) {
      const PhraseRef result = t.call(e.arguments[0], x);
      const PhraseRef streamed = prim(t.primitive("stream"), {}, {e.types[1]}, {result}, e.types[1]);
      return t.acceptor(result, view_acceptor(*streamed, 0, a));
    });
  };
  loop.cost = [](SourceCosts& costs, const PrimPhrase& e, bool to_acceptor) {
    return with_space(to_acceptor ? Size(0) : scalars_in(e.types[1]), of_call(costs, e));
  };
  loop.writes = [](DeclaredWrites& w, const PrimPhrase& e, bool) { return computed(w, e); };
  return std::make_shared<const Primitive>(
      Primitive{"toStream", "the result is written past the caches where the target can", loop});
}

}  // namespace

std::vector<PrimitiveRef> memory_primitives() {
  return {to_space("toGlobal", Space::Global, "the result lives in global memory"),
          to_space("toLocal", Space::Local, "the result lives in the memory of a block"),
          to_space("toPrivate", Space::Private, "the result lives in registers"), to_stream()};
}

// The identity whose acceptor, streamAcc, marks what is written through it.
PrimitiveRef stream_primitive() {
  return std::make_shared<const Primitive>(
      Primitive{"stream", "what toStream is made of: its acceptor writes past the caches",
                View{
                    .type = "'a -> 'a",
                    .equation = "stream x = x",
                    .meaning = [](const auto&, std::span<const Value> args) { return args[0]; },
                    .read = [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); },
                    .acceptors = {{.name = "streamAcc",
                                   .argument = 0,
                                   .path = [](const Instance&, Path p) { return p; },
                                   .meaning = [](const auto&, const Acceptor& a) { return a; },
                                   .nontemporal = true}},
                },
                Notation::None});
}

}  // namespace lockstep

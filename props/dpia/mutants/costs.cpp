// Work done twice, and temporaries that no clause introduces: found by the cost relation.
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
        tools_with("in-place", on_statements(allocated_twice)),
        {{"fun main [n] : [n]i32 = map (\\x -> x) (gather (map (\\i -> i) (iota n)) (replicate n 3))\n"}});
  stage("paths-allocates", "the kernel has every buffer twice", tools_with("paths", on_statements(allocated_twice)));
  stage("paths-stores", "the kernel has every store twice", tools_with("paths", on_statements(stores_twice)));
  stage("checked-twice", "the in-place stage makes every check twice",
        tools_with("in-place", on_statements(checked_twice)),
        {{"fun main [n] : [n]i32 = map (\\x -> x) (gather (map (\\i -> i) (iota n)) (replicate n 3))\n"}});
}

}  // namespace lockstep::props

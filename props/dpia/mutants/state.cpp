// State of sequential loops: written in place too early, not copied back, not reset, shared by iterations.
#include "props/dpia/mutants/parts.h"
#include "semantics/kernel/walk.h"

namespace lockstep::props {
namespace {

using namespace kernel;

bool is_copy_of(const Stmt& s, const char* prefix) {
  const auto* a = std::get_if<kernel::Assign>(&s.node);
  const auto* v = a ? std::get_if<Var>(&a->value.node) : nullptr;
  return v && v->name.starts_with(prefix);
}

// A temporary that is copied back is taken for what it is copied to: the paper's reduceI, wrong for compound state.
std::vector<Stmt> written_in_place(const Stmt& s) {
  const auto* b = std::get_if<Block>(&s.node);
  if (!b) return {s};
  std::vector<Stmt> kept = b->statements;
  for (const Stmt& x : b->statements) {
    if (!is_copy_of(x, "next")) continue;
    const auto& copy = std::get<kernel::Assign>(x.node);
    const std::string from = std::get<Var>(copy.value.node).name;
    std::vector<Stmt> rest;
    for (const Stmt& y : kept) {
      const auto* d = std::get_if<Declare>(&y.node);
      if (y == x || (d && d->name == from)) continue;
      rest.push_back(rename(y, from, copy.name));
    }
    kept = std::move(rest);
  }
  return {Stmt{Block{std::move(kept)}}};
}

std::vector<Stmt> without_copy_back(const Stmt& s) {
  if (is_copy_of(s, "next")) return {};
  return {s};
}
// Of a pair only the first component.
std::vector<Stmt> with_half_a_copy(const Stmt& s) {
  if (is_copy_of(s, "next_1") || is_copy_of(s, "next_1_1")) return {};
  return {s};
}
std::vector<Stmt> without_initial_value(const Stmt& s) {
  const auto* a = std::get_if<kernel::Assign>(&s.node);
  if (a && (a->name.starts_with("acc") || a->name.starts_with("state")) && std::holds_alternative<Const>(a->value.node))
    return {};
  return {s};
}

// Declarations in a loop's body, and what is set to a constant there, moved before the loop.
template <class Loop>
std::vector<Stmt> moved_out(const Stmt& s, bool constants) {
  const auto* f = std::get_if<Loop>(&s.node);
  const auto* b = f ? std::get_if<Block>(&f->body->node) : nullptr;
  if (!b) return {s};
  std::vector<Stmt> out, rest;
  for (const Stmt& x : b->statements) {
    const auto* d = std::get_if<Declare>(&x.node);
    const auto* a = std::get_if<kernel::Assign>(&x.node);
    const bool leaves = (d && d->name.starts_with("acc")) ||
                        (constants && a && a->name.starts_with("acc") && std::holds_alternative<Const>(a->value.node));
    (leaves ? out : rest).push_back(x);
  }
  if (out.empty()) return {s};
  Loop loop = *f;
  loop.body = Stmt{Block{std::move(rest)}};
  out.push_back(Stmt{std::move(loop)});
  return out;
}

std::vector<Stmt> with_shared_scratch(const Stmt& s) {
  const auto* p = std::get_if<ParallelFor>(&s.node);
  if (!p || p->scratch.empty()) return {s};
  std::vector<Stmt> out;
  for (const Allocate& a : p->scratch) out.push_back(Stmt{a});
  ParallelFor loop = *p;
  loop.scratch.clear();
  out.push_back(Stmt{std::move(loop)});
  return out;
}

std::vector<Stmt> made_parallel(const Stmt& s) {
  const auto* f = std::get_if<For>(&s.node);
  if (!f || f->unroll) return {s};
  return {Stmt{ParallelFor{Level::Par, f->name, f->extent, {}, f->body}}};
}

std::vector<Stmt> without_update_of_the_test(const Stmt& s) {
  const auto* w = std::get_if<While>(&s.node);
  const auto* b = w ? std::get_if<Block>(&w->body->node) : nullptr;
  const auto* flag = w ? std::get_if<Var>(&w->condition.node) : nullptr;
  if (!b || !flag) return {s};
  Block kept;
  for (const Stmt& x : b->statements)
    if (!is_write_of(x, flag->name)) kept.statements.push_back(x);
  return {Stmt{While{w->condition, Stmt{std::move(kept)}}}};
}

// A word that one side of a choice alone reads is read before it.
std::vector<Stmt> read_on_all_ways(const Stmt& s) {
  const auto* t = std::get_if<Store>(&s.node);
  const auto* c = t ? std::get_if<Choose>(&t->value.node) : nullptr;
  std::optional<Expr> word;
  if (c)
    each_expression(*c->then, [&](const Expr& e) {
      if (std::holds_alternative<Load>(e.node)) word = e;
    });
  if (!word) return {s};
  Stmt after = rewritten(s, ExprChange([&](const Expr& e) {
                           return e == *word ? Expr{word->type, Var{"read_before"}} : e;
                         }));
  return {Stmt{Block{{Stmt{Declare{"read_before", word->type, *word}}, std::move(after)}}}};
}
std::vector<Stmt> next_word(const Stmt& s) {
  Stmt out = s;
  auto* d = std::get_if<Declare>(&out.node);
  auto* l = d && d->init ? std::get_if<Load>(&d->init->node) : nullptr;
  if (l) l->index = arith(ArithOp::Add, *l->index, constant(1));
  return {std::move(out)};
}

}  // namespace

void state_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "state");
  add("in-place-too-early", "a step's result is written over its state while the state is still read",
      tools_with("paths", on_statements(written_in_place)));
  add("copy-back-dropped", "a step's result is not copied back to the state",
      tools_with("paths", on_statements(without_copy_back)));
  add("copy-back-half", "of a compound state only the first component is copied back",
      tools_with("paths", on_statements(with_half_a_copy)));
  add("initial-value-dropped", "an accumulator is not set before the first step",
      tools_with("paths", on_statements(without_initial_value)));
  add("accumulator-not-reset", "an inner loop goes on with the accumulator of the iteration before",
      tools_with("paths", on_statements([](const Stmt& s) { return moved_out<For>(s, true); })),
      {{"fun main [m n] (a : [m][n]i32) : [m]i32 = mapSeq (reduceSeq (+) 1) a\n"}});
  add("accumulator-shared", "the iterations of a parallel loop share one accumulator",
      tools_with("paths", on_statements([](const Stmt& s) { return moved_out<ParallelFor>(s, false); })));
  add("scratch-shared", "the workers of a parallel loop share one scratch buffer",
      tools_with("paths", on_statements(with_shared_scratch)));
  add("sequential-made-parallel", "a loop that carries state runs in parallel",
      tools_with("paths", on_statements(made_parallel)));
  add("read-once-on-all-ways", "a word that a choice may leave out is read before it",
      tools_with("read-once", on_statements(read_on_all_ways)),
      {{"fun main [n] (xs : [n]i64) : [1 + n + 1]i64 = pad 1 1 0 xs\n"}});
  add("read-once-the-next", "the word that is read for all is the one behind it",
      tools_with("read-once", on_statements(next_word)),
      {{"fun main [n] (xs : [n]i64) : [n]i64 = map (\\x -> x * x) xs\n"}});
  add("while-not-tested-again", "a while loop does not look at its condition again",
      tools_with("paths", on_statements(without_update_of_the_test)));
}

}  // namespace lockstep::props

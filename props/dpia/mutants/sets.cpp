// Loops cut where their conditions are decided, arrays that are parts of one, and remainders that are chosen.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

const char* const stencil =
    "fun main [n] (xs : [n]i32) : [n]i32 where 1 <= n =\n"
    "  pad 1 1 7 xs |> slide 3 1 |> mapSeq (\\w -> w ! 0 * 3 + w ! 1 * 5 + w ! 2)\n";
const char* const grid =
    "fun main [n] (xs : [n][2]i32) : [n][2]i32 where 1 <= n =\n"
    "  pad 1 0 (replicate 2 7) xs |> slide 2 1 |> mapSeq (\\w -> mapSeq (\\p -> fst p * 3 + snd p) (zip (w ! 0) (w ! "
    "1)))\n";
const char* const two =
    "fun main [n m] (xs : [n]i32) (ys : [m]i32) : [n+m]i32 =\n"
    "  map (\\x -> x * 2) (concat (scan (+) 0 xs) (scan (+) 1 ys))\n";
const char* const ring = "fun main [n] (xs : [n]i32) : [n]i32 where 1 <= n = generate n (\\i -> xs ! ((i + 1) % n))\n";

// The loop whose iterations are its variable's and so many more.
bool is_cut(const Stmt& s) {
  const auto* f = std::get_if<For>(&s.node);
  const auto n = f ? as_size(f->extent) : std::nullopt;
  return n && has_negative(*n);
}

}  // namespace

void index_set_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "loop");
  add("sets-without-room", "a loop is cut at both ends where it has fewer iterations than are cut off, too",
      tools_with("index-sets", on_statements([](const Stmt& s) {
                   const auto* i = std::get_if<If>(&s.node);
                   const bool cuts = i && has<For>(*i->then) && has<For>(*i->otherwise);
                   return std::vector{cuts ? *i->then : s};
                 })),
      {{stencil}});
  add("sets-one-further", "the iterations between go on over what is cut off behind them",
      tools_with("index-sets", on_statements([](const Stmt& s) {
                   Stmt out = s;
                   if (is_cut(s)) {
                     auto& f = std::get<For>(out.node);
                     f.extent = arith(ArithOp::Add, f.extent, constant(1));
                   }
                   return std::vector{std::move(out)};
                 })),
      {{stencil}});
  add("sets-end-forgotten", "what is cut off behind a loop has no loop",
      tools_with("index-sets", on_statements([](const Stmt& s) {
                   const auto* b = std::get_if<Block>(&s.node);
                   if (!b || b->statements.size() != 3 || !is_cut(b->statements[1])) return std::vector{s};
                   return std::vector{Stmt{Block{{b->statements[0], b->statements[1]}}, s.region}};
                 })),
      {{stencil}});
  add("sets-outer-always", "a loop of loops takes the branch without conditions in every iteration",
      tools_with("index-sets", on_statements([](const Stmt& s) {
                   const auto* i = std::get_if<If>(&s.node);
                   return std::vector{i && has<For>(*i->then) ? *i->then : s};
                 })),
      {{grid}});
  add("joined-from-the-front", "the second of two arrays that are one begins where the first does",
      tools_with("joined",
                 [](const Program& after, const Program& before) {
                   if (after == before) return after;
                   return on_statements([](const Stmt& s) {
                     Stmt out = s;
                     if (auto* t = std::get_if<Store>(&out.node))
                       if (const auto* a = std::get_if<Arith>(&t->index.node); a && a->op == ArithOp::Add)
                         t->index = *a->right;
                     return std::vector{std::move(out)};
                   })(after);
                 }),
      {{two}});
  add("digits-remainder-whole", "of a remainder that is chosen the whole is taken",
      tools_with("digits", on_expressions([](const Expr& e) {
                   const auto* c = std::get_if<Choose>(&e.node);
                   const auto* below = c ? std::get_if<Arith>(&c->condition->node) : nullptr;
                   return below && below->op == ArithOp::Less && as_size(*c->then) && as_size(*c->otherwise) ? *c->then
                                                                                                             : e;
                 })),
      {{ring}});
}

}  // namespace lockstep::props

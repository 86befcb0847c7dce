// Checks that go although they are needed: by a bound that is one too far, one side of it, a size that may be 0, what
// another branch knows, numbers that do not wrap.
#include "props/dpia/mutants/parts.h"

namespace lockstep::props {
namespace {

using namespace kernel;

// One element too many.
const char* const one_too_far = "fun main [n] (xs : [n]i64) : [n+1]i64 = iota (n+1) |> map (\\i -> xs ! i)\n";
const char* const before_the_first = "fun main [n] (xs : [n]i64) : [n]i64 = iota n |> map (\\i -> xs ! (i - 1))\n";
const char* const by_a_size = "fun main [n] (k : nat) (xs : [n]i64) : [n]i64 = map (\\x -> x / k) xs\n";
const char* const in_the_other_branch =
    "fun main [n] (xs : [4]i64) : [n]i64 = iota n |> map (\\i -> if i < 4 then i else xs ! i)\n";
const char* const wrapping =
    "fun main [n] (xs : [n]i64) : [n]i64 =\n"
    "  iota n |> map (\\i -> xs ! (i * 4611686018427387904 / 4611686018427387904))\n";

// Without the checks that the stage takes out of `seen`, which is p but for what is wrong: a check's number is its
// message there.
Program without_needless_in(const Program& p, const KernelTransform& seen) {
  std::size_t n = 0;
  const auto number = [](std::size_t& count) {
    return on_statements([&count](const Stmt& s) {
      Stmt out = s;
      if (auto* c = std::get_if<kernel::Check>(&out.node)) c->message = std::to_string(count++);
      return std::vector<Stmt>{std::move(out)};
    });
  };
  const Program left = without_needless_checks(seen(number(n)(p)));
  std::set<std::string> kept;
  each_statement(left.body, [&](const Stmt& s) {
    if (const auto* c = std::get_if<kernel::Check>(&s.node)) kept.insert(c->message);
  });
  std::size_t k = 0;
  return on_statements([&](const Stmt& s) {
    const bool goes = std::holds_alternative<kernel::Check>(s.node) && !kept.contains(std::to_string(k++));
    return goes ? std::vector<Stmt>{} : std::vector<Stmt>{s};
  })(p);
}

Toolchain taken_out_of(const KernelTransform& seen) {
  return tools_with("checks",
                    [seen](const Program&, const Program& before) { return without_needless_in(before, seen); });
}
KernelTransform on_checks(const ExprChange& change) {
  return on_statements([change](const Stmt& s) {
    Stmt out = s;
    if (auto* c = std::get_if<kernel::Check>(&out.node)) c->ok = rewritten(c->ok, change);
    return std::vector<Stmt>{std::move(out)};
  });
}

const ScalarOp* operator_in(const Expr& e) {
  const auto* a = std::get_if<kernel::Apply>(&e.node);
  return a && a->primitive ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
}
// i <= n for i < n.
Expr one_further(const Expr& e) {
  const auto* op = operator_in(e);
  if (!op || !op->compares || op->compares->relation != lockstep::Comparison::Less || op->compares->swapped) return e;
  Expr out = e;
  auto& arguments = std::get<kernel::Apply>(out.node).arguments;
  if (arguments[1]->type == KType{}) arguments[1] = ExprRef(arith(ArithOp::Add, *arguments[1], constant(1)));
  return out;
}
// Of two conditions the second.
Expr upper_side(const Expr& e) {
  const auto* op = operator_in(e);
  return op && op->decided_by == std::optional(false) ? *std::get<kernel::Apply>(e.node).arguments[1] : e;
}
Program with_positive_sizes(const Program& p) {
  Program out = p;
  for (const std::string& s : p.sizes) out.facts.push_back({1, SizeRelation::LessEqual, Size::name(s)});
  return out;
}
std::vector<Stmt> other_way_round(const Stmt& s) {
  const auto* i = std::get_if<kernel::If>(&s.node);
  if (!i) return {s};
  return {Stmt{kernel::If{
      Expr{{ScalarType::Bool, 1},
           Choose{ExprRef(i->condition), ExprRef(constant(make_bool(false))), ExprRef(constant(make_bool(true)))}},
      i->then, i->otherwise}}};
}

// What stands before loops, where the stage has put it.
KernelTransform on_early(const std::function<std::vector<Stmt>(const kernel::If&, const Block&)>& change) {
  return on_statements([change](const Stmt& s) -> std::vector<Stmt> {
    const auto* i = std::get_if<kernel::If>(&s.node);
    const auto* b = i ? std::get_if<Block>(&i->then->node) : nullptr;
    const bool early = b && b->statements.size() > 1 && std::holds_alternative<kernel::Check>(b->statements[0].node) &&
                       std::holds_alternative<For>(b->statements.back().node);
    return early ? change(*i, *b) : std::vector{s};
  });
}
std::vector<Stmt> always(const kernel::If&, const Block& b) { return {Stmt{b}}; }
std::vector<Stmt> too_strict(const kernel::If& i, const Block& b) {
  Block out = b;
  for (Stmt& s : out.statements)
    if (auto* c = std::get_if<kernel::Check>(&s.node))
      if (auto* a = std::get_if<Arith>(&c->ok.node)) a->left = arith(ArithOp::Add, *a->left, constant(1));
  return {Stmt{kernel::If{i.condition, Stmt{std::move(out)}, i.otherwise}}};
}
std::vector<Stmt> one_round_more(const Stmt& s) {
  Stmt out = s;
  if (auto* f = std::get_if<For>(&out.node); f && !constant_of(f->extent))
    f->extent = arith(ArithOp::Add, f->extent, constant(1));
  return {std::move(out)};
}

}  // namespace

Expr unwrapped(const Expr& e) {
  const auto* op = operator_in(e);
  if (!op || op->on_sizes == 0 || e.type != KType{}) return e;
  const auto& arguments = std::get<kernel::Apply>(e.node).arguments;
  const auto symbol = std::string_view("+-*/%").find(op->on_sizes);
  return symbol < 3 ? arith(static_cast<ArithOp>(symbol), *arguments[0], *arguments[1]) : e;
}

void check_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "check");
  const auto on_both = [](const char* text) {
    return std::vector<DirectedProgram>{{text, Machine::Cpu}, {text, Machine::Gpu}};
  };
  add("check-one-too-far", "a check goes where an index is at most the bound", taken_out_of(on_checks(one_further)),
      on_both(one_too_far));
  add("check-of-one-side", "a check goes where an index is below the bound, be it negative or not",
      taken_out_of(on_checks(upper_side)), on_both(before_the_first));
  add("check-of-a-size", "a divisor that is a size is taken for 1 or more", taken_out_of(with_positive_sizes),
      on_both(by_a_size));
  add("check-of-the-other-branch", "a check goes by what holds in the other branch",
      taken_out_of(on_statements(other_way_round)), on_both(in_the_other_branch));
  const char* const in_a_loop = "fun main [n] (xs : [n]i64) : i64 = reduceSeq (\\i s -> s + xs ! (i + 1)) 0 (iota n)\n";
  add("early-check-always", "a check before a loop is made where the loop has no iteration",
      tools_with("early-checks", on_early(always)), {{in_a_loop}});
  add("early-check-too-strict", "a check before a loop is of the iteration after the last",
      tools_with("early-checks", on_early(too_strict)),
      {{"fun main [n] (xs : [n][n]i32) : [n][n]i32 = permute (\\x _ -> x) xs (generate n i64) xs\n"}});
  add("counted-once-more", "a loop that is counted goes round once too often",
      tools_with("counted",
                 [](const Program& after, const Program& before) {
                   return after == before ? after : on_statements(one_round_more)(after);
                 }),
      {{"fun main (n : i64) : i64 = snd (while (\\(i, _) -> i < n) (\\(i, s) -> (i + 1, s + i)) (0, 0))\n"}});
  add("check-of-what-wraps", "sums and products of i64 are taken for exact", taken_out_of(on_expressions(unwrapped)),
      on_both(wrapping));
}

}  // namespace lockstep::props

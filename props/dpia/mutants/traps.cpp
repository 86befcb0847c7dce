// Traps that are dropped, come too late, at the wrong edge, or where the source has none.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"

namespace lockstep::props {
namespace {

using kernel::Stmt;

// 0 <= i && i <= n
PhraseRef nearly_inside(Translation& t, const PhraseRef& i, const Size& n) { return inside(t, i, n + Size(1)); }

KernelTransform without_checks(const char* primitive, const char* message) {
  return on_statements([=](const Stmt& s) -> std::vector<Stmt> {
    const auto* c = std::get_if<kernel::Check>(&s.node);
    if (c && c->primitive == primitive && c->message.find(message) != std::string::npos) return {};
    return {s};
  });
}

// What traps rightly, and says what is not so.
KernelTransform saying(const std::function<void(kernel::Check&)>& change) {
  return on_statements([=](const Stmt& s) -> std::vector<Stmt> {
    Stmt out = s;
    if (auto* c = std::get_if<kernel::Check>(&out.node)) change(*c);
    return {out};
  });
}
void more_by_one(kernel::Expr& e) {
  if (e.type == kernel::KType{}) e = kernel::arith(kernel::ArithOp::Add, e, kernel::constant(1));
}

// Negative indices are looked up like others.
std::vector<Stmt> without_negative_test(const Stmt& s) {
  const auto* i = std::get_if<kernel::If>(&s.node);
  const auto* test = i ? std::get_if<kernel::Arith>(&i->condition.node) : nullptr;
  if (!test || test->op != kernel::ArithOp::LessEqual || !(*test->left == kernel::constant(0))) return {s};
  return {*i->then};
}

std::vector<Stmt> with_checks_last(const Stmt& s) {
  const auto* b = std::get_if<kernel::Block>(&s.node);
  if (!b) return {s};
  std::vector<Stmt> first, last;
  for (const Stmt& x : b->statements) (std::holds_alternative<kernel::Check>(x.node) ? last : first).push_back(x);
  first.insert(first.end(), last.begin(), last.end());
  return {Stmt{kernel::Block{std::move(first)}}};
}

bool only_checks(const Stmt& s) {
  if (const auto* b = std::get_if<kernel::Block>(&s.node))
    return b->statements.size() == 1 && only_checks(b->statements[0]);
  return std::holds_alternative<kernel::Check>(s.node);
}
std::vector<Stmt> without_last_check(const Stmt& s) {
  const auto* f = std::get_if<kernel::For>(&s.node);
  if (!f || !only_checks(*f->body)) return {s};
  kernel::For shorter = *f;
  const auto last = kernel::arith(kernel::ArithOp::Subtract, f->extent, kernel::constant(1));
  const auto none = kernel::arith(kernel::ArithOp::Less, f->extent, kernel::constant(1));
  shorter.extent = {kernel::KType{}, kernel::Choose{none, kernel::constant(0), last}};
  return {Stmt{std::move(shorter)}};
}

// The guard of a scalar operator changed.
MakeCalculus guarded(const char* name, std::function<void(ScalarType, ScalarOp::Guard&)> change) {
  return altered<ScalarOp>(name, [change](ScalarOp& op) {
    op.guard = [change, right = op.guard](ScalarType t) {
      auto guard = right(t);
      if (guard) change(t, *guard);
      return guard;
    };
  });
}
MakeCalculus unguarded(const char* name) {
  return altered<ScalarOp>(name, [](ScalarOp& op) { op.guard = nullptr; });
}
// Loops over nothing but checks of divisions, as vectors have them.
std::vector<Stmt> without_lanes_checked(const Stmt& s) {
  const auto* loop = std::get_if<kernel::For>(&s.node);
  bool checks = false, other = false;
  if (loop)
    kernel::each_statement(*loop->body, [&](const Stmt& inner) {
      const auto* c = std::get_if<kernel::Check>(&inner.node);
      checks = checks || (c && c->primitive == "/");
      other = other || std::holds_alternative<kernel::Store>(inner.node) ||
              std::holds_alternative<kernel::Assign>(inner.node);
    });
  return checks && !other ? std::vector<Stmt>{} : std::vector{s};
}

PhraseRef without_unused_let(const PhraseRef& p) {
  const auto* x = as<LetPhrase>(*p);
  if (!x) return p;
  std::set<std::string> used;
  collect_free(*x->body, used);
  return used.contains(x->name) ? p : x->body;
}

// The branch after then evaluated before its if.
PhraseRef eager_branch(const PhraseRef& p) {
  const auto* x = as<IfPhrase>(*p);
  if (!x) return p;
  const std::string first = "eager_" + std::to_string(node_count(*p));
  return let(first, x->then,
             Phrase{p->type, IfPhrase{x->condition, ident(first, x->then->type), x->otherwise}, p->region});
}
// Argument k of a lazy primitive evaluated before it.
PhraseRef eager(const PhraseRef& p, const char* name, std::size_t k) {
  const auto* x = as<PrimPhrase>(*p);
  if (!x || x->primitive->name != name) return p;
  PrimPhrase out = *x;
  const std::string first = "eager_" + std::to_string(node_count(*p));
  out.arguments[k] = ident(first, x->arguments[k]->type);
  return let(first, x->arguments[k], Phrase{p->type, std::move(out), p->region});
}

void mutants_that_say_another(std::vector<Mutant>& all) {
  const auto stage = planting<&Mutant::tools>(all, "trap");
  stage("trap-other-length", "a trap shows a length that is too large by one",
        tools_with_last(saying([](kernel::Check& c) {
          if (c.values.size() == 2) more_by_one(c.values[1]);
        })),
        {{"fun main [n] (xs : [n]i32) (is : [n]i64) : [n]i32 = gather is xs\n"}});
  stage("trap-other-index", "a trap shows an index that is too large by one",
        tools_with_last(saying([](kernel::Check& c) {
          if (!c.values.empty()) more_by_one(c.values[0]);
        })),
        {{"fun main [n] (xs : [n]i32) : i32 = xs ! i64 n\n"}});
  stage("trap-values-exchanged", "a trap shows its values in another order",
        tools_with_last(saying([](kernel::Check& c) { std::reverse(c.values.begin(), c.values.end()); })),
        {{"fun main [n] (xs : [n]i32) (ys : [n]i32) : [n]i32 = map (\\p -> fst p / snd p) (zip xs ys)\n"}});
  stage("trap-other-primitive", "a trap of permute says scatter", tools_with_last(saying([](kernel::Check& c) {
          if (c.primitive == "permute") c.primitive = "scatter";
        })),
        {{"fun main [n] (xs : [n]i32) (is : [n]i64) : [n]i32 = permute (+) xs is xs\n"}});
  stage("trap-elsewhere", "a trap stands at the program's first character",
        tools_with_last(saying([](kernel::Check& c) { c.region.begin = 0, c.region.end = 1; })),
        {{"fun main [n] (xs : [n]i32) : i32 = xs ! i64 n\n"}});
}

}  // namespace

void trap_mutants(std::vector<Mutant>& all) {
  const auto calculus = planting<&Mutant::calculus>(all, "trap");
  const auto stage = planting<&Mutant::tools>(all, "trap");
  calculus("gather-unchecked", "gather does not check its indices",
           altered<View>("gather", [](View& v) { v.check = nullptr; }));
  calculus("index-unchecked", "an index is not checked", altered<View>("!", [](View& v) { v.check = nullptr; }));
  calculus("index-check-edge", "an index may be the array's length",
           altered<View>("!",
                         [](View& v) {
                           v.check = [](Translation& t, const Instance& at, const std::vector<PhraseRef>& args) {
                             return check(nearly_inside(t, args[1], at.size(0)), "!", "index {0} is outside [0, {1})",
                                          {args[1], nat(at.size(0))}, t.where());
                           };
                         }),
           {{"fun main [n] (xs : [n]i32) : i32 = xs ! i64 n\n"}});
  calculus("division-checks-dividend", "a division traps where the dividend is zero",
           guarded("/", [](ScalarType t, ScalarOp::Guard& guard) {
             guard.ok = apply(scalars::Operation::NotEqual, scalars::argument(0, t), scalars::constant(t, 0));
           }));
  calculus("conversion-traps-on-negatives", "a float below zero cannot become an i32",
           guarded("i32",
                   [](ScalarType t, ScalarOp::Guard& guard) {
                     guard.ok =
                         apply(scalars::Operation::GreaterEqual, scalars::argument(0, t), scalars::constant(t, 0));
                   }),
           {{"fun main [n] (xs : [n]f32) : [n]i32 = map i32 xs\n"}});
  calculus("division-unguarded", "a division does not check its divisor", unguarded("/"));
  calculus("remainder-unguarded", "a remainder does not check its divisor", unguarded("%"));
  calculus("conversion-unguarded", "a float becomes an i32 without a check of its range", unguarded("i32"),
           {{"fun main [n] (xs : [n]f32) : [n]i32 = map (\\x -> i32 (1e9 * x)) xs\n"}});
  stage("division-unguarded-on-vectors", "a division of short vectors does not check its lanes",
        tools_with_last(on_statements(without_lanes_checked)),
        {{"fun main [n] (xs : [4*n]i32) (ys : [4*n]i32) : [4*n]i32 =\n"
          "  asScalar (map (\\p -> fst p / snd p) (zip (asVector 4 xs) (asVector 4 ys)))\n"}});
  stage("scatter-duplicates", "scatter does not notice an index that occurs twice",
        tools_with_last(without_checks("scatter", "twice")));
  stage("distinct-believed", "every scatter's places are held to be distinct",
        tools_with("distinct-places", on_phrases([](const PhraseRef& p) -> PhraseRef {
                     const PrimPhrase* x = rewriting::as_call(*p, "scatterBy");
                     if (!x) return p;
                     PrimPhrase out = *x;
                     out.primitive = standard_calculus().primitive("scatterDistinct");
                     return Phrase{p->type, std::move(out), p->region};
                   })),
        {{"fun main [n] (is : [n]i64) (xs : [n]i32) : [2]i32 = scatter (replicate 2 0) (map (\\i -> i & 1) is) xs\n"}});
  stage("update-range", "update does not check that an index is inside",
        tools_with_last(without_checks("update", "outside")));
  stage("spread-missing", "by threads spread does not notice a place without an element",
        tools_with_last(without_checks("spread", "no element")),
        {{"fun main [m n] (xs : [m][n]i32) : [m*n]i32 = spreadGlobal n (\\p -> fst p + snd p) xs\n", Machine::Gpu}});
  stage("spread-range", "spread does not check that a place is inside",
        tools_with_last(without_checks("spread", "outside")),
        {{"fun main [m n] (xs : [m][n]i32) : [m*n]i32 = spread n (\\p -> fst p * i64 n + snd p + 1) xs\n"}});
  stage("scatter-range", "scatter does not check that an index is below the length",
        tools_with_last(without_checks("scatter", "outside")));
  stage("permute-range", "permute does not check that an index is below the length",
        tools_with_last(without_checks("permute", "outside")));
  stage("negative-index", "scatter and permute look up negative indices too",
        tools_with_last(on_statements(without_negative_test)));
  stage("check-too-late", "what can trap is done before it is checked",
        tools_with_last(on_statements(with_checks_last)));
  stage("check-misses-last", "the last index of a gather is not checked",
        tools_with_last(on_statements(without_last_check)),
        {{"fun main [n] (is : [n]i64) (xs : [7]i32) : [n]i32 = map (\\x -> x + 1) (gather is xs)\n"}});
  stage("unused-let", "a let whose value is not read is left out, with its trap",
        tools_with("strategies", on_phrases(without_unused_let)),
        {{"fun main [n] (xs : [n]i32) (i : i64) : i32 = let x = xs ! i in 3\n"}});
  stage("and-eager", "&& evaluates both its sides",
        tools_with("strategies", on_phrases([](const PhraseRef& p) { return eager(p, "&&", 1); })),
        {{"fun main [n] (xs : [n]i32) (i : i64) : bool = 0 <= i && i < i64 n && xs ! i > 0\n"}});
  stage("or-eager", "|| evaluates both its sides",
        tools_with("strategies", on_phrases([](const PhraseRef& p) { return eager(p, "||", 1); })),
        {{"fun main [n] (xs : [n]i32) (i : i64) : bool = i < 0 || i >= i64 n || xs ! i > 0\n"}});
  stage("if-eager", "if evaluates a branch that is not taken", tools_with("strategies", on_phrases(eager_branch)),
        {{"fun main [n] (xs : [n]i32) (i : i64) : i32 = if 0 <= i && i < i64 n then xs ! i else 0\n"}});
  mutants_that_say_another(all);
}

}  // namespace lockstep::props

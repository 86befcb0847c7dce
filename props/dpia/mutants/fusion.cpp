// What is known of a program when it is fused, and what stands against it, made wrong.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/operators.h"

namespace lockstep::props {
namespace {

using fusion::Algebra, fusion::Case, fusion::Graph;

Toolchain fused_by(const fusion::Parts& parts) {
  return tools_with("fuse-loops", PhraseTransform([parts](const PhraseProgram&, const PhraseProgram& before, Machine) {
                      return fused(before, standard_calculus(), parts);
                    }));
}
Toolchain with_statements(const std::function<void(fusion::Statement&)>& change) {
  return fused_by({[change](const Graph& g) { return g.changed(change, [](fusion::Block&) {}); }, nullptr});
}
// Functions of loops are called once, as far as is known.
Graph called_once(const Graph& g) {
  return g.changed(
      [](fusion::Statement& s) {
        s.branches.insert(s.branches.end(), s.bodies.begin(), s.bodies.end());
        s.bodies.clear();
      },
      [](fusion::Block& b) { b.is_body = false; });
}

Toolchain without(Case why) {
  return fused_by({nullptr, [why](Algebra& right, const Graph& g) -> std::unique_ptr<Algebra> {
                     return std::make_unique<fusion::WithoutCase>(right, g, why);
                   }});
}
// What is merged is decided twice: the second time it goes over what it was itself.
PhraseRef taken_twice(const PhraseRef& p) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  const auto* f = loop && loop->takes == 1U ? as<LambdaPhrase>(*x->arguments[0]) : nullptr;
  if (!f || !(f->parameter == f->body->type)) return p;
  PrimPhrase out = *x;
  out.arguments[0] = lambda(f->name, f->parameter, substitute(f->body, {{f->name, f->body}}));
  return Phrase{p->type, std::move(out), p->region};
}

// Arrays of one type that a fused loop goes over, the one for the other.
PhraseRef exchanged(const PhraseRef& p) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* zip = x && x->primitive->name == "zip" && x->types[0] == x->types[1] ? x : nullptr;
  if (!zip) return p;
  PrimPhrase out = *zip;
  std::swap(out.arguments[0], out.arguments[1]);
  return Phrase{p->type, std::move(out), p->region};
}
PhraseRef starts_exchanged(const PhraseRef& p) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* start = x && x->primitive->name == "reduce" ? as<PrimPhrase>(*x->arguments[1]) : nullptr;
  if (!start || start->primitive->name != "pair" || !(start->types[0] == start->types[1])) return p;
  PrimPhrase turned = *start, out = *x;
  std::swap(turned.arguments[0], turned.arguments[1]);
  out.arguments[1] = Phrase{x->arguments[1]->type, std::move(turned), {}};
  return Phrase{p->type, std::move(out), p->region};
}
// Loops of which the result is a map's are done, and their function is forgotten.
PhraseRef forgotten(const PhraseRef& p) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  const auto* f = loop && loop->takes == 1U ? as<LambdaPhrase>(*x->arguments[0]) : nullptr;
  return f && x->types[0] == x->types[1] ? x->arguments[1] : p;
}

// One that finds the place of an element by a function, and has another for its value.
const PrimPhrase* loop_by_place(const PhraseRef& p) {
  const auto* x = as<PrimPhrase>(*p);
  const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr;
  return loop && loop->functions == 2 ? x : nullptr;
}
// Of an array's own zipped elements, one of two functions of one type for the other.
PhraseRef functions_exchanged(const PhraseRef& p) {
  const PrimPhrase* x = loop_by_place(p);
  if (!x || !(x->arguments[0]->type == x->arguments[1]->type)) return p;
  PrimPhrase out = *x;
  std::swap(out.arguments[0], out.arguments[1]);
  return Phrase{p->type, std::move(out), p->region};
}
// The result of the first function, one more.
PhraseRef next_place(const PhraseRef& p) {
  const PrimPhrase* x = loop_by_place(p);
  const auto* f = x ? as<LambdaPhrase>(*x->arguments[0]) : nullptr;
  if (!f) return p;
  PrimPhrase out = *x;
  const PhraseRef one = literal(make_integer(ScalarType::I64, 1));
  out.arguments[0] = lambda(f->name, f->parameter, apply_operator(scalar_operator("+"), {f->body, one}));
  return Phrase{p->type, std::move(out), p->region};
}
// What was there before is forgotten where an element comes.
PhraseRef over_the_old(const PhraseRef& p) {
  const PrimPhrase* x = loop_by_place(p);
  const auto* f = x ? as<LambdaPhrase>(*x->arguments[1]) : nullptr;
  const auto* old = f ? as<LambdaPhrase>(*f->body) : nullptr;
  if (!old || !(data_of(*old->body) == scalar(ScalarType::I32))) return p;
  PrimPhrase out = *x;
  const PhraseRef step = substitute(old->body, {{old->name, literal(make_integer(ScalarType::I32, 0))}});
  out.arguments[1] = lambda(f->name, f->parameter, lambda(old->name, old->parameter, step));
  return Phrase{p->type, std::move(out), p->region};
}

}  // namespace

void fusion_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "fusion");
  add("fusion-uses-none", "an array that is read by its index, too, is fused away",
      with_statements([](fusion::Statement& s) { s.uses.clear(); }),
      {{"fun main [n] (xs : [n]i32) : i32 where n >= 1 =\n"
        "  let ys = map (\\x -> x * x) xs in reduce (\\y acc -> max y acc) (ys ! 0) ys\n"}});
  add("fusion-into-functions", "a map goes into the function of another loop, which computes it again and again",
      fused_by({called_once, nullptr}),
      {{"fun main [n] (xs : [n]i32) : [n][n]i32 =\n"
        "  let ys = map (\\x -> x * x + x) xs in map (\\x -> map (\\y -> x + y) ys) xs\n"}});
  add("fusion-loses-traps", "a map that may trap goes into a branch that may not be taken", without(Case::LostCheck),
      {{"fun main [n] (c : bool) (xs : [n]i32) : i32 =\n"
        "  let ys = map (\\x -> 100 / (x & 1)) xs in if c then reduce (\\y acc -> max y acc) 0 ys else 0\n"}});
  add("fusion-leaves-traps-out", "a map that may trap makes only what a view of it has", without(Case::LostCheck),
      {{"fun main [n] (xs : [n+1]i32) : i32 = reduce (+) 0 (take n (map (\\x -> 100 / (x & 1)) xs))\n"}});
  add("fusion-of-siblings", "a map whose array is two components of an element is computed for each",
      without(Case::Siblings),
      {{"fun main [n] (xs : [n]i32) : [n]i32 =\n"
        "  let ys = map (\\x -> x * x + x) xs in map (\\(a, b) -> a * b) (zip ys ys)\n"}});
  add("fusion-exchanged", "arrays that a fused loop goes over change places",
      tools_with("fuse-loops", where_changed(exchanged)),
      {{"fun main [n] (xs ys : [n]i32) : [n]i32 = map (\\(x, y) -> x - y) (zip (map (\\x -> x + 1) xs) ys)\n"}});
  add("fusion-forgotten", "a fused map is not done at all", tools_with("fuse-loops", where_changed(forgotten)),
      {{"fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * 2) (map (\\x -> x + 1) xs)\n"}});
  add("fusion-twice", "a fused function is applied to what it gives",
      tools_with("fuse-loops", where_changed(taken_twice)),
      {{"fun main [n] (xs : [n]i32) : [n]i32 = map (\\x -> x * 2) (map (\\x -> x + 1) xs)\n"}});
  add("fusion-place-for-value", "a scatter writes places at values",
      tools_with("fuse-loops", where_changed(functions_exchanged)),
      {{"fun main [n] (xs : [n]i64) : [9]i64 =\n"
        "  scatter (replicate 9 0) (map (\\i -> i % 9) (iota n)) (map (\\x -> x & 7) xs)\n"}});
  add("fusion-joined-starts", "reductions that become one of pairs change their starts",
      tools_with("fuse-loops", where_changed(starts_exchanged)),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (+) 1 xs - reduce (^) 2 xs\n"}});
  add("fusion-next-place", "what is fused into a permute goes one place further",
      tools_with("fuse-loops", where_changed(next_place)),
      {{"fun main [n] (xs : [n]i32) : [9]i32 = permute (+) (replicate 9 0) (map (\\x -> i64 (x & 7)) xs) xs\n"}});
  add("fusion-over-the-old", "a permute that something is fused into forgets what was there",
      tools_with("fuse-loops", where_changed(over_the_old)),
      {{"fun main [n] (xs : [n]i32) : [2]i32 = permute (+) (replicate 2 5) (map (\\x -> i64 (x & 1)) xs) xs\n"}});
  add("fusion-loses-traps-of-values", "a value that may trap is made only where a place is wanted",
      without(Case::LostCheck),
      {{"fun main [n] (xs : [n]i32) : [2]i32 =\n"
        "  permute (+) (replicate 2 5) (map (\\_ -> 0 - 1) xs) (map (\\x -> 100 / (x & 1)) xs)\n"}});
}

}  // namespace lockstep::props

// Index arithmetic and loop bounds: optimised wrongly, at the edges of ranges, on empty and one-element arrays, under
// facts that do not hold.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/paths.h"

namespace lockstep::props {
namespace {

using namespace kernel;

ExprChange on_arithmetic(const std::function<Expr(const Expr& e, const Arith& a)>& change) {
  return [change](const Expr& e) {
    const auto* a = std::get_if<Arith>(&e.node);
    return a ? change(e, *a) : e;
  };
}

// Of loops of either kind: another extent.
KernelTransform with_extents(const std::function<Expr(const Expr&)>& extent, bool sequential, bool parallel) {
  return on_statements([=](const Stmt& s) -> std::vector<Stmt> {
    if (const auto* f = std::get_if<For>(&s.node); f && sequential)
      return {Stmt{For{f->name, extent(f->extent), f->body, f->unroll}}};
    if (const auto* p = std::get_if<ParallelFor>(&s.node); p && parallel)
      return {Stmt{ParallelFor{p->level, p->name, extent(p->extent), p->scratch, p->body, p->units}}};
    return {s};
  });
}
Expr minus_one(const Expr& n) { return arith(ArithOp::Subtract, n, constant(1)); }
Expr one_less(const Expr& n) {
  return {KType{}, Choose{arith(ArithOp::Less, n, constant(1)), constant(0), minus_one(n)}};
}
Expr plus_one(const Expr& n) { return arith(ArithOp::Add, n, constant(1)); }
Expr in_fours(const Expr& n) { return arith(ArithOp::Multiply, arith(ArithOp::Divide, n, constant(4)), constant(4)); }
Expr at_least_one(const Expr& n) { return {KType{}, Choose{arith(ArithOp::Less, n, constant(1)), constant(1), n}}; }
Expr none_of_one(const Expr& n) { return {KType{}, Choose{arith(ArithOp::Equal, n, constant(1)), constant(0), n}}; }

// What 32 bits keep of a sum, a product or a quotient.
Expr in_32_bits(const Expr& e) {
  const std::int64_t half = std::int64_t{1} << 31;
  const Expr cut = arith(ArithOp::Modulo, arith(ArithOp::Add, e, constant(half)), constant(2 * half));
  return arith(ArithOp::Subtract, cut, constant(half));
}
bool gives_number(ArithOp op) {
  return op == ArithOp::Add || op == ArithOp::Subtract || op == ArithOp::Multiply || op == ArithOp::Divide ||
         op == ArithOp::Modulo;
}

PhraseTransform assuming(const std::function<std::vector<SizeFact>(const std::vector<std::string>& sizes)>& facts) {
  return [facts](const PhraseProgram& p, const PhraseProgram&, Machine) {
    PhraseProgram out = p;
    for (SizeFact& f : facts(p.sizes)) out.facts.push_back(std::move(f));
    return out;
  };
}

// A reader that takes i <= n for a proof of i < n.
class EdgeReader final : public PathReader {
 public:
  explicit EdgeReader(PathReader& r) : r_(r) {}
  Expr read(std::size_t argument, Path path) override { return r_.read(argument, std::move(path)); }
  Expr number(const Size& s) override { return r_.number(s); }
  Size opaque(Expr i) override { return r_.opaque(std::move(i)); }
  std::optional<bool> decide(const SizeFact& f) override {
    if (f.relation == SizeRelation::Less && r_.decide({f.left, SizeRelation::LessEqual, f.right}) == true) return true;
    return r_.decide(f);
  }
  Expr test(const SizeFact& f) override { return r_.test(f); }
  Expr choose(Expr condition, const std::function<Expr()>& then, const std::function<Expr()>& otherwise) override {
    return r_.choose(std::move(condition), then, otherwise);
  }
  Expr lanes(int width, const std::function<Expr(Size lane)>& at) override { return r_.lanes(width, at); }

 private:
  PathReader& r_;
};
MakeCalculus deciding_at_the_edge(const char* name) {
  return altered<View>(name, [](View& v) {
    v.read = [old = v.read](PathReader& r, const Instance& at, Path p) {
      EdgeReader edge(r);
      return old(edge, at, std::move(p));
    };
  });
}

}  // namespace

void index_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "index");
  const auto arithmetic = [&](const char* name, const char* description, ArithOp op,
                              const std::function<Expr(const Expr&, const Arith&)>& change,
                              std::vector<DirectedProgram> directed = {}) {
    add(name, description, tools_with_last(on_expressions(on_arithmetic([op, change](const Expr& e, const Arith& a) {
          return a.op == op ? change(e, a) : e;
        }))),
        std::move(directed));
  };
  const std::vector<DirectedProgram> rows{
      {"fun main [n] (xs : [3*n]i32) : [n][3]i32 = map (\\r -> r) (split 3 xs)\n"},
      {"fun main [n m] (a : [n][m]i32) : [n*m]i32 = map (\\x -> x + 1) (join a)\n"}};
  arithmetic(
      "remainder-dropped", "x % m is x", ArithOp::Modulo, [](const Expr&, const Arith& a) { return *a.left; }, rows);
  arithmetic(
      "quotient-rounds-up", "the quotient of an index rounds up", ArithOp::Divide,
      [](const Expr&, const Arith& a) {
        return arith(ArithOp::Divide, arith(ArithOp::Add, *a.left, minus_one(*a.right)), *a.right);
      },
      rows);
  arithmetic("product-as-sum", "i * c is i + c", ArithOp::Multiply,
             [](const Expr&, const Arith& a) { return arith(ArithOp::Add, *a.left, *a.right); });
  arithmetic("edge-included", "a test of an index includes the end of the range", ArithOp::Less,
             [](const Expr&, const Arith& a) { return arith(ArithOp::LessEqual, *a.left, *a.right); });
  arithmetic("edge-excluded", "a test of an index leaves out the start of the range", ArithOp::LessEqual,
             [](const Expr&, const Arith& a) { return arith(ArithOp::Less, *a.left, *a.right); });
  arithmetic("second-test-dropped", "of two tests of an index only the first is made", ArithOp::And,
             [](const Expr&, const Arith& a) { return *a.left; },
             {{"fun main [n] (xs : [n]i32) : [n+3]i32 = map (\\x -> x + 1) (pad 1 2 7 xs)\n"}});
  const ExprChange short_index =
      on_arithmetic([](const Expr& e, const Arith& a) { return gives_number(a.op) ? in_32_bits(e) : e; });
  add("index-in-32-bits", "what is read and written is found by arithmetic in 32 bits; checks and extents are right",
      tools_with_last(on_statements([short_index](const Stmt& s) -> std::vector<Stmt> {
        const bool computes = std::holds_alternative<Store>(s.node) || std::holds_alternative<Declare>(s.node) ||
                              std::holds_alternative<Assign>(s.node);
        return {computes ? kernel::rewritten(s, short_index) : s};
      })));
  add("last-iteration-dropped", "a sequential loop stops one iteration early",
      tools_with("paths", with_extents(one_less, true, false)));
  add("last-thread-dropped", "a parallel loop has one iteration too few",
      tools_with("paths", with_extents(one_less, false, true)));
  add("one-iteration-too-many", "a loop has one iteration too many",
      tools_with("paths", with_extents(plus_one, true, true)));
  add("rest-dropped", "a loop in steps of four leaves out the rest",
      tools_with("paths", with_extents(in_fours, true, true)));
  add("empty-array", "a loop over nothing runs once", tools_with("paths", with_extents(at_least_one, true, true)));
  add("one-element", "a loop over one element does not run",
      tools_with("paths", with_extents(none_of_one, true, true)));
  add("assumed-one", "every size is taken for 1",
      tools_with("hoist", assuming([](const std::vector<std::string>& sizes) {
                   std::vector<SizeFact> out;
                   for (const std::string& n : sizes) out.push_back({Size::name(n), SizeRelation::Equal, 1});
                   return out;
                 })));
  add("assumed-equal", "the sizes are taken to be equal",
      tools_with("hoist", assuming([](const std::vector<std::string>& sizes) {
                   std::vector<SizeFact> out;
                   for (std::size_t k = 1; k < sizes.size(); ++k)
                     out.push_back({Size::name(sizes[k - 1]), SizeRelation::Equal, Size::name(sizes[k])});
                   return out;
                 })));
  add("assumed-even", "every size is taken for a multiple of two",
      tools_with("hoist", assuming([](const std::vector<std::string>& sizes) {
                   std::vector<SizeFact> out;
                   for (const std::string& n : sizes) out.push_back({modulo(Size::name(n), 2), SizeRelation::Equal, 0});
                   return out;
                 })),
      {{"fun main [n] (xs : [n]i32) : [n/2*2]i32 = map (\\x -> x + 1) (take (n/2*2) xs)\n"}});
  Mutant edge{"decided-at-the-edge", "index", "an index that may be the length is taken to be below it",
              deciding_at_the_edge("concat")};
  edge.directed = {{"fun main [n] (xs : [n]i32) : [n+1]i32 = map (\\x -> x + 1) (concat xs [7])\n"}};
  all.push_back(std::move(edge));
  add("vector-load-shifted", "a vector is loaded one scalar too far", tools_with_last(on_expressions([](const Expr& e) {
        const auto* v = std::get_if<VectorLoad>(&e.node);
        return v ? Expr{e.type, VectorLoad{v->buffer, v->width, plus_one(*v->index)}} : e;
      })));
}

}  // namespace lockstep::props

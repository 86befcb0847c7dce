// Statements that are wrong, of each kind that is proved elsewhere: that each is refuted is the evidence that the
// proofs can fail. A wrong view is the standard calculus with one facet altered.
#include "proofs/calculus/list.h"
#include "proofs/calculus/loops/equations.h"
#include "proofs/calculus/operators/laws.h"
#include "proofs/calculus/strategies/view_algebra.h"
#include "semantics/primitives/operators.h"
#include "semantics/primitives/paths.h"

namespace lockstep::proofs {
namespace {

using ReadFacet = std::function<kernel::Expr(PathReader&, const Instance&, Path)>;
using PathFacet = std::function<Path(const Instance&, Path)>;

// ------------------------------------------------------------------------------------------------- views
CalculusRef altered(const std::string& view, const std::function<void(View&)>& alter) {
  Calculus calculus = standard_calculus();
  Primitive p = *calculus.primitive(view);
  alter(std::get<View>(p.kind));
  calculus.add(std::make_shared<const Primitive>(std::move(p)));
  return std::make_shared<const Calculus>(std::move(calculus));
}
CalculusRef with_read(const std::string& view, ReadFacet read) {
  return altered(view, [&](View& v) { v.read = std::move(read); });
}
CalculusRef with_path(const std::string& view, std::size_t k, PathFacet path) {
  return altered(view, [&](View& v) { v.acceptors.at(k).path = std::move(path); });
}

// The view's obligation whose claim starts so, in the altered calculus.
Obligation wrong_view(const std::string& view, const std::string& mistake, const std::string& claim,
                      const CalculusRef& calculus) {
  for (Obligation& o : view_obligations(calculus, view))
    if (o.claim.starts_with(claim)) {
      o.claim = mistake + ": " + o.claim;
      o.wrong = true;
      return o;
    }
  throw Bug("no claim about " + view + " starts with: " + claim);
}

Size first(const Path& p) { return index_of(p.at(0)); }
Size second(const Path& p) { return index_of(p.at(1)); }
kernel::Expr read_at(PathReader& r, const Path& p, std::size_t steps, const Size& index) {
  return r.read(0, replace_front(p, steps, {PathIndex{index}}));
}

std::vector<Obligation> wrong_paths() {
  const PathFacet by_m = [](const Instance& at, Path p) {
    return replace_front(p, 1, {PathIndex{floor_div(first(p), at.size(1))}, PathIndex{modulo(first(p), at.size(1))}});
  };
  const PathFacet column_for_row = [](const Instance& at, Path p) {
    return replace_front(p, 2, {PathIndex{second(p) * at.size(0) + first(p)}});
  };
  const PathFacet one_less = [](const Instance& at, Path p) {
    return replace_front(p, 1, {PathIndex{at.size(0) - first(p)}});
  };
  const ReadFacet no_stride = [](PathReader& r, const Instance&, Path p) {
    return read_at(r, p, 2, first(p) + second(p));
  };
  const ReadFacet identity = [](PathReader& r, const Instance&, Path p) { return r.read(0, std::move(p)); };
  const ReadFacet one_further = [](PathReader& r, const Instance& at, Path p) {
    return read_at(r, p, 2, first(p) * at.size(0) + second(p) + Size(1));
  };
  const auto of_first = [](const auto& sizes, std::span<const Value> args) {
    return delayed_array(sizes[1], [xs = args[0]](std::int64_t i) { return element_of(xs, i); });
  };
  return {
      wrong_view("split", "divided by the other size, as DPIA Fig. 6b", "A := split", with_path("split", 0, by_m)),
      wrong_view("split", "one element too far", "reads inside", with_read("split", one_further)),
      wrong_view("join", "row and column swapped", "joinAcc writes what", with_path("join", 0, column_for_row)),
      wrong_view("transpose", "the identity", "reads transpose", with_read("transpose", identity)),
      wrong_view("reverse", "one too far", "reverseAcc writes inside", with_path("reverse", 0, one_less)),
      wrong_view("concat", "the second array on the first", "concatAcc1 and concatAcc2 write apart",
                 with_path("concat", 1, [](const Instance&, Path p) { return p; })),
      wrong_view("replicate", "all places are one", "reads inside", with_read("replicate", identity)),
      wrong_view("zip", "both to the first component", "A := zip",
                 with_path("zip", 1,
                           [](const Instance&, Path p) {
                             const PathStep i = p.at(0);
                             return replace_front(p, 1, {i, PathProjection{1}});
                           })),
      wrong_view("asScalar", "every lane to the first", "asScalarAcc writes each place once",
                 with_path("asScalar", 0,
                           [](const Instance& at, Path p) { return path_of({PathIndex{first(p) * at.size(1)}}); })),
      wrong_view("slide", "the stride forgotten", "reads slide", with_read("slide", no_stride)),
      wrong_view("gather", "without its check", "reads inside", altered("gather", [](View& v) { v.check = nullptr; })),
      wrong_view("drop", "a meaning that drops nothing", "its equation",
                 altered("drop", [&](View& v) { v.meaning = of_first; })),
  };
}

// ------------------------------------------------------------------------------------------------- the translation
Obligation wrong(const std::string& group, const std::string& subject, const std::string& claim, const Question& q) {
  return {group, subject, claim, [=](const Solver& solver) { return decide_all({{q}}, 10000, solver); }, true};
}

// On whole numbers. s: the store; a and b are natural, so that a small counterexample is looked for.
const Term s = name("s", integer_store), a = name("a"), b = name("b"), one = number(1);

// The paper's reduceI (§4.2): T acc.2 acc.1, the step (a, b) -> (b, a + b) one component after the other in place.
Obligation step_in_place() {
  const Term acc = number(0), first = select(s, acc), second = select(s, acc + one);
  const auto fibonacci_1 = [](const Term&, const Term& y) { return y; };
  const auto fibonacci_2 = [](const Term& x, const Term& y) { return x + y; };
  const Term after = by_components(s, acc, acc, fibonacci_1, fibonacci_2);
  return wrong("translation", "reduceI", "the step in place, as DPIA §4.2: (a, b) becomes (b, a + b)",
               {{equal(first, a), equal(second, b)},
                all_of({equal(select(after, acc), b), equal(select(after, acc + one), a + b)}),
                {"a", "b"}});
}
// (5) where C writes what E reads: E is v.2, C(x) is v.1 := x + 1; o.1 := x.
Obligation interfering_temporary() {
  const Term v = number(0), o = one, tmp = number(2);
  const auto run = [&](const Term& begin, const std::function<Term(const Term&)>& x) {
    const Term half = store(begin, v, x(begin) + one);
    return select(store(half, o, x(half)), o);
  };
  const auto at = [](const Term& place) { return [place](const Term& now) { return select(now, place); }; };
  const Term by_name = run(s, at(v)), by_temporary = run(store(s, tmp, select(s, v)), at(tmp));
  return wrong("translation", "new", "(5) where C writes what E reads",
               {{equal(select(s, v), a)}, equal(by_name, by_temporary), {"a"}});
}
// parfor whose iterations i and i + 1 share a place.
Obligation shared_places() {
  const Term i = name("i"), j = name("j"), n = name("n"), p = name("p");
  const auto write = [](const Term& in, const Term& k) { return store(in, quotient(k, number(2)), k); };
  return wrong("translation", "mapI", "(4) two iterations that write A + i/2 may change places",
               {{within(i, n), within(j, n), unequal(i, j)},
                equal(select(write(write(s, i), j), p), select(write(write(s, j), i), p)),
                {"n"}});
}
// The output is written before the step: the inclusive scan of (+) from a, of the array that holds b.
Obligation output_too_early() {
  const Term acc = number(0), out = one, begun = store(s, acc, a), after = store(begun, out, select(begun, acc));
  return wrong("translation", "scanI", "the output before the step: its element 0 is b + a",
               {{}, equal(select(after, out), b + a), {"a", "b"}});
}

// ------------------------------------------------------------------------------------------------- strategies
std::vector<Obligation> wrong_laws() {
  const Term i = name("i"), k = name("k"), m = name("m"), x = name("x"), z = name("z"), e = name("e"), y = name("y");
  const ArrayTerm xs = array_named("xs");
  const ArrayTerm rows_of_m = through("split", {{"k", m}, {"m", k}}, {xs});
  const ArrayTerm joined_by_k = through("join", {{"m", m}, {"k", k}}, {rows_of_m});
  // The later of two that is not 0: associative, with 0 neutral, and not commutative.
  const auto last = [](const Term& later, const Term& earlier) {
    return choose(equal(later, number(0)), earlier, later);
  };
  return {
      wrong("strategies", "map fusion", "map f (map g xs) is map (\\x -> g (f x)) xs",
            {{within(i, m)}, equal(mapped("f", mapped("g", xs))({i}), mapped("g", mapped("f", xs))({i})), {"m"}}),
      wrong("strategies", "split-join", "join in rows of k after split m is the identity",
            {{at_most(one, k), within(i, m * k)}, equal(joined_by_k({i}), xs({i})), {"k", "m"}}),
      // one block of one element
      wrong("strategies", "reduce in blocks", "(+) from an e that is not neutral: x + z is (x + e) + z",
            {{}, equal(x + z, (x + e) + z), {"e", "x", "z"}}),
      // one block of two elements
      wrong("strategies", "reduce in blocks", "(-), which is not associative: y - (x - z) is (y - (x - 0)) - z",
            {{}, equal(y - (x - z), (y - (x - number(0))) - z), {"x", "y", "z"}}),
      // two blocks of two elements x y z 0
      wrong("strategies", "reduce in columns",
            "the last that is not 0, which is not commutative: of (x, z), then (y, 0)",
            {{}, equal(last(z, last(y, x)), last(y, last(z, x))), {"x", "y", "z"}}),
  };
}

std::vector<Obligation> wrong_operator_laws() {
  const auto law = [](const char* name, Law claimed, ScalarType t, std::int64_t identity = 0) {
    return operator_law(name, std::get<ScalarOp>(scalar_operator(name)->kind), claimed, {t}, identity);
  };
  std::vector<Obligation> all = {
      law("-", Law::Associative, ScalarType::I32), law("-", Law::Commutative, ScalarType::U8),
      law("/", Law::Associative, ScalarType::U8),  law("<", Law::Commutative, ScalarType::F32),
      law("+", Law::Associative, ScalarType::F32), law("&", Law::Identity, ScalarType::I64),
      law("min", Law::Identity, ScalarType::I32),
  };
  // A meaning that is not the term's.
  all.push_back({"operators", ">>", "a meaning that forgets the sign: its term is its meaning", [](const Solver&) {
                   ScalarOp logical = std::get<ScalarOp>(scalar_operator(">>")->kind);
                   logical.meaning = [](const Domain&, ScalarType t, std::span<const Scalar> x) {
                     return make_integer(t, x[0].bits >> (x[1].bits & static_cast<std::uint64_t>(bits_of(t) - 1)));
                   };
                   return meanings_agree(logical);
                 }});
  for (Obligation& o : all) o.wrong = true;
  return all;
}

}  // namespace

std::vector<Obligation> wrong_statements() {
  std::vector<Obligation> all = wrong_paths();
  for (const auto& more :
       {std::vector{shared_places(), interfering_temporary(), step_in_place(), output_too_early()}, wrong_facets(),
        wrong_scattered(), wrong_laws(), wrong_collective_laws(), wrong_interchange_laws(), wrong_part_laws(),
        wrong_window_laws(), wrong_permute_laws(), wrong_place_laws(), wrong_fusion_laws(), wrong_operator_laws()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace lockstep::proofs

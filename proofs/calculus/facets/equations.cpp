// if, generate and the memory primitives, whose translations are facets of their own (DPIA Fig. 5a as we amend it,
// §6.2): what the commands that they make do, for all stores and sizes, where their parts are translated rightly.
// s: store, A: place of the output, q: any place, c: condition, X, Y, F: what the parts mean, k: iteration.
#include "proofs/calculus/facets/terms.h"
#include "proofs/calculus/list.h"
#include "semantics/primitives/build.h"
#include "translate/dpia/fig5.h"

namespace lockstep::proofs {
namespace {

const Term A = name("A"), q = name("q"), k = name("k"), j = name("j"), n = name("n"), tmp = name("tmp");
const Term at_s = name("t", element_store), at_p = name("p"), at_i = name("i"), at_v = name("v", element_sort);

Loop facets(const std::string& primitive) { return std::get<Loop>(standard_calculus().primitive(primitive)->kind); }

using Goals = std::function<std::vector<Term>(const Term& after)>;
struct Claim {
  std::string primitive, text;
  std::variant<Loop, BranchClause> made_by;
  FacetParts parts;
  std::vector<Term> hypotheses;
  Goals goals;
  bool by_continuation = false;
  std::vector<std::string> sizes{};  // naturals, of counterexamples
};
Obligation obligation(const Claim& c) {
  return {"translation", c.primitive, c.text, [=](const Solver& solver) -> Outcome {
            const auto after = match(
                c.made_by, [&](const Loop& loop) { return facet_terms(loop, c.primitive, c.parts, c.by_continuation); },
                [&](const BranchClause& clause) { return branch_terms(clause, c.parts); });
            if (!after) return {Standing::Unknown, "", "its facet makes " + after.error()};
            std::vector<Case> cases;
            for (const Term& g : c.goals(*after)) cases.push_back({{c.hypotheses, g, c.sizes}});
            return decide_all(cases, 5000, solver);
          }};
}

// Unknown parts.
FacetParts unknown() {
  return {element_sort, element_store, [](const std::string& part, const Term& store, std::vector<Term> arguments) {
            arguments.insert(arguments.begin(), store);
            return call(part, element_sort, std::move(arguments));
          }};
}
Term part(const char* f, std::vector<Term> arguments) { return call(f, element_sort, std::move(arguments)); }
Term s_of(const FacetParts& p) { return name("s", p.store); }

// After it A holds `value`, and every other place but the temporary's what it held.
Term written_at(const FacetParts& p, const Term& after, const Term& value) {
  const Term elsewhere = implies(unequal(q, tmp), equal(select(after, q), select(s_of(p), q)));
  return choose(equal(q, A), equal(select(after, q), value), elsewhere);
}

Claim branch(const BranchClause& clause, const std::string& text, const FacetParts& parts) {
  const Term s = s_of(parts);
  const Term taken = choose(name("c", boolean), parts.meaning("x", s, {}), parts.meaning("y", s, {}));
  return {"if", text, clause, parts, {}, [=](const Term& after) -> std::vector<Term> {
            return {equal(select(after, q), choose(equal(q, A), taken, select(s, q)))};
          }};
}

// generate: f reads nothing at the places that are written, as map's E.
std::vector<Claim> generated() {
  const Term s = name("s", element_store), s0 = name("s0", element_store);
  const Term elsewhere = for_all({at_s, at_p, at_v, at_i},
                                 implies(all_of({at_most(A, at_p), less(at_p, A + n)}),
                                         equal(part("f", {store(at_s, at_p, at_v), at_i}), part("f", {at_s, at_i}))));
  const auto done = [=](const Term& now, const Term& count, const Term& p) {
    return equal(select(now, p),
                 choose(all_of({at_most(A, p), less(p, A + count)}), part("f", {s0, p - A}), select(s0, p)));
  };
  const Term as_at_first = for_all({at_i}, equal(part("f", {s, at_i}), part("f", {s0, at_i})));
  return {
      {"generate",
       "step: iteration k writes f k to element k, and nothing else",
       facets("generate"),
       unknown(),
       {elsewhere, within(k, n), for_all({at_p}, done(s, k, at_p)), as_at_first},
       [=](const Term& after) -> std::vector<Term> {
         return {done(after, k + number(1), q), equal(part("f", {after, j}), part("f", {s0, j}))};
       }},
      {"generate",
       "two iterations may change places",
       facets("generate"),
       unknown(),
       {elsewhere, within(k, n), within(j, n), unequal(j, k)},
       [=](const Term& after) -> std::vector<Term> {
         const Term with_j = substitute(after, {{"k", j}});
         return {equal(select(substitute(with_j, {{"s", after}}), q), select(substitute(after, {{"s", with_j}}), q))};
       }}};
}

std::vector<Claim> in_memory(const std::string& primitive) {
  const Term x = name("x", element_sort), s = name("s", element_store);
  const Term result = part("f", {s, x});
  const Loop loop = facets(primitive);
  return {{primitive,
           "A holds f x, and only A and the temporary are written",
           loop,
           unknown(),
           {unequal(A, tmp)},
           [=](const Term& after) -> std::vector<Term> { return {written_at(unknown(), after, result)}; }},
          {primitive,
           "what comes after is given f x, in a store that differs in the temporary alone",
           loop,
           unknown(),
           {},
           [=](const Term& after) -> std::vector<Term> {
             return {equal(after, call("D", element_store, {store(s, tmp, result), result}))};
           },
           true}};
}

// On whole numbers, so that a counterexample can be read.
FacetParts numbers() {
  return {integer, integer_store, [](const std::string& part, const Term&, const std::vector<Term>& arguments) {
            return arguments.empty() ? name(part) : arguments[0] + number(1);
          }};
}

}  // namespace

std::vector<Obligation> facet_obligations() {
  std::vector<Obligation> all = {
      obligation(branch(branch_into, "A[if c E1 E2](A) writes the branch that is taken, and nothing else", unknown()))};
  for (const Claim& c : generated()) all.push_back(obligation(c));
  for (const char* primitive : {"toGlobal", "toLocal", "toPrivate", "toStream"})
    for (const Claim& c : in_memory(primitive)) all.push_back(obligation(c));
  return all;
}

std::vector<Obligation> wrong_facets() {
  const auto with = [](const std::string& primitive, auto acceptor) {
    Loop loop = facets(primitive);
    loop.acceptor = acceptor;
    return loop;
  };
  const BranchClause swapped = [](Translation& t, const IfPhrase& e, const PhraseRef& a) {
    const PhraseRef then = t.acceptor(e.otherwise, a);
    return cond(e.condition, then, t.acceptor(e.then, a));
  };
  const Loop too_late = with("toGlobal", [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
    return new_variable(Space::Global, e.types[1], t.fresh("tmp"), [&](const PhraseRef& v) {
      return seq({t.assign(a, proj(2, v)), t.acceptor(apply(e.arguments[0], e.arguments[1]), proj(1, v))});
    });
  });
  const Loop all_to_the_first = with("generate", [](Translation& t, const PrimPhrase& e, const PhraseRef& a) {
    const std::string index = t.fresh("i"), out = t.fresh("o");
    return par_for(Level::Auto, a, index, out, [&](const PhraseRef& i, const PhraseRef&) {
      return t.acceptor(apply(e.arguments[0], i), ident("A", acc_type(e.types[0])));
    });
  });
  const FacetParts parts = numbers();
  const Term s = s_of(parts), x = name("x");
  const BranchClause never = [](Translation& t, const IfPhrase& e, const PhraseRef& a) {
    return seq({cond(e.condition, t.acceptor(e.then, a), skip()), t.acceptor(e.otherwise, a)});
  };
  std::vector<Claim> claims = {
      branch(swapped, "the branches swapped: writes the branch that is taken", parts),
      branch(never, "E2 after E1, whatever c says: writes the branch that is taken", parts),
      {"toGlobal",
       "the copy before the computation: A holds f x",
       too_late,
       parts,
       {unequal(A, tmp)},
       [=](const Term& after) -> std::vector<Term> { return {equal(select(after, A), x + number(1))}; }},
      {"generate",
       "every element to the first place: iteration k writes element k",
       all_to_the_first,
       parts,
       {within(k, n)},
       [=](const Term& after) -> std::vector<Term> { return {equal(select(after, A + k), k + number(1))}; }},
  };
  claims[0].sizes = claims[1].sizes = {"x", "y"};
  claims[2].sizes = {"x"};
  claims[3].sizes = {"n"};
  std::vector<Obligation> all;
  for (const Claim& c : claims) {
    all.push_back(obligation(c));
    all.back().wrong = true;
  }
  return all;
}

}  // namespace lockstep::proofs

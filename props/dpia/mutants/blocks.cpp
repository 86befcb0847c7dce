// Reductions in blocks, made wrong: what is believed of operators, where sums begin, and what is left out.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/operators.h"
#include "translate/rewriting/claims.h"
#include "translate/rewriting/terms.h"

namespace lockstep::props {
namespace {

using rewriting::Law;
using rewriting::LawQuestion;

Toolchain believing(const std::function<bool(const LawQuestion&)>& believed) {
  return tools_with(
      "reduce-in-blocks", PhraseTransform([=](const PhraseProgram&, const PhraseProgram& before, Machine) {
        const auto laws = [believed, claims = rewriting::claimed_laws()](const LawQuestion& q) {
          return believed(q) ? rewriting::LawAnswer{true, rewriting::Knowledge::Assumed, true, ""} : claims(q);
        };
        return reduced_in_blocks(before, standard_calculus(), nullptr, laws);
      }));
}

// The folds of what the stage makes, altered.
Toolchain with_blocks(const std::function<PhraseRef(const PhraseRef&, const PrimPhrase& reduce)>& change) {
  return tools_with("reduce-in-blocks", where_changed([change](const PhraseRef& p) {
                      const PrimPhrase* r = rewriting::as_call(*p, "reduceSeq");
                      return r ? change(p, *r) : p;
                    }));
}
PhraseRef without_rest(const PhraseRef& p, const PrimPhrase& reduce) {
  return rewriting::as_call(*reduce.arguments[2], "drop") ? reduce.arguments[1] : p;
}
PhraseRef each_from_one(const PhraseRef& p, const PrimPhrase& reduce) {
  const PrimPhrase* starts = rewriting::as_call(*reduce.arguments[1], "replicate");
  const auto* start = starts ? as<LiteralPhrase>(*starts->arguments[0]) : nullptr;
  if (!start || start->value.type != ScalarType::I32) return p;
  PrimPhrase sums = *starts, out = reduce;
  sums.arguments[0] = literal(make_integer(ScalarType::I32, 1));
  out.arguments[1] = Phrase{reduce.arguments[1]->type, std::move(sums), {}};
  return Phrase{p->type, std::move(out), p->region};
}
PhraseRef rest_twice(const PhraseRef& p, const PrimPhrase& reduce) {
  if (!rewriting::as_call(*reduce.arguments[2], "drop")) return p;
  PrimPhrase out = reduce;
  out.arguments[1] = p;
  return Phrase{p->type, std::move(out), p->region};
}
PhraseRef without_start(const PhraseRef& p, const PrimPhrase& reduce) {
  const auto* start = as<LiteralPhrase>(*reduce.arguments[1]);
  if (!start || start->value.type != ScalarType::I32 || !rewriting::as_call(*reduce.arguments[2], "map")) return p;
  PrimPhrase out = reduce;
  out.arguments[1] = literal(make_integer(ScalarType::I32, 0));
  return Phrase{p->type, std::move(out), p->region};
}
// The sums of columns, by another operator.
PhraseRef multiplied(const PhraseRef& p, const PrimPhrase& reduce) {
  const auto* columns = rewriting::as_call(*reduce.arguments[2], "reduceSeq");
  const auto* x = as<LambdaPhrase>(*reduce.arguments[0]);
  const auto* acc = x ? as<LambdaPhrase>(*x->body) : nullptr;
  if (!columns || !acc || !as<ScalarType>(data_of(*p))) return p;
  PrimPhrase out = reduce;
  const PhraseRef product =
      apply_operator(scalar_operator("*"), {ident(x->name, x->parameter), ident(acc->name, acc->parameter)});
  out.arguments[0] = lambda(x->name, x->parameter, lambda(acc->name, acc->parameter, product));
  return Phrase{p->type, std::move(out), p->region};
}
PhraseRef with_other_branch(const PhraseRef& p, const PrimPhrase& reduce) {
  const auto* c = as<IfPhrase>(*reduce.arguments[1]);
  if (!c) return p;
  PrimPhrase out = reduce;
  out.arguments[1] = if_else(c->condition, c->otherwise, c->then);
  return Phrase{p->type, std::move(out), p->region};
}
// Of a pair what its first component claims.
bool claims_first(const LawQuestion& q) {
  const auto* x = as<LambdaPhrase>(*q.operation);
  const auto* acc = x ? as<LambdaPhrase>(*x->body) : nullptr;
  const auto* both = acc ? rewriting::as_call(*acc->body, "pair") : nullptr;
  const auto* op = both ? as<PrimPhrase>(*both->arguments[0]) : nullptr;
  return op && op->primitive->name == "+";
}
// Every sum of floats a little too large.
PhraseRef with_more(const PhraseRef& p, const PrimPhrase& reduce) {
  const auto* t = as<ScalarType>(data_of(*p));
  if (!t || *t != ScalarType::F32 || !rewriting::as_call(*reduce.arguments[2], "drop")) return p;
  PrimPhrase out = reduce;
  out.arguments[1] =
      apply_operator(scalar_operator("*"), {reduce.arguments[1], literal(make_ieee(*t, 1.0000001192092896))});
  return Phrase{p->type, std::move(out), p->region};
}

}  // namespace

void blocks_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "blocks");
  add("blocks-believe-all", "any operator is taken to be associative, commutative and neutral with 0",
      believing([](const LawQuestion&) { return true; }), {{"fun main [n] (xs : [n]i32) : i32 = reduce (-) 0 xs\n"}});
  add("blocks-believe-neutral", "the first element that is tried is taken to be neutral",
      believing([](const LawQuestion& q) { return q.law == Law::Neutral; }),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (*) 3 xs\n"}});
  add("blocks-lose-the-rest", "what is left of a row is forgotten", with_blocks(without_rest),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (+) 0 xs\n"}});
  add("blocks-from-one", "sums of columns begin with 1, whatever the operator", with_blocks(each_from_one),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (+) 0 xs\n"}});
  add("blocks-believe-first", "a pair of operators has the laws of the first", believing(claims_first),
      {{"fun main (xs : [70](i32, i32)) : (i32, i32) =\n"
        "  reduce (\\(a, b) (c, d) -> (a + c, b + d + 1)) (0, 0) xs\n"}});
  add("blocks-rest-twice", "what is left of a row is added twice", with_blocks(rest_twice),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (+) 0 xs\n"}});
  add("blocks-forget-the-start", "sums of blocks begin with 0, whatever the start", with_blocks(without_start),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (+) 5 xs\n"}});
  add("blocks-multiplied", "sums of columns are multiplied", with_blocks(multiplied),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (+) 0 xs\n"}});
  add("blocks-of-few", "few elements go by rows, and many do not", with_blocks(with_other_branch),
      {{"fun main [n] (xs : [n]i32) : i32 = reduce (+) 0 xs\n"}});
  add("blocks-one-more-place", "a sum of floats is one place too large", with_blocks(with_more),
      {{"fun main [n] (xs : [n]f32) : f32 = reduce (+) 0 xs\n"}});
}

}  // namespace lockstep::props

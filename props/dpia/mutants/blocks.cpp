// Reductions in blocks, made wrong: what is believed of operators, where sums begin, and what is left out.
#include "proofs/laws/compiling.h"
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"
#include "semantics/primitives/operators.h"
#include "translate/rewriting/terms.h"

namespace lockstep::props {
namespace {

using rewriting::Law;
using rewriting::LawQuestion;

Toolchain believing(const std::function<bool(const LawQuestion&)>& believed) {
  return tools_with(
      "reduce-in-blocks", PhraseTransform([=](const PhraseProgram&, const PhraseProgram& before, Machine) {
        const auto laws = [believed, known = proofs::compiling_laws()](const LawQuestion& q) {
          return believed(q) ? rewriting::LawAnswer{true, rewriting::Knowledge::Assumed, true, ""} : known(q);
        };
        return reduced_in_blocks(before, standard_calculus(), nullptr, laws);
      }));
}

// The loops of that name in what the stage makes, altered: its folds, its permutes.
using LoopChange = std::function<PhraseRef(const PhraseRef&, const PrimPhrase& loop)>;
Toolchain with_loops(const std::string& name, const LoopChange& change) {
  return tools_with("reduce-in-blocks", where_changed([name, change](const PhraseRef& p) {
                      const PrimPhrase* x = rewriting::as_call(*p, name);
                      return x ? change(p, *x) : p;
                    }));
}
Toolchain with_blocks(const LoopChange& reduce) { return with_loops("reduceSeq", reduce); }
Toolchain with_permutes(const LoopChange& permute) { return with_loops("permuteBy", permute); }
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
// The places that rows are combined into, of a permute in blocks.
bool combines_rows(const PrimPhrase& reduce) {
  return as<ArrayType>(reduce.types[1]) && rewriting::as_call(*reduce.arguments[2], "map");
}
// The loop with copies of another number for its argument, copies of one.
PhraseRef from_copies_of(std::uint64_t number, const PhraseRef& p, const PrimPhrase& loop, std::size_t argument) {
  PrimPhrase out = loop;
  out.arguments[argument] = map_children(loop.arguments[argument], [number](const PhraseRef& c) {
    return as<LiteralPhrase>(*c) ? literal(make_integer(ScalarType::I32, number)) : c;
  });
  return Phrase{p->type, std::move(out), p->region};
}
PhraseRef places_from_nothing(const PhraseRef& p, const PrimPhrase& reduce) {
  return combines_rows(reduce) ? from_copies_of(0, p, reduce, 1) : p;
}
PhraseRef rows_forgotten(const PhraseRef& p, const PrimPhrase& reduce) {
  return combines_rows(reduce) ? reduce.arguments[1] : p;
}
PhraseRef newest_row(const PhraseRef& p, const PrimPhrase& reduce) {
  const auto* row = combines_rows(reduce) ? as<LambdaPhrase>(*reduce.arguments[0]) : nullptr;
  const auto* all = row ? as<LambdaPhrase>(*row->body) : nullptr;
  if (!all) return p;
  PrimPhrase out = reduce;
  out.arguments[0] =
      lambda(row->name, row->parameter, lambda(all->name, all->parameter, ident(row->name, row->parameter)));
  return Phrase{p->type, std::move(out), p->region};
}
PhraseRef places_of_the_rest(const PhraseRef& p, const PrimPhrase& permute) {
  return rewriting::as_call(*permute.arguments[3], "drop") ? permute.arguments[2] : p;
}
PhraseRef copies_from_one(const PhraseRef& p, const PrimPhrase& permute) {
  return as<Ident>(*permute.arguments[3]) ? from_copies_of(1, p, permute, 2) : p;  // of a block
}
PhraseRef rest_from_the_front(const PhraseRef& p, const PrimPhrase& permute) {
  const PrimPhrase* rest = rewriting::as_call(*permute.arguments[3], "drop");
  const PrimPhrase* sums = rest ? rewriting::as_call(*permute.arguments[2], "reduceSeq") : nullptr;
  if (!sums) return p;
  PrimPhrase out = permute;
  out.arguments[3] = rest->arguments[0];
  out.sizes[1] = array_length(*rest->arguments[0]);
  return Phrase{p->type, std::move(out), p->region};
}

// The fold of what blocks have chosen.
bool folds_choices(const PrimPhrase& reduce) {
  const auto* x = as<LambdaPhrase>(*reduce.arguments[0]);
  const auto* acc = x ? as<LambdaPhrase>(*x->body) : nullptr;
  return acc && as<IfPhrase>(*acc->body) && rewriting::as_call(*reduce.arguments[2], "join");
}
PhraseRef choices_forgotten(const PhraseRef& p, const PrimPhrase& reduce) {
  return folds_choices(reduce) ? reduce.arguments[1] : p;
}
PhraseRef choices_turned(const PhraseRef& p, const PrimPhrase& reduce) {
  if (!folds_choices(reduce)) return p;
  const auto* x = as<LambdaPhrase>(*reduce.arguments[0]);
  const auto* acc = as<LambdaPhrase>(*x->body);
  const auto* c = as<IfPhrase>(*acc->body);
  PrimPhrase out = reduce;
  out.arguments[0] =
      lambda(x->name, x->parameter, lambda(acc->name, acc->parameter, if_else(c->condition, c->otherwise, c->then)));
  return Phrase{p->type, std::move(out), p->region};
}

// The fold of parts that are put together in their order, of an operator of one's own.
bool folds_parts(const PrimPhrase& reduce) {
  return as<PairType>(reduce.types[1]) && rewriting::as_call(*reduce.arguments[2], "join");
}
PhraseRef parts_turned(const PhraseRef& p, const PrimPhrase& reduce) {
  const auto* x = folds_parts(reduce) ? as<LambdaPhrase>(*reduce.arguments[0]) : nullptr;
  const auto* acc = x ? as<LambdaPhrase>(*x->body) : nullptr;
  if (!acc) return p;
  PrimPhrase out = reduce;
  out.arguments[0] = lambda(acc->name, acc->parameter, lambda(x->name, x->parameter, acc->body));
  return Phrase{p->type, std::move(out), p->region};
}
PhraseRef parts_forgotten(const PhraseRef& p, const PrimPhrase& reduce) {
  return folds_parts(reduce) ? reduce.arguments[1] : p;
}
Toolchain by_proved_laws(Toolchain out) {
  out.languages = proofs::lawful_languages;
  return out;
}

// An operator of the calculus that claims more than holds.
MakeCalculus claiming(const char* name, const std::function<void(Laws&)>& claim) {
  return altered<ScalarOp>(name, [claim](ScalarOp& op) { claim(op.laws); });
}
MakeCalculus with_neutral(const char* name, std::int64_t identity) {
  return claiming(name, [identity](Laws& laws) { laws.identity = identity; });
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

// Blocks of choices by a strict order.
void choice_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "blocks");
  const std::vector<DirectedProgram> choices = {
      {"fun main (xs : [70]i32) : (i64, i32) =\n"
       "  reduce (\\(i, x) (k, best) -> if x > best then (i, x) else (k, best)) (0 - 1, 0)\n"
       "    (map (\\(i, x) -> (i, x & 3)) (zip (iota 70) xs))\n"}};
  add("blocks-choices-forgotten", "what blocks have chosen is forgotten", with_blocks(choices_forgotten), choices);
  add("blocks-choices-turned", "of two blocks' choices the lesser is taken", with_blocks(choices_turned), choices);
  add("blocks-believe-choices", "a choice that prefers the newer of equals is taken to be selective",
      believing([](const LawQuestion& q) { return q.law == Law::Selective; }),
      {{"fun main (xs : [70]i32) : (i64, i32) =\n"
        "  reduce (\\(i, x) (k, best) -> if x >= best then (i, x) else (k, best)) (0 - 1, 1)\n"
        "    (zip (iota 70) (map (\\x -> x & 1) xs))\n"}});
}

// Blocks by laws that a solver has found.
void proved_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "blocks");
  const auto affine = [](const char* step, const char* start) {
    return std::vector<DirectedProgram>{
        {"fun main (xs : [70](i32, i32)) : (i32, i32) =\n  reduce (\\(c, d) (a, b) -> " + std::string(step) + ") " +
         start + " xs\n"}};
  };
  const char* const composed = "(c * a, c * b + d)";
  add("blocks-parts-turned", "parts of an operator that does not commute are put together in the other order",
      by_proved_laws(with_blocks(parts_turned)), affine(composed, "(1, 0)"));
  add("blocks-parts-forgotten", "parts of an operator that does not commute are forgotten",
      by_proved_laws(with_blocks(parts_forgotten)), affine(composed, "(1, 0)"));
  add("blocks-believe-absorbed", "parts begin at any start again",
      believing([](const LawQuestion& q) { return q.law == Law::Absorbed; }), affine(composed, "(3, 1)"));
  add("blocks-believe-associative", "any operator that leaves its start as it is is taken to be associative",
      believing([](const LawQuestion& q) { return q.law == Law::Associative; }),
      affine("(a + c * c * b, b + d)", "(0, 0)"));
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

  choice_mutants(all);
  proved_mutants(all);
  const std::vector<DirectedProgram> places = {
      {"fun main [n] (xs : [n]i32) : [2]i32 = permute (+) (replicate 2 5) (map (\\x -> i64 (x & 1)) xs) xs\n"}};
  add("permute-blocks-lose-the-rest", "what is left behind blocks goes to no place", with_permutes(places_of_the_rest),
      places);
  add("permute-blocks-from-one", "a block's own places begin with 1", with_permutes(copies_from_one), places);
  add("permute-blocks-twice", "what stands in blocks is combined again with what is left",
      with_permutes(rest_from_the_front), places);
  add("permute-blocks-forget-defaults", "blocks are combined into zeros, whatever the defaults",
      with_blocks(places_from_nothing), places);
  add("permute-blocks-forgotten", "blocks are combined into nothing", with_blocks(rows_forgotten), places);
  add("permute-blocks-newest", "a block's places replace those of the blocks before", with_blocks(newest_row), places);
  add("permute-blocks-believe-neutral", "any number is taken to be neutral for permute's operator",
      believing([](const LawQuestion& q) { return q.law == Law::Neutral; }), places);

  const auto claim = planting<&Mutant::calculus>(all, "laws");
  const auto folded = [](const std::string& f, const std::string& start) {
    return std::vector<DirectedProgram>{{"fun main (xs : [70]i32) : i32 = reduce " + f + " " + start + " xs\n"}};
  };
  claim("claims-difference", "- claims to be associative and commutative, with 0 as its neutral element",
        claiming("-",
                 [](Laws& laws) {
                   laws = {true, true, 0};
                 }),
        folded("(-)", "0"));
  claim("claims-quotient", "/ claims to be associative and commutative, with 1 as its neutral element",
        claiming("/",
                 [](Laws& laws) {
                   laws = {true, true, 1};
                 }),
        folded("(\\x acc -> acc / (x & 3 | 1))", "1000"));
  claim("claims-either", "| claims 1 as its neutral element", with_neutral("|", 1),
        folded("(\\x acc -> x & 6 | acc)", "0"));
  claim("claims-least", "min claims 0 as its neutral element", with_neutral("min", 0),
        folded("(\\x acc -> min (x & 7 | 1) acc)", "100"));
  claim("claims-greatest", "max claims 0 as its neutral element", with_neutral("max", 0),
        folded("(\\x acc -> max (0 - (x & 7 | 1)) acc)", "(0 - 100)"));
  claim("claims-sum", "+ claims 1 as its neutral element", with_neutral("+", 1), folded("(+)", "1"));
  claim("claims-product", "* claims 0 as its neutral element", with_neutral("*", 0),
        folded("(\\x acc -> (x | 1) * acc)", "3"));
  claim("claims-repeated", "* claims to leave x as it is beside x, and no neutral element",
        claiming("*",
                 [](Laws& laws) {
                   laws = {true, true, {}, true};
                 }),
        folded("(\\x acc -> (x | 1) * acc)", "3"));
  claim("claims-mask", "& claims 0 as its neutral element", with_neutral("&", 0), folded("(&)", "(0 - 1)"));
}

}  // namespace lockstep::props

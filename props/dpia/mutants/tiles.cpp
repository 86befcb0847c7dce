// Products in tiles, made wrong: which rows are left, where sums begin, and the order of a sum.
#include "props/dpia/mutants/parts.h"
#include "semantics/primitives/build.h"
#include "translate/rewriting/terms.h"

namespace lockstep::props {
namespace {

Toolchain with_tiles(const std::function<PhraseRef(const PhraseRef&)>& change) {
  return tools_with("tiles", where_changed(change));
}
PhraseRef rest_of_the_first(const PhraseRef& p) {
  const PrimPhrase* x = rewriting::as_call(*p, "drop");
  if (!x) return p;
  return prim(standard_calculus().primitive("take"), {x->sizes[1], x->sizes[0]}, x->types, x->arguments, data_of(*p));
}
PhraseRef from_one(const PhraseRef& p) {
  const PrimPhrase* x = rewriting::as_call(*p, "replicate");
  const auto* start = x ? as<LiteralPhrase>(*x->arguments[0]) : nullptr;
  if (!start || start->value.type != ScalarType::I32) return p;
  PrimPhrase out = *x;
  out.arguments[0] = literal(make_integer(ScalarType::I32, 1));
  return Phrase{p->type, std::move(out), p->region};
}
// With an argument of all calls of a primitive from the last element to the first.
std::function<PhraseRef(const PhraseRef&)> backwards(const std::string& called, std::size_t argument) {
  return [=](const PhraseRef& p) -> PhraseRef {
    const PrimPhrase* x = rewriting::as_call(*p, called);
    if (!x) return p;
    PrimPhrase out = *x;
    PhraseRef& of = out.arguments[argument];
    const Type items = data_of(*of);
    const auto& a = std::get<ArrayType>(items.node);
    of = prim(standard_calculus().primitive("reverse"), {a.length}, {*a.element}, {of}, items);
    return Phrase{p->type, std::move(out), p->region};
  };
}
PhraseRef rest_in_front(const PhraseRef& p) {
  const PrimPhrase* x = rewriting::as_call(*p, "concat");
  if (!x) return p;
  return prim(x->primitive, {x->sizes[1], x->sizes[0]}, x->types, {x->arguments[1], x->arguments[0]}, data_of(*p));
}

std::vector<DirectedProgram> product(const std::string& t) {
  return {{"fun main (a : [7][3]" + t + ") (b : [3][17]" + t + ") : [7][17]" + t +
           " =\n  map (\\row -> map (\\column -> reduce (\\(x, y) acc -> x * y + acc) 0 (zip row column)) "
           "(transpose b)) a\n"}};
}

}  // namespace

void tiles_mutants(std::vector<Mutant>& all) {
  const auto add = planting<&Mutant::tools>(all, "tiles");
  add("tiles-rest", "what is left behind the tiles are the first rows and columns", with_tiles(rest_of_the_first),
      product("i32"));
  add("tiles-start", "the sums of a tile begin at 1", with_tiles(from_one), product("i32"));
  add("tiles-backwards", "the sums of tiles go from the last element to the first",
      with_tiles(backwards("reduceSeq", 2)), product("f32"));
  add("tiles-in-front", "what is left behind the tiles comes in front of them", with_tiles(rest_in_front),
      product("i32"));
  add("tiles-exchanged", "the last tile comes first", with_tiles(backwards("join", 0)),
      {{"fun main (a : [12][3]i32) (b : [3][16]i32) : [12][16]i32 =\n"
        "  map (\\row -> map (\\column -> reduce (\\(x, y) acc -> x * y + acc) 0 (zip row column)) (transpose b)) "
        "a\n"}});
}

}  // namespace lockstep::props

// Rules that hand a reduction, or a scan, to the threads of a block or the lanes of a warp together. A tree of
// neighbours, and the steps of Hillis and Steele, combine the same elements in the same order, grouped otherwise, and
// the start before them: an associative function gives the left fold's result, from any start
// (proofs/calculus/strategies/collective_laws.cpp).
#include "semantics/primitives/build.h"
#include "translate/rewriting/reduction.h"
#include "translate/rewriting/rules.h"

namespace lockstep::rewriting {
namespace {

// What is folded, and by whom: of `reduce`, by a block, reduceBlock.
struct Collective {
  const char* name;
  const char* of;
  Level group;
};

std::string loop_over(Level l) { return "map" + std::string(show(l)); }

tl::expected<const PrimPhrase*, Refused> folded(const Phrase& p, const Collective& c) {
  if (const PrimPhrase* x = as_call(p, c.of)) return x;
  if (as_reduce(p) && c.of == std::string_view("reduce"))
    return refused("reduceSeq is one sequential loop in one order, by definition");
  return no("it is no " + std::string(c.of));
}

std::optional<std::string> parallel_loop_in(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  if (const auto* loop = x ? std::get_if<Loop>(&x->primitive->kind) : nullptr; loop && is_parallel(loop->level))
    return x->primitive->name;
  std::optional<std::string> found;
  for_each_child(p, [&](const PhraseRef& c) {
    if (!found) found = parallel_loop_in(*c);
  });
  return found;
}

tl::expected<Condition, Refused> stands_where_it_may(const Collective& c, const PrimPhrase& x, const Site& s) {
  const std::string name = c.name, around = loop_over(c.group);
  if (s.around.empty() || s.around.back() != c.group)
    return refused(name + " stands directly in " + around + ", and here is " +
                   (s.around.empty() ? "no parallel loop" : loop_over(s.around.back())) + " around it; 'mapLevel " +
                   (c.group == Level::Warp ? "warp" : "workgroup") + "' makes a map one");
  if (!x.sizes[0].constant())
    return refused(name + " is of a number of elements, not of " + lockstep::show(x.sizes[0]) +
                   ": split them into rows of as many as there are threads, as reduceColumns 256 does");
  if (const auto inner = parallel_loop_in(*x.arguments[0]))
    return refused(name + "'s function runs on one thread each, and it has a " + *inner);
  return Condition{"directly in " + around + ", of " + lockstep::show(x.sizes[0]) + " elements", "by inspection",
                   Knowledge::Proved};
}

tl::expected<LawFound, Refused> associative(const PrimPhrase& x, Site& s) {
  const PhraseRef& f = x.arguments[0];
  const auto parts = reduction_of(s, f);
  const bool of_more = parts && parts->g;
  const std::string apart =
      of_more ? "; it is g x + acc with more than x for g x: let a map apply g first, as reduceUnmap does" : "";
  if (!(x.types[0] == x.types[1]))
    return refused("its function's two arguments have different types, " + show(x.types[0]) + " and " +
                   show(x.types[1]) + apart);
  auto found = require_law(s, Law::Associative, f);
  if (!found) found.error().why += apart;
  return found;
}

Outcome together(const Collective& c, const PhraseRef& p, Site& s) {
  const auto x = folded(*p, c);
  if (!x) return tl::unexpected(x.error());
  const auto place = stands_where_it_may(c, **x, s);
  if (!place) return tl::unexpected(place.error());
  const auto law = associative(**x, s);
  if (!law) return tl::unexpected(law.error());
  return Rewritten{
      call(s, c.name, {(*x)->sizes[0]}, {(*x)->types[0]}, (*x)->arguments), {*place, law->condition}, law->rounding};
}

Rule rule(const Collective& c) {
  const std::string arguments = " f z xs";
  return {c.name,
          {},
          c.of + arguments,
          c.name + arguments,
          "xs : [n]a, n a number; z : a; directly in " + loop_over(c.group) + "; f has no parallel loop",
          "associative",
          [c](const PhraseRef& p, const std::vector<std::string>&, Site& s) { return together(c, p, s); }};
}

}  // namespace

RuleList collective_rules() {
  return {rule({"reduceBlock", "reduce", Level::Workgroup}), rule({"reduceWarp", "reduce", Level::Warp}),
          rule({"scanBlock", "scan", Level::Workgroup}), rule({"scanWarp", "scan", Level::Warp})};
}

}  // namespace lockstep::rewriting

// Where loops run (DPIA §6.2) and where their results live.
#include "semantics/primitives/build.h"
#include "translate/rewriting/rules.h"
#include "translate/rewriting/terms.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

// Blocks hold warps and threads, warps hold threads; every other parallel loop stands alone.
bool may_hold(Level outer, Level inner) { return outer != Level::Par && nests(outer, inner); }

std::string word(Level l) { return "map" + std::string(show(l)); }

std::optional<Level> wrong_inside(const Phrase& p, Level outer) {
  std::optional<Level> found;
  if (const auto* x = as<PrimPhrase>(p))
    if (const auto* loop = std::get_if<Loop>(&x->primitive->kind);
        loop && is_parallel(loop->level) && !may_hold(outer, loop->level))
      found = loop->level;
  for_each_child(p, [&](const PhraseRef& c) {
    if (!found) found = wrong_inside(*c, outer);
  });
  return found;
}

Outcome map_level(const PhraseRef& p, const Words& words, Site& s) {
  const PrimPhrase* m = as_map(*p);
  if (!m) return no("it is no map");
  if (level_of(*m) != Level::Auto) return refused("it is " + m->primitive->name + " already");
  const auto level = parse_level(words[0]);
  if (!level) return refused(level.error());
  std::vector<Condition> conditions;
  if (*level == Level::Unroll) {
    const auto n = m->sizes[0].constant();
    if (!n || *n > 1024)
      return refused("mapUnroll copies its body: the number of elements must be a number, at most 1024, not " +
                     lockstep::show(m->sizes[0]));
  } else if (is_parallel(*level)) {
    for (const Level outer : s.around)
      if (!may_hold(outer, *level))
        return refused(word(*level) + " cannot stand in " + word(outer) +
                       ": mapWorkgroup holds mapWarp or mapLocal, mapWarp holds mapLocal, and nothing else holds a "
                       "parallel loop");
    if (*level == Level::Warp && s.around.empty()) return refused("mapWarp stands in mapWorkgroup");
    if (const auto inner = wrong_inside(*m->arguments[0], *level))
      return refused(word(*level) + " cannot hold " + word(*inner));
    conditions.push_back(
        {"no other parallel loop around or inside but those of a block", "by inspection", Knowledge::Proved});
  }
  return Rewritten{map_of(s, word(*level), m->arguments[0], m->arguments[1]), conditions};
}

Outcome reduce_seq(const PhraseRef& p, const Words&, Site& s) {
  const PrimPhrase* r = as_call(*p, "reduce");
  if (!r) return no("it is no reduce");
  return Rewritten{reduce_of(s, "reduceSeq", r->arguments[0], r->arguments[1], r->arguments[2])};
}

Rule to_space(const char* name, bool in_block = false) {
  return {name,
          {},
          "P ... xs",
          std::string(name) + " (\\ys -> P ... ys) xs",
          in_block ? "P is a loop whose last argument is an array, in mapWorkgroup"
                   : "P is a loop whose last argument is an array",
          "",
          [name, in_block](const PhraseRef& p, const Words&, Site& s) -> Outcome {
            if (as<IfPhrase>(*p)) return refused("a branch is evaluated only where it is taken");
            const auto* x = as<PrimPhrase>(*p);
            if (!x || !std::holds_alternative<Loop>(x->primitive->kind) || x->arguments.empty())
              return no("it is no loop");
            if (std::get<Loop>(x->primitive->kind).space) return refused("its result has a place already");
            if (in_block && std::find(s.around.begin(), s.around.end(), Level::Workgroup) == s.around.end())
              return refused(std::string(name) + " stands in mapWorkgroup");
            const PhraseRef xs = x->arguments.back();
            if (!as<ExpType>(xs->type) || !as<ArrayType>(data_of(*xs))) return no("its last argument is no array");
            const PhraseRef f = function_of(s, "ys", data_of(*xs), [&](const PhraseRef& ys) {
              PrimPhrase inner = *x;
              inner.arguments.back() = ys;
              return PhraseRef(Phrase{p->type, std::move(inner), p->region});
            });
            return Rewritten{call(s, name, {}, {data_of(*xs), data_of(*p)}, {f, xs})};
          }};
}

}  // namespace

RuleList level_rules() {
  return {{"mapLevel",
           {ParameterKind::Level},
           "map f xs",
           "mapSeq f xs, mapPar f xs, mapGlobal f xs, mapWorkgroup f xs, mapWarp f xs, mapLocal f xs, mapUnroll "
           "f xs",
           "of parallel loops only mapWarp and mapLocal stand in others: in mapWorkgroup, mapLocal in mapWarp too; "
           "unroll: xs has a number of elements, at most 1024",
           "",
           map_level},
          {"reduceSeq", {}, "reduce f z xs", "reduceSeq f z xs", "", "", reduce_seq},
          to_space("toGlobal"),
          to_space("toLocal", true),
          to_space("toPrivate"),
          to_space("toStream")};
}

}  // namespace lockstep::rewriting

// Views that undo each other.
#include "semantics/primitives/build.h"
#include "translate/rewriting/rules.h"
#include "translate/rewriting/terms.h"

namespace lockstep::rewriting {
namespace {

using Words = std::vector<std::string>;

// outer (inner x)
const PrimPhrase* twice(const Phrase& p, const char* outer, const char* inner) {
  const PrimPhrase* x = as_call(p, outer);
  return x ? as_call(*x->arguments[0], inner) : nullptr;
}

Rule of_two(const char* name, const char* outer, const char* inner, std::string matches) {
  const std::string form = "it is no " + std::string(outer) + " of a " + inner;
  return {name,
          {},
          std::move(matches),
          "xs",
          "",
          "",
          [outer, inner, form](const PhraseRef& p, const Words&, Site&) -> Outcome {
            const PrimPhrase* x = twice(*p, outer, inner);
            if (!x) return no(form);
            return Rewritten{x->arguments[0]};
          }};
}

// split k (join xss), asVector w (asScalar vs): only where the size is the same.
Rule of_two_sized(const char* name, const char* outer, const char* inner, std::string matches, std::string when,
                  const char* gives) {
  const std::string form = "it is no " + std::string(outer) + " of a " + inner;
  return {name,
          {},
          std::move(matches),
          gives,
          std::move(when),
          "",
          [outer, inner, form](const PhraseRef& p, const Words&, Site& s) -> Outcome {
            const PrimPhrase* x = twice(*p, outer, inner);
            if (!x) return no(form);
            const auto same = s.require({as_call(*p, outer)->sizes[0], SizeRelation::Equal, x->sizes[1]});
            if (!same) return tl::unexpected(same.error());
            return Rewritten{x->arguments[0], {*same}};
          }};
}

Outcome projection(const PhraseRef& p, const Words&, Site&) {
  for (const auto& [name, k] : {std::pair{"fst", 0U}, {"snd", 1U}}) {
    const PrimPhrase* both = twice(*p, name, "pair");
    if (!both) continue;
    if (!is_total(*both->arguments[1 - k])) return refused("the other component may trap, which must not be forgotten");
    return Rewritten{both->arguments[k]};
  }
  return no("it is no component of a pair that is written out");
}

}  // namespace

RuleList cancel_rules() {
  return {
      of_two("joinSplit", "join", "split", "join (split k xs)"),
      of_two_sized("splitOfJoin", "split", "join", "split k (join xss)", "xss : [m][k]a", "xss"),
      of_two("transposeTwice", "transpose", "transpose", "transpose (transpose xs)"),
      of_two("reverseTwice", "reverse", "reverse", "reverse (reverse xs)"),
      of_two("scalarOfVector", "asScalar", "asVector", "asScalar (asVector w xs)"),
      of_two_sized("vectorOfScalar", "asVector", "asScalar", "asVector w (asScalar vs)", "vs : [m]s<w>", "vs"),
      {"project", {}, "fst (a, b), snd (a, b)", "a, b", "the other component cannot trap", "", projection},
  };
}

}  // namespace lockstep::rewriting

// Side conditions on sizes, and what a strategy writes as a rule's argument.
#include "translate/rewriting/rule.h"

namespace lockstep::rewriting {

tl::expected<Condition, Refused> Site::require(const SizeFact& goal) const {
  if (context.proves(goal)) return Condition{lockstep::show(goal), "by normalisation", Knowledge::Proved};
  if (goal.left.constant() && goal.right.constant())
    return refused("it needs " + lockstep::show(goal) + ", which is wrong");
  if (solver && solver(facts, goal).verdict == Verdict::Solved)
    return Condition{lockstep::show(goal), "by Z3", Knowledge::Proved};
  return refused("it needs " + lockstep::show(goal) +
                 " for all sizes, which does not follow from the facts; 'assume' states one");
}

tl::expected<Condition, Refused> Site::divides(const Size& k, const Size& n) const {
  if (auto positive = require({1, SizeRelation::LessEqual, k}); !positive) return positive;
  auto whole = require({modulo(n, k), SizeRelation::Equal, 0});
  if (whole)
    whole->what = lockstep::show(n) + " % " + show_atomic(k) + " == 0";
  else
    whole.error().why = "it needs " + lockstep::show(n) + " % " + show_atomic(k) +
                        " == 0 for all sizes, which does not follow from the facts" +
                        "; 'assume' states one, and a rule for the rest, where there is one, needs none";
  return whole;
}

namespace {
// A definition is parsed around the text, with the sizes bound.
tl::expected<surface::Definition, std::string> parse_around(const std::string& before, const std::string& text,
                                                            const std::string& after,
                                                            const std::vector<std::string>& names) {
  std::string binders;
  for (const std::string& n : names) binders += (binders.empty() ? " [" : " ") + n;
  const std::string whole = "fun f" + binders + (binders.empty() ? "" : "]") + before + text + after;
  auto parsed = parse_program(std::make_shared<const Source>(Source{"", whole}));
  if (!parsed || parsed->definitions.size() != 1)
    return tl::unexpected("'" + text + "' cannot be read" + (parsed ? "" : ": " + parsed.error().front().message));
  return std::move(parsed->definitions.front());
}
tl::expected<void, std::string> known(const Size& s, const std::vector<std::string>& names) {
  std::set<std::string> used;
  collect_names(s, used);
  for (const std::string& n : used)
    if (std::find(names.begin(), names.end(), n) == names.end()) return tl::unexpected("there is no size " + n);
  return {};
}
}  // namespace

tl::expected<Size, std::string> parse_size(const std::string& text, const std::vector<std::string>& names) {
  const auto d = parse_around(" (x : [", text, "]bool) : bool = true", names);
  const auto* t =
      d && d->parameters.size() == 1 && d->parameters[0].type ? as<ArrayType>(d->parameters[0].type->type) : nullptr;
  if (!t) return tl::unexpected("'" + text + "' is no size: a number, a name, or + - * / % of them in parentheses");
  if (const auto ok = known(t->length, names); !ok) return tl::unexpected(ok.error());
  return t->length;
}

tl::expected<SizeFact, std::string> parse_fact(const std::string& text, const std::vector<std::string>& names) {
  const auto d = parse_around(" : bool where ", text, " = true", names);
  if (!d || d->facts.size() != 1) return tl::unexpected("'" + text + "' is no fact about sizes, as n % 64 == 0 is");
  const SizeFact& f = d->facts.front().fact;
  for (const Size& s : {f.left, f.right})
    if (const auto ok = known(s, names); !ok) return tl::unexpected(ok.error());
  return f;
}

tl::expected<Level, std::string> parse_level(const std::string& text) {
  for (const auto& [name, level] : {std::pair{"seq", Level::Seq},
                                    {"par", Level::Par},
                                    {"global", Level::Global},
                                    {"workgroup", Level::Workgroup},
                                    {"warp", Level::Warp},
                                    {"local", Level::Local},
                                    {"unroll", Level::Unroll}})
    if (text == name) return level;
  return tl::unexpected("there is no level " + text + ": seq, par, global, workgroup, warp, local and unroll are");
}

}  // namespace lockstep::rewriting

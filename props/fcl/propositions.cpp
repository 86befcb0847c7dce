// Terms typed anew after each step.
#include "props/fcl/propositions.h"

#include <limits>

#include "semantics/core/diagnostic.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"
#include "semantics/fcl/walk.h"
#include "translate/fcl/spine.h"

namespace lockstep::props::fcl {
namespace {

using language::as;
using language::Expr;

language::Inferred by_number(const language::Inferred& p, const std::string& prefix) {
  language::Inferred out = p;
  for (std::size_t k = 0; k < out.program.definitions.size(); ++k)
    out.program.definitions[k].name = prefix + std::to_string(k);
  return out;
}

// The place rule on a term with types (loc ▷ γ, (31), (32)): at a place of so many levels above a thread. Under a
// function, and in a pull array, is what other places may compute.
class TermPlaces {
 public:
  explicit TermPlaces(TermTypes& types) : types_(types) {}
  std::string wrong{};

  void at(const Expr& e, int place) {
    if (!wrong.empty() || as<language::FnExpr>(e)) return;
    if (as<language::ArrayExpr>(e)) return;
    const language::Spine s = language::spine_of(e);
    const auto made = [&](const Expr& array) {
      if (const int level = level_of(array); level > place)
        wrong = "`" + s.head.substr(1) + "` writes what is of " + show(language::Level{level}) + " at a place of " +
                show(language::Level{place}) + ": " + language::print(e);
    };
    if (s.head == "#force" && s.arguments.size() == 1) made(*s.arguments[0]);
    if (s.head == "#while" && s.arguments.size() == 3) made(*s.arguments[2]);
    if (s.head == "#push" && s.arguments.size() == 1) items(*s.arguments[0], 0);
    if (s.head == "#interleave" && s.arguments.size() == 3) items(*s.arguments[2], level_of(e) - 1);
    each_child(e, [&](const language::ExprRef& c) { at(*c, place); });
  }

 private:
  void items(const Expr& array, int place) {
    if (const auto* v = as<language::Variable>(array); v && v->name.starts_with('%'))
      return items(*types_.part(v->name).typed, place);
    if (const auto* a = as<language::ArrayExpr>(array))
      for (const language::ExprRef& i : a->items) item(*i, place);
  }
  void item(const Expr& e, int place) {
    const auto* v = as<language::Variable>(e);
    if (!v || !v->name.starts_with('%')) return at(e, place);
    TermTypes::Part& part = types_.part(v->name);
    if (part.stands_at.contains(place)) return;
    at(*part.typed, place);
    if (wrong.empty()) part.stands_at.insert(place);
  }
  static int level_of(const Expr& array) {
    const auto* t = array.type.value ? as<language::PushType>(*array.type.value) : nullptr;
    return t ? t->level.above : 0;
  }
  TermTypes& types_;
};

struct NoType {
  std::string why;
};
bool has_function(const language::Type& t) {
  return match(
      t.node, [](ScalarType) { return false; }, [](const language::NamedType&) { return false; },
      [](const language::PairOf& p) { return has_function(*p.first) || has_function(*p.second); },
      [](const language::PullType& a) { return has_function(*a.element); },
      [](const language::PushType& a) { return has_function(*a.element); }, [](const language::Arrow&) { return true; },
      [](const language::LevelArrow&) { return true; });
}

}  // namespace

TermTypes::TermTypes(const language::Inferred& program, const language::PrintedTypes& printed)
    : prelude_(by_number(language::prelude(), "@p")), program_(by_number(program, "@")), printed_(printed) {}

// Not under a function or behind a name that a `let` binds, a term is closed.
Expr TermTypes::in_parts(const Expr& e, bool closed, Names& used) {
  Expr out = e;
  const bool array = as<language::ArrayExpr>(e);
  std::size_t visible = as<language::FnExpr>(e)    ? 0
                        : as<language::LetExpr>(e) ? 1
                                                   : std::numeric_limits<std::size_t>::max();  // children
  each_child(out, [&](language::ExprRef& c) {
    const bool stays = closed && visible > 0;
    if (visible > 0) --visible;
    const bool own =
        (stays && array && !as<language::Literal>(*c)) || (c->is_closed.value && as<language::ArrayExpr>(*c));
    c = own ? part_of(c, stays, used) : in_parts(*c, stays, used);
  });
  return out;
}
Expr TermTypes::part_of(const language::ExprRef& e, bool closed, Names& used) {
  const auto [at, is_new] = numbers_.emplace(&*e, parts_.size());
  const std::string name = "%" + std::to_string(at->second);
  if (is_new) {
    Part& made = parts_.emplace_back(Part{e});
    Names inside;
    const auto typed = inferred(in_parts(*e, true, inside), std::nullopt, inside);
    if (!typed) throw NoType{typed.error().front().message};
    made.scheme = typed->schemes[0];
    if (!has_function(made.scheme.type)) made.typed = *typed->program.definitions[0].body;
  }
  if (!part(name).typed) return in_parts(*e, closed, used);
  used.push_back(name);
  return {language::Variable{name}, e->region};
}

Checked<language::Inferred> TermTypes::inferred(const Expr& term, const std::optional<language::Type>& as,
                                                const Names& used) const {
  language::Inferred parts{{program_.program.source, {}}, {}};
  for (const std::string& name : used) {
    parts.program.definitions.push_back({name, {}, {}, Expr{language::ArrayExpr{}}, {}, {}, {}});
    parts.schemes.push_back(parts_[std::stoul(name.substr(1))].scheme);
  }
  language::Definition d{"term", as, {}, term, {}, {}, {}};
  return language::infer({program_.program.source, {std::move(d)}}, {&prelude_, &program_, &parts}, printed_);
}
tl::expected<language::Type, std::string> TermTypes::type_of(const Expr& term) try {
  Names used;
  const Expr apart = in_parts(term, true, used);
  const auto made = inferred(apart, std::nullopt, used);
  if (!made) return tl::unexpected(made.error().front().message);
  return made->schemes[0].type;
} catch (const NoType& n) {
  return tl::unexpected(n.why);
}
std::string TermTypes::wrong_with(const Expr& term, const language::Type& type) try {
  Names used;
  const Expr apart = in_parts(term, true, used);
  const auto made = inferred(apart, type, used);
  if (!made) return made.error().front().message + "; " + made.error().front().expected;
  TermPlaces places(*this);
  places.at(*made->program.definitions[0].body, language::most_above);
  return places.wrong;
} catch (const NoType& n) {
  return n.why;
}

TypedRun typed_run(language::Stepping& machine, TermTypes& types, std::size_t most_steps) {
  TypedRun out;
  const auto refuted = [&](const std::string& property, const std::string& why) {
    out.property = property;
    out.wrong = "after step " + std::to_string(out.steps) + ": " + why + "\n" + language::print(machine.term());
    return out;
  };
  const auto type = types.type_of(machine.term());
  if (!type) return refuted("preservation", type.error());
  try {
    for (;; ++out.steps) {
      if (const std::string wrong = types.wrong_with(machine.term(), *type); !wrong.empty())
        return refuted("preservation", wrong);
      if (machine.is_value() || out.steps >= most_steps) return out;
      if (!machine.step()) return refuted("progress", "the term is no value, and no rule is for it");
    }
  } catch (const TrapSignal&) {
    return out;
  }
}

}  // namespace lockstep::props::fcl

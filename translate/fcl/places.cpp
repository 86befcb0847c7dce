#include "translate/fcl/places.h"

#include "semantics/fcl/builtins.h"
#include "semantics/fcl/walk.h"
#include "translate/fcl/normal_form.h"

namespace lockstep::fcl {
namespace {

struct MisplacedSignal {
  Diagnostic diagnostic;
};

// A level of the machine, and what put there what stands in it.
struct Stand {
  int level;
  std::string made_by;
};

std::string name_of_place(int level) {
  static constexpr const char* names[] = {"in one thread", "in a warp", "in a block", "at the host"};
  return names[level];
}

class Places {
 public:
  void body(const Expr& e, const Stand& at) {
    const Expr* rest = &e;
    if (const auto* l = as<LetExpr>(e)) {
      for (const Binding& b : l->bindings) value(*b.value, at);
      rest = &*l->body;
    }
    value(*rest, at);
  }

 private:
  // The level of what is written, at most that of where it is.
  void scheme(const Expr& e, const Stand& at, const std::string& what, const Region& region) {
    if (const auto* i = as<IfExpr>(e)) {
      for (const Expr* branch : {&*i->yes, &*i->no}) {
        const auto* l = as<LetExpr>(*branch);
        if (l) body(*branch, at);
        scheme(l ? *l->body : *branch, at, what, region);
      }
      return;
    }
    if (const auto* l = as<LetExpr>(e)) return body(e, at), scheme(*l->body, at, what, region);
    const int level = level_of(e);
    if (level > at.level)
      throw MisplacedSignal{
          {region,
           what + " is an array of " + show(Level{level}) + ", and stands " + name_of_place(at.level) + at.made_by,
           "at most " + show(Level{at.level}) + " there",
           "give its `push` the level " + show(Level{at.level}) + ", or move it out"}};
    const Spine s = spine_of(e);
    if (s.head == "push") return body(*function_of(*s.arguments[0]).body, {0, ""});
    const std::string who = e.traps_as.value.empty() ? "interleave" : e.traps_as.value;
    const std::string by = ", into which `" + who + "`" + in_parentheses(e.region) + " deals chunks";
    inside(*s.arguments[1], {0, ", as a place of `interleave` does"});
    body(*function_of(*s.arguments[2]).body, {level - 1, by});
  }
  void inside(const Expr& f, const Stand& at) { body(*std::get<FnExpr>(f.node).body, at); }

  void value(const Expr& e, const Stand& at) {
    const Spine s = spine_of(e);
    if (s.head == "force") return scheme(*s.arguments[0], at, "what this `force` writes", e.region);
    if (s.head == "while") {
      inside(*s.arguments[0], at);
      scheme_of(*s.arguments[1], at, e.region);
      return scheme(*s.arguments[2], at, "what this `while` begins with", e.region);
    }
    if (s.head == "push" || s.head == "interleave") return scheme(e, at, "the result", e.region);
    if (const auto* i = as<IfExpr>(e)) return body(*i->yes, at), body(*i->no, at);
    each_child(e, [&](const ExprRef& c) {
      if (!as<FnExpr>(*c)) value(*c, at);
    });
  }
  void scheme_of(const Expr& step, const Stand& at, const Region& region) {
    const Expr& e = *std::get<FnExpr>(step.node).body;
    const auto* l = as<LetExpr>(e);
    if (l)
      for (const Binding& b : l->bindings) value(*b.value, at);
    scheme(l ? *l->body : e, at, "what a round of this `while` writes", region);
  }
};

}  // namespace

std::optional<Diagnostic> misplaced(const Entry& fused) {
  try {
    Places().body(*definition_of(fused).body, {most_above, ""});
    return std::nullopt;
  } catch (const MisplacedSignal& s) {
    return s.diagnostic;
  }
}

}  // namespace lockstep::fcl

#include "translate/fcl/normal_form.h"

#include <array>

#include "semantics/fcl/builtins.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/walk.h"

namespace lockstep::fcl {
namespace {

constexpr std::array scalars_of_arrays = {"fst", "snd", "lengthPull", "index", "assert"};

// The first part that is not what it is to be.
class NormalForm {
 public:
  std::string wrong;

  void body(const Expr& e) {
    const auto* l = as<LetExpr>(e);
    if (!l) return value(e);
    for (const Binding& b : l->bindings) value(*b.value);
    value(*l->body);
  }

 private:
  void refuse(const Expr& e, const std::string& wanted) {
    if (wrong.empty()) wrong = "`" + print(e) + "` is no " + wanted;
  }
  void function(const Expr& e) {
    const auto* f = as<FnExpr>(e);
    return f ? body(*f->body) : refuse(e, "function");
  }
  void generated(const Expr& e) {
    const Spine s = spine_of(e);
    if (s.head != "generate") return refuse(e, "`generate n f`");
    scalar(*s.arguments[0]), function(*s.arguments[1]);
  }
  void value(const Expr& e) {
    const Spine s = spine_of(e);
    if (s.head == "force") return scheme(*s.arguments[0]);
    if (s.head == "while") return function(*s.arguments[0]), function(*s.arguments[1]), scheme(*s.arguments[2]);
    const bool branch = as<IfExpr>(e) != nullptr;
    if (s.head == "push" || s.head == "interleave" || branch) return scheme(e);
    scalar(e);
  }
  void scheme(const Expr& e) {
    if (const auto* i = as<IfExpr>(e)) return scalar(*i->condition), body(*i->yes), body(*i->no);
    const Spine s = spine_of(e);
    if (s.head == "push") {
      if (!s.level || !s.level->variable.empty()) return refuse(e, "push array of a level");
      return generated(*s.arguments[0]);
    }
    if (s.head != "interleave") return refuse(e, "iteration scheme");
    scalar(*s.arguments[0]), function(*s.arguments[1]), generated(*s.arguments[2]);
  }
  void scalar(const Expr& e) {
    if (as<ApplyExpr>(e)) {
      const Spine s = spine_of(e);
      const bool known =
          std::find(scalars_of_arrays.begin(), scalars_of_arrays.end(), s.head) != scalars_of_arrays.end();
      if (!known && !scalar_function_named(s.head)) return refuse(e, "scalar");
      for (const Expr* a : s.arguments)
        if (spine_of(*a).head != "generate") scalar(*a);  // of a check
      return;
    }
    if (as<FnExpr>(e) || as<LetExpr>(e) || as<PipeExpr>(e) || as<ComposeExpr>(e) || as<ArrayExpr>(e) ||
        as<OperatorExpr>(e) || as<LevelApplyExpr>(e))
      return refuse(e, "scalar");
    each_child(e, [&](const ExprRef& c) { return as<LetExpr>(*c) ? body(*c) : scalar(*c); });  // let: of a branch
  }
};

}  // namespace

std::string why_not_normal(const Expr& body) {
  NormalForm out;
  out.body(body);
  return out.wrong;
}

}  // namespace lockstep::fcl

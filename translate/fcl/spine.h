// Applications as what is applied and to what.
#pragma once
#include "semantics/fcl/syntax.h"

namespace lockstep::fcl {

// f <level> x y: of what is no name that is applied, nothing.
struct Spine {
  std::string head;
  std::optional<Level> level;
  std::vector<const Expr*> arguments;
};
inline Spine spine_of(const Expr& e) {
  Spine out;
  const Expr* f = &e;
  for (;;) {
    if (const auto* a = as<ApplyExpr>(*f)) {
      out.arguments.insert(out.arguments.begin(), &*a->argument);
      f = &*a->function;
    } else if (const auto* l = as<LevelApplyExpr>(*f)) {
      out.level = l->level;
      f = &*l->function;
    } else {
      break;
    }
  }
  if (const auto* v = as<Variable>(*f)) out.head = v->name;
  return out;
}

}  // namespace lockstep::fcl

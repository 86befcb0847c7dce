// The list of the calculus's obligations, in the order of its primitives.
#include "proofs/calculus_proofs.h"

namespace lockstep::proofs {

std::vector<Obligation> calculus_obligations(const CalculusRef& calculus) {
  std::vector<Obligation> all;
  const auto add = [&](std::vector<Obligation> more) {
    for (Obligation& o : more) all.push_back(std::move(o));
  };
  for (const std::string& name : calculus->names())
    if (std::holds_alternative<View>(calculus->primitive(name)->kind)) add(view_obligations(calculus, name));
  add(translation_obligations());
  add(strategy_obligations());
  add(operator_obligations(calculus));
  return all;
}

bool as_it_must_be(const Obligation& o, const Outcome& found) {
  switch (found.standing) {
    case Standing::Proved:
    case Standing::Tested:
    case Standing::Assumed: return !o.wrong;
    case Standing::Refuted: return o.wrong;
    case Standing::Unknown: return false;
  }
  return false;
}

}  // namespace lockstep::proofs

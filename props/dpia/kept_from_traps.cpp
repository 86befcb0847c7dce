// What && and || keep from trapping (kept_from_traps.h), by running the program with their right sides evaluated first.
#include "props/dpia/kept_from_traps.h"

#include <algorithm>

#include "props/dpia/rounds.h"
#include "semantics/functional/denote.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::props {
namespace {

bool is_operator(const Phrase& p, const std::string& symbol) {
  const auto* x = as<PrimPhrase>(p);
  return x && x->primitive->name == symbol && x->arguments.size() == 2;
}

bool may_trap(const Phrase& p) {
  const auto* x = as<PrimPhrase>(p);
  bool found = false;
  if (x) {
    const auto* op = std::get_if<ScalarOp>(&x->primitive->kind);
    const auto* view = std::get_if<View>(&x->primitive->kind);
    const auto* s = op && !x->arguments.empty() ? as<ScalarType>(data_of(*x->arguments[0])) : nullptr;
    found = view ? static_cast<bool>(view->check_meaning) : op ? !s || op->can_trap(*s) : true;
  }
  for_each_child(p, [&](const PhraseRef& c) { found = found || may_trap(*c); });
  return found;
}
bool has_such(const Phrase& p, const std::string& symbol) {
  bool found = is_operator(p, symbol) && may_trap(*as<PrimPhrase>(p)->arguments[1]);
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_such(*c, symbol); });
  return found;
}

// a && b as let right = b in a && right.
PhraseRef evaluated_first(const PhraseRef& p, const std::string& symbol, int& count) {
  const PhraseRef q = map_children(p, [&](const PhraseRef& c) { return evaluated_first(c, symbol, count); });
  if (!is_operator(*q, symbol)) return q;
  PrimPhrase both = *as<PrimPhrase>(*q);
  const std::string name = "right#" + std::to_string(count++);
  const PhraseRef right = both.arguments[1];
  both.arguments[1] = ident(name, right->type);
  return let(name, right, PhraseRef(Phrase{q->type, std::move(both), q->region}));
}

}  // namespace

bool keeps_from_traps(const PhraseProgram& source, const std::string& symbol, const std::vector<Expected>& inputs) {
  if (!has_such(*source.body, symbol)) return false;
  const Rounds rounds;
  PhraseProgram eager = rounds.counted(source);
  int count = 0;
  eager.body = evaluated_first(eager.body, symbol, count);
  return std::any_of(inputs.begin(), inputs.end(), [&](const Expected& e) {
    if (!e.result) return false;
    rounds.restart(rounds_allowed(e.rounds));
    try {
      const auto value = denote(eager, e.sizes, e.arguments, ieee_domain());
      if (value) flatten(*value, source.result, e.sizes);
      return !value;
    } catch (const EndlessSignal&) {
      return false;
    }
  });
}

}  // namespace lockstep::props

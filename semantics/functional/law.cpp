// The names of laws, and what was answered lately.
#include "semantics/functional/law.h"

#include <algorithm>
#include <deque>

#include "semantics/core/table.h"

namespace lockstep::rewriting {

std::string_view show(Law law) {
  static constexpr auto rows = table<Law>({{Law::Associative, "associative"},
                                           {Law::Commutative, "commutative"},
                                           {Law::Neutral, "neutral"},
                                           {Law::Absorbed, "absorbed"},
                                           {Law::Selective, "selective"}});
  return rows[law];
}
std::string_view show(Knowledge k) {
  static constexpr auto rows =
      table<Knowledge>({{Knowledge::Proved, "proved"}, {Knowledge::Tested, "tested"}, {Knowledge::Assumed, "assumed"}});
  return rows[k];
}

namespace {
bool same_value(const std::optional<PhraseRef>& a, const std::optional<PhraseRef>& b) {
  return a.has_value() == b.has_value() && (!a || alpha_equal(**a, **b));
}
// Operators are compared by identity: those of two calculi may have one name.
bool same_question(const LawQuestion& a, const LawQuestion& b) {
  return a.law == b.law && alpha_equal(*a.operation, *b.operation) && same_value(a.element, b.element) &&
         same_value(a.start, b.start) && same_value(a.made, b.made);
}
}  // namespace

LawOracle remembering(LawOracle oracle) {
  constexpr std::size_t most = 48;
  using Known = std::deque<std::pair<LawQuestion, LawAnswer>>;
  return [oracle = std::move(oracle), known = std::make_shared<Known>()](const LawQuestion& q) {
    const auto it =
        std::find_if(known->begin(), known->end(), [&](const auto& k) { return same_question(k.first, q); });
    if (it != known->end()) return it->second;
    if (known->size() == most) known->pop_front();
    return known->emplace_back(q, oracle(q)).second;
  };
}

}  // namespace lockstep::rewriting

// Another order is tried by reading the definition once more with it.
#include "semantics/functional/inference/other_orders.h"

#include <algorithm>

#include "semantics/core/size_limit.h"
#include "semantics/functional/inference/elaborate.h"

namespace lockstep::inference {
namespace {

// Takes back the errors from `before` on; whether none of them was at this place.
bool taken_back(Diagnostics& errors, std::size_t before, const Region& place) {
  const auto begin = errors.begin() + static_cast<std::ptrdiff_t>(before);
  const bool none = std::none_of(begin, errors.end(), [&](const Diagnostic& e) {
    return e.region.begin < place.end && place.begin < e.region.end;
  });
  errors.erase(begin, errors.end());
  return none;
}

}  // namespace

bool explain_order(const surface::Definition& d, const std::vector<MisfitCall>& misfits, const Work& untouched,
                   std::size_t told_at) {
  Diagnostics& errors = untouched.errors;
  if (misfits.empty()) return false;
  const MisfitCall& call = misfits.front();
  const Region at = errors[told_at].region;
  if (at.begin < call.argument.begin || call.argument.end < at.end) return false;
  for (const std::size_t other : call.others) {
    const std::size_t before = errors.size();
    Work exchanged = untouched;
    exchanged.orders.exchange = {call.call, call.k, other};
    try {
      definition(exchanged, d.body, d.result.type);
    } catch (const Failure&) {
    } catch (const SizeTooLarge&) {
      errors.push_back({call.call, "", "", ""});
    }
    const std::string instead = exchanged.orders.exchange_text;
    if (!taken_back(errors, before, call.call) || instead.empty()) continue;
    const std::string first = call.name == "while" ? "the condition comes first: " : "write ";
    errors[told_at] = {call.call, "the arguments of " + call.name + " stand in another order",
                       "arguments as in its type, " + call.type, first + instead};
    return true;
  }
  return false;
}

void explain_accumulator(const surface::Definition& d, const std::vector<Region>& functions, const Work& untouched,
                         std::size_t told_at) {
  Diagnostics& errors = untouched.errors;
  const Region at = errors[told_at].region;
  const Region* innermost = nullptr;
  for (const Region& f : functions)
    if (f.begin <= at.begin && at.end <= f.end && (!innermost || innermost->begin <= f.begin)) innermost = &f;
  if (!innermost) return;
  const std::size_t before = errors.size();
  Work exchanged = untouched;
  exchanged.orders.reversed = *innermost;
  try {
    definition(exchanged, d.body, d.result.type);
  } catch (const Failure&) {
  }
  if (!taken_back(errors, before, *innermost)) return;
  const std::string instead = exchanged.orders.reversed_text;
  errors[told_at].mend = "the element comes first, then the accumulator" + (instead.empty() ? "" : ": " + instead);
}

}  // namespace lockstep::inference

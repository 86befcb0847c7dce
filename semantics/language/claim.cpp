// Claims (claim.h): the names of standings, the trusted base, and how a claim falls to what it rests on.
#include "semantics/language/claim.h"

#include <algorithm>

#include "semantics/core/table.h"

namespace lockstep {

std::string_view name_of(Standing s) {
  static constexpr auto rows = table<Standing>({{Standing::Refuted, "refuted"},
                                                {Standing::Unknown, "unknown"},
                                                {Standing::Assumed, "assumed"},
                                                {Standing::Tested, "tested"},
                                                {Standing::Proved, "proved"}});
  return rows[s];
}

const std::vector<Claim>& trusted_base() {
  static const std::vector<Claim> base{
      {"the trusted base", "the calculus as stated is the calculus as run", Standing::Tested,
       "by the campaign, its mutants and lockstep's own tests"},
      {"the trusted base", "the C++ compiler and this machine compute what the generated text says", Standing::Assumed,
       ""}};
  return base;
}

void settle(std::vector<Claim>& claims) {
  const auto standing_of = [&](const std::string& statement) {
    Standing least = Standing::Unknown;
    bool found = false;
    for (const Claim& c : claims)
      if (c.statement == statement) least = found ? std::min(least, c.standing) : c.standing, found = true;
    return least;
  };
  for (bool lowered = true; lowered;) {
    lowered = false;
    for (Claim& c : claims)
      for (const std::string& below : c.rests_on)
        // What rests on a refuted claim is not refuted by it, but nothing is known of it any more.
        if (const Standing s = std::max(standing_of(below), Standing::Unknown); s < c.standing)
          c.standing = s, lowered = true;
  }
}

const Claim* first_refuted(const std::vector<Claim>& claims) {
  const auto it =
      std::find_if(claims.begin(), claims.end(), [](const Claim& c) { return c.standing == Standing::Refuted; });
  return it == claims.end() ? nullptr : &*it;
}

}  // namespace lockstep

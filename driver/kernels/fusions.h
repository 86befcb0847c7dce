// What became of operations on arrays and of those that go over what they make, for `fusion`.
#pragma once
#include "driver/frontend.h"
#include "semantics/core/table.h"
#include "translate/fusion/decision.h"

namespace lockstep::driver {

// Of a case in which nothing is fused.
struct CaseRow {
  std::string_view number;  // Fig. 9, or the condition of l0.md §2
  std::string_view why, mend;
};
inline constexpr auto case_rows = table<fusion::Case, CaseRow>(
    {{fusion::Case::Consumed,
      {"1", "what it reads is consumed on the way", "consume a copy, or let the consumer come before"}},
     {fusion::Case::Combination,
      {"2", "no rule fuses these two", "a filter goes into filters, and into reductions of what it gives alone"}},
     {fusion::Case::Repeated,
      {"3", "it would be computed again in every call or round", "move the consumer out of the function or loop"}},
     {fusion::Case::SamePath,
      {"4", "two consumers on one path would both compute it", "make them one operation that gives both results"}},
     {fusion::Case::OtherUse,
      {"5", "it is used here otherwise than by going over it", "let no index, update or result want the array"}},
     {fusion::Case::Siblings,
      {"6", "two consumers go over arrays that are made together", "make the consumers one operation"}},
     {fusion::Case::RowConsumed,
      {"(5)", "the consumer consumes rows that are not its own", "consume a copy of the row"}},
     {fusion::Case::LostCheck,
      {"(6)", "a trap, or a check that rows are regular, would be lost",
       "let rows have a shape that no element decides, and a branch no operation that traps"}},
     {fusion::Case::LengthAsked, {"(7)", "how much a filter leaves is asked for", "count what passes by a reduction"}},
     {fusion::Case::Viewed, {"view", "a view stands between them", "nothing is to be mended in the program"}},
     {fusion::Case::NoRule,
      {"no rule", "scans have no rules, nor what a reduction gives", "nothing is to be mended in the program"}}});
using CaseRows = std::remove_const_t<decltype(case_rows)>;

// A row a pair; then why what was not fused was not, and how often each rule was used.
Said fusions_said(const std::string& language, const std::string& function, const std::vector<fusion::Decision>& all,
                  const CaseRows& rows = case_rows);

}  // namespace lockstep::driver

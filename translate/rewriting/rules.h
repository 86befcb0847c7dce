// The rules, a family a file; `all_rules` is what a strategy may use.
#pragma once
#include "translate/rewriting/rule.h"

namespace lockstep::rewriting {

RuleList map_rules();          // fusion, blocks, and what moves past a map
RuleList reduce_rules();       // fusion, blocks, columns
RuleList interchange_rules();  // loops that change places
RuleList part_rules();         // arrays in parts, longer, copied, and what moves past their parts
RuleList window_rules();       // stencils: windows in tiles, of rows and of columns
RuleList cancel_rules();       // views that undo each other
RuleList binding_rules();      // beta, let
RuleList level_rules();        // where loops run and results live
RuleList collective_rules();   // what a block or a warp does together
RuleList permute_rules();      // what threads update atomically, or on private copies
RuleList vector_rules();       // short vectors
RuleList fact_rules();         // assume, blockOf

RuleList all_rules();

}  // namespace lockstep::rewriting

// Names of levels and spaces.
#include "semantics/core/hierarchy.h"

#include "semantics/core/table.h"

namespace lockstep {

std::string_view show(Level l) {
  static constexpr auto rows = table<Level>({{Level::Auto, ""},
                                             {Level::Seq, "Seq"},
                                             {Level::Par, "Par"},
                                             {Level::Global, "Global"},
                                             {Level::Workgroup, "Workgroup"},
                                             {Level::Warp, "Warp"},
                                             {Level::Local, "Local"},
                                             {Level::Unroll, "Unroll"}});
  return rows[l];
}
bool is_parallel(Level l) { return l != Level::Auto && l != Level::Seq && l != Level::Unroll; }
bool nests(Level outer, Level inner) {
  if (outer == Level::Par) return inner == Level::Par;
  if (outer == Level::Workgroup) return inner == Level::Warp || inner == Level::Local;
  return outer == Level::Warp && inner == Level::Local;
}
std::string_view show(Space s) {
  static constexpr auto rows = table<Space>({{Space::Auto, ""},
                                             {Space::Global, "Global"},
                                             {Space::Local, "Local"},
                                             {Space::Private, "Private"},
                                             {Space::Stream, "Stream"}});
  return rows[s];
}

}  // namespace lockstep

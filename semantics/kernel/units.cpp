// The units of each level (units.h). In: a launch and a level; out: how many there are.
#include "semantics/kernel/units.h"

#include <algorithm>

namespace lockstep::kernel {
namespace {

std::int64_t units_of_level(const Launch& l, Level level, Level around, std::int64_t lanes) {
  switch (level) {
    case Level::Par:
    case Level::Global:
      return around == Level::Seq ? std::int64_t{l.grid} * l.block : 1;
    case Level::Workgroup:
      return l.grid;
    case Level::Warp:
      return warps_of(l);
    case Level::Local:
      return around == Level::Warp ? lanes : l.block;
    case Level::Auto:
    case Level::Seq:
    case Level::Unroll:
      break;
  }
  throw Bug("the units of a loop that is not parallel");
}

}  // namespace

std::int64_t fewest_units(const Launch& l, Level level, Level around) {
  return units_of_level(l, level, around, l.block - (warps_of(l) - 1) * l.warp);  // all warps but the last are whole
}
std::int64_t most_units(const Launch& l, Level level, Level around) {
  return units_of_level(l, level, around, std::min(l.block, l.warp));
}

Expr units_of(const Launch& l, Level level, const ParallelFor* around) {
  const Level outer = around ? around->level : Level::Seq;
  const std::int64_t fewest = fewest_units(l, level, outer), most = most_units(l, level, outer);
  if (fewest == most) return constant(fewest);
  const Size warp = modulo(Size::name(around->name), warps_of(l)), is_last = floor_div(warp + 1, warps_of(l));
  return size_expr(Size(most) - Size(most - fewest) * is_last);
}

bool has_rounds(const ParallelFor& p) {
  if (!p.units) return false;
  const auto most = constant_of(p.extent), units = constant_of(*p.units);
  return !most || !units || *most > *units;
}

}  // namespace lockstep::kernel

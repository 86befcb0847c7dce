#include "driver/languages/fcl/instances.h"

namespace lockstep::driver {

namespace {
constexpr std::size_t most_levels = fcl::most_above + 1;
}  // namespace

FclInstance standing_instance(const FclFile& file, const FclEntryPoint& entry, const FclArguments& arguments) {
  fcl::Entry at{file.program, entry.name, {arguments.open, {}}, entry.launch};
  std::vector<std::string> open;
  for (const auto& [name, level] : arguments.levels) {
    if (!level) open.push_back(name);
    at.instance.levels[name] = level.value_or(fcl::grid_level);
  }
  std::size_t all = 1;
  for (std::size_t k = 0; k < open.size(); ++k) all *= most_levels;
  std::optional<FclInstance> last;
  for (std::size_t n = 0; n < all; ++n) {
    std::size_t rest = n;
    for (const std::string& l : open) {
      at.instance.levels[l] = fcl::Level{fcl::most_above - static_cast<int>(rest % most_levels)};
      rest /= most_levels;
    }
    fcl::Traced stages = fcl::trace_of(at);
    last = FclInstance{at, std::move(stages)};
    if (!last->stages.misplaced) break;
  }
  return *std::move(last);
}

FclInstance standing_instance(const FclFile& file, const FclEntryPoint& entry) {
  return standing_instance(file, entry, bind_arguments(entry, {}, false));
}

}  // namespace lockstep::driver

// What campaigns have in common on the command line, whatever the language.
#pragma once
#include <tuple>

#include "driver/options.h"
#include "driver/report.h"

namespace lockstep::driver {

// Runs a campaign, of the options that `How` has for its language, and shows how far it is.
template <class How, class Run>
auto run_with_progress(const Options& options, How how, const Run& run) {
  if (options.programs > 0) how.programs = options.programs;
  how.seed = options.seed;
  if (options.minutes > 0) how.minutes = options.minutes;
  if (!options.shard.empty()) std::tie(how.shard, how.shards) = shard_of(options.shard);
  Progress progress;
  how.progress = [&](std::size_t done, std::size_t all, std::size_t failures) {
    progress.step("random programs, " + show_count(failures, "failure"), done, all);
  };
  return run(how);
}

}  // namespace lockstep::driver

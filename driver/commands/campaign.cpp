// lockstep campaign: random programs of a language through every stage, or mistakes planted and each caught.
#include <nlohmann/json.hpp>

#include "driver/commands/commands.h"

namespace lockstep::driver {

int campaign_command(const Options& options) {
  if (options.mutants.empty())
    refuse_given(options, {"--show"}, "is of --mutants: what a campaign finds is always shown");
  else
    refuse_given(options, {"--limit", "--minutes", "--target"}, "says nothing to --mutants",
                 "each mistake is tried on --programs N random programs, through the stages or compiled, as it needs");
  const Frontend& f = frontend_named(options.languages, options.language);
  refuse_useless(f, options, "campaign");
  const Said said = options.mutants.empty() ? f.campaign(options) : f.mutants(options);
  if (options.json)
    print(said.json);
  else
    print(said.text);
  return said.ok ? done : disagrees;
}

}  // namespace lockstep::driver

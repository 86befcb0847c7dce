#include "driver/kernels/large_sizes.h"

#include "driver/growing.h"
#include "driver/options.h"
#include "driver/report.h"
#include "props/dpia/generate.h"
#include "props/dpia/sizes.h"

namespace lockstep::driver {

SizeValues large_sizes(const PhraseProgram& program, const SizeValues& known, const std::string& asked,
                       const TimedRun& run) {
  using enum TriedSize::Became;
  const props::SizeRelations relations(program, {known, {}, {}});
  const auto sizes_at = [&](std::int64_t n) -> std::optional<SizeValues> {
    SizeValues sizes = known;
    for (const std::string& s : relations.drawn()) sizes.emplace(s, n);
    if (!relations.complete(sizes) || !props::fits(program, sizes)) return {};
    return sizes;
  };
  if (const auto n = size_among(asked)) {
    const auto sizes = sizes_at(*n);
    if (!sizes)
      fail(invalid, "sizes that are all " + asked + " are none of " + program.name, "give them by name, as in n=1000");
    return *sizes;
  }
  std::optional<SizeValues> first;
  const auto best = largest_size([&](std::int64_t n) -> TriedSize {
    if (n > std::int64_t{1} << 27 || (n > 1 && relations.drawn().empty())) return {TooLarge};
    const auto sizes = sizes_at(n);
    if (!sizes) return {None};
    if (first && 4 * props::element_count(program, *sizes) > most_bytes) return {TooLarge};
    if (!first) first = sizes;
    const auto seconds = run(*sizes);
    return seconds ? TriedSize{Ran, *seconds} : TriedSize{Trapped};
  });
  if (best) return *sizes_at(*best);
  if (first) return *first;
  const auto weight = [&](const SizeValues& sizes) { return props::element_count(program, sizes); };
  const props::SizeSearch found = props::search_sizes(program, {known, {}, {}}, 1, weight, 64e6, 1);
  if (found.heavy) return *found.heavy;
  if (found.sizes.empty())
    fail(invalid, "no sizes were found that satisfy what " + program.name + " asks for",
         "give them by name, as in n=1000");
  return found.sizes.front();
}

}  // namespace lockstep::driver

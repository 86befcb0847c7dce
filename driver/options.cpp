// What options say, where they say nothing that could be meant.
#include "driver/options.h"

#include <charconv>

#include "driver/report.h"

namespace lockstep::driver {

void refuse_given(const Options& options, const std::set<std::string>& names, const std::string& why,
                  const std::string& help) {
  for (const std::string& name : names)
    if (options.given.contains(name)) fail(invalid, name + " " + why, help);
}

void check_inputs(const Options& options) {
  if (options.inputs == 0) fail(invalid, "--inputs 0 compares nothing", "at least 1");
  if (options.inputs > most_inputs)
    fail(invalid, "--inputs " + std::to_string(options.inputs) + " is more than is kept",
         "at most " + std::to_string(most_inputs));
}

std::vector<std::int64_t> sizes_among(const std::string& text) {
  std::vector<std::int64_t> out;
  const char *at = text.data(), *end = at + text.size();
  while (at != end || !out.empty()) {
    std::int64_t n = -1;
    const auto [after, bad] = std::from_chars(at, end, n);
    if (bad != std::errc{} || n < 0 || (after != end && *after != ','))
      fail(invalid, "--sizes: expected natural numbers with commas between, found " + text, "as in --sizes 4,8");
    out.push_back(n);
    if (after == end) break;
    at = after + 1;
  }
  return out;
}

std::optional<std::int64_t> size_among(const std::string& text) {
  const std::vector<std::int64_t> sizes = sizes_among(text);
  if (sizes.empty()) return {};
  if (sizes.size() > 1 || sizes.front() == 0)
    fail(invalid, "--sizes: expected one size above 0, found " + text, "as in --sizes 1000");
  return sizes.front();
}

std::pair<std::size_t, std::size_t> shard_of(const std::string& text) {
  const char* end = text.data() + text.size();
  std::size_t i = 0, k = 0;
  const auto [slash, bad] = std::from_chars(text.data(), end, i);
  if (bad == std::errc{} && slash != end && *slash == '/') {
    const auto [last, also_bad] = std::from_chars(slash + 1, end, k);
    if (also_bad == std::errc{} && last == end && i >= 1 && i <= k) return {i, k};
  }
  fail(invalid, "--shard: expected i/k with 1 <= i <= k, found " + text, "as in --shard 2/4");
}

}  // namespace lockstep::driver

#include "driver/random_words.h"

#include <charconv>

#include "driver/report.h"

namespace lockstep::driver {

std::uint64_t hash_of(const std::string& name) {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return h;
}

std::uint64_t random_seed(const std::string& name, const std::string& value) {
  if (value == "random") return hash_of(name);
  const std::string digits = value.substr(7);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size())
    fail(invalid, name + ": expected random:SEED with a seed from 0 to 18446744073709551615, found " + value);
  return seed;
}

}  // namespace lockstep::driver

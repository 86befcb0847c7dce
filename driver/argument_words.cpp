// Arguments as words (argument_words.h): what is said of a wrong one.
#include "driver/argument_words.h"

#include <charconv>

#include "driver/report.h"

namespace lockstep::driver {

ArgumentWord argument_word(const std::string& text, std::set<std::string>& seen) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    fail(invalid, "'" + text + "' is no argument", "arguments are written name=value");
  ArgumentWord out{text.substr(0, equals), text.substr(equals + 1)};
  if (!seen.insert(out.name).second) fail(invalid, "the argument " + out.name + " is given twice");
  return out;
}

std::size_t leaf_number(const std::string& parameter, const std::string& type, const std::string& digits,
                        std::size_t count) {
  std::size_t k = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), k);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size() || k >= count)
    fail(invalid,
         parameter + " has no leaf " + digits + ": its type " + type + " has " +
             (count == 1 ? "one, " + parameter + ".0"
                         : "the leaves " + parameter + ".0 to " + parameter + "." + std::to_string(count - 1)));
  return k;
}

void refuse_unknown(const std::string& function, const std::string& name, const std::vector<std::string>& names,
                    const std::string& what) {
  fail(invalid, function + " has no parameter " + name,
       did_you_mean(name, names, names.empty() ? "it has none" : "its " + what + " are " + comma_list(names)));
}

bool is_random(const std::string& value) { return value == "random" || value.starts_with("random:"); }
bool is_npy(const std::string& value) { return value.ends_with(".npy"); }

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

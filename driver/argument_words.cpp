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

props::RandomAsked random_asked(const std::string& name, const std::string& value) {
  props::RandomAsked out;
  std::string rest = value.substr(std::min(value.size(), std::string("random:").size()));
  if (value == "random") return out;
  const std::string word = rest.substr(0, rest.find(':'));
  if (const auto kind = props::kind_named(word)) {
    out.kind = *kind;
    if (word == rest) return out;
    rest = rest.substr(word.size() + 1);
  }
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), seed);
  if (rest.empty() || error != std::errc{} || end != rest.data() + rest.size()) {
    std::vector<std::string> kinds;
    for (const props::KindRow& row : props::kind_rows()) kinds.emplace_back(row.name);
    fail(invalid, name + ": there is no " + value,
         did_you_mean(word, kinds,
                      "random, random:SEED with a seed from 0 to 18446744073709551615, or random:KIND or "
                      "random:KIND:SEED, where KIND is " +
                          comma_list(kinds)));
  }
  out.seed = seed;
  return out;
}

void refuse_kind(const std::string& name, const std::string& type, props::RandomKind kind, const std::string& wants) {
  fail(invalid,
       name + " has the type " + type + ", and random:" + std::string(props::row_of(kind).name) + " wants " + wants,
       "random:" + std::string(props::row_of(kind).name) + " gives " + std::string(props::row_of(kind).gives));
}

}  // namespace lockstep::driver

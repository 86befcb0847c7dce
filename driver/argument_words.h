// Arguments as words, name=value, whatever the language.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "props/engine/kinds.h"

namespace lockstep::driver {

// Each of these ends in a Failure with status 2 where a word is wrong.
struct ArgumentWord {
  std::string name, value;
};
// `seen` are the names so far.
ArgumentWord argument_word(const std::string& text, std::set<std::string>& seen);
// What a word names: a parameter, or one of its leaves as "xs.2" does; null where there is none.
template <class Given>
struct Meant {
  Given* given = nullptr;
  std::string parameter;
  std::optional<std::string> leaf{};
};
template <class Given>
Meant<Given> meant_by(std::map<std::string, Given>& given, const std::string& name) {
  if (const auto p = given.find(name); p != given.end()) return {&p->second, name};
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  const auto p = given.find(name.substr(0, dot));
  if (dot == name.size() || p == given.end()) return {};
  return {&p->second, p->first, name.substr(dot + 1)};
}

// "xs.2": the parameter's leaf, from 0, of `count`.
std::size_t leaf_number(const std::string& parameter, const std::string& type, const std::string& digits,
                        std::size_t count);
// What a function's parameters are called in all ("parameters and sizes").
[[noreturn]] void refuse_unknown(const std::string& function, const std::string& name,
                                 const std::vector<std::string>& names, const std::string& what);

bool is_random(const std::string& value);
bool is_npy(const std::string& value);
// The seed of a random parameter that is given none: another for each name.
std::uint64_t hash_of(const std::string& name);
// What `random`, `random:SEED`, `random:KIND` or `random:KIND:SEED` asks for.
props::RandomAsked random_asked(const std::string& name, const std::string& value);
// A parameter whose type has no values of the kind; `wants`: "a square matrix of floats, such as [n][n]f64".
[[noreturn]] void refuse_kind(const std::string& name, const std::string& type, props::RandomKind kind,
                              const std::string& wants);

}  // namespace lockstep::driver

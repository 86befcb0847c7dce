// What the numbers of a cost count, in words and as JSON, whatever the language.
#pragma once
#include <nlohmann/json.hpp>

#include "driver/report.h"

namespace lockstep::driver {

struct Unit {
  std::string of, counts;
};

inline std::string text_of(const std::vector<Unit>& units) {
  std::size_t width = 0;
  for (const Unit& u : units) width = std::max(width, u.of.size());
  std::string out = "\n";
  for (const Unit& u : units) out += u.of + std::string(width + 2 - u.of.size(), ' ') + u.counts + "\n";
  return out;
}
inline Json json_of(const std::vector<Unit>& units) {
  Json out = Json::object();
  for (const Unit& u : units) out[u.of] = u.counts;
  return out;
}

}  // namespace lockstep::driver

// Certificates read back, and compared with what comes out now (certificate.h).
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "driver/commands/certificate.h"

namespace lockstep::driver {
namespace {

// What may differ between two runs of the same.
bool is_of_the_run(const std::string& key) {
  return key == "seconds" || key == "compile_seconds" || key == "cached" || key == "digest" || key == "program";
}

std::string shown(const Json& j) {
  if (j.is_null()) return "nothing";
  return shortened(j.dump(-1, ' ', false, Json::error_handler_t::replace), 100);
}

// How people call it, where it has a name.
std::string name_of(const Json& element, std::size_t k) {
  const auto word = [&](const char* key) {
    return element.is_object() && element.contains(key) && element[key].is_string() ? element[key].get<std::string>()
                                                                                    : std::string();
  };
  if (!word("statement").empty()) return word("subject") + ": " + word("statement");
  for (const char* key : {"stage", "target"})
    if (!word(key).empty()) return word(key);
  return std::to_string(k);
}

void compare(const std::string& where, const Json& then, const Json& now, std::vector<std::string>& out) {
  const auto inside = [&](const std::string& name) { return where.empty() ? name : where + ", " + name; };
  if (then.is_object() && now.is_object()) {
    for (const auto& [key, value] : then.items())
      if (!is_of_the_run(key)) compare(inside(key), value, now.contains(key) ? now[key] : Json(nullptr), out);
    for (const auto& [key, value] : now.items())
      if (!is_of_the_run(key) && !then.contains(key)) compare(inside(key), Json(nullptr), value, out);
    return;
  }
  if (then.is_array() && now.is_array()) {
    if (then.size() != now.size())
      out.push_back(where + ": the certificate has " + std::to_string(then.size()) + ", now there are " +
                    std::to_string(now.size()));
    for (std::size_t k = 0; k < std::min(then.size(), now.size()); ++k)
      compare(inside(name_of(then[k], k)), then[k], now[k], out);
    return;
  }
  if (then != now) out.push_back(where + ": the certificate says " + shown(then) + ", now it is " + shown(now));
}

std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in || in.bad()) fail(invalid, "cannot read the certificate " + path);
  return text.str();
}

// The program's file as the certificate names it, or beside the certificate.
std::string file_of(const std::string& named, const std::string& certificate) {
  std::error_code ignored;
  if (std::filesystem::exists(named, ignored)) return named;
  const auto beside = std::filesystem::path(certificate).parent_path() / std::filesystem::path(named).filename();
  return std::filesystem::exists(beside, ignored) ? beside.string() : named;
}

}  // namespace

Json read_certificate(const std::string& path, Recorded& out) {
  const auto no_certificate = [&](const std::string& why) {
    fail(invalid, path + " is no certificate: " + why, "'lockstep verify FILE --certificate F' writes one");
  };
  Json c;
  try {
    c = Json::parse(read_text(path));
    if (!c.is_object() || !c.contains("certificate")) no_certificate("it does not say what it is");
    if (c.at("certificate") != 2) no_certificate("it is of another version of lockstep");
    out.request.seed = c.at("seed").get<std::uint64_t>();
    // A number that was written by hand could run for ever, or out of memory.
    const auto natural = [&](const char* key, const Json& n, std::uint64_t most) {
      if (!n.is_number_unsigned() || n == 0 || n > most) no_certificate(std::string(key) + " is " + n.dump());
      return n.get<std::uint64_t>();
    };
    out.request.inputs = natural("inputs_asked", c.at("inputs_asked"), most_inputs);
    out.request.limit = natural("round_limit", c.value("round_limit", Json(out.request.limit)), UINT64_MAX);
    out.request.targets = c.at("targets_asked").get<std::vector<std::string>>();
    out.request.arguments = c.at("arguments_given").get<std::vector<std::string>>();
    out.language = c.at("language").get<std::string>();
    out.entry = c.at("entry").get<std::string>();
    out.file = file_of(c.at("program").get<std::string>(), path);
  } catch (const Json::exception& e) {
    no_certificate(e.what());
  }
  return c;
}

std::vector<std::string> differences(const Json& recorded, const Json& again) {
  std::vector<std::string> out;
  if (!recorded.contains("digest") || recorded["digest"] != digest_of(recorded))
    out.push_back("the certificate was changed after it was written: its digest is not that of what it says");
  compare("", recorded, again, out);
  return out;
}

}  // namespace lockstep::driver

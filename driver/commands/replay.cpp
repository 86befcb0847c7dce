// Certificates read back, and compared with what comes out now (certificate.h).
#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/commands/certificate.h"
#include "semantics/core/files.h"

namespace lockstep::driver {
namespace {

// What differs between two runs of the same, where it stands ("*": at any place of a list), and what it is.
struct OfTheRun {
  std::string_view path;
  bool (*is)(const Json&);
};
bool is_time(const Json& j) { return j.is_number() && j.get<double>() >= 0; }
constexpr OfTheRun of_the_run[] = {
    {"/seconds", is_time},
    {"/claims/*/seconds", is_time},
    {"/stages/*/seconds", is_time},
    {"/targets/*/seconds", is_time},
    {"/targets/*/compile_seconds", is_time},
    {"/targets/*/cached", [](const Json& j) { return j.is_boolean(); }},
};
constexpr std::string_view digest = "/digest";
// What may be another where all else is the same; said when it is.
constexpr std::string_view of_the_place[] = {"/compiler", "/processor", "/build", "/program", "/targets/*/device"};

std::string text_of(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }
std::string shown(const Json& j) {
  if (j.is_null()) return "nothing";
  return shortened(text_of(j), 100);
}

// How people call it, where it has a name.
std::string name_of(const Json& element, std::size_t k) {
  const auto word = [&](const char* key) {
    return element.is_object() && element.contains(key) && element[key].is_string() ? element[key].get<std::string>()
                                                                                    : std::string();
  };
  if (!word("statement").empty()) return word("subject") + ": " + word("statement");
  for (const char* key : {"stage", "target", "argument"})
    if (!word(key).empty()) return word(key);
  return std::to_string(k);
}

class Comparing {
 public:
  Compared all(const Json& then, const Json& now) {
    compare("", "", &then, &now);
    return std::move(out_);
  }

 private:
  // `where`: as people call it. Null: it is not there.
  void compare(const std::string& where, const std::string& path, const Json* then, const Json* now) {
    if (path == digest) return;
    for (const OfTheRun& r : of_the_run)
      if (path == r.path && then && now && r.is(*then) && r.is(*now)) return;
    if (then && now && then->is_object() && now->is_object()) return objects(where, path, *then, *now);
    if (then && now && then->is_array() && now->is_array()) return arrays(where, path, *then, *now);
    if (then && now && then->type() == now->type() && *then == *now) return;
    const bool place = std::find(std::begin(of_the_place), std::end(of_the_place), path) != std::end(of_the_place) &&
                       then && now && (then->is_string() || then->is_null());
    (place ? out_.elsewhere : out_.differences)
        .push_back(where + ": the certificate says " + (then ? shown(*then) : "nothing") + ", now it is " +
                   (now ? shown(*now) : "nothing"));
  }
  void objects(const std::string& where, const std::string& path, const Json& then, const Json& now) {
    const auto part = [](const Json& j, const std::string& key) { return j.contains(key) ? &j[key] : nullptr; };
    const auto inside = [&](const std::string& key) { return where.empty() ? key : where + ", " + key; };
    for (const auto& [key, value] : then.items()) compare(inside(key), path + "/" + key, &value, part(now, key));
    for (const auto& [key, value] : now.items())
      if (!then.contains(key)) compare(inside(key), path + "/" + key, nullptr, &value);
  }
  void arrays(const std::string& where, const std::string& path, const Json& then, const Json& now) {
    if (then.size() != now.size())
      out_.differences.push_back(where + ": the certificate has " + std::to_string(then.size()) + ", now there are " +
                                 std::to_string(now.size()));
    for (std::size_t k = 0; k < std::min(then.size(), now.size()); ++k)
      compare(where + ", " + name_of(then[k], k), path + "/*", &then[k], &now[k]);
  }

  Compared out_;
};

std::string read_text(const std::string& path) {
  auto text = contents_of(path);
  if (!text) fail(invalid, "cannot read the certificate " + path);
  return *std::move(text);
}

// Of two equal keys a reader sees the one and the parser keeps the other: `twice` becomes such a key.
Json parsed(const std::string& text, std::string& twice) {
  std::vector<std::set<std::string>> open;
  return Json::parse(text, [&](int, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  });
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
    std::string twice;
    c = parsed(read_text(path), twice);
    if (!twice.empty()) no_certificate("it says " + twice + " twice");
    if (!c.is_object() || !c.contains("certificate")) no_certificate("it does not say what it is");
    if (c.at("certificate") != certificate_version) no_certificate("it is of another version of lockstep");
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
    const auto asked = [&](const char* key, int most) {
      const Json& n = c.at("launch_asked").at(key);
      if (!n.is_number_unsigned() || n > most) no_certificate(std::string(key) + " is " + n.dump());
      return n.get<int>();
    };
    out.request.asked = {asked("block", most_block), asked("warp", most_warp), asked("grid", most_grid),
                         asked("index", most_index), c.at("strict").get<bool>()};
    constexpr std::int64_t most_size = std::numeric_limits<std::int64_t>::max();
    for (const Json& n : c.at("sizes_asked")) {
      if (!n.is_number_unsigned() || n > most_size) no_certificate("a size is " + n.dump());
      out.request.sizes.push_back(n.get<std::int64_t>());
    }
    out.language = c.at("language").get<std::string>();
    out.entry = c.at("entry").get<std::string>();
    out.file = file_of(c.at("program").get<std::string>(), path);
  } catch (const Json::exception& e) {
    no_certificate(e.what());
  }
  return c;
}

Compared compared(const Json& recorded, const Json& again) {
  // As text says it: what is written as 12 is no 12.0.
  Compared out = Comparing().all(recorded, Json::parse(text_of(again)));
  if (!recorded.contains("digest") || recorded["digest"] != digest_of(recorded))
    out.differences.insert(out.differences.begin(),
                           "the certificate was changed after it was written: its digest is not that of what it says");
  return out;
}

}  // namespace lockstep::driver

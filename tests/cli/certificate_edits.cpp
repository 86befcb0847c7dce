// Every edit of every field of a certificate is noticed, though its digest is made anew: what is no time shows as a
// difference, or as another place.
//   certificate_edits CERTIFICATE...
//   certificate_edits --digest CERTIFICATE   prints it with the digest of what it says
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "driver/commands/certificate.h"

using lockstep::driver::Json;

namespace {

using Edit = std::function<void(Json&)>;

// Of a value, each as another value of its kind and as one of another kind.
std::vector<Json> others(const Json& j) {
  if (j.is_string()) return {j.get<std::string>() + "x", "", nullptr, 1};
  if (j.is_boolean()) return {!j.get<bool>(), j.get<bool>() ? 1 : 0, "true"};
  if (j.is_number_float()) return {j.get<double>() + 1, -1.0 - j.get<double>(), "0.0", nullptr};
  if (j.is_number()) return {j.get<std::uint64_t>() + 1, static_cast<double>(j.get<std::uint64_t>()), "1", nullptr};
  if (j.is_null()) return {0, ""};
  return {nullptr};
}

bool is_time(const Json::json_pointer& at) {
  const std::string& last = at.back();
  return last == "seconds" || last == "compile_seconds" || last == "cached";
}

class Editor {
 public:
  explicit Editor(Json whole) : whole_(std::move(whole)) { visit(whole_, Json::json_pointer()); }
  std::size_t tried = 0, times = 0, unnoticed = 0;

 private:
  void visit(const Json& j, const Json::json_pointer& at) {
    if (!at.empty()) {
      for (const Json& other : others(j))
        if (other != j || other.type() != j.type()) {
          const bool goes = is_time(at) && (j.is_boolean() ? other.is_boolean() : other.is_number() && other >= 0);
          edit(
              at.to_string() + " as " + other.dump(), [&](Json& all) { all[at] = other; }, goes);
        }
      edit("without " + at.to_string(), [&](Json& all) {
        Json& parent = all[at.parent_pointer()];
        if (parent.is_object())
          parent.erase(at.back());
        else
          parent.erase(std::stoul(at.back()));
      });
    }
    if (j.is_object()) {
      edit(at.to_string() + " with more", [&](Json& all) { all[at]["seconds_more"] = 1; });
      for (const auto& [key, value] : j.items()) visit(value, at / key);
    }
    if (j.is_array()) {
      edit(at.to_string() + " with more", [&](Json& all) { all[at].push_back(j.empty() ? Json(1) : j.back()); });
      for (std::size_t k = 0; k < j.size(); ++k) visit(j[k], at / k);
      if (j.size() > 1 && j.front() != j.back())
        edit(at.to_string() + " exchanged", [&](Json& all) { std::swap(all[at].front(), all[at].back()); });
    }
  }
  void edit(const std::string& what, const Edit& change, bool goes_unnoticed = false) {
    Json edited = whole_;
    change(edited);
    if (edited.contains("digest") && edited["digest"] == whole_["digest"])
      edited["digest"] = lockstep::driver::digest_of(edited);
    const auto found = lockstep::driver::compared(edited, whole_);
    const bool noticed = !found.differences.empty() || !found.elsewhere.empty();
    ++tried, times += goes_unnoticed;
    if (noticed != goes_unnoticed) return;
    ++unnoticed;
    std::printf("%s: %s\n", what.c_str(), noticed ? found.differences.front().c_str() : "not noticed");
  }

  Json whole_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--digest") {
    std::ifstream in(argv[2]);
    Json all = Json::parse(in);
    all["digest"] = lockstep::driver::digest_of(all);
    std::printf("%s\n", all.dump(2).c_str());
    return 0;
  }
  std::size_t unnoticed = argc < 2;
  for (int k = 1; k < argc; ++k) {
    std::ifstream in(argv[k]);
    const Json whole = Json::parse(in);
    if (const auto found = lockstep::driver::compared(whole, whole);
        !found.differences.empty() || !found.elsewhere.empty()) {
      std::printf("%s: differs from itself\n", argv[k]);
      ++unnoticed;
    }
    const Editor all(whole);
    std::printf("%s: %zu edits, of which %zu of times\n", argv[k], all.tried, all.times);
    unnoticed += all.unnoticed;
  }
  return unnoticed > 0;
}

// What of two certificates counts as the same, without a verification.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "driver/commands/certificate.h"

namespace certificate_compare_test {
using namespace lockstep::driver;

namespace {

Json certificate() {
  return Json::parse(
      R"({"seconds": 1.5, "claims": [{"subject": "f", "statement": "it holds", "seconds": 0.25, "tested": 12}],
          "inputs": [{"seed": 3}], "compiler": "g++ 12"})");
}
// Of a certificate that was altered and sealed anew, against what comes out.
Compared against(Json altered) {
  Json now = certificate();
  now["digest"] = digest_of(now);
  altered["digest"] = digest_of(altered);
  return compared(altered, now);
}

}  // namespace

TEST_CASE("soundness A6: times are passed over where they stand, as times, and nowhere else") {
  const auto differs = [](const std::string& at, const Json& value) {
    Json c = certificate();
    c[Json::json_pointer(at)] = value;
    return !against(c).differences.empty();
  };
  CHECK_FALSE(differs("/seconds", 7));
  CHECK_FALSE(differs("/claims/0/seconds", 7.5));
  CHECK(differs("/seconds", "for all sizes and inputs, proved"));
  CHECK(differs("/claims/0/seconds", -1));
  CHECK(differs("/inputs/0/seconds", 1));
  CHECK(differs("/claims/0/cached", true));
  CHECK(differs("/claims/0/tested", 13));
  Json c = certificate(), now = certificate();
  c["inputs"][0]["seconds"] = 1, now["inputs"][0]["seconds"] = 2;
  c["digest"] = digest_of(c);
  CHECK(compared(c, now).differences.size() == 1);
}

TEST_CASE("soundness A6: a certificate without its digest is no certificate, and another compiler is another place") {
  Json c = certificate();
  CHECK(compared(c, certificate()).differences.size() == 1);
  c["compiler"] = "clang";
  const Compared found = against(c);
  CHECK(found.differences.empty());
  CHECK(found.elsewhere.size() == 1);
}

TEST_CASE("soundness A6: of a key that stands twice nothing is believed") {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "lockstep-twice.json";
  std::ofstream(file) << R"({"claims": [{"standing": "proved", "standing": "tested"}]})";
  Recorded out;
  std::string why;
  try {
    read_certificate(file.string(), out);
  } catch (const Failure& f) {
    why = f.message;
  }
  std::filesystem::remove(file);
  CHECK_THAT(why, Catch::Matchers::Contains("standing twice"));
}

}  // namespace certificate_compare_test

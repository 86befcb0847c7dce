// Catch2's main, which takes long to compile. A program holds the tests of several files; called by the name of one,
// NAME_test, it runs those of unit/NAME_test.cpp: each case has its file's name as a tag.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <filesystem>

int main(int argc, char** argv) {
  Catch::Session session;
  if (const int status = session.applyCommandLine(argc, argv)) return status;
  const std::string called = std::filesystem::path(argv[0]).filename();
  if (called.ends_with("_test")) {
    Catch::ConfigData& config = session.configData();
    config.filenamesAsTags = true;
    if (config.testsOrTags.empty()) config.testsOrTags.emplace_back();
    for (std::string& wanted : config.testsOrTags) wanted += "[#" + called + "]";
  }
  return session.run();
}

// Reading a source file.
#include "driver/source.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver/report.h"

namespace lockstep::driver {
namespace {

bool is_identifier(const std::string& s) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  return !s.empty() && letter(s[0]) && std::all_of(s.begin(), s.end(), [&](char c) {
    return letter(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '\'';
  });
}

// More than the parser accepts, so that it is the one to say what the limit is.
constexpr std::size_t read_limit = (std::size_t{16} << 20) + 1;

}  // namespace

std::string read_source(const std::string& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) {
    std::string mend;
    if (errno == ENOENT) {
      std::vector<std::string> near;
      std::error_code ignored;
      const auto folder = std::filesystem::path(file).parent_path();
      for (const auto& e : std::filesystem::directory_iterator(folder.empty() ? "." : folder, ignored))
        if (near.size() < 10000) near.push_back((folder / e.path().filename()).string());
      if (const std::string n = nearest_name(file, near); !n.empty()) mend = "did you mean " + n + "?";
    }
    fail(invalid, "cannot read " + file + ": " + std::strerror(errno), mend);
  }
  if (S_ISDIR(info.st_mode)) fail(invalid, file + " is a directory, not a file of text");
  std::ifstream in(file, std::ios::binary);
  std::string text;
  char block[65536];
  while (in && text.size() < read_limit && (in.read(block, sizeof block), in.gcount() > 0))
    text.append(block, static_cast<std::size_t>(in.gcount()));
  if (!in.is_open() || in.bad()) fail(invalid, "cannot read " + file + ": " + std::strerror(errno));
  if (text.find('\0') != std::string::npos)
    fail(invalid, file + " is no text: it holds a zero byte", "it should be UTF-8 text");
  return text;
}

ProgramName program_name(const std::string& word) {
  const std::size_t colon = word.rfind(':');
  if (colon == std::string::npos || colon == 0 || !is_identifier(word.substr(colon + 1)) ||
      std::filesystem::exists(word))
    return {word, ""};
  return {word.substr(0, colon), word.substr(colon + 1)};
}

}  // namespace lockstep::driver

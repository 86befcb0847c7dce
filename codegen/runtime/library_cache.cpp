// Where the cache is, whom it trusts, and how an entry is sealed and checked.
#include "codegen/runtime/library_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "codegen/runtime/files.h"
#include "codegen/runtime/sha256.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view work_prefix = "work-";
constexpr std::string_view trailer_begin = "\nlockstep library 1 ";
constexpr std::size_t digest_size = 64;
constexpr std::size_t trailer_size = trailer_begin.size() + digest_size + 1 + digest_size + 1;

std::string trailer(std::string_view key, std::string_view library) {
  return std::string(trailer_begin) + std::string(key) + " " + sha256(library) + "\n";
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string wanted_folder() {
  if (const auto given = environment("LOCKSTEP_CACHE"); !given.empty()) {
    std::error_code ignored;
    const fs::path whole = fs::absolute(given, ignored);
    return whole.empty() ? given : whole.string();
  }
  // Relative ones are to be ignored, by the XDG base directory specification.
  if (const auto caches = environment("XDG_CACHE_HOME"); caches.starts_with('/')) return caches + "/lockstep";
  if (const auto home = environment("HOME"); home.starts_with('/')) return home + "/.cache/lockstep";
  return temporary_folder() + "/lockstep-" + std::to_string(::geteuid());
}

bool ours_alone(const struct stat& found) { return found.st_uid == ::geteuid() && (found.st_mode & 022) == 0; }

// Creates the folder and its parents; 0 or the errno.
int create_folder(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    ::mkdir(path.substr(0, slash).c_str(), 0700);  // where this fails for good, so does the last
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return 0;
  return errno;
}

}  // namespace

std::string temporary_folder() {
  const std::string given = environment("TMPDIR");
  return given.starts_with('/') ? given : "/tmp";
}

tl::expected<std::string, std::string> cache_folder() {
  const std::string path = wanted_folder();
  const auto because = [&](const std::string& why) {
    return tl::unexpected("the cache '" + path + "' is not used: " + why +
                          "; set LOCKSTEP_CACHE to a folder of your own to keep compiled code");
  };
  if (const int error = create_folder(path)) return because(system_message(error));
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return because(system_message(errno));
  if (!S_ISDIR(found.st_mode)) return because("it is no folder");
  if (found.st_uid != ::geteuid()) return because("it belongs to another user");
  if (!ours_alone(found)) return because("others may write to it");
  return path;
}

std::string readable_name(std::string_view hint) {
  std::string name(hint.substr(0, 40));
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (char& c : name)
    if (!plain(c)) c = '_';
  return name.empty() ? "kernel" : name;
}

std::string entry_path(const std::string& folder, std::string_view hint, std::string_view key) {
  return folder + "/" + readable_name(hint) + "-" + std::string(key.substr(0, 32)) + ".so";
}

int seal_entry(const std::string& path, std::string_view key) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC));
  if (!file) return errno;
  std::ifstream in(path, std::ios::binary);
  const std::string library{std::istreambuf_iterator<char>(in), {}};
  const std::string end = trailer(key, library);
  if (::fchmod(file.get(), 0700) != 0) return errno;
  return write_all(file.get(), std::as_bytes(std::span(end)));
}

bool entry_is_sound(const std::string& path, std::string_view key) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat found {};
  if (!file || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode) || !ours_alone(found)) return false;
  std::string bytes(static_cast<std::size_t>(found.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    filled += static_cast<std::size_t>(got);
  }
  if (bytes.size() < trailer_size) return false;
  const std::string_view library = std::string_view(bytes).substr(0, bytes.size() - trailer_size);
  return std::string_view(bytes).substr(library.size()) == trailer(key, library);
}

tl::expected<WorkFolder, int> WorkFolder::create(const std::string& parent) {
  std::string path = parent + "/" + std::string(work_prefix) + "XXXXXX";
  if (!::mkdtemp(path.data())) return tl::unexpected(errno);
  return WorkFolder(std::move(path));
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void remove_stale_work(const std::string& folder) {
  std::error_code ignored;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder, ignored), end; at != end; at.increment(ignored)) {
    if (ignored) return;
    if (!at->path().filename().string().starts_with(work_prefix) || !at->is_directory(ignored)) continue;
    const auto changed = at->last_write_time(ignored);
    if (!ignored && now - changed > std::chrono::hours(1)) fs::remove_all(at->path(), ignored);
  }
}

}  // namespace lockstep

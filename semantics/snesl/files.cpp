// Files of the machine for read_file and write_file.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <set>

#include "semantics/core/files.h"
#include "semantics/snesl/evaluate.h"

namespace lockstep::snesl {

namespace {

[[noreturn]] void unreadable(const std::string& name, const std::string& why, const Region& region) {
  throw TrapSignal{{"read_file", "cannot read '" + name + "': " + why, region}};
}

std::string read_all(int fd, const std::string& name, const Region& region) {
  std::string content;
  struct stat found {};
  if (::fstat(fd, &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0)
    content.reserve(static_cast<std::size_t>(found.st_size) + 1);
  std::string piece(1 << 16, '\0');
  for (;;) {
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) unreadable(name, system_message(errno), region);
    if (n == 0) return content;
    content.append(piece, 0, static_cast<std::size_t>(n));
  }
}

void send(int fd, const std::string& content, const std::string& name) {
  if (const int error = write_all(fd, std::as_bytes(std::span(content))))
    throw FileFailure(name == "-" ? standard_output_not_written(error) : not_written(name, error));
}

class MachineFiles final : public Files {
 public:
  std::string read(const std::string& name, const Region& region) override {
    if (const auto once = read_once(name); once && !begun_.insert(*once).second)
      unreadable(name, read_twice(name), region);
    if (name == "-") return read_all(STDIN_FILENO, name, region);
    if (name.find('\0') != std::string::npos) unreadable(name.c_str(), "a zero byte ends its name", region);
    const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) unreadable(name, system_message(errno), region);
    return read_all(file.get(), name, region);
  }

  void write(const std::string& name, std::string content, const Region&) override {
    written_.write(name, std::move(content));
  }

  void finish() override {
    std::vector<std::pair<std::string, std::string>> files;
    std::vector<std::pair<std::string, std::string>> streams;
    std::string output;
    for (auto& [name, content] : written_.take())
      if (name == "-")
        output = std::move(content);
      else
        (is_stream(name) ? streams : files).emplace_back(name, std::move(content));
    if (const auto done = write_files_atomically(files); !done) throw FileFailure(done.error());
    for (const auto& [name, content] : streams) {
      const Descriptor stream(::open(name.c_str(), O_WRONLY | O_CLOEXEC));
      if (!stream) throw FileFailure(not_written(name, errno));
      send(stream.get(), content, name);
    }
    send(STDOUT_FILENO, output, "-");
  }

 private:
  std::set<std::string> begun_;  // of what is read once
  WrittenFiles written_;
};

}  // namespace

std::optional<std::string> read_once(const std::string& name) {
  const bool standard = name == "-";
  struct stat found {
  }, input{};
  if ((standard ? ::fstat(STDIN_FILENO, &found) : ::stat(name.c_str(), &found)) != 0)
    return standard ? std::optional(name) : std::nullopt;
  const bool terminal = S_ISCHR(found.st_mode) && ::isatty(STDIN_FILENO) == 1 && ::fstat(STDIN_FILENO, &input) == 0 &&
                        input.st_rdev == found.st_rdev;
  if (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode) || terminal)
    return std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
  return standard ? std::optional(name) : std::nullopt;
}

std::string read_twice(const std::string& name) {
  return name == "-" ? "standard input is read twice" : "it is read twice, and what it gives is gone once it is read";
}

bool is_stream(const std::string& name) {
  struct stat found {};
  return name == "-" || (::stat(name.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
}

void WrittenFiles::write(const std::string& name, std::string content) {
  if (is_stream(name)) {
    contents_[name] += content;
    return;
  }
  const auto [known, fresh] = names_.try_emplace(place_of_file(name), name);
  if (!fresh && known->second != name) contents_.erase(std::exchange(known->second, name));
  contents_[name] = std::move(content);
}

std::map<std::string, std::string> WrittenFiles::take() {
  names_.clear();
  return std::exchange(contents_, {});
}

std::string place_of_file(const std::string& name) {
  if (name.empty() || name.find('\0') != std::string::npos) return name;  // no file's
  std::error_code error;
  const std::filesystem::path place = std::filesystem::weakly_canonical(name, error);
  return error ? name : std::filesystem::absolute(place, error).string();
}

std::unique_ptr<Files> machine_files() { return std::make_unique<MachineFiles>(); }

}  // namespace lockstep::snesl

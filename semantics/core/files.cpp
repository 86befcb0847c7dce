// Writing files whole: a nameless file in the target's folder takes the bytes, so that a process killed on the way
// leaves nothing behind; then it is named and renamed. Where the file system has no nameless files, or very many are
// written, it is a hidden one beside the target, which its writer has locked: one that nobody has locked was left by a
// process that was killed, and is removed by the next that writes there.
#include "semantics/core/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <system_error>

namespace lockstep {

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

std::string system_message(int error) { return std::generic_category().message(error); }

std::string not_written(const std::string& path, int error) {
  const std::string cannot = "cannot write '" + path + "': ", text = cannot + system_message(error);
  if (error == EISDIR) return cannot + "it is a folder; name a file in it";
  if (error == ENOSPC || error == EDQUOT) return text + "; free some space or name a file on another disk";
  if (error != ENOENT && error != ENOTDIR) return text;
  return path.ends_with('/') ? cannot + "it names a folder, not a file" : text + "; its folder must exist";
}

std::string standard_output_not_written(int error) {
  return "cannot write to standard output: " + system_message(error);
}

namespace {

// A write past RLIMIT_FSIZE raises a signal that kills; held back, it is the error EFBIG like any other.
class FileSizeSignalHeld {
 public:
  FileSizeSignalHeld() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
  FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;
  ~FileSizeSignalHeld() {
    const timespec now{};
    while (sigtimedwait(&signals_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signals_;
  sigset_t before_;
};

std::string folder_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// "folder/.name.lockstep-k", of a long name its beginning.
std::string name_beside(const std::string& path, int k) {
  const std::string base = path.substr(path.find_last_of('/') + 1);
  return folder_of(path) + "/." + base.substr(0, 200) + ".lockstep-" + std::to_string(k);
}

void remove_abandoned(const std::string& name) {
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(name.c_str());
}

// The name beside `path` for which `attempt` succeeds; none, with errno, where it fails not for want of a free one.
template <class Attempt>
std::string with_name(const std::string& path, Attempt attempt) {
  for (int k = 0; k < 10000; ++k) {
    const std::string name = name_beside(path, k);
    if (attempt(name)) return name;
    if (errno != EEXIST) return "";
    remove_abandoned(name);
    if (attempt(name)) return name;
    if (errno != EEXIST) return "";
  }
  return "";
}

// More are not kept open.
constexpr std::size_t most_open = 200;

// Where the bytes are to go, links followed, and the permissions to keep from what is there.
struct Target {
  std::string path;
  std::optional<mode_t> mode;
};

tl::expected<Target, std::string> resolve(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos)
    return tl::unexpected(std::string("an output file has no usable name"));
  Target target{path, {}};
  struct stat found {};
  if (::lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode)) {
    if (char* real = ::realpath(path.c_str(), nullptr)) {
      target.path = real;
      std::free(real);
    }
  }
  if (::stat(target.path.c_str(), &found) != 0) {
    // A link that leads nowhere is replaced; any other error shows when the file is created.
    if (path.back() == '/') return tl::unexpected(not_written(path, ENOENT));
    return target;
  }
  if (S_ISDIR(found.st_mode)) return tl::unexpected(not_written(path, EISDIR));
  if (!S_ISREG(found.st_mode)) return tl::unexpected("cannot write '" + path + "': it is not a regular file");
  if (::access(target.path.c_str(), W_OK) != 0) return tl::unexpected(not_written(path, errno));
  target.mode = found.st_mode & 0777;
  return target;
}

// A file on its way: gone at the end of its scope unless it was put in place.
class Pending {
 public:
  Pending(std::string asked, Target target) : asked_(std::move(asked)), target_(std::move(target)) {}
  Pending(Pending&& other) noexcept
      : asked_(std::move(other.asked_)),
        target_(std::move(other.target_)),
        name_(std::exchange(other.name_, std::string())),
        fd_(std::move(other.fd_)) {}
  Pending& operator=(Pending&&) = delete;
  ~Pending() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  const std::string& place() const { return target_.path; }

  Written fill(const std::vector<std::span<const std::byte>>& parts) {
    if (!create()) return failed();
    for (const auto& part : parts)
      if (const int error = write_all(fd_.get(), part)) return tl::unexpected(not_written(asked_, error));
    if (target_.mode && ::fchmod(fd_.get(), *target_.mode) != 0) return failed();
    if (::fsync(fd_.get()) != 0) return failed();
    return {};
  }

  // By a name the file stays without being open.
  Written close() {
    if (name_.empty() && !give_name()) return failed();
    fd_ = Descriptor();
    return {};
  }

  Written put_in_place() {
    if (name_.empty() && !give_name()) return failed();
    if (::rename(name_.c_str(), target_.path.c_str()) != 0) return failed();
    name_.clear();
    return {};
  }

 private:
  Written failed() const { return tl::unexpected(not_written(asked_, errno)); }

  bool create() {
    const std::string folder = folder_of(target_.path);
    // Naming a nameless file goes through /proc.
    if (::access("/proc/self/fd", X_OK) == 0)
      fd_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    if (fd_) return true;
    name_ = with_name(target_.path, [&](const std::string& name) {
      fd_ = Descriptor(::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666));
      if (!fd_) return false;
      struct stat found {};
      if (::flock(fd_.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(fd_.get(), &found) == 0 && found.st_nlink > 0)
        return true;
      fd_ = Descriptor();  // another took it for abandoned before it was locked
      errno = EEXIST;
      return false;
    });
    return !name_.empty();
  }

  bool give_name() {
    const std::string self = "/proc/self/fd/" + std::to_string(fd_.get());
    ::flock(fd_.get(), LOCK_EX | LOCK_NB);
    name_ = with_name(target_.path, [&](const std::string& name) {
      return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    });
    return !name_.empty();
  }

  std::string asked_;
  Target target_;
  std::string name_;  // of the temporary file, while it has one
  Descriptor fd_;
};

}  // namespace

std::optional<std::string> contents_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  if (in) bytes << in.rdbuf();
  if (!in) return {};
  return bytes.str();
}

int write_all(int fd, std::span<const std::byte> bytes) {
  const FileSizeSignalHeld held;
  while (!bytes.empty()) {
    const std::size_t step = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
    const ssize_t done = ::write(fd, bytes.data(), step);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return errno;
    if (done == 0) return ENOSPC;
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return 0;
}

Written write_whole(const std::vector<WholeFile>& files) {
  std::vector<Pending> pending;
  pending.reserve(files.size());
  std::set<std::string> places;
  for (const auto& file : files) {
    auto target = resolve(file.path);
    if (!target) return tl::unexpected(target.error());
    pending.emplace_back(file.path, *std::move(target));
    if (!places.insert(pending.back().place()).second)
      return tl::unexpected("cannot write '" + file.path + "' twice in one run; give each output a name of its own");
    if (auto filled = pending.back().fill(file.parts); !filled) return filled;
    if (pending.size() > most_open)
      if (auto closed = pending.back().close(); !closed) return closed;
  }
  for (auto& file : pending)
    if (auto placed = file.put_in_place(); !placed) return placed;
  return {};
}

Written write_files_atomically(const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<WholeFile> whole;
  for (const auto& [path, content] : files) whole.push_back({path, {std::as_bytes(std::span(content))}});
  return write_whole(whole);
}

}  // namespace lockstep

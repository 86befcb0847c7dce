// Files that appear whole or not at all: each is written beside its target and renamed over it once all are written.
// In: paths and bytes. Out: nothing, or what failed and how to mend it.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace lockstep {

// An open file, closed at the end of its scope; -1 is none.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

// All bytes of a file; nothing where it cannot be read.
std::optional<std::string> contents_of(const std::string& path);

// What the system says of an errno: "No space left on device".
std::string system_message(int error);

// Why a file is not written, and how to mend it: "cannot write 'a/b': No such file or directory; its folder must
// exist".
std::string not_written(const std::string& path, int error);
std::string standard_output_not_written(int error);

// Writes all bytes, through interruptions and past a file size limit without being killed; 0 or the errno.
int write_all(int fd, std::span<const std::byte> bytes);

// The contents of one file, in order; the parts are read during the call only.
struct WholeFile {
  std::string path;
  std::vector<std::span<const std::byte>> parts;
};
using Written = tl::expected<void, std::string>;

// All files or, where one cannot be written, none: what was there stays as it was. A link is followed. A target that is
// a directory, a device or write-protected is refused, and so is a path given twice.
Written write_whole(const std::vector<WholeFile>& files);
Written write_files_atomically(const std::vector<std::pair<std::string, std::string>>& files);

}  // namespace lockstep

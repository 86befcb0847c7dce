// The cache of compiled libraries on disk. An entry is a shared library with a trailer after its end, which loaders
// pass over: the digest of what it was made from and of its bytes. An entry is one file, so that it appears whole.
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace lockstep {

// $TMPDIR, else /tmp.
std::string temporary_folder();

// $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else $HOME/.cache/lockstep, else one of this user's in the folder
// for temporary files; always absolute. What is missing is created, for this user alone. The error says why the folder
// cannot be trusted or used.
tl::expected<std::string, std::string> cache_folder();

// The file of an entry: a readable part from `hint` and a part from `key`, the digest of what the library is made from.
std::string entry_path(const std::string& folder, std::string_view hint, std::string_view key);
std::string readable_name(std::string_view hint);  // letters, digits and _ only, 40 at most, never empty

// Appends the trailer and makes the file its owner's alone; 0 or the errno.
int seal_entry(const std::string& path, std::string_view key);

// Whether the file is ours alone, was made from what `key` is the digest of, and has the bytes it was sealed with.
bool entry_is_sound(const std::string& path, std::string_view key);

// A new folder for one compilation, removed with all in it at the end of its scope.
class WorkFolder {
 public:
  static tl::expected<WorkFolder, int> create(const std::string& parent);  // the error is the errno
  WorkFolder(WorkFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  WorkFolder& operator=(WorkFolder&&) = delete;
  ~WorkFolder();
  const std::string& path() const { return path_; }

 private:
  explicit WorkFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Removes the work folders that killed processes left in the cache more than an hour ago.
void remove_stale_work(const std::string& folder);

}  // namespace lockstep

// A folder for files of one run, gone with it.
#pragma once
#include <string>

namespace lockstep::driver {

class TemporaryFolder {
 public:
  // A Failure with status 4 where none can be made. `purpose`: a word of its name.
  explicit TemporaryFolder(const std::string& purpose);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace lockstep::driver

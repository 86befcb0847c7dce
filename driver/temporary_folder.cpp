// Temporary folders (temporary_folder.h).
#include "driver/temporary_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "codegen/runtime/files.h"
#include "driver/report.h"

namespace lockstep::driver {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
  std::string name = (fs::temp_directory_path() / ("lockstep-" + purpose + "-XXXXXX")).string();
  if (!::mkdtemp(name.data()))
    fail(machine, "cannot make a folder in " + fs::temp_directory_path().string() + ": " + system_message(errno));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace lockstep::driver

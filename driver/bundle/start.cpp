// What starts the command of a bundle: FOLDER/lockstep is this program, linked statically, so that it needs nothing of
// the machine. It hands its arguments to FOLDER/lib/lockstep, by the loader and with the libraries that lie beside
// that. A compiler which the command calls has the machine's libraries, and those of FOLDER/lib/link to link with.
#include <sys/auxv.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

int cannot_start(const std::string& what, const std::string& why) {
  std::fprintf(stderr, "lockstep: cannot start: %s: %s\n", what.c_str(), why.c_str());
  return 4;
}

}  // namespace

int main(int count, char** given) {
  // The path that the kernel was given: /proc may be absent, and argv[0] anything. A link to it leads to the folder.
  const std::string path = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  const char* real = realpath(path.c_str(), nullptr);
  if (!real) return cannot_start(path, std::strerror(errno));
  std::string lib = real;
  lib = lib.substr(0, lib.rfind('/')) + "/lib";
  if (lib.find_first_of(":;") != std::string::npos)
    return cannot_start(real, "the loader ends a path at ':' and ';'; give the folder a path without them");

  const char* others = std::getenv("LIBRARY_PATH");
  const std::string linked = lib + "/link" + (others && *others ? std::string(":") + others : "");
  setenv("LIBRARY_PATH", linked.c_str(), 1);

  std::string loader = lib + "/ld-linux-x86-64.so.2", option = "--library-path", command = lib + "/lockstep";
  std::vector<char*> words{loader.data(), option.data(), lib.data(), command.data()};
  words.insert(words.end(), given + (count > 0 ? 1 : 0), given + count + 1);  // with the null pointer at the end
  execv(loader.c_str(), words.data());
  const int error = errno;
  return cannot_start(loader, error == ENOENT ? "it is not there; copy the whole folder" : std::strerror(error));
}

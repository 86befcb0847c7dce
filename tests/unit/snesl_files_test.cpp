// read_file and write_file on the machine's files.
#include <unistd.h>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "semantics/snesl/evaluate.h"

namespace snesl_files_test {
using namespace lockstep;
using namespace lockstep::snesl;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "snesl_files_XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

std::string content(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::string trap_of(Files& files, const std::string& name) {
  try {
    files.read(name, {});
  } catch (const TrapSignal& s) {
    return s.trap.primitive + ": " + s.trap.message;
  }
  return "no trap";
}

// `fd` is the file for this object's lifetime.
struct Redirected {
  int fd, kept;
  Redirected(int f, const std::string& file, const char* mode) : fd(f), kept(::dup(f)) {
    std::FILE* opened = std::fopen(file.c_str(), mode);
    ::dup2(::fileno(opened), fd);
    std::fclose(opened);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  ~Redirected() {
    ::dup2(kept, fd);
    ::close(kept);
  }
};

}  // namespace

TEST_CASE("a file is read whole, every byte of it", "[snesl][files]") {
  const Folder folder;
  std::string bytes;
  for (int i = 0; i < 200'000; ++i) bytes += static_cast<char>(i * 7);
  std::ofstream(folder / "in", std::ios::binary) << bytes;
  CHECK(machine_files()->read(folder / "in", {}) == bytes);
}

TEST_CASE("a file that cannot be read is a trap that says why", "[snesl][files]") {
  const Folder folder;
  const auto files = machine_files();
  const auto why_not = [&](const std::string& name) { return trap_of(*files, name); };
  const std::string cannot = "read_file: cannot read '";
  CHECK(why_not(folder / "none") == cannot + (folder / "none") + "': No such file or directory");
  CHECK(why_not(folder.path.string()) == cannot + folder.path.string() + "': Is a directory");
  CHECK(trap_of(*files, std::string("a\0b", 3)) == "read_file: cannot read 'a': a zero byte ends its name");
}

TEST_CASE("standard input is read once", "[snesl][files]") {
  const Folder folder;
  std::ofstream(folder / "in") << "from a pipe";
  const Redirected input(STDIN_FILENO, folder / "in", "r");
  const auto files = machine_files();
  CHECK(files->read("-", {}) == "from a pipe");
  CHECK(trap_of(*files, "-") == "read_file: cannot read '-': standard input is read twice");
}

TEST_CASE("what is written appears at the end and not before, and a later write of a name counts", "[snesl][files]") {
  const Folder folder;
  std::ofstream(folder / "out") << "old";
  {
    const auto dropped = machine_files();
    dropped->write(folder / "out", "of a run that trapped", {});
  }
  CHECK(content(folder / "out") == "old");
  const auto files = machine_files();
  files->write(folder / "out", "first", {});
  files->write(folder / "out", "new", {});
  CHECK(content(folder / "out") == "old");
  files->finish();
  CHECK(content(folder / "out") == "new");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("files that cannot be written are the machine's failure, and then none of them appears", "[snesl][files]") {
  const Folder folder;
  const auto files = machine_files();
  files->write(folder / "a", "whole", {});
  files->write(folder / "none/b", "no folder", {});
  CHECK_THROWS_AS(files->finish(), FileFailure);
  CHECK(fs::is_empty(folder.path));
  files->write("/dev/full", "x", {});
  CHECK_THROWS_AS(files->finish(), FileFailure);
}

TEST_CASE("standard output and devices take what is written, in order", "[snesl][files]") {
  const Folder folder;
  {
    std::fflush(stdout);
    const Redirected output(STDOUT_FILENO, folder / "out", "w");
    const auto files = machine_files();
    files->write("-", "one ", {});
    files->write("-", "two", {});
    files->write("/dev/null", "nothing", {});
    files->finish();
  }
  CHECK(content(folder / "out") == "one two");
}

}  // namespace snesl_files_test

// Compiling to a library and keeping it: what is found again, what is not trusted, and what happens where the cache,
// the compiler or the source is no good.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "codegen/runtime/compile.h"
#include "codegen/runtime/compiler.h"
#include "codegen/runtime/compiler_flags.h"
#include "codegen/runtime/library_cache.h"
#include "codegen/runtime/sha256.h"
#include "tests/unit/variable.h"

namespace compile_test {
using namespace lockstep;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Kind = CompileFailure::Kind;
using test::Variable;

namespace {

struct Folder {
  std::string path = (fs::temp_directory_path() / "lockstep-compile-XXXXXX").string();
  Folder() { REQUIRE(::mkdtemp(path.data()) != nullptr); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(path)) all.push_back(entry.path().filename().string());
    return all;
  }
};

// A cache, a folder for temporary files, and the usual compiler, for one test.
struct Fresh {
  Folder cache;
  Folder temporary;
  Variable at{"LOCKSTEP_CACHE", cache.path};
  Variable scratch{"TMPDIR", temporary.path};
  Variable compiler{"LOCKSTEP_CXX", ""};
  Variable architecture{"LOCKSTEP_MARCH", ""};
};

CompileRequest answer(int number, std::string hint = "answer") {
  return {"extern \"C\" int answer() { return " + std::to_string(number) + "; }\n", {"-O0"}, std::move(hint), true};
}
int call(const CompiledLibrary& library) {
  auto* function = reinterpret_cast<int (*)()>(library.symbol("answer"));
  REQUIRE(function != nullptr);
  return function();
}
CompiledLibrary compiled(const CompileRequest& request) {
  auto library = compile_cached(request);
  if (!library) FAIL(library.error().message);
  return *library;
}
CompileFailure failed(const CompileRequest& request) {
  auto library = compile_cached(request);
  if (library) FAIL("compiled");
  return library.error();
}
std::string get(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
// By a new file, as the old one may still be mapped.
void replace(const std::string& path, const std::string& bytes, mode_t mode = 0700) {
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
  ::chmod(path.c_str(), mode);
}
void put_program(const std::string& path, const std::string& script) {
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  ::chmod(path.c_str(), 0700);
}

}  // namespace

TEST_CASE("sha256: the standard's examples") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("compile: the second run loads what the first one kept") {
  const Fresh fresh;
  const auto first = compiled(answer(42));
  CHECK_FALSE(first.cached);
  CHECK(first.seconds > 0);
  CHECK(call(first) == 42);
  const auto second = compiled(answer(42));
  CHECK(second.cached);
  CHECK(second.seconds == 0);
  CHECK(second.note.empty());
  CHECK(second.path == first.path);
  CHECK(call(second) == 42);
  CHECK(second.symbol("question") == nullptr);
  CHECK(fresh.cache.names().size() == 1);  // no work left behind
  CHECK(fresh.temporary.names().empty());
}

TEST_CASE("compile: another source, flag or compiler is another entry") {
  const Fresh fresh;
  compiled(answer(1));
  CHECK_FALSE(compiled(answer(2)).cached);
  CompileRequest optimised = answer(1);
  optimised.flags = {"-O1"};
  CHECK_FALSE(compiled(optimised).cached);
  optimised.flags = {"-O1", "-march=native"};
  CHECK_FALSE(compiled(optimised).cached);
  const Folder programs;
  put_program(programs.path + "/cxx", "exec g++ \"$@\"");
  const Variable other("LOCKSTEP_CXX", programs.path + "/cxx");
  CHECK_FALSE(compiled(answer(1)).cached);
  CHECK(compiled(answer(1)).cached);
  put_program(programs.path + "/cxx", "exec g++ -O0 \"$@\"");  // as after an upgrade
  CHECK_FALSE(compiled(answer(1)).cached);
}

TEST_CASE("compile: an entry that is not what was kept is made anew") {
  const Fresh fresh;
  const std::string path = compiled(answer(7)).path;
  const std::string sound = get(path);
  const auto is_remade = [&] {
    const auto library = compiled(answer(7));
    CHECK_FALSE(library.cached);
    CHECK(call(library) == 7);
    CHECK(compiled(answer(7)).cached);
  };
  SECTION("one bit turned") {
    std::string bytes = sound;
    bytes[bytes.size() / 2] ^= 1;
    replace(path, bytes);
    is_remade();
  }
  SECTION("cut short") {
    const std::size_t size = GENERATE(0, 1, 200, 4096);
    replace(path, sound.substr(0, size));
    is_remade();
  }
  SECTION("without its last byte") {
    replace(path, sound.substr(0, sound.size() - 1));
    is_remade();
  }
  SECTION("the sound library of another source") {
    replace(path, get(compiled(answer(8)).path));
    is_remade();
  }
  SECTION("writable by others") {
    ::chmod(path.c_str(), 0722);
    is_remade();
  }
  SECTION("of another user") {
    if (::geteuid() != 0 || ::chown(path.c_str(), 65534, 65534) != 0) return;  // only root can give files away
    is_remade();
  }
  SECTION("a link to elsewhere") {
    const Folder elsewhere;
    replace(elsewhere.path + "/library.so", sound);
    fs::remove(path);
    fs::create_symlink(elsewhere.path + "/library.so", path);
    is_remade();
  }
  SECTION("a sealed file that is no library") {
    std::ofstream(fresh.cache.path + "/text") << "text";
    const std::string key = sound.substr(sound.size() - 130, 64);
    REQUIRE(seal_entry(fresh.cache.path + "/text", key) == 0);
    fs::rename(fresh.cache.path + "/text", path);
    REQUIRE(entry_is_sound(path, key));
    is_remade();
  }
}

TEST_CASE("compile: processes at once all get the library and leave one entry") {
  const Fresh fresh;
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto library = compile_cached(answer(5));
      auto* function = library ? reinterpret_cast<int (*)()>(library->symbol("answer")) : nullptr;
      ::_exit(function && function() == 5 && library->note.empty() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  CHECK(fresh.cache.names().size() == 1);
  CHECK(compiled(answer(5)).cached);
}

TEST_CASE("compile: what a killed process left is removed after an hour, not before") {
  const Fresh fresh;
  for (const char* name : {"/work-old", "/work-new"}) {
    fs::create_directory(fresh.cache.path + name);
    std::ofstream(fresh.cache.path + name + "/library.so") << "half";
  }
  fs::last_write_time(fresh.cache.path + "/work-old", fs::file_time_type::clock::now() - std::chrono::minutes(61));
  compiled(answer(1));
  CHECK_FALSE(fs::exists(fresh.cache.path + "/work-old"));
  CHECK(fs::exists(fresh.cache.path + "/work-new"));
}

TEST_CASE("compile: a cache that cannot be used costs the compilation, not the run") {
  const Folder other;
  const Fresh fresh;
  const auto is_not_kept = [&](const std::string& cache, const std::string& why) {
    const Variable at("LOCKSTEP_CACHE", cache);
    for (int run = 0; run < 2; ++run) {
      const auto library = compiled(answer(3));
      CHECK_FALSE(library.cached);
      CHECK(library.path.empty());
      CHECK_THAT(library.note, Contains(why) && Contains(cache));
      CHECK(call(library) == 3);
    }
    CHECK(fresh.temporary.names().empty());
  };
  SECTION("a path through a file") {
    std::ofstream(other.path + "/file") << "x";
    is_not_kept(other.path + "/file/cache", "Not a directory");
    is_not_kept(other.path + "/file", "no folder");
  }
  SECTION("a folder that others may write to") {
    ::chmod(other.path.c_str(), 0777);
    is_not_kept(other.path, "others may write");
  }
  SECTION("another user's folder") {
    if (::geteuid() != 0 || ::chown(other.path.c_str(), 65534, 65534) != 0) return;
    is_not_kept(other.path, "another user");
  }
  SECTION("an entry's place taken by a folder") {
    const std::string path = compiled(answer(3)).path;
    fs::remove(path);
    fs::create_directory(path);
    is_not_kept(fresh.cache.path, "Is a directory");
  }
  SECTION("and with no folder for temporary files either, the failure names both") {
    const Variable at("LOCKSTEP_CACHE", "/proc/none");
    const Variable scratch("TMPDIR", "/proc/self");
    const auto failure = failed(answer(3));
    CHECK(failure.kind == Kind::CacheUnwritable);
    CHECK_THAT(failure.message, Contains("/proc/self") && Contains("/proc/none"));
  }
}

TEST_CASE("compile: a full disk under the cache is gone round, under both it is named") {
  const Fresh fresh;
  const Folder programs;
  const Variable other("LOCKSTEP_CXX", programs.path + "/cxx");
  // The first stands for a full disk under the cache, the second for one under both.
  put_program(programs.path + "/cxx", "case \"$*\" in *" + fresh.cache.path +
                                          "*) echo 'fatal error: No space left on device' >&2; exit 1;; esac\n"
                                          "exec g++ \"$@\"");
  const auto library = compiled(answer(9));
  CHECK(call(library) == 9);
  CHECK_THAT(library.note, Contains("No space left") && Contains(fresh.cache.path));
  put_program(programs.path + "/cxx", "echo 'fatal error: No space left on device' >&2; exit 1");
  const auto failure = failed(answer(10));
  CHECK(failure.kind == Kind::DiskFull);
  CHECK_THAT(failure.message, Contains("free some space"));
}

TEST_CASE("compile: a missing compiler is named, with what to do") {
  const Fresh fresh;
  {
    const Variable none("LOCKSTEP_CXX", "/nonexistent");
    const auto failure = failed(answer(1));
    CHECK(failure.kind == Kind::NoCompiler);
    CHECK_THAT(failure.message, Contains("'/nonexistent'") && Contains("unset"));
  }
  {
    const Variable text("LOCKSTEP_CXX", "no-such-compiler");
    CHECK(failed(answer(1)).kind == Kind::NoCompiler);
  }
  const Variable nowhere("PATH", "/nonexistent");
  const auto failure = failed(answer(1));
  CHECK(failure.kind == Kind::NoCompiler);
  CHECK_THAT(failure.message, Contains("install g++"));
}

TEST_CASE("compile: a program in the current folder is not taken for the compiler") {
  const Fresh fresh;
  const Folder here;
  put_program(here.path + "/g++", "exit 0");
  const fs::path before = fs::current_path();
  fs::current_path(here.path);
  const Variable relative("PATH", ":.");
  const auto found = find_compiler();
  fs::current_path(before);
  CHECK_FALSE(found);
}

TEST_CASE("compile: a rejected source shows forty lines of the compiler's and owns up to the bug") {
  const Fresh fresh;
  CompileRequest request{"int f() { return no_such_name; }\n", {}, "wrong", true};
  const auto failure = failed(request);
  CHECK(failure.kind == Kind::Failed);
  CHECK_THAT(failure.message, Contains("bug of lockstep") && Contains("no_such_name") && Contains("wrong.cpp:1"));
  for (int i = 0; i < 100; ++i) request.source += "int g" + std::to_string(i) + "() { return x; }\n";
  const std::string message = failed(request).message;
  CHECK(std::count(message.begin(), message.end(), '\n') == 42);  // one before, the dots after
  CHECK(fresh.cache.names().empty());
  CHECK(fresh.temporary.names().empty());
}

TEST_CASE("compile: a compiler that is killed or makes nothing is a failure of its own") {
  const Fresh fresh;
  const Folder programs;
  const Variable other("LOCKSTEP_CXX", programs.path + "/cxx");
  put_program(programs.path + "/cxx", "kill -9 $$");
  const auto killed = failed(answer(1));
  CHECK(killed.kind == Kind::Killed);
  CHECK_THAT(killed.message, Contains("signal 9"));
  put_program(programs.path + "/cxx", "exit 0");
  CHECK(failed(answer(1)).kind == Kind::Failed);
  put_program(programs.path + "/cxx", "yes 2>/dev/null | head -c 3000000; exit 1");  // more than is kept, and no hang
  CHECK(failed(answer(1)).message.size() < 1000);
}

TEST_CASE("compile: what cannot be loaded says so") {
  const Fresh fresh;
  const CompileRequest request{"int missing();\nextern \"C\" int answer() { return missing(); }\n", {}, "open", true};
  const auto failure = failed(request);
  CHECK(failure.kind == Kind::LoadFailed);
  CHECK_THAT(failure.message, Contains("missing"));
}

TEST_CASE("compile: no hint, flag or source reaches a shell or leaves the cache") {
  const Fresh fresh;
  const std::string hint = GENERATE("", "../../up", "-o x", "a b;touch pwned", "$(touch pwned)", "\xc3\xa9\n\"'");
  CAPTURE(hint);
  const auto library = compiled(answer(6, hint));
  CHECK(call(library) == 6);
  CHECK(fs::path(library.path).parent_path() == fresh.cache.path);
  CHECK(fs::path(library.path)
            .filename()
            .string()
            .find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
        std::string::npos);
  CHECK(compiled(answer(6, std::string(500, 'x'))).path.size() < fresh.cache.path.size() + 100);
  CompileRequest quoted = answer(6);
  quoted.flags = {"-DTEXT=\"; touch " + fresh.temporary.path + "/pwned; $(touch " + fresh.temporary.path + "/pwned)"};
  quoted.source += "// \"; touch pwned\n";
  CHECK(call(compiled(quoted)) == 6);
  CHECK(fresh.temporary.names().empty());
  CHECK_FALSE(fs::exists("pwned"));
}

TEST_CASE("compile: what is not to be kept leaves nothing, and is not looked up") {
  const Fresh fresh;
  CompileRequest request = answer(11);
  request.keep = false;
  for (int run = 0; run < 2; ++run) {
    const auto library = compiled(request);
    CHECK_FALSE(library.cached);
    CHECK(library.note.empty());
    CHECK(call(library) == 11);
  }
  CHECK(fresh.cache.names().empty());
  CHECK(fresh.temporary.names().empty());
}

TEST_CASE("compile: OpenMP code runs, and its threads outlive its library") {
  const Fresh fresh;
  const CompileRequest request{
      "extern \"C\" int answer() { int n = 0;\n"
      "_Pragma(\"omp parallel for num_threads(4) reduction(+ : n)\") for (int i = 0; i < 1000; ++i) n += i;\n"
      "return n; }\n",
      {"-O1", "-fopenmp"},
      "sum",
      true};
  for (int run = 0; run < 3; ++run) CHECK(call(compiled(request)) == 499500);  // unloaded each time
}

TEST_CASE("compile: the cache is found by LOCKSTEP_CACHE, XDG_CACHE_HOME, HOME, in this order") {
  const Folder home;
  const Variable at_home("HOME", home.path);
  const Variable xdg("XDG_CACHE_HOME", home.path + "/xdg");
  {
    const Variable own("LOCKSTEP_CACHE", home.path + "/own/deep");
    CHECK(cache_folder() == home.path + "/own/deep");
    CHECK((fs::status(home.path + "/own/deep").permissions() & fs::perms::mask) == fs::perms::owner_all);
  }
  const Variable none("LOCKSTEP_CACHE", "");
  CHECK(cache_folder() == home.path + "/xdg/lockstep");
  const Variable relative("XDG_CACHE_HOME", "relative");
  CHECK(cache_folder() == home.path + "/.cache/lockstep");
  const Variable homeless("HOME", "");
  const Variable scratch("TMPDIR", home.path);
  CHECK(cache_folder() == home.path + "/lockstep-" + std::to_string(::geteuid()));
  const Variable here("LOCKSTEP_CACHE", "/tmp/../" + home.path + "/dots");
  CHECK(cache_folder()->front() == '/');
}

TEST_CASE("compiler: arguments arrive as they are, input is empty, output is gathered") {
  const Folder folder;
  const std::string script = "cat; printf '%s|' \"$@\"; echo $LC_ALL $TMPDIR >&2; exit 3";
  std::ofstream(folder.path + "/input") << "not for the child";
  const int before = ::dup(0);
  const int input = ::open((folder.path + "/input").c_str(), O_RDONLY);
  ::dup2(input, 0);
  const auto run = run_child({"/bin/sh", "-c", script, "sh", "a b", "$x", ""}, folder.path);
  ::dup2(before, 0);
  ::close(input);
  ::close(before);
  REQUIRE(run);
  CHECK(run->exit_status == 3);
  CHECK(run->signal == 0);
  CHECK(run->output == "a b|$x||C " + folder.path + "\n");
  CHECK_THAT(run_child({folder.path}, folder.path).error(), Contains("cannot run"));
}

TEST_CASE("compile: a flag that the compiler does not take on this machine is left out, and asked for once") {
  const Fresh fresh;
  const Folder programs;
  const std::string log = programs.path + "/log";
  put_program(programs.path + "/cxx",
              "echo \"$@\" >>" + log +
                  "; for a; do case $a in -march=native|-fno-finite-loops) echo \"what is $a?\" "
                  ">&2; exit 1;; esac; done; exec g++ \"$@\"");
  const Variable compiler("LOCKSTEP_CXX", programs.path + "/cxx");
  CompileRequest request = answer(5);
  request.flags = {"-O1", "-march=native", "-fno-finite-loops", "-fwrapv"};
  CHECK(call(compiled(request)) == 5);
  const std::string calls = get(log);
  CHECK_THAT(calls, Contains("flags-asked.cpp"));
  CHECK_THAT(calls.substr(calls.rfind("answer.cpp")), Contains("-O1 -fwrapv") && !Contains("native"));
  request.source += " ";
  CHECK(call(compiled(request)) == 5);
  CHECK(get(log).substr(calls.size()).find("flags-asked") == std::string::npos);
  bool kept = false;
  for (const std::string& name : fresh.cache.names())
    if (name.starts_with("flags-")) kept = get(fresh.cache.path + "/" + name) == "end\n";
  CHECK(kept);
}

TEST_CASE("compile: of flags in doubt those that the compiler takes are used") {
  const Fresh fresh;
  const Folder programs;
  const std::string log = programs.path + "/log";
  put_program(programs.path + "/cxx", "echo \"$@\" >>" + log +
                                          "; for a; do case $a in -march=native) exit 1;; esac; done; "
                                          "exec g++ \"$@\"");
  const Variable compiler("LOCKSTEP_CXX", programs.path + "/cxx");
  CompileRequest request = answer(6);
  request.flags = {"-march=native", "-fno-finite-loops"};
  CHECK(flags_taken(find_compiler().value(), request.flags, fresh.temporary.path) ==
        std::vector<std::string>{"-fno-finite-loops"});
}

TEST_CASE("compile: LOCKSTEP_MARCH stands for native, in the key too") {
  const Fresh fresh;
  CompileRequest request = answer(0);
  request.source = "extern \"C\" int answer() {\n#ifdef __AVX2__\n  return 2;\n#else\n  return 1;\n#endif\n}\n";
  request.flags = {"-march=native"};
  {
    const Variable plain("LOCKSTEP_MARCH", "x86-64");
    const auto library = compiled(request);
    CHECK(call(library) == 1);
    CHECK(compiled(request).cached);
  }
  {
    const Variable newer("LOCKSTEP_MARCH", "x86-64-v3");
    const auto library = compiled(request);
    CHECK_FALSE(library.cached);
  }
  const Variable wrong("LOCKSTEP_MARCH", "abacus");
  const auto failure = failed(request);
  CHECK(failure.kind == Kind::NoCompiler);
  CHECK_THAT(failure.message, Contains("LOCKSTEP_MARCH is 'abacus'"));
}

}  // namespace compile_test

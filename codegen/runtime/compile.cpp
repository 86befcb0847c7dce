// Look up, or compile and keep, or compile without keeping; then load.
#include "codegen/runtime/compile.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string_view>

#include "codegen/runtime/compiler.h"
#include "codegen/runtime/compiler_flags.h"
#include "codegen/runtime/files.h"
#include "codegen/runtime/library_cache.h"
#include "codegen/runtime/sha256.h"
#include "semantics/core/diagnostic.h"

namespace lockstep {
namespace {

using Kind = CompileFailure::Kind;
template <class T>
using Attempt = tl::expected<T, CompileFailure>;

// Each part with its length before it, so that no two lists read the same.
class Key {
 public:
  void add(std::string_view part) { text_ += std::to_string(part.size()) + ":" + std::string(part) + "\n"; }
  std::string digest() const { return sha256(text_); }

 private:
  std::string text_;
};

std::string key_of(const CompileRequest& request, const Compiler& compiler) {
  Key key;
  key.add("lockstep 2");
  key.add(compiler.identity);
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"}) {
    const char* value = std::getenv(name);
    key.add(value ? value : "");
  }
  for (const auto& flag : request.flags) key.add(flag);
  const bool native = std::any_of(request.flags.begin(), request.flags.end(),
                                  [](const std::string& flag) { return flag.ends_with("=native"); });
  key.add(native ? processor() : "");
  key.add(request.source);
  for (const CompileRequest::Header& h : request.headers) key.add(h.name), key.add(h.text);
  return key.digest();
}

std::string first_lines(const std::string& text, int most) {
  std::size_t end = 0;
  for (int line = 0; line < most; ++line) {
    end = text.find('\n', end);
    if (end == std::string::npos) return text;
    ++end;
  }
  return end == text.size() ? text : text.substr(0, end) + "...\n";
}

bool disk_is_full(const std::string& output, const std::string& folder) {
  for (const char* sign : {"No space left on device", "Disk quota exceeded", "File size limit", "File too large"})
    if (output.find(sign) != std::string::npos) return true;
  struct statvfs disk {};
  return ::statvfs(folder.c_str(), &disk) == 0 && disk.f_bavail * disk.f_frsize < (1U << 20);
}

tl::unexpected<CompileFailure> cannot_write(const std::string& folder, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return not_compiled(full ? Kind::DiskFull : Kind::CacheUnwritable,
                      "cannot compile in '" + folder + "': " + system_message(error) +
                          (full ? "; free some space, or set LOCKSTEP_CACHE or TMPDIR to a folder on another disk"
                                : "; set TMPDIR to a folder that can be written"));
}

tl::unexpected<CompileFailure> rejected(const Compiler& compiler, const ChildResult& run, const std::string& folder) {
  const std::string output = first_lines(run.output, 40);
  if (disk_is_full(run.output, folder)) return cannot_write(folder, ENOSPC);
  if (run.signal != 0 || run.output.find("signal terminated program") != std::string::npos)
    return not_compiled(Kind::Killed, "the compiler '" + compiler.path + "' was killed" +
                                          (run.signal ? " by signal " + std::to_string(run.signal) : std::string()) +
                                          ", as happens when memory runs out; try again with less running\n" + output);
  return not_compiled(
      Kind::Failed, "the compiler '" + compiler.path + "' does not take the generated code (exit status " +
                        std::to_string(run.exit_status) +
                        "). This is a bug of lockstep: please report it with the program and this output.\n" + output);
}

// 0, or the errno.
int write_new(const std::string& file, const std::string& text) {
  const Descriptor out(::open(file.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  return out ? write_all(out.get(), std::as_bytes(std::span(text))) : errno;
}

// A sealed library in `folder`, or a program.
enum class Made { Library, Program };
struct Built {
  std::string path;
  double seconds = 0;
};

// `cache`: where answers about flags are kept, or "".
Attempt<Built> build(const CompileRequest& request, const Compiler& compiler, const std::string& key,
                     const std::string& folder, const std::string& cache, Made made = Made::Library) {
  const std::string source = folder + "/" + readable_name(request.name_hint) + ".cpp";
  if (const int error = write_new(source, request.source)) return cannot_write(folder, error);
  std::vector<CompileRequest::Header> headers = request.headers;
  if (request.made) {
    auto header = request.made();
    if (!header) return tl::unexpected(header.error());
    headers.push_back(std::move(*header));
  }
  for (const CompileRequest::Header& h : headers) {
    const std::string file = folder + "/" + h.name;
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
    if (failed) return cannot_write(folder, failed.value());
    if (const int error = write_new(file, h.text)) return cannot_write(folder, error);
  }

  const bool library = made == Made::Library;
  Built built{folder + (library ? "/library.so" : "/program"), 0};
  std::vector<std::string> argv{compiler.path, source, "-o", built.path};
  if (library) argv.insert(argv.end(), {"-shared", "-fPIC"});
  const auto flags = flags_taken(compiler, request.flags, folder, cache);
  for (const std::string& flag : request.flags)
    if (flag.starts_with("-march=") && flag != "-march=native" && !std::count(flags.begin(), flags.end(), flag))
      return not_compiled(Kind::NoCompiler, "LOCKSTEP_MARCH is '" + flag.substr(7) + "', which the compiler '" +
                                                compiler.path + "' does not take; try x86-64, or unset it");
  argv.insert(argv.end(), flags.begin(), flags.end());
  if (!headers.empty()) argv.push_back("-I" + folder);
  const auto start = std::chrono::steady_clock::now();
  const auto run = run_child(argv, folder);
  built.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!run) return not_compiled(Kind::NoCompiler, run.error() + "; set LOCKSTEP_CXX to the path of a C++ compiler");
  if (run->signal != 0 || run->exit_status != 0 || ::access(built.path.c_str(), R_OK) != 0)
    return rejected(compiler, *run, folder);
  if (library)
    if (const int error = seal_entry(built.path, key)) return cannot_write(folder, error);
  return built;
}

Attempt<CompiledLibrary> load(const std::string& path) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* why = ::dlerror();
    return not_compiled(Kind::LoadFailed, "compiled code cannot be loaded: " + std::string(why ? why : path));
  }
  // The threads of an OpenMP runtime sleep in its code; unloading it with the last kernel would take that from them.
  for (const char* runtime : {"libgomp.so.1", "libomp.so.5"}) ::dlopen(runtime, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  CompiledLibrary library;
  library.handle = std::shared_ptr<void>(handle, [](void* h) { ::dlclose(h); });
  library.path = path;
  return library;
}

Attempt<CompiledLibrary> load_built(const Built& built, const std::string& path) {
  auto library = load(path);
  if (library) library->seconds = built.seconds;
  return library;
}

Attempt<CompiledLibrary> compile_into_cache(const CompileRequest& request, const Compiler& compiler,
                                            const std::string& key, const std::string& folder) {
  const std::string entry = entry_path(folder, request.name_hint, key);
  if (entry_is_sound(entry, key))
    if (auto library = load(entry)) {
      library->cached = true;
      return library;
    }
  remove_stale_work(folder);
  const auto work = WorkFolder::create(folder);
  if (!work) return cannot_write(folder, work.error());
  const auto built = build(request, compiler, key, work->path(), folder);
  if (!built) return tl::unexpected(built.error());
  // Of two runs that make the same entry the later replaces the earlier by an equal one.
  if (::rename(built->path.c_str(), entry.c_str()) != 0) return cannot_write(folder, errno);
  return load_built(*built, entry);
}

Attempt<CompiledLibrary> compile_aside(const CompileRequest& request, const Compiler& compiler,
                                       const std::string& key) {
  const std::string parent = temporary_folder();
  const auto work = WorkFolder::create(parent);
  if (!work) return cannot_write(parent, work.error());
  const auto built = build(request, compiler, key, work->path(), "");
  if (!built) return tl::unexpected(built.error());
  auto library = load_built(*built, built->path);
  if (library) library->path.clear();
  return library;
}

// Failures of the place, which another place may not have.
bool may_go_elsewhere(Kind kind) {
  return kind == Kind::DiskFull || kind == Kind::CacheUnwritable || kind == Kind::LoadFailed;
}

}  // namespace

void* CompiledLibrary::symbol(const char* name) const { return handle ? ::dlsym(handle.get(), name) : nullptr; }

std::string machine_message(const CompileFailure& failure, const std::string& what) {
  if (failure.kind == CompileFailure::Kind::Failed) throw Bug(what + ": " + failure.message);
  return failure.message;
}

tl::expected<CompiledLibrary, CompileFailure> compile_cached(const CompileRequest& wanted) {
  const auto compiler = find_compiler();
  if (!compiler) return not_compiled(Kind::NoCompiler, compiler.error());
  CompileRequest request = wanted;
  request.flags = with_architecture(wanted.flags);
  const std::string key = key_of(request, *compiler);
  if (!request.keep) return compile_aside(request, *compiler, key);
  std::string note;
  if (const auto folder = cache_folder()) {
    auto library = compile_into_cache(request, *compiler, key, *folder);
    if (library || !may_go_elsewhere(library.error().kind)) return library;
    note = library.error().message;
  } else {
    note = folder.error();
  }
  auto library = compile_aside(request, *compiler, key);
  if (library)
    library->note = note;
  else if (may_go_elsewhere(library.error().kind))
    library.error().message += "\n" + note;
  return library;
}

tl::expected<CompiledProgram, CompileFailure> compile_program(const CompileRequest& wanted) {
  const auto compiler = find_compiler();
  if (!compiler) return not_compiled(Kind::NoCompiler, compiler.error());
  CompileRequest request = wanted;
  request.flags = with_architecture(wanted.flags);
  const std::string parent = temporary_folder();
  auto work = WorkFolder::create(parent);
  if (!work) return cannot_write(parent, work.error());
  auto folder = std::make_shared<const WorkFolder>(std::move(*work));
  auto built = build(request, *compiler, "", folder->path(), "", Made::Program);
  if (!built) return tl::unexpected(built.error());
  return CompiledProgram{std::move(folder), std::move(built->path)};
}

}  // namespace lockstep

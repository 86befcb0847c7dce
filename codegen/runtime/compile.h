// C++ text to a loaded library, by the system's compiler, kept on disk so that the next run only loads it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep {

class WorkFolder;  // library_cache.h

struct CompileFailure {
  enum class Kind {
    NoCompiler,
    Failed,  // the compiler rejects the source, which is a bug of ours
    Killed,  // by a signal, as when memory runs out
    DiskFull,
    CacheUnwritable,  // neither the cache nor the folder for temporary files can be written
    LoadFailed
  };
  Kind kind = Kind::Failed;
  std::string message;
};
inline tl::unexpected<CompileFailure> not_compiled(CompileFailure::Kind kind, std::string message) {
  return tl::unexpected(CompileFailure{kind, std::move(message)});
}

struct CompileRequest {
  std::string source;
  std::vector<std::string> flags;  // -O3, -march=native, -fopenmp ...; of a library -shared and -fPIC are added
  std::string name_hint;           // for the file's name only
  bool keep = true;                // false: neither look in the cache nor leave anything there
  struct Header {
    std::string name, text;  // "hip/hip_runtime.h"
  };
  std::vector<Header> headers{};  // what the source includes in angle brackets, before any of the system's
  // One more, which is made only where the library is not kept yet: what it depends on stands in the others.
  std::function<tl::expected<Header, CompileFailure>()> made{};
};

// Loaded until the last copy goes. The runtime libraries of OpenMP that it brought in stay: their threads outlive it.
struct CompiledLibrary {
  std::shared_ptr<void> handle;
  std::string path;  // of the cache's entry; empty if it was not kept
  bool cached = false;
  double seconds = 0;  // spent in the compiler
  std::string note;    // why it was not kept, if it should have been

  void* symbol(const char* name) const;  // null if there is none
};

// It runs in a process of its own, and goes with the last copy.
struct CompiledProgram {
  std::shared_ptr<const WorkFolder> folder;  // for its files too
  std::string path;
};

// The message, where it is of the machine; a Bug where the compiler rejects `what`, which we wrote.
std::string machine_message(const CompileFailure& failure, const std::string& what);

// Flags that the compiler does not take are left out, and LOCKSTEP_MARCH stands for native (compiler_flags.h). The
// cache's key is source, flags, compiler and, for flags that say "native", the processor. A cache that cannot be
// used costs the compilation, not the run: the library is then made in $TMPDIR (or /tmp), loaded, and removed.
tl::expected<CompiledLibrary, CompileFailure> compile_cached(const CompileRequest& request);
// Of a source with `main`; never kept.
tl::expected<CompiledProgram, CompileFailure> compile_program(const CompileRequest& request);

}  // namespace lockstep

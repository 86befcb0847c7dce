// The engine: a network of transducers as one C++ text, compiled once by the system's compiler, kept, and run.
//
// In: a network with steps that transducer::check accepts. Out: its text and C header; or its result, the same at every
// chunk size and number of threads, and a Trap where the program has a run-time error. How: README.md of this folder.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "semantics/transducer/program.h"

namespace lockstep {
struct CompiledLibrary;
}

namespace lockstep::engine {

// Self-contained C++ with the C entry point of the header; `parallel`: it may use several threads.
std::string engine_source(const transducer::Program& p, bool parallel = true);
// Several, for load_all: no entry points of their own.
std::string engine_source(const std::vector<transducer::Program>& ps, bool parallel);
std::string engine_header(const svcode::Program& p);
// The C name of a program's entry point, which is all that its text has for others: snesl_wc of wc.
std::string engine_entry(const svcode::Program& p);
// The same text for files of its own (EngineOptions::apart).
std::string engine_apart(const std::string& source);
std::vector<std::string> engine_flags();
// What it is linked with; `functions`: it calls such as exp.
std::vector<std::string> engine_libraries(bool functions);

// The files of a program that runs beside others, to be compared with them: none that a user has is read or written.
class EngineFiles {
 public:
  virtual ~EngineFiles() = default;
  // The path of the file that the program knows by this name. Called by any of its threads.
  virtual const char* place(const char* name) const = 0;
  // For what can be read only once a number, the same for the same; -1 for all else.
  virtual int once(const char* name) const = 0;
};
// A leaf of an argument or a result: of a Bool or Char bytes, of an Int int64_t, of a Real double, of a unit nothing. A
// descriptor without data has one segment.
struct EngineLeaf {
  std::int64_t length = 0;
  std::shared_ptr<const unsigned char> data;
};
// Room for so many bytes, as the engine wants its arguments: what is beyond either end may be read.
std::shared_ptr<unsigned char> engine_room(std::size_t bytes);
std::size_t engine_width(svcode::Prim p);  // bytes of an element
std::vector<EngineLeaf> engine_leaves(const snesl::Values& values, const snesl::Type& type);

// Takes what a program gives as it comes: of a leaf the elements after those that it has had. An errno ends the run.
class EngineTaker {
 public:
  virtual ~EngineTaker() = default;
  virtual int take(std::size_t leaf, const void* elements, std::int64_t count) = 0;
};
struct EngineOptions {
  std::int64_t chunk = 0;              // elements of a bounded buffer; 0: from the sizes of the machine's caches
  int threads = 0;                     // 0: as many as the machine runs at once
  const EngineFiles* apart = nullptr;  // for a program that is loaded so
  std::int64_t memory = 0;             // bytes for buffers and results; 0: what the machine has left
  EngineTaker* taker = nullptr;        // of the results, which the run does not keep then
};
// What is missing or failed on the machine: no compiler, no memory, an output that cannot be written.
struct EngineFailure {
  std::string message;
  std::int64_t bytes = 0;  // of memory, where they are what is missing
};
struct EngineRun {
  std::vector<EngineLeaf> leaves;  // of Program::result
  std::vector<svcode::Stream> result() const;
  std::vector<svcode::Prim> types;  // of the leaves
  double compile_seconds = 0;
  bool cached = false;
  std::string note;  // why the compiled program was not kept, if it was not
};
using EngineError = std::variant<Trap, EngineFailure>;

// A program that is compiled and loaded; it may be run any number of times.
class Engine {
 public:
  // Each of these compiles faster where it is false, for a program that runs once on little.
  struct Effort {
    bool optimise = true;
    bool parallel = true;  // text for several threads as well
    bool apart = false;    // runs on EngineOptions::apart
    bool keep = true;      // false: nothing of it stays on disk, and nothing there is used
  };
  static tl::expected<Engine, EngineFailure> load(const transducer::Program& p, Effort effort);
  static tl::expected<Engine, EngineFailure> load(const transducer::Program& p) { return load(p, Effort()); }
  // Many programs by one run of the compiler, in their order.
  // `change`: of the text, for those who plant mistakes in it.
  static tl::expected<std::vector<Engine>, EngineFailure> load_all(
      const std::vector<transducer::Program>& ps, Effort effort,
      const std::function<std::string(std::string)>& change = {});
  tl::expected<EngineRun, EngineError> run(const std::vector<svcode::Stream>& inputs,
                                           const EngineOptions& options) const;
  // Leaves whose data has engine_room.
  tl::expected<EngineRun, EngineError> run(const std::vector<EngineLeaf>& inputs, const EngineOptions& options) const;

 private:
  struct Loaded;
  static Engine of(const transducer::Program& p, const CompiledLibrary& library, const std::string& entry);
  std::shared_ptr<const Loaded> loaded_;
};

}  // namespace lockstep::engine

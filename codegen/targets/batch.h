// Several kernel programs compiled as one program of the system's, each in a namespace of its own, and called in a
// process of their own, which may end in any way.
#pragma once
#include "codegen/c/entry.h"
#include "codegen/targets/target.h"

namespace lockstep {

// Of a program of a batch, by its place there: sizes and arrays in its own order, outputs by their bytes.
struct BatchCall {
  std::size_t program = 0;
  std::vector<std::int64_t> sizes;
  std::vector<std::string> inputs;
  std::vector<std::size_t> outputs;
};
struct BatchResult {
  std::int32_t status = entry_done;
  EntryTrap trap{};
  std::string fault{};  // of the text, where it says one (fault_name); no call is made after that
  std::vector<std::string> outputs{};
};
// Of a process that ended: the results of its first calls. Where there are fewer than calls, or it did not end well,
// it says why.
struct BatchRun {
  std::vector<BatchResult> results;
  bool ended_well = true;
  bool late = false;  // it was ended, as its time was over
  int signal = 0;
  std::string said{};
};

std::string show(Sanitizer s);  // "thread"; "" of none
std::optional<Sanitizer> sanitizer_named(const std::string& name);
// Why it does not run here; "" where it does.
std::string unavailable(Sanitizer s);

class Batch {
 public:
  // Their names differ; `sources` are in their order, in what `target` compiles.
  static tl::expected<Batch, CompileFailure> compile(const Target& target, const std::vector<AnyProgram>& programs,
                                                     const std::vector<CSource>& sources, Sanitizer sanitizer);
  // A line of program 3 is said as "program_3:12".
  static std::string name_of(std::size_t program) { return "program_" + std::to_string(program); }
  // The error: of the machine.
  tl::expected<BatchRun, std::string> run(const std::vector<BatchCall>& calls, double seconds) const;

 private:
  Batch(CompiledProgram program, Sanitizer sanitizer) : program_(std::move(program)), sanitizer_(sanitizer) {}
  CompiledProgram program_;
  Sanitizer sanitizer_;
};

}  // namespace lockstep

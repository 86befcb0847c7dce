// A target: where kernel programs run. Everything that differs from target to target for those who run, time, print and
// check programs; a new one is its file and a row of the table.
#pragma once
#include "codegen/targets/executable.h"
#include "semantics/core/machine.h"

namespace lockstep {

struct TextFile {
  std::string name, contents;
};

struct Target {
  std::string name;
  std::string runs_on;           // what it needs
  Machine machine;               // for which its kernels are made
  std::string (*unavailable)();  // why it cannot run here; "" where it can
  // Why there is no text of a program, in the user's words; empty where there is one.
  std::vector<std::string> (*unfit)(const kernel::Program& program);
  std::string text_is;  // "C++ with OpenMP"
  // The source first; null where it has none yet.
  std::vector<TextFile> (*text)(const kernel::Program& program);
  // `result`: the program's result, as in its source. Null where it does not run programs yet.
  tl::expected<Executable, CompileFailure> (*load)(const kernel::Program& program, const Type& result);
};

// Of a target that has a text of every program.
std::vector<std::string> always_fits(const kernel::Program& program);

// Those there are, the first that can run being the default.
const std::vector<Target>& kernel_targets();
const Target* find_target(const std::string& name);  // null where there is none of this name
// On a target: a MachineFailure in words where it cannot be loaded here, a Bug where its text does not compile.
tl::expected<Executable, MachineFailure> load_on(const Target& target, const kernel::Program& program,
                                                 const Type& result);

}  // namespace lockstep

// A target: where kernel programs run. Everything that differs from target to target for those who run, time, print and
// check programs; a new one is its file and a row of the table.
#pragma once
#include "codegen/c/source.h"
#include "codegen/targets/executable.h"
#include "semantics/core/machine.h"
#include "semantics/language/language.h"

namespace lockstep {

struct TextFile {
  std::string name, contents;
};

// What watches a program that runs: a sanitizer of the compiler, or Oclgrind, on which the kernels of OpenCL run then.
enum class Sanitizer { None, Thread, Address, Oclgrind };

// A text that the system's C++ compiler takes, so that those of several programs can be compiled as one.
struct CxxText {
  CSource (*source)(const AnyProgram& program) = nullptr;
  std::vector<std::string> flags{};
  std::vector<CompileRequest::Header> headers{};
  // Those that are made of the programs, in addition: of their kernels, compiled.
  std::function<tl::expected<CompileRequest::Header, CompileFailure>(const std::vector<AnyProgram>&)> made{};
  std::vector<Sanitizer> sanitizers{};  // that have nothing to say of what is right
};

struct Target {
  std::string name;
  std::string runs_on;           // what it needs
  Machine machine;               // for which its kernels are made
  std::string (*unavailable)();  // why it cannot run here; "" where it can
  // Why there is no text of a program, in the user's words; empty where there is one.
  std::vector<std::string> (*unfit)(const kernel::Program& program);
  std::string text_is;  // "C++ with OpenMP"
  // Of what the machine's last stage makes, kernel or host programs; the source first. Null where it has none yet.
  std::vector<TextFile> (*text)(const AnyProgram& program);
  // `result`: the program's result, as in its source. Null where it does not run programs yet.
  tl::expected<Executable, CompileFailure> (*load)(const AnyProgram& program, const Type& result);
  // The functions of floats that IEEE does not round are its own, and not those that the interpreters call: they have
  // other bits, within the bounds of their rows.
  bool own_functions = false;
  bool by_name = false;  // it checks another target's text: only where it is asked for
  CxxText cxx{};         // without a source where there is none
};

// The functions in a program whose bits differ from library to library, "exp and sin"; empty where there is none. And
// of them those that are the target's own: where there are some, its results are held to the error bound, not to bits.
std::string functions_in(const kernel::Program& program);
std::string own_functions_in(const kernel::Program& program, const Target& target);

// Of a target that has a text of every program.
std::vector<std::string> always_fits(const kernel::Program& program);

// Those there are, the first that can run being the default.
const std::vector<Target>& kernel_targets();
const Target* find_target(const std::string& name);  // null where there is none of this name
// On a target: a MachineFailure in words where it cannot be loaded here, a Bug where its text does not compile.
tl::expected<Executable, MachineFailure> load_on(const Target& target, const AnyProgram& program, const Type& result);

}  // namespace lockstep

// Kernel programs as C++ with OpenMP, for g++ and clang++. The outermost parallel loop of any level is spread over
// threads; loops inside it run in their thread, in order. Barriers are needless then.
#pragma once
#include <string>
#include <vector>

#include "codegen/c/entry.h"
#include "codegen/c/source.h"
#include "codegen/targets/target.h"

namespace lockstep {

// Its source includes <stdint.h> at most, and <stdlib.h> where it allocates.
struct OpenMpText {
  CSource source;
  std::string header;  // C
};
// Both say what the source is compiled with, LOCKSTEP_MARCH in the place of native.
OpenMpText openmp_text(const kernel::Program& program, const Dialect& dialect = cpp_dialect());
// Of a kernel program.
std::vector<TextFile> openmp_files(const AnyProgram& program);
tl::expected<Executable, CompileFailure> load_openmp(const AnyProgram& program, const Type& result);
std::string openmp_source(const kernel::Program& program, const Dialect& dialect = cpp_dialect());
// What texts rely on beside optimisation: no contraction into fma, integers that wrap, calls of the library's
// functions.
std::vector<std::string> openmp_flags();

}  // namespace lockstep

// A source file as the commands need it: read, parsed, inferred, and one of its entry points chosen.
#pragma once
#include "driver/options.h"
#include "driver/report.h"
#include "driver/source.h"
#include "semantics/functional/inference/definitions.h"
#include "semantics/functional/inference/infer.h"

namespace lockstep::driver {

struct LoadedProgram {
  SourceRef source;
  Calculus calculus;
  surface::Program surface;
  Elaboration elaboration;
  double seconds = 0;  // parsing and inference
  AskedRun asked{};
  SizeSolver sizes{};  // inference's, which remembers what it was asked
};
// A Failure with status 2 where anything is wrong with the file.
LoadedProgram load_program(const std::string& file, const Calculus& calculus);
// Its calls expanded; a Failure with status 2 where there is none, or where it becomes too large.
PhraseProgram entry_point(const LoadedProgram& program, const ProgramName& name);
// "dot : [n]f32 -> ..." in the syntax of a definition's head.
std::string head_of(const PhraseProgram& program);

// The same of a definition that may be none: with functions, types for any data, and facts.
std::string head_of(const inference::Defined& definition);

}  // namespace lockstep::driver

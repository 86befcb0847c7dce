// What the commands do with .dpia programs (driver/frontend.h).
#pragma once
#include "codegen/targets/target.h"
#include "driver/entry.h"
#include "driver/languages/dpia/program.h"
#include "translate/dpia/stage.h"

namespace lockstep::driver {

const Frontend& dpia_language();  // over the standard calculus
std::unique_ptr<const Frontend> dpia_over(Calculus calculus);

std::unique_ptr<Execution> execution_of(const LoadedProgram& loaded, const PhraseProgram& program,
                                        const std::string& target, const Options& options, bool bench);
// Null: the interpreter.
std::unique_ptr<Execution> execution_on(const LoadedProgram& loaded, const PhraseProgram& program, const Target* target,
                                        const Options& options, bool bench);
std::vector<StageText> stages_of(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options);
Said cost_of(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options);
EmittedText emitted(const LoadedProgram& loaded, const PhraseProgram& program, const Options& options);
Said proofs_of_calculus(const CalculusRef& calculus, const Options& options);
RandomPrograms dpia_programs(const Calculus& calculus);  // which outlives it
Said dpia_mutants(const Options& options);               // mistakes in the standard calculus
int derive(const Options& options, const Calculus& calculus);
int tune(const Options& options, const Calculus& calculus);
// Of --explain.
int explain(const Options& options, const Calculus& calculus);
std::vector<BuiltIn> primitives_of(const Calculus& calculus);
BuiltInDetails details_of_primitive(const CalculusRef& calculus, const std::string& name);

}  // namespace lockstep::driver

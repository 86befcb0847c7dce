// name=value words to the arguments of an entry point.
#pragma once
#include "codegen/targets/executable.h"
#include "driver/argument_words.h"
#include "driver/report.h"
#include "props/dpia/sizes.h"

namespace lockstep::driver {

struct ArgumentOptions {
  bool fill = false;  // parameters that are not given are random; sizes that nothing determines are asked of `choose`
  std::function<SizeValues(const SizeValues& known)> choose{};
  bool indexes_inside = false;  // random integers that are often inside an array
};

// A Failure with status 2 for whatever is wrong with the words, 4 for missing memory.
Arguments bind_arguments(const PhraseProgram& program, const std::vector<std::string>& words,
                         const ArgumentOptions& options = {});
// Words that give sizes only.
SizeValues bind_sizes(const PhraseProgram& program, const std::vector<std::string>& words);
// Words of verify: what they leave open is searched for and drawn.
props::SizesAsked bind_asked(const PhraseProgram& program, const std::vector<std::string>& words);

}  // namespace lockstep::driver

// name=value words to the arguments of a definition of a .fcl file.
#pragma once
#include <map>

#include "driver/argument_words.h"
#include "driver/languages/fcl/program.h"
#include "props/fcl/inputs.h"

namespace lockstep::driver {

// An instance of an entry point, and what is given of its arguments.
struct FclArguments {
  props::fcl::Signature signature;
  std::vector<std::optional<Leaves>> given;                 // of each parameter that is no level
  std::vector<std::optional<props::RandomAsked>> random;    // of each: how it is to be drawn, where a word says so
  std::vector<ArgumentWord> lengths;                        // words for no parameter
  fcl::Bound open;                                          // what the entry's type leaves open, closed
  std::map<std::string, std::optional<fcl::Level>> levels;  // by name; nothing: not given
  bool complete() const;                                    // nothing is to be drawn
  std::vector<Leaves> all_given() const;                    // then
};
// A Failure with status 2 for whatever is wrong with the words; `whole`: where one is missing, too.
FclArguments bind_arguments(const FclEntryPoint& entry, const std::vector<std::string>& words, bool whole);

// Of a command that draws nothing by length each word is a parameter's.
void refuse_lengths(const FclEntryPoint& entry, const FclArguments& bound);

}  // namespace lockstep::driver

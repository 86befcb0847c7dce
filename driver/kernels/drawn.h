// Arguments of a program that was taken to the calculus, drawn: as long as what is given says that they are.
#pragma once
#include "driver/argument_words.h"
#include "driver/kernels/large_sizes.h"
#include "props/dpia/inputs.h"
#include "translate/lowered/in_calculus.h"

namespace lockstep::driver {

struct DrawnParameter {
  std::string name, type;  // as they are shown
  std::size_t leaves;
  std::optional<Leaves> given;
  props::RandomAsked random{};
};
struct ToDraw {
  std::string program;
  std::vector<DrawnParameter> parameters;
  std::vector<ArgumentWord> lengths{};  // n=1000 of a size of the program, xs.length=1000 of a parameter
  // Of all leaves, two that are equally long in a dimension: parts of an array of tuples.
  struct Tie {
    std::size_t leaf, other, dimension;
  };
  std::vector<Tie> ties{};
};
// What given arguments and words say of the program's sizes.
SizeValues known_sizes(const ToDraw& to, const InCalculus& program);
// Whether that is all of them, with those that follow.
bool says_all_sizes(const ToDraw& to, const InCalculus& program);
// Of each parameter. What is random has the lengths that the program gives it: those of its sizes that given arguments
// or words say, and those that follow. The others are `choose`'s; without it a Failure with status 2, which names them.
std::vector<Leaves> drawn_arguments(const ToDraw& to, const InCalculus& program,
                                    const std::function<SizeValues(const SizeValues& known)>& choose = {});
// All of these sizes: of a run that is timed.
std::vector<Leaves> drawn_at(const ToDraw& to, const InCalculus& program, const SizeValues& sizes,
                             props::Integers integers);

}  // namespace lockstep::driver

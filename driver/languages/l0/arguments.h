// name=value words to the arguments of a function of a .l0 file.
#pragma once
#include <functional>

#include "driver/argument_words.h"
#include "driver/languages/l0/program.h"
#include "semantics/l0/value.h"

namespace lockstep::driver {

// Of each parameter in order its value, or how it is to be drawn, or nothing; and words for no parameter.
struct L0Arguments {
  std::vector<std::optional<l0::Value>> values{};
  std::vector<std::optional<props::RandomAsked>> random{};
  std::vector<ArgumentWord> sizes{};
};
// A Failure with status 2 for whatever is wrong with the words, here and below; `whole`: where one is missing, too.
L0Arguments bind_words(const l0::Function& f, const std::vector<std::string>& words, bool whole);

// Of its parameters, in order: none of them random.
l0::Values given_arguments(const l0::Function& f, const L0Arguments& bound);
l0::Values bind_arguments(const l0::Function& f, const std::vector<std::string>& words);

// The same where the others are to be drawn: nothing of a parameter that no word gives.
std::vector<std::optional<l0::Value>> bind_given(const l0::Function& f, const std::vector<std::string>& words);

// f on two leaves of an array of tuples, by number, and each dimension around the tuple: they are as long there.
using EqualLengths = std::function<void(std::size_t leaf, std::size_t other, std::size_t dimension)>;
void each_equal_length(const l0::Type& type, const EqualLengths& f);

l0::Values leaves_of_all(const l0::Values& values);  // one after the other

}  // namespace lockstep::driver

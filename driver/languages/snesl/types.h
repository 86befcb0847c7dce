// Types of SNESL as a report shows them, read back: with a, b, ... for what several types would fit.
#pragma once
#include <map>
#include <string>

#include "semantics/snesl/type.h"

namespace lockstep::driver {

using OpenTypes = std::map<std::string, snesl::Type>;  // what each letter stands for

// What the text stands for, with Int for a letter that nothing is known of.
snesl::Type closed_type(const std::string& text, const OpenTypes& open = {});
// Takes into `open` what the letters are where `text` is `given`; false where it cannot be. A letter that is Int in one
// place and Real in another is Real: an integer literal fits a Real.
bool bind_open(const std::string& text, const snesl::Type& given, OpenTypes& open);
std::vector<std::string> letters_of(const std::string& text);

}  // namespace lockstep::driver

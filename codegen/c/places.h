// Which lines of a text are of which expressions of the source.
#pragma once
#include <string>
#include <vector>

#include "semantics/core/diagnostic.h"

namespace lockstep {

struct TextPlace {
  std::size_t line = 1;  // of the text
  std::string kernel{};  // on a device
  Region source{};       // the expression whose result the line makes
  std::string stores{};  // the array that it writes, by the program's name; "" where it writes none
};

// Of the last line that writes the array: "kernel_2, line 57 of the text, of dot.dpia:9:14"; "" where none does.
std::string writer_of(const std::vector<TextPlace>& places, const std::string& array);
// Behind so many lines.
std::vector<TextPlace> moved_to(std::vector<TextPlace> places, std::size_t lines);
// What a compiler or a tool says of lines of the text, whose numbers stand behind `before`, with what they are of.
std::string with_sources(std::string said, const std::vector<TextPlace>& places, const std::string& before);

}  // namespace lockstep

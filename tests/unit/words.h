// Whatever a user calls things, compiled code does the same: names to try, those that mean something to this machine's
// libraries, compilers and headers, and what a name makes of a text.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace lockstep::test {

using Words = std::set<std::string>;  // each once, in order

bool is_identifier(const std::string& s);
// The identifiers among what spaces part.
void add_words(const std::string& text, Words& into);
// What a command of the shell prints; where it is missing, nothing.
std::string output_of(const std::string& command);

// What libraries export, what the compiler knows without a header, what it and headers predefine, and keywords.
const Words& words_of_this_machine();
// `first`, then the words of this machine and `others`, each once, so that every stretch has some of each kind.
std::vector<std::string> in_order(const Words& first, const Words& others);

// Of C++ without its comments and texts in quotes, where a name stands as it is.
std::vector<std::string> tokens(const std::string& text);
// The words that a name makes in a text: those that differ from another name's.
Words words_made(const std::string& text, const std::string& other);

}  // namespace lockstep::test

// Decisions of the sources that a test is known to watch: a row says what stands in a file, what a mistake makes of it,
// and the test that finds the mistake.
#pragma once
#include "tests/mutate/schemata.h"

namespace lockstep::mutate {

// of semantics/core/size.cpp
// - if (a < b) return c;
// + if (a <= b) return c;
// = size_test a test case's name
// @ A1a
struct Row {
  std::size_t number, line;  // from 1
  std::string file, was, now, test, item;
};
// Rows stand between blank lines; a line that begins with # is a remark. Throws std::runtime_error, with the line.
std::vector<Row> rows_of(const std::string& text);

// The edit of the tokens that differ. What was must stand once in the file, however it is laid out.
Edit edit_of(const Row& row, const Source& source);

}  // namespace lockstep::mutate

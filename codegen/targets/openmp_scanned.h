// Loops in order that sum integers up to each place, as a scan does, as C++ in lanes: OpenMP's `inscan`. Integers wrap,
// so any order has the same bits; floats keep theirs.
#pragma once
#include <optional>
#include <string>

#include "codegen/c/statement.h"

namespace lockstep {

// for (...) { acc = acc OP value; store at acc } and the other way round, where neither value nor place depends on acc.
struct ScannedLoop {
  std::string variable;  // acc, as the program calls it
  std::string op;        // as OpenMP does
  bool inclusive;        // acc is stored behind the step
};
std::optional<ScannedLoop> scanned_loop(const kernel::For& loop);
// What stands before the loop, and its body.
void print_scan_pragma(CStatements& s, const ScannedLoop& scan);
void print_scanned(CStatements& s, const ScannedLoop& scan, const kernel::Stmt& body);

}  // namespace lockstep

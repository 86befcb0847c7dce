// Loops in order that sum integers up to each place, as a scan does, as C++ in lanes: OpenMP's `inscan`. Integers wrap,
// so any order has the same bits; floats keep theirs, but for the least and the greatest of them. Where such a loop has
// much to do, threads have groups of its iterations: the sum of each first, and then the scan of each from the sum of
// those before it.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "codegen/c/statement.h"

namespace lockstep {

// for (...) { acc = acc OP value; store at acc } and the other way round, where neither value nor place depends on acc.
struct ScannedLoop {
  std::string variable;  // acc, as the program calls it
  std::string op;        // as OpenMP does; none: the least or the greatest
  std::string neutral;   // of op
  bool inclusive;        // acc is stored behind the step
  const kernel::Assign* step;
  std::size_t place;  // of acc among the operator's arguments
};
std::optional<ScannedLoop> scanned_loop(const kernel::For& loop);
// What stands before the loop, and its body.
void print_scan_pragma(CStatements& s, const ScannedLoop& scan);
void print_scanned(CStatements& s, const ScannedLoop& scan, const kernel::Stmt& body);

// Whether so many iterations are worth groups, as an expression of the text.
std::string has_groups(const std::string& count);

// A loop over parts whose number and places `parts` knows, by groups: between opened and closed stands the loop over
// `part_from` to `part_to`, or over their rounds, with acc as of the parts before.
class ScanInGroups {
 public:
  // `number`: the loop's variable, as the program calls it.
  ScanInGroups(CStatements& s, const ScannedLoop& scan, std::string parts, const std::string& number);
  void open();
  void close();
  std::string part_from() const { return part(group_); }
  std::string part_to() const { return part("(" + group_ + " + 1)"); }
  void open_rounds(const std::string& variable);  // of the group's parts
  static std::string text();                      // what such loops call

 private:
  std::string part(const std::string& group) const;
  // The sum of acc, as of what comes before, and another, as of what comes behind it.
  std::string both(const std::string& before, const std::string& behind) const;
  void sum_of_group(const std::function<void()>& pragma, const std::string& start);
  void over_groups(const std::string& end);
  void sums();

  CStatements& s_;
  const ScannedLoop& scan_;
  const std::string parts_, number_, acc_, type_, groups_, group_, sums_, last_;
};

}  // namespace lockstep

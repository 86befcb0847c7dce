// Loops that fill large arrays of memory one place after another, as C++: in parts that a cache holds, each of which is
// then stored past the caches. An ordinary store reads the line first that it writes, and leaves it where the loop's
// own input would stand. What is computed, and where it is written, is as in the loop as it stands, which the text has
// too: which of them runs depends on how large the array is.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>

#include "codegen/c/statement.h"
#include "codegen/targets/openmp_scanned.h"

namespace lockstep {

// What stores of a loop's body over `name` fill an array so, by buffer: a scalar at the loop's number plus what stays,
// in every iteration, of an array that the body does nothing else with. None where the body is more than a few
// expressions and choices, as it may not stop, and memory does not bound it; nor of three iterations or fewer.
std::map<std::string, const kernel::Store*> streamed_stores(const std::string& name, const kernel::Expr& extent,
                                                            const kernel::Stmt& body);
// Macros of the text, each defined unless it is: bytes of an array from which on its loops go in parts, and elements of
// a part.
inline constexpr const char* least_streamed = "LOCKSTEP_LEAST_STREAMED";
inline constexpr const char* streamed_part = "LOCKSTEP_STREAMED_PART";

class StreamedLoops {
 public:
  explicit StreamedLoops(CStatements& s) : s_(s) {}

  // An array of so many scalars that lies in memory, by its name in the text, with its size in bytes as text.
  void in_memory(const std::string& array, kernel::KType type, const kernel::Expr& count, const std::string& bytes);
  // Whether a loop stores so into an array that is there before it, in rounds of these variables more.
  bool itself(const kernel::ParallelFor& loop, const std::vector<std::string>& rounds) const;
  // Whether a loop in this one stores so into an array that is there before it.
  bool in(const kernel::ParallelFor& loop) const;
  // A store into such an array's part; false: it is none, and nothing was printed.
  bool store(const kernel::Store& t);

  enum class Threads { None, Around, Own };  // of a loop in order, in a parallel one, itself parallel
  struct Loop {
    const std::string& name;
    const kernel::Expr& extent;
    const kernel::Stmt& body;
    Threads threads;
    std::function<void()> pragma;  // before a loop in a part
    std::function<void()> inside;  // the body
    std::function<void()> plain;   // the loop as it stands
    const ScannedLoop* scan;       // which it is, or null
  };
  // Twice: in parts where that pays, else as it stands; a scan also by groups of threads, where that does.
  void loop(const Loop& loop);
  bool used() const { return used_; }
  bool scans() const { return scans_; }
  static std::string text();  // what such loops call; behind the declarations of streams (CText)

 private:
  // Of an array in memory whose places no other round of a loop in order fills again.
  bool is_streamed(const kernel::Store& t) const;
  struct Part {
    std::string own, place;  // its array; where in it
  };
  std::string address(const kernel::Store& t, const std::string& name, const std::string& at);

  CStatements& s_;
  std::map<std::string, std::string> bytes_;  // by the array's name in the text
  std::map<std::string, Part> parts_;         // the same, while a part is printed
  bool used_ = false, scans_ = false;
};

}  // namespace lockstep

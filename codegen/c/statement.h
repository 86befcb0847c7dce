// Kernel statements as C++ text with indentation, shared by the targets. What differs from target to target is a
// function that the target fills in.
#pragma once
#include "codegen/c/places.h"
#include "codegen/c/text.h"

namespace lockstep {

class CStatements {
 public:
  explicit CStatements(const kernel::Stmt& program, const Dialect& dialect = cpp_dialect());

  CText text;
  std::function<void(const kernel::ParallelFor&)> parallel;
  std::function<void(const kernel::Check&)> check;
  std::function<void(const kernel::Allocate&)> allocate;
  std::function<void(const kernel::Store&)> store;
  std::function<void(const kernel::For&)> loop;       // `in_order`, if nothing else is said
  std::function<void(const kernel::Atomic&)> atomic;  // by compare and swap, for any operator, if nothing else is said
  std::function<void(const kernel::Barrier&)> barrier;
  // How many of a block's statements from one on it has printed together; if nothing is said, none.
  std::function<std::size_t(const kernel::Block&, std::size_t from)> together;
  std::function<void(const kernel::Shuffle&)> shuffle;

  void line(const std::string& s);     // indented
  void open(const std::string& head);  // "head {"
  void close(const std::string& tail = "");
  void otherwise(const std::string& condition = "");  // "} else {", or "} else if (condition) {"
  void in_order(const kernel::For& f);
  // With lines before the loop, and what stands in it.
  void in_order(const kernel::For& f, const std::function<void()>& pragma, const std::function<void()>& inside);
  void statement(const kernel::Stmt& s);
  void body(const kernel::Stmt& s);  // what a block holds, without its braces; the names go at its end
  // What a loop over `name` counts to, as text: a variable of its own where it may change while the loop runs.
  std::string count(const std::string& name, const kernel::Expr& extent);
  // The head of a loop over `name` and the text of its extent, which is a variable of its own where it may change
  // while the loop runs. Declares the name.
  std::string bound(const std::string& name, const kernel::Expr& extent);
  // An array on the stack where the buffer is one scope's and small; false where it is not.
  void declare_on_stack(const kernel::Allocate& a, const std::string& qualifiers);
  std::string take();  // the text so far
  // The variables of the loops in order around what is printed; of a `while` nothing.
  const std::vector<std::string>& rounds() const { return rounds_; }
  // Of the statements so far that have a source, where they begin.
  const std::vector<TextPlace>& places() const { return places_; }

 private:
  void declare(const kernel::Declare& d);
  void comment(const std::string& s);
  void compare_and_swap(const kernel::Atomic& a);

  std::set<std::string> assigned_;  // names assigned anywhere: the others are const
  std::string out_;
  std::size_t lines_ = 0;
  std::vector<TextPlace> places_;
  std::vector<std::string> rounds_;
  int indent_ = 0;
};

}  // namespace lockstep

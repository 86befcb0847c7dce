// The one engine of `verify`: whatever the language, each program of the trace is checked, run beside the source on the
// same inputs, and costed; then each target. What that means of a program is said by its subject.
#pragma once
#include <memory>

#include "props/engine/report.h"

namespace lockstep::props {

// A program of the trace, or a target. Inputs are counted from 0; the source's results on them came first.
class Subject {
 public:
  virtual ~Subject() = default;
  explicit Subject(Row planned_) : planned(std::move(planned_)) {}
  const Row planned;  // the row without what checking it finds

  // Says in the row what is wrong with the program itself.
  virtual void check(Row& row) { (void)row; }
  // An earlier row, of the same trace, whose runs are the same: they are not repeated.
  virtual std::optional<std::size_t> same_runs_as(const std::vector<Row>& before) {
    (void)before;
    return {};
  }
  // ... which is taken over: for what a subject keeps beside the row.
  virtual void take_over(std::size_t row) { (void)row; }
  // Of a target: made ready to run, or not available.
  virtual void load(Row& row) { (void)row; }
  // Whether it can be given that input: where it says what of inputs it is made for.
  virtual bool takes(std::size_t input) const {
    (void)input;
    return true;
  }
  // Runs it on an input in every order, and says in the row what came of it.
  virtual void test(Row& row, std::size_t input) = 0;
  // After all inputs, where nothing disagreed: other orders, and costs.
  virtual void finish(Row& row) { (void)row; }
  // The programs before and after the stage, shown where the row is wrong.
  virtual std::pair<std::string, std::string> around() const { return {}; }
  // The program as text; of a target, that is loaded, what it compiles.
  virtual std::string text() const = 0;
};

// An entry point under verification.
struct Case {
  Report report;                   // titles and inputs; the engine adds rows
  std::size_t inputs = 0;          // that each subject is tested on
  std::vector<bool> gives_values;  // by input: the source does
  std::vector<std::unique_ptr<Subject>> stages, targets;
  bool first_only = false;  // end with the first row that is wrong
  bool texts = false;       // rows keep the text of what they are of
  // What is known when the rows are: notes and claims. Before the targets, which do not run where anything is wrong.
  std::function<void(Report&)> conclude = [](Report&) {};
};

Report verify(Case& c, const Listener& listener);

}  // namespace lockstep::props

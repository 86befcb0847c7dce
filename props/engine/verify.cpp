// The loop over stages, targets and inputs (verify.h). In: a case; out: its report.
#include "props/engine/verify.h"

#include <chrono>
#include <tuple>

namespace lockstep::props {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class Engine {
 public:
  Engine(Case& c, const Listener& listener) : case_(c), listener_(listener), report_(std::move(c.report)) {}

  Report all() {
    if (listener_.planned) {
      Report planned = report_;
      for (const auto& s : case_.stages) planned.stages.push_back(s->planned);
      for (const auto& t : case_.targets) planned.targets.push_back(t->planned);
      listener_.planned(planned);
    }
    for (std::size_t k = 0; k < case_.stages.size(); ++k) {
      stage(k);
      if (case_.first_only && report_.stages.back().wrong()) return std::move(report_);
    }
    case_.conclude(report_);
    for (const auto& t : case_.targets) target(*t);
    return std::move(report_);
  }

 private:
  void progress(const std::string& what) {
    if (listener_.progress)
      listener_.progress(what, report_.stages.size() + report_.targets.size(),
                         case_.stages.size() + case_.targets.size());
  }
  void known(std::vector<Row>& rows, Row row) {
    rows.push_back(std::move(row));
    if (listener_.row) listener_.row(rows.back());
  }

  void stage(std::size_t k) {
    Subject& s = *case_.stages[k];
    Row row = s.planned;
    progress("checking " + row.name);
    const auto start = Clock::now();
    s.check(row);
    row.check_seconds = since(start);
    if (row.ill_formed.empty()) {
      if (const auto same = s.same_runs_as(report_.stages))
        take_over(s, row, *same);
      else
        test(s, row);
    }
    row.seconds += since(start);
    if (case_.texts) row.text = s.text();
    if (row.wrong()) std::tie(row.before, row.after) = s.around();
    known(report_.stages, std::move(row));
  }

  void take_over(Subject& s, Row& row, std::size_t same) {
    const Row& r = report_.stages[same];
    row.tested = r.tested, row.values = r.values;
    row.runs = r.runs, row.interleaved = r.interleaved, row.explored = r.explored;
    row.reassociated = r.reassociated, row.rounding = r.rounding;
    row.disagreement = r.disagreement;
    s.take_over(same);
    s.finish(row);
  }

  void test(Subject& s, Row& row) {
    for (std::size_t k = 0; k < case_.inputs && !row.disagreement && !row.same.empty(); ++k) {
      if (!s.takes(k)) continue;
      const std::size_t not_run = row.not_run;
      s.test(row, k);
      if (row.disagreement || row.not_run > not_run) continue;
      ++row.tested;
      row.values += case_.gives_values[k];
    }
    s.finish(row);
  }

  void target(Subject& s) {
    Row row = s.planned;
    progress("running on " + row.name);
    // Text made of a wrong program may do anything.
    if (row.unavailable.empty() && !report_.agrees()) row.unavailable = "the program is wrong before it";
    if (row.unavailable.empty()) s.load(row);
    const auto start = Clock::now();
    if (row.unavailable.empty()) test(s, row);
    row.seconds = since(start);
    if (case_.texts && row.unavailable.empty()) row.text = s.text();
    if (row.wrong()) std::tie(row.before, row.after) = s.around();
    known(report_.targets, std::move(row));
  }

  Case& case_;
  const Listener& listener_;
  Report report_;
};

}  // namespace

Report verify(Case& c, const Listener& listener) { return Engine(c, listener).all(); }

}  // namespace lockstep::props

// Answers that are kept from one run to the next, each by its whole question.
#pragma once
#include <mutex>

#include "proofs/smt/solver.h"

namespace lockstep::proofs::smt {

// A file with an answer a line, each sealed by a digest; a line that is not whole is passed over. Any thread and any
// process may add to it. Where it cannot be read or written answers are kept in memory.
class Answers {
 public:
  static constexpr std::size_t most_bytes = std::size_t{8} << 20;  // then the older half goes

  explicit Answers(std::string path);  // "": in memory only
  std::optional<Verdict> find(const std::string& key) const;
  void keep(const std::string& key, const Verdict& verdict);
  std::size_t size() const;
  std::size_t found() const;  // how often one that was there at first

 private:
  std::string path_;
  mutable std::mutex mutex_;
  struct Known {
    Verdict verdict;
    bool from_before = false;
  };
  std::map<std::string, Known> known_;
  mutable std::size_t found_ = 0;
};
// Those of this user, where compiled programs are kept.
Answers& kept_answers();

// The digest of all that an answer follows from: the question's text, who is asked and in which version, the limits,
// and the build that asks. Around a `Within`, whose limits it does not see, it would not be.
std::string key_of(const std::vector<Term>& assertions, const Solver& solver, const Budget& budget);

// The same solver, which is asked what was not asked before. What went wrong is not kept.
class Kept : public Solver {
 public:
  explicit Kept(const Solver& solver, Answers& answers = kept_answers()) : solver_(solver), answers_(answers) {}
  std::string name() const override { return solver_.name(); }
  std::string version() const override { return solver_.version(); }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override;

 private:
  const Solver& solver_;
  Answers& answers_;
};

}  // namespace lockstep::proofs::smt

// Cost as a relation: what each stage may do to work, depth and space, checked by counting. The costs themselves are
// polynomials (semantics/*/cost.h); counted are the operators that a run applies, the scalars that it writes, and what
// the kernel interpreter adds up. The relations are listed in the folder's README.
#pragma once
#include "semantics/kernel/run.h"
#include "semantics/primitives/calculus.h"
#include "translate/dpia/stage.h"

namespace lockstep::props {

using LanguageMaker = std::function<DpiaLanguages(std::shared_ptr<const Calculus>)>;

// A calculus whose scalar operators count how often they are applied, by any interpreter. Its while loops throw
// std::runtime_error where they do not end.
class OperatorTally {
 public:
  using Counts = std::vector<std::int64_t>;  // by operator, in the calculus' order
  explicit OperatorTally(const Calculus& calculus);
  const std::shared_ptr<const Calculus>& calculus() const { return counting_; }
  // The program with these operators in the place of those of their names.
  PhraseProgram counting(const PhraseProgram& program) const;
  void restart() { std::fill(counts_->begin(), counts_->end(), 0); }
  const Counts& counts() const { return *counts_; }
  const std::string& name(std::size_t k) const { return names_[k]; }
  bool in_checks(std::size_t k) const { return in_checks_[k]; }  // of those that checks of indices are made of

 private:
  std::shared_ptr<const Calculus> counting_;
  std::vector<std::string> names_;
  std::vector<bool> in_checks_;
  std::shared_ptr<Counts> counts_;  // shared with the operators, which may outlive this
};

inline bool is_single(const Type& d) { return as<ScalarType>(d) || as<IndexType>(d) || as<VectorType>(d); }

// Scalars that the translation of Fig. 5 and the amended loops write, as its clauses declare it: one for each scalar of
// a result, of a temporary, and of a state and its copy. Independent of the translation; nothing where a loop's count
// is known from data only.
std::optional<Size> declared_writes(const PhraseProgram& source);
// Whether the loop's clause is known to give its functions names only: no temporary is made for what they are given.
bool gives_names(const Primitive& loop);
// Scalars that variables have, in each space.
struct SpaceOfEach {
  Size global = 0, local = 0, in_registers = 0;
};
// What hoisting allocates, from the program before it: by §6.4, as amended.
SpaceOfEach declared_hoisted_space(const PhraseProgram& before, Machine machine);
// The same of the program after it: what it allocates.
SpaceOfEach hoisted_space(const PhraseProgram& after);

// The relations of a trace's stages, which say them (translate/pipeline), and of each program to its own cost.
class CostCheck {
 public:
  CostCheck(const DpiaTrace& trace, const OperatorTally& tally);

  // Of a run of the k-th program on these sizes that did not trap; what is wrong, or nothing. `applied` by the program
  // that it is held to, and by this one.
  std::optional<std::string> step(std::size_t k, const SizeValues& sizes, const OperatorTally::Counts& by_source,
                                  const OperatorTally::Counts& applied, const Counted& counted) const;

  // What a kernel holds against what its source says it does.
  std::optional<std::string> space_of_the_source(const SizeValues& sizes, const Counted& counted) const;

 private:
  std::optional<std::string> no_operator_twice(const OperatorTally::Counts& by_source,
                                               const OperatorTally::Counts& applied) const;
  std::optional<std::string> own(std::size_t k, const SizeValues& sizes, const OperatorTally::Counts& applied,
                                 const Counted& counted) const;
  std::optional<std::string> hoisted_as_said(std::size_t k) const;
  std::optional<std::string> changed(const std::string& what, CostRelation::Change change, const Size& now,
                                     const Size& before, const Size& in_order, const SizeValues& sizes) const;

  Cost cost_at(std::size_t k, const SizeValues& sizes) const;
  Size in_order_at(std::size_t k, const SizeValues& sizes) const;  // depth, loops without a level one after another

  const DpiaTrace& trace_;
  const OperatorTally& tally_;
  const std::size_t held_to_;  // the step whose program those behind it are held to, as to the source
  std::vector<Cost> costs_;
  std::vector<Size> in_order_;
  std::vector<bool> straight_;  // kernels without a branch or a while loop
  std::optional<Size> writes_;
  std::vector<std::optional<std::string>> hoisted_;  // what is wrong for all sizes, by program
  bool lazy_ = false;                                // the source chooses among scalars: the kernel may evaluate both
};

}  // namespace lockstep::props

// Propositions 1 and 2 (FCL §5.2) of terms of the located machine: each step leaves a term of the type that it had, in
// which nothing is forced below its level; and what is no value goes on, or traps.
#pragma once
#include <deque>
#include <set>

#include "semantics/fcl/infer.h"
#include "semantics/fcl/step.h"

namespace lockstep::props::fcl {

namespace language = lockstep::fcl;

// The types that a program's terms have. What one term has of the one before, elements of arrays and arrays that were
// put in the place of a name, is typed once: it is closed, so that its type is its own.
class TermTypes {
 public:
  explicit TermTypes(const language::Inferred& program, const language::PrintedTypes& printed = {});
  tl::expected<language::Type, std::string> type_of(const language::Expr& term);
  // Why a term at the whole machine has not that type, or what in it stands too low; "" where all is well.
  std::string wrong_with(const language::Expr& term, const language::Type& type);

  // A part that is typed once; of a function nothing is kept, as its numbers may be those of what it is applied to.
  struct Part {
    language::ExprRef term;
    std::optional<language::Expr> typed{};
    language::Scheme scheme{};
    std::set<int> stands_at{};  // places at which it does, as far as is known
  };
  Part& part(const std::string& name) { return parts_[std::stoul(name.substr(1))]; }

 private:
  using Names = std::vector<std::string>;  // of the parts of a term
  language::Expr in_parts(const language::Expr& e, bool closed, Names& used);
  language::Expr part_of(const language::ExprRef& e, bool closed, Names& used);
  Checked<language::Inferred> inferred(const language::Expr& term, const std::optional<language::Type>& as,
                                       const Names& used) const;
  // By the names that definitions have in terms (step.h).
  language::Inferred prelude_, program_;
  language::PrintedTypes printed_;
  std::deque<Part> parts_;
  std::map<const language::Expr*, std::size_t> numbers_;
};

// A run, each term of which is looked at.
struct TypedRun {
  std::size_t steps = 0;
  std::string property{}, wrong{};  // "": none is refuted
};
TypedRun typed_run(language::Stepping& machine, TermTypes& types, std::size_t most_steps);

}  // namespace lockstep::props::fcl

// The values of expressions as terms, with the accesses and demands that they make noted: what the walk of accesses.cpp
// takes statements through.
#pragma once
#include "proofs/kernel/accesses.h"
#include "semantics/kernel/index_width.h"

namespace lockstep::proofs::kernels {

class Values {
 protected:
  explicit Values(const Followed& how) : how_(how) {}

  struct Variable {
    int place;  // -1: a size or a loop's variable
    Term value;
  };
  struct Buffered {
    int place;
    std::string state;
  };

  // ---- names
  std::string fresh(const std::string& name);  // of a new state, or a value that is not known
  Term unknown(const std::string& name, kernel::KType t);
  void comes_from(const std::string& name, const Term& t);
  std::string symbol(const std::string& name);

  // ---- places
  int place(Place p);
  Situation situation();
  void access(int place, bool write, Term index, int width, const Region& from = {});
  void demand(Demand::Kind kind, Term goal, std::string text, const Region& from = {});

  Term value(const kernel::Expr& e);

  void narrow(const kernel::Program& p, const SizeSubstitution& spelling);
  void demand_width(const Term& index, const Region& from = {});

  Accesses out_;
  std::map<std::string, Variable> variables_;
  std::map<std::string, Buffered> buffers_;
  std::set<std::string> taken_;
  std::vector<int> loops_, branches_;
  Guards guards_;
  std::vector<Universal> universals_;
  int position_ = 0, count_ = 0;
  bool first_thread_ = false;
  Region from_;                 // the statement at hand
  std::vector<Term> narrowed_;  // indices whose width was asked for where all who come here have been

 private:
  const Followed how_;
  std::string data(const std::string& spelled_name);
  Term value_from(const std::vector<Term>& parts, kernel::KType t);
  Term kept(Term t);
  std::optional<Term> exact(const kernel::Apply& a) const;  // exact.cpp
  Term read_variable(const std::string& name);
  Term arithmetic(const kernel::Expr& e, const kernel::Arith& a);
  Term choice(const kernel::Expr& e, const kernel::Choose& c);

  std::optional<kernel::IndexRange> range_;  // of indices, where they are narrow
  std::vector<Guard> fitting_;               // that they are
};

}  // namespace lockstep::proofs::kernels

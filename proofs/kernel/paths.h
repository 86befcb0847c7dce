// The composition of a path (DPIA Fig. 6) with nothing simplified. In: a phrase, a path and what its names stand for;
// out: a term in which each index that a view hands on is a fresh name "#~k", and what the names mean. A variable that
// holds data is called as data, which need not be natural.
#pragma once
#include "proofs/kernel/terms.h"
#include "semantics/primitives/primitive.h"
#include "translate/dpia/paths.h"

namespace lockstep::proofs::kernels {

std::string variable_data(const std::string& name);

// `lane`: what the name $lane in the path stands for, where one lane of a vector is stored. `paths` must outlive it.
class Naive : private PathReader {
 public:
  Naive(const Paths& paths, std::optional<int> lane) : paths_(paths) {
    if (lane) meanings_.emplace("$lane", kernels::number(*lane));
  }

  Term expression(const Phrase& e, const Path& ps);  // Fig. 6c
  Term acceptor(const Phrase& a, const Path& ps);    // Fig. 6b, as a load of the place

  // What a fresh name was defined as; nothing for other names.
  const Term* definition(const std::string& name) const;
  // Every name replaced by what it stands for.
  Term expanded(const Term& t) const { return substitute(t, meanings_); }

 private:
  Size fresh(const Term& meaning);
  Path named_indices(const Path& ps);
  Size index(const Phrase& e);

  // Row-major (Fig. 6's path of indices in a buffer of one leaf).
  Term place(const std::string& identifier, const Path& ps);

  Term application(const PrimPhrase& p, const ScalarOp& op, const Path& ps);

  Term read(std::size_t argument, Path path) override;
  Term number(const Size& s) override { return as_term(s); }
  Size opaque(Term i) override { return fresh(i); }
  std::optional<bool> decide(const SizeFact&) override { return {}; }
  Term test(const SizeFact& f) override { return as_term(f); }
  Term choose(Term condition, const std::function<Term()>& then, const std::function<Term()>& otherwise) override;
  Term lanes(int width, const std::function<Term(Size)>& at) override;

  const Paths& paths_;
  std::vector<const PrimPhrase*> reading_;
  std::map<std::string, Term> definitions_;
  std::map<std::string, Term> meanings_;
};

}  // namespace lockstep::proofs::kernels

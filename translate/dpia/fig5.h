// The acceptor-passing and the continuation-passing translation (DPIA §4.1, Fig. 5), one member a figure.
// E: functional expression, A: acceptor, C: continuation.
#pragma once
#include "semantics/primitives/build.h"
#include "semantics/primitives/calculus.h"

namespace lockstep {

// A[if c then E1 else E2](A) = C[c](\x. if x then A[E1](A) else A[E2](A)). The paper has no clause.
PhraseRef branch_into(Translation& t, const IfPhrase& e, const PhraseRef& a);

class Fig5 final : public Translation {
 public:
  using Continuation = std::function<PhraseRef(PhraseRef)>;
  Fig5(const Calculus& calculus, Names& names) : calculus_(calculus), names_(names) {}

  PhraseRef acceptor(const PhraseRef& e, const PhraseRef& a) override;         // Fig. 5a
  PhraseRef continuation(const PhraseRef& e, const Continuation& c) override;  // Fig. 5b
  PhraseRef named(const PhraseRef& e, const Continuation& c) override;
  PhraseRef call(const PhraseRef& f, const PhraseRef& e) override;
  PhraseRef assign(const PhraseRef& a, const PhraseRef& e) override;  // §4.1
  std::string fresh(const std::string& base) override { return names_.fresh(base); }
  const PrimitiveRef& primitive(std::string_view name) override { return calculus_.primitive(name); }
  Region where() const override { return where_; }

 private:
  // The arguments of p one after the other, each by C or as a name, then c on all.
  PhraseRef operands(const PrimPhrase& p, bool names, const std::function<PhraseRef(std::vector<PhraseRef>)>& c);
  PhraseRef scalar_operator(const PhraseRef& e, const PrimPhrase& p, const Continuation& c);
  PhraseRef view(const PhraseRef& e, const PrimPhrase& p, const Continuation& c);
  PhraseRef branch(const PhraseRef& e, const IfPhrase& x, const Continuation& c);
  PhraseRef view_into(const PhraseRef& e, const PrimPhrase& p, const PhraseRef& a);
  PhraseRef bind(const std::string& name, const PhraseRef& e, const std::function<PhraseRef()>& body);
  PhraseRef bound(const Ident& x, const PhraseRef& e) const;
  PhraseRef temporary(const PhraseRef& e, const Continuation& c);
  PhraseRef assign_at(const Region& where, const PhraseRef& a, const PhraseRef& e);

  const Calculus& calculus_;
  Names& names_;
  Region where_;
  bool checked_ = false;                    // what traps in a view that is written
  std::map<std::string, PhraseRef> bound_;  // what names of let stand for
};

}  // namespace lockstep

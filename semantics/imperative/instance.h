// The type of a primitive's application at its sizes and types, from its scheme; what check, run and parse ask for.
#pragma once
#include "semantics/primitives/calculus.h"

namespace lockstep {

struct PrimitiveType {
  std::vector<PhraseType> arguments;
  PhraseType result;
};

// exp[a -> b] as exp[a] -> exp[b], and so on inwards.
PhraseType spread(const PhraseType& t);

// The schemes of the primitives met so far, parsed once each. No calculus is asked for: a phrase holds its primitives.
class Instances {
 public:
  // Of an acceptor (p.acceptor >= 0): acc[result] -> acc[argument]. A Diagnostic's message where p does not fit.
  tl::expected<PrimitiveType, std::string> type_of(const PrimPhrase& p);

  // How many sizes a view or loop is given before its arguments: split 64 xs. None: an operator.
  std::size_t explicit_sizes(const PrimitiveRef& p);

 private:
  const Calculus::Entry& entry(const PrimitiveRef& p);
  Calculus met_;
};

}  // namespace lockstep

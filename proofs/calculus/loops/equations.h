// How a step whose result is a pair is translated: one component after the other (DPIA Fig. 5a, pair), each reading the
// state by its name. Right where the acceptor is apart from the state; design.md, "Where the papers are wrong".
#pragma once
#include "proofs/calculus/terms.h"

namespace lockstep::proofs {

using Component = std::function<Term(const Term& a, const Term& b)>;
// o.1 := f1 y.1 y.2; o.2 := f2 y.1 y.2 on the store `in`, pairs being at places y, y + 1 and o, o + 1.
Term by_components(const Term& in, const Term& y, const Term& o, const Component& f1, const Component& f2);

}  // namespace lockstep::proofs

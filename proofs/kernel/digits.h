// Loop variables below a product that are divided by one of its factors, as a grid of two dimensions is whose blocks
// are numbered: i below a*b has the digits i/b below a and i%b below b.
#pragma once
#include "proofs/kernel/prover.h"

namespace lockstep::proofs::kernels {

using Extents = std::vector<std::pair<std::string, Size>>;  // of loop variables

struct Digits {  // of `name`: its value is high * below + low
  std::string name, high, low;
  Size above, below;  // high is below `above`, low below `below`
  Size value() const { return Size::name(high) * below + Size::name(low); }
};
// Of the first variable of `extents` that is divided in s by a factor of its extent, by the greatest where one is a
// multiple of the other. That there are such digits follows where both factors are natural, which the caller shows: a
// variable below their product then has both at 1 or more.
std::optional<Digits> digits_in(const Size& s, const Extents& extents);

// What is known and what is asked, with digits in place of variables.
struct InDigits {
  Known known;
  std::vector<Term> terms;
};
// Nothing where no variable has digits, or `proves` does not tell that factors are natural.
std::optional<InDigits> in_digits(const Known& known, std::vector<Term> terms,
                                  const std::function<bool(const Known&, const Term&)>& proves);
// With quotients in place of divisions, where the solver shows that they are.
Term with_quotients(const Known& known, const Term& t, Prover& prover);

}  // namespace lockstep::proofs::kernels

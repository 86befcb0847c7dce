// Normalisation by evaluation: delayed arrays and functions vanish (Dybdal et al., §2.1, rules (36) and (37)).
#pragma once
#include "semantics/fcl/language.h"

namespace lockstep::fcl {

// What cannot be brought to normal form, and why.
struct NotFused {
  std::string why;
  Region region;
};

// One definition, in normal form:
//   body    ::= let (id = value)+ in scheme | scheme
//   value   ::= scalar | force scheme | while (fn x => …scalar) (fn x => body) scheme
//   scheme  ::= push <level> (generate scalar (fn i => element))
//             | interleave scalar (fn p => element) (generate scalar (fn c => body))
//             | if scalar then body else body
//   element ::= let (id = value)+ in base | base, a pair of scalars or a scalar
// Arrays are the parameters' and what `force` and `while` give. What may trap has a name of its own, and a check of an
// index that nothing reads is `index (generate n (fn i => i)) k`.
tl::expected<Entry, NotFused> fused(const Entry& instantiated);

// A `while` whose condition looks at lengths only, all of them constant, as straight code (§3.3, §4): of so many rounds
// at most. What outgrows the first array, or never ends, stays.
inline constexpr int most_unrolled = 64;
Entry unrolled(const Entry& fused);

}  // namespace lockstep::fcl

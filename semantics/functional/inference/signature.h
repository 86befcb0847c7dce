// A definition's signature: its sizes, parameters, result and facts, with all that is wrong in them.
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

struct Signature {
  Defined defined;                       // without a body
  std::vector<surface::SizeNeed> needs;  // of the sizes that are written in it
  bool is_entry;                         // parameters and result are data, of no unknown type
  Region facts;                          // where the last one is said
};
// What it binds is declared.
Signature signature_of(const surface::Definition& d, Work& w);

}  // namespace lockstep::inference

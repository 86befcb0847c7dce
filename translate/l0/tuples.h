// L0 §2.3.1: tuples flattened, and arrays of tuples made tuples of arrays.
#pragma once
#include "semantics/l0/syntax.h"

namespace lockstep::l0 {

// Of a typed program with distinct names. Tuples stand only as results; a pattern names every leaf; `zip` is an
// assertZip of one leaf each, and the leaves; `unzip` is nothing; combinators are map2, filter2, reduce2, scan2 and
// redomap2.
Program without_tuples(const Program& p);

}  // namespace lockstep::l0

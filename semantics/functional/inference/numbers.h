// Indices that become numbers: where a number is wanted, or stands in the other branch or beside them in an array.
//
#pragma once
#include "semantics/functional/inference/work.h"

namespace lockstep::inference {

// Whether what stands beside it may make a number of an index in it.
bool may_join(const Unifier& types, const Type& type);
// What two expressions that stand for one another have together: a number where one has an index and the other a
// number.
Type joined(const Unifier& types, const Type& left, const Type& right);
PhraseRef as_number(const Calculus& calculus, const PhraseRef& e, ScalarType t);
Typed with_numbers(Work& w, Typed t, const Type& wanted);
void push_wanted(Work& w, const Type& wanted, const Type& result, const Region& region, const std::string& what);

}  // namespace lockstep::inference

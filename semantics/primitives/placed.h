// What loops are written with that put values at places which they are given: scatter, permute.
#pragma once
#include "semantics/primitives/build.h"
#include "semantics/primitives/constant.h"

namespace lockstep::placed {

std::int64_t number_at(const Value& is, std::int64_t j);
std::vector<Value> elements(const Value& xs, std::int64_t n);
// Nothing where it is negative; a trap of the loop where it is not below m.
std::optional<std::int64_t> place_below(std::int64_t m, std::int64_t i, const char* loop, const Region& where = {});

// A place as an expansion finds it, in what it writes first: at an element of an array of them, or by a function
// \x o. o := the place of x.
using PlaceOf = std::function<kernel::Expr(Expansion& t, const PhraseRef& j, kernel::Block& out)>;
PlaceOf element_of_array(const PhraseRef& is);
PlaceOf by_function(const PhraseRef& f, const PhraseRef& xs);
// for each j < n: i = its place; if (i >= 0) { check i < m; rest(i) }, one after the other, or in parallel
void at_index(
    Expansion& t, const char* loop, Level level, const ImpPhrase& x, const PlaceOf& place, const Region& region,
    kernel::Block& out,
    const std::function<void(const std::string& i, const PhraseRef& at, const PhraseRef& j, kernel::Block&)>& rest);

// What finding a place by a function costs, of which a call to an acceptor costs this: it is kept, and read again; a
// component of the element is read where it stands.
Cost place_cost(const PhraseRef& f, const Cost& call);

}  // namespace lockstep::placed

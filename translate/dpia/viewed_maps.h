// Maps under views that have each element in one place at most: V (map f xs) is map f (V xs), of rows map (map f), so
// that a loop that takes the view's elements may take those of xs.
#pragma once
#include "translate/rewriting/zipped.h"

namespace lockstep {

// What makes an element of a view of a map: `core`, inside as many maps as `rows` says.
struct ViewedMap {
  std::vector<const PrimPhrase*> views{};  // outermost first: take, drop, reverse, split, join, transpose
  PhraseRef map;                           // below them: a map without a level, or its name
  PhraseRef core;
  int rows = 0;
  bool some = false;    // elements are left out
  bool peeled = false;  // what the map goes over is rows, of which the view takes elements
};
// Nothing where p is no such view, or it takes elements of what makes whole rows. `bound` gives the map of a name.
std::optional<ViewedMap> viewed_map(const PhraseRef& p,
                                    const std::function<const PrimPhrase*(const std::string&)>& bound);

// Whether the rows of this component of what a map takes go, all and once, into a loop in its function that could make
// their elements on the way: no array of them is made.
bool rows_go_into_a_loop(rewriting::Site& s, const PrimPhrase& map, const rewriting::Components& path,
                         const ViewedMap& of);

// The view of what the map goes over, and what makes its elements of that. `map`: as it is by now.
struct MovedMap {
  PhraseRef array, function;
};
MovedMap moved_above(rewriting::Site& s, const ViewedMap& viewed, const PrimPhrase& map);

// The program with names of such views that are read once where they are read, and views of zips as zips of views.
PhraseRef with_views_where_read(const rewriting::Site& s, const PhraseRef& p);

}  // namespace lockstep

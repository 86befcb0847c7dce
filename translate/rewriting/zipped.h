// An array as a zip of arrays, and an element of it as their components: what moves loops past each other is written
// with. A path is of components, 1 the first and 2 the second, outermost first; [] is the element itself.
#pragma once
#include "translate/rewriting/terms.h"

namespace lockstep::rewriting {

using Components = std::vector<int>;

// One of the arrays that are zipped: an element's component at `path` is its element.
struct Zipped {
  Components path;
  PhraseRef array;
};
std::vector<Zipped> zipped_in(const PhraseRef& xs);  // xs itself, at [], where it is no zip
// The same zips of other arrays.
PhraseRef zipped_again(const Site& s, const PhraseRef& xs, const std::function<PhraseRef(const Zipped&)>& by);

// The name and components that p is, as fst (snd x) is of x [2, 1]; nothing where it is no component of a name.
struct Component {
  std::string name;
  Components path;
};
std::optional<Component> component_of_name(const Phrase& p);
PhraseRef component_at(const Site& s, const PhraseRef& p, const Components& path);
bool begins_with(const Components& path, const Components& by);
Components below(Components path, int k);  // of what is there the component k
// Whether p reads the component of the name, or a part of it, or what it is a part of.
bool reads_component(const Phrase& p, const std::string& name, const Components& path);
// p, each of these components of the name read elsewhere; one that is read whole is put together of its parts.
struct Moved {
  Components path;
  PhraseRef to;
};
PhraseRef with_components(const Site& s, const PhraseRef& p, const std::string& name, const std::vector<Moved>& moved);

}  // namespace lockstep::rewriting

// Zips taken apart and put together; components of names read elsewhere.
#include "translate/rewriting/zipped.h"

#include <algorithm>

#include "semantics/primitives/build.h"

namespace lockstep::rewriting {
namespace {

void collect_zipped(const PhraseRef& xs, const Components& path, std::vector<Zipped>& out) {
  const PrimPhrase* zip = as_call(*xs, "zip");
  if (!zip) return out.push_back({path, xs});
  for (const int k : {1, 2}) {
    const Components inner = below(path, k);
    collect_zipped(zip->arguments[static_cast<std::size_t>(k - 1)], inner, out);
  }
}

PhraseRef zips_again(const Site& s, const PhraseRef& xs, const Components& path,
                     const std::function<PhraseRef(const Zipped&)>& by) {
  const PrimPhrase* zip = as_call(*xs, "zip");
  if (!zip) return by({path, xs});
  std::vector<PhraseRef> arguments;
  for (const int k : {1, 2}) {
    const Components inner = below(path, k);
    arguments.push_back(zips_again(s, zip->arguments[static_cast<std::size_t>(k - 1)], inner, by));
  }
  return zip_of(s, arguments[0], arguments[1]);
}

// The component of the name at `path`, read elsewhere.
PhraseRef read_elsewhere(const Site& s, const Components& path, const std::vector<Moved>& moved) {
  for (const Moved& m : moved)
    if (begins_with(path, m.path))
      return component_at(s, m.to, {path.begin() + static_cast<std::ptrdiff_t>(m.path.size()), path.end()});
  std::vector<PhraseRef> both;
  for (const int k : {1, 2}) {
    const Components inner = below(path, k);
    both.push_back(read_elsewhere(s, inner, moved));
  }
  return pair_of(s, both[0], both[1]);
}

}  // namespace

std::vector<Zipped> zipped_in(const PhraseRef& xs) {
  std::vector<Zipped> out;
  collect_zipped(xs, {}, out);
  return out;
}

PhraseRef zipped_again(const Site& s, const PhraseRef& xs, const std::function<PhraseRef(const Zipped&)>& by) {
  return zips_again(s, xs, {}, by);
}

std::optional<Component> component_of_name(const Phrase& p) {
  if (const auto* i = as<Ident>(p)) return Component{i->name, {}};
  const auto* x = as<PrimPhrase>(p);
  const int k = x ? component_taken(*x) : 0;
  auto whole = k != 0 ? component_of_name(*x->arguments[0]) : std::nullopt;
  if (whole) whole->path.push_back(k);
  return whole;
}

PhraseRef component_at(const Site& s, const PhraseRef& p, const Components& path) {
  PhraseRef out = p;
  for (const int k : path) out = component_of(k, s.calculus.primitive(k == 1 ? "fst" : "snd"), out);
  return out;
}

Components below(Components path, int k) {
  path.push_back(k);
  return path;
}
bool begins_with(const Components& path, const Components& by) {
  return by.size() <= path.size() && std::equal(by.begin(), by.end(), path.begin());
}

bool reads_component(const Phrase& p, const std::string& name, const Components& path) {
  if (const auto c = component_of_name(p))
    return c->name == name && (begins_with(c->path, path) || begins_with(path, c->path));
  bool found = false;
  for_each_child(p, [&](const PhraseRef& c) { found = found || reads_component(*c, name, path); });
  return found;
}

PhraseRef with_components(const Site& s, const PhraseRef& p, const std::string& name, const std::vector<Moved>& moved) {
  if (const auto c = component_of_name(*p)) return c->name == name ? read_elsewhere(s, c->path, moved) : p;
  return map_children(p, [&](const PhraseRef& c) { return with_components(s, c, name, moved); });
}

}  // namespace lockstep::rewriting

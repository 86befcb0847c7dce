// Paths of children followed, and as a strategy writes them.
#include "translate/rewriting/place.h"

namespace lockstep::rewriting {

std::string head_of(const Phrase& p) {
  return match(
      p.node, [](const Ident& x) { return x.name; }, [](const LiteralPhrase&) { return std::string("a literal"); },
      [](const NatPhrase& x) { return lockstep::show(x.size); }, [](const LambdaPhrase& x) { return "\\" + x.name; },
      [](const ApplyPhrase&) { return std::string("an application"); },
      [](const LetPhrase& x) { return "let " + x.name; }, [](const IfPhrase&) { return std::string("if"); },
      [](const PairPhrase&) { return std::string("a phrase pair"); },
      [](const ProjPhrase&) { return std::string("a projection"); },
      [](const PrimPhrase& x) { return x.primitive->name; },
      [](const ImpPhrase& x) { return std::string(name_of(x.constant)); });
}

namespace {
PhraseRef replaced_at(const PhraseRef& root, const Place& path, std::size_t from, const PhraseRef& by) {
  if (from == path.size()) return by;
  std::size_t k = 0;
  return map_children(root,
                      [&](const PhraseRef& c) { return k++ == path[from] ? replaced_at(c, path, from + 1, by) : c; });
}
}  // namespace

PhraseRef with_phrase_at(const PhraseRef& p, const Place& path, const PhraseRef& by) {
  return replaced_at(p, path, 0, by);
}

std::vector<PhraseRef> children_of(const Phrase& p) {
  std::vector<PhraseRef> out;
  for_each_child(p, [&](const PhraseRef& c) { out.push_back(c); });
  return out;
}

std::vector<Level> levels_around(PhraseRef at, const Place& path) {
  std::vector<Level> out;
  for (const std::size_t k : path) {
    const PhraseRef next = children_of(*at).at(k);
    if (const auto* x = as<PrimPhrase>(*at))
      if (const auto* loop = std::get_if<Loop>(&x->primitive->kind);
          loop && is_parallel(loop->level) && as<LambdaPhrase>(*next))
        out.push_back(loop->level);
    at = next;
  }
  return out;
}

std::optional<PhraseRef> phrase_at(const PhraseRef& root, const Place& path) {
  PhraseRef at = root;
  for (const std::size_t k : path) {
    const std::vector<PhraseRef> below = children_of(*at);
    if (k >= below.size()) return {};
    at = below[k];
  }
  return at;
}

std::optional<Place> first_named(const PhraseRef& root, const std::string& name) {
  if ((as<PrimPhrase>(*root) || as<IfPhrase>(*root)) && head_of(*root) == name) return Place{};
  const std::vector<PhraseRef> below = children_of(*root);
  for (std::size_t k = 0; k < below.size(); ++k)
    if (auto found = first_named(below[k], name)) {
      found->insert(found->begin(), k);
      return found;
    }
  return {};
}

tl::expected<Place, std::string> parse_place(const std::string& text, const PhraseRef& in) {
  if (text.empty() || text[0] != '(') {
    auto found = first_named(in, text);
    if (!found) return tl::unexpected("there is no " + text + " here");
    return *found;
  }
  Place path;
  for (std::size_t at = 1; at < text.size(); ++at) {
    std::size_t digits = at;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    if (digits == at || digits - at > 4 || digits >= text.size() || (text[digits] != '.' && text[digits] != ')'))
      return tl::unexpected("'" + text + "' is no place, as (2.0) and the name of a primitive are");
    path.push_back(std::stoul(text.substr(at, digits - at)));
    at = digits;
  }
  if (!phrase_at(in, path)) return tl::unexpected("there is no place " + text + " here");
  return path;
}

}  // namespace lockstep::rewriting

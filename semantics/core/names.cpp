// Fresh names, and binders renamed to them.
#include <algorithm>

#include "semantics/core/phrase.h"

namespace lockstep {

std::string Names::fresh(const std::string& base) {
  const auto [it, first] = used_.try_emplace(base, 0);
  if (first) return base;
  while (true) {
    std::string name = base + "_" + std::to_string(++it->second);
    if (used_.try_emplace(name, 0).second) return name;
  }
}
void Names::reserve(const std::string& name) { used_.try_emplace(name, 0); }

namespace {
std::string base_of(const std::string& name) {
  const std::size_t underscore = name.rfind('_');
  if (underscore == std::string::npos || underscore == 0 || underscore + 1 == name.size()) return name;
  const bool number = std::all_of(name.begin() + static_cast<std::ptrdiff_t>(underscore) + 1, name.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  return number ? name.substr(0, underscore) : name;
}

PhraseRef refresh_in(const PhraseRef& p, Names& names, std::map<std::string, std::string>& renamed) {
  const auto under = [&](const std::string& name, const std::string& fresh, const PhraseRef& body) {
    const auto old = renamed.find(name);
    const std::optional<std::string> saved = old == renamed.end() ? std::nullopt : std::optional(old->second);
    renamed[name] = fresh;
    PhraseRef out = refresh_in(body, names, renamed);
    if (saved)
      renamed[name] = *saved;
    else
      renamed.erase(name);
    return out;
  };
  if (const auto* x = as<Ident>(*p)) {
    const auto it = renamed.find(x->name);
    return it == renamed.end() ? p : PhraseRef(Phrase{p->type, Ident{it->second}, p->region});
  }
  if (const auto* x = as<LambdaPhrase>(*p)) {
    std::string fresh = names.fresh(base_of(x->name));
    PhraseRef body = under(x->name, fresh, x->body);
    return Phrase{p->type, LambdaPhrase{std::move(fresh), x->parameter, std::move(body)}, p->region};
  }
  if (const auto* x = as<LetPhrase>(*p)) {
    PhraseRef value = refresh_in(x->value, names, renamed);
    std::string fresh = names.fresh(base_of(x->name));
    PhraseRef body = under(x->name, fresh, x->body);
    return Phrase{p->type, LetPhrase{std::move(fresh), std::move(value), std::move(body)}, p->region};
  }
  return map_children(p, [&](const PhraseRef& c) { return refresh_in(c, names, renamed); });
}
}  // namespace

PhraseRef refresh(const PhraseRef& p, Names& names) {
  std::map<std::string, std::string> renamed;
  return refresh_in(p, names, renamed);
}

}  // namespace lockstep

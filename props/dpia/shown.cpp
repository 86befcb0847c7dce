// At most 300 characters of a result, at most 64 scalars of a parameter.
#include "props/dpia/shown.h"

#include "props/dpia/generate.h"

namespace lockstep::props {

std::string shown(const Scalars& scalars, const Type& type, const SizeValues& sizes) {
  std::string text = show(unflatten(scalars, type, sizes), ieee_domain());
  if (text.size() > 300) {
    text.resize(300);
    text += "...";
  }
  return text;
}

std::string shown(const PhraseProgram& p, const Arguments& a) {
  std::string out;
  for (const auto& [name, n] : a.sizes) out += (out.empty() ? "" : " ") + name + "=" + std::to_string(n);
  for (std::size_t k = 0; k < p.parameters.size(); ++k) {
    std::int64_t count = 0;
    for (const LeafArray& l : a.values[k]) count += count_of(l);
    out += (out.empty() ? "" : " ") + p.parameters[k].first + "=";
    out += count > 64 ? "(" + std::to_string(count) + " scalars)"
                      : show(value_of(p.parameters[k].second, a.sizes, a.values[k]), ieee_domain());
  }
  return out.empty() ? "no arguments" : out;
}

std::string shown(const Outcome& o, const Type& type, const SizeValues& sizes) {
  return o ? shown(*o, type, sizes) : shown({o.error()});
}

std::string shown(const std::vector<Trap>& any_of) {
  constexpr std::size_t most = 5;
  std::string out;
  for (std::size_t k = 0; k < any_of.size() && k < most; ++k) {
    const Trap& t = any_of[k];
    out += (k > 0 ? ", or " : "trap: ") + t.primitive + ": " + t.message;
    if (t.region.source) out += ", at " + show_position(t.region);
  }
  return out + (any_of.size() > most ? ", or " + std::to_string(any_of.size() - most) + " others" : "");
}

}  // namespace lockstep::props

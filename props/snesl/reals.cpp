// A value against the one on the reals, Real by Real (reals.h).
#include "props/snesl/reals.h"

namespace lockstep::props::stream {
namespace {

using snesl::Value;

Comparison differs(const std::string& expected, const std::string& found) {
  Comparison out;
  out.agrees = false, out.expected = expected, out.found = found;
  return out;
}

// The first disagreement, at "result[2].1"; nothing where all agrees.
std::optional<Comparison> disagreement(BoundComparison& all, const Value& bounded, const Value& found,
                                       const std::string& place) {
  if (found.kind == Value::Kind::Atom)
    return all.add(snesl::scalar_of(bounded.atom), snesl::scalar_of(found.atom)) ? std::nullopt
                                                                                 : std::optional(all.at(place));
  const auto length = [](const Value& v) { return "length " + std::to_string(v.size()); };
  if (bounded.size() != found.size()) return differs(place + " of " + length(bounded), length(found));
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::string part =
        found.kind == Value::Kind::Tuple ? "." + std::to_string(k + 1) : "[" + std::to_string(k) + "]";
    if (auto wrong = disagreement(all, bounded[k], found[k], place + part)) return wrong;
  }
  return std::nullopt;
}

}  // namespace

OnReals on_reals(const Toolchain& tools, const snesl::core::Program& core, const snesl::Values& values, KeptFiles files,
                 const StreamingResult& found) {
  try {
    const auto bounded = tools.core.evaluate(core, values, files, bounded_domain());
    if (bounded.has_value() != found.value.has_value())
      return {
          differs(bounded ? "a value on the reals" : "a trap on the reals: " + bounded.error().message, show(found))};
    if (!bounded) return {};
    BoundComparison all;
    if (const auto wrong = disagreement(all, bounded->value, *found.value, "result")) return {*wrong};
    return {all.all()};
  } catch (const UndecidedSignal& u) {
    return {{}, u.what};
  }
}

}  // namespace lockstep::props::stream

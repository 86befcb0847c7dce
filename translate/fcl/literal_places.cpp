#include "translate/fcl/literal_places.h"

#include "semantics/fcl/evaluate.h"
#include "semantics/fcl/walk.h"
#include "translate/fcl/normal_form.h"

namespace lockstep::fcl {
namespace {

constexpr std::int64_t most_elements = 1 << 14;

std::optional<std::int64_t> literal_int(const Expr& e) {
  const auto* l = as<Literal>(e);
  return l && l->value.type == ScalarType::I32 ? std::optional(l->value.integer()) : std::nullopt;
}

Value int_value(std::int64_t i) { return scalar_value(make_integer(ScalarType::I32, static_cast<std::uint64_t>(i))); }

// "(1, 0)" of the element of this number, in rows of n.
std::string element_text(std::int64_t k, std::int64_t n) {
  return "(" + std::to_string(k / n) + ", " + std::to_string(k % n) + ")";
}

// What goes wrong with the places of m chunks of n, in words.
std::optional<std::string> wrong_place(const FnExpr& f, std::int64_t m, std::int64_t n) {
  const auto place = infer({{}, {Definition{"place", {}, {f.parameters[0]}, f.body, {}, {}, {}}}},
                           {});  // nothing where it is not closed
  if (!place) return {};
  std::vector<std::int64_t> taken(static_cast<std::size_t>(m * n), -1);
  for (std::int64_t k = 0; k < m * n; ++k) {
    const auto at = evaluate(*place, "place", {pair_value(int_value(k / n), int_value(k % n))});
    if (!at) return {};  // a trap of its own
    const std::int64_t to = as_scalar(*at).integer();
    if (to < 0 || to >= m * n)
      return "element " + element_text(k, n) + " of this `interleave` goes to " + std::to_string(to) +
             ", outside [0, " + std::to_string(m * n) + ")";
    std::int64_t& first = taken[static_cast<std::size_t>(to)];
    if (first >= 0)
      return "elements " + element_text(first, n) + " and " + element_text(k, n) + " of this `interleave` both go to " +
             std::to_string(to);
    first = k;
  }
  return {};
}

std::optional<Diagnostic> found_in(const Expr& e) {
  if (const Spine s = spine_of(e); s.head == "interleave" && s.arguments.size() == 3) {
    const auto n = literal_int(*s.arguments[0]), m = literal_int(*spine_of(*s.arguments[2]).arguments[0]);
    const bool few = n && m && *n > 0 && *m > 0 && *m <= most_elements / *n;
    if (const auto wrong = few ? wrong_place(std::get<FnExpr>(s.arguments[1]->node), *m, *n) : std::nullopt)
      return Diagnostic{e.region, *wrong, "a place of its own for each element",
                        "`fn p => fst p * " + std::to_string(*n) + " + snd p` puts chunks one behind the other"};
  }
  std::optional<Diagnostic> out;
  each_child(e, [&](const ExprRef& c) {
    if (!out) out = found_in(*c);
  });
  return out;
}

}  // namespace

std::optional<Diagnostic> never_apart(const Entry& fused) { return found_in(*definition_of(fused).body); }

}  // namespace lockstep::fcl

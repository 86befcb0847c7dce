// Named numbers and polynomials over them (numbers.h).
#include "translate/simplify/numbers.h"

namespace lockstep::streaming {

namespace {

// Beyond this a sum or product gets a name of its own.
bool small(const Size& s) {
  if (s.terms().size() > 12) return false;
  for (const SizeTerm& t : s.terms()) {
    int degree = 0;
    for (const auto& [atom, power] : t.powers) degree += power;
    if (degree > 8) return false;
  }
  return true;
}

}  // namespace

int Numbers::named(Key key) {
  const auto [at, fresh] = names_.try_emplace(std::move(key), next_);
  if (fresh) ++next_;
  return at->second;
}

int Numbers::exactly(std::int64_t n) { return numbered(Size(n)); }

std::optional<std::int64_t> Numbers::constant(int a) const {
  const auto found = polynomials_.find(a);
  return found == polynomials_.end() ? std::nullopt : found->second.constant();
}

Size Numbers::polynomial(int a) const {
  const auto found = polynomials_.find(a);
  return found == polynomials_.end() ? Size::name(std::to_string(a)) : found->second;
}

int Numbers::numbered(const Size& s) {
  if (const auto name = s.as_name()) return std::stoi(*name);
  const auto [at, fresh] = numbers_.try_emplace(s, next_);
  if (fresh) polynomials_.emplace(next_++, s);
  return at->second;
}

int Numbers::combine(char symbol, int a, int b) {
  const auto both = combined(symbol, polynomial(a), polynomial(b));
  if (both && small(*both)) return numbered(*both);
  if (symbol != '-' && a > b) std::swap(a, b);
  return named({symbol, a, b});
}

}  // namespace lockstep::streaming

// Monoids, and the two blocked orders of Real sums and products.
#include <array>
#include <limits>

#include "semantics/core/table.h"

#include "semantics/snesl/atom.h"

namespace lockstep::snesl {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

constexpr std::string_view monoids[] = {"plus", "times", "max", "min", "or", "and"};  // in the order of Monoid
static_assert(std::size(monoids) == static_cast<std::size_t>(Monoid::And) + 1, "a name for each Monoid");

}  // namespace

std::string_view name_of(Monoid r) { return monoids[static_cast<std::size_t>(r)]; }
std::optional<Monoid> monoid_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(monoids); ++i)
    if (monoids[i] == name) return static_cast<Monoid>(i);
  return std::nullopt;
}

Atom identity_of(Monoid r, Prim type) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const bool real = type == Prim::Real;
  const bool logical = r == Monoid::Or || r == Monoid::And;
  if (logical ? type != Prim::Bool : !real && type != Prim::Int)
    throw Bug("no monoid " + std::string(name_of(r)) + " on " + std::string(show(type)));
  switch (r) {
    case Monoid::Plus:
      return real ? real_atom(0) : int_atom(0);
    case Monoid::Times:
      return real ? real_atom(1) : int_atom(1);
    case Monoid::Max:
      return real ? real_atom(-infinity) : int_atom(Limits::min());
    case Monoid::Min:
      return real ? real_atom(infinity) : int_atom(Limits::max());
    case Monoid::Or:
      return bool_atom(false);
    case Monoid::And:
      return bool_atom(true);
  }
  throw Bug("an unknown monoid");
}

namespace {

OperatorRef operator_of(Monoid r) {
  static const std::array rows{scalars::row<"+">(),       scalars::row<"*">(),  scalars::row<"maximum">(),
                               scalars::row<"minimum">(), scalars::row<"||">(), scalars::row<"&&">()};
  static_assert(std::tuple_size_v<decltype(rows)> == std::size(monoids), "a row for each Monoid");
  return rows[static_cast<std::size_t>(r)];
}

// Whether the order of operations shows in the result.
bool order_matters(Monoid r, Prim type) { return type == Prim::Real && (r == Monoid::Plus || r == Monoid::Times); }

}  // namespace

Atom combine(Monoid r, const Atom& a, const Atom& b, const Domain& domain) {
  return apply(operator_of(r), std::array{a, b}, {}, domain);
}

Reduction::Reduction(Monoid r, Prim type, const Domain& domain) : r_(r), domain_(&domain) {
  for (Atom& lane : lanes_) lane = identity_of(r, type);
}
void Reduction::add(const Atom& a) {
  Atom& lane = lanes_[count_++ % 8];
  lane = combine(r_, lane, a, *domain_);
}
Atom Reduction::value() const {
  const auto pair = [&](int i) { return combine(r_, lanes_[i], lanes_[i + 1], *domain_); };
  const Atom left = combine(r_, pair(0), pair(2), *domain_), right = combine(r_, pair(4), pair(6), *domain_);
  return combine(r_, left, right, *domain_);
}

PrefixScan::PrefixScan(Monoid r, Prim type, const Domain& domain)
    : r_(r), domain_(&domain), carry_(identity_of(r, type)) {}
Atom PrefixScan::value() const {
  if (filled_ == 0) return carry_;
  // A prefix needs nothing of what is still to come in its block.
  std::array<Atom, 8> prefix;
  for (int i = 0; i < filled_; ++i) prefix[i] = block_[i];
  for (const int k : {1, 2, 4})
    for (int i = filled_ - 1; i >= k; --i) prefix[i] = combine(r_, prefix[i - k], prefix[i], *domain_);
  return combine(r_, carry_, prefix[filled_ - 1], *domain_);
}
void PrefixScan::add(const Atom& a) {
  if (!order_matters(r_, carry_.type)) {
    carry_ = combine(r_, carry_, a, *domain_);
    return;
  }
  block_[filled_++] = a;
  if (filled_ < 8) return;
  carry_ = value();
  filled_ = 0;
}

}  // namespace lockstep::snesl

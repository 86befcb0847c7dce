// What a scalar leaf reads of the names in scope, which may be of another type: nothing of it traps.
#include "props/snesl/generate_state.h"

namespace lockstep::props::stream {

using namespace snesl::surface;
using snesl::as;
using snesl::prim;

namespace {

Expr first_of(const Expr& v, Expr otherwise) {
  return make::choice(make::infix(Infix::Gt, make::prefix(Prefix::Length, v), make::number(0)),
                      make::index(v, make::number(0)), std::move(otherwise));
}

}  // namespace

Expr Generator::converted(Expr e, Prim from, Prim to) {
  if (from == to) return e;
  const auto by_sign = [&](Expr positive, Expr other) {
    return make::select(make::infix(Infix::Gt, std::move(e), literal(Prim::Real)), std::move(positive),
                        std::move(other));
  };
  if (to == Prim::Real) return make::call("real", {std::move(e)});
  if (to == Prim::Bool) {
    if (from == Prim::Real) return make::infix(Infix::Lt, std::move(e), literal(Prim::Real));
    if (from == Prim::Char) e = make::call("int", {std::move(e)});
    if (random_.percent(50)) return make::infix(Infix::Gt, std::move(e), make::number(from == Prim::Char ? 64 : 1));
    return make::infix(Infix::Eq, make::infix(Infix::BitAnd, std::move(e), make::number(1)), make::number(0));
  }
  if (to == Prim::Int) {
    if (from == Prim::Real) return by_sign(make::number(random_.below(5)), make::number(-1));
    return make::call("int", {std::move(e)});
  }
  if (from == Prim::Real) return by_sign(literal(Prim::Char), literal(Prim::Char));
  if (from == Prim::Bool) return make::select(std::move(e), literal(Prim::Char), literal(Prim::Char));
  return make::call("char", {make::infix(Infix::BitAnd, std::move(e), make::number(127))});
}

// Scalars of e, whose type is t: those of p, and lengths.
void Generator::collect_reads(const Expr& e, const Type& t, Prim p, std::vector<Read>& into) {
  const bool number = p == Prim::Int || p == Prim::Real;
  match(
      t.node,
      [&](Prim x) {
        into.push_back({e, x});
      },
      [&](const snesl::TupleType& x) {
        for (std::size_t k = 0; k < x.items.size(); ++k)
          collect_reads(make::project(e, static_cast<int>(k) + 1), x.items[k], p, into);
      },
      [&](const snesl::VectorType& x) {
        into.push_back({make::prefix(Prefix::Length, e), Prim::Int});
        if (*x.element != prim(p)) return;
        into.push_back({first_of(e, literal(p)), p});
        if (number && !deep()) into.push_back({make::call("sum", {make::call("seq", {e})}), p});
      },
      [&](const snesl::SequenceType& x) {
        into.push_back({make::prefix(Prefix::Length, e), Prim::Int});
        if (*x.element == prim(p) && number) into.push_back({make::call("sum", {e}), p});
      });
}

// Of a parameter that nothing has read yet, if there is one. A sequence is so read once, and seldom gone through again:
// what its end tells is not known there.
std::optional<Expr> Generator::read_from_scope(Prim p) {
  std::vector<const Variable*> unread, values;
  for (const Variable& v : scope_) {
    if (unread_.contains(v.name)) unread.push_back(&v);
    if (snesl::is_concrete(v.type) && v.given) values.push_back(&v);
  }
  if (unread.empty() && values.empty()) return {};
  const Variable v = *random_.among(unread.empty() ? values : unread);
  std::vector<Read> reads;
  collect_reads(make::name(v.name), v.type, p, reads);
  if (reads.empty()) return {};
  std::vector<Read> alike;
  for (const Read& r : reads)
    if (r.type == p) alike.push_back(r);
  unread_.erase(v.name);
  if (!snesl::is_concrete(v.type) && random_.percent(85)) summed_.insert(v.name);
  const Read& read = random_.among(alike.empty() ? reads : alike);
  return converted(read.scalar, read.type, p);
}

}  // namespace lockstep::props::stream

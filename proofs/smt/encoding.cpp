// The encoding by the table of operations. In: terms; out: expressions.
#include "proofs/smt/encoding.h"

#include "proofs/smt/operations.h"
#include "semantics/core/diagnostic.h"
#include "semantics/core/ref.h"

namespace lockstep::proofs::smt {

std::string spelled(NameKind kind, const std::string& name) {
  std::string out = kind == NameKind::Free ? "n:" : kind == NameKind::Bound ? "b:" : "f:";
  for (const char c : name) {
    const bool plain = c >= ' ' && c <= '~' && c != '|' && c != '\\' && c != '%';
    out += plain ? std::string(1, c) : "%" + std::to_string(static_cast<unsigned char>(c)) + "%";
  }
  return out;
}

z3::sort Encoding::sort(Sort s) {
  switch (s.kind) {
    case Sort::Bool:
      return c_.bool_sort();
    case Sort::Int:
      return c_.int_sort();
    case Sort::Real:
      return c_.real_sort();
    case Sort::Element:
      return c_.uninterpreted_sort("Element");
    case Sort::ElementStore:
      return c_.array_sort(c_.int_sort(), c_.uninterpreted_sort("Element"));
    case Sort::IntStore:
      return c_.array_sort(c_.int_sort(), c_.int_sort());
    case Sort::Bits:
      has_bits_ = true;
      return c_.bv_sort(static_cast<unsigned>(s.width));
    case Sort::Float:
      has_bits_ = true;
      return s.width == 32 ? c_.fpa_sort<32>() : c_.fpa_sort<64>();
  }
  throw Bug("sort");
}

z3::expr Encoding::term(const Term& t) {
  // What has no row in `operations`.
  using Way = std::pair<TermOp, z3::expr (Encoding::*)(const Term&)>;
  static constexpr auto others = std::to_array<Way>({{TermOp::Name, &Encoding::name_of},
                                                     {TermOp::Number, &Encoding::numeral},
                                                     {TermOp::Truth, &Encoding::truth_of},
                                                     {TermOp::Call, &Encoding::application},
                                                     {TermOp::ForAll, &Encoding::quantified},
                                                     {TermOp::Divide, &Encoding::division},
                                                     {TermOp::Modulo, &Encoding::division}});
  static_assert(others.size() == static_cast<std::size_t>(first_operation), "an operation has no encoding");
  for (const auto& [op, way] : others)
    if (op == t.op) return (this->*way)(t);
  return operation(t);
}

z3::expr Encoding::truth_of(const Term& t) { return c_.bool_val(t.number != 0); }
z3::expr Encoding::division(const Term&) { throw Bug("a division is given to the solver by its definition"); }

z3::expr Encoding::name_of(const Term& t) {
  auto it = bound_.find(t.name);
  if (it == bound_.end()) {
    it = names_.find(t.name);
    if (it == names_.end())
      it = names_.emplace(t.name, c_.constant(spelled(NameKind::Free, t.name).c_str(), sort(t.sort))).first;
  }
  if (!z3::eq(it->second.get_sort(), sort(t.sort))) throw Bug("the name " + t.name + " is of two sorts");
  return it->second;
}

z3::expr Encoding::numeral(const Term& t) {
  if (t.sort.kind == Sort::Int) return c_.int_val(static_cast<std::int64_t>(t.number));
  if (t.sort.kind == Sort::Real) return c_.real_val(static_cast<std::int64_t>(t.number));
  const z3::sort s = sort(t.sort);
  const z3::expr bits = c_.bv_val(t.number, static_cast<unsigned>(t.sort.width));
  return t.sort.kind == Sort::Bits ? bits : z3::expr(c_, Z3_mk_fpa_to_fp_bv(c_, bits, s));
}

z3::expr Encoding::application(const Term& t) {
  z3::expr_vector arguments(c_);
  z3::sort_vector sorts(c_);
  for (const Term& a : *t.arguments) {
    arguments.push_back(term(a));
    sorts.push_back(sort(a.sort));
  }
  return c_.function(spelled(NameKind::Function, t.name).c_str(), sorts, sort(t.sort))(arguments);
}

z3::expr Encoding::quantified(const Term& t) {
  const auto outer = bound_;
  std::vector<z3::expr> names;
  std::vector<Z3_app> bound;
  for (std::size_t k = 0; k + 1 < t.arguments->size(); ++k) {
    const Term& n = t.at(k);
    names.push_back(c_.constant(spelled(NameKind::Bound, n.name).c_str(), sort(n.sort)));
    bound.push_back(names.back());
    bound_.insert_or_assign(n.name, names.back());
  }
  const z3::expr body = term(t.arguments->back());
  bound_ = outer;
  // Of the weight that a quantifier has in a text.
  return {c_, Z3_mk_forall_const(c_, 1, static_cast<unsigned>(bound.size()), bound.data(), 0, nullptr, body)};
}

z3::expr Encoding::operation(const Term& t) {
  const Operation& row = operation_of(t.op);
  std::vector<z3::expr> kept;  // Z3 counts references
  std::vector<Z3_ast> x;
  if (row.z3_rounding) x.push_back(kept.emplace_back(c_, row.z3_rounding(c_)));
  for (const Term& a : *t.arguments) x.push_back(kept.emplace_back(term(a)));
  const auto n = static_cast<unsigned>(x.size());
  const z3::sort result = sort(t.sort);
  const auto width = [&] { return static_cast<unsigned>(t.sort.width); };
  const auto count = [&](std::size_t wanted) {
    if (n != wanted) throw Bug("an operation of another arity: " + std::string(row.name));
  };
  const Z3_ast made = match(
      row.z3, [&](Unary f) { return count(1), f(c_, x[0]); }, [&](Binary f) { return count(2), f(c_, x[0], x[1]); },
      [&](Ternary f) { return count(3), f(c_, x[0], x[1], x[2]); },
      [&](Quaternary f) { return count(4), f(c_, x[0], x[1], x[2], x[3]); }, [&](Nary f) { return f(c_, n, x.data()); },
      [&](ToSort f) { return count(2), f(c_, x[0], x[1], result); },
      [&](ToWidth f) { return count(1), f(c_, width() - kept[0].get_sort().bv_size(), x[0]); },
      [&](std::monostate) { return count(1), Z3_mk_extract(c_, width() - 1, 0, x[0]); });
  c_.check_error();
  return {c_, made};
}

}  // namespace lockstep::proofs::smt

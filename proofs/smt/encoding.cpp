// The encoding, operation by operation. In: terms; out: expressions, and the definitions that they rely on.
#include "proofs/smt/encoding.h"

namespace lockstep::proofs {

z3::sort Encoding::sort(Sort s) {
  switch (s.kind) {
    case Sort::Bool:
      return c_.bool_sort();
    case Sort::Int:
      return c_.int_sort();
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
  switch (t.op) {
    case TermOp::Name:
      return name_of(t);
    case TermOp::Number:
      return numeral(t);
    case TermOp::Truth:
      return c_.bool_val(t.number != 0);
    case TermOp::Call:
      return application(t);
    case TermOp::ForAll:
      return quantified(t);
    default:
      break;
  }
  std::vector<z3::expr> x;
  for (const Term& a : *t.arguments) x.push_back(term(a));
  if (t.op >= TermOp::FloatAdd) return float_operation(t, x);
  if (t.op >= TermOp::BitAdd) return bits_operation(t, x);
  return operation(t, x);
}
z3::expr Encoding::name_of(const Term& t) {
  auto it = bound_.find(t.name);
  if (it == bound_.end()) {
    it = names_.find(t.name);
    if (it == names_.end())
      it = names_.emplace(t.name, c_.constant(spelled(Kind::Free, t.name).c_str(), sort(t.sort))).first;
  }
  if (!z3::eq(it->second.get_sort(), sort(t.sort))) throw Bug("the name " + t.name + " is of two sorts");
  return it->second;
}
z3::expr Encoding::number_called(const std::string& name) { return c_.int_const(spelled(Kind::Free, name).c_str()); }
std::string Encoding::spelled(Kind kind, const std::string& name) {
  switch (kind) {
    case Kind::Free:
      return "n:" + name;
    case Kind::Bound:
      return "b:" + name;
    case Kind::Quotient:
      return "q:" + name;
    case Kind::Function:
      return "f:" + name;
  }
  throw Bug("kind of a name");
}
z3::expr Encoding::numeral(const Term& t) {
  if (t.sort.kind == Sort::Int) return c_.int_val(static_cast<std::int64_t>(t.number));
  const z3::expr bits = c_.bv_val(t.number, static_cast<unsigned>(t.sort.width));
  return t.sort.kind == Sort::Bits ? bits : from_bits(bits, t.sort);
}
z3::expr Encoding::application(const Term& t) {
  z3::expr_vector arguments(c_);
  z3::sort_vector sorts(c_);
  for (const Term& a : *t.arguments) {
    arguments.push_back(term(a));
    sorts.push_back(sort(a.sort));
  }
  return c_.function(spelled(Kind::Function, t.name).c_str(), sorts, sort(t.sort))(arguments);
}
z3::expr Encoding::quantified(const Term& t) {
  const auto outer = bound_;
  z3::expr_vector names(c_);
  for (std::size_t k = 0; k + 1 < t.arguments->size(); ++k) {
    const Term& n = t.at(k);
    names.push_back(c_.constant(spelled(Kind::Bound, n.name).c_str(), sort(n.sort)));
    bound_.insert_or_assign(n.name, names.back());
  }
  const z3::expr body = term(t.arguments->back());
  bound_ = outer;
  return z3::forall(names, body);
}
z3::expr Encoding::floor_quotient(const z3::expr& x, const z3::expr& b) {
  if (!bound_.empty()) throw Bug("a quotient under a quantifier");
  const auto key = std::pair(Z3_get_ast_id(c_, x), Z3_get_ast_id(c_, b));
  if (const auto it = quotients_.find(key); it != quotients_.end()) return it->second;
  const z3::expr q = c_.int_const(spelled(Kind::Quotient, std::to_string(quotients_.size())).c_str());
  definitions_.push_back(z3::implies(b >= 1, b * q <= x && x < b * q + b));
  kept_.push_back(x);
  kept_.push_back(b);
  return quotients_.emplace(key, q).first->second;
}
z3::expr Encoding::operation(const Term& t, const std::vector<z3::expr>& x) {
  z3::expr_vector all(c_);
  for (const z3::expr& e : x) all.push_back(e);
  switch (t.op) {
    case TermOp::Add:
      return x[0] + x[1];
    case TermOp::Subtract:
      return x[0] - x[1];
    case TermOp::Multiply:
      return x[0] * x[1];
    case TermOp::Divide:
      return floor_quotient(x[0], x[1]);
    case TermOp::Modulo:
      return x[0] - x[1] * floor_quotient(x[0], x[1]);
    case TermOp::Less:
      return x[0] < x[1];
    case TermOp::LessEqual:
      return x[0] <= x[1];
    case TermOp::Equal:
      return x[0] == x[1];
    case TermOp::If:
      return z3::ite(x[0], x[1], x[2]);
    case TermOp::Not:
      return !x[0];
    case TermOp::And:
      return z3::mk_and(all);
    case TermOp::Or:
      return z3::mk_or(all);
    case TermOp::Implies:
      return z3::implies(x[0], x[1]);
    case TermOp::Select:
      return z3::select(x[0], x[1]);
    case TermOp::Store:
      return z3::store(x[0], x[1], x[2]);
    default:
      throw Bug("a term's operation");
  }
}
z3::expr Encoding::bits_operation(const Term& t, const std::vector<z3::expr>& x) {
  const auto more = [&] { return static_cast<unsigned>(t.sort.width) - x[0].get_sort().bv_size(); };
  switch (t.op) {
    case TermOp::BitAdd:
      return x[0] + x[1];
    case TermOp::BitSubtract:
      return x[0] - x[1];
    case TermOp::BitMultiply:
      return x[0] * x[1];
    case TermOp::DivideUnsigned:
      return z3::udiv(x[0], x[1]);
    case TermOp::DivideSigned:
      return x[0] / x[1];
    case TermOp::ModuloUnsigned:
      return z3::urem(x[0], x[1]);
    case TermOp::ModuloSigned:
      return z3::srem(x[0], x[1]);
    case TermOp::BitNegate:
      return -x[0];
    case TermOp::BitAnd:
      return x[0] & x[1];
    case TermOp::BitOr:
      return x[0] | x[1];
    case TermOp::BitXor:
      return x[0] ^ x[1];
    case TermOp::ShiftLeft:
      return z3::shl(x[0], x[1]);
    case TermOp::ShiftRightLogical:
      return z3::lshr(x[0], x[1]);
    case TermOp::ShiftRightArithmetic:
      return z3::ashr(x[0], x[1]);
    case TermOp::LessUnsigned:
      return z3::ult(x[0], x[1]);
    case TermOp::LessSigned:
      return z3::slt(x[0], x[1]);
    case TermOp::ZeroExtend:
      return z3::zext(x[0], more());
    case TermOp::SignExtend:
      return z3::sext(x[0], more());
    case TermOp::Truncate:
      return x[0].extract(static_cast<unsigned>(t.sort.width) - 1, 0);
    default:
      throw Bug("a term's operation on bits");
  }
}
z3::expr Encoding::float_operation(const Term& t, const std::vector<z3::expr>& x) {
  const z3::expr nearest(c_, Z3_mk_fpa_rne(c_));
  const auto made = [&](Z3_ast a) { return z3::expr(c_, a); };
  switch (t.op) {
    case TermOp::FloatAdd:
      return made(Z3_mk_fpa_add(c_, nearest, x[0], x[1]));
    case TermOp::FloatSubtract:
      return made(Z3_mk_fpa_sub(c_, nearest, x[0], x[1]));
    case TermOp::FloatMultiply:
      return made(Z3_mk_fpa_mul(c_, nearest, x[0], x[1]));
    case TermOp::FloatDivide:
      return made(Z3_mk_fpa_div(c_, nearest, x[0], x[1]));
    case TermOp::FloatNegate:
      return made(Z3_mk_fpa_neg(c_, x[0]));
    case TermOp::FloatAbs:
      return made(Z3_mk_fpa_abs(c_, x[0]));
    case TermOp::FloatSqrt:
      return made(Z3_mk_fpa_sqrt(c_, nearest, x[0]));
    case TermOp::FloatFma:
      return made(Z3_mk_fpa_fma(c_, nearest, x[0], x[1], x[2]));
    case TermOp::FloatFloor:
      return made(Z3_mk_fpa_round_to_integral(c_, made(Z3_mk_fpa_rtn(c_)), x[0]));
    case TermOp::FloatCeil:
      return made(Z3_mk_fpa_round_to_integral(c_, made(Z3_mk_fpa_rtp(c_)), x[0]));
    case TermOp::FloatEqual:
      return made(Z3_mk_fpa_eq(c_, x[0], x[1]));
    case TermOp::FloatLess:
      return made(Z3_mk_fpa_lt(c_, x[0], x[1]));
    case TermOp::FloatLessEqual:
      return made(Z3_mk_fpa_leq(c_, x[0], x[1]));
    case TermOp::FloatIsNan:
      return made(Z3_mk_fpa_is_nan(c_, x[0]));
    case TermOp::FloatOfSigned:
      return made(Z3_mk_fpa_to_fp_signed(c_, nearest, x[0], sort(t.sort)));
    case TermOp::FloatOfUnsigned:
      return made(Z3_mk_fpa_to_fp_unsigned(c_, nearest, x[0], sort(t.sort)));
    case TermOp::FloatOfFloat:
      return made(Z3_mk_fpa_to_fp_float(c_, nearest, x[0], sort(t.sort)));
    default:
      throw Bug("a term's operation on floats");
  }
}

}  // namespace lockstep::proofs

// The encoding of terms. A division x / b is a fresh q with b*q <= x < b*q + b where b >= 1 (quotient and remainder by
// their definition: Z3 is weak on div under symbolic divisors), the same q for the same x and b.
#include "proofs/term_solver.h"

#include <z3++.h>

#include <bit>
#include <charconv>
#include <set>

#include "semantics/core/diagnostic.h"

namespace lockstep::proofs {
namespace {

class Encoding {
 public:
  explicit Encoding(z3::context& c) : c_(c) {}

  // Definitions that the encoded terms rely on, those of quotients.
  const std::vector<z3::expr>& definitions() const { return definitions_; }
  const std::map<std::string, z3::expr>& names() const { return names_; }
  bool has_bits() const { return has_bits_; }  // or floats

  z3::sort sort(Sort s) {
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

  z3::expr term(const Term& t) {
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

 private:
  z3::expr name_of(const Term& t) {
    if (const auto it = bound_.find(t.name); it != bound_.end()) return it->second;
    const auto it = names_.find(t.name);
    if (it != names_.end()) return it->second;
    return names_.emplace(t.name, c_.constant(t.name.c_str(), sort(t.sort))).first->second;
  }
  z3::expr numeral(const Term& t) {
    if (t.sort.kind == Sort::Int) return c_.int_val(static_cast<std::int64_t>(t.number));
    const z3::expr bits = c_.bv_val(t.number, static_cast<unsigned>(t.sort.width));
    return t.sort.kind == Sort::Bits ? bits : from_bits(bits, t.sort);
  }
  z3::expr from_bits(const z3::expr& bits, Sort s) { return {c_, Z3_mk_fpa_to_fp_bv(c_, bits, sort(s))}; }
  z3::expr application(const Term& t) {
    z3::expr_vector arguments(c_);
    z3::sort_vector sorts(c_);
    for (const Term& a : *t.arguments) {
      arguments.push_back(term(a));
      sorts.push_back(sort(a.sort));
    }
    return c_.function(t.name.c_str(), sorts, sort(t.sort))(arguments);
  }
  z3::expr quantified(const Term& t) {
    const auto outer = bound_;
    z3::expr_vector names(c_);
    for (std::size_t k = 0; k + 1 < t.arguments->size(); ++k) {
      const Term& n = t.at(k);
      names.push_back(c_.constant(("!" + n.name).c_str(), sort(n.sort)));
      bound_.insert_or_assign(n.name, names.back());
    }
    const z3::expr body = term(t.arguments->back());
    bound_ = outer;
    return z3::forall(names, body);
  }
  z3::expr floor_quotient(const z3::expr& x, const z3::expr& b) {
    if (!bound_.empty()) throw Bug("a quotient under a quantifier");
    const auto key = std::pair(Z3_get_ast_id(c_, x), Z3_get_ast_id(c_, b));
    if (const auto it = quotients_.find(key); it != quotients_.end()) return it->second;
    const z3::expr q = c_.int_const(("q!" + std::to_string(quotients_.size())).c_str());
    definitions_.push_back(z3::implies(b >= 1, b * q <= x && x < b * q + b));
    kept_.push_back(x);
    kept_.push_back(b);
    return quotients_.emplace(key, q).first->second;
  }
  z3::expr operation(const Term& t, const std::vector<z3::expr>& x) {
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
  z3::expr bits_operation(const Term& t, const std::vector<z3::expr>& x) {
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
  z3::expr float_operation(const Term& t, const std::vector<z3::expr>& x) {
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

  z3::context& c_;
  std::map<std::string, z3::expr> names_, bound_;
  std::map<std::pair<unsigned, unsigned>, z3::expr> quotients_;
  std::vector<z3::expr> definitions_, kept_;
  bool has_bits_ = false;
};

std::string shown_float(z3::context& c, const z3::expr& v) {
  if (Z3_fpa_is_numeral_nan(c, v)) return "nan";
  const std::uint64_t bits = z3::expr(c, Z3_mk_fpa_to_ieee_bv(c, v)).simplify().get_numeral_uint64();
  char text[64];
  const bool single = v.get_sort().fpa_sbits() == 24;
  const auto end = single
                       ? std::to_chars(text, text + sizeof text, std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                       : std::to_chars(text, text + sizeof text, std::bit_cast<double>(bits));
  return {text, end.ptr};
}

std::string shown(const z3::model& model, const z3::expr& e) {
  const z3::expr v = model.eval(e, true);
  if (v.is_fpa()) return shown_float(v.ctx(), v);
  if (v.is_bv()) return std::to_string(v.get_numeral_uint64());
  std::string text = v.to_string();
  if (text.starts_with("(- ")) text = "-" + text.substr(3, text.size() - 4);
  return text;
}

// Sizes first, then the other numbers; elements and stores say nothing to a reader.
std::string text_of(const z3::model& model, const Problem& p, const Encoding& encoding) {
  std::string sizes, others;
  const auto add = [&](std::string& out, const std::string& name, const z3::expr& e) {
    out += (out.empty() ? "" : ", ") + name + " = " + shown(model, e);
  };
  for (const std::string& s : p.sizes)
    if (const auto it = encoding.names().find(s); it != encoding.names().end()) add(sizes, s, it->second);
  for (const auto& [name, e] : encoding.names()) {
    const bool is_size = std::find(p.sizes.begin(), p.sizes.end(), name) != p.sizes.end();
    const auto kind = e.get_sort().sort_kind();
    if (name.starts_with("rest")) continue;  // of a path, below the elements
    if (!is_size && kind != Z3_UNINTERPRETED_SORT && kind != Z3_ARRAY_SORT) add(others, name, e);
  }
  return sizes + (sizes.empty() || others.empty() ? "" : "; ") + others;
}

class Search {
 public:
  Search(const Problem& p, unsigned timeout_ms) : problem_(p), timeout_ms_(timeout_ms), encoding_(context_) {
    for (const Term& h : p.hypotheses) assertions_.push_back(encoding_.term(h));
    assertions_.push_back(!encoding_.term(p.goal));
    for (const z3::expr& d : encoding_.definitions()) assertions_.push_back(d);
    for (const std::string& s : p.sizes) assertions_.push_back(context_.int_const(s.c_str()) >= 0);
  }

  Answer run() {
    const Answer whole = ask({}, timeout_ms_);
    if (whole.kind == Answer::Proved || problem_.sizes.empty()) return whole;
    for (std::int64_t largest = 0; largest <= 3; ++largest) {  // Z3's own models are not small
      std::vector<std::int64_t> values(problem_.sizes.size(), 0);
      do {
        if (*std::max_element(values.begin(), values.end()) != largest) continue;
        const Answer small = ask(values, 1000);
        if (small.kind == Answer::Refuted) return small;
      } while (next(values, largest));
    }
    return whole;
  }

 private:
  static bool next(std::vector<std::int64_t>& values, std::int64_t largest) {
    for (std::size_t k = values.size(); k-- > 0;) {
      if (++values[k] <= largest) return true;
      values[k] = 0;
    }
    return false;
  }
  Answer ask(const std::vector<std::int64_t>& sizes, unsigned timeout_ms) {
    // On integers Z3 4.8.12's default solver may wait for itself for ever where its time is up (timers of tactics
    // within that of the check); the simple one has no tactics.
    z3::solver solver = encoding_.has_bits() ? z3::solver(context_) : z3::solver(context_, z3::solver::simple());
    z3::params limits(context_);
    limits.set("timeout", timeout_ms);
    limits.set("max_memory", 1024U);
    solver.set(limits);
    for (const z3::expr& a : assertions_) solver.add(a);
    for (std::size_t k = 0; k < sizes.size(); ++k)
      solver.add(context_.int_const(problem_.sizes[k].c_str()) == context_.int_val(sizes[k]));
    switch (solver.check()) {
      case z3::unsat:
        return {Answer::Proved};
      case z3::sat:
        return {Answer::Refuted, text_of(solver.get_model(), problem_, encoding_)};
      case z3::unknown:
        break;
    }
    return {};
  }

  const Problem& problem_;
  unsigned timeout_ms_;
  z3::context context_;
  Encoding encoding_;
  std::vector<z3::expr> assertions_;
};

}  // namespace

Answer decide(const Problem& problem, unsigned timeout_ms) {
  try {
    return Search(problem, timeout_ms).run();
  } catch (const z3::exception&) {
    return {};  // out of memory or time
  }
}

std::vector<std::optional<std::uint64_t>> numbers_of(const std::vector<Term>& terms) {
  z3::context context;
  Encoding encoding(context);
  std::vector<std::optional<std::uint64_t>> out;
  for (const Term& t : terms) {
    z3::expr e = encoding.term(t).simplify();
    if (t.sort.kind == Sort::Bool) {
      out.emplace_back(e.is_true() ? 1 : 0);
    } else if (t.sort.kind == Sort::Float && Z3_fpa_is_numeral_nan(context, e)) {
      out.emplace_back();
    } else {
      if (t.sort.kind == Sort::Float) e = z3::expr(context, Z3_mk_fpa_to_ieee_bv(context, e)).simplify();
      out.emplace_back(e.get_numeral_uint64());
    }
  }
  return out;
}

}  // namespace lockstep::proofs

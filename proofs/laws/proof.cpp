// Laws to Z3: one encoding of scalar programs, with integers as bit-vectors and floats as reals or as IEEE numbers.
#include "proofs/smt/z3_limits.h"

#include "proofs/laws/oracle.h"

namespace lockstep {
namespace {

struct NoEncoding {};  // not decided here

// A value: a scalar, or a pair.
struct Term {
  std::vector<Term> parts;  // none or two
  std::optional<z3::expr> scalar;
};

enum class Floats { None, Reals, Ieee };

// What a program's floats go through: only + * (and signless structure), only what is exact, or else.
void classify(const Phrase& p, bool& arithmetic, bool& exact) {
  if (const auto* x = as<PrimPhrase>(p)) {
    const std::string& n = x->primitive->name;
    const bool on_floats = !x->types.empty() && as<ScalarType>(x->types[0]) && is_float(*as<ScalarType>(x->types[0]));
    if (std::holds_alternative<ScalarOp>(x->primitive->kind) && on_floats) {
      const bool ring = n == "+" || n == "*";
      const bool order = n == "min" || n == "max" || n == "abs" || n == "neg" || n == "<" || n == "<=" || n == ">" ||
                         n == ">=" || n == "==" || n == "!=";
      arithmetic = arithmetic && ring;
      exact = exact && order;
    }
  }
  for_each_child(p, [&](const PhraseRef& c) { classify(*c, arithmetic, exact); });
}
bool has_float(const Type& t) {
  if (const auto* s = as<ScalarType>(t)) return is_float(*s);
  const auto* both = as<PairType>(t);
  return both && (has_float(*both->first) || has_float(*both->second));
}
bool has_float(const Phrase& p) {
  bool found = as<ExpType>(p.type) && has_float(data_of(p));
  for_each_child(p, [&](const PhraseRef& c) { found = found || has_float(*c); });
  return found;
}

class Encoder {
 public:
  Encoder(z3::context& c, Floats floats) : c_(c), floats_(floats) {}

  Term variable(const std::string& name, const Type& t) {
    if (const auto* both = as<PairType>(t))
      return {{variable(name + ".1", *both->first), variable(name + ".2", *both->second)}, {}};
    const auto* s = as<ScalarType>(t);
    if (!s) throw NoEncoding{};
    return {{}, c_.constant(numbered(name).c_str(), sort(*s))};
  }
  void bind(const std::string& name, Term t) { bound_.insert_or_assign(name, std::move(t)); }

  Term encode(const Phrase& p) {
    return std::visit(Cases{
                          [&](const Ident& x) -> Term {
                            const auto it = bound_.find(x.name);
                            if (it == bound_.end()) throw NoEncoding{};
                            return it->second;
                          },
                          [&](const LiteralPhrase& x) -> Term {
                            return {{}, literal(x)};
                          },
                          [&](const NatPhrase& x) -> Term {
                            if (!as<ScalarType>(data_of(p))) throw NoEncoding{};
                            if (const auto k = x.size.constant())
                              return {{}, c_.bv_val(static_cast<std::int64_t>(*k), 64)};
                            return {{}, size(x.size)};
                          },
                          [](const LambdaPhrase&) -> Term { throw NoEncoding{}; },
                          [](const ApplyPhrase&) -> Term { throw NoEncoding{}; },
                          [&](const LetPhrase& x) -> Term {
                            Term value = encode(*x.value);
                            const auto around = bound_;
                            bind(x.name, std::move(value));
                            Term body = encode(*x.body);
                            bound_ = around;
                            return body;
                          },
                          [](const PairPhrase&) -> Term { throw NoEncoding{}; },
                          [](const ProjPhrase&) -> Term { throw NoEncoding{}; },
                          [&](const PrimPhrase& x) { return primitive(x); },
                          [](const ImpPhrase&) -> Term { throw NoEncoding{}; },
                      },
                      p.node);
  }

  // z3++'s == on floats is fp.eq, which tells neither zeros apart nor NaNs together: the structural = is wanted.
  z3::expr distinct(const Term& a, const Term& b) {
    if (a.scalar) return !z3::expr(c_, Z3_mk_eq(c_, *a.scalar, *b.scalar));
    return distinct(a.parts[0], b.parts[0]) || distinct(a.parts[1], b.parts[1]);
  }

 private:
  // Z3's constants are numbered: no parameter is called as a part of another, or as a size.
  std::string numbered(const std::string& name) { return std::to_string(count_++) + " " + name; }
  z3::expr size(const Size& s) {
    for (const auto& [known, x] : sizes_)
      if (known == s) return x;
    return sizes_.emplace_back(s, c_.bv_const(numbered(show(s)).c_str(), 64)).second;
  }

  z3::sort sort(ScalarType t) {
    if (t == ScalarType::Bool) return c_.bool_sort();
    if (!is_float(t)) return c_.bv_sort(static_cast<unsigned>(bits_of(t)));
    if (floats_ == Floats::Reals) return c_.real_sort();
    if (floats_ == Floats::Ieee) return t == ScalarType::F32 ? c_.fpa_sort(8, 24) : c_.fpa_sort(11, 53);
    throw NoEncoding{};
  }

  z3::expr literal(const LiteralPhrase& x) {
    const ScalarType t = x.value.type;
    if (t == ScalarType::Bool) return c_.bool_val(x.value.bits != 0);
    if (!is_float(t)) return c_.bv_val(static_cast<std::uint64_t>(x.value.bits), static_cast<unsigned>(bits_of(t)));
    const double d = x.value.ieee();
    if (floats_ == Floats::Ieee) return t == ScalarType::F32 ? c_.fpa_val(static_cast<float>(d)) : c_.fpa_val(d);
    if (d == static_cast<double>(static_cast<std::int64_t>(d))) return c_.real_val(static_cast<std::int64_t>(d));
    throw NoEncoding{};  // its decimal digits are not the number that is computed with
  }

  Term primitive(const PrimPhrase& x) {
    const std::string& n = x.primitive->name;
    std::vector<Term> a;
    for (const PhraseRef& p : x.arguments) a.push_back(encode(*p));
    if (n == "pair") return {{a[0], a[1]}, {}};
    if (n == "fst" || n == "snd") return a[0].parts.at(n == "fst" ? 0 : 1);
    if (n == "if" || n == "select") return choose(*a[0].scalar, a[1], a[2]);
    if (!std::holds_alternative<ScalarOp>(x.primitive->kind) || x.types.empty() || !as<ScalarType>(x.types[0]))
      throw NoEncoding{};
    std::vector<z3::expr> e;
    for (const Term& t : a) {
      if (!t.scalar) throw NoEncoding{};
      e.push_back(*t.scalar);
    }
    const ScalarType t = *as<ScalarType>(x.types[0]);
    if (t == ScalarType::Bool) return {{}, boolean(n, e)};
    if (is_float(t)) return {{}, floating(n, e)};
    return {{}, integer(n, t, e)};
  }

  Term choose(const z3::expr& condition, const Term& a, const Term& b) {
    if (a.scalar) return {{}, z3::ite(condition, *a.scalar, *b.scalar)};
    return {{choose(condition, a.parts[0], b.parts[0]), choose(condition, a.parts[1], b.parts[1])}, {}};
  }

  z3::expr boolean(const std::string& n, const std::vector<z3::expr>& e) {
    if (n == "&&" || n == "&") return e[0] && e[1];
    if (n == "||" || n == "|") return e[0] || e[1];
    if (n == "not") return !e[0];
    if (n == "==") return e[0] == e[1];
    if (n == "!=" || n == "^") return e[0] != e[1];
    if (const auto t = scalar_named(n); t && is_integer(*t)) {
      const auto bits = static_cast<unsigned>(bits_of(*t));
      return z3::ite(e[0], c_.bv_val(1, bits), c_.bv_val(0, bits));
    }
    throw NoEncoding{};
  }

  z3::expr integer(const std::string& n, ScalarType t, const std::vector<z3::expr>& e) {
    const bool is_signed_type = is_signed(t);
    const auto less = [&](const z3::expr& a, const z3::expr& b) { return is_signed_type ? a < b : z3::ult(a, b); };
    const auto bits = static_cast<unsigned>(bits_of(t));
    if (n == "+") return e[0] + e[1];
    if (n == "-") return e[0] - e[1];
    if (n == "*") return e[0] * e[1];
    if (n == "neg") return -e[0];
    if (n == "&") return e[0] & e[1];
    if (n == "|") return e[0] | e[1];
    if (n == "^") return e[0] ^ e[1];
    if (n == "min") return z3::ite(less(e[0], e[1]), e[0], e[1]);
    if (n == "max") return z3::ite(less(e[1], e[0]), e[0], e[1]);
    if (n == "abs") return is_signed_type ? z3::ite(e[0] < 0, -e[0], e[0]) : e[0];
    if (n == "<<") return z3::shl(e[0], z3::urem(e[1], c_.bv_val(bits, bits)));
    if (n == ">>") {
      const z3::expr by = z3::urem(e[1], c_.bv_val(bits, bits));
      return is_signed_type ? z3::ashr(e[0], by) : z3::lshr(e[0], by);
    }
    if (n == "==") return e[0] == e[1];
    if (n == "!=") return e[0] != e[1];
    if (n == "<") return less(e[0], e[1]);
    if (n == "<=") return !less(e[1], e[0]);
    if (n == ">") return less(e[1], e[0]);
    if (n == ">=") return !less(e[0], e[1]);
    return converted(n, t, e[0]);
  }

  z3::expr converted(const std::string& n, ScalarType from, const z3::expr& e) {
    const auto to = scalar_named(n);
    if (!to || is_float(*to)) throw NoEncoding{};
    if (*to == ScalarType::Bool) return e != c_.bv_val(0, static_cast<unsigned>(bits_of(from)));
    const auto have = static_cast<unsigned>(bits_of(from)), want = static_cast<unsigned>(bits_of(*to));
    if (want == have) return e;
    if (want < have) return e.extract(want - 1, 0);
    return is_signed(from) ? z3::sext(e, want - have) : z3::zext(e, want - have);
  }

  z3::expr floating(const std::string& n, const std::vector<z3::expr>& e) {
    if (floats_ == Floats::Reals) {
      if (n == "+") return e[0] + e[1];
      if (n == "*") return e[0] * e[1];
      throw NoEncoding{};
    }
    const auto nan = [&](const z3::expr& x) { return z3::expr(c_, Z3_mk_fpa_is_nan(c_, x)); };
    if (n == "min") return z3::ite(e[0] < e[1] || nan(e[1]), e[0], e[1]);
    if (n == "max") return z3::ite(e[0] > e[1] || nan(e[1]), e[0], e[1]);
    if (n == "abs") return z3::expr(c_, Z3_mk_fpa_abs(c_, e[0]));
    if (n == "neg") return -e[0];
    if (n == "<") return e[0] < e[1];
    if (n == "<=") return e[0] <= e[1];
    if (n == ">") return e[0] > e[1];
    if (n == ">=") return e[0] >= e[1];
    if (n == "==") return z3::expr(c_, Z3_mk_fpa_eq(c_, e[0], e[1]));
    if (n == "!=") return !z3::expr(c_, Z3_mk_fpa_eq(c_, e[0], e[1]));
    throw NoEncoding{};
  }

  z3::context& c_;
  Floats floats_;
  std::size_t count_ = 0;
  std::map<std::string, Term> bound_;
  std::vector<std::pair<Size, z3::expr>> sizes_;
};

}  // namespace

LawProof prove_law(const LawSides& sides, unsigned timeout_ms) {
  bool arithmetic = true, exact = true;
  for (const PhraseProgram* p : {&sides.left, &sides.right}) classify(*p->body, arithmetic, exact);
  const bool floats = has_float(*sides.left.body) || has_float(*sides.right.body);
  if (floats && !exact && !arithmetic) return {};
  // Where floats are only moved about, bits are what is compared.
  LawProof out{Verdict::Unknown, floats && !exact};
  try {
    z3::context context;
    z3::solver solver = limited_solver(context, 3000 * timeout_ms, 1024U);
    Encoder encoder(context, !floats ? Floats::None : exact ? Floats::Ieee : Floats::Reals);
    for (const auto& [name, type] : sides.left.parameters) encoder.bind(name, encoder.variable(name, type));
    const auto left = encoder.encode(*sides.left.body), right = encoder.encode(*sides.right.body);
    solver.add(encoder.distinct(left, right));
    switch (solver.check()) {
      case z3::unsat:
        out.verdict = Verdict::Solved;
        break;
      case z3::sat:
        out.verdict = Verdict::Refuted;
        break;
      case z3::unknown:
        break;
    }
  } catch (const z3::exception&) {
    // out of memory or time, or an encoding that does not fit: not decided
  } catch (const NoEncoding&) {
  }
  return out;
}

}  // namespace lockstep

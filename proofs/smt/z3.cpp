// Z3 by its functions. In: a question; out: a verdict.
#include <bit>
#include <charconv>

#include "proofs/smt/encoding.h"
#include "proofs/smt/solver.h"
#include "proofs/smt/z3_limits.h"

namespace lockstep::proofs::smt {
namespace {

std::string shown(const z3::model& model, const z3::expr& e) {
  z3::expr v = model.eval(e, true);
  if (v.is_fpa()) {
    if (Z3_fpa_is_numeral_nan(v.ctx(), v)) return "nan";
    const std::uint64_t bits = z3::expr(v.ctx(), Z3_mk_fpa_to_ieee_bv(v.ctx(), v)).simplify().get_numeral_uint64();
    char text[64];
    const auto shown = [&](auto number) {
      return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
    };
    return v.get_sort().fpa_sbits() == 24 ? shown(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
                                          : shown(std::bit_cast<double>(bits));
  }
  if (v.is_bv()) return std::to_string(v.get_numeral_uint64());
  std::string text = v.to_string();
  if (text.starts_with("(- ")) text = "-" + text.substr(3, text.size() - 4);
  return text;
}

class Z3 : public Solver {
 public:
  explicit Z3(bool keeps) : keeps_(keeps) {}
  std::string name() const override { return "Z3"; }
  std::string version() const override { return z3_version(); }
  std::unique_ptr<Solver> session() const override { return std::make_unique<Z3>(true); }

  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override {
    std::unique_ptr<z3::context> own;  // so that an answer hangs on the question alone
    std::unique_ptr<z3::context>& kept = keeps_ ? kept_ : own;
    if (!kept) kept = std::make_unique<z3::context>();
    try {
      z3::context& context = *kept;
      Encoding encoding(context);
      std::vector<z3::expr> encoded;
      for (const Term& t : assertions) encoded.push_back(encoding.term(t));
      z3::solver solver = limited_solver(context, encoding.has_bits(), budget);
      for (const z3::expr& e : encoded) solver.add(e);
      const z3::check_result result = limited_check(solver, budget);
      if (result == z3::unsat) return {Verdict::Proved};
      if (result == z3::sat) return {Verdict::Refuted, model_of(solver.get_model(), encoding)};
    } catch (const z3::exception&) {
      kept.reset();  // out of memory or time
      return {.by_chance = true};
    }
    return {};
  }

 private:
  static std::map<std::string, std::string> model_of(const z3::model& model, const Encoding& encoding) {
    std::map<std::string, std::string> out;
    for (const auto& [name, e] : encoding.names())
      if (const auto kind = e.get_sort().sort_kind(); kind != Z3_UNINTERPRETED_SORT && kind != Z3_ARRAY_SORT)
        out.emplace(name, shown(model, e));
    return out;
  }

  bool keeps_;
  mutable std::unique_ptr<z3::context> kept_;
};

}  // namespace

const Solver& z3() {
  static const Z3 solver(false);
  return solver;
}

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
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

}  // namespace lockstep::proofs::smt

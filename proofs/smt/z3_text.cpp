// Z3 given the text of a question, as cvc5 is. In: terms; out: whether the text is the question, and Z3's answer to it.
#include "proofs/smt/encoding.h"
#include "proofs/smt/smtlib.h"
#include "proofs/smt/solver.h"
#include "proofs/smt/z3_limits.h"

namespace lockstep::proofs::smt {
namespace {

// What it asks, without the commands that ask it.
z3::expr_vector read_by_z3(z3::context& context, const std::string& script) {
  return context.parse_string(script.substr(0, script.find("(check-sat)")).c_str());
}

bool has_bits(const Term& t) {
  if (t.sort.kind == Sort::Bits || t.sort.kind == Sort::Float) return true;
  return t.arguments && std::any_of(t.arguments->begin(), t.arguments->end(), has_bits);
}

class Z3ByText : public Solver {
 public:
  std::string name() const override { return "Z3 reading SMT-LIB"; }
  std::string version() const override { return z3_version(); }
  Verdict answer(const std::vector<Term>& assertions, const Budget& budget) const override {
    try {
      z3::context context;
      const z3::expr_vector read = read_by_z3(context, script_of(assertions));
      z3::solver solver = limited_solver(context, std::any_of(assertions.begin(), assertions.end(), has_bits), budget);
      for (unsigned k = 0; k < read.size(); ++k) solver.add(read[static_cast<int>(k)]);
      const z3::check_result result = limited_check(solver, budget);
      return {result == z3::unsat ? Verdict::Proved : result == z3::sat ? Verdict::Refuted : Verdict::Unknown};
    } catch (const z3::exception& e) {
      return {Verdict::Unknown, {}, std::string("Z3 does not read it: ") + e.msg()};
    }
  }
};

}  // namespace

const Solver& z3_by_text() {
  static const Z3ByText solver;
  return solver;
}

std::string difference_of_text(const std::vector<Term>& assertions, const std::string& script) {
  try {
    z3::context context;
    const z3::expr_vector read = read_by_z3(context, script);
    if (read.size() != assertions.size())
      return std::to_string(read.size()) + " assertions for " + std::to_string(assertions.size());
    Encoding encoding(context);
    for (unsigned k = 0; k < read.size(); ++k) {
      const z3::expr text = read[static_cast<int>(k)], meant = encoding.term(assertions[k]);
      // A text has no negative numerals: what it has instead is evaluated.
      if (!z3::eq(text, meant) && !z3::eq(text.simplify(), meant.simplify()))
        return "the text " + text.to_string() + " for " + meant.to_string();
    }
    return "";
  } catch (const z3::exception& e) {
    return std::string("Z3 does not read it: ") + e.msg();
  }
}

}  // namespace lockstep::proofs::smt

// Sizes to Z3's integers. A division x / b is a fresh q with b*q <= x < b*q + b, by the definition of quotient and
// remainder: Z3 is weak on div itself under symbolic divisors.
#include "proofs/sizes/solver.h"

#include "proofs/smt/z3_limits.h"

namespace lockstep {
namespace {

class Encoder {
 public:
  Encoder(z3::context& context, z3::solver& solver) : context_(context), solver_(solver) {}

  z3::expr size(const Size& s) {
    z3::expr sum = context_.int_val(0);
    for (const SizeTerm& t : s.terms()) {
      z3::expr product = context_.int_val(static_cast<std::int64_t>(t.coefficient));
      for (const auto& [atom, power] : t.powers)
        for (int k = 0; k < power; ++k) product = product * this->atom(atom);
      sum = sum + product;
    }
    return sum;
  }
  z3::expr fact(const SizeFact& f) {
    const z3::expr a = size(f.left), b = size(f.right);
    switch (f.relation) {
      case SizeRelation::Equal:
        return a == b;
      case SizeRelation::NotEqual:
        return a != b;
      case SizeRelation::LessEqual:
        return a <= b;
      case SizeRelation::Less:
        return a < b;
    }
    throw Bug("size relation");
  }

 private:
  z3::expr atom(const SizeAtom& a) {
    if (const auto it = atoms_.find(a); it != atoms_.end()) return it->second;
    const z3::expr x = context_.int_const(std::to_string(atoms_.size()).c_str());
    atoms_.emplace(a, x);
    if (!a.division) {
      solver_.add(x >= 0);
    } else {
      const z3::expr n = size(a.division->first), d = size(a.division->second);
      solver_.add(z3::implies(d >= 1, d * x <= n && n < d * x + d));
    }
    return x;
  }

  z3::context& context_;
  z3::solver& solver_;
  struct Before {
    bool operator()(const SizeAtom& a, const SizeAtom& b) const { return compare(a, b) < 0; }
  };
  std::map<SizeAtom, z3::expr, Before> atoms_;  // by themselves: no name is like a quotient's
};

}  // namespace

SizeSolver z3_size_solver(unsigned timeout_ms) {
  return [timeout_ms](const std::vector<SizeFact>& facts, const SizeFact& goal) -> SolverAnswer {
    try {
      z3::context context;
      z3::solver solver = limited_solver(context, 3000 * timeout_ms, 1024U);
      Encoder encoder(context, solver);
      for (const SizeFact& f : facts) solver.add(encoder.fact(f));
      solver.add(!encoder.fact(goal));
      switch (solver.check()) {
        case z3::unsat:
          return {Verdict::Solved};
        case z3::sat:
          return {Verdict::Refuted};
        case z3::unknown:
          return {Verdict::Unknown};
      }
    } catch (const z3::exception&) {
      // out of memory or time: not decided
    }
    return {Verdict::Unknown};
  };
}

std::string z3_version() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace lockstep

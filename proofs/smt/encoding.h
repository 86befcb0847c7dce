// Terms as Z3's expressions; for the .cpp files here that use Z3. A division x / b is a fresh q with b*q <= x < b*q + b
// where b >= 1 (quotient and remainder by their definition: Z3 is weak on div under symbolic divisors), the same q for
// the same x and b.
#pragma once
#include <z3++.h>

#include "proofs/smt/term.h"
#include "semantics/core/diagnostic.h"

namespace lockstep::proofs {

class Encoding {
 public:
  explicit Encoding(z3::context& c) : c_(c) {}

  // Definitions that the encoded terms rely on, those of quotients.
  const std::vector<z3::expr>& definitions() const { return definitions_; }
  const std::map<std::string, z3::expr>& names() const { return names_; }
  bool has_bits() const { return has_bits_; }  // or floats

  z3::sort sort(Sort s);

  z3::expr term(const Term& t);
  z3::expr number_called(const std::string& name);  // what a term's free name of sort Int is

 private:
  enum class Kind { Free, Bound, Quotient, Function };
  static std::string spelled(Kind kind, const std::string& name);  // no two kinds have a name in common
  z3::expr name_of(const Term& t);
  z3::expr numeral(const Term& t);
  z3::expr from_bits(const z3::expr& bits, Sort s) { return {c_, Z3_mk_fpa_to_fp_bv(c_, bits, sort(s))}; }
  z3::expr application(const Term& t);
  z3::expr quantified(const Term& t);
  z3::expr floor_quotient(const z3::expr& x, const z3::expr& b);
  z3::expr operation(const Term& t, const std::vector<z3::expr>& x);
  z3::expr bits_operation(const Term& t, const std::vector<z3::expr>& x);
  z3::expr float_operation(const Term& t, const std::vector<z3::expr>& x);

  z3::context& c_;
  std::map<std::string, z3::expr> names_, bound_;
  std::map<std::pair<unsigned, unsigned>, z3::expr> quotients_;
  std::vector<z3::expr> definitions_, kept_;
  bool has_bits_ = false;
};

}  // namespace lockstep::proofs

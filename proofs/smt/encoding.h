// Terms as Z3's expressions; for the .cpp files here that use Z3.
#pragma once
#include <z3++.h>

#include "proofs/smt/term.h"

namespace lockstep::proofs::smt {

class Encoding {
 public:
  explicit Encoding(z3::context& c) : c_(c) {}
  z3::expr term(const Term& t);  // without divisions of Int
  const std::map<std::string, z3::expr>& names() const { return names_; }
  bool has_bits() const { return has_bits_; }  // or floats

 private:
  z3::sort sort(Sort s);
  z3::expr name_of(const Term& t);
  z3::expr numeral(const Term& t);
  z3::expr truth_of(const Term& t);
  z3::expr application(const Term& t);
  z3::expr quantified(const Term& t);
  z3::expr division(const Term& t);
  z3::expr operation(const Term& t);

  z3::context& c_;
  std::map<std::string, z3::expr> names_, bound_;
  bool has_bits_ = false;
};

}  // namespace lockstep::proofs::smt

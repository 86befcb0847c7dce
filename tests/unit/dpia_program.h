// A .dpia program in a test: checked, or its errors as one text; and its meaning on values written as nested lists.
#pragma once
#include <string>

#include "proofs/sizes/solver.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/inference/infer.h"

namespace lockstep::test {

inline Calculus& calculus() {
  static Calculus c = standard_calculus();
  return c;
}

inline Checked<Elaboration> elaborated(const std::string& text, const Calculus& c = calculus()) {
  const auto program = parse_program(std::make_shared<const Source>(Source{"test.dpia", text}));
  if (!program) return tl::unexpected(program.error());
  return infer(*program, c, proofs::z3_size_solver());
}

// "" where the program is accepted.
inline std::string errors(const std::string& text) {
  const auto e = elaborated(text);
  std::string out;
  if (!e)
    for (const Diagnostic& d : e.error()) out += render(d);
  return out;
}

inline PhraseProgram entry(const std::string& text) {
  const auto e = elaborated(text);
  if (!e) throw std::runtime_error(errors(text));
  return e->entries.back();
}

inline Value i32s(const std::vector<std::int64_t>& xs) {
  std::vector<Value> out;
  for (const std::int64_t x : xs)
    out.push_back(scalar_value(make_integer(ScalarType::I32, static_cast<std::uint64_t>(x))));
  return array_value(std::move(out));
}
inline Value i64s(const std::vector<std::int64_t>& xs) {
  std::vector<Value> out;
  for (const std::int64_t x : xs)
    out.push_back(scalar_value(make_integer(ScalarType::I64, static_cast<std::uint64_t>(x))));
  return array_value(std::move(out));
}
inline Value f32s(const std::vector<double>& xs) {
  std::vector<Value> out;
  for (const double x : xs) out.push_back(scalar_value(make_ieee(ScalarType::F32, x)));
  return array_value(std::move(out));
}

// The value as a literal, or "trap: ..." with the primitive.
inline std::string meaning(const std::string& text, const std::vector<Value>& arguments = {},
                           const SizeValues& sizes = {}) {
  const auto v = denote(entry(text), sizes, arguments, ieee_domain());
  return v ? show(*v, ieee_domain()) : "trap: " + v.error().primitive + ": " + v.error().message;
}

}  // namespace lockstep::test

// Programs of FCL for tests: read, typed, run.
#pragma once
#include <fstream>
#include <sstream>

#include "semantics/fcl/evaluate.h"
#include "semantics/fcl/parse.h"
#include "semantics/fcl/prelude.h"
#include "semantics/fcl/values.h"

namespace lockstep::test {

inline SourceRef fcl_source(const std::string& text) { return std::make_shared<const Source>(Source{"p.fcl", text}); }

// The text of a program of examples/fcl.
inline std::string fcl_example(const std::string& name) {
  std::ifstream in(std::string(LOCKSTEP_SOURCE_DIR) + "/examples/fcl/" + name + ".fcl");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// What is wrong with it, as people read it, each on a line: "1:5 message; expected; mend"; "" where nothing is.
inline std::string fcl_errors(const std::string& text) {
  const auto parsed = fcl::parse_program(fcl_source(text));
  Diagnostics wrong = parsed ? Diagnostics{} : parsed.error();
  if (parsed)
    if (const auto program = fcl::typed(*parsed); !program) wrong = program.error();
  std::string out;
  for (const Diagnostic& d : wrong) {
    out += show_position(d.region).substr(6) + " " + d.message;
    if (!d.expected.empty()) out += "; " + d.expected;
    if (!d.mend.empty()) out += "; " + d.mend;
    out += "\n";
  }
  return out;
}

inline fcl::Inferred fcl_program(const std::string& text) {
  const std::string wrong = fcl_errors(text);
  if (!wrong.empty()) throw Bug(text + "\n" + wrong);
  return *fcl::typed(*fcl::parse_program(fcl_source(text)));
}

// The type of the last definition.
inline std::string fcl_type(const std::string& text) { return fcl::show(fcl_program(text).schemes.back()); }

// What the definition gives, or the trap. Arguments are literals, of the types that they look like.
inline std::string fcl_run(const std::string& text, const std::vector<std::string>& arguments = {},
                           const fcl::Evaluation& how = {}) {
  const fcl::Inferred p = fcl_program(text);
  std::vector<Value> values;
  for (const std::string& a : arguments) {
    fcl::Bound seen;
    if (const auto wrong = fcl::note_types(fcl_source(a), fcl::named_type("a"), seen))
      throw Bug(render(wrong->front()));
    values.push_back(*fcl::parse_value(fcl_source(a), seen.at("a")));
  }
  const auto v = fcl::evaluate(p, p.program.definitions.back().name, std::move(values), how);
  if (v) return show(*v, ieee_domain());
  return "trap: " + v.error().primitive + ": " + v.error().message + in_parentheses(v.error().region);
}
// Of an expression.
inline std::string fcl_value(const std::string& expression, const fcl::Evaluation& how = {}) {
  return fcl_run("fun main = " + expression, {}, how);
}

}  // namespace lockstep::test

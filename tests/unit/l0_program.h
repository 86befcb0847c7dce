// Programs of L0 for tests: read, checked, run.
#pragma once
#include <fstream>
#include <sstream>

#include "semantics/l0/evaluate.h"
#include "semantics/l0/parse.h"
#include "semantics/l0/uniqueness.h"

namespace lockstep::test {

inline SourceRef l0_source(const std::string& text) { return std::make_shared<const Source>(Source{"p.l0", text}); }

// The text of a program of examples/l0.
inline std::string l0_example(const std::string& name) {
  std::ifstream in(std::string(LOCKSTEP_SOURCE_DIR) + "/examples/l0/" + name + ".l0");
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// What is wrong with it, as people read it, each on a line: "1:5 message"; "" where nothing is.
inline std::string l0_errors(const std::string& text) {
  const auto parsed = l0::parse_program(l0_source(text));
  Diagnostics wrong = parsed ? Diagnostics{} : parsed.error();
  if (parsed)
    if (const auto program = l0::checked(*parsed); !program) wrong = program.error();
  std::string out;
  for (const Diagnostic& d : wrong) out += show_position(d.region).substr(5) + " " + d.message + "\n";
  return out;
}

inline l0::Program l0_program(const std::string& text) {
  const std::string wrong = l0_errors(text);
  if (!wrong.empty()) throw Bug(text + "\n" + wrong);
  return *l0::checked(*l0::parse_program(l0_source(text)));
}

// What the last function gives, with the shapes of its arrays behind it, or the trap: "[1, 2] [2]".
inline std::string l0_run(const std::string& text, const l0::Evaluation& how = {}) {
  const l0::Program p = l0_program(text);
  const l0::Function& f = p.functions.back();
  const auto v = l0::evaluate(p, f, {}, how);
  if (!v) return "trap: " + v.error().primitive + ": " + v.error().message;
  std::string out = l0::show(*v, f.result, ieee_domain());
  for (const l0::Value* leaf : l0::leaves_of(*v))
    if (const auto* a = std::get_if<l0::Array>(&leaf->node)) out += " " + l0::show(a->shape.dimensions());
  return out;
}

// A function without parameters that gives the expression.
inline std::string l0_value(const std::string& type, const std::string& expression) {
  const std::string text = "fun " + type + " main() = " + expression;
  const std::string usual = l0_run(text), poisoned = l0_run(text, {.poisons = true});
  return usual == poisoned ? usual : usual + ", with poison " + poisoned;
}

}  // namespace lockstep::test

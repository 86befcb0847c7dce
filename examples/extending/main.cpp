// A program that uses both primitives, through the denotation and through the translation to the kernel language.
#include <cstdio>

#include "primitives.h"
#include "proofs/sizes/solver.h"
#include "semantics/functional/denote.h"
#include "semantics/functional/infer.h"
#include "semantics/kernel/run.h"
#include "translate/dpia/stage.h"

using namespace lockstep;

int main() {
  Calculus calculus = standard_calculus();
  calculus.add(rotate_primitive());
  calculus.add(pairwise_primitive());
  const auto source = std::make_shared<const Source>(
      Source{"steps.dpia", "fun steps [n] (xs : [n+1]i32) : [n]i32 = pairwise (\\x y -> y - x) (rotate 2 xs)\n"});
  const auto parsed = parse_program(source);
  const auto checked = parsed ? infer(*parsed, calculus, proofs::z3_size_solver()) : tl::unexpected(parsed.error());
  if (!checked) {
    for (const Diagnostic& d : checked.error()) std::fprintf(stderr, "%s", render(d).c_str());
    return 2;
  }
  const PhraseProgram& program = checked->entries.back();
  std::vector<Value> elements;
  std::vector<Scalar> scalars;
  for (const int x : {1, 4, 9, 16, 25}) {
    scalars.push_back(make_integer(ScalarType::I32, static_cast<std::uint64_t>(x)));
    elements.push_back(scalar_value(scalars.back()));
  }
  const SizeValues sizes = {{"n", 4}};
  const auto meaning = denote(program, sizes, {array_value(elements)}, ieee_domain());
  const kernel::Program translated = dpia_trace(program, calculus, Machine::Cpu).kernel();
  const auto run =
      kernel::run(translated, sizes, {{translated.inputs[0].name, scalars}}, ieee_domain(), {.detect_races = true});
  if (!meaning || !run) return 1;
  std::vector<Value> got;
  for (const Scalar& s : run->at(translated.outputs[0].name)) got.push_back(scalar_value(s));
  const std::string expected = show(*meaning, ieee_domain()), translated_result = show(array_value(got), ieee_domain());
  std::printf("%s\n", expected.c_str());
  if (expected != translated_result) {
    std::printf("the translation gives %s\n", translated_result.c_str());
    return 1;
  }
}

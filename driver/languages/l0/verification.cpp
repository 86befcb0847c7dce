// verify of .l0: random arguments, and every program of the trace beside the source.
#include "codegen/runtime/sha256.h"
#include "driver/kernels/lowered_rows.h"
#include "driver/languages/l0/arguments.h"
#include "driver/languages/l0/compiled.h"
#include "driver/languages/l0/l0.h"
#include "driver/languages/l0/laws.h"
#include "props/l0/compiled.h"
#include "props/l0/generate.h"
#include "props/l0/subjects.h"
#include "translate/l0/pipeline.h"

namespace lockstep::driver {
namespace {

using Input = props::l0::Input;

// What is given stays; the rest is drawn.
Input drawn(const AnyProgram& source, const l0::Function& f, const std::vector<std::optional<l0::Value>>& given,
            std::uint64_t seed) {
  Input in{props::l0::random_arguments(f, seed), "", l0::Values()};
  std::size_t leaf = 0;
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    const std::size_t n = l0::leaf_count(f.parameters[k].type);
    if (given[k]) {
      const auto leaves = l0::leaves_of(*given[k]);
      for (std::size_t j = 0; j < n; ++j) in.leaves[leaf + j] = *leaves[j];
    }
    leaf += n;
  }
  const std::string text = props::l0::shown_arguments(f, in.leaves);
  in.text = (text.empty() ? "no arguments" : shortened(text, 160)) + " (seed " + std::to_string(seed) + ")";
  in.expected = props::l0::outcome(source, in.leaves);
  return in;
}

// Such as the lowered program is made for, where there is one.
std::vector<Input> draw(const AnyProgram& source, const InCalculus* lowered, const l0::Function& f,
                        const VerifyRequest& request, props::Tried& tried) {
  const auto fits = [&](const Input& in) {
    return in.expected && (!lowered || props::l0::arguments_in_calculus(*lowered, in.leaves));
  };
  const auto given = bind_given(f, request.arguments);
  const bool random = std::any_of(given.begin(), given.end(), [](const auto& g) { return !g; });
  std::vector<Input> out;
  for (std::size_t k = 0; k < (random ? request.inputs : 1); ++k) {
    std::uint64_t seed = request.seed * 1000003 + k;
    Input in = drawn(source, f, given, seed);
    // One in six stays as it is, where there are enough; others are drawn again where they trap or do not fit.
    for (int again = 0; again < 40 && random && (k % 6 != 5 || request.inputs < 12) && !fits(in); ++again) {
      seed += 1000000;
      in = drawn(source, f, given, seed);
    }
    const std::string result = props::l0::shown(in.expected, f);
    if (!in.expected && tried.trapped++ == 0) tried.first_trap = result;
    tried.values += in.expected.has_value();
    tried.seeds.push_back(seed);
    tried.results.push_back(sha256(result));
    out.push_back(std::move(in));
  }
  tried.given = !random && !f.parameters.empty();
  tried.needed = props::values_needed(tried.seeds.size(), request.inputs, random);
  tried.help = "\n  help: give arguments on which the program gives a value, as in 'lockstep verify FILE n=4'";
  return out;
}

}  // namespace

props::Report verified(const L0File& file, const l0::Function& entry, const VerifyRequest& request,
                       const props::Listener& listener) {
  Trace trace = l0::trace_of({file.program, entry.name}, fusion_mode(request.fusion));
  const auto program = in_calculus(file, trace.last().as<l0::Entry>());
  props::Case c;
  c.report.titles = {"nodes", "program", {"work"}, true};
  std::vector<Input> inputs =
      draw(trace.steps[0].program, program ? &*program : nullptr, entry, request, c.report.inputs);
  c.inputs = inputs.size();
  for (const Input& in : inputs) c.gives_values.push_back(in.expected.has_value());
  props::l0::Tests tests{entry, std::move(trace), inputs};
  for (std::size_t k = 0; k < tests.trace.steps.size(); ++k) c.stages.push_back(props::l0::subject(tests, k));
  const LoweredRows lowered(c, props::l0::lowered_source(tests), program, request);
  c.conclude = [&](props::Report& report) {
    report.notes.push_back(
        "work: scalar operations, scalars that arrays are made of, and one for each element that a function is called "
        "for, the least and the most of all inputs; no stage adds any");
    add_laws(file, entry, report);
    lowered.conclude(report, listener, "l0", file.source->name, entry.name);
  };
  c.texts = true;
  return props::verify(c, listener);
}

}  // namespace lockstep::driver

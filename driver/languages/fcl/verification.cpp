// verify of .fcl: random arguments, every program of the trace and the located machine beside the source.
#include "driver/kernels/lowered_rows.h"
#include "driver/languages/fcl/compiled.h"
#include "props/fcl/subjects.h"

namespace lockstep::driver {
namespace {

constexpr std::size_t text_at_most = 160;

// What is given stays; the rest is drawn for each input.
void refuse_words(const FclEntryPoint& entry, const FclArguments& bound) {
  refuse_lengths(entry, bound);
  for (std::size_t k = 0; k < bound.random.size(); ++k)
    if (bound.random[k] && (bound.random[k]->seed || bound.random[k]->kind != props::RandomKind::Any))
      fail(machine, bound.signature.parameters[k].name + ": kinds and seeds of random values are of run and bench",
           "leave it out: it is drawn for each input");
}

std::string levels_of(const fcl::Entry& e) {
  std::string out;
  for (const auto& [name, level] : e.instance.levels)
    out += (out.empty() ? "" : ", ") + name + " = " + fcl::show(level);
  return out;
}

}  // namespace

props::Report verified(const FclFile& file, const FclEntryPoint& entry, const VerifyRequest& request,
                       const props::Listener& listener) {
  const FclArguments bound = bind_arguments(entry, request.arguments, false);
  refuse_words(entry, bound);
  const FclInstance at = standing_instance(file, entry, bound);
  const MadeInCalculus program = in_calculus(at.stages);
  props::Case c;
  c.report.titles = {"nodes", "program", {}, false};
  std::vector<props::fcl::Input> inputs;
  // Stages that go on where the source has ended are stopped.
  props::fcl::Tests tests{bound.signature, at.stages.trace, inputs, 2 * request.limit};
  inputs = props::fcl::drawn_inputs(tests.trace.steps[0].program, bound.signature, program ? &*program : nullptr,
                                    {bound.given, request.inputs, request.seed, request.limit}, c.report.inputs);
  c.report.inputs.help =
      "\n  help: give arguments on which the program gives a value, as in 'lockstep verify FILE n=4'";
  for (props::fcl::Input& in : inputs) {
    in.text = (in.text.empty() ? "no arguments" : shortened(in.text, text_at_most)) + " (seed " +
              std::to_string(in.seed) + ")";
    c.gives_values.push_back(in.expected.has_value());
  }
  c.inputs = inputs.size();
  for (std::size_t k = 0; k < tests.trace.steps.size(); ++k) {
    c.stages.push_back(props::fcl::subject(tests, k));
    if (k == 0) c.stages.push_back(props::fcl::step_subject(tests, {.seed = request.seed}));
  }
  const LoweredRows lowered(c, props::fcl::lowered_source(tests), program, request);
  c.conclude = [&](props::Report& report) {
    if (program)
      for (const Region& at : program->lowered.bijections)
        report.notes.push_back("each element" + in_parentheses(at) +
                               " has a place of its own: for all sizes, by the digits of its indices");
    if (const std::string levels = levels_of(at.entry); !levels.empty()) report.notes.push_back("levels: " + levels);
    lowered.conclude(report, listener, "fcl", file.source->name, entry.name);
  };
  c.texts = true;
  return props::verify(c, listener);
}

}  // namespace lockstep::driver

// Targets by name, and what they print.
#include "driver/kernels/kernels.h"

#include "codegen/runtime/compiler.h"
#include "semantics/kernel/check.h"

namespace lockstep::driver {
namespace {

// What the kernel's checks refuse is not printed: a local loop outside a block, block memory that threads would share.
std::string wrong_levels(const Target& target, const DpiaTrace& trace) {
  if (target.machine != Machine::Gpu) return "";
  const std::vector<std::string> wrong = kernel::check(trace.kernel());
  return wrong.empty() ? "" : wrong.front();
}

}  // namespace

std::vector<Runner> runners(const std::string& interpreter) {
  std::vector<Runner> out{{"interpreter", interpreter}};
  for (const Target& t : kernel_targets()) {
    const auto compiler = t.name == "openmp" ? find_compiler() : tl::unexpected(std::string());
    out.push_back({t.name, compiler ? "CPU threads, compiled by " + compiler->path : t.runs_on, t.unavailable, true,
                   t.load != nullptr, t.by_name, t.machine == Machine::Gpu});
  }
  return out;
}

const Target& target_with_text(const std::string& name) {
  std::string known;
  for (const Target& t : kernel_targets())
    if (t.text) known += (known.empty() ? "" : " and ") + t.name;
  const Target* target = name.empty() ? &kernel_targets().front() : find_target(name);
  if (target && target->text) return *target;
  const std::string help = "the targets with text are " + known;
  if (target) fail(machine, "there is no generated text for the target " + name, help);
  if (name == "interpreter") fail(invalid, "there is no generated text for the target " + name, help);
  fail(invalid, "there is no target " + name, help);
}

void set_launch(Launch& launch, const AskedRun& asked) {
  if (asked.block > 0) launch.block = asked.block;
  if (asked.warp > 0) launch.warp = asked.warp;
  if (asked.grid > 0) launch.grid = asked.grid;
  if (asked.index > 0) launch.index = asked.index;
  if (const auto why = wrong_launch(launch)) fail(invalid, *why);
}

std::vector<StageText> texts_of_steps(const Trace& trace) {
  std::vector<StageText> out;
  for (const Step& s : trace.steps) {
    const Language& language = s.program.language();
    out.push_back({s.name, s.cite, language.print(s.program), language.nodes(s.program)});
  }
  return out;
}

StageText text_stage(const Target& target, const DpiaTrace& trace) {
  std::string wrong = wrong_levels(target, trace);
  if (const std::vector<std::string> unfit = target.unfit(trace.kernel()); wrong.empty() && !unfit.empty())
    wrong = unfit.front();
  return {target.name,
          target.text_is,
          wrong.empty() ? target.text(trace.last()).front().contents : "// none: " + wrong,
          {}};
}

EmittedText text_files(const Target& target, const DpiaTrace& trace, const std::string& name) {
  const kernel::Program& last = trace.kernel();
  if (const std::vector<std::string> wrong = kernel::check(last); !wrong.empty())
    fail(machine, name + " cannot be printed for the target " + target.name + " yet: " + wrong.front(),
         "its levels do not fit the machine's blocks and threads; 'lockstep stages' shows the kernel");
  if (const std::vector<std::string> wrong = target.unfit(last); !wrong.empty())
    fail(invalid, name + " does not fit the target " + target.name + ": " + wrong.front());
  EmittedText out{target.name, {}};
  for (TextFile& f : target.text(trace.last())) out.files.emplace_back(f.name, std::move(f.contents));
  return out;
}

}  // namespace lockstep::driver

// The list of stages for a machine, and what each makes.
#include "translate/dpia/paths.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

Stage owing_safety(Stage stage) {
  stage.run = [run = stage.run](const AnyProgram& p, Owed* owed) {
    AnyProgram out = run(p, owed);
    if (owed) owed->push_back({"kernel", Erased(SafeKernel{out.as<kernel::Program>()})});
    return out;
  };
  return stage;
}

}  // namespace

Runs runs_inside(Level loop, Runs around, Machine machine) {
  if (!is_parallel(loop)) return around;
  if (machine == Machine::Cpu) return Runs::Thread;
  return loop == Level::Workgroup ? Runs::Block : loop == Level::Warp ? Runs::Warp : Runs::Thread;
}

std::vector<Stage> dpia_stages(const DpiaLanguages& l, Machine machine) {
  std::vector<Stage> out{fuse_loops(l),     distinct_places(l),     reduce_in_blocks(l),
                         contract(l),       strategies(l, machine), functional_to_imperative(l),
                         loops(l, machine), hoist(l, machine),      paths(l, machine)};
  if (machine == Machine::Cpu) out.insert(out.begin() + 2, tiles(l));
  if (machine == Machine::Cpu)  // a block is one thread there
    for (Stage& s : std::vector{counted(l.kernel), early_checks(l.kernel), checks(l.kernel), digits(l.kernel),
                                unread(l.kernel, Unread::All), joined(l.kernel), in_place(l.kernel), swaps(l.kernel),
                                index_sets(l.kernel), read_once(l.kernel)})
      out.push_back(std::move(s));
  else
    for (Stage& s :
         std::vector{counted(l.before_barriers), checks(l.before_barriers), digits(l.before_barriers),
                     unread(l.before_barriers, Unread::Variables), lift(l.before_barriers), in_place(l.before_barriers),
                     shuffles(l.before_barriers), swaps(l.before_barriers), virtualise(l.before_barriers),
                     places(l.before_barriers), barriers(l), narrow(l.kernel)})
      out.push_back(std::move(s));
  out.back() = owing_safety(std::move(out.back()));
  out.push_back(machine == Machine::Cpu ? moves(l.kernel) : host_stage(l));
  return out;
}

DpiaTrace dpia_trace(const PhraseProgram& source, const DpiaLanguages& languages, Machine machine, bool owed,
                     const StageList& stages) {
  return {run_stages(stages(languages, machine),
                     {"source", "semantics/functional", AnyProgram(languages.functional, source)}, owed),
          machine};
}

DpiaTrace dpia_trace(const PhraseProgram& source, const Calculus& calculus, Machine machine, bool owed) {
  return dpia_trace(source, dpia_languages(std::make_shared<const Calculus>(calculus)), machine, owed);
}

}  // namespace lockstep

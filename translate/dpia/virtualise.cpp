// Loops over blocks, warps and threads become loops over those that the launch has (FCL §4, "virtualisation"; the
// grid-stride loop of CUDA). In: a kernel whose iterations each have a block, warp or thread of their own; out: the
// same, dealt out to the launch's.
#include "semantics/kernel/units.h"
#include "semantics/kernel/walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

// `around`: the parallel loop that s is directly in, or nullptr.
Stmt dealt_out(const Stmt& s, const Launch& launch, const ParallelFor* around) {
  return rewritten(s, StmtChange([&](const Stmt& x) {
                     Stmt out = x;
                     if (auto* p = std::get_if<ParallelFor>(&out.node)) {
                       p->units = units_of(launch, p->level, around);
                       p->body = StmtRef(dealt_out(*p->body, launch, p));
                     }
                     return std::vector<Stmt>{std::move(out)};
                   }));
}

}  // namespace

kernel::Program dealt_out(const kernel::Program& p) {
  kernel::Program out = p;
  out.body = dealt_out(p.body, p.launch, nullptr);
  return out;
}

Stage virtualise(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>("virtualise", "FCL §4, amended", kernel, kernel,
                                                    [](const kernel::Program& p, Owed*) { return dealt_out(p); },
                                                    {Change::Same, Change::Unrelated, CostRelation::Space::NotMore});
}

}  // namespace lockstep

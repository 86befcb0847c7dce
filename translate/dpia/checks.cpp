// Checks that are needless (FCL §3, ours): one whose condition follows from sizes, facts, loops' ranges, the branches
// around it and the checks before it goes, and so do loops and branches that held nothing else. In: a kernel; out: the
// same with fewer checks.
#include "translate/dpia/known_walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

class NeedlessChecks final : public KnownWalk {
 public:
  using KnownWalk::KnownWalk;

 private:
  std::optional<Stmt> check(const Check& x, const Stmt& s) override {
    if (values.holds(x.ok)) return {};
    values.suppose(x.ok);
    return s;
  }
};

}  // namespace

kernel::Program without_needless_checks(const kernel::Program& p) {
  kernel::Program out = p;
  if (auto left = NeedlessChecks(p).statement(p.body)) out.body = std::move(*left);
  return out;
}

Stage checks(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>("checks", "FCL §3, ours", kernel, kernel,
                                                    [](const kernel::Program& p, Owed* owed) {
                                                      kernel::Program out = without_needless_checks(p);
                                                      if (owed) owed->push_back({"checks", Erased(ChecksHold{p, out})});
                                                      return out;
                                                    },
                                                    {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep

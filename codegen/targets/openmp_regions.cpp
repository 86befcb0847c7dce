// What all threads of a region go through has to be the same for each of them: loops and branches whose extents and
// conditions read no memory, and that assign nothing.
#include "codegen/targets/openmp_regions.h"

#include <algorithm>

#include "codegen/targets/openmp_work.h"
#include "semantics/kernel/walk.h"

namespace lockstep {

using namespace kernel;

namespace {

class Gathering {
 public:
  Gathering(const std::function<bool(const ParallelFor&, const std::vector<std::string>&)>& may_join,
            const std::function<std::string(const Expr&)>& shown)
      : may_join_(may_join), shown_(shown) {}

  bool take(const Stmt& s) {
    const auto all = [&](const std::vector<Stmt>& of) {
      return std::all_of(of.begin(), of.end(), [&](const Stmt& x) { return take(x); });
    };
    if (std::holds_alternative<Comment>(s.node)) return true;
    if (const auto* b = std::get_if<Block>(&s.node)) return all(b->statements);
    if (const auto* c = std::get_if<If>(&s.node)) return is_same(c->condition) && take(*c->then) && take(*c->otherwise);
    if (const auto* f = std::get_if<ParallelFor>(&s.node)) return loop(*f);
    const auto* f = std::get_if<For>(&s.node);
    if (!f || f->unroll || !is_same(f->extent)) return false;
    rounds_.push_back(f->name);
    const bool taken = take(*f->body);
    rounds_.pop_back();
    return taken;
  }
  std::size_t loops = 0;  // those in rounds count twice
  bool always = false;
  std::vector<std::string> conditions;

 private:
  bool loop(const ParallelFor& f) {
    if (!may_join_(f, rounds_)) return false;
    bool before = true;  // whether what it has to do is known before the region
    const auto worth = worth_threads(f, [&](const Expr& e) -> std::string {
      const bool of_rounds =
          std::any_of(rounds_.begin(), rounds_.end(), [&](const std::string& name) { return reads(e, name); });
      before = before && !of_rounds;
      return of_rounds ? "" : shown_(e);
    });
    if (!before) return false;
    loops += rounds_.empty() ? 1 : 2;
    always = always || !worth;
    if (worth && std::count(conditions.begin(), conditions.end(), *worth) == 0) conditions.push_back(*worth);
    return true;
  }
  static bool is_same(const Expr& e) {
    bool same = true;
    each_expression(e, [&](const Expr& x) {
      same = same && !std::holds_alternative<Load>(x.node) && !std::holds_alternative<VectorLoad>(x.node);
    });
    return same;
  }

  const std::function<bool(const ParallelFor&, const std::vector<std::string>&)>& may_join_;
  const std::function<std::string(const Expr&)>& shown_;
  std::vector<std::string> rounds_;
};

}  // namespace

std::optional<ParallelRegion> region_at(
    const Block& block, std::size_t from,
    const std::function<bool(const ParallelFor&, const std::vector<std::string>& rounds)>& may_join,
    const std::function<std::string(const Expr&)>& shown) {
  Gathering taken(may_join, shown);
  std::size_t k = from;
  for (; k < block.statements.size(); ++k) {
    Gathering more = taken;
    if (!more.take(block.statements[k])) break;
    taken.loops = more.loops, taken.always = more.always, taken.conditions = more.conditions;
  }
  if (taken.loops < 2) return {};
  ParallelRegion out{k - from, ""};
  if (!taken.always)
    for (const std::string& c : taken.conditions) out.condition += (out.condition.empty() ? "" : " || ") + c;
  return out;
}

}  // namespace lockstep

// The walk: numbers only, so that it shares nothing with the polynomials that it is held against.
#include "props/dpia/cost_branches.h"

namespace lockstep::props {
namespace {

using namespace kernel;
using Work = std::int64_t;

struct NotCounted {};

class Walk {
 public:
  explicit Walk(const SizeValues& sizes) : sizes_(sizes) {}

  Work statement(const Stmt& s) const {
    return match(
        s.node,
        [&](const Block& x) {
          Work all = 0;
          for (const Stmt& c : x.statements) all += statement(c);
          return all;
        },
        [&](const Declare& x) { return x.init ? expression(*x.init) : 0; },
        [&](const Assign& x) { return expression(x.value); },
        [&](const Store& x) { return expression(x.index) + expression(x.value) + x.value.type.width; },
        [&](const Atomic& x) { return expression(x.index) + expression(x.value) + 3; },
        [&](const For& x) { return expression(x.extent) + iterations(x.extent) * statement(*x.body); },
        [&](const Allocate& x) { return expression(x.count); },
        [&](const ParallelFor& x) { return expression(x.extent) + iterations(x.extent) * statement(*x.body); },
        [&](const If& x) { return expression(x.condition) + statement(*x.then) + statement(*x.otherwise); },
        [](const While&) -> Work { throw NotCounted{}; }, [&](const Check& x) { return expression(x.ok); },
        [](const Barrier&) { return Work{0}; }, [](const Comment&) { return Work{0}; },
        [&](const Shuffle& x) { return expression(x.value) + expression(x.lane) + 1; });
  }

 private:
  Work expression(const Expr& e) const {
    const auto all = [&](const std::vector<ExprRef>& parts) {
      Work sum = 0;
      for (const ExprRef& x : parts) sum += expression(*x);
      return sum;
    };
    return match(
        e.node, [](const Const&) { return Work{0}; }, [](const Var&) { return Work{0}; },
        [&](const Arith& x) { return expression(*x.left) + expression(*x.right); },
        [&](const Load& x) { return expression(*x.index) + 1; },
        [&](const VectorLoad& x) { return expression(*x.index) + x.width; },
        [&](const Apply& x) { return all(x.arguments) + x.operand.width; },
        [&](const Choose& x) { return expression(*x.condition) + expression(*x.then) + expression(*x.otherwise); },
        [&](const Lane& x) { return expression(*x.vector) + expression(*x.lane); },
        [&](const Build& x) { return all(x.lanes); }, [&](const Splat& x) { return expression(*x.scalar); });
  }

  // The terms that are added.
  Work iterations(const Expr& extent) const {
    const auto size = as_size(extent);
    if (!size) throw NotCounted{};
    Work all = 0;
    for (const SizeTerm& t : size->terms()) {
      if (t.coefficient <= 0) continue;
      Work product = t.coefficient;
      for (const auto& [atom, power] : t.powers) {
        const auto n = evaluate(value_of(atom), sizes_);
        if (!n || *n < 0) throw NotCounted{};
        for (int k = 0; k < power; ++k) product *= *n;
      }
      all += product;
    }
    return all;
  }

  const SizeValues& sizes_;
};

}  // namespace

std::optional<std::int64_t> work_of_both_sides(const kernel::Program& program, const SizeValues& sizes) {
  try {
    return Walk(sizes).statement(program.body);
  } catch (const NotCounted&) {
    return {};
  }
}

}  // namespace lockstep::props

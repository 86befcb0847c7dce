// Cost of kernel programs (cost.h), clause by clause over the tree. In: a program; out: its Cost.
#include "semantics/kernel/cost.h"

#include "semantics/core/cost.h"
#include "semantics/kernel/two_rounds.h"
#include "semantics/kernel/units.h"

#include <algorithm>

namespace lockstep::kernel {

namespace {

class Counter {
 public:
  // What is counted: every step, or the operations on floats of a type.
  explicit Counter(const Program& p, std::optional<ScalarType> only = {}) : launch_(p.launch), only_(only) {
    for (const std::string& s : p.sizes) known_[s] = Size::name(s);
    for (const SizeFact& f : p.facts) facts_.assume(f);
  }

  Cost statement(const Stmt& s) {
    return match(
        s.node, [&](const Block& b) { return block(b); },
        [&](const Declare& d) { return d.init ? expression(*d.init) : Cost{}; },
        [&](const Assign& a) { return expression(a.value); },
        [&](const Store& t) { return expression(t.index) + expression(t.value) + steps(t.value.type.width); },
        // A read, the operator and a write. Updates of one scalar come one after the other: how many do, data says.
        [&](const Atomic& a) { return expression(a.index) + expression(a.value) + steps(3); },
        [&](const For& f) {
          const Size n = iterations(f.extent);
          Cost body = loop_body(f.name, n, *f.body);
          return expression(f.extent) + Cost{n * body.work, n * body.depth, body.space};
        },
        [&](const Allocate& a) {
          return expression(a.count) + Cost{0, 0, number(a.count, "#extent")};
        },
        [&](const ParallelFor& p) { return parallel(p); },
        [&](const If& i) {
          ++branches_;
          const Cost then = statement(*i.then);  // before the other branch: what is not known is numbered
          const Cost otherwise = statement(*i.otherwise);
          --branches_;
          const auto taken = decided(i.condition);
          return expression(i.condition) + (taken ? *taken ? then : otherwise : either(facts_, then, otherwise));
        },
        [&](const While& w) {
          Size n = fresh("#iterations");
          Cost test = expression(w.condition);
          if (const auto rounds = two_rounds(w)) return in_two(*rounds, n, test);
          Cost body = test + statement(*w.body);
          return test + Cost{n * body.work, n * body.depth, body.space};
        },
        [&](const Check& c) { return expression(c.ok); }, [&](const Barrier&) { return Cost{}; },
        [&](const Comment&) { return Cost{}; },
        [&](const Shuffle& x) { return expression(x.value) + expression(x.lane) + steps(1); });
  }

 private:
  // Where it compares sizes alone, of which enough is known.
  std::optional<bool> decided(const Expr& condition) const {
    const auto* index = std::get_if<Arith>(&condition.node);
    const auto* a = std::get_if<Apply>(&condition.node);
    const auto* op = a ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
    if (op && op->decided_by) {  // && and ||
      const auto first = decided(*a->arguments[0]), second = decided(*a->arguments[1]);
      if (first == op->decided_by || second == op->decided_by) return op->decided_by;
      return first ? second : std::nullopt;
    }
    const auto of_sizes = [&](const Expr& e) -> std::optional<Size> {
      const auto s = as_size(e);
      std::set<std::string> names;
      if (s) collect_names(*s, names);
      const bool known = std::all_of(names.begin(), names.end(), [&](const std::string& n) {
        const auto found = known_.find(n);
        return found != known_.end() && found->second == Size::name(n);
      });
      return known ? s : std::nullopt;
    };
    std::optional<Size> left, right;
    bool less = false;
    if (index && (index->op == ArithOp::Less || index->op == ArithOp::LessEqual)) {
      left = of_sizes(*index->left), right = of_sizes(*index->right), less = index->op == ArithOp::Less;
    } else if (op && op->compares && a->operand == KType{}) {
      const bool swapped = op->compares->swapped;
      less = op->compares->relation == Comparison::Less;
      if (!less && op->compares->relation != Comparison::LessEqual) return {};
      left = of_sizes(*a->arguments[swapped ? 1 : 0]), right = of_sizes(*a->arguments[swapped ? 0 : 1]);
    }
    if (!left || !right) return {};
    if (facts_.proves({*left, less ? SizeRelation::Less : SizeRelation::LessEqual, *right})) return true;
    if (facts_.proves({*right, less ? SizeRelation::LessEqual : SizeRelation::Less, *left})) return false;
    return {};
  }
  // Natural, as an extent need not be where a branch is not taken.
  Size iterations(const Expr& extent) {
    const Size n = number(extent, "#extent");
    return branches_ > 0 ? natural_bound(facts_, n) : n;
  }
  // One after the other; what the first allocates in a scope of its own is free again for the second.
  Cost in_turn(const Cost& a, const Cost& b) const {
    return {a.work + b.work, a.depth + b.depth, upper_maximum(facts_, a.space, b.space)};
  }
  // At most n rounds, each as the costliest; loops in both rounds that only data count have one name.
  Cost in_two(const TwoRounds& rounds, const Size& n, const Cost& test) {
    const auto used = used_;
    const Cost first = statement(rounds.first());
    used_ = used;
    const Cost last = statement(*rounds.branch->otherwise);
    const Cost round = test + either(facts_, first, statement(*rounds.branch->then));
    const Size odd = modulo(n, Size(2));
    return test + Cost{n * round.work + odd * (test.work + last.work),
                       n * round.depth + odd * (test.depth + last.depth),
                       upper_maximum(facts_, round.space, last.space)};
  }
  Size fresh(const std::string& base) { return Size::name(base + "_" + std::to_string(++used_[base])); }

  // An expression as a size over the program's sizes: a loop's variable is replaced by the greatest value it takes.
  Size number(const Expr& e, const std::string& otherwise) {
    auto s = as_size(e);
    std::set<std::string> names;
    if (s) collect_names(*s, names);
    for (const std::string& n : names)
      if (!known_.count(n)) s = std::nullopt;
    return s ? lockstep::substitute(*s, known_) : fresh(otherwise);
  }

  Cost block(const Block& b) {
    Cost scopes;
    Size held;
    for (const Stmt& s : b.statements) {
      Cost c = statement(s);
      if (std::holds_alternative<Allocate>(s.node)) {
        held = held + c.space;
        c.space = 0;
      }
      scopes = in_turn(scopes, c);
    }
    scopes.space = scopes.space + held;
    return scopes;
  }

  Cost loop_body(const std::string& name, const Size& n, const Stmt& body) {
    auto outer = known_;
    known_[name] = n - 1;
    Cost c = statement(body);
    known_ = std::move(outer);
    return c;
  }

  // Of the unit that has most.
  Size rounds(const ParallelFor& p, const Size& n) const {
    if (!p.units) return 1;
    const auto fixed = constant_of(*p.units);
    const std::int64_t units = fixed ? *fixed : fewest_units(launch_, p.level, around_);
    return floor_div(n + Size(units - 1), units);
  }

  Cost parallel(const ParallelFor& p) {
    const Size n = iterations(p.extent);
    Size scratch;
    for (const Allocate& a : p.scratch) scratch = scratch + number(a.count, "#extent");
    const Level around = std::exchange(around_, p.level);
    Cost body = loop_body(p.name, n, *p.body);
    around_ = around;
    Size space = scratch + body.space;
    // A worker runs one iteration at a time; loops inside it share that worker.
    if (around_ == Level::Seq) space = space * Size::name("#threads");
    Cost all{n * body.work, rounds(p, n) * body.depth, space};
    return p.units ? expression(p.extent) + expression(*p.units) + all : expression(p.extent) + all;
  }

  Cost steps(const Size& n) const { return only_ ? Cost{} : Cost{n, n, 0}; }
  Cost operation(const Apply& a) const {
    if (!only_) return steps(a.operand.width);
    if (a.operand.scalar != *only_) return {};
    // of three operands, a product and its sum, as of two operators
    const Size n = a.operand.width * std::max(1, static_cast<int>(a.arguments.size()) - 1);
    return {n, n, 0};
  }
  Cost expressions(const std::vector<ExprRef>& es) {
    Cost c;
    for (const ExprRef& e : es) c = c + expression(*e);
    return c;
  }

  Cost expression(const Expr& e) {
    return match(
        e.node, [](const Const&) { return Cost{}; }, [](const Var&) { return Cost{}; },
        [&](const Arith& a) { return expression(*a.left) + expression(*a.right); },
        [&](const Load& l) { return expression(*l.index) + steps(1); },
        [&](const VectorLoad& l) { return expression(*l.index) + steps(l.width); },
        [&](const Apply& a) { return expressions(a.arguments) + operation(a); },
        [&](const Choose& c) {
          return expression(*c.condition) + either(facts_, expression(*c.then), expression(*c.otherwise));
        },
        [&](const Lane& l) { return expression(*l.vector) + expression(*l.lane); },
        [&](const Build& b) { return expressions(b.lanes); }, [&](const Splat& s) { return expression(*s.scalar); });
  }

  int branches_ = 0;  // around
  SizeContext facts_;
  SizeSubstitution known_;  // sizes, and the loop variables in scope
  std::map<std::string, int> used_;
  Level around_ = Level::Seq;  // of the parallel loop directly around
  const Launch launch_;
  const std::optional<ScalarType> only_;
};

}  // namespace

Cost cost(const Program& program) { return Counter(program).statement(program.body); }

FloatOperations float_operations(const Program& program) {
  const auto of = [&](ScalarType t) { return Counter(program, t).statement(program.body).work; };
  return {of(ScalarType::F32), of(ScalarType::F64)};
}

}  // namespace lockstep::kernel

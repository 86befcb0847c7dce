// Early checks (ours): a check that every iteration of a loop makes, of a number that only grows or only falls from one
// to the next, is made of the extreme one before the loop, where the loop has an iteration. It may then follow from
// that (checks). In: a kernel; out: the same with such checks; where several would trap another one may come first.
#include <algorithm>

#include "translate/dpia/known_walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

class EarlyChecks final : public KnownWalk {
 public:
  using KnownWalk::KnownWalk;

 private:
  struct Loop {
    std::string number;          // that its variable has
    std::optional<Size> extent;  // or `count`, which stands for the expression
    Expr count;
    IndexValues::Variables outside;  // that the loop does not assign
    int branches = 0;                // around the place in its iteration
    bool goes_on = true;             // whatever stood before the place came to an end
    std::vector<Check> early{};
  };

  void enter(const For& f, const std::set<std::string>& assigned) override {
    auto extent = values.value(f.extent);
    if (!extent || mentions_unknown(*extent)) extent = stays(f.extent, assigned) ? std::optional(count) : std::nullopt;
    IndexValues::Variables outside = values.variables();
    for (const std::string& n : assigned) outside.erase(n);
    outside.erase(f.name);
    const auto number = values.value(variable(f.name));
    const auto name = number ? number->as_name() : std::nullopt;
    if (!name) extent.reset();
    loops_.push_back({name.value_or(""), std::move(extent), f.extent, std::move(outside)});
  }
  void enter_branch() override {
    for (Loop& l : loops_) ++l.branches;
  }
  void leave_branch() override {
    for (Loop& l : loops_) --l.branches;
  }
  void after_while() override {
    for (Loop& l : loops_) l.goes_on = false;
  }

  std::optional<Stmt> check(const Check& x, const Stmt& s) override {
    if (values.holds(x.ok)) return s;
    if (!loops_.empty() && loops_.back().extent && loops_.back().branches == 0 && loops_.back().goes_on)
      move(x, loops_.back());
    values.suppose(x.ok);
    return s;
  }

  std::optional<Stmt> loop(For x, const Stmt& s, bool gone) override {
    const Loop l = std::move(loops_.back());
    loops_.pop_back();
    if (gone) return {};
    const Expr some = arith(ArithOp::Less, constant(0), x.extent);
    const bool certain = constant_of(x.extent).value_or(0) >= 1;
    Stmt out{std::move(x), s.region};
    if (l.early.empty()) return out;
    Block all;
    for (const Check& c : l.early) all.statements.push_back(Stmt{c, c.region});
    all.statements.push_back(std::move(out));
    if (certain) return Stmt{std::move(all), s.region};
    return Stmt{If{some, Stmt{std::move(all)}, Stmt{Block{}}}, s.region};
  }

  // At the iteration where it holds least, what is not known to hold.
  void move(const Check& x, Loop& l) {
    const auto facts = values.facts_of(x.ok);
    if (!facts) return;
    for (const SizeFact& f : *facts) {
      if (values.holds(f) || (f.relation != SizeRelation::Less && f.relation != SizeRelation::LessEqual)) continue;
      const auto extreme = extreme_of(f, l);
      if (!extreme) continue;
      const auto at = [&](const Size& s) { return written(substitute(s, {{l.number, *extreme}}), l); };
      const auto left = at(f.left), right = at(f.right);
      if (!left || !right) continue;
      Check early = x;
      early.ok = arith(f.relation == SizeRelation::Less ? ArithOp::Less : ArithOp::LessEqual, *left, *right);
      bool said = true;
      for (Expr& e : early.values) {
        const auto value = values.value(e);
        const auto then = value ? at(*value) : std::nullopt;
        said = said && then;
        if (then) e = *then;
      }
      if (said && std::none_of(l.early.begin(), l.early.end(), [&](const Check& c) { return c.ok == early.ok; }))
        l.early.push_back(std::move(early));
    }
  }

  // The first iteration or the last, by the sign of what one more changes.
  static std::optional<Size> extreme_of(const SizeFact& f, const Loop& l) {
    const auto step = step_of(f.right - f.left, l.number);
    if (!step || *step == 0) return {};
    return *step > 0 ? Size(0) : *l.extent - Size(1);
  }

  // Over names that stand outside the loop; nothing where one is of what is read or computed inside.
  static std::optional<Expr> written(const Size& s, const Loop& l) {
    if (mentions(s, l.number)) return {};
    const auto named = IndexValues::over(l.outside, s);
    if (!named) return {};
    return rewritten(size_expr(*named), ExprChange([&](const Expr& e) {
                       const auto* v = std::get_if<Var>(&e.node);
                       return v && Size::name(v->name) == count ? l.count : e;
                     }));
  }
  static bool mentions_unknown(const Size& s) {
    std::set<std::string> names;
    collect_names(s, names);
    return std::any_of(names.begin(), names.end(), [](const std::string& n) { return n.starts_with('#'); });
  }
  // The same in every iteration, and before the loop.
  static bool stays(const Expr& e, const std::set<std::string>& assigned) {
    bool out = true;
    each_expression(e, [&](const Expr& x) {
      const auto* v = std::get_if<Var>(&x.node);
      out = out && !(v && assigned.contains(v->name)) && !std::holds_alternative<Load>(x.node);
    });
    return out;
  }

  static inline const Size count = Size::name("count#");
  std::vector<Loop> loops_;
};

}  // namespace

kernel::Program with_early_checks(const kernel::Program& p) {
  kernel::Program out = p;
  if (auto made = EarlyChecks(p).statement(p.body)) out.body = std::move(*made);
  return out;
}

Stage early_checks(const LanguageRef& kernel) {
  return stage_of<kernel::Program, kernel::Program>(
      "early-checks", "ours", kernel, kernel, [](const kernel::Program& p, Owed* owed) {
        kernel::Program out = with_early_checks(p);
        if (owed) owed->push_back({"early-checks", Erased(ChecksComeAnyway{p, out})});
        return out;
      });
}

}  // namespace lockstep

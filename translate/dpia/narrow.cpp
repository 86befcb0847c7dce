// Indices of 32 bits where a run's sizes allow it (ours). In: a kernel; out: the same with the sizes that have to fit,
// which bound what its index arithmetic comes to. Each value lies between -down and up, polynomials over the sizes that
// are natural wherever it is computed: a loop's variable below its extent, an element of an input of indices below what
// its type says. Where an index hangs on other data nothing is said, and the program keeps its 64 bits.
#include "semantics/core/size_limit.h"
#include "semantics/kernel/index_width.h"
#include "semantics/kernel/walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

struct Reach {
  Size down = 0, up = 0;
};

// A bound of both; atoms are natural.
Size at_least_both(const Size& a, const Size& b) { return a + positive_part(b - a); }

// Something that has to fit, where the loops around it run: so many as each of `extents` is 1 or more there.
struct Fit {
  Size size;
  std::vector<Size> extents;
};

// Wherever a is asked for.
bool is_at_most(const Fit& a, const Size& b) {
  const Size more = b - a.size;
  if (more.terms().size() > 8) return !has_negative(more);
  SizeContext runs;
  for (const Size& n : a.extents) runs.assume({1, SizeRelation::LessEqual, n});
  return runs.proves({0, SizeRelation::LessEqual, more});
}

class Reaches {
 public:
  explicit Reaches(const Program& p) : most_{IndexRange{p.launch.index}.most()} {
    for (const std::string& s : p.sizes) {
      sizes_.push_back(Size::name(s));
      names_[s] = Reach{0, sizes_.back()};
    }
    for (const Buffer& b : p.inputs)
      if (b.below) below_.emplace(b.name, *b.below);
    each_statement(p.body, [this](const Stmt& s) {
      if (const auto* a = std::get_if<kernel::Assign>(&s.node)) assigned_.insert(a->name);
    });
    statement(p.body);
  }

  // Nothing where something is not bounded, or too large at all sizes.
  std::optional<std::vector<Size>> take() const {
    if (!bounded_) return {};
    std::vector<Size> out;
    for (const Fit& f : fitting_) out.push_back(f.size);
    return out;
  }

 private:
  using Names = std::map<std::string, std::optional<Reach>>;

  void statement(const Stmt& s) {
    if (const auto* p = std::get_if<ParallelFor>(&s.node))
      return loop(p->name, p->extent, p->units, p->scratch, *p->body);
    if (const auto* f = std::get_if<kernel::For>(&s.node)) return loop(f->name, f->extent, {}, {}, *f->body);
    own_expressions(s, [this](const Expr& e) { reach(e); });
    if (const auto* d = std::get_if<Declare>(&s.node)) return declare(*d);
    if (const auto* x = std::get_if<Shuffle>(&s.node)) names_[x->name] = std::nullopt;
    if (const auto* b = std::get_if<Block>(&s.node)) inside(b->statements);
    if (const auto* i = std::get_if<kernel::If>(&s.node)) inside({*i->then}), inside({*i->otherwise});
    if (const auto* w = std::get_if<kernel::While>(&s.node)) inside({*w->body});
  }
  void inside(const std::vector<Stmt>& statements) {
    const Names outer = names_;
    for (const Stmt& s : statements) statement(s);
    names_ = outer;
  }
  void declare(const Declare& d) {
    const bool steady = d.init && d.type == KType{} && !assigned_.contains(d.name);
    names_[d.name] = steady ? reach(*d.init) : std::nullopt;
  }
  void loop(const std::string& name, const Expr& extent, const std::optional<Expr>& units,
            const std::vector<Allocate>& scratch, const Stmt& body) {
    const Names outer = names_;
    const auto n = reach(extent), dealt = units ? reach(*units) : Reach{};
    if (n && dealt)
      fits(n->up + dealt->up);
    else
      bounded_ = false;
    names_[name] = n ? std::optional(Reach{0, n->up - Size(1)}) : std::nullopt;
    if (n) extents_.push_back(n->up);
    for (const Allocate& a : scratch) {
      reach(a.count);
      if (a.at) reach(*a.at);
    }
    statement(body);
    if (n) extents_.pop_back();
    names_ = outer;
  }

  // Notes what has to fit.
  std::optional<Reach> reach(const Expr& e) {
    return match(
        e.node,
        [&](const Const& c) -> std::optional<Reach> {
          if (e.type != KType{}) return {};
          const std::int64_t n = c.value.integer();
          return n < 0 ? Reach{-n, 0} : Reach{0, n};
        },
        [&](const Var& v) {
          const auto found = names_.find(v.name);
          return found == names_.end() ? std::nullopt : found->second;
        },
        [&](const Arith& a) { return arithmetic(e, a); },
        [&](const Load& l) -> std::optional<Reach> {
          reach(*l.index);
          const auto below = below_.find(l.buffer);
          if (below == below_.end()) return {};
          return Reach{0, below->second - Size(1)};
        },
        [&](const Choose& c) -> std::optional<Reach> {
          reach(*c.condition);
          const auto x = reach(*c.then), y = reach(*c.otherwise);
          if (!x || !y) return {};
          return Reach{at_least_both(x->down, y->down), at_least_both(x->up, y->up)};
        },
        [&](const VectorLoad& l) { return reach(*l.index), std::optional<Reach>(); },
        [&](const Apply& a) { return all(a.arguments); },
        [&](const Lane& l) { return reach(*l.vector), reach(*l.lane), std::optional<Reach>(); },
        [&](const Build& b) { return all(b.lanes); },
        [&](const Splat& x) { return reach(*x.scalar), std::optional<Reach>(); });
  }
  std::optional<Reach> all(const std::vector<ExprRef>& es) {
    for (const ExprRef& e : es) reach(*e);
    return {};
  }

  std::optional<Reach> arithmetic(const Expr& e, const Arith& a) {
    const auto x = reach(*a.left), y = reach(*a.right);
    if (e.type != KType{}) return {};
    const auto out = result(a, x, y);
    bounded_ = bounded_ && out.has_value();
    if (out) fits(out->down), fits(out->up);
    return out;
  }
  static std::optional<Reach> result(const Arith& a, const std::optional<Reach>& x, const std::optional<Reach>& y) {
    const auto divisor = constant_of(*a.right);
    if (a.op == ArithOp::Modulo && divisor && *divisor > 0) return Reach{0, *divisor - 1};
    if (!x || !y) return {};
    switch (a.op) {
      case ArithOp::Add:
        return Reach{x->down + y->down, x->up + y->up};
      case ArithOp::Subtract:
        return Reach{x->down + y->up, x->up + y->down};
      case ArithOp::Multiply:
        return Reach{x->up * y->down + x->down * y->up, x->up * y->up + x->down * y->down};
      case ArithOp::Divide:
        return Reach{0, divisor && *divisor > 0 ? floor_div(x->up, *divisor) : x->up};
      case ArithOp::Modulo:
        return Reach{0, y->up - Size(1)};
      case ArithOp::Less:
      case ArithOp::LessEqual:
      case ArithOp::Equal:
      case ArithOp::And:
        break;
    }
    return {};
  }

  void fits(const Size& s) {
    const bool never = !has_negative(s - Size(most_) - Size(1));
    bounded_ = bounded_ && !never && s.terms().size() <= most_terms;
    if (!bounded_ || s.constant()) return;
    const Fit fit{s, extents_};
    if (std::any_of(sizes_.begin(), sizes_.end(), [&](const Size& t) { return is_at_most(fit, t); })) return;
    if (std::any_of(fitting_.begin(), fitting_.end(), [&](const Fit& t) { return is_at_most(fit, t.size); })) return;
    std::erase_if(fitting_, [&](const Fit& t) { return is_at_most(t, s); });
    fitting_.push_back(fit);
  }

  static constexpr std::size_t most_terms = 24;
  const std::int64_t most_;
  Names names_;
  std::map<std::string, Size> below_;
  std::set<std::string> assigned_;
  std::vector<Size> sizes_, extents_;  // the program's; of the loops around
  std::vector<Fit> fitting_;
  bool bounded_ = true;
};

}  // namespace

kernel::Program narrowed(const kernel::Program& p) {
  kernel::Program out = p;
  try {
    if (p.launch.index < most_index) out.narrow = Reaches(p).take();
  } catch (const SizeTooLarge&) {
    // A bound beyond 64 bits.
  }
  return out;
}

Stage narrow(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>("narrow", "ours", kernel, kernel,
                                                    [](const kernel::Program& p, Owed*) { return narrowed(p); },
                                                    {Change::Same, Change::Same, CostRelation::Space::NotMore});
}

}  // namespace lockstep

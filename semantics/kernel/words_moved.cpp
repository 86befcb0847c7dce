// Sums of polynomials over loops (words_moved.h): the powers of an iteration's number by Faulhaber's formulas.
#include "semantics/kernel/words_moved.h"

#include <algorithm>
#include <numeric>

#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::kernel {
namespace {

// A whole number: a polynomial over a constant.
struct Quotient {
  Size of;
  std::int64_t over = 1;
  friend Quotient operator+(const Quotient& a, const Quotient& b) {
    const std::int64_t over = std::lcm(a.over, b.over);
    return {a.of * Size(over / a.over) + b.of * Size(over / b.over), over};
  }
  friend bool operator==(const Quotient& a, const Quotient& b) { return a.of * Size(b.over) == b.of * Size(a.over); }
  Size value() const { return floor_div(of, Size(over)); }
};
using Words = std::optional<Quotient>;
Words whole(const Size& s) { return Quotient{s}; }

Words sum(const Words& a, const Words& b) { return a && b ? std::optional(*a + *b) : std::nullopt; }

// 0^k + 1^k + ... + (n - 1)^k, of a natural n.
Words sum_of_powers(int k, const Size& n) {
  const Size one = 1;
  switch (k) {
    case 0:
      return whole(n);
    case 1:
      return Quotient{n * (n - one), 2};
    case 2:
      return Quotient{(n - one) * n * (n + n - one), 6};
    case 3:
      return Quotient{n * n * (n - one) * (n - one), 4};
    default:
      return {};
  }
}

// Over `name` from 0 below n; nothing where it is no polynomial in it.
Words sum_over(const std::string& name, const Size& n, const Quotient& words) {
  Quotient out{0};
  for (const SizeTerm& t : words.of.terms()) {
    int power = 0;
    Size rest = t.coefficient;
    for (const auto& [atom, p] : t.powers) {
      const Size value = value_of(atom);
      if (atom.name == name)
        power = p;
      else if (mentions(value, name))
        return {};
      for (int k = 0; atom.name != name && k < p; ++k) rest = rest * value;
    }
    const Words all = sum_of_powers(power, n);
    if (!all) return {};
    out = out + Quotient{rest * all->of, all->over * words.over};
  }
  return out;
}

class Moved {
 public:
  explicit Moved(const Program& p) {
    for (const std::string& s : p.sizes) values_.insert_or_assign(s, Size::name(s));
    for (const SizeFact& f : p.facts) facts_.assume(f);
  }

  Words statement(const Stmt& s) {
    return match(
        s.node, [&](const Block& b) { return block(b.statements); },
        [&](const Declare& d) {
          const Words w = d.init ? expression(*d.init) : whole(0);
          set(d.name, d.init ? number(*d.init) : std::nullopt);
          return w;
        },
        [&](const Assign& a) {
          const Words w = expression(a.value);
          set(a.name, number(a.value));
          return w;
        },
        [&](const Store& t) { return sum(sum(expression(t.index), expression(t.value)), whole(t.value.type.width)); },
        [&](const Atomic& a) { return sum(sum(expression(a.index), expression(a.value)), whole(2)); },
        [&](const For& f) { return loop(f.name, f.extent, *f.body); },
        [&](const Allocate& a) { return expression(a.count); },
        [&](const ParallelFor& p) {
          const Words w = loop(p.name, p.extent, *p.body);
          return p.units ? sum(w, expression(*p.units)) : w;
        },
        [&](const If& i) { return branches(i); },
        [&](const While& w) { return quiet(s, *w.body) ? whole(0) : std::nullopt; },
        [&](const Check& c) { return expression(c.ok); }, [](const Barrier&) { return whole(0); },
        [](const Comment&) { return whole(0); },
        [&](const Shuffle& x) { return sum(expression(x.value), expression(x.lane)); });
  }

 private:
  static bool quiet(const Stmt& s, const Stmt& body) {
    bool out = !has<Store, Atomic>(body);
    each_expression(s, [&](const Expr& e) {
      out = out && !std::holds_alternative<Load>(e.node) && !std::holds_alternative<VectorLoad>(e.node);
    });
    return out;
  }

  Words block(const std::vector<Stmt>& all) {
    Words out = whole(0);
    for (const Stmt& s : all) out = sum(out, statement(s));
    return out;
  }

  Words loop(const std::string& name, const Expr& extent, const Stmt& body) {
    const Words before = expression(extent);
    const auto n = number(extent);
    forget(body);
    const auto outer = facts_;
    if (n) facts_.range(name, *n);
    values_.insert_or_assign(name, Size::name(name));
    const Words once = statement(body);
    facts_ = outer;
    forget(body);
    values_.erase(name);
    if (!once || once->of.terms().empty()) return sum(before, once);
    if (!n || !facts_.proves_nonnegative(*n)) return {};
    return sum(before, sum_over(name, *n, *once));
  }

  // As much on both sides; or a loop that the branch is around where it has an iteration.
  Words branches(const If& i) {
    const Words condition = expression(i.condition);
    const auto before = values_;
    const Words then = statement(*i.then);
    values_ = before;
    const Words otherwise = statement(*i.otherwise);
    values_ = before;
    forget(*i.then), forget(*i.otherwise);
    if (then && otherwise && *then == *otherwise) return sum(condition, then);
    return otherwise == whole(0) && only_where_it_runs(i) ? sum(condition, then) : std::nullopt;
  }
  static bool only_where_it_runs(const If& i) {
    const auto* b = std::get_if<Block>(&i.then->node);
    const auto* f = b && !b->statements.empty() ? std::get_if<For>(&b->statements.back().node) : nullptr;
    return f && i.condition == arith(ArithOp::Less, constant(0), f->extent) &&
           std::all_of(b->statements.begin(), b->statements.end() - 1,
                       [](const Stmt& s) { return std::holds_alternative<Check>(s.node) && quiet(s, s); });
  }

  Words expression(const Expr& e) {
    const auto all = [&](const std::vector<ExprRef>& parts) {
      Words out = whole(0);
      for (const ExprRef& p : parts) out = sum(out, expression(*p));
      return out;
    };
    return match(
        e.node, [](const Const&) { return whole(0); }, [](const Var&) { return whole(0); },
        [&](const Arith& a) { return sum(expression(*a.left), expression(*a.right)); },
        [&](const Load& l) { return sum(expression(*l.index), whole(1)); },
        [&](const VectorLoad& l) { return sum(expression(*l.index), whole(l.width)); },
        [&](const Apply& a) {
          const auto* op = a.primitive ? std::get_if<ScalarOp>(&a.primitive->kind) : nullptr;
          const Words w = all(a.arguments);
          const bool seldom = op && op->decided_by && expression(*a.arguments[1]) != whole(0);
          return seldom ? std::nullopt : w;
        },
        [&](const Choose& c) {
          const Words then = expression(*c.then), otherwise = expression(*c.otherwise);
          return then && otherwise && *then == *otherwise ? sum(expression(*c.condition), then) : std::nullopt;
        },
        [&](const Lane& l) { return sum(expression(*l.vector), expression(*l.lane)); },
        [&](const Build& b) { return all(b.lanes); }, [&](const Splat& s) { return expression(*s.scalar); });
  }

  // Index arithmetic, and that of the language on i64, which wraps nowhere that a size is used.
  std::optional<Size> number(const Expr& e) const {
    if (const auto* v = std::get_if<Var>(&e.node)) {
      const auto found = values_.find(v->name);
      return found == values_.end() ? std::nullopt : found->second;
    }
    if (const auto n = constant_of(e)) return Size(*n);
    if (!(e.type == KType{})) return {};
    const auto of = [&](char symbol, const Expr& a, const Expr& b) -> std::optional<Size> {
      const auto x = number(a), y = number(b);
      return x && y ? combined(symbol, *x, *y) : std::nullopt;
    };
    if (const auto* a = std::get_if<Arith>(&e.node)) {
      constexpr std::string_view symbols = "+-*/%";
      const auto k = static_cast<std::size_t>(a->op);
      return k < symbols.size() ? of(symbols[k], *a->left, *a->right) : std::nullopt;
    }
    const auto* x = std::get_if<Apply>(&e.node);
    const auto* op = x && x->primitive ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
    if (!op || !(x->operand == KType{})) return {};
    if (x->arguments.size() == 1 && op->gives == ScalarType::I64) return number(*x->arguments[0]);
    if (x->arguments.size() != 2 || (op->on_sizes != '+' && op->on_sizes != '-' && op->on_sizes != '*')) return {};
    return of(op->on_sizes, *x->arguments[0], *x->arguments[1]);
  }

  void set(const std::string& name, std::optional<Size> n) {
    if (n)
      values_.insert_or_assign(name, std::move(n));
    else
      values_.erase(name);
  }
  void forget(const Stmt& s) {
    each_statement(s, [&](const Stmt& x) {
      if (const auto* a = std::get_if<Assign>(&x.node)) values_.erase(a->name);
    });
  }

  std::map<std::string, std::optional<Size>> values_;  // of variables, where they are known
  SizeContext facts_;
};

}  // namespace

std::optional<Size> words_moved(const Program& p) {
  const Words all = Moved(p).statement(p.body);
  return all ? std::optional(all->value()) : std::nullopt;
}

}  // namespace lockstep::kernel

// Index sets (loop unswitching, Allen and Cocke, 1972; index-set splitting, Griebl, Feautrier and Lengauer, 2000):
// where conditions of a loop's body compare its variable, of a stencil whether a neighbour is inside the grid, the
// iterations in which they are decided have a loop of their own, without them. A loop of loops asks before those in it.
// In: a kernel; out: the same, iterations in their order.
#include <algorithm>

#include "semantics/core/size_limit.h"
#include "translate/dpia/bound_names.h"
#include "translate/dpia/known_walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

constexpr std::int64_t most_unrolled = 16;      // iterations of a loop that counts as none, as over a stencil's window
constexpr std::int64_t fewest_iterations = 64;  // of a loop that is worth it
constexpr std::size_t most_nodes = 600;         // of a body that is there several times

// From where on a condition has another value than before; in between it hangs on loops inside.
struct Zone {
  Size from, to;
  friend bool operator==(const Zone&, const Zone&) = default;
};
// The iterations from the first to before the last for which all that hangs on the ends of the loop is decided; or, of
// a loop that has no such conditions, the one place where it has another value.
struct Cut {
  std::int64_t before = 0, after = 0;  // how many iterations stand there
  std::optional<Size> at{};
};

struct Loop {
  const std::string& name;
  const Expr& extent;
  const StmtRef& body;
};
std::optional<Loop> loop_of(const Stmt& s) {
  if (const auto* f = std::get_if<kernel::For>(&s.node)) return Loop{f->name, f->extent, f->body};
  const auto* p = std::get_if<ParallelFor>(&s.node);
  return p && !p->units ? std::optional(Loop{p->name, p->extent, p->body}) : std::nullopt;
}
Stmt with(const Stmt& loop, const Expr& extent, Stmt body) {
  Stmt out = loop;
  const auto set = [&](auto& x) { x.extent = extent, x.body = StmtRef(std::move(body)); };
  if (auto* f = std::get_if<kernel::For>(&out.node))
    set(*f);
  else
    set(std::get<ParallelFor>(out.node));
  return out;
}

// The conditions of a body that compare a loop's variable.
class Zones {
 public:
  Zones(const Loop& loop, const std::vector<std::string>& sizes) : loop_(loop), sizes_(sizes.begin(), sizes.end()) {
    each_statement(*loop.body, [&](const Stmt& s) {
      for (const std::string& n : bound_by(s)) inside_.insert(n);
      const auto inner = loop_of(s);
      if (!inner) return;
      const auto n = constant_of(inner->extent);
      if (n && *n >= 1 && *n <= most_unrolled)
        few_.emplace(inner->name, *n);
      else
        has_loops_ = true;
      inside_.insert(inner->name);
    });
    for (const std::string& n : assigned_in(*loop.body)) inside_.insert(n);
    each_node(
        *loop.body,
        [&](const Stmt& s) {
          if (const auto* i = std::get_if<kernel::If>(&s.node)) of_condition(i->condition);
        },
        [&](const Expr& e) {
          if (const auto* c = std::get_if<Choose>(&e.node)) of_condition(*c->condition);
        });
  }
  bool has_loops() const { return has_loops_; }

  std::optional<Cut> cut() const {
    const auto n = as_size(loop_.extent);
    if (!n || !stays(*n)) return {};
    Cut out;
    std::vector<Size> others;
    for (const Zone& z : zones_) {
      const auto start = z.to.constant(), end = (*n - z.from).constant();
      if (start && (!end || *start <= *end))
        out.before = std::max(out.before, *start);
      else if (end)
        out.after = std::max(out.after, *end);
      else if (z.from == z.to && is_of_sizes(z.from) && std::count(others.begin(), others.end(), z.from) == 0)
        others.push_back(z.from);
    }
    if (out.before == 0 && out.after == 0 && others.size() == 1) out.at = others[0];
    return out.before != 0 || out.after != 0 || out.at ? std::optional(out) : std::nullopt;
  }

 private:
  // And of no quotient by one, which may be 0 where the loop does not run.
  bool is_of_sizes(const Size& s) const {
    std::set<std::string> names;
    collect_names(s, names);
    return !divides_by_sizes(s) && std::includes(sizes_.begin(), sizes_.end(), names.begin(), names.end());
  }
  void of_condition(const Expr& e) {
    if (const auto* a = std::get_if<Arith>(&e.node)) {
      if (a->op == ArithOp::And) return of_condition(*a->left), of_condition(*a->right);
      if (a->op == ArithOp::Less || a->op == ArithOp::LessEqual) compared(*a->left, *a->right, a->op == ArithOp::Less);
      return;
    }
    const auto* x = std::get_if<kernel::Apply>(&e.node);
    const auto* op = x && x->primitive ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
    if (!op || x->operand.width != 1) return;
    if (op->decided_by || op->negates)
      for (const ExprRef& part : x->arguments) of_condition(*part);
    if (!op->compares || !(x->operand == KType{})) return;
    const auto relation = op->compares->relation;
    if (relation != Comparison::Less && relation != Comparison::LessEqual) return;
    const bool swapped = op->compares->swapped;
    compared(*x->arguments[swapped ? 1 : 0], *x->arguments[swapped ? 0 : 1], relation == Comparison::Less);
  }
  void compared(const Expr& left, const Expr& right, bool strictly) try {
    const auto a = number(left), b = number(right);
    if (a && b) of_room(*b - *a - Size(strictly ? 1 : 0));
  } catch (const SizeTooLarge&) {  // a program's own numbers
  }
  // As an index, as if no operator wrapped: a loop may be cut anywhere.
  static std::optional<Size> number(const Expr& e) {
    if (auto size = as_size(e)) return size;
    const auto* x = std::get_if<kernel::Apply>(&e.node);
    const auto* op = x && x->primitive ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
    if (!op || !(x->operand == KType{}) || !(e.type == KType{})) return {};
    if (x->arguments.size() == 1) return converts(*op) ? number(*x->arguments[0]) : std::nullopt;
    if (x->arguments.size() != 2) return {};
    if (op->on_sizes != '+' && op->on_sizes != '-' && op->on_sizes != '*') return {};
    const auto a = number(*x->arguments[0]), b = number(*x->arguments[1]);
    return a && b ? combined(op->on_sizes, *a, *b) : std::nullopt;
  }
  static bool converts(const ScalarOp& op) {
    const scalars::Definition d = op.definition(ScalarType::I64);
    const auto* a = std::get_if<scalars::Definition::Apply>(&d.node);
    return std::holds_alternative<scalars::Definition::Argument>(d.node) || (a && a->op == scalars::Operation::Convert);
  }
  // A condition that holds where the room is 0 or more.
  void of_room(const Size& room) {
    const auto step = step_of(room, loop_.name);
    if (!step || (*step != 1 && *step != -1)) return;
    Size least = substitute(room, {{loop_.name, Size(0)}}), greatest = least;
    for (const auto& [name, n] : few_) {
      const auto inner = step_of(least, name);
      if (!inner) return;
      for (Size* end : {&least, &greatest})
        *end = substitute(*end, {{name, Size((end == &least) == (*inner < 0) ? n - 1 : 0)}});
    }
    const Zone zone = *step > 0 ? Zone{Size(0) - greatest, Size(0) - least} : Zone{least + Size(1), greatest + Size(1)};
    if (std::count(zones_.begin(), zones_.end(), zone) == 0) zones_.push_back(zone);
  }
  bool stays(const Size& s) const {  // while the loop runs
    std::set<std::string> names;
    collect_names(s, names);
    return std::none_of(names.begin(), names.end(), [&](const std::string& n) { return inside_.contains(n); });
  }

  const Loop& loop_;
  const std::set<std::string> sizes_;
  std::set<std::string> inside_;             // names that stand for something there
  std::map<std::string, std::int64_t> few_;  // loops of few iterations
  std::vector<Zone> zones_;
  bool has_loops_ = false;
};

Expr at_most(const Size& a, const Size& b) { return arith(ArithOp::LessEqual, size_expr(a), size_expr(b)); }
Expr both(std::optional<Expr> a, Expr b) { return a ? arith(ArithOp::And, std::move(*a), std::move(b)) : b; }

class Splitting {
 public:
  explicit Splitting(const Program& p) : sizes_(p.sizes), names_(names_of(p)) {}
  bool changed = false;

  Stmt in(const Stmt& s) {
    const auto loop = loop_of(s);
    if (!loop) return below(s);
    const auto n = as_size(loop->extent);
    std::size_t nodes = 0;
    each_node(
        *loop->body, [&](const Stmt&) { ++nodes; }, [&](const Expr&) { ++nodes; });
    if (!n || (n->constant() && *n->constant() < fewest_iterations) || nodes > most_nodes) return below(s);
    const Zones zones(*loop, sizes_);
    const auto cut = zones.cut();
    if (!cut) return below(s);
    changed = true;
    return zones.has_loops() ? unswitched(s, *loop, *n, *cut) : in_parts(s, *loop, *n, *cut);
  }

 private:
  Stmt below(const Stmt& s) {
    Stmt out = s;
    const auto into = [&](StmtRef& part) { part = StmtRef(in(*part)); };
    if (auto* b = std::get_if<Block>(&out.node))
      for (Stmt& x : b->statements) x = in(x);
    if (auto* f = std::get_if<kernel::For>(&out.node)) into(f->body);
    if (auto* p = std::get_if<ParallelFor>(&out.node)) into(p->body);
    if (auto* i = std::get_if<kernel::If>(&out.node)) into(i->then), into(i->otherwise);
    if (auto* w = std::get_if<kernel::While>(&out.node)) into(w->body);
    return out;
  }
  Stmt copy(const Stmt& s) { return with_own_names(s, names_); }

  static const Stmt& alone(const Stmt& s) {
    const auto* b = std::get_if<Block>(&s.node);
    return b && b->statements.size() == 1 ? alone(b->statements[0]) : s;
  }
  Stmt unswitched(const Stmt& s, const Loop& loop, const Size& n, const Cut& cut) {
    const Size i = Size::name(loop.name);
    std::optional<Expr> inside;
    if (cut.before > 0) inside = at_most(Size(cut.before), i);
    if (cut.after > 0) inside = both(inside, at_most(i + Size(1), n - Size(cut.after)));
    if (cut.at) inside = at_most(i + Size(1), *cut.at);
    Stmt parts = in(*loop.body);
    // A body that stays as it is where its own loop is too short has one copy for both.
    if (const auto* cut_inside = std::get_if<kernel::If>(&alone(parts).node);
        !cut.at && cut_inside && *cut_inside->otherwise == alone(*loop.body))
      return with(s, loop.extent,
                  Stmt{kernel::If{both(inside, cut_inside->condition), *cut_inside->then, *loop.body}, s.region});
    Stmt rest = copy(*loop.body);
    if (cut.at) rest = in(rest);
    return with(s, loop.extent, Stmt{kernel::If{*inside, std::move(parts), std::move(rest)}, s.region});
  }

  Stmt in_parts(const Stmt& s, const Loop& loop, const Size& n, const Cut& cut) {
    Block parts;
    const auto part = [&](const Size& from, const Size& count) {
      if (count == Size(0)) return;
      const Expr index = size_expr(Size::name(loop.name) + from);
      parts.statements.push_back(copy(with(s, size_expr(count), with_value(*loop.body, loop.name, index))));
    };
    std::optional<Expr> possible;
    if (cut.at) {
      possible = both(at_most(Size(0), *cut.at), at_most(*cut.at, n));
      part(Size(0), *cut.at);
      part(*cut.at, n - *cut.at);
    } else {
      const Size before(cut.before), after(cut.after);
      possible = at_most(before + after + Size(1), n);
      part(Size(0), before);
      part(before, n - before - after);
      part(n - after, after);
    }
    Stmt all{std::move(parts), s.region};
    if (const auto* known = std::get_if<Const>(&possible->node)) return known->value.bits != 0 ? all : s;
    return Stmt{kernel::If{*possible, std::move(all), s}, s.region};
  }

  const std::vector<std::string>& sizes_;
  Names names_;
};

// Choices and branches of which it is known where they stand how they end; branches that the program has by sizes alone
// stay, with the loops that are written in them.
class Decided final : public KnownWalk {
 public:
  explicit Decided(const Program& p) : KnownWalk(p) {
    each_statement(p.body, [&](const Stmt& s) {
      if (const auto loop = loop_of(s)) loops_.insert(loop->name);
    });
  }

 private:
  bool is_of_loop(const Expr& condition) const {
    bool out = false;
    each_expression(condition, [&](const Expr& e) {
      const auto* v = std::get_if<Var>(&e.node);
      out = out || (v && loops_.contains(v->name));
    });
    return out;
  }
  Stmt said(const Stmt& s) override {
    const auto* i = std::get_if<kernel::If>(&s.node);
    if (i && (is_of_loop(i->condition) || std::holds_alternative<Arith>(i->condition.node)))
      for (const bool side : {true, false})
        if (values.holds(i->condition, side)) return said(side ? *i->then : *i->otherwise);
    return map_own(s, [&](const Expr& e) { return decided(e); });
  }
  Expr decided(const Expr& e) {
    if (const auto* c = std::get_if<Choose>(&e.node))
      for (const bool side : {true, false})
        if (values.holds(*c->condition, side)) return decided(side ? *c->then : *c->otherwise);
    return map_children(e, [&](const Expr& part) { return decided(part); });
  }
  std::optional<Stmt> check(const Check& x, const Stmt& s) override {
    values.suppose(x.ok);
    return s;
  }

  std::set<std::string> loops_;  // their variables
};

}  // namespace

kernel::Program with_index_sets_split(const kernel::Program& p) {
  Splitting splitting(p);
  Program out = p;
  out.body = splitting.in(p.body);
  if (!splitting.changed) return p;
  if (auto decided = Decided(out).statement(out.body)) out.body = std::move(*decided);
  return out;
}

Stage index_sets(const LanguageRef& kernel) {
  return stage_of<kernel::Program, kernel::Program>(
      "index-sets", "ours", kernel, kernel, [](const kernel::Program& p, Owed*) { return with_index_sets_split(p); });
}

}  // namespace lockstep

// Counted loops (ours): a `while` that goes from 0 by 1 as long as the number is below a bound that stays is a `for`,
// whose variable is known to be below the bound. In: a kernel; out: the same with such loops.
#include "semantics/kernel/walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

const Var* variable_in(const Expr& e) { return std::get_if<Var>(&e.node); }

// The two sides of x < y.
std::optional<std::pair<const Expr*, const Expr*>> sides_of_less(const Expr& e) {
  if (const auto* a = std::get_if<Arith>(&e.node))
    return a->op == ArithOp::Less ? std::optional(std::pair(&*a->left, &*a->right)) : std::nullopt;
  const auto* x = std::get_if<kernel::Apply>(&e.node);
  const auto* op = x && x->primitive ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  if (!op || !op->compares || op->compares->relation != Comparison::Less || !(x->operand == KType{})) return {};
  const Expr &a = *x->arguments.at(0), &b = *x->arguments.at(1);
  return op->compares->swapped ? std::pair(&b, &a) : std::pair(&a, &b);
}

// Whether e is name + 1.
bool is_next_of(const Expr& e, const std::string& name) {
  const auto sum = [&](const Expr& a, const Expr& b) {
    const Var* v = variable_in(a);
    return v && v->name == name && constant_of(b) == 1;
  };
  if (const auto* a = std::get_if<Arith>(&e.node)) return a->op == ArithOp::Add && sum(*a->left, *a->right);
  const auto* x = std::get_if<kernel::Apply>(&e.node);
  const auto* op = x && x->primitive ? std::get_if<ScalarOp>(&x->primitive->kind) : nullptr;
  return op && op->on_sizes == '+' && x->operand == KType{} && sum(*x->arguments.at(0), *x->arguments.at(1));
}

const kernel::Assign* assignment(const Stmt& s) { return std::get_if<kernel::Assign>(&s.node); }

class CountedLoops {
 public:
  explicit CountedLoops(const Program& p) : program_(p) {
    each_node(
        p.body,
        [&](const Stmt& s) {
          if (const auto* a = assignment(s)) ++uses_[a->name];
        },
        [&](const Expr& e) {
          if (const Var* v = variable_in(e)) ++uses_[v->name];
        });
  }

  Program run() {
    Program out = program_;
    out.body = rewritten(program_.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                           const auto* b = std::get_if<Block>(&s.node);
                           return {b ? Stmt{block(*b), s.region} : s};
                         }));
    out.body = rewritten(out.body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                           const auto* d = std::get_if<Declare>(&s.node);
                           return d && gone_.contains(d->name) ? std::vector<Stmt>{} : std::vector{s};
                         }));
    return out;
  }

 private:
  struct Loop {
    std::string number, next, again;
    Expr bound;
    std::vector<Stmt> body;
  };

  Block block(Block b) {
    for (std::size_t k = 1; k < b.statements.size(); ++k) {
      auto loop = loop_at(b.statements, k);
      if (!loop) continue;
      const auto start = start_of(b.statements, k - 1, loop->number);
      if (!start) continue;
      for (const std::string* n : {&loop->number, &loop->next, &loop->again}) gone_.insert(*n);
      b.statements[k].node = For{loop->number, std::move(loop->bound), Stmt{Block{std::move(loop->body)}}, false};
      b.statements.erase(b.statements.begin() + static_cast<std::ptrdiff_t>(k - 1));
      b.statements.erase(b.statements.begin() + static_cast<std::ptrdiff_t>(*start));
      k -= 2;
    }
    return b;
  }

  // again = number < bound; while (again) { ... next = number + 1; ... number = next; ... again = number < bound; }
  std::optional<Loop> loop_at(const std::vector<Stmt>& all, std::size_t k) const {
    const auto* w = std::get_if<While>(&all[k].node);
    const auto* first = assignment(all[k - 1]);
    const Var* again = w ? variable_in(w->condition) : nullptr;
    if (!again || !first || first->name != again->name) return {};
    const auto sides = sides_of_less(first->value);
    const Var* number = sides ? variable_in(*sides->first) : nullptr;
    const auto* body = std::get_if<Block>(&w->body->node);
    if (!number || !body || body->statements.empty()) return {};
    const auto* last = assignment(body->statements.back());
    if (!last || last->name != again->name || !(last->value == first->value)) return {};
    Loop out{number->name, "", again->name, *sides->second, body->statements};
    out.body.pop_back();
    if (!take_step(out) || !stays(out.bound, *w->body)) return {};
    // Read and written here alone: in start, both tests, the loop's condition, step.
    std::size_t reads_in_body = 0;
    for (const Stmt& s : out.body)
      each_expression(s, [&](const Expr& e) { reads_in_body += is_read_of(e, out.number); });
    const auto uses = [&](const std::string& n) { return uses_.contains(n) ? uses_.at(n) : 0; };
    if (uses(out.again) != 3 || uses(out.next) != 2 || uses(out.number) != 5 + reads_in_body) return {};
    return out;
  }

  // Takes next = number + 1 and number = next out of the body, after which the number is not read.
  static bool take_step(Loop& loop) {
    for (std::size_t k = loop.body.size(); k-- > 0;) {
      const auto* a = assignment(loop.body[k]);
      if (!a || a->name != loop.number) {
        if (reads(loop.body[k], loop.number)) return false;
        continue;
      }
      const Var* next = variable_in(a->value);
      if (!next) return false;
      loop.next = next->name;
      loop.body.erase(loop.body.begin() + static_cast<std::ptrdiff_t>(k));
      for (std::size_t j = k; j-- > 0;) {
        const auto* step = assignment(loop.body[j]);
        if (!step || step->name != loop.next) continue;
        if (!is_next_of(step->value, loop.number)) return false;
        loop.body.erase(loop.body.begin() + static_cast<std::ptrdiff_t>(j));
        return true;
      }
      return false;
    }
    return false;
  }

  // Neither loads nor names that the loop writes.
  static bool stays(const Expr& e, const Stmt& loop) {
    bool out = true;
    each_expression(e, [&](const Expr& x) {
      if (const Var* v = variable_in(x)) out = out && !writes(loop, v->name);
      out = out && !std::holds_alternative<Load>(x.node) && !std::holds_alternative<VectorLoad>(x.node);
    });
    return out;
  }

  // Where number = 0 stands before.
  static std::optional<std::size_t> start_of(const std::vector<Stmt>& all, std::size_t before,
                                             const std::string& number) {
    for (std::size_t k = before; k-- > 0;) {
      if (const auto* a = assignment(all[k]); a && a->name == number)
        return constant_of(a->value) == 0 ? std::optional(k) : std::nullopt;
      if (reads(all[k], number) || writes(all[k], number)) return {};
    }
    return {};
  }

  const Program& program_;
  std::map<std::string, std::size_t> uses_;
  std::set<std::string> gone_;  // variables that were the loop's own
};

}  // namespace

kernel::Program with_counted_loops(const kernel::Program& p) { return CountedLoops(p).run(); }

Stage counted(const LanguageRef& kernel) {
  return stage_of<kernel::Program, kernel::Program>(
      "counted", "ours", kernel, kernel, [](const kernel::Program& p, Owed*) { return with_counted_loops(p); });
}

}  // namespace lockstep

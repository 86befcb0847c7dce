// Counted loops (ours): a `while` that goes by 1 as long as the number is below a bound that stays is a `for`, whose
// variable is known to be below the bound. From another number than 0 it counts how far it has gone, from a natural
// one: from a negative one on the distance may be no i64, so that the `while` stays beside it for those. In: a kernel;
// out: the same with such loops.
#include "semantics/kernel/walk.h"
#include "translate/dpia/bound_names.h"
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
  enum class From { Zero, Elsewhere };
  CountedLoops(const Program& p, From from) : program_(p), from_(from), names_(names_of(p)) {
    for (const Buffer& b : p.inputs) inputs_.insert(b.name);
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
      const auto from = constant_of(assignment(b.statements[*start])->value);
      if ((from == 0) != (from_ == From::Zero)) continue;
      if (from != 0) {
        auto all = from_start(std::move(*loop), from.value_or(-1) > 0, b.statements[k - 1], b.statements[k]);
        if (all) b.statements[k] = std::move(*all), b.statements.erase(at(b, k - 1)), --k;
        continue;
      }
      for (const std::string* n : {&loop->number, &loop->next, &loop->again}) gone_.insert(*n);
      Stmt made{For{loop->number, std::move(loop->bound), Stmt{Block{std::move(loop->body)}}, false},
                b.statements[k].region};
      b.statements[k] = with_bound_read(std::move(made));
      b.statements.erase(at(b, k - 1));
      b.statements.erase(at(b, *start));
      k -= 2;
    }
    return b;
  }
  static std::vector<Stmt>::iterator at(Block& b, std::size_t k) {
    return b.statements.begin() + static_cast<std::ptrdiff_t>(k);
  }

  // Behind the number's start: if (number < bound) for (j < bound - number) ... of number + j, where that is natural;
  // else the while, and what it asks first.
  std::optional<Stmt> from_start(Loop loop, bool natural, const Stmt& asked, const Stmt& whole) {
    constexpr std::size_t most = 400;  // expressions that may stand twice
    std::size_t twice = 0;
    for (const Stmt& s : loop.body) each_expression(s, [&](const Expr&) { ++twice; });
    if (!natural && twice > most) return {};
    const std::string j = names_.fresh(loop.number), end = names_.fresh("end");
    const Expr number = variable(loop.number), bound = variable(end);
    Stmt body = with_value(Stmt{Block{std::move(loop.body)}}, loop.number, arith(ArithOp::Add, number, variable(j)));
    if (!natural) body = with_own_names(body, names_);
    Stmt way{Block{{Stmt{For{j, arith(ArithOp::Subtract, bound, number), std::move(body), false}, whole.region}}}};
    if (natural)
      gone_.insert(loop.next), gone_.insert(loop.again);
    else
      way = Stmt{Block{
          {Stmt{If{arith(ArithOp::LessEqual, constant(0), number), std::move(way), Stmt{Block{{asked, whole}}}}}}}};
    const Stmt read{Declare{end, KType{}, std::move(loop.bound)}, whole.region};
    const Stmt some{If{arith(ArithOp::Less, number, bound), std::move(way), Stmt{Block{}}}, whole.region};
    return Stmt{Block{{read, some}}, whole.region};
  }
  // A bound that is read of an input is read before the loop.
  Stmt with_bound_read(Stmt s) {
    auto& loop = std::get<For>(s.node);
    bool reads_input = false;
    each_expression(loop.extent, [&](const Expr& x) { reads_input |= std::holds_alternative<Load>(x.node); });
    if (!reads_input) return s;
    const std::string end = names_.fresh("end");
    Stmt read{Declare{end, KType{}, std::move(loop.extent)}, s.region};
    loop.extent = variable(end);
    const Region region = s.region;
    return Stmt{Block{{std::move(read), std::move(s)}}, region};
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

  // Neither names that the loop writes nor loads, but of inputs.
  bool stays(const Expr& e, const Stmt& loop) const {
    bool out = true;
    each_expression(e, [&](const Expr& x) {
      if (const Var* v = variable_in(x)) out = out && !writes(loop, v->name);
      if (const auto* l = std::get_if<Load>(&x.node)) out = out && inputs_.contains(l->buffer);
      out = out && !std::holds_alternative<VectorLoad>(x.node);
    });
    return out;
  }

  // Where the number gets what it starts from.
  static std::optional<std::size_t> start_of(const std::vector<Stmt>& all, std::size_t before,
                                             const std::string& number) {
    for (std::size_t k = before; k-- > 0;) {
      if (const auto* a = assignment(all[k]); a && a->name == number) return k;
      if (reads(all[k], number) || writes(all[k], number)) return {};
    }
    return {};
  }

  const Program& program_;
  const From from_;
  Names names_;
  std::set<std::string> inputs_;
  std::map<std::string, std::size_t> uses_;
  std::set<std::string> gone_;  // variables that were the loop's own
};

}  // namespace

// Those from 0 first: of what stands twice for a loop inside, a loop around could not tell its own uses.
kernel::Program with_counted_loops(const kernel::Program& p) {
  const kernel::Program from_zero = CountedLoops(p, CountedLoops::From::Zero).run();
  return CountedLoops(from_zero, CountedLoops::From::Elsewhere).run();
}

Stage counted(const LanguageRef& kernel) {
  return stage_of<kernel::Program, kernel::Program>(
      "counted", "ours", kernel, kernel, [](const kernel::Program& p, Owed*) { return with_counted_loops(p); });
}

}  // namespace lockstep

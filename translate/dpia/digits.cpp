// Digits (FCL §3, ours): a loop over a*b whose variable is divided by b is two, over its quotient and its remainder;
// and arithmetic on i64 whose value is known as one of indices is that where it takes less, as of a quotient of what a
// quotient and a remainder make; of a % b with a below 2 b a choice is left. In: a kernel; out: the same without such
// divisions.
#include "translate/dpia/bound_names.h"
#include "translate/dpia/known_walk.h"
#include "translate/dpia/stage.h"

namespace lockstep {
namespace {

using namespace kernel;

bool is_division(const Arith& a) { return a.op == ArithOp::Divide || a.op == ArithOp::Modulo; }

// Of a node, roughly in additions. A division of i64 has a branch, too, for a divisor of -1.
int effort_of(const Expr& e) {
  constexpr int of_division = 20, of_load = 4;
  if (std::holds_alternative<Const>(e.node) || std::holds_alternative<Var>(e.node)) return 0;
  if (std::holds_alternative<Load>(e.node)) return of_load;
  if (const auto* a = std::get_if<Arith>(&e.node); a && is_division(*a)) return of_division;
  const auto* a = std::get_if<kernel::Apply>(&e.node);
  const auto* op = a && a->primitive ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
  return op && (op->on_sizes == '/' || op->on_sizes == '%') ? of_division + 2 : 1;
}
int effort(const Expr& e) {
  int all = 0;
  each_expression(e, [&](const Expr& x) { all += effort_of(x); });
  return all;
}

// Sums and products of indices alone are left as they are: asking for their values takes time.
bool has_more_than_sums(const Expr& e) {
  bool out = false;
  each_expression(e, [&](const Expr& x) {
    const auto* a = std::get_if<Arith>(&x.node);
    out = out || std::holds_alternative<kernel::Apply>(x.node) || (a && a->op >= ArithOp::Divide);
  });
  return out;
}

class Arithmetic final : public KnownWalk {
 public:
  using KnownWalk::KnownWalk;

 private:
  Stmt said(const Stmt& s) override {
    const auto* f = std::get_if<kernel::For>(&s.node);
    if (f && as_size(f->extent) && is_more_elsewhere(f->extent)) return s;
    return map_own(s, [&](const Expr& e) { return shorter(e); });
  }
  // An extent of sizes that a branch says are related is another one where the branch is not taken, and costs are said
  // of all sizes.
  bool is_more_elsewhere(const Expr& extent) {
    const auto known = values.as_index(extent);
    return known && !constant_of(*known);
  }
  Expr shorter(const Expr& e) {
    if (!has_more_than_sums(e)) return e;
    if (auto remainder = chosen_remainder(e)) {
      remainder->region = e.region;
      return *remainder;
    }
    if (e.type == KType{})
      if (auto known = values.as_index(e); known && effort(*known) < effort(e) && !values.is_unreachable()) {
        known->region = e.region;
        return *known;
      }
    return map_children(e, [&](const Expr& part) { return shorter(part); });
  }
  // a % b of a number below 2 b is it, or b less, as at the ends of a ring.
  std::optional<Expr> chosen_remainder(const Expr& e) {
    const auto operands = operands_of_remainder(e);
    if (!operands || constant_of(operands->second)) return {};
    const auto a = values.value(operands->first), b = values.value(operands->second);
    if (!a || !b || !values.at_most(1, *b) || !values.at_most(0, *a)) return {};
    if (values.at_most(*a + Size(1), *b) || !values.at_most(*a + Size(1), *b + *b)) return {};
    const auto whole = values.as_index(operands->first);
    const auto less = values.as_index(arith(ArithOp::Subtract, operands->first, operands->second));
    const auto room = less ? as_size(*less) : std::nullopt;
    if (!whole || !room || values.is_unreachable()) return {};
    const Expr below = arith(ArithOp::Less, size_expr(positive_part(*room)), size_expr(positive_part(Size(0) - *room)));
    return Expr{{}, Choose{below, *whole, *less}};
  }
  static std::optional<std::pair<Expr, Expr>> operands_of_remainder(const Expr& e) {
    if (const auto* a = std::get_if<Arith>(&e.node))
      return a->op == ArithOp::Modulo ? std::optional(std::pair(*a->left, *a->right)) : std::nullopt;
    const auto* a = std::get_if<kernel::Apply>(&e.node);
    const auto* op = a && a->primitive ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
    if (!op || op->on_sizes != '%' || a->operand != KType{} || a->arguments.size() != 2) return {};
    return std::pair(*a->arguments[0], *a->arguments[1]);
  }
  std::optional<Stmt> check(const Check& x, const Stmt& s) override {
    values.suppose(x.ok);
    return s;
  }
};

Stmt with_less_arithmetic(const Program& p, const Stmt& body) {
  auto out = Arithmetic(p).statement(body);
  return out ? std::move(*out) : Stmt{Block{}};
}

class Digits {
 public:
  explicit Digits(Names& names) : names_(names) {}
  bool changed = false;

  Stmt in(const Stmt& body) {
    return rewritten(body, StmtChange([&](const Stmt& s) -> std::vector<Stmt> {
                       const auto* f = std::get_if<kernel::For>(&s.node);
                       const auto radix = f ? radix_of(*f) : std::nullopt;
                       return {radix ? split(*f, *radix, s.region) : s};
                     }));
  }

 private:
  // What its variable is divided by and its extent is a multiple of.
  static std::optional<Size> radix_of(const kernel::For& f) {
    const auto extent = as_size(f.extent);
    if (!extent) return {};
    const Size index = Size::name(f.name);
    std::optional<Size> out;
    each_expression(*f.body, [&](const Expr& e) {
      const auto* a = std::get_if<Arith>(&e.node);
      if (out || !a || !is_division(*a) || as_size(*a->left) != index) return;
      const auto radix = as_size(*a->right);
      if (!radix || *radix == Size(1) || *radix == *extent || !stays(*radix, *f.body)) return;
      if (!(floor_div(*extent, *radix) * *radix == *extent)) return;
      out = *radix;
    });
    return out;
  }
  static bool stays(const Size& radix, const Stmt& body) {
    bool out = true;
    std::set<std::string> names;
    collect_names(radix, names);
    each_statement(body, [&](const Stmt& s) {
      for (const std::string& n : bound_by(s)) out = out && !names.contains(n);
      for (const std::string& n : names) out = out && !is_write_of(s, n);
    });
    return out;
  }

  Stmt split(const kernel::For& f, const Size& radix, const Region& at) {
    changed = true;
    const std::string quotient = names_.fresh(f.name), remainder = names_.fresh(f.name);
    const Expr index =
        arith(ArithOp::Add, arith(ArithOp::Multiply, variable(quotient), size_expr(radix)), variable(remainder));
    Stmt body = with_value(*f.body, f.name, index);
    const Size all = floor_div(*as_size(f.extent), radix);
    Stmt inner{kernel::For{remainder, size_expr(radix), std::move(body), f.unroll}, at};
    return {kernel::For{quotient, size_expr(all), std::move(inner), f.unroll}, at};
  }

  Names& names_;
};

}  // namespace

kernel::Program by_digits(const kernel::Program& p) {
  Program out = p;
  out.body = with_less_arithmetic(p, p.body);
  Names names = names_of(p);
  for (;;) {
    Digits digits(names);
    Stmt now = digits.in(out.body);
    if (!digits.changed) break;
    out.body = with_less_arithmetic(p, now);
  }
  return out;
}

Stage digits(const LanguageRef& kernel) {
  using Change = CostRelation::Change;
  return stage_of<kernel::Program, kernel::Program>("digits", "FCL §3, ours", kernel, kernel,
                                                    [](const kernel::Program& p, Owed*) { return by_digits(p); },
                                                    {Change::NotMore, Change::NotMore, CostRelation::Space::NotMore});
}

}  // namespace lockstep

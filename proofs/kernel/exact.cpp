// What a scalar operator on i64 gives as a term, read off its definition (semantics/scalars): arithmetic on sizes and
// loop variables is index arithmetic where it does not wrap, which normal forms show: what it gives is at most a size,
// an extent or a count, which are numbers of 64 bits, or between the sums of what it is made of at most, of sizes of
// 2^56; a division is where both are natural. In: the operands as terms; out: a term, or nothing where that is not
// known.
#include <algorithm>

#include "proofs/kernel/accesses_values.h"
#include "proofs/kernel/prover.h"
#include "semantics/core/size_limit.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs::kernels {

using namespace kernel;
using scalars::Definition;
using scalars::Operation;

namespace {

class Exact {
 public:
  using Extents = std::map<std::string, Term>;  // of the loops around, by their variables
  Exact(const std::vector<ExprRef>& arguments, Known known, std::vector<Term> numbers, std::set<std::string> sizes,
        Extents extents, bool wraps)
      : arguments_(arguments),
        known_(std::move(known)),
        numbers_(std::move(numbers)),
        sizes_(std::move(sizes)),
        extents_(std::move(extents)),
        wraps_(wraps) {}

  std::optional<Term> of(const Definition& d) const {
    if (d.type != ScalarType::I64) return {};
    return match(
        d.node, [&](const Definition::Argument& a) -> std::optional<Term> { return *arguments_.at(a.k); },
        [](const Definition::Constant& c) -> std::optional<Term> { return number(c.value.integer()); },
        [&](const Definition::Apply& a) { return applied(a); }, [&](const Definition::Choice& c) { return chosen(c); },
        [](const Definition::Library&) { return std::optional<Term>(); });
  }

 private:
  std::optional<Term> applied(const Definition::Apply& a) const {
    if (a.op == Operation::Negate) {
      const auto x = of(a.operands.at(0));
      return x && natural_size(*x) ? within(subtract(number(0), *x)) : std::nullopt;
    }
    const auto x = of(a.operands.at(0)), y = a.operands.size() == 2 ? of(a.operands[1]) : std::nullopt;
    return x && y ? combined(a.op, *x, *y) : std::nullopt;
  }
  std::optional<Term> combined(Operation op, const Term& left, const Term& right) const {
    if (!wraps_)
      for (const Term* t : {&left, &right})
        if (const auto* c = std::get_if<Choose>(&t->node)) {
          const auto with = [&](const Term& chosen) {
            return t == &left ? combined(op, chosen, right) : combined(op, left, chosen);
          };
          const auto then = with(*c->then), otherwise = with(*c->otherwise);
          if (!then || !otherwise) return {};
          return Term{KType{}, Choose{*c->condition, *then, *otherwise}};
        }
    const Term *x = &left, *y = &right;
    if (!natural_size(*x) || !natural_size(*y)) return {};
    const auto naturals = [&](const Term& out) {
      const Term both_natural = both(less_equal(number(0), *x), less_equal(number(1), *y));
      return follows(known_, both_natural) ? std::optional(out) : std::nullopt;
    };
    if (op == Operation::Add) return within(add(*x, *y));
    if (op == Operation::Subtract) return within(subtract(*x, *y));
    if (op == Operation::Multiply) return within(multiply(*x, *y));
    if (op == Operation::Divide) return naturals(divide(*x, *y));
    if (op == Operation::Remainder) return naturals(arith(ArithOp::Modulo, *x, *y));
    return {};
  }
  std::optional<Term> chosen(const Definition::Choice& c) const {
    const auto condition = condition_of(c.operands.at(0));
    if (!condition) return {};
    if (follows(known_, *condition)) return of(c.operands.at(1));
    if (follows(known_, negation(*condition))) return of(c.operands.at(2));
    const auto then = of(c.operands.at(1)), otherwise = of(c.operands.at(2));
    if (!then || !otherwise) return {};
    return Term{KType{}, Choose{*condition, *then, *otherwise}};
  }
  std::optional<Term> condition_of(const Definition& d) const {
    const auto* a = std::get_if<Definition::Apply>(&d.node);
    if (!a || a->operands.size() != 2) return {};
    const auto x = of(a->operands[0]), y = of(a->operands[1]);
    if (!x || !y) return {};
    if (a->op == Operation::Equal) return equal(*x, *y);
    if (a->op == Operation::Less) return less(*x, *y);
    if (a->op == Operation::LessEqual) return less_equal(*x, *y);
    if (a->op == Operation::Greater) return less(*y, *x);
    if (a->op == Operation::GreaterEqual) return less_equal(*y, *x);
    return {};
  }
  // Between which numbers a term lies, of sums, differences and products of naturals.
  std::optional<std::pair<double, double>> ends_of(const Term& t) const {
    if (const auto n = constant_of(t)) return std::pair(static_cast<double>(*n), static_cast<double>(*n));
    if (const auto* v = std::get_if<Var>(&t.node)) {
      if (sizes_.contains(v->name)) return std::pair(0.0, static_cast<double>(largest_size));
      const auto extent = extents_.find(v->name);
      const auto end = extent == extents_.end() ? std::nullopt : ends_of(extent->second);
      return end ? std::optional(std::pair(0.0, std::max(0.0, end->second))) : std::nullopt;
    }
    const auto* a = std::get_if<Arith>(&t.node);
    if (!a || a->op > ArithOp::Multiply) return {};
    const auto x = ends_of(*a->left), y = ends_of(*a->right);
    if (!x || !y) return {};
    if (a->op == ArithOp::Add) return std::pair(x->first + y->first, x->second + y->second);
    if (a->op == ArithOp::Subtract) return std::pair(x->first - y->second, x->second - y->first);
    if (x->first < 0 || y->first < 0) return {};
    return std::pair(x->first * y->first, x->second * y->second);
  }
  std::optional<Term> within(const Term& out) const {
    if (!wraps_) return out;
    constexpr double half = 4611686018427387904.0;
    if (const auto ends = ends_of(out); ends && -half <= ends->first && ends->second <= half) return out;
    const auto below = [&](const Term& t) {
      return std::any_of(numbers_.begin(), numbers_.end(),
                         [&](const Term& n) { return follows(known_, less_equal(t, n)); });
    };
    const bool above = follows(known_, less_equal(number(0), out)) || below(subtract(number(0), out));
    return above && below(out) ? std::optional(out) : std::nullopt;
  }

  const std::vector<ExprRef>& arguments_;
  const Known known_;
  const std::vector<Term> numbers_;  // each of 64 bits
  const std::set<std::string> sizes_;
  const Extents extents_;
  const bool wraps_;
};

}  // namespace

std::optional<Term> Values::exact(const kernel::Apply& a) const {
  const auto* op = a.primitive ? std::get_if<ScalarOp>(&a.primitive->kind) : nullptr;
  if (!op || a.operand != KType{} || op->result(a.operand.scalar) != ScalarType::I64) return {};
  // what is not shown takes longest: most values are below the extent of a loop around them, or index something
  std::vector<Term> numbers;
  Exact::Extents extents;
  for (auto l = loops_.rbegin(); l != loops_.rend(); ++l)
    if (const LoopFrame& f = out_.loops[static_cast<std::size_t>(*l)]; f.kind != LoopFrame::Kind::While)
      numbers.push_back(f.extent), extents.emplace(f.symbol, f.extent);
  for (const Place& p : out_.places)
    if (p.input || p.output) numbers.push_back(p.count);
  numbers.push_back(number(std::int64_t{1} << 62));
  for (const std::string& s : out_.sizes) numbers.push_back(named(s));
  const Situation now{position_, loops_, branches_, guards_, universals_, first_thread_};
  return Exact(a.arguments, known_of_sizes(out_, now), std::move(numbers), {out_.sizes.begin(), out_.sizes.end()},
               std::move(extents), how_.wraps)
      .of(op->definition(a.operand.scalar));
}

}  // namespace lockstep::proofs::kernels

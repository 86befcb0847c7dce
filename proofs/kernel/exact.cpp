// What a scalar operator on i64 gives as a term, read off its definition (semantics/scalars): arithmetic on sizes and
// loop variables is index arithmetic where it does not wrap, which normal forms show: what it gives is at most a size,
// an extent or a count, which are numbers of 64 bits; a division is where both are natural. In: the operands as terms;
// out: a term, or nothing where that is not known.
#include <algorithm>

#include "proofs/kernel/accesses_values.h"
#include "proofs/kernel/prover.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::proofs::kernels {

using namespace kernel;
using scalars::Definition;
using scalars::Operation;

namespace {

class Exact {
 public:
  Exact(const std::vector<ExprRef>& arguments, Known known, std::vector<Term> numbers, bool wraps)
      : arguments_(arguments), known_(std::move(known)), numbers_(std::move(numbers)), wraps_(wraps) {}

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
  std::optional<Term> within(const Term& out) const {
    if (!wraps_) return out;
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
  const bool wraps_;
};

}  // namespace

std::optional<Term> Values::exact(const kernel::Apply& a) const {
  const auto* op = a.primitive ? std::get_if<ScalarOp>(&a.primitive->kind) : nullptr;
  if (!op || a.operand != KType{} || op->result(a.operand.scalar) != ScalarType::I64) return {};
  // what is not shown takes longest: most values are below the extent of a loop around them, or index something
  std::vector<Term> numbers;
  for (auto l = loops_.rbegin(); l != loops_.rend(); ++l)
    if (const LoopFrame& f = out_.loops[static_cast<std::size_t>(*l)]; f.kind != LoopFrame::Kind::While)
      numbers.push_back(f.extent);
  for (const Place& p : out_.places)
    if (p.input || p.output) numbers.push_back(p.count);
  numbers.push_back(number(std::int64_t{1} << 62));
  for (const std::string& s : out_.sizes) numbers.push_back(named(s));
  const Situation now{position_, loops_, branches_, guards_, universals_, first_thread_};
  return Exact(a.arguments, known_of_sizes(out_, now), std::move(numbers), how_.wraps)
      .of(op->definition(a.operand.scalar));
}

}  // namespace lockstep::proofs::kernels

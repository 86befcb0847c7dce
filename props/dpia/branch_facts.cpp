#include "props/dpia/branch_facts.h"

#include <algorithm>
#include <set>

#include "semantics/kernel/walk.h"
#include "semantics/primitives/primitive.h"

namespace lockstep::props {
namespace {

// As a size: index arithmetic, and the program's where it adds, takes away or multiplies by a small number, so that
// sizes, of 2^56 at most, do not wrap.
std::optional<Size> size_of(const kernel::Expr& e) {
  using enum scalars::Operation;
  const auto* a = std::get_if<kernel::Apply>(&e.node);
  const auto* op = a && a->operand == kernel::KType{} ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
  if (!op || a->arguments.size() != 2) return kernel::as_size(e);
  const scalars::Definition d = op->definition(ScalarType::I64);
  const auto* applied = std::get_if<scalars::Definition::Apply>(&d.node);
  const auto x = size_of(*a->arguments[0]), y = size_of(*a->arguments[1]);
  if (!applied || !x || !y) return {};
  if (applied->op == Add) return *x + *y;
  if (applied->op == Subtract) return *x - *y;
  const auto is_small = [](const Size& n) { return n.constant() && *n.constant() >= 0 && *n.constant() <= 16; };
  return applied->op == Multiply && (is_small(*x) || is_small(*y)) ? std::optional(*x * *y) : std::nullopt;
}

}  // namespace

std::vector<ChosenSize> sizes_by_choice(const kernel::Expr& e) {
  if (const auto size = kernel::as_size(e)) return {{*size}};
  std::vector<ChosenSize> out;
  const auto known_with = [](std::vector<SizeFact> known, const std::vector<SizeFact>& more) {
    known.insert(known.end(), more.begin(), more.end());
    return known;
  };
  if (const auto* c = std::get_if<kernel::Choose>(&e.node)) {
    for (const bool holds : {true, false}) {
      std::vector<SizeFact> known;
      facts_of(*c->condition, holds, known);
      const auto chosen = sizes_by_choice(holds ? *c->then : *c->otherwise);
      if (chosen.empty()) return {};
      for (const ChosenSize& x : chosen) out.push_back({x.size, known_with(known, x.given)});
    }
  } else if (const auto* a = std::get_if<kernel::Arith>(&e.node)) {
    for (const ChosenSize& x : sizes_by_choice(*a->left))
      for (const ChosenSize& y : sizes_by_choice(*a->right)) {
        const auto size = kernel::as_size(kernel::arith(a->op, kernel::size_expr(x.size), kernel::size_expr(y.size)));
        if (!size) return {};
        out.push_back({*size, known_with(x.given, y.given)});
      }
  }
  return out.size() > 8 ? std::vector<ChosenSize>{} : out;
}

void facts_of(const kernel::Expr& condition, bool holds, std::vector<SizeFact>& out) {
  const auto at_most = [&](const std::optional<Size>& x, const std::optional<Size>& y, bool less) {
    if (!x || !y) return;
    if (holds)
      out.push_back({less ? *x + Size(1) : *x, SizeRelation::LessEqual, *y});
    else
      out.push_back({less ? *y : *y + Size(1), SizeRelation::LessEqual, *x});
  };
  if (const auto* index = std::get_if<kernel::Arith>(&condition.node)) {
    using kernel::ArithOp;
    if (index->op == ArithOp::And && holds)
      for (const kernel::ExprRef& e : {index->left, index->right}) facts_of(*e, true, out);
    const bool less = index->op == ArithOp::Less;
    if (less || index->op == ArithOp::LessEqual) at_most(size_of(*index->left), size_of(*index->right), less);
    return;
  }
  const auto* a = std::get_if<kernel::Apply>(&condition.node);
  const auto* op = a ? std::get_if<ScalarOp>(&a->primitive->kind) : nullptr;
  if (op && holds && op->decided_by == false) {
    for (const kernel::ExprRef& e : a->arguments) facts_of(*e, true, out);
  }
  if (!op || !op->compares || a->operand.scalar != ScalarType::I64) return;
  const auto x = size_of(*a->arguments[op->compares->swapped ? 1 : 0]),
             y = size_of(*a->arguments[op->compares->swapped ? 0 : 1]);
  const bool less = op->compares->relation == lockstep::Comparison::Less;
  if (less || op->compares->relation == lockstep::Comparison::LessEqual) at_most(x, y, less);
}

void facts_behind(const kernel::Stmt& s, const kernel::Stmt& block, std::vector<SizeFact>& out) {
  if (const auto* c = std::get_if<kernel::Check>(&s.node)) facts_of(c->ok, true, out);
  const auto* d = std::get_if<kernel::Declare>(&s.node);
  const auto* a = std::get_if<kernel::Assign>(&s.node);
  const kernel::Expr* value = a ? &a->value : d && d->init ? &*d->init : nullptr;
  const auto n = value ? size_of(*value) : std::nullopt;
  if (!n) return;
  std::size_t written = 0;
  std::set<std::string> names;
  collect_names(*n, names);
  const std::string& name = a ? a->name : d->name;
  kernel::each_statement(block, [&](const kernel::Stmt& x) {
    written += kernel::is_write_of(x, name);
    for (const std::string& other : names) written += 2 * kernel::is_write_of(x, other);
  });
  if (written == (a ? 1 : 0)) out.push_back({Size::name(name), SizeRelation::Equal, *n});
}

}  // namespace lockstep::props

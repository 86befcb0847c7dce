// Smaller programs: a binding less, a part in the place of the whole, a constant, a parameter less.
#include "props/l0/shrink.h"

#include <functional>

#include "props/engine/places.h"
#include "semantics/l0/uniqueness.h"
#include "semantics/l0/walk.h"

namespace lockstep::props::l0 {
namespace {

using namespace lockstep::l0;

std::size_t weight(const Expr& e) {
  if (const auto* l = as<Literal>(e)) return l->value.bits == 0 ? 1 : l->value.bits == 1 ? 2 : 3;
  if (as<Variable>(e)) return 4;
  std::size_t n = 6;
  each_child(e, [&](const ExprRef& c) { n += 2 + weight(*c); });
  return n;
}

using Take = std::function<void(Expr)>;

void fewer_parts(const Expr& e, const Take& take) {
  if (const auto* b = as<BlockExpr>(e))
    for (std::size_t k = 0; k < b->bindings.size(); ++k) {
      std::vector<Binding> left = without(b->bindings, k);
      take(left.empty() ? Expr(*b->result) : Expr{BlockExpr{std::move(left), b->result}, e.region});
    }
  if (const auto* s = as<SoacExpr>(e))
    for (std::size_t k = 0; k < s->arguments.size(); ++k) {
      SoacExpr less = *s;
      less.arguments = without(less.arguments, k);
      for (Fn& f : less.functions)
        if (auto* l = std::get_if<Lambda>(&f.node); l && k < l->parameters.size())
          l->parameters = without(l->parameters, k);
      if (!less.arguments.empty()) take(Expr{std::move(less), e.region});
    }
  if (const auto* t = as<TupleExpr>(e))
    for (std::size_t k = 0; k < t->items.size(); ++k) {
      std::vector<ExprRef> left = without(t->items, k);
      take(left.size() == 1 ? Expr(*left[0]) : Expr{TupleExpr{std::move(left)}, e.region});
    }
}

// Of the same type, most likely: what does not fit is left out in the end.
void simpler(const Expr& e, const Take& take) {
  fewer_parts(e, take);
  each_child(e, [&](const ExprRef& c) { take(*c); });
  const lockstep::l0::Type& t = e.type.value;
  if (as<Literal>(e) && std::get<Literal>(e.node).value.bits == 0) return;
  if (is(t, ScalarType::I64))
    for (const std::uint64_t n : {0U, 1U}) take(Expr{Literal{make_integer(ScalarType::I64, n)}, e.region});
  if (is(t, ScalarType::Bool))
    for (const bool b : {false, true}) take(Expr{Literal{make_bool(b)}, e.region});
  if (is(t, ScalarType::F64)) take(Expr{Literal{make_ieee(ScalarType::F64, 0)}, e.region});
}

}  // namespace

std::size_t measure(const Program& p) {
  std::size_t n = 0;
  for (const Function& f : p.functions) n += weight(*f.body) + 15 + 4 * f.parameters.size();
  return n;
}

std::vector<Program> smaller_programs(const Program& p) {
  std::vector<Program> out;
  const auto take = [&](Program q) {
    auto checked_one = checked(q);
    if (checked_one) out.push_back(std::move(*checked_one));
  };
  const std::size_t last = p.functions.size() - 1;
  for (std::size_t f = 0; f < last; ++f) {
    Program q = p;
    q.functions = without(q.functions, f);
    take(std::move(q));
  }
  for (std::size_t k = 0; k < p.functions[last].parameters.size(); ++k) {
    Program q = p;
    q.functions[last].parameters = without(q.functions[last].parameters, k);
    take(std::move(q));
  }
  // what the entry point gives may be of another type: that of its result
  const Expr& body = *p.functions[last].body;
  const Expr& result = as<BlockExpr>(body) ? *as<BlockExpr>(body)->result : body;
  if (const auto* t = as<TupleExpr>(result))
    for (std::size_t k = 0; k < t->items.size(); ++k) {
      Program q = p;
      Function& f = q.functions[last];
      std::vector<ExprRef> left = without(t->items, k);
      std::vector<lockstep::l0::Type> types = without(std::get<TupleType>(f.result.node).items, k);
      f.result = lockstep::l0::tuple_of(std::move(types));
      Expr smaller = left.size() == 1 ? Expr(*left[0]) : Expr{TupleExpr{std::move(left)}, result.region};
      const auto* b = as<BlockExpr>(body);
      f.body = b ? Expr{BlockExpr{b->bindings, std::move(smaller)}, body.region} : std::move(smaller);
      take(std::move(q));
    }
  for (std::size_t f = 0; f <= last; ++f) {
    const Expr& all = *p.functions[f].body;
    for (std::size_t k = 0, n = node_count(all); k < n; ++k)
      simpler(subtree(all, k), [&](const Expr& by) {
        Program q = p;
        q.functions[f].body = replaced(all, k, by);
        take(std::move(q));
      });
  }
  return out;
}

}  // namespace lockstep::props::l0

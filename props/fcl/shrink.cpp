// Smaller programs: a definition or a binding less, a part in the place of the whole, a constant.
#include <functional>

#include "props/engine/places.h"
#include "props/fcl/campaign.h"
#include "semantics/fcl/prelude.h"
#include "semantics/fcl/walk.h"

namespace lockstep::props::fcl {
namespace {

using language::as;
using language::Expr;

std::size_t weight(const Expr& e) {
  if (const auto* l = as<language::Literal>(e)) return l->value.bits == 0 ? 1 : l->value.bits == 1 ? 2 : 3;
  if (as<language::Variable>(e)) return 4;
  std::size_t n = 6;
  each_child(e, [&](const language::ExprRef& c) { n += 2 + weight(*c); });
  return n;
}

using Take = std::function<void(Expr)>;

// Of the same type, most likely: what does not fit is left out in the end.
void simpler(const Expr& e, const std::vector<std::string>& parameters, const Take& take) {
  if (const auto* l = as<language::LetExpr>(e))
    for (std::size_t k = 0; k < l->bindings.size(); ++k) take(language::let(without(l->bindings, k), *l->body));
  if (const auto* a = as<language::ArrayExpr>(e))
    for (std::size_t k = 0; k < a->items.size(); ++k) take(Expr{language::ArrayExpr{without(a->items, k)}});
  if (as<language::ApplyExpr>(e))  // what is applied to, whatever it is to
    for (const Expr* below = &e; const auto* a = as<language::ApplyExpr>(*below); below = &*a->function)
      take(*a->argument);
  each_child(e, [&](const language::ExprRef& c) { take(*c); });
  if (const auto* l = as<language::Literal>(e); l && l->value.bits == 0) return;
  for (const std::uint64_t n : {0U, 1U}) take(Expr{language::Literal{make_integer(ScalarType::I32, n)}});
  for (const bool b : {false, true}) take(Expr{language::Literal{make_bool(b)}});
  if (as<language::Variable>(e)) return;
  for (const std::string& p : parameters) take(Expr{language::Variable{p}});
}

}  // namespace

std::size_t measure(const language::Program& p) {
  std::size_t n = 0;
  for (const language::Definition& d : p.definitions) n += weight(*d.body) + 15;
  return n;
}

std::vector<language::Program> smaller_programs(const language::Program& p) {
  std::vector<language::Program> out;
  const auto take = [&](language::Program q) {
    if (language::typed(q)) out.push_back(std::move(q));
  };
  const std::size_t last = p.definitions.size() - 1;
  for (std::size_t d = 0; d < last; ++d) {
    language::Program q = p;
    q.definitions = without(q.definitions, d);
    take(std::move(q));
  }
  for (std::size_t d = 0; d <= last; ++d) {
    std::vector<std::string> parameters;
    for (const language::Parameter& x : p.definitions[d].parameters)
      if (!x.is_level) parameters.push_back(x.name);
    const Expr& all = *p.definitions[d].body;
    for (std::size_t k = 0, n = node_count(all); k < n; ++k)
      simpler(subtree(all, k), parameters, [&](const Expr& by) {
        language::Program q = p;
        q.definitions[d].body = replaced(all, k, by);
        take(std::move(q));
      });
  }
  return out;
}

}  // namespace lockstep::props::fcl

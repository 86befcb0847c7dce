// What may stand in the place of a surface expression.
#include "props/dpia/shrink_tree.h"

#include <algorithm>

#include "props/engine/places.h"
#include "semantics/functional/syntax/walk.h"

namespace lockstep::props {
namespace {

using namespace surface;

// let x = v in e, and (\x -> e) v: e with v for x.
std::optional<Expr> inlined(const Pattern& p, const Expr& value, const Expr& body) {
  const auto* x = std::get_if<NamePattern>(&p.node);
  return x ? std::optional(substituted<Name>(body, x->name, value)) : std::nullopt;
}

void smaller_literals(const Literal& l, std::vector<Expr>& out) {
  if (l.digits == "true") out.push_back({Literal{"false", {}}, {}});
  if (l.digits == "true" || l.digits == "false") return;
  const bool has_point = l.digits.find_first_of(".e") != std::string::npos && !l.digits.starts_with("0x");
  for (const std::string d : {has_point ? "0.0" : "0", has_point ? "1.0" : "1"})
    if (l.digits != d) out.push_back({Literal{d, l.suffix}, {}});
  if (l.suffix) out.push_back({Literal{l.digits, {}}, {}});
}

// replicate 2 x: [x, x].
std::optional<Expr> written_out(const Expr& e) {
  const auto* of_x = std::get_if<Apply>(&e.node);
  const auto* of_n = of_x ? std::get_if<Apply>(&of_x->function->node) : nullptr;
  const auto* f = of_n ? std::get_if<Name>(&of_n->function->node) : nullptr;
  const auto* n = of_n ? std::get_if<Literal>(&of_n->argument->node) : nullptr;
  if (!f || !n || f->name != "replicate" || (n->digits != "1" && n->digits != "2")) return {};
  return Expr{ArrayLiteral{std::vector<Expr>(n->digits == "1" ? 1 : 2, *of_x->argument)}, {}};
}

}  // namespace

std::vector<Expr> simpler_expressions(const Expr& e) {
  std::vector<Expr> out = subtrees_below(e, 13);
  if (!out.empty())
    for (const char* l : {"0", "1", "true", "0.0", "1i64"}) {
      const bool i64 = std::string(l) == "1i64";
      out.push_back({Literal{i64 ? "1" : l, i64 ? std::optional(ScalarType::I64) : std::nullopt}, {}});
    }
  if (const auto* l = std::get_if<Literal>(&e.node)) smaller_literals(*l, out);
  if (const auto* l = std::get_if<Let>(&e.node))
    if (auto x = inlined(l->pattern, *l->value, *l->body)) out.push_back(std::move(*x));
  if (auto x = written_out(e)) out.push_back(std::move(*x));
  if (const auto* a = std::get_if<ArrayLiteral>(&e.node); a && a->parts.size() > 1)
    out.push_back({ArrayLiteral{{a->parts.begin(), a->parts.end() - 1}}, {}});
  return out;
}

std::size_t weight_of_literals(const Expr& e) {
  if (const auto* l = std::get_if<Literal>(&e.node)) {
    const std::size_t digit = l->digits == "true" ? 1
                              : l->digits.starts_with("0x")
                                  ? 90
                                  : static_cast<std::size_t>(l->digits[0] - '0') + l->digits.size();
    return digit * 2 + (l->suffix ? 1 : 0);
  }
  std::size_t sum = 0;
  for (const Expr* c : children(e)) sum += weight_of_literals(*c);
  return sum;
}

}  // namespace lockstep::props

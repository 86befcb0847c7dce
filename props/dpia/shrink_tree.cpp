// Places in surface trees. One function takes the children out and puts others back, the rest is made of it.
#include "props/dpia/shrink_tree.h"

#include <algorithm>

#include "props/dpia/generate.h"
#include "props/engine/places.h"

namespace lockstep::props {
namespace {

using namespace surface;

std::vector<const Expr*> children(const Expr& e) {
  const auto all = [](const std::vector<Expr>& parts) {
    std::vector<const Expr*> out;
    for (const Expr& p : parts) out.push_back(&p);
    return out;
  };
  using List = std::vector<const Expr*>;
  return std::visit(
      Cases{[](const Name&) { return List{}; }, [](const Literal&) { return List{}; },
            [](const Operator&) { return List{}; }, [](const Lambda& x) { return List{x.body.get()}; },
            [](const Let& x) {
              return List{x.value.get(), x.body.get()};
            },
            [](const If& x) {
              return List{x.condition.get(), x.then.get(), x.otherwise.get()};
            },
            [](const Apply& x) {
              return List{x.function.get(), x.argument.get()};
            },
            [](const Index& x) {
              return List{x.array.get(), x.index.get()};
            },
            [&](const Tuple& x) { return all(x.parts); }, [&](const ArrayLiteral& x) { return all(x.parts); }},
      e.node);
}

Expr with_child(const Expr& e, std::size_t k, const Expr& child) {
  const auto put = [&](std::vector<Expr> parts) {
    parts[k] = child;
    return parts;
  };
  return std::visit(
      Cases{[&](const Name&) { return e; }, [&](const Literal&) { return e; }, [&](const Operator&) { return e; },
            [&](const Lambda& x) {
              return Expr{Lambda{x.patterns, child}, e.region};
            },
            [&](const Let& x) {
              return Expr{k == 0 ? Let{x.pattern, child, x.body} : Let{x.pattern, x.value, child}, e.region};
            },
            [&](const If& x) {
              return Expr{k == 0   ? If{child, x.then, x.otherwise}
                          : k == 1 ? If{x.condition, child, x.otherwise}
                                   : If{x.condition, x.then, child},
                          e.region};
            },
            [&](const Apply& x) {
              return Expr{k == 0 ? Apply{child, x.argument} : Apply{x.function, child}, e.region};
            },
            [&](const Index& x) {
              return Expr{k == 0 ? Index{child, x.index} : Index{x.array, child}, e.region};
            },
            [&](const Tuple& x) {
              return Expr{Tuple{put(x.parts)}, e.region};
            },
            [&](const ArrayLiteral& x) {
              return Expr{ArrayLiteral{put(x.parts)}, e.region};
            }},
      e.node);
}

Expr substituted(const Expr& e, const std::string& name, const Expr& by) {
  if (const auto* n = std::get_if<Name>(&e.node)) return n->name == name ? by : e;
  Expr out = e;
  const auto parts = children(e);
  for (std::size_t k = 0; k < parts.size(); ++k) out = with_child(out, k, substituted(*parts[k], name, by));
  return out;
}

// let x = v in e, and (\x -> e) v: e with v for x.
std::optional<Expr> inlined(const Pattern& p, const Expr& value, const Expr& body) {
  const auto* x = std::get_if<NamePattern>(&p.node);
  return x ? std::optional(substituted(body, x->name, value)) : std::nullopt;
}

void smaller_literals(const Literal& l, std::vector<Expr>& out) {
  if (l.digits == "true") out.push_back({Literal{"false", {}}, {}});
  if (l.digits == "true" || l.digits == "false") return;
  const bool has_point = l.digits.find_first_of(".e") != std::string::npos && !l.digits.starts_with("0x");
  for (const std::string d : {has_point ? "0.0" : "0", has_point ? "1.0" : "1"})
    if (l.digits != d) out.push_back({Literal{d, l.suffix}, {}});
  if (l.suffix) out.push_back({Literal{l.digits, {}}, {}});
}

}  // namespace

const Expr* subtree(const Expr& e, std::size_t k) {
  return &subtree_at(e, k, children, [](const Expr& x) { return node_count(x); });
}

Expr replaced(const Expr& e, std::size_t k, const Expr& by) {
  return replaced_at(
      e, k, by, children, [](const Expr& x) { return node_count(x); }, with_child);
}

std::vector<Expr> simpler_expressions(const Expr& e) {
  std::vector<Expr> out;
  const std::size_t n = node_count(e);
  for (std::size_t k = 1; k < std::min<std::size_t>(n, 14); ++k) out.push_back(*subtree(e, k));
  if (n > 1)
    for (const char* l : {"0", "1", "true", "0.0", "1i64"}) {
      const bool i64 = std::string(l) == "1i64";
      out.push_back({Literal{i64 ? "1" : l, i64 ? std::optional(ScalarType::I64) : std::nullopt}, {}});
    }
  if (const auto* l = std::get_if<Literal>(&e.node)) smaller_literals(*l, out);
  if (const auto* l = std::get_if<Let>(&e.node))
    if (auto x = inlined(l->pattern, *l->value, *l->body)) out.push_back(std::move(*x));
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

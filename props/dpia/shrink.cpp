// What may stand in the place of a program that fails.
#include "props/dpia/shrink.h"

#include <algorithm>

#include "props/dpia/generate.h"
#include "props/dpia/shrink_tree.h"
#include "props/engine/places.h"
#include "semantics/functional/inference/infer.h"
#include "semantics/functional/syntax/print.h"
#include "semantics/functional/syntax/walk.h"

namespace lockstep::props {
namespace {

using namespace surface;
using Candidates = std::vector<Program>;

Type of_i32(const Type& t) {
  if (as<ScalarType>(t)) return scalar(ScalarType::I32);
  if (const auto* a = as<ArrayType>(t)) return array(a->length, of_i32(*a->element));
  if (const auto* p = as<PairType>(t)) return pair(of_i32(*p->first), of_i32(*p->second));
  return t;
}
// Scalar types other than i32, outside short vectors and functions.
std::size_t other_scalars(const Type& t) {
  if (const auto* s = as<ScalarType>(t)) return *s == ScalarType::I32 ? 0 : 1;
  if (const auto* a = as<ArrayType>(t)) return other_scalars(*a->element);
  if (const auto* p = as<PairType>(t)) return other_scalars(*p->first) + other_scalars(*p->second);
  return 0;
}

// Definitions, parameters, sizes and facts left out; all scalars of one type.
void smaller_heads(const Program& p, Candidates& out) {
  out.push_back(p);
  for (Definition& d : out.back().definitions) {
    for (Parameter& x : d.parameters)
      if (x.type) x.type->type = of_i32(x.type->type);
    d.result.type = of_i32(d.result.type);
  }
  for (std::size_t k = 0; k + 1 < p.definitions.size(); ++k) out.push_back({without(p.definitions, k)});
  for (std::size_t d = 0; d < p.definitions.size(); ++d) {
    const auto changed = [&](const auto& change) {
      Program q = p;
      change(q.definitions[d]);
      out.push_back(std::move(q));
    };
    const Definition& now = p.definitions[d];
    for (std::size_t k = 0; k < now.facts.size(); ++k) changed([&](Definition& x) { x.facts = without(x.facts, k); });
    for (std::size_t k = 0; k < now.sizes.size(); ++k) changed([&](Definition& x) { x.sizes = without(x.sizes, k); });
    if (d + 1 == p.definitions.size())
      for (std::size_t k = 0; k < now.parameters.size(); ++k)
        changed([&](Definition& x) { x.parameters = without(x.parameters, k); });
  }
}

// The types of the entry point's subexpressions, by their place in the text.
void collect_types(const Phrase& p, std::map<std::pair<std::uint32_t, std::uint32_t>, Type>& into) {
  if (const auto* e = std::get_if<ExpType>(&p.type.node); e && p.region.source && is_data(e->data))
    into.try_emplace({p.region.begin, p.region.end}, e->data);
  for_each_child(p, [&](const PhraseRef& c) { collect_types(*c, into); });
}

// A subexpression of the entry point as its body, with the result type that this makes; or a parameter in its place.
void smaller_results(const Program& p, const Calculus& calculus, Candidates& out) {
  const auto parsed = parse_program(std::make_shared<Source>(Source{"", print(p)}));
  if (!parsed) return;
  const auto elaborated =
      infer(*parsed, calculus, [](const auto&, const auto&) { return SolverAnswer{Verdict::Unknown}; });
  if (!elaborated || elaborated->entries.empty()) return;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Type> types;
  collect_types(*elaborated->entries.back().body, types);
  const Expr& body = parsed->definitions.back().body;
  for (std::size_t k = 1, all = node_count(body); k < all; ++k) {
    const Expr& e = subtree(body, k);
    const auto type = types.find({e.region.begin, e.region.end});
    if (type == types.end()) continue;
    Program q = p;
    q.definitions.back().body = e;
    q.definitions.back().result.type = type->second;
    out.push_back(q);
    if (node_count(e) < 3) continue;
    Definition given = parsed->definitions.back();
    const std::string name = "y" + std::to_string(given.parameters.size());
    given.body = replaced(body, k, Expr{Name{name}, {}});
    given.parameters.push_back({name, {}, SourceType{type->second, {}, {}}});
    q.definitions.back() = std::move(given);
    out.push_back(std::move(q));
  }
}

void smaller_bodies(const Program& p, Candidates& out) {
  for (std::size_t d = p.definitions.size(); d-- > 0;) {
    const Expr& body = p.definitions[d].body;
    for (std::size_t k = 0, all = node_count(body); k < all; ++k)
      for (Expr& simpler : simpler_expressions(subtree(body, k))) {
        Program q = p;
        q.definitions[d].body = replaced(body, k, simpler);
        out.push_back(std::move(q));
      }
  }
}

}  // namespace

Candidates smaller_programs(const Program& program, const Calculus& calculus) {
  Candidates all;
  smaller_results(program, calculus, all);
  smaller_heads(program, all);
  smaller_bodies(program, all);
  return all;
}

std::size_t measure(const Program& p) {
  std::size_t n = 0;
  for (const Definition& d : p.definitions) {
    n += 1000 * node_count(d.body) + 300 * (d.parameters.size() + d.facts.size() + d.sizes.size()) + 500;
    n += weight_of_literals(d.body) + 20 * other_scalars(d.result.type);
    for (const Parameter& x : d.parameters) n += x.type ? 20 * other_scalars(x.type->type) : 0;
  }
  return n;
}

}  // namespace lockstep::props

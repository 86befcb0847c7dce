// split, transpose and flatten before a map instead of behind it.
#include "translate/l0/hindrances.h"

#include <algorithm>
#include <map>

#include "semantics/l0/uniqueness.h"
#include "semantics/l0/walk.h"
#include "semantics/text/patterns.h"
#include "translate/l0/rename.h"
#include "translate/l0/rows.h"

namespace lockstep::l0 {
namespace {

const Lambda* map_of(const Binding& b, std::string* name) {
  const auto* l = std::get_if<LetBinding>(&b.node);
  const auto* s = l ? as<SoacExpr>(*l->value) : nullptr;
  const auto* bound = l ? std::get_if<NamePattern>(&l->pattern.node) : nullptr;
  if (!s || s->op != Soac::Map2 || !bound) return nullptr;
  if (name) *name = bound->name;
  return std::get_if<Lambda>(&s->functions[0].node);
}
// map2(λx. map2(f; x)) of what it is called with, in order, and nothing else: the inner function.
const Lambda* nested(const Lambda& f) {
  const auto* b = as<BlockExpr>(*f.body);
  if (!b || b->bindings.size() != 1) return nullptr;
  std::string inner;
  const Lambda* g = map_of(b->bindings[0], &inner);
  const auto* result = as<Variable>(*b->result);
  if (!g || !result || result->name != inner) return nullptr;
  const auto& arguments = std::get<SoacExpr>(std::get<LetBinding>(b->bindings[0].node).value->node).arguments;
  if (arguments.size() != f.parameters.size()) return nullptr;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const auto* v = as<Variable>(*arguments[k]);
    if (!v || v->name != f.parameters[k].name) return nullptr;
  }
  return g;
}
// The function at that level of a nest, 1 the outermost; null where there are fewer.
const Lambda* level(const Lambda& f, std::int64_t n) {
  const Lambda* at = &f;
  for (; at && n > 1; --n) at = nested(*at);
  return at;
}

struct Hindrance {
  std::string array;
  const Expr* value;        // split, transpose, flatten
  std::int64_t levels = 1;  // of a nest that it needs
  bool moves = false;       // elements
};
std::optional<Hindrance> hindrance(const LetBinding& l) {
  const auto named = [](const ExprRef& e) {
    const auto* v = as<Variable>(*e);
    return v ? v->name : std::string();
  };
  const Expr& e = *l.value;
  if (const auto* b = as<BuiltInExpr>(e)) {
    if (b->op == BuiltIn::Split) return Hindrance{named(b->arguments[1]), &e};
    if (b->op == BuiltIn::Transpose) return Hindrance{named(b->arguments[0]), &e, 2, true};
  }
  if (const auto* s = as<ShiftExpr>(e))
    return Hindrance{named(s->array), &e, std::max(s->dimension, s->dimension + s->places), true};
  if (const auto* f = as<FlattenExpr>(e)) return Hindrance{named(f->array), &e, f->dimensions};
  return std::nullopt;
}

class Moving {
 public:
  explicit Moving(const Program& p) : fresh_(p), consumed_(consumed_by(p)) {
    for (const Function& f : p.functions)
      each_use(*f.body, [&](const std::string& name, const Region&) { ++uses_[name]; }), gone_over(*f.body);
  }

  Expr inside(const Expr& e) {
    const auto* b = as<BlockExpr>(e);
    if (!b) return e;
    std::map<std::string, std::size_t> maps;  // in this block
    std::vector<std::vector<Binding>> out(b->bindings.size());
    for (std::size_t k = 0; k < b->bindings.size(); ++k) {
      const Binding& x = b->bindings[k];
      std::string name;
      if (map_of(x, &name)) maps.emplace(name, k);
      out[k] = {within(x)};
      const auto* l = std::get_if<LetBinding>(&x.node);
      const auto h = l ? hindrance(*l) : std::nullopt;
      const auto at = h ? maps.find(h->array) : maps.end();
      if (at == maps.end() || !may_move(*b, at->second, k, *l, *h)) continue;
      out[k] = moved(out[at->second][0], *l, *h);
      out[at->second].clear();
    }
    std::vector<Binding> all;
    for (std::vector<Binding>& one : out) all.insert(all.end(), one.begin(), one.end());
    return block(std::move(all), *b->result);
  }

 private:
  Binding within(Binding b) {
    each_block(b, [&](ExprRef& block) { block = inside(*block); });
    return b;
  }

  void gone_over(const Expr& e) {
    const auto* s = as<SoacExpr>(e);
    if (s && (s->op == Soac::Map2 || s->op == Soac::Reduce2 || s->op == Soac::Redomap2))
      for (const ExprRef& a : s->arguments)
        if (const auto* v = as<Variable>(*a)) gone_over_.insert(v->name);
    each_child(e, [&](const ExprRef& c) { gone_over(*c); });
  }
  // Something goes over what comes out, so that it may be fused. Nothing else uses the map's array, its rows have one
  // shape whatever their elements are, and what it reads is still there.
  bool may_move(const BlockExpr& b, std::size_t map, std::size_t to, const LetBinding& of, const Hindrance& h) const {
    const auto& l = std::get<LetBinding>(b.bindings[map].node);
    const Lambda& f = *map_of(b.bindings[map], nullptr);
    const Lambda* innermost = level(f, h.levels);
    if (uses_.at(h.array) != 1 || consumed_.contains(&b.bindings[map]) || !innermost) return false;
    if (!row_shapes_of(*innermost).fixed) return false;
    bool wanted = false;
    reading::each_name(of.pattern,
                       [&](const std::string& n, const Pattern&) { wanted = wanted || gone_over_.contains(n); });
    const std::size_t inputs = std::get<SoacExpr>(l.value->node).arguments.size();
    if (!wanted || (h.moves && inputs > 1)) return false;  // one array is moved as before, not several
    std::set<std::string> reads;
    each_use(*l.value, [&](const std::string& name, const Region&) { reads.insert(name); });
    for (std::size_t k = map + 1; k < to; ++k)
      if (const auto at = consumed_.find(&b.bindings[k]); at != consumed_.end())
        for (const std::string& name : at->second)
          if (reads.contains(name)) return false;
    return true;
  }

  // What it does to each array that the map goes over, and the map of what comes out.
  std::vector<Binding> moved(const Binding& map, const LetBinding& l, const Hindrance& h) {
    const auto& value = *std::get<LetBinding>(map.node).value;
    const auto& s = std::get<SoacExpr>(value.node);
    std::vector<Binding> out;
    const bool splits = as<BuiltInExpr>(*h.value) && as<BuiltInExpr>(*h.value)->op == BuiltIn::Split;
    std::vector<std::vector<ExprRef>> inputs(splits ? 2 : 1);
    for (const ExprRef& a : s.arguments) {
      const std::string name = std::get<Variable>(a->node).name;
      std::vector<std::string> names;
      for (std::vector<ExprRef>& part : inputs) {
        names.push_back(fresh_.name(name));
        part.emplace_back(variable(names.back(), a->region));
      }
      out.push_back(let(pattern_of(names, l.pattern.region), of_input(*h.value, a)));
    }
    const Lambda& f = std::get<Lambda>(s.functions[0].node);
    if (!splits) {
      const Lambda& kept = as<FlattenExpr>(*h.value) ? *level(f, h.levels) : f;
      out.push_back(
          let(l.pattern, Expr{SoacExpr{Soac::Map2, {{kept, s.functions[0].region}}, inputs[0]}, value.region}));
      return out;
    }
    const auto* parts = std::get_if<TuplePattern>(&l.pattern.node);
    for (std::size_t k = 0; k < 2; ++k) {
      Lambda own = k == 0 ? f : Renaming(fresh_).function(f);
      out.push_back(
          let(parts->items[k],
              Expr{SoacExpr{Soac::Map2, {{std::move(own), s.functions[0].region}}, inputs[k]}, value.region}));
    }
    return out;
  }
  static Expr of_input(const Expr& h, const ExprRef& array) {
    Expr out = h;
    match(
        out.node, [&](BuiltInExpr& b) { b.arguments.back() = array; }, [&](ShiftExpr& s) { s.array = array; },
        [&](FlattenExpr& f) { f.array = array; },
        [](OneOf<Literal, TextLiteral, Variable, TupleExpr, ArrayExpr, PrefixExpr, InfixExpr, IfExpr, BlockExpr,
                 IndexExpr, CallExpr, SoacExpr> auto&) {});
    return out;
  }

  Fresh fresh_;
  const Consumed consumed_;
  std::map<std::string, int> uses_;
  std::set<std::string> gone_over_;  // by what a map may go into
};

}  // namespace

Program with_hindrances_moved(const Program& p) {
  Program out = p;
  Moving moving(p);
  for (Function& f : out.functions) f.body = moving.inside(*f.body);
  return retyped(std::move(out), "hindrances");
}

}  // namespace lockstep::l0

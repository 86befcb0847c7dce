// What occurred in random programs: primitives and types after inference, forms of the syntax before.
#include "props/dpia/generate.h"
#include "props/engine/places.h"
#include "semantics/functional/syntax/walk.h"
#include "semantics/primitives/calculus.h"

namespace lockstep::props {
namespace {

using namespace surface;

template <class F>
void visit(const Expr& e, const F& f) {
  f(e);
  each_child(e, [&](const auto& c) { visit(tree_at(c), f); });
}

std::string form_of(const Pattern& p) {
  return match(
      p.node, [](const NamePattern&) { return "name pattern"; }, [](const WildPattern&) { return "wildcard"; },
      [](const TuplePattern&) { return "tuple pattern"; });
}

void count_type(const Type& t, std::map<std::string, std::size_t>& into) {
  const auto go = [&](const Ref<Type>& r) { count_type(*r, into); };
  match(
      t.node, [&](ScalarType s) { ++into[std::string(show(s))]; }, [&](const IndexType&) { ++into["index"]; },
      [&](const ArrayType& a) { ++into[as<ArrayType>(*a.element) ? "nested array" : "array"], go(a.element); },
      [&](const PairType& p) { ++into["pair"], go(p.first), go(p.second); },
      [&](const VectorType& v) { ++into["vector of " + show(v.width)], go(v.element); },
      [&](const FunctionType& f) { ++into["function"], go(f.from), go(f.to); },
      [&](const TypeVariable&) { ++into["type variable"]; });
}

void count_phrase(const Phrase& p, Coverage& into) {
  if (const auto* e = std::get_if<ExpType>(&p.type.node)) count_type(e->data, into.types);
  if (const auto* x = as<PrimPhrase>(p)) ++into.primitives[x->primitive->name];
  for_each_child(p, [&](const PhraseRef& c) { count_phrase(*c, into); });
}

// f of f a b.
const Name* called(const Expr& e) {
  const auto* a = std::get_if<Apply>(&e.node);
  return a ? called(*a->function) : std::get_if<Name>(&e.node);
}
void count_view(const Apply& call, Coverage& into) {
  static const std::set<std::string> views(views_of_data().begin(), views_of_data().end());
  const Name *outer = called(*call.function), *inner = called(*call.argument);
  if (outer && inner && views.contains(outer->name) && views.contains(inner->name))
    ++into.views_of_views[{outer->name, inner->name}];
}

}  // namespace

std::size_t node_count(const surface::Program& p) {
  std::size_t n = 0;
  for (const Definition& d : p.definitions) n += node_count(d.body);
  return n;
}

void Coverage::count(const surface::Program& p) {
  for (const Definition& d : p.definitions) {
    if (!d.facts.empty()) ++forms["where"];
    for (const Parameter& x : d.parameters) {
      if (!x.type)
        ++forms["explicit size"];
      else
        count_type(x.type->type, types);
    }
    visit(d.body, [&](const Expr& e) {
      match(
          e.node, [](const Name&) {},
          [&](const Literal& l) { ++forms[l.suffix ? "literal with suffix" : "literal without suffix"]; },
          [&](const Operator&) {},
          [&](const Lambda& l) {
            ++forms["lambda"];
            for (const Pattern& x : l.patterns) ++forms[form_of(x)];
          },
          [&](const Let& l) { ++forms["let"], ++forms[form_of(l.pattern)]; }, [&](const If&) { ++forms["if"]; },
          [&](const Apply& a) {
            count_view(a, *this);
            if (std::get_if<Operator>(&a.argument->node)) ++forms["operator as a function"];
          },
          [&](const Index&) { ++forms["indexing"]; },
          [&](const Tuple& t) { ++forms[t.parts.size() > 2 ? "longer tuple" : "tuple"]; },
          [&](const ArrayLiteral&) { ++forms["literal array"]; });
    });
  }
  if (p.definitions.size() > 1) ++forms["helper function"];
}

void Coverage::count(const PhraseProgram& elaborated) {
  count_type(elaborated.result, types);
  count_phrase(*elaborated.body, *this);
}

void Coverage::add(const Coverage& other) {
  for (const auto& [name, n] : other.primitives) primitives[name] += n;
  for (const auto& [name, n] : other.forms) forms[name] += n;
  for (const auto& [name, n] : other.types) types[name] += n;
  for (const auto& [pair, n] : other.views_of_views) views_of_views[pair] += n;
}

std::vector<std::string> Coverage::missing(const Calculus& calculus) const {
  static const std::vector<std::string> all_forms = {"where",
                                                     "explicit size",
                                                     "literal with suffix",
                                                     "literal without suffix",
                                                     "lambda",
                                                     "name pattern",
                                                     "wildcard",
                                                     "tuple pattern",
                                                     "let",
                                                     "if",
                                                     "operator as a function",
                                                     "indexing",
                                                     "tuple",
                                                     "longer tuple",
                                                     "literal array",
                                                     "helper function"};
  static const std::vector<std::string> all_types = {
      "bool",        "u8",          "i32",         "i64",          "u32",         "u64",      "f32",
      "f64",         "index",       "array",       "nested array", "pair",        "function", "type variable",
      "vector of 2", "vector of 3", "vector of 4", "vector of 8",  "vector of 16"};
  std::vector<std::string> out;
  const auto look = [&](const std::string& what, const std::map<std::string, std::size_t>& seen,
                        const std::vector<std::string>& wanted) {
    for (const std::string& name : wanted)
      if (!seen.contains(name)) out.push_back(what + " " + name);
  };
  std::vector<std::string> names;
  for (const std::string& n : calculus.names())
    if (calculus.primitive(n)->notation != Notation::None) names.push_back(n);
  look("primitive", primitives, names);
  look("form", forms, all_forms);
  look("type", types, all_types);
  return out;
}

}  // namespace lockstep::props

// Calls of primitives that the generator has no way of its own for, from their types alone: the result's type is
// unified with the one asked for, what that leaves open is drawn, the arguments are expressions of what their types
// then are.
#include <algorithm>

#include "props/dpia/generate_state.h"

namespace lockstep::props {

bool is_natural(const Size& s) {
  return std::all_of(s.terms().begin(), s.terms().end(), [](const SizeTerm& t) { return t.coefficient >= 0; });
}

std::optional<Size> divided(const Size& s, std::int64_t a) {
  Size out;
  for (const SizeTerm& t : s.terms()) {
    if (t.coefficient % a != 0) return {};
    out = out + product_of(t.coefficient / a, t);
  }
  return out;
}

namespace {

// Those with a way of their own in generate_*.cpp, which makes better programs: sizes that fit a fact, indices that are
// inside, functions that are associative, loops that end, levels where they are legal.
const std::set<std::string>& ways_of_their_own() {
  static const std::set<std::string> names = {
      // views
      "zip", "unzip", "split", "join", "transpose", "mapTranspose", "fst", "snd", "iota", "indices", "replicate",
      "reverse", "take", "drop", "concat", "slide", "pad", "gather", "select", "asVector", "asScalar", "splat", "lanes",
      // loops
      "generate", "iterate", "while", "scatter", "scatterBy", "permute", "permuteBy", "permuteGlobal", "permuteLocal",
      "spread", "spreadGlobal", "spreadLocal", "map", "mapSeq", "mapPar", "mapGlobal", "mapWorkgroup", "mapWarp",
      "mapLocal", "mapUnroll", "reduce", "reduceSeq", "scan", "scanExclusive", "toGlobal", "toLocal", "toPrivate",
      "toStream", "reduceBlock", "reduceWarp", "scanBlock", "scanWarp"};
  return names;
}

Size hidden(const std::string& size) { return Size::name("$" + size); }
bool is_hidden(const std::string& name) { return name.starts_with('$'); }

bool is_positive(const Size& s) {
  const auto without_names = [](const SizeTerm& t) { return t.powers.empty(); };
  return is_natural(s) && std::any_of(s.terms().begin(), s.terms().end(), without_names);
}

void parts_of(const Type& t, const std::function<void(const Type&)>& f) {
  f(t);
  match(
      t.node, [](ScalarType) {}, [](const IndexType&) {}, [&](const ArrayType& x) { parts_of(*x.element, f); },
      [&](const PairType& x) { parts_of(*x.first, f), parts_of(*x.second, f); },
      [&](const VectorType& x) { parts_of(*x.element, f); },
      [&](const FunctionType& x) { parts_of(*x.from, f), parts_of(*x.to, f); }, [](const TypeVariable&) {});
}

TypedPrimitive typed(const Calculus::Entry& e) {
  SizeSubstitution sizes;
  TypeSubstitution types;
  for (const std::string& s : e.sizes) sizes.insert_or_assign(s, hidden(s));
  for (const std::string& t : e.types) types.insert_or_assign(t, type_variable("$" + t));
  TypedPrimitive out{e.primitive->name, e.scheme.nats.size(), {}, {}, {}, {}, {}, {}, {}};
  for (const std::string& s : e.sizes) out.sizes.push_back("$" + s);
  for (const SizeFact& f : e.needs) collect_names(substitute(f.right, sizes), out.positive);
  Type t = substitute(e.scheme.type, sizes, types);
  parts_of(t, [&](const Type& part) {
    const auto* v = as<VectorType>(part);
    const auto* lane = v ? as<TypeVariable>(*v->element) : nullptr;
    if (v) collect_names(v->width, out.widths);
    if (lane) out.lanes.insert(lane->name);
  });
  while (const auto* f = as<FunctionType>(t)) {
    out.arguments.push_back(*f->from);
    Type rest = *f->to;
    t = std::move(rest);
  }
  out.result = std::move(t);
  const auto* view = std::get_if<View>(&e.primitive->kind);
  if (!view && std::get<Loop>(e.primitive->kind).together != Level::Auto) out.numbers.insert(out.sizes.at(0));
  out.indexed = view ? view->indexed : std::get<Loop>(e.primitive->kind).indexed;
  return out;
}

}  // namespace

TypedPrimitives made_by_type(const Calculus& calculus) {
  TypedPrimitives out;
  const Calculus standard = standard_calculus();
  for (const std::string& name : calculus.names())
    if (!ways_of_their_own().contains(name))
      if (auto p = made_by_type(calculus, name)) {
        p->is_added = !standard.find(name);
        out.push_back(std::move(*p));
      }
  return out;
}

std::optional<TypedPrimitive> made_by_type(const Calculus& calculus, const std::string& name) {
  const Calculus::Entry* e = calculus.callable(name);
  if (!e || std::holds_alternative<ScalarOp>(e->primitive->kind)) return {};
  return typed(*e);
}

// What is known of the sizes and types of a call.
struct Generator::Call {
  const TypedPrimitive& primitive;
  SizeSubstitution sizes{};
  TypeSubstitution types{};

  // Of one name the equation pattern = wanted is solved, the others are drawn first.
  bool unify(const Size& pattern, const Size& wanted, Random& random) {
    for (;;) {
      const Size known = substitute(pattern, sizes);
      std::set<std::string> names;
      collect_names(known, names);
      std::erase_if(names, [](const std::string& n) { return !is_hidden(n); });
      if (names.empty()) return known == wanted;
      const std::string x = random.among(std::vector<std::string>(names.begin(), names.end()));
      if (names.size() > 1) {
        sizes.insert_or_assign(x, drawn(x, random));
        continue;
      }
      const auto at = [&](std::int64_t value) { return substitute(known, {{x, Size(value)}}); };
      const auto slope = (at(1) - at(0)).constant();
      if (!slope || *slope < 1 || !(at(2) == at(0) + Size(2 * *slope))) return false;
      const auto solved = divided(wanted - at(0), *slope);
      if (!solved || !fits(x, *solved)) return false;
      sizes.insert_or_assign(x, *solved);
      return true;
    }
  }
  bool fits(const std::string& name, const Size& s) const {
    const auto c = s.constant();
    if (primitive.numbers.contains(name) && !c) return false;
    if (primitive.widths.contains(name)) return c && (*c == 2 || *c == 3 || *c == 4 || *c == 8 || *c == 16);
    return primitive.positive.contains(name) ? is_positive(s) : is_natural(s);
  }
  Size drawn(const std::string& name, Random& random) const {
    if (primitive.widths.contains(name)) return random.percent(50) ? 2 : 4;
    return 1 + random.below(3) - (primitive.positive.contains(name) || random.percent(70) ? 0 : 1);
  }

  bool unify(const Type& pattern, const Type& wanted, Random& random) {
    if (const auto* v = as<TypeVariable>(pattern); v && is_hidden(v->name)) {
      const auto* s = as<ScalarType>(wanted);
      if (primitive.lanes.contains(v->name) && (!s || *s == ScalarType::Bool)) return false;
      return types.try_emplace(v->name, wanted).first->second == wanted;
    }
    if (pattern.node.index() != wanted.node.index()) return false;
    if (const auto* a = as<ArrayType>(pattern))
      return unify(a->length, as<ArrayType>(wanted)->length, random) &&
             unify(*a->element, *as<ArrayType>(wanted)->element, random);
    if (const auto* p = as<PairType>(pattern))
      return unify(*p->first, *as<PairType>(wanted)->first, random) &&
             unify(*p->second, *as<PairType>(wanted)->second, random);
    if (const auto* v = as<VectorType>(pattern))
      return unify(v->width, as<VectorType>(wanted)->width, random) &&
             unify(*v->element, *as<VectorType>(wanted)->element, random);
    if (const auto* i = as<IndexType>(pattern)) return unify(i->bound, as<IndexType>(wanted)->bound, random);
    return pattern == wanted;
  }

  // Every length that a type then has is a natural number.
  bool is_well_formed(const Type& t) const {
    bool all = true;
    parts_of(t, [&](const Type& part) {
      if (const auto* a = as<ArrayType>(part)) all = all && is_natural(a->length);
      if (const auto* i = as<IndexType>(part)) all = all && is_natural(i->bound);
    });
    return all;
  }
};

// An array in scope for one of the arguments, often, and for what is then open anything.
void Generator::complete(Call& call) {
  for (const Type& a : call.primitive.arguments) {
    if (!as<ArrayType>(a) || random_.percent(40)) continue;
    const auto given = array_in_scope();
    Call with = call;
    if (given && with.unify(a, Type{*given}, random_)) call.sizes = with.sizes, call.types = with.types;
  }
  for (const std::string& s : call.primitive.sizes)
    if (!call.sizes.contains(s)) {
      const Size any = random_size();
      const bool takes = !call.primitive.widths.contains(s) && affordable(any) && call.fits(s, any);
      call.sizes.insert_or_assign(s, takes && random_.percent(60) ? any : call.drawn(s, random_));
    }
  for (const Type& a : call.primitive.arguments)
    parts_of(a, [&](const Type& part) {
      const auto* v = as<TypeVariable>(part);
      if (!v || !is_hidden(v->name) || call.types.contains(v->name)) return;
      const bool lane = call.primitive.lanes.contains(v->name);
      call.types.insert_or_assign(v->name, lane ? scalar(random_scalar_type(true)) : random_type(1));
    });
}

std::optional<surface::Expr> Generator::call_by_type(const TypedPrimitive& p, const Type& t, int budget) {
  static const std::set<Around> top = {Around::Top}, block = {Around::Workgroup}, in_warp = {Around::Warp},
                                warp = {Around::Workgroup, Around::Warp};
  static const std::map<std::string, std::set<Around>> stands_in = {
      {"mapPar", top},         {"mapGlobal", top},    {"mapWorkgroup", top},  {"mapLocal", top},
      {"mapWarp", block},      {"toLocal", warp},     {"reduceBlock", block}, {"scanBlock", block},
      {"reduceWarp", in_warp}, {"scanWarp", in_warp}, {"spreadGlobal", top},  {"spreadLocal", warp}};
  if (const auto places = stands_in.find(p.name); places != stands_in.end() && !places->second.contains(around_))
    return {};
  Call call{p};
  if (!call.unify(p.result, t, random_)) return {};
  complete(call);
  double most = 1;
  for (const auto& [name, n] : call.sizes) {
    if (!affordable(n)) return {};
    most = std::max(most, nominal(n));
  }
  std::vector<Type> wanted;
  for (const Type& a : p.arguments) {
    wanted.push_back(substitute(a, call.sizes, call.types));
    if (!call.is_well_formed(wanted.back())) return {};
    if (const auto* n = as<ArrayType>(wanted.back()); n && !affordable(n->length)) return {};
  }
  std::vector<Expr> arguments;
  for (std::size_t k = 0; k < p.explicit_sizes; ++k) arguments.push_back(make::size(call.sizes.at(p.sizes[k])));
  const int part = std::max(1, (budget - 1) / std::max<int>(1, static_cast<int>(wanted.size())));
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    auto e = argument_by_type(call, k, wanted[k], part, most);
    if (!e) return {};
    arguments.push_back(std::move(*e));
  }
  return make::call(p.name, std::move(arguments));
}

std::optional<surface::Expr> Generator::argument_by_type(const Call& call, std::size_t k, const Type& wanted,
                                                         int budget, double iterations) {
  if (as<FunctionType>(wanted)) {
    std::vector<Type> from;
    Type to = wanted;
    while (const auto* f = as<FunctionType>(to)) {
      if (!is_data(*f->from)) return {};
      from.push_back(*f->from);
      Type rest = *f->to;
      to = std::move(rest);
    }
    if (as<IndexType>(to)) return {};
    const Inside inside(*this, static_cast<std::int64_t>(iterations));
    const Place place(*this, around_ == Around::Private ? Around::Private : Around::Inner);
    return function_or_operator(from, to, budget, false);
  }
  if (as<IndexType>(wanted)) {
    for (const Variable& v : scope_)
      if (auto e = reach(v, wanted)) return e;
    return {};
  }
  const auto& indexed = call.primitive.indexed;
  if (const auto* is = as<ArrayType>(wanted); is && indexed && indexed->argument == k)
    return indices(is->length, call.sizes.at(call.primitive.sizes.at(indexed->length)), budget);
  // A number of the primitive's own is a place or a count, as often as not.
  if (call.primitive.arguments[k] == scalar(ScalarType::I64) && random_.percent(60))
    return make::number(random_.below(3));
  return expression(wanted, budget, false);
}

}  // namespace lockstep::props

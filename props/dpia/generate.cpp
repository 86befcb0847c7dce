// Random programs: definitions, their sizes, facts and types.
#include "props/dpia/generate.h"

#include <algorithm>

#include "props/dpia/generate_state.h"
#include "props/engine/places.h"
#include "semantics/functional/inference/advice.h"
#include "semantics/functional/syntax/walk.h"

namespace lockstep::props {

namespace make {
using namespace surface;

Expr number(std::int64_t n) { return {Literal{std::to_string(n), {}}, {}}; }
Pattern wild() { return {WildPattern{}, {}}; }
Expr tuple(Expr a, Expr b) { return {Tuple{{std::move(a), std::move(b)}}, {}}; }

namespace {
Expr product(const SizeTerm& t) {
  std::optional<Expr> out;
  const auto times = [&](Expr e) { out = out ? binary("*", std::move(*out), std::move(e)) : std::move(e); };
  const std::int64_t c = std::abs(t.coefficient);
  if (c != 1 || t.powers.empty()) times(number(c));
  for (const auto& [atom, power] : t.powers)
    for (int k = 0; k < power; ++k)
      times(atom.division ? binary("/", size(atom.division->first), size(atom.division->second)) : name(atom.name));
  return std::move(*out);
}
}  // namespace

Expr size(const Size& s) {
  std::optional<Expr> out;
  for (const bool negative : {false, true})  // what is added before what is taken away
    for (const SizeTerm& t : s.terms()) {
      if ((t.coefficient < 0) != negative) continue;
      out = out ? binary(negative ? "-" : "+", std::move(*out), product(t)) : product(t);
    }
  return out ? std::move(*out) : number(0);
}
}  // namespace make

// ------------------------------------------------------------------------------------------------------- types
double Generator::nominal(const Size& s) const {
  SizeValues values;
  std::set<std::string> names;
  collect_names(s, names);
  for (const std::string& n : names) values[n] = 4;
  const auto v = evaluate(s, values);
  return v ? static_cast<double>(std::max<std::int64_t>(*v, 0)) : 1e9;
}

ScalarType Generator::random_scalar_type(bool numeric) {
  static const std::vector<ScalarType> all = {ScalarType::I32, ScalarType::I32,  ScalarType::F32, ScalarType::F32,
                                              ScalarType::I64, ScalarType::F64,  ScalarType::U8,  ScalarType::U32,
                                              ScalarType::U64, ScalarType::Bool, ScalarType::I8,  ScalarType::I16,
                                              ScalarType::U16};
  for (;;)
    if (const ScalarType t = random_.among(all); !numeric || t != ScalarType::Bool) return t;
}

Size Generator::random_size() {
  if (!sizes_.empty() && random_.percent(70)) return random_.among(sizes_);
  if (!sizes_.empty() && random_.percent(30)) {
    const Size n = random_.among(sizes_);
    return random_.percent(50) ? n + Size(1 + random_.below(3)) : n * Size(2 + random_.below(3));
  }
  return random_.percent(4) ? 0 : 1 + random_.below(5);
}

// Often a type that something in scope has, so that the program uses what it is given.
Type Generator::random_type(int depth) {
  if (!scope_.empty() && random_.percent(40)) {
    const Type t = random_.among(scope_).type;
    if (is_data(t)) {
      const auto* a = as<ArrayType>(t);
      return a && (depth == 0 || random_.percent(50)) ? *a->element : t;
    }
  }
  const int kind = depth > 0 ? random_.below(10) : 0;
  if (kind < 5) return scalar(random_scalar_type());
  if (kind < 8) {
    const Size n = random_size();
    return array(n, random_type(depth - 1));
  }
  if (kind < 9) {
    Type first = random_type(depth - 1);
    const auto* a = as<ArrayType>(first);
    if (a && random_.percent(60)) return pair(first, array(a->length, scalar(random_scalar_type())));
    return pair(std::move(first), random_type(depth - 1));
  }
  const Type lane = scalar(random_scalar_type(true));
  return vector_type(lane, random_width());
}

int Generator::random_width() {
  static const std::vector<int> widths = {2, 2, 3, 4, 4, 8, 16};
  return random_.among(widths);
}

Type Generator::parameter_type() {
  const Type s = scalar(random_scalar_type());
  if (sizes_.empty()) return random_.percent(50) ? s : array(1 + random_.below(4), s);
  if (!remainders_.empty() && random_.percent(40)) return array(random_.among(remainders_), s);
  const Size n = random_.among(sizes_), m = random_.among(sizes_);
  const auto of_vectors = [&] {
    const Type lane = scalar(random_scalar_type(true));
    return array(n, vector_type(lane, random_width()));
  };
  return random_.one_of(Way{2, [&] { return s; }}, Way{1, [&] { return array(n, array(m, s)); }},
                        Way{1, [&] { return array(n, pair(s, scalar(random_scalar_type()))); }},
                        Way{1, [&] { return pair(s, array(n, scalar(random_scalar_type()))); }}, Way{1, of_vectors},
                        Way{1, [&] { return array(n * Size(random_.percent(20) ? 8 : 2 + random_.below(3)), s); }},
                        Way{1, [&] { return array(n + Size(1 + random_.below(2)), s); }},
                        Way{4, [&] { return array(n, s); }});
}

// Seldom so little that it says nothing of the inputs.
Type Generator::result_type() {
  Type t = random_type(2);
  for (int tries = 0; tries < 2 && as<ScalarType>(t); ++tries)
    if (t == scalar(ScalarType::Bool) || random_.percent(40)) t = random_type(2);
  return t;
}

// Lengths as a person would write them: n, not 4*(n/4), where a fact makes them one.
Type Generator::declared(const Type& t) const {
  if (const auto* a = as<ArrayType>(t)) {
    Size length = a->length;
    for (const auto& [name, canonical] : shown_)
      if (length == canonical) length = Size::name(name);
    return array(length, declared(*a->element));
  }
  if (const auto* p = as<PairType>(t)) return pair(declared(*p->first), declared(*p->second));
  return t;
}

// ------------------------------------------------------------------------------------------------------- definitions
// An application is a node for each argument, and sizes, bounds of indices and what leaves read are not counted. One
// program in three is deep, the others are shallow.
int Generator::budget_of(int nodes) { return std::max(3, random_.percent(30) ? nodes / 3 : nodes / 6); }

void Generator::cut_at(const Size& whole, const Size& head) {
  cuts_.push_back({whole, head, whole - head});
  sizes_.push_back(head);
}

// Where to cut so that it takes more than normal forms to see that it fits.
void Generator::choose_hard_facts(surface::Definition& d) {
  const auto fact = [&](Size a, SizeRelation r, Size b) {
    d.facts.push_back({{std::move(a), r, std::move(b)}, {}, {}});
  };
  for (const std::string& name : size_names_) sizes_.push_back(Size::name(name));
  const Size n = sizes_.front(), last = sizes_.back();
  const auto remainder = [&] {
    const int q = 3 + random_.below(3), r = 1 + random_.below(q - 1);
    fact(modulo(n, q), SizeRelation::Equal, r);
    cut_at(n, r);
  };
  const auto mean = [&] {
    fact(last + Size(1), SizeRelation::LessEqual, n);
    cut_at(n, floor_div(last + n, 2));
  };
  const auto square = [&] {
    fact(last * last, SizeRelation::LessEqual, n);
    cut_at(n, last);
  };
  if (size_names_.size() < 2) return remainder();
  random_.one_of(Way{1, remainder}, Way{1, mean}, Way{1, square});
}

void Generator::choose_facts(surface::Definition& d) {
  const auto fact = [&](Size a, SizeRelation r, Size b) {
    d.facts.push_back({{std::move(a), r, std::move(b)}, {}, {}});
  };
  const Size n = Size::name(size_names_[0]);
  sizes_.push_back(n);
  for (std::size_t k = 1; k < size_names_.size(); ++k) sizes_.push_back(Size::name(size_names_[k]));
  const Size last = sizes_.back();
  const auto divisible = [&] {
    const Size q = 2 + random_.below(3);
    fact(modulo(n, q), SizeRelation::Equal, 0);
    const Size blocks = floor_div(n, q);
    sizes_[0] = q * blocks;
    sizes_.push_back(blocks);
    shown_.insert_or_assign(size_names_[0], q * blocks);
  };
  const auto not_empty = [&] {
    fact(1, SizeRelation::LessEqual, n);
    cut_at(n, 1);
  };
  const auto no_larger = [&] {
    if (size_names_.size() < 2) return;
    fact(last, SizeRelation::LessEqual, n);
    cut_at(n, last);
  };
  const auto cut_into_blocks = [&] {  // n/q*q cuts any array into whole blocks and a rest
    const Size q = 2 + random_.below(3);
    cut_at(n, q * floor_div(n, q));
    sizes_.push_back(floor_div(n, q));
  };
  const auto equal = [&] {  // one name for what the other says
    if (size_names_.size() < 2) return;
    const Size same = random_.percent(50) ? n : random_.percent(50) ? n * Size(2) : n + Size(1);
    fact(last, SizeRelation::Equal, same);
    sizes_.back() = same;
    shown_.insert_or_assign(size_names_.back(), same);
  };
  const auto halves = [&] {  // lengths that no name has
    const Size q = 2 + random_.below(3);
    const Size of = random_.percent(50) ? n : random_.percent(50) ? n + last : n + Size(1);
    sizes_.push_back(floor_div(of, q));
    if (random_.percent(50)) remainders_.push_back(modulo(of, q));
  };
  random_.one_of(Way{4, divisible}, Way{2, not_empty}, Way{2, no_larger}, Way{2, cut_into_blocks}, Way{3, equal},
                 Way{3, halves}, Way{7, [] {}});
}

surface::Definition Generator::entry() {
  surface::Definition d{"main", {}, {}, {}, {scalar(ScalarType::Bool), {}, {}}, {}, make::number(0)};
  scope_.clear(), sizes_.clear(), cuts_.clear(), shown_.clear(), size_names_.clear(), remainders_.clear();
  around_ = Around::Top, loops_ = 1;
  const int nodes = nodes_;
  const int named = random_.percent(12) ? 0 : 1 + random_.below(2);
  for (int k = 0; k < named; ++k) {
    d.sizes.push_back({names_of_sizes_[static_cast<std::size_t>(k)], {}});
    size_names_.push_back(names_of_sizes_[static_cast<std::size_t>(k)]);
  }
  const bool explicit_size = random_.percent(20);
  if (explicit_size) size_names_.push_back("k");
  const bool hard = solver_ && !size_names_.empty() && random_.percent(18);
  if (hard)
    choose_hard_facts(d);
  else if (!size_names_.empty())
    choose_facts(d);
  if (random_.percent(6)) name_large(d);
  for (int left = 1 + random_.below(3); left > 0; --left) {
    const Type t = parameter_type();
    const std::string x = fresh("x");
    d.parameters.push_back({x, {}, surface::SourceType{declared(t), {}, {}}});
    scope_.push_back({x, t});
  }
  if (explicit_size)
    d.parameters.insert(d.parameters.begin() + random_.below(static_cast<int>(d.parameters.size()) + 1), {"k", {}, {}});
  const bool far = has_large();
  if (far) nodes_ = std::max(5, nodes_ / 3);  // the rest is for what stands beside
  entry_body(d, hard);
  nodes_ = nodes;
  if (far && random_.percent(90)) beside_far_read(d);
  if (random_.percent(5))  // a left side that decides is seldom drawn otherwise
    if (auto decided = decided_before_a_trap(3)) beside(d, std::move(*decided), ScalarType::Bool);
  return d;
}

// The result with a scalar beside it.
void Generator::beside(surface::Definition& d, Expr e, ScalarType s) {
  d.result = {pair(d.result.type, scalar(s)), {}, {}};
  d.body = make::tuple(std::move(d.body), std::move(e));
}

void Generator::entry_body(surface::Definition& d, bool hard) {
  if (hard && random_.percent(90)) {
    const Cut& c = cuts_.back();
    const bool take = random_.percent(60);
    const Type element = random_type(1);
    d.result = {declared(array(take ? c.head : c.rest, element)), {}, {}};
    d.body = make::call(take ? "take" : "drop",
                        {make::size(c.head), expression(array(c.whole, element), budget_of(nodes_), true)});
    return;
  }
  if (random_.percent(15)) return views(d);
  if (for_gpu_ && !sizes_.empty() && random_.percent(90)) return blocks(d);
  const Type result = result_type();
  d.result = {declared(result), {}, {}};
  d.body = expression(result, budget_of(nodes_ * 12 / 15), true);
}

// fun h [k] (f : a -> b) (xs : [k]'a) ...: a data parameter fixes the size, and each type variable has a value.
surface::Definition Generator::helper(int k) {
  surface::Definition d{"h" + std::to_string(k), {}, {}, {}, {scalar(ScalarType::Bool), {}, {}}, {}, make::number(0)};
  scope_.clear(), sizes_.clear(), cuts_.clear(), shown_.clear(), size_names_.clear(), remainders_.clear();
  around_ = Around::Inner, loops_ = 10;
  Helper h{d.name, {}, {}, scalar(ScalarType::Bool)};
  const auto parameter = [&](const std::string& base, std::optional<Type> t) {
    const std::string x = fresh(base);
    d.parameters.push_back({x, {}, t ? std::optional(surface::SourceType{*t, {}, {}}) : std::nullopt});
    h.parameters.push_back({x, t});
    if (t)
      scope_.push_back({x, *t});
    else
      sizes_.push_back(Size::name(x));
  };
  const bool polymorphic = random_.percent(50), sized = random_.percent(60);
  const Type a = polymorphic ? type_variable("a") : scalar(random_scalar_type());
  const Type b = random_.percent(60) ? scalar(random_scalar_type()) : a;
  if (sized) {
    d.sizes.push_back({"k", {}});
    h.sizes.push_back("k");
    sizes_.push_back(Size::name("k"));
  }
  if (random_.percent(15)) parameter("s", std::nullopt);
  if (random_.percent(60)) {
    const Type to = random_.percent(70) ? b : a;
    const Size k_size = Size::name("k");
    const bool by_index = sized && random_.percent(15), unary = random_.percent(60);
    parameter("f", by_index ? lockstep::function(index_type(k_size), to)
                            : lockstep::function(a, unary ? to : lockstep::function(b, to)));
  }
  parameter("v", a);
  if (sized) parameter("xs", array(Size::name("k"), random_.percent(70) ? a : b));
  d.result.type = random_.percent(40) && sized ? array(Size::name("k"), random_.percent(50) ? b : a)
                  : random_.percent(70)        ? b
                                               : a;
  if (random_.percent(10)) d.result.type = pair(d.result.type, a);
  h.result = d.result.type;
  d.body = expression(d.result.type, budget_of(nodes_ / 3), true);
  helpers_.push_back(std::move(h));
  return d;
}

namespace {
bool mentions_parameter(const surface::Definition& d) {
  return std::any_of(d.parameters.begin(), d.parameters.end(),
                     [&](const surface::Parameter& p) { return p.type && inference::mentions(d.body, p.name); });
}
}  // namespace

surface::Program Generator::program() {
  surface::Program p;
  if (random_.percent(35))
    for (int k = 0, count = 1 + random_.below(2); k < count; ++k) {
      p.definitions.push_back(helper(k));
      nodes_ -= static_cast<int>(node_count(p.definitions.back().body)) / 2;
    }
  nodes_ = std::max(nodes_, 5);
  surface::Definition main = entry();
  const int most = random_.percent(4) ? 0 : 3;  // now and then none is read
  for (int tries = 0; tries < most && !mentions_parameter(main); ++tries) main = entry();
  p.definitions.push_back(std::move(main));
  return p;
}

surface::Program generate_program(std::uint64_t seed, int nodes, const TypedPrimitives& by_type, bool solver,
                                  bool gpu) {
  return Generator(seed, nodes, by_type, solver, gpu || seed % 2 == 1).program();
}

}  // namespace lockstep::props
